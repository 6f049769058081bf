"""The journal: every turn, phase and segment of every game, and the only truth about press.

A turn is committed before anybody hears of it, under a key that stays the same when a killed game
is resumed. Whoever commits a key again is given what is stored, so no model is asked twice.
"""

import asyncio
import time
from collections.abc import AsyncIterator, Callable, Generator, Iterable, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from typing import Generic, TypeAlias, TypeVar

from cachetools import LRUCache
from pydantic import JsonValue
from pydantic_core import to_json
from sqlalchemy import Connection, Executable, update

from checkpoints.database import Database
from checkpoints.lease import Leases, lease_lost
from checkpoints.rows import (
    RowValues,
    chain,
    message_rows,
    phase_record,
    phase_row,
    segment_record,
    segment_row,
    turn_record,
    turn_records,
    turn_row,
)
from checkpoints.statements import FENCE_GAME, FENCE_TOKEN, Statements
from checkpoints.tables import GAMES
from entente.board.types import Power
from entente.players.record import PhaseRecord, Segment, TurnRecord

Committed: TypeAlias = TurnRecord | PhaseRecord
"""What subscribers hear of."""

_PHASES_KEPT = 64
"""A phase never changes, and each of the next one's rounds asks for it again."""
_SEGMENTS_KEPT = 128

T = TypeVar("T")
R = TypeVar("R", bound=Committed, covariant=True)


class _NoLease(Exception):
    """The fence did not find the token of this run; never leaves this module."""


class _Stored(Generic[R]):
    """A record as the journal has it, and whether it came to be there only now."""

    __slots__ = ("is_new", "record")

    def __init__(self, record: R, *, is_new: bool) -> None:
        self.record = record
        self.is_new = is_new


