"""Leases: which run may play a game. Two that did would each ask, and pay for, every model.

A lease is a row with a token and an expiry that its holder keeps moving. Whoever finds it expired,
or its holder dead, may put another token there; from then on every write of the old holder is
refused, because each transaction that writes looks for its own token first.

A lease belongs to one run, not to the process: to the context (`contextvars`) that has taken it and to
the tasks that were started there. So LangGraph's nodes and its saver write with the token of the run that
they are part of, and a second run of the same game in the same process is refused like any other.
"""

import asyncio
import logging
import time
import uuid
from collections.abc import AsyncGenerator, Callable, Generator
from contextlib import asynccontextmanager, contextmanager, suppress
from contextvars import ContextVar
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import partial
from typing import Any, NamedTuple, TypeAlias

from sqlalchemy import Connection, Row, delete, select, update

from checkpoints.damage import damaged, read_by
from checkpoints.database import Database, insert_if_new
from checkpoints.process import Process, is_alive
from checkpoints.tables import LEASES
from entente.errors import DamagedRow, GameHeld, LeaseLost, StoreUnavailable

_log = logging.getLogger(__name__)

TTL_SECONDS = 30.0
"""A holder that has not been heard of for so long is taken for dead."""

_LONGEST_SECONDS = 24 * 3600.0
"""No run takes a lease for longer: one that ends later was damaged, or is of a machine whose clock is wrong."""

_BEATS = 3
"""Heartbeats in that time: two may be lost."""


class Holder(NamedTuple):
    """Who holds a game, for people."""

    host: str
    pid: int
    command: str
    since: datetime


Standing: TypeAlias = Holder | DamagedRow
"""Who holds a game, or why that cannot be known."""


@dataclass(slots=True, eq=False)
class Hold:
    """One run's lease on one game."""

    game: str
    token: str
    run: object | None
    """What the steps of a run have in common that hold the game each for itself; None for a whole run."""
    count: int = 1
    """How many steps hold it; 0 once it is given back."""

    @contextmanager
    def here(self) -> Generator[None]:
        """Write with this lease in the running context; for a generator, whose steps may each run in another one."""
        _HOLDS.set((*_HOLDS.get(), self))
        try:
            yield
        finally:
            # Not by `ContextVar.reset`: what was entered in one context may be left in another.
            left = [*_HOLDS.get()]
            with suppress(ValueError):
                left.remove(self)
            _HOLDS.set(tuple(left))


_HOLDS: ContextVar[tuple[Hold, ...]] = ContextVar("leases of the running context", default=())


