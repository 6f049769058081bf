"""Who has something to read on the conductor's floor: pure bookkeeping over the phase's turns.

Every power reads in one order, the journal's. Where a power stands in it is kept with its turns, so that a game
which was killed wakes the very powers that it would have woken.
"""

from collections import Counter, deque
from collections.abc import Iterable, Sequence
from typing import Literal, TypeAlias

from entente.board.types import Power
from entente.floors.recorded import gives_orders
from entente.players.caps import MAX_ANSWERS
from entente.players.record import TurnRecord
from entente.players.roster import HUMAN
from entente.press.mailbox import may_read

WakeOn: TypeAlias = Literal["content", "every-event"]

_PHASE_BEGINS = -1
"""The event before the first turn."""


class Mail:
    """The phase's turns so far, and which of them each power has yet to be woken for."""

    def __init__(self, powers: Sequence[Power], wake_on: WakeOn, turns: Iterable[TurnRecord] = ()) -> None:
        self.turns: list[TurnRecord] = []
        """In the journal's order."""
        self.orders: dict[Power, TurnRecord] = {}
        """The latest turn of each power in which it gave orders."""
        self.wakes: Counter[Power] = Counter()
        """How often each power was asked."""
        self._powers = tuple(powers)
        self._wake_on = wake_on
        self._unread = {power: deque([_PHASE_BEGINS]) for power in powers}
        self._is_mending: set[Power] = set()
        for turn in turns:
            self.take(turn)

    def take(self, turn: TurnRecord) -> None:
        """Note a turn that was committed."""
        place = len(self.turns)
        self.turns.append(turn)
        is_news = self._gives_other_orders(turn)
        for power in self._powers:
            if self._is_woken(power, turn, is_news):
                self._unread[power].append(place)
        if turn.power in self._unread:
            self._note_own(turn, place)

    def unread_since(self, power: Power) -> int | None:
        """The place of the first turn that the power is to be woken for; None when there is none."""
        return self._unread[power][0] if self._unread[power] else None

    def unread(self) -> list[Power]:
        """The powers that are to be woken, those that wait for longest first, then in the map's order."""
        waiting = [power for power in self._powers if self._unread[power]]
        return sorted(waiting, key=lambda power: self._unread[power][0])

    def skip(self, power: Power) -> None:
        """Leave unread what the power has not read: it is not woken for it."""
        self._unread[power].clear()

    def _note_own(self, turn: TurnRecord, place: int) -> None:
        power, waking = turn.power, turn.waking
        self.wakes[power] += waking is not None and waking.was_asked
        read_up_to = place if waking is None else waking.after
        unread = self._unread[power]
        while unread and unread[0] < read_up_to:
            unread.popleft()
        # Orders that could not be used are asked for once more, and not a third time.
        if waking is not None and waking.was_rejected and power not in self._is_mending:
            self._is_mending.add(power)
            unread.append(place)
        else:
            self._is_mending.discard(power)

    def standing_orders(self, power: Power) -> Sequence[str]:
        """The orders that the power has given in the phase so far, canonical; none where it has given none."""
        return self.orders[power].orders if power in self.orders else ()

    def _is_woken(self, power: Power, turn: TurnRecord, is_news: bool) -> bool:
        readable = [message for message in turn.messages if may_read(power, message)]
        if self._wake_on == "every-event":
            return is_news or bool(readable)
        return turn.power != power and bool(readable)

    def _gives_other_orders(self, turn: TurnRecord) -> bool:
        """True when it was the power's first orders, or other ones than before; keeps them."""
        if not gives_orders(turn):
            return False
        before = self.orders.get(turn.power)
        self.orders[turn.power] = turn
        return before is None or before.orders != turn.orders


def most_answers(power: Power, turns: Iterable[TurnRecord]) -> int:
    """How often a person may answer in the phase: once more for each message, so that nobody can use it up for it."""
    others = (turn for turn in turns if turn.power != power)
    return MAX_ANSWERS + sum(may_read(power, message) for turn in others for message in turn.messages)


def has_answered_enough(power: Power, turns: Sequence[TurnRecord]) -> bool:
    """True for a person who has answered as often as it may; its first orders are taken all the same."""
    answered = sum(turn.power == power and turn.player == HUMAN for turn in turns)
    return answered >= most_answers(power, turns)


def unread_by_person(power: Power, turns: Sequence[TurnRecord]) -> list[TurnRecord]:
    """Others' turns of the phase that a person had not read when it answered last, in the journal's order.

    People who answer at once have not read each other. Who answers an earlier question has not read what came since.
    """
    own = [place for place, turn in enumerate(turns) if turn.power == power]
    if not own:
        return [*turns]
    answer = turns[own[-1]]
    if answer.read_up_to is not None:
        return _not_read(power, turns, own[-1], answer.read_up_to)
    beside = [
        t for t in turns[: own[-1]] if t.waking is None and t.round == answer.round and t.power != power
    ]
    return [*beside, *turns[own[-1] + 1 :]]


def _not_read(power: Power, turns: Sequence[TurnRecord], place: int, count: int) -> list[TurnRecord]:
    """Others' turns beyond so many messages of the phase, and those behind the power's answer at this place."""
    unread: list[TurnRecord] = []
    for turn in turns[:place]:
        count -= sum(may_read(power, message) for message in turn.messages)
        if count < 0 and turn.power != power:
            unread.append(turn)
    return [*unread, *turns[place + 1 :]]
