"""Records of the journal as rows of its tables, and back.

A body leaves out what the row's key already says; the game above all, so that a copied row reads
as the copy's. What was said stands once, in the message's row; rows of before schema 4 say it in
both places. A row that cannot be read is DamagedRow, whatever is wrong with it.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from pydantic_core import from_json
from sqlalchemy import Row

from checkpoints.damage import damaged, in_a_circle, missing, read_by
from checkpoints.tables import GAMES, MESSAGES, PHASES, PROMPTS, REPLIES, SEGMENTS, TURNS, WORDS
from entente.board.types import Outcome, parse_order, places_in
from entente.errors import BadSnapshot, BoardError
from entente.models.sent import part_digest
from entente.models.wire import ModelReply, PromptPart
from entente.players.actions import Action, SendMessage, SubmitOrders
from entente.players.record import PhaseRecord, Segment, TurnRecord, Words
from entente.press.messages import Message
from graph.context import GameSettings

RowValues = dict[str, Any]
Body = dict[str, Any]

_COMMIT = {"sequence", "at"}
_TURN_KEY = {"game", "segment", "power", "number", "messages", *_COMMIT}
_WORDS_KEY = {"game", "id", "history", "session", *_COMMIT}
_OF_TURN = {"phase", "round", "sender"}
"""What a message's turn says of it, in most cases."""
_SAID = frozenset(SendMessage.model_fields) - {"tool"}
_SENT = {"tool": "send_message"}
"""What stands of an action whose words are in its message's row."""
_COUNT = "messages"
_OUTCOMES = frozenset(Outcome)


def turn_row(turn: TurnRecord) -> RowValues:
    """The row of a turn; orders that stand as they were said are in it once, and messages are in their own rows."""
    exclude: dict[str, Any] = dict.fromkeys(_TURN_KEY, True)
    if turn.orders == _lines(turn.actions):
        exclude["orders"] = True
    if _are_as_said(turn):
        sent = (position for position, action in enumerate(turn.actions) if isinstance(action, SendMessage))
        exclude["actions"] = dict.fromkeys(sent, _SAID)
    return {
        "game": turn.game,
        "segment": turn.segment,
        "power": turn.power,
        "number": turn.number,
        "body": _counted(turn.model_dump_json(exclude=exclude), turn),
        "sequence": turn.sequence,
        "committed_at": turn.at,
    }


def _lines(actions: Iterable[Action]) -> tuple[str, ...]:
    return tuple(line for action in actions if isinstance(action, SubmitOrders) for line in action.orders)


def _are_as_said(turn: TurnRecord) -> bool:
    """True when every message was delivered, and word for word."""
    said = [action for action in turn.actions if isinstance(action, SendMessage)]
    return len(said) == len(turn.messages) and all(
        getattr(action, name) == getattr(message, name)
        for action, message in zip(said, turn.messages, strict=True)
        for name in _SAID
    )


def _counted(body: str, turn: TurnRecord) -> str:
    """The body with how many messages there are, where its actions do not say so: a lost one is noticed then."""
    if not turn.messages or _are_as_said(turn):
        return body
    return f'{body[:-1]},"{_COUNT}":{len(turn.messages)}}}'


def message_rows(turn: TurnRecord) -> list[RowValues]:
    """A row for each of a turn's messages."""
    return [
        {
            "game": turn.game,
            "segment": turn.segment,
            "power": turn.power,
            "number": turn.number,
            "position": position,
            "body": message.model_dump_json(exclude=_said_by_turn(message, turn), exclude_defaults=True),
        }
        for position, message in enumerate(turn.messages)
    ]


def _said_by_turn(message: Message, turn: TurnRecord) -> set[str]:
    """What the message's row leaves out: not the round in a later stretch of talk, where all messages are of one."""
    return _OF_TURN if message.round == turn.round else _OF_TURN - {"round"}


@read_by(TURNS)
def turn_record(row: Row[Any], messages: Iterable[Row[Any]]) -> TurnRecord:
    """The turn of a row and of its messages' rows, which come in order."""
    body = from_json(row.body)
    delivered = [message_values(message) for message in messages]
    said = body["actions"].count(_SENT)
    if len(delivered) != (body.pop(_COUNT, 0) or said or len(delivered)):
        raise damaged(
            TURNS, row, f"it has {said or 'other'} messages and {len(delivered)} are in {MESSAGES.name}"
        )
    of_turn = {"phase": body["phase"], "round": body["round"], "sender": row.power}
    turn = TurnRecord.model_validate(
        {
            **body,
            "game": row.game,
            "segment": row.segment,
            "power": row.power,
            "number": row.number,
            "actions": _with_words(body["actions"], delivered),
            "messages": [of_turn | message for message in delivered],
            "sequence": row.sequence,
            "at": row.committed_at,
        }
    )
    return turn if "orders" in body else turn.model_copy(update={"orders": _lines(turn.actions)})


@read_by(TURNS)
def prompts_sent(row: Row[Any]) -> list[str]:
    """The digests of the last parts of the prompts that the calls of the row's turn were sent."""
    replies = from_json(row.body).get("replies", ())
    return [str(reply["asked"]["prompt"]) for reply in replies if "asked" in reply]


