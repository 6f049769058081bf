"""Who may write to a thread's checkpoints, looked up in the very transaction that writes.

A thread that is a game of the journal is written to by the run that holds the game, and by others only while
nobody does; whoever goes on with it must go on from its newest checkpoint. So a run that was stopped for longer than
its lease, and wakes after another has played on, changes nothing.
"""

from typing import NamedTuple

from sqlalchemy import Connection, bindparam, func, select

from checkpoints.lease import Hold, Leases, held_by, lease_lost
from checkpoints.tables import CHECKPOINTS, GAMES, LEASES
from checkpoints.threads import Place
from entente.errors import ClockBehind, LeaseLost


class Asker(NamedTuple):
    """A run that writes to a place."""

    place: Place
    hold: Hold | None
    """The lease of the context in which it asked to."""


class _Found(NamedTuple):
    is_game: bool
    newest: str | None
    """The newest checkpoint of the place; None: it has none."""


class Fence:
    """The fence before the checkpoints of one database; raises GameHeld, LeaseLost and ClockBehind."""

    def __init__(self, leases: Leases) -> None:
        self._leases = leases
        self._game = select(GAMES.c.game).where(GAMES.c.game == bindparam("thread"))
        self._newest = select(func.max(CHECKPOINTS.c.id)).where(
            CHECKPOINTS.c.thread == bindparam("thread"), CHECKPOINTS.c.namespace == bindparam("namespace")
        )
        # The lease is locked, so that it cannot change hands before the commit (Postgres; SQLite has one writer).
        self._held = (
            select(self._game.scalar_subquery(), self._newest.scalar_subquery())
            .where(LEASES.c.game == bindparam("thread"), LEASES.c.token == bindparam("token"))
            .with_for_update(read=True)
        )

    def check_checkpoint(
        self, connection: Connection, asker: Asker, checkpoint: str, parent: str | None, source: str
    ) -> None:
        """Refuse a checkpoint that goes on (`loop`) from another than the newest; all others branch on purpose."""
        if source != "loop":
            # LangGraph may write the input of a run beside the run's first step, which has a lease of its own. Input
            # that goes on from an earlier checkpoint is another run's: it would end the one whose step this is.
            goes_on = connection.scalar(self._newest, asker.place._asdict()) in (parent, checkpoint)
            self._find(connection, asker, is_step=source == "input" and goes_on)
            return
        found = self._find(connection, asker, is_step=True)
        if found.newest == checkpoint:  # kept again
            return
        # LangGraph makes ids of the time and reads them in their order: this one would never be found again.
        if found.newest is not None and checkpoint < found.newest == parent:
            raise ClockBehind(
                f"The clock of this machine is behind the one by which game {asker.place.thread} was last played; "
                "nothing was written, and all finished turns are kept. Set the clock, or go on when it has caught up."
            )
        # Of a thread that is no game it is enough to know that it was not deleted.
        if found.newest != parent if found.is_game else parent and found.newest is None:
            raise _gone_on(asker.place)

    def check_writes(self, connection: Connection, asker: Asker, checkpoint: str) -> None:
        """Refuse what a task has written for an earlier checkpoint than the newest.

        A later one is on its way: LangGraph need not wait for a checkpoint before it begins with its tasks.
        """
        found = self._find(connection, asker, is_step=True)
        if found.newest is None or (found.is_game and checkpoint < found.newest):
            raise _gone_on(asker.place)

    def check_newest(self, connection: Connection, place: Place, checkpoint: str) -> None:
        """Refuse to go on from an earlier checkpoint than the newest."""
        newest = connection.scalar(self._newest, place._asdict())
        if newest is not None and checkpoint < newest:
            raise _gone_on(place)

    def _find(self, connection: Connection, asker: Asker, *, is_step: bool) -> _Found:
        place, hold = asker
        if hold is None:
            return self._find_without_lease(connection, place, is_step=is_step)
        row = connection.execute(self._held, {**place._asdict(), "token": hold.token}).one_or_none()
        if row is None:
            raise lease_lost(place.thread)
        return _Found(row[0] is not None, row[1])

    def _find_without_lease(self, connection: Connection, place: Place, *, is_step: bool) -> _Found:
        holder = self._leases.standing(connection, place.thread)
        # Between its steps a run that was started without a lease has none in its context.
        if holder is not None and not (is_step and self._leases.is_of_a_step(holder.token)):
            raise held_by(place.thread, holder)
        # Locked, so that two who hold no lease cannot both go on from the same checkpoint (Postgres).
        game = connection.execute(self._game.with_for_update(), place._asdict()).one_or_none()
        return _Found(game is not None, connection.scalar(self._newest, place._asdict()))


def _gone_on(place: Place) -> LeaseLost:
    return LeaseLost(
        f"Another run has gone on with game {place.thread}, or deleted it, since this one read it;"
        " nothing was written."
    )
