"""A whole store read row by row: what is wrong with it. Nothing is changed, and nothing is repaired here.

It knows rows and what they refer to. Whether a state is one of a game is known above (`entente.games.selfcheck`).
"""

from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from typing import Any

from sqlalchemy import Connection, Row, Select, Table, func, select

from checkpoints.commit_order import newest_number
from checkpoints.damage import check_types, damaged, is_text, missing
from checkpoints.drafts import draft_of_row
from checkpoints.early import early_of_row
from checkpoints.lease import Leases
from checkpoints.links import link_of_row
from checkpoints.listed import check_listed
from checkpoints.migrations import SCHEMA_VERSION, schema_version
from checkpoints.rows import (
    chain,
    game_settings,
    kept_reply,
    message_values,
    phase_record,
    prompt_part,
    prompts_sent,
    segment_record,
    turn_records,
    words_record,
)
from checkpoints.tables import (
    CHECKPOINTS,
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
    REPLIES,
    SEGMENTS,
    THREAD,
    TURNS,
    VALUES,
    WORDS,
)
from checkpoints.threads import Threads, strict_serializer
from entente.board.engine import load_geography
from entente.errors import DamagedRow, StoreUnavailable

Rows = dict[str, Sequence[Row[Any]]]
"""All rows of a game, by table."""

_ALL_RIGHT = "ok"
_OF_A_GAME = "board"
"""A channel that every state of a game has."""


def check_rows(connection: Connection, leases: Leases) -> list[DamagedRow]:
    """What is wrong with the rows of the store, each thing once; raises StoreUnavailable for one of another schema."""
    version = schema_version(connection)
    if version != SCHEMA_VERSION:
        raise StoreUnavailable(
            f"A store of schema version {SCHEMA_VERSION} was wanted and this one has {version}; nothing was read. "
            "Any other command brings an older one up to date."
        )
    found = [*_of_file(connection), *_of_numbers(connection), *_of_leases(connection, leases)]
    found += _of_links(connection)
    for game, table in _owners(connection).items():
        if is_text(game):
            found += check_game(connection, game)
        else:
            owner = game.encode(errors="replace").decode()
            found.append(DamagedRow("", table, owner, "its game's id holds bytes that are no text"))
    return [*{str(error): error for error in found}.values()]


def check_game(connection: Connection, game: str) -> list[DamagedRow]:
    """What is wrong with the rows of the game, or of the thread, of this id."""
    tables = (GAMES, *HISTORY, DRAFTS, EARLY_ANSWERS)
    rows: Rows = {table.name: connection.execute(_of(table, game)).all() for table in tables}
    return [
        *_unreadable(rows),
        *_unlisted(connection, game, rows),
        *_lost(game, rows),
        *_of_thread(connection, game),
    ]


def _of_file(connection: Connection) -> Iterator[DamagedRow]:
    """What SQLite itself finds wrong with its file; a server looks after its own."""
    if connection.dialect.name == "sqlite":
        for told in connection.exec_driver_sql("PRAGMA integrity_check").scalars():
            if told != _ALL_RIGHT:
                yield DamagedRow("", "the file", "", f"SQLite says {told!r}")


def _of_numbers(connection: Connection) -> Iterator[DamagedRow]:
    """Whether the order of commits goes on behind all that stands in it."""
    try:
        newest = newest_number(connection)
    except DamagedRow as error:
        yield error
        return
    for table in (*NUMBERED, GAMES):
        last = connection.scalar(select(func.max(table.c.sequence)))
        if last is not None and not (isinstance(last, int) and last <= newest):
            what = f"its last number is {newest}, and {table.name} goes on to {last}"
            yield DamagedRow("", COMMIT_ORDER.name, "", what)


def _of_leases(connection: Connection, leases: Leases) -> Iterator[DamagedRow]:
    for standing in leases.standings(connection).values():
        if isinstance(standing, DamagedRow):
            yield standing


def _of_links(connection: Connection) -> Iterator[DamagedRow]:
    for row in connection.execute(select(LINKS)):
        try:
            link_of_row(row)
        except DamagedRow as error:
            yield error


def _owners(connection: Connection) -> dict[str, str]:
    """Every game and every thread of which anything is kept, with the name of a table that has something of it."""
    of_games = (GAMES, *HISTORY, DRAFTS, EARLY_ANSWERS)
    columns = [*(table.c.game for table in of_games), *(table.c.thread for table in THREAD)]
    found = {
        str(owner): column.table.name
        for column in columns
        for owner in connection.scalars(select(column).distinct())
    }
    return dict(sorted(found.items()))


def _of(table: Table, game: str) -> Select[Any]:
    return select(table).where(table.c["thread" if table in THREAD else "game"] == game)


