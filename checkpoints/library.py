"""The library: which games there are, and what can be done with a whole one."""

import time
import uuid
from collections.abc import AsyncGenerator, Callable, Mapping, Sequence
from contextlib import asynccontextmanager, suppress
from functools import partial
from typing import Any, NamedTuple

from pydantic import JsonValue
from pydantic_core import to_json
from sqlalchemy import Connection, Row, delete, select, update

from checkpoints.commit_order import newest_number
from checkpoints.database import Database
from checkpoints.ids import check_id, is_id
from checkpoints.lease import Leases
from checkpoints.listed import check_listed
from checkpoints.lists import StandIn, outcome_of, outcome_rows, stand_ins
from checkpoints.names import check_name, check_note
from checkpoints.pages import PAGE, Page, page_after
from checkpoints.rows import game_settings, segment_record
from checkpoints.saver import Saver
from checkpoints.sql import LATEST_SEGMENTS
from checkpoints.summaries import FINISHED, GameSummary, summary_of
from checkpoints.tables import GAMES, UNTRUSTED
from checkpoints.threads import delete_runs, head_of, threads_of_runs
from checkpoints.whole_games import (
    all_games,
    copy_game,
    delete_game,
    fork_rows,
    game_row,
    undo_after,
    unknown,
)
from entente.errors import ImportRefused, StoreUnavailable, UnknownGame
from entente.players.record import Segment
from graph.context import GameSettings


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
            return self._summaries(connection, all_games(connection), None)

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
        is_over = any(row.status == FINISHED for row in rows)
        outcomes = outcome_rows(connection, game) if is_over else {}
        read_outcome = partial(outcome_of, serde=self.saver.serde)
        return [
            summary_of(
                row,
                leases.get(row.game),
                row.game not in untrusted,
                outcomes.get(row.game),
                read_outcome,
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
            raise UnknownGame(unknown(name, found if wanted else []))
        return found[0]

    async def newest(self) -> str | None:
        """The id of the game that was begun last; None where there is none."""
        games = await self._rows()
        return games[-1].game if games else None

    async def _rows(self) -> list[Row[Any]]:
        """Of every game that can be named, oldest first."""
        return [row for row in await self.database.read(all_games) if is_id(str(row.game))]

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
            await self.database.commit(game, 1, lambda connection, _: delete_game(connection, game=game))

    async def drop(self, thread: str) -> None:
        """Forget the game, or a thread of no game, also beneath a run of this process, which can then write no more.

        Raises GameHeld while another process plays it.
        """

        def drop(connection: Connection, _: int) -> None:
            self._leases.end(connection, thread)
            delete_game(connection, game=thread)

        await self.database.commit(thread, 1, drop)

    async def take_back(self, runs: Sequence[str]) -> None:
        """Forget what these runs of a server have played, also while one does, which can then write no more.

        What others have played on from stays; a game of which nothing stays is forgotten. Raises DamagedRow, and
        GameHeld while another process plays it.
        """
        serde = self.saver.serde
        for thread in await self.database.read(partial(threads_of_runs, runs=runs)):

            def take(connection: Connection, number: int, thread: str = thread) -> None:
                before = head_of(connection, serde, thread)
                delete_runs(connection, serde, thread=thread, runs=runs)
                head = head_of(connection, serde, thread)
                if before == head:
                    return
                self._leases.end(connection, thread)
                if head is None:
                    delete_game(connection, game=thread)
                else:
                    undo_after(connection, number, game=thread, head=head)

            await self.database.commit(thread, 1, take)

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
        copy = partial(copy_game, source=game, target=target, now=self._clock())
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
            fork_rows,
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
                    await self.database.write(partial(delete_game, game=game))
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


def _untrusted(connection: Connection) -> set[str]:
    return set(connection.scalars(select(UNTRUSTED.c.game)))
