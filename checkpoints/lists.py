"""What lists say of games beyond their rows: how they ended, and who stood in for whom.

It is read from where it stands, a game's state and its turns, by indexes that the schema has for it: nothing is kept
twice, and a copy, a fork or an import brings it along.
"""

import re
from typing import Any, NamedTuple

from langgraph.checkpoint.serde.base import SerializerProtocol
from pydantic import TypeAdapter
from sqlalchemy import Connection, Row, and_, literal_column, select, true

from checkpoints.damage import read_by
from checkpoints.tables import TURNS, VALUES
from entente.board.types import GameOutcome, Power


class StandIn(NamedTuple):
    """A turn that somebody stood in for."""

    power: Power
    name: str
    """Who stood in."""
    segment: str
    sequence: int
    """The turn's place in the order of commits."""


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


def stand_ins(connection: Connection) -> dict[str, list[StandIn]]:
    """By game, the turns that somebody stood in for, oldest first, in futures that were abandoned too."""
    turns = TURNS.c
    wanted = select(turns.game, turns.power, turns.segment, turns.sequence, turns.body).where(_STOOD_IN)
    games: dict[str, list[StandIn]] = {}
    for game, power, segment, sequence, body in connection.execute(wanted.order_by(turns.sequence)):
        if name := _STAND_IN.search(body):
            games.setdefault(game, []).append(StandIn(power, name[1], segment, sequence))
    return games
