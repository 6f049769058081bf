"""What each reader may see of the journal: the one place where turns and phases become events.

A power sees its own turns whole; of another's it learns that they were taken, and reads what was
addressed to it or to all. Orders are their owner's until the phase is adjudicated. The public reads
broadcasts and phases. The operator, who runs the game, sees all of it.
"""

from collections.abc import Iterable, Iterator, Mapping

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
    done = _diary_event if record.stage == "diary" else _turn_events
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


def _turn_events(turn: TurnRecord, reader: Reader) -> Iterator[Event]:
    """That the power has spoken, that it has ordered, or both: on the conductor's floor a turn may do both."""
    if turn.stage == "talk":
        drafts: dict[str, JsonValue] = {"drafts": list(turn.drafts)}
        told = f", and would order {', '.join(turn.drafts)}" if turn.drafts else ""
        yield _turn_event(turn, reader, EventKind.TALKED, {"round": turn.round}, drafts, told)
    if turn.stage == "orders" or turn.orders:
        orders: dict[str, JsonValue] = {"orders": list(turn.orders)}
        told = f": {', '.join(turn.orders) or 'none'}"
        yield _turn_event(turn, reader, EventKind.ORDERED, {}, orders, told)


def _turn_event(
    turn: TurnRecord,
    reader: Reader,
    kind: EventKind,
    public: Mapping[str, JsonValue],
    private: Mapping[str, JsonValue],
    told: str,
) -> Event:
    """The event; `private` and `told`, which says the same in words, are for those whose business it is."""
    is_told = owns(reader, turn)
    by = f" ({turn.stand_in} stands in for {turn.player})" if turn.stand_in else ""
    return Event(
        id=f"{kind.value}:{_turn_id(turn)}",
        kind=kind,
        phase=turn.phase,
        power=turn.power,
        text=f"{turn.power} {_done(turn, kind)}{by}{told if is_told else ''}.",
        data={"turn": _turn_id(turn), "stand_in": turn.stand_in, **public, **(private if is_told else {})},
    )


def _done(turn: TurnRecord, kind: EventKind) -> str:
    if kind is EventKind.ORDERED:
        return "has given its orders"
    if turn.waking is None:
        return f"has spoken in round {turn.round}"
    return f"has answered when it was woken ({turn.round})"


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
