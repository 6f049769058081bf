"""Records of the journal as rows of its tables, and back.

A body leaves out what the row's key already says; the game above all, so that a copied row reads
as the copy's. What was said stands once, in the message's row; rows of before schema 4 say it in
both places.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from pydantic_core import from_json
from sqlalchemy import Row

from entente.errors import UnknownPhase
from entente.players.actions import Action, SendMessage, SubmitOrders
from entente.players.record import PhaseRecord, Segment, TurnRecord

RowValues = dict[str, Any]
Body = dict[str, Any]

_COMMIT = {"sequence", "at"}
_TURN_KEY = {"game", "segment", "power", "number", "messages", *_COMMIT}
_OF_TURN = {"phase", "round", "sender"}
"""What a message's turn says of it."""
_SAID = frozenset(SendMessage.model_fields) - {"tool"}
_SENT = {"tool": "send_message"}
"""What stands of an action whose words are in its message's row."""


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
        "body": turn.model_dump_json(exclude=exclude),
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


def message_rows(turn: TurnRecord) -> list[RowValues]:
    """A row for each of a turn's messages."""
    return [
        {
            "game": turn.game,
            "segment": turn.segment,
            "power": turn.power,
            "number": turn.number,
            "position": position,
            "body": message.model_dump_json(exclude=_OF_TURN, exclude_defaults=True),
        }
        for position, message in enumerate(turn.messages)
    ]


def turn_record(row: Row[Any], messages: Iterable[Row[Any]]) -> TurnRecord:
    """The turn of a row and of its messages' rows, which come in order."""
    body = from_json(row.body)
    delivered = [from_json(message.body) for message in messages]
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


def phase_record(row: Row[Any]) -> PhaseRecord:
    """The phase of a row."""
    key = {"game": row.game, "id": row.id, "parent": row.parent}
    return PhaseRecord.model_validate(
        {**from_json(row.body), **key, "sequence": row.sequence, "at": row.committed_at}
    )


def chain(phases: Mapping[str, Row[Any]], head: str | None) -> list[Row[Any]]:
    """The rows from the first phase to `head`, following parents; raises UnknownPhase for one that is missing."""
    found: list[Row[Any]] = []
    while head is not None:
        if head not in phases:
            raise UnknownPhase(f"Phase {head!r} was wanted and is not in the journal; nothing was done.")
        found.append(phases[head])
        head = phases[head].parent
    return found[::-1]
