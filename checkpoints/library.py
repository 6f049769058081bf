"""The library: which games there are, and what can be done with a whole one."""

import time
import uuid
from collections.abc import AsyncGenerator, Callable, Mapping, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import partial
from typing import Any, NamedTuple, TypeVar, cast

from pydantic import JsonValue
from pydantic_core import from_json, to_json
from sqlalchemy import (
    ColumnElement,
    Connection,
    Row,
    Table,
    and_,
    delete,
    func,
    insert,
    literal,
    select,
    true,
    union_all,
    update,
)

from checkpoints.commit_order import newest_number, take_numbers
from checkpoints.damage import damaged, read_by
from checkpoints.database import Database
from checkpoints.ids import check_id, is_id
from checkpoints.lease import Holder, Leases, Standing
from checkpoints.listed import check_listed
from checkpoints.lists import StandIn, outcome_of, outcome_rows, stand_ins
from checkpoints.names import check_name, check_note
from checkpoints.pages import PAGE, Page, page_after
from checkpoints.rows import chain, game_settings, phase_record, segment_record, settings_in
from checkpoints.saver import Saver
from checkpoints.sql import LATEST_SEGMENTS
from checkpoints.tables import (
    COMMIT_ORDER,
    DRAFTS,
    EARLY_ANSWERS,
    GAMES,
    HISTORY,
    LINKS,
    MESSAGES,
    NUMBERED,
    PHASES,
    PROMPTS,
    SEGMENTS,
    TURNS,
    UNTRUSTED,
    WORDS,
)
from checkpoints.threads import copy_thread, delete_sessions, delete_thread
from entente.board.types import GameOutcome
from entente.errors import DamagedRow, ImportRefused, StoreUnavailable, UnknownGame
from entente.players.record import Segment
from graph.context import GameSettings

T = TypeVar("T")

_MAX_CANDIDATES = 5
_FINISHED = "finished"


@dataclass(frozen=True, slots=True)
class GameSummary:
    """A game as lists show it."""

    id: str
    created_at: datetime | None
    """None where it cannot be read."""
    settings: dict[str, JsonValue]
    phase: str
    """Where it stands; empty before its first phase. The one that would have followed when it is over."""
    status: str
    """`playing`, `paused`, `waiting` or `finished`; `playing` without a holder means that it was killed."""
    held_by: Holder | None
    """Who is running it at this moment."""
    forked_from: str | None
    is_trusted: bool
    """False for a game of somebody's file that nobody has confirmed, and for its forks."""
    name: str = ""
    """What its operator calls it; empty when nothing was said."""
    note: str = ""
    """What its operator has noted of it; empty as well."""
    outcome: GameOutcome | None = None
    """How it ended; None while it is not over, and where that cannot be read."""
    damage: tuple[DamagedRow, ...] = ()
    """What cannot be read of its row, its lease and its outcome; the settings are empty where that are they."""

    @property
    def stands_in(self) -> str:
        """The phase for lists: in which it ended, or where it stands."""
        return self.outcome.phase if self.outcome else self.phase


class Look(NamedTuple):
    """How a game stood, each part read after the one before it."""

    summary: GameSummary
    newest: int
    """The store's latest number."""
    page: Page
    """What was committed after the number that was asked for; some of it may be later than `newest`."""
    segment: Segment | None
    """The one that was opened last; None before the first."""


