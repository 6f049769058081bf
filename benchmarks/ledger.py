"""Where the CPU time of a game goes: engine, players, and the rest, which is graph, journal and checkpoints.

The clock of the thread is read at the two seams, and what the engine takes inside a player's turn is the
engine's. Journal and savers work in threads of their own, so the rest is the process's time less both.
"""

import time
from collections.abc import Callable, Generator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cached_property, wraps
from typing import Any, ParamSpec, TypeVar, cast

from entente.board.engine import Board
from entente.players.bundle import Bundle
from entente.players.protocol import Player, Reply
from entente.players.roster import make_player
from entente.players.seating import Chair


@dataclass
class Span:
    """CPU seconds of the whole process."""

    seconds: float = 0.0


@contextmanager
def process_seconds() -> Generator[Span]:
    """What all threads together take while the block lasts; known when it ends."""
    span, began = Span(), time.process_time()
    yield span
    span.seconds = time.process_time() - began


P = ParamSpec("P")
T = TypeVar("T")

ENGINE = ("adjudicate", "restore", "snapshot", "legal_orders", "builds")
"""What of a `Board` is counted as the engine's."""


@dataclass
class Ledger:
    """Seconds of CPU and calls, by account; nested time is the inner account's."""

    seconds: dict[str, float] = field(default_factory=dict[str, float])
    calls: dict[str, int] = field(default_factory=dict[str, int])
    _inner: list[float] = field(default_factory=list[float])

    @contextmanager
    def on(self, account: str) -> Generator[None]:
        """Book the block's time."""
        self._inner.append(0.0)
        began = time.thread_time()
        try:
            yield
        finally:
            taken = time.thread_time() - began
            own = taken - self._inner.pop()
            if self._inner:
                self._inner[-1] += taken
            self.seconds[account] = self.seconds.get(account, 0.0) + own
            self.calls[account] = self.calls.get(account, 0) + 1

    def booked(self, account: str, function: Callable[P, T]) -> Callable[P, T]:
        """The function, with its time booked."""

        @wraps(function)
        def timed(*args: P.args, **kwargs: P.kwargs) -> T:
            with self.on(account):
                return function(*args, **kwargs)

        return timed

    @contextmanager
    def over_the_engine(self) -> Generator[None]:
        """Book what boards take, as long as the block lasts."""
        before: dict[str, Any] = {name: vars(Board)[name] for name in ENGINE}
        for name, found in before.items():
            setattr(Board, name, self._of_the_engine(name, found))
        try:
            yield
        finally:
            for name, found in before.items():
                setattr(Board, name, found)

    def _of_the_engine(self, name: str, found: Any) -> Any:
        if isinstance(found, classmethod):
            return classmethod(self.booked("engine", cast("Any", found).__func__))
        if isinstance(found, cached_property):
            booked = cached_property(self.booked("engine", cast("Any", found).func))
            booked.__set_name__(Board, name)
            return booked
        return self.booked("engine", found)

    def seat(self, chair: Chair) -> Player:
        """The roster's player, with its turns booked."""
        return _Booked(make_player(chair.player), self)


@dataclass(frozen=True)
class _Booked:
    player: Player
    ledger: Ledger

    async def take_turn(self, bundle: Bundle, /) -> Reply:
        """As the player does; no scripted player waits for anything, so the time is its own."""
        with self.ledger.on("players"):
            return await self.player.take_turn(bundle)
