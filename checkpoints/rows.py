"""Records of the journal as rows of its tables, and back.

A body leaves out what the row's key already says; the game above all, so that a copied row reads
as the copy's.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from pydantic_core import from_json
from sqlalchemy import Row

from entente.errors import UnknownPhase
from entente.players.actions import Action, SubmitOrders
from entente.players.record import PhaseRecord, Segment, TurnRecord
from entente.press.messages import Message

RowValues = dict[str, Any]

_TURN_KEY = {"game", "segment", "power", "number", "messages"}


def turn_row(turn: TurnRecord) -> RowValues:
    """The row of a turn, without its messages, and without its orders where they stand as they were said."""
    said = {"orders"} if turn.orders == _lines(turn.actions) else set[str]()
    return {
        "game": turn.game,
        "segment": turn.segment,
        "power": turn.power,
        "number": turn.number,
        "body": turn.model_dump_json(exclude=_TURN_KEY | said),
    }


def _lines(actions: Iterable[Action]) -> tuple[str, ...]:
    return tuple(line for action in actions if isinstance(action, SubmitOrders) for line in action.orders)


def message_rows(turn: TurnRecord) -> list[RowValues]:
    """A row for each of a turn's messages."""
    return [
        {
            "game": turn.game,
            "segment": turn.segment,
            "power": turn.power,
            "number": turn.number,
            "position": position,
            "body": message.model_dump_json(),
        }
        for position, message in enumerate(turn.messages)
    ]


def turn_record(row: Row[Any], messages: Iterable[Row[Any]]) -> TurnRecord:
    """The turn of a row and of its messages' rows, which come in order."""
    body = from_json(row.body)
    turn = TurnRecord.model_validate(
        {
            **body,
            "game": row.game,
            "segment": row.segment,
            "power": row.power,
            "number": row.number,
            "messages": [Message.model_validate_json(message.body) for message in messages],
        }
    )
    return turn if "orders" in body else turn.model_copy(update={"orders": _lines(turn.actions)})


def turn_records(turns: Sequence[Row[Any]], messages: Iterable[Row[Any]]) -> list[TurnRecord]:
    """The turns of these rows, each with its messages; messages come in order."""
    by_turn: dict[tuple[str, str, int], list[Row[Any]]] = {}
    for message in messages:
        by_turn.setdefault((message.segment, message.power, message.number), []).append(message)
    return [turn_record(row, by_turn.get((row.segment, row.power, row.number), ())) for row in turns]


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
        "body": phase.model_dump_json(exclude={"game", "id", "parent"}, exclude_defaults=True),
    }


def phase_record(row: Row[Any]) -> PhaseRecord:
    """The phase of a row."""
    return PhaseRecord.model_validate(
        {**from_json(row.body), "game": row.game, "id": row.id, "parent": row.parent}
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