class Library:
    """Whole games: list, find, copy, prune and delete."""

    def __init__(
        self,
        database: Database,
        leases: Leases,
        saver: Saver,
        *,
        clock: Callable[[], float] = time.time,
    ) -> None:
        self.database = database
        self._leases = leases
        self.saver = saver
        self._clock = clock

    async def games(self) -> list[GameSummary]:
        """Every game, oldest first, also those whose rows are damaged."""

        def read(connection: Connection) -> list[GameSummary]:
            return self._summaries(connection, _all_games(connection), None)

        return await self.database.read(read)

    async def glance(self, game: str) -> GameSummary:
        """The game of this id as lists show it, also when its rows are damaged; raises UnknownGame."""

        def read(connection: Connection) -> GameSummary:
            return self._summaries(connection, [game_row(connection, game=game)], game)[0]

        return await self.database.read(read)

    def _summaries(
        self, connection: Connection, rows: Sequence[Row[Any]], game: str | None
    ) -> list[GameSummary]:
        leases, untrusted = self._leases.standings(connection, game), _untrusted(connection)
        is_over = any(row.status == _FINISHED for row in rows)
        outcomes = outcome_rows(connection, game) if is_over else {}
        read_outcome = partial(outcome_of, serde=self.saver.serde)
        return [
            _summary(
                row,
                leases.get(row.game),
                row.game not in untrusted,
                outcomes.get(row.game),
                read_outcome,
                is_whole=game is not None,
            )
            for row in rows
        ]

    async def stand_ins(self) -> dict[str, list[StandIn]]:
        """By game, the turns that somebody stood in for, oldest first; games without any are not in it."""
        return await self.database.read(stand_ins)

    async def summary(self, game: str) -> GameSummary:
        """As `glance`; raises DamagedRow for a game whose rows are damaged."""
        summary = await self.glance(game)
        if summary.damage:
            raise summary.damage[0]
        return summary

    async def look(self, game: str, after: int | None = None) -> Look:
        """The game by now, in one transaction, with what was committed after this number; None: with nothing of it.

        Raises UnknownGame, and DamagedRow as `summary`.
        """

        def read(connection: Connection) -> Look:
            summary = self._summaries(connection, [game_row(connection, game=game)], game)[0]
            newest = newest_number(connection)
            page = page_after(connection, game, newest if after is None else after, PAGE)
            row = connection.execute(LATEST_SEGMENTS, {"game": game, "limit": 1}).one_or_none()
            return Look(summary, newest, page, None if row is None else segment_record(row))

        look = await self.database.read(read)
        if look.summary.damage:
            raise look.summary.damage[0]
        return look

    async def settings(self, game: str) -> GameSettings:
        """The game's settings; raises UnknownGame, DamagedRow."""
        row = await self.database.read(partial(game_row, game=game))
        check_listed(row)
        return game_settings(row)

    async def trust(self, game: str) -> None:
        """Let the game use the models, programs and prompts that its file names; raises UnknownGame."""

        def trust(connection: Connection) -> None:
            game_row(connection, game=game)
            connection.execute(delete(UNTRUSTED).where(UNTRUSTED.c.game == game))

        await self.database.write(trust)

    async def find(self, name: str) -> str:
        """The id of the one game that is called so: by its id, by its name, or by a beginning of either.

        Its name goes before a beginning of another's name, and an id before all. Raises UnknownGame.
        """
        wanted = name.strip().lower()
        games = {str(row.game): str(row.name or "").lower() for row in await self._rows()}
        if wanted in games:
            return wanted
        called = {game for game, own in games.items() if own == wanted}
        begins = [game for game in games if game in called or game.startswith(wanted)]
        found = begins or [game for game, own in games.items() if own.startswith(wanted)]
        if not wanted or len(found) != 1:
            raise UnknownGame(_unknown(name, found if wanted else []))
        return found[0]

    async def newest(self) -> str | None:
        """The id of the game that was begun last; None where there is none."""
        games = await self._rows()
        return games[-1].game if games else None

    async def _rows(self) -> list[Row[Any]]:
        """Of every game that can be named, oldest first."""
        return [row for row in await self.database.read(_all_games) if is_id(str(row.game))]

    async def rename(self, game: str, name: str) -> None:
        """Call the game so, or nothing at all, also while it is played; raises UnknownGame, SettingsError."""
        await self._describe(game, name=check_name(name))

    async def annotate(self, game: str, note: str) -> None:
        """Note this of the game, in place of what was noted; raises UnknownGame, SettingsError."""
        await self._describe(game, note=check_note(note))

    async def _describe(self, game: str, **values: str) -> None:
        def describe(connection: Connection, number: int) -> None:
            game_row(connection, game=game)
            change = update(GAMES).where(GAMES.c.game == game)
            connection.execute(
                change.values(sequence=number, **{key: text or None for key, text in values.items()})
            )

        await self.database.commit(game, 1, describe)

    async def delete(self, game: str) -> None:
        """Forget the game altogether; raises UnknownGame, and GameHeld while anybody plays it."""
        async with self._alone(game, despite_damage=True):
            # In the order of commits, so that who follows the game is woken.
            await self.database.commit(game, 1, lambda connection, _: _delete_game(connection, game=game))

    async def drop(self, thread: str) -> None:
        """Forget the game, or a thread of no game, also beneath a run of this process, which can then write no more.

        Raises GameHeld while another process plays it.
        """

        def drop(connection: Connection, _: int) -> None:
            self._leases.end(connection, thread)
            _delete_game(connection, game=thread)

        await self.database.commit(thread, 1, drop)

    async def prune(self, game: str) -> None:
        """Drop all checkpoints but the latest, and with them earlier moments to fork from; the journal stays.

        Raises UnknownGame, and GameHeld while anybody plays it.
        """
        async with self._alone(game):
            await self.saver.aprune([game])

    async def copy(self, game: str, target: str | None = None) -> str:
        """The id of a new game with the same history, `target` if given; a game may be copied while it is played.

        Its turns and phases are new commits of the store, in their old order, and keep the times of the old ones.
        Raises UnknownGame, and ImportRefused when `target` is there already.
        """
        target = target or str(uuid.uuid4())
        copy = partial(_copy_game, source=game, target=target, now=self._clock())
        await self.enter(target, 1, copy)
        return target

    async def enter(self, game: str, count: int, work: Callable[[Connection, int], None]) -> None:
        """Enter a whole game, by this work in one transaction; raises ImportRefused when it is there already.

        Raises SettingsError for its id. `work` is given the first of so many numbers in the order of commits.
        """

        def enter(connection: Connection, number: int) -> None:
            self._check_new(connection, game)
            work(connection, number)

        check_id(game)
        await self.database.commit(game, count, enter)

    async def fork_rows(
        self,
        source: str,
        target: str,
        *,
        head: str | None,
        segments: Sequence[str] = (),
        settings: Mapping[str, JsonValue],
    ) -> None:
        """Enter `target` as a fork: the phases up to `head` with their turns, and these segments with theirs.

        They are new commits of the store, in their old order, and keep the times of the old ones.
        Segments keep their ids, so the state of a checkpoint of `source` also reads in `target`.
        Checkpoints are not copied. Raises UnknownGame and DamagedRow, and then nothing was entered.
        """
        fork = partial(
            _fork_rows,
            source=source,
            target=target,
            head=head,
            segments=segments,
            settings=to_json(dict(settings)).decode(),
            now=self._clock(),
        )
        async with self._leases.hold(target):
            await self.database.commit(target, 1, fork)

    @asynccontextmanager
    async def creating(self, game: str) -> AsyncGenerator[None]:
        """Hold a game that is written step by step; when that fails, nothing of it stays.

        Raises ImportRefused when it is there already.
        """
        async with self._leases.hold(game):
            await self.database.read(partial(self._check_new, game=game))
            try:
                yield
            except BaseException:
                with suppress(StoreUnavailable):  # the first error is the one to tell of
                    await self.database.write(partial(_delete_game, game=game))
                raise

    def _check_new(self, connection: Connection, game: str) -> None:
        if connection.execute(select(GAMES.c.game).where(GAMES.c.game == game)).first() is not None:
            raise ImportRefused(
                f"Game {game} is in the store at {self.database.location} already; it was left alone."
            )

    @asynccontextmanager
    async def _alone(self, game: str, *, despite_damage: bool = False) -> AsyncGenerator[None]:
        await self.database.read(partial(game_row, game=game))
        async with self._leases.hold_anew(game, despite_damage=despite_damage):
            yield


