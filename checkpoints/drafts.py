"""What people have typed and not sent: one draft for each seat and phase, which is nobody's but the seat's.

A draft is no commit: it has no place in the order of commits, no event tells of it, and copies, forks and exports of
the game leave it behind.
"""

from functools import partial
from typing import Any

from pydantic import BaseModel, ConfigDict
from sqlalchemy import Connection, Row, delete, select

from checkpoints.damage import read_by
from checkpoints.database import Database, insert_into
from checkpoints.tables import DRAFTS
from checkpoints.whole_games import game_row
from entente.board.types import Power


class SeatDraft(BaseModel):
    """What a person has typed for one phase and not sent, as it was typed."""

    model_config = ConfigDict(frozen=True)

    messages: tuple[str, ...] = ()
    """A line each: `GERMANY: hello`, `GERMANY, ITALY: hello`, `ALL: hello`."""
    orders: tuple[str, ...] = ()
    """Order lines, the oldest first; a later line for a unit replaces an earlier one."""
    draw: bool | None = None
    """A vote for or against ending the game in a draw; None while none was cast."""
    begun: str = ""
    """A line that was begun and not entered."""

    @property
    def is_empty(self) -> bool:
        """True where nothing is written."""
        return not (self.messages or self.orders or self.draw is not None or self.begun)

    def lines(self) -> list[str]:
        """All of it, as it can be typed again."""
        vote = [] if self.draw is None else ["/draw" if self.draw else "/no-draw"]
        return [*self.messages, *self.orders, *vote, *filter(None, [self.begun])]


class Drafts:
    """The drafts of a store."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def keep(self, game: str, power: Power, phase: str, draft: SeatDraft) -> None:
        """Keep the draft in place of the seat's earlier one for the phase; an empty one is forgotten.

        Raises UnknownGame.
        """
        await self._database.write(partial(_keep, game=game, power=power, phase=phase, draft=draft))

    async def take_out(
        self, game: str, power: Power, phase: str, *, has_written: bool, has_ordered: bool
    ) -> None:
        """Take out of the seat's draft what was sent: its messages, its orders with the vote, or all of it."""
        seat = {"game": game, "power": power, "phase": phase}
        work = partial(take_out, **seat, has_written=has_written, has_ordered=has_ordered)
        await self._database.write(work)

    async def of(self, game: str, power: Power, phase: str) -> SeatDraft:
        """The seat's draft for the phase; an empty one where none is kept. Raises DamagedRow."""
        return (await self.of_seat(game, power)).get(phase, SeatDraft())

    async def of_seat(self, game: str, power: Power) -> dict[str, SeatDraft]:
        """All of the seat's drafts, by phase; raises DamagedRow."""
        return await self._database.read(partial(_of_seat, game=game, power=power))


def take_out(
    connection: Connection, *, game: str, power: Power, phase: str, has_written: bool, has_ordered: bool
) -> None:
    """As `Drafts.take_out`, within the transaction of `connection`."""
    draft = _of_seat(connection, game=game, power=power).get(phase, SeatDraft())
    written = {"messages": ()} if has_written else {}
    ordered = {"orders": (), "draw": None} if has_ordered else {}
    left = draft.model_copy(update=written | ordered)
    if left != draft:
        _keep(connection, game=game, power=power, phase=phase, draft=left)


def _of_seat(connection: Connection, *, game: str, power: Power) -> dict[str, SeatDraft]:
    seat = (DRAFTS.c.game == game, DRAFTS.c.power == power)
    return {row.phase: draft_of_row(row) for row in connection.execute(select(DRAFTS).where(*seat))}


def _keep(connection: Connection, *, game: str, power: Power, phase: str, draft: SeatDraft) -> None:
    game_row(connection, game=game)
    if draft.is_empty:
        key = (DRAFTS.c.game == game, DRAFTS.c.power == power, DRAFTS.c.phase == phase)
        connection.execute(delete(DRAFTS).where(*key))
        return
    values = {"game": game, "power": power, "phase": phase, "body": draft.model_dump_json()}
    row = insert_into(connection.dialect.name, DRAFTS).values(values)
    connection.execute(
        row.on_conflict_do_update(index_elements=["game", "power", "phase"], set_={"body": row.excluded.body})
    )


@read_by(DRAFTS)
def draft_of_row(row: Row[Any]) -> SeatDraft:
    """The draft of a row."""
    return SeatDraft.model_validate_json(row.body)
