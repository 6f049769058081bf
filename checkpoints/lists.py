"""What lists say of games beyond their rows: how they ended, and who stood in for whom.

It is read from where it stands, a game's state and its turns, by indexes that the schema has for it: nothing is kept
twice, and a copy, a fork or an import brings it along.
"""

import re
from typing import Any, TypeAlias

from langgraph.checkpoint.serde.base import SerializerProtocol
from pydantic import TypeAdapter
from sqlalchemy import Connection, Row, and_, literal_column, select, true

from checkpoints.damage import read_by
from checkpoints.tables import TURNS, VALUES
from entente.board.types import GameOutcome, Power

StandIns: TypeAlias = dict[Power, tuple[str, ...]]
"""Who has stood in for each power, for a turn or more; a power for which nobody has is not in it."""

# In the words of the migration to version 10, or its indexes would not serve.
_IS_OUTCOME = VALUES.c.channel == literal_column("'outcome'")
_STOOD_IN = and_(
    TURNS.c.body.like(literal_column("""'%"stand_in":"%'""")),
    TURNS.c.body.not_like(literal_column("""'%"stand_in":""%'""")),
)
_STAND_IN = re.compile('"stand_in":"([^"]+)"')
_OUTCOME = TypeAdapter(GameOutcome)


def outcome_rows(connection: Connection, game: str | None = None) -> dict[str, Row[Any]]:
    """By game, the row that says how it ended; of this game, or of all that are over."""
    is_wanted = true() if game is None else VALUES.c.thread == game
    rows = select(VALUES).where(_IS_OUTCOME, VALUES.c.namespace == "", is_wanted).order_by(VALUES.c.version)
    return {row.thread: row for row in connection.execute(rows)}


@read_by(VALUES)
def outcome_of(row: Row[Any], serde: SerializerProtocol) -> GameOutcome:
    """How the game ended, by such a row."""
    return _OUTCOME.validate_python(serde.loads_typed((row.kind, row.value)))


def stand_ins(connection: Connection) -> dict[str, StandIns]:
    """By game, who has stood in for whom, in futures that were abandoned too."""
    rows = select(TURNS.c.game, TURNS.c.power, TURNS.c.body).where(_STOOD_IN).order_by(TURNS.c.sequence)
    games: dict[str, StandIns] = {}
    for game, power, body in connection.execute(rows):
        if name := _STAND_IN.search(body):
            found = games.setdefault(game, {})
            found[power] = tuple(dict.fromkeys((*found.get(power, ()), name[1])))
    return games
