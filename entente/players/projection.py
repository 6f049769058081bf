"""What each reader may see of the journal: the one place where turns and phases become events.

A power sees its own turns whole; of another's it learns that they were taken, and reads what was
addressed to it or to all. Orders are their owner's until the phase is adjudicated. The public reads
broadcasts and phases. The operator, who runs the game, sees all of it.
"""

from collections.abc import Iterable, Iterator

from pydantic import JsonValue

from entente.events import Event, EventKind
from entente.players.actions import UpdateMemory
from entente.players.bundle import DIARY
from entente.players.record import PhaseRecord, ResultRecord, TurnRecord
from entente.press.mailbox import Reader, readable
from entente.press.messages import BROADCAST, Message


def events_of(record: TurnRecord | PhaseRecord, reader: Reader) -> list[Event]:
    """The reader's events of one committed record, in order; none for what is not its business."""
    if isinstance(record, PhaseRecord):
        return [_phase_event(record)]
    done = _diary_event if record.stage == "diary" else _turn_event
    return [*_message_events(record, reader), *done(record, reader), *_notice_events(record, reader)]


def press_of(turns: Iterable[TurnRecord], reader: Reader) -> list[Message]:
    """The messages that the reader may read, in the order of the turns."""
    return [message for turn in turns for message in readable(reader, turn.messages)]


def owns(reader: Reader, turn: TurnRecord) -> bool:
    """True when the turn is the reader's own, or the reader runs the game."""
    return reader in ("OPERATOR", turn.power)


def _turn_id(turn: TurnRecord) -> str:
    stage = str(turn.round) if turn.stage == "talk" else turn.stage
    suffix = f".{turn.number}" if turn.number else ""
    return f"{turn.phase}.{stage}.{turn.power}{suffix}"


def _message_events(turn: TurnRecord, reader: Reader) -> Iterator[Event]:
    for message in readable(reader, turn.messages):
        to = "all" if message.recipient == BROADCAST else message.recipient
        yield Event(
            id=f"message:{message.id}",
            kind=EventKind.MESSAGE,
            phase=turn.phase,
            power=turn.power,
            text=f"{message.sender} to {to}: {message.content}",
            data=message.model_dump(mode="json"),
        )


def _turn_event(turn: TurnRecord, reader: Reader) -> Iterator[Event]:
    yield Event(
        id=f"turn:{_turn_id(turn)}",
        kind=EventKind.TALKED if turn.stage == "talk" else EventKind.ORDERED,
        phase=turn.phase,
        power=turn.power,
        text=f"{turn.power} {_done(turn)}{_orders_text(turn) if owns(reader, turn) else '.'}",
        data=_turn_data(turn) | (_orders_data(turn) if owns(reader, turn) else {}),
    )


def _done(turn: TurnRecord) -> str:
    done = f"has spoken in round {turn.round}" if turn.stage == "talk" else "has given its orders"
    return f"{done} ({turn.stand_in} stands in for {turn.player})" if turn.stand_in else done


def _turn_data(turn: TurnRecord) -> dict[str, JsonValue]:
    data: dict[str, JsonValue] = {"turn": _turn_id(turn), "stand_in": turn.stand_in}
    return data | ({"round": turn.round} if turn.stage == "talk" else {})


def _orders_text(turn: TurnRecord) -> str:
    if turn.stage == "talk":
        return f", and would order {', '.join(turn.drafts)}." if turn.drafts else "."
    return f": {', '.join(turn.orders) or 'none'}."


def _orders_data(turn: TurnRecord) -> dict[str, JsonValue]:
    return {"drafts": list(turn.drafts)} if turn.stage == "talk" else {"orders": list(turn.orders)}


def _diary_event(turn: TurnRecord, reader: Reader) -> Iterator[Event]:
    if not owns(reader, turn):
        return
    updates = {action.key: action.value for action in turn.actions if isinstance(action, UpdateMemory)}
    diary = updates.pop(DIARY, "")
    yield Event(
        id=f"turn:{_turn_id(turn)}",
        kind=EventKind.DIARY,
        phase=turn.phase,
        power=turn.power,
        text=f"{turn.power} folded its diary: {diary}" if diary else f"{turn.power} did not fold its diary.",
        data={"turn": _turn_id(turn), "diary": diary, "memory": updates},
    )


def _notice_events(turn: TurnRecord, reader: Reader) -> Iterator[Event]:
    if not owns(reader, turn):
        return
    for index, notice in enumerate(turn.notices):
        yield Event(
            id=f"notice:{_turn_id(turn)}.{index}",
            kind=EventKind.NOTICE,
            phase=turn.phase,
            power=turn.power,
            text=notice.detail,
            data=notice.model_dump(mode="json"),
        )


def _phase_event(record: PhaseRecord) -> Event:
    failed = sum(not result.succeeded for result in record.results)
    return Event(
        id=f"phase:{record.phase}",
        kind=EventKind.PHASE,
        phase=record.phase,
        text=f"{record.phase} adjudicated: {len(record.results)} orders, {failed} without success.",
        data={"results": [_result(result) for result in record.results]},
    )


def _result(result: ResultRecord) -> dict[str, JsonValue]:
    return result.model_dump(mode="json")
