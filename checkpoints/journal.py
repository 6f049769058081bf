"""The journal: every turn, phase and segment of every game, and the only truth about press.

A turn is committed before anybody hears of it, under a key that stays the same when a killed game
is resumed. Whoever commits a key again is given what is stored, so no model is asked twice.
"""

import time
from collections.abc import AsyncGenerator, Callable, Generator, Iterable, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from typing import TypeVar

from cachetools import LRUCache
from pydantic import JsonValue
from pydantic_core import to_json
from sqlalchemy import Connection, Executable

from checkpoints.commit_order import newest_number
from checkpoints.damage import damaged, in_a_circle, missing
from checkpoints.database import Database
from checkpoints.early import EarlyAnswer, mark_taken
from checkpoints.ids import check_id
from checkpoints.lease import Leases, lease_lost
from checkpoints.listed import check_listed
from checkpoints.pages import PAGE, Page, page_after
from checkpoints.rows import (
    RowValues,
    chain,
    game_settings,
    kept_reply,
    message_rows,
    phase_record,
    phase_row,
    prompt_part,
    segment_record,
    segment_row,
    turn_record,
    turn_records,
    turn_row,
)
from checkpoints.sql import FENCE_GAME, FENCE_TOKEN, LATEST, LATEST_SEGMENTS, statements_of
from checkpoints.tables import PHASES, TURNS
from entente.board.types import Power
from entente.caches import GAMES, GameCache
from entente.models.wire import PromptPart
from entente.players.record import PhaseRecord, Segment, TurnRecord
from graph.context import GameSettings

_PHASES_KEPT = 16
"""A phase never changes, and each step of the next two years asks for it again (`entente/floors/past_press.py`)."""
_SEGMENTS_KEPT = 4
_SETTINGS_KEPT = 2 * GAMES
"""Each step of a game asks for its settings."""

T = TypeVar("T")
R = TypeVar("R", TurnRecord, PhaseRecord)


class _NoLease(Exception):
    """The fence did not find the token of this run; never leaves this module."""


