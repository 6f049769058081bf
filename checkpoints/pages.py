"""Reading turns, phases and words of the crew in the order of commits, a page at a time."""

from typing import Any, NamedTuple

from sqlalchemy import Connection, Select, Table, and_, bindparam, select

from checkpoints.commit_order import newest_number
from checkpoints.rows import phase_record, turn_records, words_record
from checkpoints.tables import MESSAGES, PHASES, TURNS, WORDS
from entente.players.record import Record

PAGE = 256
"""How many records are read at once where nobody says otherwise."""

_TURN_KEY = ("game", "segment", "power", "number")


class Page(NamedTuple):
    """Some of what was committed after a number."""

    records: list[Record]
    """In the order of their commits."""
    sequence: int
    """The number to go on after: everything up to it has been read."""
    has_more: bool
    """True when there is more already."""


def page_after(connection: Connection, game: str | None, sequence: int, limit: int) -> Page:
    """Up to so many records of a game, or of all, that were committed after this number."""
    # Read first: what is committed meanwhile may be seen by the later statements and not by the earlier ones.
    newest = newest_number(connection)
    if newest <= sequence:
        return Page([], sequence, has_more=False)
    parameters = {"game": game, "after": sequence, "newest": newest, "limit": limit + 1}
    found = _WHOLE_STORE if game is None else _ONE_GAME
    # The messages before their turns: a game that is deleted in between has neither, and not turns without words.
    messages = connection.execute(found.messages, parameters).all()
    turns = turn_records(connection.execute(found.turns, parameters).all(), messages)
    phases = [phase_record(row) for row in connection.execute(found.phases, parameters)]
    words = [words_record(row) for row in connection.execute(found.words, parameters)]
    records = sorted([*turns, *phases, *words], key=lambda record: record.sequence)
    if len(records) > limit:
        return Page(records[:limit], records[limit - 1].sequence, has_more=True)
    return Page(records, newest, has_more=False)


class _Statements:
    def __init__(self, *, of_game: bool) -> None:
        self.turns = _after(TURNS, of_game=of_game)
        self.phases = _after(PHASES, of_game=of_game)
        self.words = _after(WORDS, of_game=of_game)
        key = self.turns.with_only_columns(*(TURNS.c[name] for name in _TURN_KEY)).subquery()
        of_turn = and_(*(MESSAGES.c[name] == key.c[name] for name in _TURN_KEY))
        self.messages = select(MESSAGES).join(key, of_turn).order_by(MESSAGES.c.position)


def _after(table: Table, *, of_game: bool) -> Select[Any]:
    number = table.c.sequence
    found = select(table).where(number > bindparam("after"), number <= bindparam("newest"))
    if of_game:
        found = found.where(table.c.game == bindparam("game"))
    return found.order_by(number).limit(bindparam("limit"))


_ONE_GAME, _WHOLE_STORE = _Statements(of_game=True), _Statements(of_game=False)