def game_row(connection: Connection, *, game: str) -> Row[Any]:
    """The game's row in the list; raises UnknownGame."""
    row = connection.execute(select(GAMES).where(GAMES.c.game == game)).one_or_none()
    if row is None:
        raise UnknownGame(_unknown(game, []))
    return row


def _all_games(connection: Connection) -> Sequence[Row[Any]]:
    return connection.execute(select(GAMES).order_by(GAMES.c.created_at, GAMES.c.game)).all()


def _untrusted(connection: Connection) -> set[str]:
    return set(connection.scalars(select(UNTRUSTED.c.game)))


def _summary(
    row: Row[Any],
    lease: Standing | None,
    is_trusted: bool,
    outcome: Row[Any] | None,
    read_outcome: Callable[[Row[Any]], GameOutcome],
    *,
    is_whole: bool,
) -> GameSummary:
    damage = [lease] if isinstance(lease, DamagedRow) else list[DamagedRow]()

    def readable(read: Callable[[Row[Any]], T], row: Row[Any] = row) -> T | None:
        try:
            return read(row)
        except DamagedRow as error:
            damage.append(error)
            return None

    created_at, settings = readable(_created_at), readable(_settings)
    if not damage:
        readable(check_listed)
    if is_whole and settings is not None:  # for a list it would take a while
        readable(settings_in)
    return GameSummary(
        id=str(row.game),
        created_at=created_at,
        settings=settings or {},
        phase=str(row.phase),
        status=str(row.status),
        held_by=None if isinstance(lease, DamagedRow) else lease,
        forked_from=row.forked_from and str(row.forked_from),
        is_trusted=is_trusted,
        name=str(row.name or ""),
        note=str(row.note or ""),
        outcome=readable(read_outcome, outcome) if outcome and row.status == _FINISHED else None,
        damage=tuple(damage),
    )