class Journal:
    """Reads and writes; every write raises LeaseLost unless the running context holds the game.

    Every read raises DamagedRow for a row that cannot be read, or that another one needs and that is missing.
    """

    def __init__(self, database: Database, leases: Leases, *, clock: Callable[[], float] = time.time) -> None:
        self._database = database
        self._leases = leases
        self._clock = clock
        self._sql = statements_of(database.dialect)
        self._phases_read = GameCache[PhaseRecord](_PHASES_KEPT)
        self._settings_read = LRUCache[str, GameSettings](_SETTINGS_KEPT)
        self._segments_read = GameCache[list[TurnRecord]](_SEGMENTS_KEPT)

    async def create_game(
        self, game: str, *, settings: Mapping[str, JsonValue], forked_from: str | None = None
    ) -> None:
        """Enter the game into the list, once; a game that is there stays as it is. Raises SettingsError for its id."""
        row = {
            "game": check_id(game),
            "created_at": self._clock(),
            "settings": to_json(dict(settings)).decode(),
            "phase": "",
            "status": "playing",
            "forked_from": forked_from,
            "name": None,
            "note": None,
        }

        def work(connection: Connection, fence: RowValues, number: int) -> None:
            self._insert(self._sql.game, row | {"sequence": number}, connection, fence)

        await self._commit(game, 1, work)

    async def set_settings(self, game: str, settings: Mapping[str, JsonValue]) -> None:
        """Put other settings in place of those that the game was entered into the list with."""
        await self._change(game, self._sql.set_settings, settings=to_json(dict(settings)).decode())

    async def set_progress(self, game: str, *, phase: str, status: str) -> None:
        """Note for lists where the game stands: `playing`, `paused`, `waiting` or `finished`."""
        await self._change(game, self._sql.progress, phase=phase, status=status)

    async def open_segment(self, segment: Segment) -> bool:
        """Keep the segment, once; it must stand before its first turn does. True when it was not there before.

        Raises StoreUnavailable where there is no room for what its players may say.
        It is a change of the game's row in the order of commits: the step before it is over, and who waits is woken.
        """

        def work(connection: Connection, fence: RowValues, number: int) -> bool:
            self._database.check_room()
            is_new = self._insert(self._sql.segment, segment_row(segment), connection, fence)
            connection.execute(self._sql.went_on, {"of": segment.game, "number": number})
            return is_new

        return await self._commit(segment.game, 1, work)

    async def keep_reply(self, segment: Segment, digest: str, body: str) -> None:
        """Keep what came of a model's call before the turn that it belongs to is finished."""
        row = {"game": segment.game, "segment": segment.id, "digest": digest, "body": body}
        await self._write(segment.game, partial(self._insert, self._sql.reply, row))

    async def replies(self, segment: Segment) -> dict[str, str]:
        """What was kept so in the segment, by its digest."""
        parameters = {"game": segment.game, "segment": segment.id}
        rows = await self._database.read(lambda c: c.execute(self._sql.replies, parameters).all())
        return {row.digest: kept_reply(row) for row in rows}

    async def prompt_parts(self, game: str) -> dict[str, PromptPart]:
        """The parts of all prompts that were sent in the game, by their digests (`entente.models.sent`)."""
        rows = await self._database.read(lambda c: c.execute(self._sql.prompts, {"game": game}).all())
        return {row.digest: prompt_part(row) for row in rows}

    async def commit_turn(self, turn: TurnRecord) -> TurnRecord:
        """The turn as it is stored: this one, or the one that was committed under its key before."""
        return (await self.commit_turns([turn]))[0]

    async def commit_turns(
        self, turns: Sequence[TurnRecord], early: EarlyAnswer | None = None
    ) -> list[TurnRecord]:
        """Turns of one game as they are stored, like `commit_turn` each: all of them are kept, or none.

        An `early` answer that they come of is taken with them.
        """

        def work(connection: Connection, fence: RowValues, number: int) -> list[TurnRecord]:
            numbered = (self._stamped(turn, place) for place, turn in enumerate(turns, number))
            stored = [self._put_turn(turn, connection, fence) for turn in numbered]
            if early is not None:
                mark_taken(connection, early)
            return stored

        return await self._commit(turns[0].game, len(turns), work) if turns else []

    async def commit_phase(self, phase: PhaseRecord, leads_to: str) -> PhaseRecord:
        """The phase as it is stored: this one, or the one that was committed under its id before.

        `leads_to` is the phase at which the game stands then, for lists.
        """

        def work(connection: Connection, fence: RowValues, number: int) -> PhaseRecord:
            stored = self._put_phase(self._stamped(phase, number), connection, fence)
            progress = {"of": phase.game, "phase": leads_to, "status": "playing", "number": number}
            connection.execute(self._sql.progress, progress)
            return stored

        return self._remember(await self._commit(phase.game, 1, work))

    async def newest(self) -> int:
        """The latest number in the order of commits; 0 in a new store."""
        return await self._database.read(newest_number)

    async def records_after(self, game: str | None, sequence: int, limit: int = PAGE) -> Page:
        """What was committed after this number in a game, or in all, in the order of the commits.

        Nothing is ever committed below a number that was read, so that whoever goes on after the page's own
        `sequence` sees every record once. Futures that were abandoned are among them.
        """
        return await self._database.read(lambda connection: page_after(connection, game, sequence, limit))

    async def turns(self, game: str, segments: Sequence[str]) -> list[TurnRecord]:
        """The turns of these segments, in the segments' order, then as they were woken, or by name and number."""
        parameters = {"game": game, "segments": list(segments)}
        place = {segment: position for position, segment in enumerate(segments)}

        def work(connection: Connection) -> list[TurnRecord]:
            rows = connection.execute(self._sql.turns, parameters).all()
            if strange := next((row for row in rows if row.segment not in place), None):
                raise damaged(TURNS, strange, "the file's index has it in another segment")
            return turn_records(rows, connection.execute(self._sql.messages_of, parameters))

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
        """The chain from the first phase to `head`; empty for None."""
        rows = await self._database.read(lambda c: c.execute(self._sql.phases, {"game": game}).all())
        return [phase_record(row) for row in chain(game, {row.id: row for row in rows}, head)]

    async def phases_back(self, game: str, head: str | None) -> AsyncGenerator[PhaseRecord]:
        """The same chain from `head` back to the first phase, read one by one."""
        seen, after = set[str](), "the game's state"
        while head is not None:
            if head in seen:
                raise in_a_circle(game, head)
            record = await self.phase(game, head)
            if record is None:
                raise missing(PHASES, game, head, after)
            yield record
            seen.add(head)
            head, after = record.parent, f"the phase {head}"

    async def latest_segments(self, game: str, limit: int = LATEST) -> list[Segment]:
        """The segments that were opened last, latest first; if not told otherwise, more than a step of a phase has."""
        parameters = {"game": game, "limit": limit}
        rows = await self._database.read(lambda c: c.execute(LATEST_SEGMENTS, parameters).all())
        return [segment_record(row) for row in rows]

    async def settings(self, game: str) -> tuple[GameSettings | None, bool]:
        """The game's settings, and whether it is trusted (`is_trusted`); None for a game that is not in the list.

        Raises DamagedRow for whatever is wrong with the game's row, so that no run writes over it.
        """
        row = await self._database.read(lambda c: c.execute(self._sql.settings, {"game": game}).one_or_none())
        if row is None:
            return None, True
        check_listed(row)
        if row.settings not in self._settings_read:
            self._settings_read[row.settings] = game_settings(row)
        return self._settings_read[row.settings], not row.is_untrusted

    async def is_trusted(self, game: str) -> bool:
        """False for a game of somebody's file that nobody has confirmed, and for its forks."""
        untrusted = await self._database.read(lambda c: c.scalar(self._sql.untrusted, {"game": game}))
        return untrusted is None

    async def segments(self, game: str) -> list[Segment]:
        """Every segment of the game, also of futures that were abandoned, as they were opened."""
        rows = await self._database.read(lambda c: c.execute(self._sql.segments, {"game": game}).all())
        return [segment_record(row) for row in rows]

    async def wait_after(self, game: str | None, sequence: int) -> None:
        """Return as soon as there is more than this number in the game, or in any: `records_after` reads it.

        Sometimes there is only a change of the game's row in the list: its status, its settings, its deletion.
        Raises StoreUnavailable.
        """
        await self._database.changes.wait_after(game, sequence)

    def close(self) -> None:
        """End every wait."""
        self._database.changes.end()

    async def _write(self, game: str, work: Callable[[Connection, RowValues], T]) -> T:
        fence = self._fence(game)
        with self._noticing_loss(game):
            return await self._database.write(lambda connection: work(connection, fence))

    async def _commit(self, game: str, count: int, work: Callable[[Connection, RowValues, int], T]) -> T:
        """As `_write`, in the order of commits: `work` is given the first of so many numbers."""
        fence = self._fence(game)
        with self._noticing_loss(game):
            return await self._database.commit(
                game, count, lambda connection, number: work(connection, fence, number)
            )

    async def _change(self, game: str, statement: Executable, **values: str) -> None:
        """Change the game's row in the list."""

        def work(connection: Connection, fence: RowValues, number: int) -> None:
            self._check_fence(connection, fence)
            connection.execute(statement, {"of": game, "number": number, **values})

        await self._commit(game, 1, work)

    def _fence(self, game: str) -> RowValues:
        return {FENCE_GAME: game, FENCE_TOKEN: self._leases.token(game)}

    @contextmanager
    def _noticing_loss(self, game: str) -> Generator[None]:
        try:
            yield
        except _NoLease:
            raise lease_lost(game) from None

    def _stamped(self, record: R, number: int) -> R:
        """The record with its place in the order of commits, and the time; a fork's has that of its game."""
        at = self._clock() if record.at is None else record.at
        return record.model_copy(update={"sequence": number, "at": at})

    def _remember(self, phase: PhaseRecord) -> PhaseRecord:
        self._phases_read[phase.game, phase.id] = phase
        return phase

    def _put_turn(self, turn: TurnRecord, connection: Connection, fence: RowValues) -> TurnRecord:
        row = turn_row(turn)
        if not self._insert(self._sql.turn, row, connection, fence):
            return self._stored_turn(connection, row)
        if turn.messages:
            connection.execute(self._sql.messages, message_rows(turn))
        for asked in filter(None, (reply.asked for reply in turn.replies)):
            self._put_prompt(turn.game, asked.parts, connection, fence)
        return turn.model_copy(update={"replies": tuple(reply.kept() for reply in turn.replies)})

    def _put_prompt(
        self, game: str, parts: Sequence[PromptPart], connection: Connection, fence: RowValues
    ) -> None:
        """Keep the parts from the last back to the first that is there: what is before it stands as well."""
        for part in reversed(parts):
            if not self._insert(self._sql.prompt, {"game": game, **part._asdict()}, connection, fence):
                return

    def _stored_turn(self, connection: Connection, key: RowValues) -> TurnRecord:
        row = connection.execute(self._sql.turn_by_key, key).one()
        return turn_record(row, connection.execute(self._sql.messages_by_key, key))

    def _put_phase(self, phase: PhaseRecord, connection: Connection, fence: RowValues) -> PhaseRecord:
        row = phase_row(phase)
        if self._insert(self._sql.phase, row, connection, fence):
            return phase
        stored = connection.execute(self._sql.phase_by_id, {"game": phase.game, "id": phase.id}).one()
        return phase_record(stored)

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
