"""Hearing of commits in Postgres; imported only where a store is there, since its driver is an extra."""

import asyncio

from psycopg import AsyncConnection, Error

from checkpoints.changes import Hints
from checkpoints.commit_order import CHANNEL

_CONNECT_SECONDS = 10
_AGAIN_SECONDS = 1.0
"""Before a lost connection is made anew."""
_SILENCE_SECONDS = 10.0
"""Without a notification for so long there is a look all the same: a server can be gone without a word, and some
poolers (PgBouncer between transactions) pass no notifications on."""


async def notifications(url: str) -> Hints:
    """The number of each commit in the database at this URL, and None where some may have been missed."""
    while True:
        try:
            connection = await AsyncConnection.connect(url, autocommit=True, connect_timeout=_CONNECT_SECONDS)
            async with connection:
                await connection.execute(f"LISTEN {CHANNEL}")
                while True:
                    yield None
                    async for told in connection.notifies(timeout=_SILENCE_SECONDS):
                        yield int(told.payload) if told.payload.isdecimal() else None
        except Error:
            yield None  # who looks now learns whether the store is gone, or this connection alone
            await asyncio.sleep(_AGAIN_SECONDS)