class Leases:
    """The leases of one process in one store."""

    def __init__(
        self,
        database: Database,
        process: Process,
        *,
        ttl_seconds: float = TTL_SECONDS,
        clock: Callable[[], float] = time.time,
    ) -> None:
        self._database = database
        self._ttl = ttl_seconds
        self._clock = clock
        self._process = process
        self._identity = (process.machine, process.pid, process.started)
        self._holds = set[Hold]()
        self._left_behind = set[str]()
        """Tokens that nobody writes with any more, whose rows could not be deleted."""
        self._entering = asyncio.Lock()

    @asynccontextmanager
    async def hold(self, game: str, *, run: object | None = None) -> AsyncGenerator[Hold]:
        """Hold the game in this context, again where it is held in it already; raises GameHeld, DamagedRow.

        Steps of one run that hold it each for itself, such as the nodes of a graph that was started by
        somebody else, name the same object as their `run`, and share a lease.
        """
        if outer := self.held(game):
            yield outer
            return
        async with self.hold_anew(game, run=run) as hold:
            yield hold

    @asynccontextmanager
    async def hold_anew(
        self, game: str, *, run: object | None = None, despite_damage: bool = False
    ) -> AsyncGenerator[Hold]:
        """As `hold`, but refused in a context that holds the game already.

        A lease that is damaged is taken over `despite_damage` alone.
        """
        hold = await self._enter(game, run, self._is_free_or_damaged if despite_damage else self._is_free)
        try:
            with hold.here():
                yield hold
        finally:
            await self._leave(hold)

    def held(self, game: str) -> Hold | None:
        """The running context's lease on the game, unless it was given back."""
        mine = (hold for hold in _HOLDS.get() if hold.game == game and hold in self._holds)
        return next((hold for hold in mine if hold.count), None)

    def token(self, game: str) -> str:
        """What this context's writes for the game must show; raises LeaseLost without a lease."""
        if hold := self.held(game):
            return hold.token
        raise lease_lost(game)

    def is_of_a_step(self, token: str) -> bool:
        """True for the lease of single steps of a run of this process, whose context between them has none."""
        return any(hold.token == token and hold.run is not None for hold in tuple(self._holds))

    def standing(self, connection: Connection, game: str) -> Row[Any] | None:
        """The row of the game's living holder, looked up in this transaction."""
        row = connection.execute(select(LEASES).where(LEASES.c.game == game)).one_or_none()
        return None if row is None or self._is_free(row) else row

    def end(self, connection: Connection, game: str) -> None:
        """Take the lease from a run of this process, in this transaction; raises GameHeld for that of another one."""
        row = self.standing(connection, game)
        if row is not None and (row.machine, row.pid, row.started) != self._identity:
            raise held_by(game, row)
        connection.execute(delete(LEASES).where(LEASES.c.game == game))

    async def holders(self) -> dict[str, Holder]:
        """Who lives and holds a game, by game."""
        return await self._database.read(self.living)

    def living(self, connection: Connection) -> dict[str, Holder]:
        """As `holders`, looked up in this transaction."""
        found = self.standings(connection)
        return {game: holder for game, holder in found.items() if isinstance(holder, Holder)}

    def standings(self, connection: Connection, game: str | None = None) -> dict[str, Standing]:
        """Every lease that keeps others from this game, or from any, by game, those that are damaged among them."""
        found: dict[str, Standing] = {}
        wanted = select(LEASES) if game is None else select(LEASES).where(LEASES.c.game == game)
        for row in connection.execute(wanted):
            try:
                if not self._is_free(row):
                    found[row.game] = _holder(row)
            except DamagedRow as error:
                found[row.game] = error
        return found

    async def beat(self) -> None:
        """Move the expiry of every lease of this process; one that was taken stays as it is."""
        tokens = [hold.token for hold in self._holds]
        if tokens:
            await self._database.write(partial(_renew, tokens=tokens, expires_at=self._expiry()))

    @asynccontextmanager
    async def beating(self) -> AsyncGenerator[None]:
        """Beat as long as the block lasts."""
        heart = asyncio.create_task(self._beat_forever(), name="lease heartbeat")
        try:
            yield
        finally:
            heart.cancel()
            # Gathered, so that a cancellation that comes for the caller at this moment is not taken for the heart's.
            await asyncio.gather(heart, return_exceptions=True)

    async def _beat_forever(self) -> None:
        while True:
            await asyncio.sleep(self._ttl / _BEATS)
            try:
                await self.beat()
            except StoreUnavailable as error:
                # The next journal write meets the same trouble and ends the game; until then we try.
                _log.warning("A heartbeat failed and will be tried again: %s", error)

    async def _enter(self, game: str, run: object | None, is_free: "_IsFree") -> Hold:
        async with self._entering:  # two steps of a run that come at once share what the first is given
            same = (hold for hold in self._holds if hold.count and hold.game == game and hold.run is run)
            if run is not None and (hold := next(same, None)):
                hold.count += 1
                return hold
            hold = Hold(game, str(uuid.uuid4()), run)
            # Before its row is there, which other steps of the run may come upon at once.
            self._holds.add(hold)
            try:
                await self._acquire(hold, is_free)
            except BaseException:
                self._holds.discard(hold)
                raise
            return hold

    async def _leave(self, hold: Hold) -> None:
        hold.count -= 1
        if hold.count:
            return
        try:
            await self._database.write(partial(_release, token=hold.token))
        except StoreUnavailable:  # for others it expires by itself
            self._left_behind.add(hold.token)
        finally:
            self._holds.discard(hold)  # now only: until then its row stands

    async def _acquire(self, hold: Hold, is_free: "_IsFree") -> None:
        now = self._clock()
        row = {
            "game": hold.game,
            "token": hold.token,
            "acquired_at": now,
            "expires_at": now + self._ttl,
            **self._process._asdict(),
        }
        try:
            standing = await self._database.write(partial(_take, row=row, is_free=is_free))
        except asyncio.CancelledError:
            await self._database.write(partial(_release, token=hold.token))
            raise
        if standing is not None:
            raise held_by(hold.game, standing)

    def _expiry(self) -> float:
        return self._clock() + self._ttl

    def _is_free(self, row: Row[Any]) -> bool:
        """True for a lease that may be taken; raises DamagedRow for one that says nothing of that."""
        if row.token in self._left_behind:
            return True
        is_ours = (row.machine, row.pid, row.started) == self._identity  # the system need not be asked
        if row.machine == self._process.machine and not is_ours and not is_alive(row.pid, row.started):
            return True
        return _seconds_left(row, self._clock()) <= 0

    def _is_free_or_damaged(self, row: Row[Any]) -> bool:
        try:
            return self._is_free(row)
        except DamagedRow:
            return True


_IsFree: TypeAlias = Callable[[Row[Any]], bool]

_HELD = (
    "Game {game} is being played by {holder.command!r} (process {holder.pid} on {holder.host},"
    " since {holder.since:%Y-%m-%d %H:%M:%S} UTC); it was left alone."
)


def held_by(game: str, row: Row[Any]) -> GameHeld:
    """The error that names the holder of a game, from its row."""
    return GameHeld(_HELD.format(game=game, holder=_holder(row)))


def lease_lost(game: str) -> LeaseLost:
    """The error for a run that writes without its lease."""
    return LeaseLost(
        f"Game {game} is not, or no longer, held by this run, so nothing was written;"
        " another run may have taken it over."
    )


@read_by(LEASES)
def _seconds_left(row: Row[Any], now: float) -> float:
    left = row.expires_at - now
    if not left < _LONGEST_SECONDS:  # also what is no number at all
        raise damaged(
            LEASES, row, f"it holds the game longer than any run does, for {row.command!r} on {row.host}"
        )
    return left


@read_by(LEASES)
def _holder(row: Row[Any]) -> Holder:
    return Holder(row.host, row.pid, row.command, datetime.fromtimestamp(row.acquired_at, UTC))


def _renew(connection: Connection, *, tokens: list[str], expires_at: float) -> None:
    connection.execute(update(LEASES).where(LEASES.c.token.in_(tokens)).values(expires_at=expires_at))


def _release(connection: Connection, *, token: str) -> None:
    connection.execute(delete(LEASES).where(LEASES.c.token == token))


def _take(connection: Connection, *, row: dict[str, Any], is_free: _IsFree) -> Row[Any] | None:
    """Put the row where none is, or in the place of one that is free; otherwise the one that stands."""
    mine = LEASES.c.game == row["game"]
    while connection.execute(insert_if_new(connection.dialect.name, LEASES).values(row)).rowcount == 0:
        standing = connection.execute(select(LEASES).where(mine).with_for_update()).one_or_none()
        if standing is None:  # given back in this very moment
            continue
        if not is_free(standing):
            return standing
        connection.execute(update(LEASES).where(mine).values(row))
        break
    return None
