"""Leases: which process may play a game. Two that did would each ask, and pay for, every model.

A lease is a row with a token and an expiry that its holder keeps moving. Whoever finds it expired,
or its holder dead, may put another token there; from then on every write of the old holder is
refused, because each of the journal's transactions looks for its own token first.
"""

import asyncio
import logging
import time
import uuid
from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import partial
from typing import Any, NamedTuple

from sqlalchemy import Connection, Row, delete, select, update

from checkpoints.database import Database, insert_if_new
from checkpoints.process import Process, is_alive
from checkpoints.tables import LEASES
from entente.errors import GameHeld, LeaseLost, StoreUnavailable

_log = logging.getLogger(__name__)

TTL_SECONDS = 30.0
"""A holder that has not been heard of for so long is taken for dead."""

HEARTBEAT_SECONDS = 10.0
"""Two heartbeats may be lost before that."""


class Holder(NamedTuple):
    """Who holds a game, for people."""

    host: str
    pid: int
    command: str
    since: datetime


@dataclass(slots=True)
class _Held:
    """A lease in this process, held `count` times."""

    token: str
    count: int = 1
    lost: asyncio.Event = field(default_factory=asyncio.Event)


class Leases:
    """The leases of one process in one store."""

    def __init__(
        self,
        database: Database,
        process: Process,
        *,
        ttl_seconds: float = TTL_SECONDS,
        heartbeat_seconds: float = HEARTBEAT_SECONDS,
        clock: Callable[[], float] = time.time,
    ) -> None:
        self._database = database
        self._ttl = ttl_seconds
        self._heartbeat = heartbeat_seconds
        self._clock = clock
        self._process = process
        self._held: dict[str, _Held] = {}
        self._changing = asyncio.Lock()

    @asynccontextmanager
    async def hold(self, game: str) -> AsyncGenerator[None]:
        """Hold the game, again if this process holds it already; raises GameHeld, LeaseLost."""
        await self._enter(game)
        try:
            yield
        finally:
            await self._leave(game)

    def token(self, game: str) -> str:
        """What this process's writes for the game must show; raises LeaseLost without a lease."""
        held = self._held.get(game)
        if held is None or held.lost.is_set():
            raise LeaseLost(_LOST.format(game=game))
        return held.token

    def lost(self, game: str) -> asyncio.Event:
        """Set once another process has taken over the game that this one is holding."""
        return self._held[game].lost

    def note_lost(self, game: str) -> LeaseLost:
        """Remember that a write found another's token; the error to raise for it."""
        if held := self._held.get(game):
            held.lost.set()
        return LeaseLost(_LOST.format(game=game))

    def is_held_here(self, game: str) -> bool:
        """True while this process holds the game."""
        return game in self._held

    async def holders(self) -> dict[str, Holder]:
        """Who lives and holds a game, by game."""
        rows = await self._database.read(partial(_live_rows, is_free=self._is_free))
        return {row.game: _holder(row) for row in rows}

    async def beat(self) -> None:
        """Move the expiry of every lease held here, and notice those that were taken."""
        mine = {held.token: game for game, held in self._held.items()}
        if not mine:
            return
        kept = await self._database.write(partial(_renew, tokens=list(mine), expires_at=self._expiry()))
        for token in mine.keys() - kept:
            held = self._held.get(mine[token])
            if held is not None and held.token == token:
                self.note_lost(mine[token])

    @asynccontextmanager
    async def beating(self) -> AsyncGenerator[None]:
        """Beat as long as the block lasts."""
        heart = asyncio.create_task(self._beat_forever(), name="lease heartbeat")
        try:
            yield
        finally:
            heart.cancel()
            with suppress(asyncio.CancelledError):
                await heart

    async def _beat_forever(self) -> None:
        while True:
            await asyncio.sleep(self._heartbeat)
            try:
                await self.beat()
            except StoreUnavailable as error:
                # The next journal write meets the same trouble and ends the game; until then we try.
                _log.warning("A heartbeat failed and will be tried again: %s", error)

    async def _enter(self, game: str) -> None:
        async with self._changing:
            held = self._held.get(game)
            if held is None:
                self._held[game] = _Held(await self._acquire(game))
                return
            self.token(game)
            held.count += 1

    async def _leave(self, game: str) -> None:
        held = self._held[game]
        held.count -= 1
        async with self._changing:
            if held.count or self._held.get(game) is not held:
                return
            del self._held[game]
            # A lease that cannot be given back now expires by itself.
            with suppress(StoreUnavailable):
                await self._database.write(partial(_release, token=held.token))

    async def _acquire(self, game: str) -> str:
        token = str(uuid.uuid4())
        now = self._clock()
        row = {
            "game": game,
            "token": token,
            "acquired_at": now,
            "expires_at": now + self._ttl,
            **self._process._asdict(),
        }
        try:
            standing = await self._database.write(partial(_take, row=row, is_free=self._is_free))
        except asyncio.CancelledError:
            await self._database.write(partial(_release, token=token))
            raise
        if standing is not None:
            raise held_by(game, _holder(standing))
        return token

    def _expiry(self) -> float:
        return self._clock() + self._ttl

    def _is_free(self, row: Row[Any]) -> bool:
        if row.expires_at <= self._clock():
            return True
        return row.machine == self._process.machine and not is_alive(row.pid, row.started)


_LOST = (
    "Game {game} is not, or no longer, held by this process, so nothing was written;"
    " another process may have taken it over."
)
_HELD = (
    "Game {game} is being played by {holder.command!r} (process {holder.pid} on {holder.host},"
    " since {holder.since:%Y-%m-%d %H:%M:%S} UTC); it was left alone."
)


def held_by(game: str, holder: Holder) -> GameHeld:
    """The error that names the holder of a game."""
    return GameHeld(_HELD.format(game=game, holder=holder))


def _holder(row: Row[Any]) -> Holder:
    return Holder(row.host, row.pid, row.command, datetime.fromtimestamp(row.acquired_at, UTC))


def _live_rows(connection: Connection, *, is_free: Callable[[Row[Any]], bool]) -> list[Row[Any]]:
    return [row for row in connection.execute(select(LEASES)) if not is_free(row)]


def _renew(connection: Connection, *, tokens: list[str], expires_at: float) -> set[str]:
    moved = update(LEASES).where(LEASES.c.token.in_(tokens)).values(expires_at=expires_at)
    return set(connection.scalars(moved.returning(LEASES.c.token)))


def _release(connection: Connection, *, token: str) -> None:
    connection.execute(delete(LEASES).where(LEASES.c.token == token))


def _take(
    connection: Connection, *, row: dict[str, Any], is_free: Callable[[Row[Any]], bool]
) -> Row[Any] | None:
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
