"""What each reader may see of the journal: the one place where turns, phases and words become events.

A power sees its own turns whole; of another's it learns that they were taken, and reads what was
addressed to it or to all. Orders are their owner's until the phase is adjudicated. The public reads
broadcasts and phases. The crew tells phases to all, and answers one listener. The operator, who runs the game, sees all
of it. Where powers are woken, a turn tells that its power had mail: others are told of its messages alone, and not in
which waking they were written.

Nobody but the operator is told of anything before its time. Where people talk in rounds, whose words cross, a round is
told when it is over for all. The delayed public is told of a phase when so many have begun after it.
"""

from collections.abc import Iterable, Iterator, Mapping
from math import inf
from typing import NamedTuple

from pydantic import JsonValue

from entente.board.types import Phase
from entente.events import Event, EventKind
from entente.players.actions import UpdateMemory
from entente.players.bundle import DIARY
from entente.players.moments import moment_of
from entente.players.record import Advice, PhaseRecord, Record, ResultRecord, TurnRecord, Words
from entente.press.mailbox import Reader, readable
from entente.press.messages import Message


class Horizon(NamedTuple):
    """Up to where a reader is told of a game by now; without values, of all of it."""

    newest: float = inf
    """What was committed after this number is hidden, since it was not known when the others were set."""
    first_hidden: tuple[tuple[int, int, int], float] | None = None
    """The phase, by its sort key, and the round of its press, from which on everything is hidden."""

    def hides(self, record: Record) -> bool:
        """True for what the reader may not know yet."""
        is_ahead = self.first_hidden is not None and _place(record) >= self.first_hidden
        return is_ahead or record.sequence > self.newest


def horizon_at(phase: str, round_: int, newest: int) -> Horizon:
    """Hides this round of the phase and all that comes behind it; round 0 hides the phase, diaries included."""
    return Horizon(newest, (Phase.parse(phase).sort_key, round_))


def _place(record: Record) -> tuple[tuple[int, int, int], float]:
    phase = Phase.parse(record.phase).sort_key
    match record:
        case TurnRecord(stage="talk" | "diary"):
            return phase, record.round
        case Words() if record.session:  # an answer, from what its listener knew already
            return phase, 0
        case _:
            return phase, inf


def events_of(record: Record, reader: Reader) -> list[Event]:
    """The reader's events of one committed record, in order; none for what is not its business."""
    if isinstance(record, Words):
        return [_crew_event(record)] if reader == "OPERATOR" or record.listener in ("PUBLIC", reader) else []
    if isinstance(record, PhaseRecord):
        return [_phase_event(record)]
    told = _Told(record, reader)
    done = told.diary if record.stage == "diary" else told.done
    return [*told.thinking(), *told.messages(), *done(), *told.notices()]


def press_of(turns: Iterable[TurnRecord], reader: Reader) -> list[Message]:
    """The messages that the reader may read, in the order of the turns."""
    return [message for turn in turns for message in readable(reader, turn.messages)]


def owns(reader: Reader, turn: TurnRecord) -> bool:
    """True when the turn is the reader's own, or the reader runs the game."""
    return reader in ("OPERATOR", turn.power)