@read_by(GAMES)
def _created_at(row: Row[Any]) -> datetime:
    return datetime.fromtimestamp(row.created_at, UTC)


@read_by(GAMES)
def _settings(row: Row[Any]) -> dict[str, JsonValue]:
    settings = from_json(row.settings)
    if not isinstance(settings, dict):
        raise damaged(GAMES, row, "its settings are no table")
    return cast("dict[str, JsonValue]", settings)


def _unknown(name: str, candidates: Sequence[str]) -> str:
    if not candidates:
        return (
            f"A game's id, its name or the beginning of either was wanted and no game answers to {name!r};"
            " nothing was done."
        )
    more = ", ..." if len(candidates) > _MAX_CANDIDATES else ""
    listed = ", ".join(candidates[:_MAX_CANDIDATES])
    return (
        f"One game was wanted and {len(candidates)} answer to {name!r}: {listed}{more};"
        " nothing was done, please give more of one of these ids."
    )


def _delete_game(connection: Connection, *, game: str) -> None:
    for table in (*HISTORY, GAMES, UNTRUSTED, DRAFTS, EARLY_ANSWERS, LINKS):
        connection.execute(delete(table).where(table.c.game == game))
    delete_thread(connection, game)
    delete_sessions(connection, game)


def _copy_game(connection: Connection, number: int, *, source: str, target: str, now: float) -> None:
    row = game_row(connection, game=source)
    status = "paused" if row.status == "playing" else row.status
    values = {"settings": row.settings, "created_at": now, "status": status, "phase": row.phase}
    _enter(connection, source, target, number, values)
    moved = _take_numbers_for(connection, source)
    for table in HISTORY:
        _copy(connection, table, source, target, moved, true())
    copy_thread(connection, source, target)


