"""Damage to a store, done behind its back."""

from sqlalchemy import Connection, delete

from checkpoints.store import Store
from checkpoints.tables import THREAD


async def lose_checkpoints(store: Store, game: str) -> None:
    """Delete all checkpoints of the game; its journal stays."""

    def lose(connection: Connection) -> None:
        for table in THREAD:
            connection.execute(delete(table).where(table.c.thread == game))

    await store.library.database.write(lose)