class Journal:
    """Reads and writes; every write raises LeaseLost unless the running context holds the game."""

    def __init__(self, database: Database, leases: Leases, *, clock: Callable[[], float] = time.time) -> None:
        self._database = database
        self._leases = leases
        self._clock = clock
        self._sql = Statements(database.dialect)
        self._phases_read = LRUCache[tuple[str, str], PhaseRecord](_PHASES_KEPT)
        self._segments_read = LRUCache[tuple[str, str], list[TurnRecord]](_SEGMENTS_KEPT)
        self._subscribers: dict[asyncio.Queue[Committed | None], str | None] = {}

    async def create_game(
        self, game: str, *, settings: Mapping[str, JsonValue], forked_from: str | None = None
    ) -> None:
        """Enter the game into the list, once; a game that is there stays as it is."""
        row = {
            "game": game,
            "created_at": self._clock(),
            "settings": to_json(dict(settings)).decode(),
            "phase": "",
            "status": "playing",
            "forked_from": forked_from,
        }
        await self._write(game, partial(self._insert, self._sql.game, row))

    async def set_settings(self, game: str, settings: Mapping[str, JsonValue]) -> None:
        """Put other settings in place of those that the game was entered into the list with."""

        def work(connection: Connection, fence: RowValues) -> None:
            self._check_fence(connection, fence)
            changed = (
                update(GAMES).where(GAMES.c.game == game).values(settings=to_json(dict(settings)).decode())
            )
            connection.execute(changed)

        await self._write(game, work)

    async def set_progress(self, game: str, *, phase: str, status: str) -> None:
        """Note for lists where the game stands: `playing`, `paused`, `waiting` or `finished`."""

        def work(connection: Connection, fence: RowValues) -> None:
            self._check_fence(connection, fence)
            connection.execute(self._sql.progress, {"of": game, "phase": phase, "status": status})

        await self._write(game, work)

    async def open_segment(self, segment: Segment) -> bool:
        """Keep the segment, once; it must stand before its first turn does. True when it was not there before."""
        return await self._write(segment.game, partial(self._insert, self._sql.segment, segment_row(segment)))

    async def keep_reply(self, segment: Segment, digest: str, body: str) -> None:
        """Keep what came of a model's call before the turn that it belongs to is finished."""
        row = {"game": segment.game, "segment": segment.id, "digest": digest, "body": body}
        await self._write(segment.game, partial(self._insert, self._sql.reply, row))

    async def replies(self, segment: Segment) -> dict[str, str]:
        """What was kept so in the segment, by its digest."""
        parameters = {"game": segment.game, "segment": segment.id}
        rows = await self._database.read(lambda c: c.execute(self._sql.replies, parameters).all())
        return {row.digest: row.body for row in rows}

    async def commit_turn(self, turn: TurnRecord) -> TurnRecord:
        """The turn as it is stored: this one, or the one that was committed under its key before."""
        return (await self.commit_turns([turn]))[0]

    async def commit_turns(self, turns: Sequence[TurnRecord]) -> list[TurnRecord]:
        """Turns of one game as they are stored, like `commit_turn` each: all of them are kept, or none."""

        def work(connection: Connection, fence: RowValues) -> list[_Stored[TurnRecord]]:
            return [self._put_turn(turn, connection, fence) for turn in turns]

        def publish(stored: list[_Stored[TurnRecord]]) -> None:
            for each in stored:
                self._publish(each)

        stored = await self._write(turns[0].game, work, publish) if turns else []
        return [each.record for each in stored]

    async def commit_phase(self, phase: PhaseRecord, leads_to: str) -> PhaseRecord:
        """The phase as it is stored: this one, or the one that was committed under its id before.

        `leads_to` is the phase at which the game stands then, for lists.
        """

        def work(connection: Connection, fence: RowValues) -> _Stored[PhaseRecord]:
            stored = self._put_phase(phase, connection, fence)
            connection.execute(self._sql.progress, {"of": phase.game, "phase": leads_to, "status": "playing"})
            return stored

        stored = await self._write(phase.game, work, self._publish)
        return self._remember(stored.record)

    async def turns(self, game: str, segments: Sequence[str]) -> list[TurnRecord]:
        """The turns of these segments, in the segments' order, then as they were woken, or by name and number."""
        parameters = {"game": game, "segments": list(segments)}

        def work(connection: Connection) -> list[TurnRecord]:
            rows = connection.execute(self._sql.turns, parameters).all()
            return turn_records(rows, connection.execute(self._sql.messages_of, parameters))

        place = {segment: position for position, segment in enumerate(segments)}
        found = await self._database.read(work)
        return sorted(found, key=lambda turn: (place[turn.segment], *_place(turn)))

    async def phase(self, game: str, id: str) -> PhaseRecord | None:  # noqa: A002 - the record's own word
        """The phase of this id, None if there is none."""
        if (game, id) in self._phases_read:
            return self._phases_read[game, id]
        parameters = {"game": game, "id": id}
        row = await self._database.read(lambda c: c.execute(self._sql.phase_by_id, parameters).one_or_none())
        return None if row is None else self._remember(phase_record(row))

    async def turns_of(self, phase: PhaseRecord) -> list[TurnRecord]:
        """An adjudicated phase's turns, as `turns` gives them."""
        return await self.turns_over(phase.game, phase.segments)

    async def turns_over(self, game: str, segments: Sequence[str]) -> list[TurnRecord]:
        """As `turns`, of segments that are over: they never change, so that the latest are kept at hand."""
        known = {
            segment: self._segments_read[game, segment]
            for segment in segments
            if (game, segment) in self._segments_read
        }
        missing = {segment: list[TurnRecord]() for segment in segments if segment not in known}
        if missing:
            for turn in await self.turns(game, [*missing]):
                missing[turn.segment].append(turn)
            for segment, turns in missing.items():
                self._segments_read[game, segment] = turns
        found = known | missing
        return [turn for segment in segments for turn in found[segment]]

    def close_segment(self, segment: Segment, turns: Iterable[TurnRecord]) -> None:
        """Keep the turns of a segment that is over at hand, as they were committed; they must be all that it has."""
        self._segments_read[segment.game, segment.id] = sorted(turns, key=_place)

    async def phases(self, game: str, head: str | None) -> list[PhaseRecord]:
        """The chain from the first phase to `head`; empty for None; raises UnknownPhase."""
        rows = await self._database.read(lambda c: c.execute(self._sql.phases, {"game": game}).all())
        return [phase_record(row) for row in chain({row.id: row for row in rows}, head)]

    async def latest_segments(self, game: str) -> list[Segment]:
        """The segments that were opened last, latest first; more than one step of a phase ever has."""
        rows = await self._database.read(lambda c: c.execute(self._sql.latest_segments, {"game": game}).all())
        return [segment_record(row) for row in rows]

    async def settings(self, game: str) -> str | None:
        """The game's settings as JSON; None for a game that is not in the list."""
        return await self._database.read(lambda c: c.scalar(self._sql.settings, {"game": game}))

    async def segments(self, game: str) -> list[Segment]:
        """Every segment of the game, also of futures that were abandoned, as they were opened."""
        rows = await self._database.read(lambda c: c.execute(self._sql.segments, {"game": game}).all())
        return [segment_record(row) for row in rows]

    @contextmanager
    def subscribe(self, game: str | None = None) -> Generator[AsyncIterator[Committed]]:
        """What this process commits from now on, of one game or of all, in the order of the commits.

        Only what was new is told, and only after its commit. The iterator ends when the store closes.
        """
        queue: asyncio.Queue[Committed | None] = asyncio.Queue()
        self._subscribers[queue] = game
        try:
            yield _until_none(queue)
        finally:
            del self._subscribers[queue]

    def close(self) -> None:
        """End every subscription."""
        for queue in self._subscribers:
            queue.put_nowait(None)

    async def _write(
        self,
        game: str,
        work: Callable[[Connection, RowValues], T],
        done: Callable[[T], None] | None = None,
    ) -> T:
        fence = {FENCE_GAME: game, FENCE_TOKEN: self._leases.token(game)}
        try:
            return await self._database.write(lambda connection: work(connection, fence), done)
        except _NoLease:
            raise lease_lost(game) from None

    def _remember(self, phase: PhaseRecord) -> PhaseRecord:
        self._phases_read[phase.game, phase.id] = phase
        return phase

    def _publish(self, stored: _Stored[Committed]) -> None:
        if not stored.is_new:
            return
        for queue, game in self._subscribers.items():
            if game is None or game == stored.record.game:
                queue.put_nowait(stored.record)

    def _put_turn(self, turn: TurnRecord, connection: Connection, fence: RowValues) -> _Stored[TurnRecord]:
        row = turn_row(turn)
        if not self._insert(self._sql.turn, row, connection, fence):
            return _Stored(self._stored_turn(connection, row), is_new=False)
        if turn.messages:
            connection.execute(self._sql.messages, message_rows(turn))
        return _Stored(turn, is_new=True)

    def _stored_turn(self, connection: Connection, key: RowValues) -> TurnRecord:
        row = connection.execute(self._sql.turn_by_key, key).one()
        return turn_record(row, connection.execute(self._sql.messages_by_key, key))

    def _put_phase(
        self, phase: PhaseRecord, connection: Connection, fence: RowValues
    ) -> _Stored[PhaseRecord]:
        row = phase_row(phase)
        if self._insert(self._sql.phase, row, connection, fence):
            return _Stored(phase, is_new=True)
        stored = connection.execute(self._sql.phase_by_id, {"game": phase.game, "id": phase.id}).one()
        return _Stored(phase_record(stored), is_new=False)

    def _insert(
        self, statement: Executable, row: RowValues, connection: Connection, fence: RowValues
    ) -> bool:
        """True when the row is new, False when its key was taken; raises _NoLease."""
        parameters = {f"new_{column}": value for column, value in row.items()} | fence
        if connection.execute(statement, parameters).rowcount:
            return True
        self._check_fence(connection, fence)
        return False

    def _check_fence(self, connection: Connection, fence: RowValues) -> None:
        if connection.execute(self._sql.fence, fence).one_or_none() is None:
            raise _NoLease


def _place(turn: TurnRecord) -> tuple[int, Power, int]:
    """Where it stands in its segment: as it was woken, or by name and number."""
    return (turn.waking.position if turn.waking else 0, turn.power, turn.number)


async def _until_none(queue: asyncio.Queue[Committed | None]) -> AsyncIterator[Committed]:
    while (record := await queue.get()) is not None:
        yield record