def _fork_rows(
    connection: Connection,
    number: int,
    *,
    source: str,
    target: str,
    head: str | None,
    segments: Sequence[str],
    settings: str,
    now: float,
) -> None:
    game_row(connection, game=source)
    phases = [phase_record(found) for found in _phase_chain(connection, source, head)]
    kept = [*(segment for phase in phases for segment in phase.segments), *segments]
    phase = phases[-1].phase if phases else ""
    values = {"settings": settings, "created_at": now, "status": "paused", "phase": phase}
    _enter(connection, source, target, number, values)
    moved = _take_numbers_for(connection, source)
    _copy(connection, PHASES, source, target, moved, PHASES.c.id.in_([phase.id for phase in phases]))
    _copy(connection, SEGMENTS, source, target, moved, SEGMENTS.c.id.in_(kept))
    for table in (TURNS, MESSAGES):
        _copy(connection, table, source, target, moved, table.c.segment.in_(kept))
    # What the crew has told; a talk stays with the game about which it is, as its session does.
    told = and_(WORDS.c.history.in_([phase.id for phase in phases]), WORDS.c.session == "")
    _copy(connection, WORDS, source, target, moved, told)
    _copy(connection, PROMPTS, source, target, moved, _was_sent_in(connection, target, source))


def _was_sent_in(connection: Connection, fork: str, source: str) -> ColumnElement[bool]:
    """True for the source's parts of prompts that were sent in turns which the fork has too."""
    bodies = connection.scalars(select(TURNS.c.body).where(TURNS.c.game == fork))
    replies = [reply for body in bodies for reply in from_json(body).get("replies", [])]
    last = [reply["asked"]["prompt"] for reply in replies if "asked" in reply]
    own = select(PROMPTS.c.digest, PROMPTS.c.parent).where(PROMPTS.c.game == source)
    sent = own.where(PROMPTS.c.digest.in_(last)).cte(recursive=True)
    sent = sent.union(own.join(sent, PROMPTS.c.digest == sent.c.parent))
    return PROMPTS.c.digest.in_(select(sent.c.digest))


def _phase_chain(connection: Connection, game: str, head: str | None) -> list[Row[Any]]:
    rows = connection.execute(select(PHASES).where(PHASES.c.game == game))
    return chain(game, {row.id: row for row in rows}, head)


def _enter(
    connection: Connection, source: str, target: str, number: int, values: Mapping[str, object]
) -> None:
    row = {"game": target, "forked_from": source, "sequence": number, **values}
    connection.execute(insert(GAMES).values(row))
    same = select(literal(target)).where(UNTRUSTED.c.game == source)
    connection.execute(insert(UNTRUSTED).from_select([UNTRUSTED.c.game.name], same))


def _take_numbers_for(connection: Connection, source: str) -> int:
    """Take numbers for what is copied of a game; how much higher they are than those that it has.

    The gaps between the game's numbers are copied too: other games' commits lie in them.
    """
    rows = union_all(*(select(table.c.sequence).where(table.c.game == source) for table in NUMBERED))
    numbers = rows.subquery().c.sequence
    first, last = connection.execute(select(func.min(numbers), func.max(numbers))).one()
    if first is None:
        return 0
    if not (isinstance(first, int) and isinstance(last, int)):
        raise DamagedRow(source, COMMIT_ORDER.name, "", "a commit of it has a number that is none")
    return take_numbers(connection, last - first + 1) - first


def _copy(
    connection: Connection, table: Table, source: str, target: str, moved: int, where: ColumnElement[bool]
) -> None:
    new = {"game": literal(target)} | ({"sequence": table.c.sequence + moved} if table in NUMBERED else {})
    rows = select(*(new.get(column.name, column) for column in table.columns))
    chosen = rows.where(table.c.game == source, where)
    connection.execute(insert(table).from_select([column.name for column in table.columns], chosen))