def _unreadable(rows: Rows) -> Iterator[DamagedRow]:
    """Rows of the journal that hold something else than was put into them."""
    messages: dict[tuple[Any, ...], list[Row[Any]]] = {}
    for row in sorted(rows[MESSAGES.name], key=lambda row: str(row.position)):
        messages.setdefault((row.segment, row.power, row.number), []).append(row)

    def turn(row: Row[Any]) -> object:
        return turn_records([row], messages.get((row.segment, row.power, row.number), ()))

    readers: dict[Table, Callable[[Row[Any]], object]] = {
        GAMES: game_settings,
        SEGMENTS: segment_record,
        PHASES: phase_record,
        WORDS: words_record,
        TURNS: turn,
        MESSAGES: message_values,
        REPLIES: kept_reply,
        PROMPTS: prompt_part,
        DRAFTS: draft_of_row,
        EARLY_ANSWERS: early_of_row,
    }
    for table, read in readers.items():
        for row in rows[table.name]:
            try:
                read(row)
                check_types(table, row)
                if table is GAMES:
                    check_listed(row)
                    _check_seats(row)
            except DamagedRow as error:
                yield error


def _check_seats(row: Row[Any]) -> None:
    """Raise DamagedRow for settings that leave a seat out: lists show nobody there, and the state says who plays."""
    settings = game_settings(row)
    powers = load_geography(settings.map_name).powers
    if unseated := [power for power in powers if power not in settings.seats]:
        raise damaged(GAMES, row, f"its settings seat nobody in {', '.join(unseated)}")


def _unlisted(connection: Connection, game: str, rows: Rows) -> Iterator[DamagedRow]:
    """A journal without its game in the list, and checkpoints of a game without a journal."""
    if rows[GAMES.name]:
        return
    checkpoints = connection.scalar(
        select(func.count()).select_from(CHECKPOINTS).where(CHECKPOINTS.c.thread == game)
    )
    if any(rows.values()):
        yield missing(GAMES, game, "", "the rest of its journal")
    elif _is_of_a_game(connection, game):
        yield DamagedRow(
            game,
            GAMES.name,
            "",
            f"it has {checkpoints} checkpoints and no journal: what was said in it is lost",
        )


def _is_of_a_game(connection: Connection, thread: str) -> bool:
    """False for a thread of LangGraph's server in which no game was begun."""
    board = select(VALUES.c.version).where(VALUES.c.thread == thread, VALUES.c.channel == _OF_A_GAME)
    return connection.execute(board.limit(1)).first() is not None


def _lost(game: str, rows: Rows) -> Iterator[DamagedRow]:
    """Rows of the journal that others refer to and that are not there."""
    segments = {row.id for row in rows[SEGMENTS.name]}
    turns = {(row.segment, row.power, row.number) for row in rows[TURNS.name]}
    for table in (TURNS, REPLIES):
        for segment in {row.segment for row in rows[table.name]} - segments:
            yield missing(SEGMENTS, game, segment, f"what {table.name} has of it")
    for key in {(row.segment, row.power, row.number) for row in rows[MESSAGES.name]} - turns:
        yield missing(TURNS, game, "/".join(map(str, key)), f"what {MESSAGES.name} has of it")
    yield from _lost_prompts(game, rows)
    phases = {row.id: row for row in rows[PHASES.name]}
    for id_ in {row.history for row in rows[WORDS.name] if row.history} - phases.keys():
        yield missing(PHASES, game, id_, f"what {WORDS.name} has of it")
    for id_, row in phases.items():
        try:
            chain(game, phases, id_)
            used = phase_record(row).segments
        except DamagedRow as error:
            yield error
            continue
        for segment in {*used} - segments:
            yield missing(SEGMENTS, game, segment, f"the phase {id_}")


def _lost_prompts(game: str, rows: Rows) -> Iterator[DamagedRow]:
    """Parts of prompts that are not there: the last one of a call's, and those before it."""
    prompts = {row.digest: row.parent for row in rows[PROMPTS.name]}
    for parent in {*prompts.values()} - {*prompts, None}:
        yield missing(PROMPTS, game, str(parent), f"what {PROMPTS.name} has behind it")
    for row in rows[TURNS.name]:
        with suppress(DamagedRow):  # it is told where all turns are read
            for digest in {*prompts_sent(row)} - {*prompts}:
                yield missing(PROMPTS, game, digest, f"the turn {row.segment}/{row.power}/{row.number}")


def _of_thread(connection: Connection, game: str) -> Iterator[DamagedRow]:
    """Checkpoints that cannot be read, with their values and writes."""
    threads, serde = Threads(connection.dialect.name), strict_serializer()
    for row in connection.execute(_of(CHECKPOINTS, game)).all():
        try:
            threads.load(connection, serde, row)
            check_types(CHECKPOINTS, row)
        except DamagedRow as error:
            yield error
