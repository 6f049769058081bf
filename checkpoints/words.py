"""What the crew said: kept beside a game's turns, in the one order of commits.

It changes nothing in a game, so that whoever keeps it need not hold the game: it is played on meanwhile.
"""

import time
from collections.abc import Callable
from functools import partial

from sqlalchemy import Connection, func, select

from checkpoints.database import Database, insert_if_new
from checkpoints.rows import words_record, words_row
from checkpoints.tables import WORDS
from checkpoints.whole_games import game_row
from entente.models.budget import Spent, spent_on
from entente.players.record import Words


class CrewWords:
    """The words of the crew in all games of a store."""

    def __init__(self, database: Database, *, clock: Callable[[], float] = time.time) -> None:
        self._database = database
        self._clock = clock

    async def keep(self, words: Words) -> Words:
        """The words as they are kept: these, or those that were kept under their id before. Raises UnknownGame."""
        work = partial(_keep, words=words.model_copy(update={"at": self._clock()}))
        return await self._database.commit(words.game, 1, work)

    async def of(self, game: str) -> list[Words]:
        """All that the crew has said in the game, in the order of commits; raises DamagedRow."""
        rows = select(WORDS).where(WORDS.c.game == game).order_by(WORDS.c.sequence)
        return await self._database.read(lambda c: [words_record(row) for row in c.execute(rows)])

    async def count(self, game: str, session: str, history: str | None) -> int:
        """How much was said after the phase in talks whose names begin so; `history` is None before the first."""
        said = WORDS.c.session.startswith(session, autoescape=True) & WORDS.c.history.is_not_distinct_from(
            history
        )
        count = select(func.count()).where(WORDS.c.game == game, said)
        return await self._database.read(lambda connection: connection.scalar(count) or 0)

    async def spent(self, game: str) -> Spent:
        """What the calls of the crew's models have cost in the game; raises DamagedRow."""
        rows = select(WORDS).where(WORDS.c.game == game, WORDS.c.body.like('%"calls":[{%'))
        paid = await self._database.read(lambda c: [words_record(row) for row in c.execute(rows)])
        return spent_on(call for words in paid for call in words.calls)


def _keep(connection: Connection, number: int, *, words: Words) -> Words:
    game_row(connection, game=words.game)
    numbered = words.model_copy(update={"sequence": number})
    if connection.execute(insert_if_new(connection.dialect.name, WORDS).values(words_row(numbered))).rowcount:
        return numbered
    stored = select(WORDS).where(WORDS.c.game == words.game, WORDS.c.id == words.id)
    return words_record(connection.execute(stored).one())
