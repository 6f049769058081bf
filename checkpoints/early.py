"""Answers that people have sent before their question is open: kept until the game takes them, each once.

While models think no interrupt is open. What a person sends then is kept here, and is marked as taken in the very
transaction that commits the person's turn. So a killed process loses none of it, and gives none of it twice.
"""

from functools import partial
from typing import Any

from pydantic import BaseModel, ConfigDict, JsonValue
from pydantic_core import from_json, to_json
from sqlalchemy import ColumnElement, Connection, Row, delete, select, update

from checkpoints.damage import read_by
from checkpoints.database import Database, insert_if_new
from checkpoints.drafts import take_out
from checkpoints.tables import EARLY_ANSWERS, GAMES
from checkpoints.whole_games import game_row
from entente.board.types import Power


class EarlyAnswer(BaseModel):
    """What a person has sent for one question of its seat, which all but the answer names."""

    model_config = ConfigDict(frozen=True)

    game: str
    power: Power
    phase: str
    ask: str
    """What the question asks for; `entente.floors.asking.Ask`."""
    number: int
    """The round of press, or how many answers to such questions of the phase were sent early before this one."""
    answer: JsonValue


class EarlyAnswers:
    """The early answers of a store."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def keep(self, early: EarlyAnswer, *, has_written: bool, has_ordered: bool) -> bool:
        """Keep the answer, and take what it holds out of the seat's draft; False when the question has one already.

        Whoever waits for the game's next commit is woken. Raises UnknownGame.
        """
        work = partial(_keep, early=early, has_written=has_written, has_ordered=has_ordered)
        return await self._database.commit(early.game, 1, work)

    async def waiting(self, game: str) -> list[EarlyAnswer]:
        """Those that the game has not taken, as they were sent by each power; raises DamagedRow."""
        return await self._read(EARLY_ANSWERS.c.game == game, EARLY_ANSWERS.c.is_taken == 0)

    async def of_seat(self, game: str, power: Power, phase: str) -> list[EarlyAnswer]:
        """All that the power has sent early in the phase, taken or not; raises DamagedRow."""
        seat = (EARLY_ANSWERS.c.game == game, EARLY_ANSWERS.c.power == power)
        return await self._read(*seat, EARLY_ANSWERS.c.phase == phase)

    async def forget(self, game: str, power: Power, phase: str) -> None:
        """Forget what the power has sent in the phase and the game has not taken."""
        seat = (EARLY_ANSWERS.c.game == game, EARLY_ANSWERS.c.power == power)
        unsent = (EARLY_ANSWERS.c.phase == phase, EARLY_ANSWERS.c.is_taken == 0)
        await self._database.write(lambda c: c.execute(delete(EARLY_ANSWERS).where(*seat, *unsent)))

    async def _read(self, *where: ColumnElement[bool]) -> list[EarlyAnswer]:
        rows = select(EARLY_ANSWERS).where(*where)
        ordered = rows.order_by(EARLY_ANSWERS.c.power, EARLY_ANSWERS.c.number)
        return await self._database.read(lambda c: [early_of_row(row) for row in c.execute(ordered)])


def mark_taken(connection: Connection, early: EarlyAnswer) -> None:
    """Note that the game has taken the answer, in the transaction that commits its turn."""
    connection.execute(update(EARLY_ANSWERS).where(*_key(early)).values(is_taken=1))


def _key(early: EarlyAnswer) -> list[ColumnElement[bool]]:
    key = early.model_dump(exclude={"answer"})
    return [EARLY_ANSWERS.c[name] == value for name, value in key.items()]


def _keep(
    connection: Connection, number: int, *, early: EarlyAnswer, has_written: bool, has_ordered: bool
) -> bool:
    game_row(connection, game=early.game)
    row = early.model_dump(exclude={"answer"}) | {"body": to_json(early.answer).decode(), "is_taken": 0}
    if not connection.execute(insert_if_new(connection.dialect.name, EARLY_ANSWERS).values(row)).rowcount:
        return False
    connection.execute(update(GAMES).where(GAMES.c.game == early.game).values(sequence=number))
    seat = {"game": early.game, "power": early.power, "phase": early.phase}
    take_out(connection, **seat, has_written=has_written, has_ordered=has_ordered)
    return True


@read_by(EARLY_ANSWERS)
def early_of_row(row: Row[Any]) -> EarlyAnswer:
    """The early answer of a row."""
    columns = {name: getattr(row, name) for name in EarlyAnswer.model_fields if name != "answer"}
    return EarlyAnswer(**columns, answer=from_json(row.body))
