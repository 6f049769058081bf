"""The one order of commits: a number for each commit of a store, higher than all that could be read before it.

A sequence of the database would not do: it gives numbers out before they are committed, so that a reader may see
12 while 11 is still under way, go on from 12 and miss 11. Here the last number is a row of its own. A transaction
takes its numbers first of all, and keeps the row locked until it has committed; what it wrote can be read by then.
Since nobody waits for that row while it holds another lock, nobody waits in a circle (docs/decisions/0020).
"""

from collections.abc import Collection
from typing import Any, NamedTuple

from sqlalchemy import Connection, Row, Text, bindparam, cast, delete, func, insert, select, union_all, update

from checkpoints.tables import COMMIT_ORDER, GAMES, NUMBERED
from entente.errors import DamagedRow

CHANNEL = "entente_commits"
"""Where Postgres tells its listeners the last number of each transaction that has committed."""

_LAST = COMMIT_ORDER.c.last
_TAKE = update(COMMIT_ORDER).values(last=_LAST + bindparam("count")).returning(_LAST)
_TAKE_A_NUMBER = _TAKE.where(func.typeof(_LAST) == "integer")
"""SQLite takes a word for 0, and would begin anew."""
_TAKE_AND_NOTIFY = _TAKE.returning(func.pg_notify(CHANNEL, cast(_LAST, Text)))
_NEWEST = select(_LAST)
_CHANGED = union_all(
    *(
        select(table.c.game, func.max(table.c.sequence).label("newest"))
        .where(table.c.sequence > bindparam("after"), table.c.sequence <= bindparam("newest"))
        .group_by(table.c.game)
        for table in (*NUMBERED, GAMES)
    )
)
_THERE = select(GAMES.c.game).where(GAMES.c.game.in_(bindparam("games", expanding=True)))


class News(NamedTuple):
    """What was committed after a number."""

    newest: int
    """The latest number of the store."""
    games: dict[str, int]
    """Each game that has changed, and the number of its latest change."""


def take_numbers(connection: Connection, count: int) -> int:
    """The first of so many numbers for this transaction, each one higher than the one before."""
    statement = _TAKE_AND_NOTIFY if connection.dialect.name == "postgresql" else _TAKE_A_NUMBER
    return _number(connection.execute(statement, {"count": count}).first()) - count + 1


def newest_number(connection: Connection) -> int:
    """The latest number of the store; all rows of this number and below can be read by now. 0 in a new store."""
    return _number(connection.execute(_NEWEST).first())


def _number(row: Row[Any] | None) -> int:
    if row is None or not isinstance(row[0], int):
        raise DamagedRow("", COMMIT_ORDER.name, "", "the number of the last commit is missing, or is none")
    return row[0]


def news_after(connection: Connection, after: int, watched: Collection[str]) -> News:
    """What was committed after this number; those of the watched games that are gone count as changed."""
    newest = newest_number(connection)
    if newest <= after:
        return News(newest, {})
    changed = dict.fromkeys(watched, newest)
    for game in connection.execute(_THERE, {"games": list(watched)}).scalars():
        del changed[game]
    for row in connection.execute(_CHANGED, {"after": after, "newest": newest}):
        changed[row.game] = max(row.newest, changed.get(row.game, 0))
    return News(newest, changed)


def mend_numbers(connection: Connection) -> bool:
    """Have the order of commits go on behind all that stands in it; True when that was needed."""
    numbers = (connection.scalars(select(table.c.sequence)) for table in (*NUMBERED, GAMES))
    # SQLite keeps words where a number belongs, and takes them for the greatest.
    last = max((number for some in numbers for number in some if isinstance(number, int)), default=0)
    try:
        if newest_number(connection) >= last:
            return False
    except DamagedRow:
        pass
    connection.execute(delete(COMMIT_ORDER))
    connection.execute(insert(COMMIT_ORDER).values(last=last))
    return True