class _Told:
    """What one reader is told of one turn."""

    def __init__(self, turn: TurnRecord, reader: Reader) -> None:
        self._turn = turn
        self._reader = reader
        self._is_whole = owns(reader, turn)
        moment = moment_of(turn)
        self._moment = moment if self._is_whole else moment._replace(wake=None)

    def thinking(self) -> Iterator[Event]:
        if self._is_whole and (thinking := self._turn.thinking):
            text = f"{self._turn.power} thought: {thinking}"
            yield self._event(self._id("thought"), EventKind.THOUGHT, text, {"thinking": thinking})

    def messages(self) -> Iterator[Event]:
        for message in readable(self._reader, self._turn.messages):
            text = f"{message.sender} to {message.to}: {message.content}"
            yield self._event(
                f"message:{message.id}", EventKind.MESSAGE, text, message.model_dump(mode="json")
            )

    def done(self) -> Iterator[Event]:
        """That the power has spoken, that it has ordered, or both: on the conductor's floor a turn may do both."""
        turn = self._turn
        if turn.waking is not None and not self._is_whole:
            return
        if turn.stage == "talk" and (turn.waking is None or turn.waking.was_asked):
            drafts: dict[str, JsonValue] = {"drafts": list(turn.drafts)}
            told = f", and would order {', '.join(turn.drafts)}" if turn.drafts else ""
            spoken = "was woken and has taken its turn" if turn.waking else "has spoken"
            wake = turn.waking.wake if turn.waking else None
            yield self._did(EventKind.TALKED, spoken, {"round": turn.round, "wake": wake}, drafts, told)
        if turn.stage == "orders" or turn.orders:
            orders: dict[str, JsonValue] = {"orders": list(turn.orders)}
            told = f": {', '.join(turn.orders) or 'none'}"
            if self._reader == "OPERATOR":
                orders["advice"] = turn.advice.model_dump(mode="json") if turn.advice else None
                told += f"; {_advice_text(turn.advice)}" if turn.advice else ""
            yield self._did(EventKind.ORDERED, "has given its orders", {}, orders, told)

    def diary(self) -> Iterator[Event]:
        turn = self._turn
        if not self._is_whole:
            return
        updates = {action.key: action.value for action in turn.actions if isinstance(action, UpdateMemory)}
        diary = updates.pop(DIARY, "")
        text = f"{turn.power} folded its diary: {diary}" if diary else f"{turn.power} did not fold its diary."
        yield self._event(self._id("diary"), EventKind.DIARY, text, {"diary": diary, "memory": updates})

    def notices(self) -> Iterator[Event]:
        if not self._is_whole:
            return
        for index, notice in enumerate(self._turn.notices):
            data = notice.model_dump(mode="json")
            yield self._event(f"{self._id('notice')}.{index}", EventKind.NOTICE, notice.detail, data)

    def _did(
        self,
        kind: EventKind,
        what: str,
        public: Mapping[str, JsonValue],
        private: Mapping[str, JsonValue],
        told: str,
    ) -> Event:
        """The event; `private` and `told`, which says the same in words, are for those whose business it is."""
        turn = self._turn
        whom = f" for {turn.player}" if self._is_whole else ""  # a model's name may have an address in it
        by = f" ({turn.stand_in} stands in{whom})" if turn.stand_in else ""
        text = f"{turn.power} {what}{by}{told if self._is_whole else ''}."
        data = {"stand_in": turn.stand_in, **public, **(private if self._is_whole else {})}
        return self._event(self._id(kind.value), kind, text, data)

    def _event(self, id: str, kind: EventKind, text: str, data: Mapping[str, JsonValue]) -> Event:  # noqa: A002 - the event's own word
        turn = self._turn
        return Event(
            id=id,
            sequence=turn.sequence,
            at=turn.at,
            kind=kind,
            phase=turn.phase,
            moment=str(self._moment),
            power=turn.power,
            text=text,
            data=data,
        )

    def _id(self, what: str) -> str:
        """By the moment; behind `#` which of the power's turns it was, where one moment may have several."""
        turn = self._turn
        name = f"{self._moment}/{turn.power}" if self._moment.power is None else str(self._moment)
        return f"{what}:{name}#{turn.number}" if turn.number else f"{what}:{name}"


def _advice_text(advice: Advice) -> str:
    if advice.followed:
        return f"these are suggestion {advice.followed} of {advice.suggested}"
    return f"these are none of {advice.suggested} suggestions"


def _phase_event(record: PhaseRecord) -> Event:
    failed = sum(not result.succeeded for result in record.results)
    return Event(
        id=f"phase:{record.phase}",
        sequence=record.sequence,
        at=record.at,
        kind=EventKind.PHASE,
        phase=record.phase,
        moment=record.phase,
        text=f"{record.phase} adjudicated: {len(record.results)} orders, {failed} without success.",
        data={"results": [_result(result) for result in record.results]},
    )


def _crew_event(words: Words) -> Event:
    to = "" if words.listener == "PUBLIC" else f" to {words.listener}"
    return Event(
        id=f"crew:{words.id}",
        sequence=words.sequence,
        at=words.at,
        kind=EventKind.CREW,
        phase=words.phase,
        moment=words.phase,
        text=f"{words.voice}{to}: {words.content}",
        data=words.model_dump(mode="json", include={"voice", "listener", "content", "action"}),
    )


def _result(result: ResultRecord) -> dict[str, JsonValue]:
    return result.model_dump(mode="json")
