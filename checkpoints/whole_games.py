"""All rows of a game together: found, deleted, copied and forked, each inside one transaction."""

from collections.abc import Mapping, Sequence
from typing import Any

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

from checkpoints.commit_order import take_numbers
from checkpoints.listed import check_listed
from checkpoints.rows import chain, phase_record, prompts_sent, segment_record
from checkpoints.summaries import FINISHED
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
    REPLIES,
    SEGMENTS,
    TURNS,
    UNTRUSTED,
    WORDS,
)
from checkpoints.threads import Head, copy_thread, delete_sessions, delete_thread
from entente.errors import DamagedRow, UnknownGame

_MAX_CANDIDATES = 5


def game_row(connection: Connection, *, game: str) -> Row[Any]:
    """The game's row in the list; raises UnknownGame."""
    row = connection.execute(select(GAMES).where(GAMES.c.game == game)).one_or_none()
    if row is None:
        raise UnknownGame(unknown(game, []))
    return row


def all_games(connection: Connection) -> Sequence[Row[Any]]:
    """The row of every game, oldest first."""
    return connection.execute(select(GAMES).order_by(GAMES.c.created_at, GAMES.c.game)).all()


def delete_game(connection: Connection, *, game: str) -> None:
    """Delete every row of the game, its checkpoints and its talks with the crew among them."""
    for table in (*HISTORY, GAMES, UNTRUSTED, DRAFTS, EARLY_ANSWERS, LINKS):
        connection.execute(delete(table).where(table.c.game == game))
    delete_thread(connection, game)
    delete_sessions(connection, game)


def undo_after(connection: Connection, number: int, *, game: str, head: Head) -> None:
    """Delete what the journal has of steps after the head, where the game stands again; raises DamagedRow."""
    opened = connection.execute(select(SEGMENTS).where(SEGMENTS.c.game == game)).all()
    undone = [row.id for row in opened if segment_record(row).checkpoint > head.checkpoint]
    _delete_segments(connection, game, undone)
    status = FINISHED if head.values.get("status") == FINISHED else "paused"
    stands = update(GAMES).where(GAMES.c.game == game)
    connection.execute(stands.values(sequence=number, phase=head.values.get("phase", ""), status=status))


def _delete_segments(connection: Connection, game: str, segments: Sequence[str]) -> None:
    """Delete the segments with all that was said in them, and the phases that they were part of."""
    rows = connection.execute(select(PHASES).where(PHASES.c.game == game)).all()
    phases = [row.id for row in rows if not {*phase_record(row).segments}.isdisjoint(segments)]
    for table, column, ids in (
        (SEGMENTS, SEGMENTS.c.id, segments),
        *((table, table.c.segment, segments) for table in (TURNS, MESSAGES, REPLIES)),
        (PHASES, PHASES.c.id, phases),
        (WORDS, WORDS.c.history, phases),
    ):
        connection.execute(delete(table).where(table.c.game == game, column.in_(ids)))


def copy_game(connection: Connection, number: int, *, source: str, target: str, now: float) -> None:
    """Enter a copy of the whole game under this number of the order of commits.

    Raises UnknownGame, and DamagedRow for a row of the list that none can be made of.
    """
    row = game_row(connection, game=source)
    check_listed(row)
    status = "paused" if row.status == "playing" else row.status
    values = {"settings": row.settings, "created_at": now, "status": status, "phase": row.phase}
    _enter(connection, source, target, number, values)
    moved = _take_numbers_for(connection, source)
    for table in HISTORY:
        _copy(connection, table, source, target, moved, true())
    copy_thread(connection, source, target)


def fork_rows(
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
    """Enter a fork: the phases up to `head` and these segments, with their turns; raises UnknownGame, DamagedRow."""
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
    _copy(connection, PROMPTS, source, target, moved, _was_sent_in(connection, source, kept))


def _was_sent_in(connection: Connection, source: str, segments: Sequence[str]) -> ColumnElement[bool]:
    """True for the source's parts of prompts that were sent in turns of these segments."""
    turns = connection.execute(select(TURNS).where(TURNS.c.game == source, TURNS.c.segment.in_(segments)))
    last = [digest for row in turns for digest in prompts_sent(row)]
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


def unknown(name: str, candidates: Sequence[str]) -> str:
    """What is said where no game, or one of several, can be meant by the name."""
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