@read_by(MESSAGES)
def message_values(row: Row[Any]) -> Body:
    """What a message's row says of it."""
    return {**from_json(row.body)}


def _with_words(actions: Iterable[Body], delivered: Iterable[Body]) -> list[Body]:
    """The actions, those that stand without their words with the words that were delivered."""
    words = ({name: message[name] for name in _SAID & message.keys()} for message in delivered)
    return [action | next(words) if action == _SENT else action for action in actions]


def turn_records(turns: Sequence[Row[Any]], messages: Iterable[Row[Any]]) -> list[TurnRecord]:
    """The turns of these rows, each with its messages; messages come in order."""
    by_turn: dict[tuple[str, str, str, int], list[Row[Any]]] = {}
    for message in messages:
        by_turn.setdefault(_turn_key(message), []).append(message)
    return [turn_record(row, by_turn.get(_turn_key(row), ())) for row in turns]


def _turn_key(row: Row[Any]) -> tuple[str, str, str, int]:
    return (row.game, row.segment, row.power, row.number)


def segment_row(segment: Segment) -> RowValues:
    """The row of a segment, without its position."""
    return {
        "game": segment.game,
        "id": segment.id,
        "body": segment.model_dump_json(exclude={"game", "id"}),
    }


@read_by(SEGMENTS)
def segment_record(row: Row[Any]) -> Segment:
    """The segment of a row."""
    return Segment.model_validate({**from_json(row.body), "game": row.game, "id": row.id})


def phase_row(phase: PhaseRecord) -> RowValues:
    """The row of a phase; of its results only what is not as usual, since there is one for each unit."""
    return {
        "game": phase.game,
        "id": phase.id,
        "parent": phase.parent,
        "body": phase.model_dump_json(exclude={"game", "id", "parent", *_COMMIT}, exclude_defaults=True),
        "sequence": phase.sequence,
        "committed_at": phase.at,
    }


@read_by(PHASES)
def phase_record(row: Row[Any]) -> PhaseRecord:
    """The phase of a row."""
    key = {"game": row.game, "id": row.id, "parent": row.parent}
    record = PhaseRecord.model_validate(
        {**from_json(row.body), **key, "sequence": row.sequence, "at": row.committed_at}
    )
    if not _OUTCOMES.issuperset(outcome for result in record.results for outcome in result.outcomes):
        raise damaged(PHASES, row, "it has an outcome that no order can have")
    _check_played(row, record)
    return record


def _check_played(row: Row[Any], record: PhaseRecord) -> None:
    """Raise DamagedRow for a board that is none of its map, and for orders that cannot have been given on it."""
    from graph.state import board_from  # its engine takes 0.3 s to load: no list of games waits for it

    try:
        geography = board_from(record.board).geography
        orders = {parse_order(result.order) for result in record.results}
    except BoardError as error:
        wrong = "its board" if isinstance(error, BadSnapshot) else "an order in it"
        raise damaged(PHASES, row, f"{wrong} is not what was put into it") from error
    places = {place for order in orders for place in places_in(order)}
    powers = {result.power for result in record.results}
    if not (all(map(geography.has, places)) and powers.issubset(geography.powers)):
        raise damaged(PHASES, row, "it has an order that nobody can have given on its map")


def words_row(words: Words) -> RowValues:
    """The row of what a voice of the crew said."""
    return {
        "game": words.game,
        "id": words.id,
        "history": words.history,
        "session": words.session,
        "body": words.model_dump_json(exclude=_WORDS_KEY, exclude_defaults=True),
        "sequence": words.sequence,
        "committed_at": words.at,
    }


@read_by(WORDS)
def words_record(row: Row[Any]) -> Words:
    """The words of a row."""
    key = {name: getattr(row, name) for name in ("game", "id", "history", "session", "sequence")}
    return Words.model_validate({**from_json(row.body), **key, "at": row.committed_at})


@read_by(PROMPTS)
def prompt_part(row: Row[Any]) -> PromptPart:
    """The part of prompts of a row."""
    if part_digest(row.parent, row.body) != row.digest:
        raise damaged(PROMPTS, row, "its digest is not that of its words")
    return PromptPart(row.digest, row.parent, row.body)


@read_by(REPLIES)
def kept_reply(row: Row[Any]) -> str:
    """A reply that was kept before its turn was finished, as JSON."""
    ModelReply.model_validate_json(row.body)
    return row.body


@read_by(GAMES)
def game_settings(row: Row[Any]) -> GameSettings:
    """The settings in a game's row of the list, which were resolved before they were kept."""
    settings = GameSettings.model_validate_json(row.settings)
    if "seats" not in settings.model_fields_set:
        raise damaged(GAMES, row, "its settings seat nobody")
    return settings


def chain(game: str, phases: Mapping[str, Row[Any]], head: str | None) -> list[Row[Any]]:
    """The rows from the first phase to `head`, following parents.

    Raises DamagedRow for one that is missing, and for phases that follow each other in a circle.
    """
    found: dict[str, Row[Any]] = {}
    after = "the game's state"
    while head is not None:
        row = phases.get(head)
        if row is None:
            raise missing(PHASES, game, head, after)
        if head in found:
            raise in_a_circle(game, head)
        found[head], after = row, f"the phase {head}"
        head = row.parent
    return [*found.values()][::-1]
