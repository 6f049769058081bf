"""The seat's handle: what a program that plays a power can look at and do, and nothing else.

An agent is woken with what has reached its seat since it was woken last, and acts through the handle as often as it
likes. On the conductor's floor each action is kept, and read by whom it concerns, at once; elsewhere, and where orders
alone are wanted, all that it did is one turn when it returns.
"""

from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Literal, Protocol, TypeAlias, runtime_checkable

from entente.board.orders import read_orders
from entente.board.types import Location, Order, Position, Power
from entente.board.verdicts import LineVerdict
from entente.errors import NotWaiting, PressError
from entente.players.actions import Action, SendMessage, SubmitOrders
from entente.players.bundle import Bundle
from entente.players.model.agent_context import ContextBundle, context_of
from entente.players.protocol import Reply
from entente.players.seat_events import SeatEvent
from entente.press.mailbox import address, check_content
from entente.press.messages import MessageType

Wanted: TypeAlias = Literal["press", "orders"]
ActAtOnce: TypeAlias = Callable[[Bundle, Action], Awaitable[None]]
"""Keeps what the bundle's power does; raises NotWaiting when it comes too late."""


class SeatHandle:
    """One power's seat for one waking: what it may know, and what it can do.

    What comes through it when the phase is closed, or elsewhere than on the conductor's floor when `wake` has
    returned, is refused with NotWaiting.
    """

    def __init__(self, bundle: Bundle, act: Callable[[Action], Awaitable[None]]) -> None:
        self.bundle = bundle
        """All that the power may know, as it stood when it was woken."""
        self._act = act

    @property
    def power(self) -> Power:
        """Whose seat it is."""
        return self.bundle.power

    @property
    def phase(self) -> str:
        """The phase that press and orders are for."""
        return str(self.bundle.board.phase)

    @property
    def wants(self) -> frozenset[Wanted]:
        """What can be done now: `press`, `orders`, or on the conductor's floor both."""
        if self.bundle.wants_orders:
            return frozenset({"orders"})
        return frozenset({"press", "orders"} if self.bundle.is_open else {"press"})

    def context_bundle(self) -> ContextBundle:
        """The same bundle in the words of the interaction model, which JSON can carry."""
        return context_of(self.bundle)

    def board_state(self) -> Position:
        """What stands where, and whose it is: what everybody knows."""
        return self.bundle.board.position

    def my_possible_orders(self) -> Mapping[Location, tuple[Order, ...]]:
        """All legal orders of the power, by where its units stand."""
        return self.bundle.board.legal_orders[self.power]

    async def send_press(self, to: str, text: str) -> None:
        """Send a message to a power, or to ALL.

        Raises PressError when nobody can get it, NotWaiting when it comes too late; then it was sent to nobody.
        """
        if "press" not in self.wants:
            raise PressError(
                f"{self.power} wrote in {self.phase}, where orders alone are wanted; nobody got it."
            )
        recipient = address(to, sender=self.power, reachable=self.bundle.press_allowed)
        words = check_content(text)
        await self._act(SendMessage(recipient=recipient, message_type=MessageType.CHAT, content=words))

    async def submit_orders(self, orders: Iterable[Order | str]) -> tuple[LineVerdict, ...]:
        """The reader's answer to each line, in any notation; what could be used replaces all orders given before.

        A verdict is OK, REPAIRED or REJECTED, with its order and a note that says why. Raises NotWaiting when they
        come too late, or while press alone is wanted; then nothing was changed.
        """
        if "orders" not in self.wants:
            raise NotWaiting(
                f"{self.power} gave orders in {self.phase} while press was wanted; none were taken."
            )
        lines = tuple(map(str, orders))
        await self._act(SubmitOrders(orders=lines))
        return read_orders(self.bundle.board, self.power, lines).verdicts


@runtime_checkable
class Agent(Protocol):
    """A program that plays a power by being woken; it may hold what it likes, and loses it when the process ends."""

    async def wake(self, handle: SeatHandle, events: Sequence[SeatEvent], /) -> None:
        """Look, talk, order, in any order and as often as it likes, and return.

        `events` have reached the seat since it was woken last; there are none but on the conductor's floor. A game
        that is killed meanwhile wakes it again with the same events; what was kept of its actions by then stands, and
        is in `handle.bundle`. Whatever it raises pauses the game, or lets a stand-in play (`on_failure`).
        """
        ...


@dataclass(frozen=True, slots=True)
class AgentPlayer:
    """An agent in a seat."""

    agent: Agent
    act_at_once: ActAtOnce | None = None
    """Set by the conductor; None where a turn is kept as a whole."""

    async def take_turn(self, bundle: Bundle, /) -> Reply:
        """The agent's turn; the reply holds what is not kept yet."""
        turn = _Turn()
        is_kept_at_once = self.act_at_once is not None and bundle.is_open
        act = partial(self.act_at_once, bundle) if self.act_at_once and is_kept_at_once else turn.act
        try:
            await self.agent.wake(SeatHandle(bundle, act), _news(bundle))
        finally:
            turn.is_over = True
        return Reply(turn.actions)


@dataclass
class _Turn:
    """What an agent does, to be kept when its turn is over."""

    actions: list[Action] = field(default_factory=list[Action])
    is_over: bool = False

    async def act(self, action: Action) -> None:
        if self.is_over:
            raise NotWaiting("An agent acted when its turn was over; nothing was changed.")
        self.actions.append(action)


def _news(bundle: Bundle) -> tuple[SeatEvent, ...]:
    """What reached the seat since the power was asked last; empty on floors where nobody is woken."""
    if not bundle.history:
        return ()
    phase = bundle.history[-1]
    return (*(() if phase.turns else phase.opening), *phase.unread)
