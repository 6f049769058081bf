"""Links: who may come to a game over the page's server, and as whom.

A link has an unguessable token, which is told once. A key is made from it, by which its holder is known once let in,
and the store keeps the key's digest alone: nobody comes in with what the store says.
"""

import hmac
import secrets
import time
import uuid
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from hashlib import sha256
from typing import Any, NamedTuple

from sqlalchemy import Connection, Row, delete, insert, select

from checkpoints.damage import check_types, read_by
from checkpoints.database import Database
from checkpoints.tables import LINKS
from checkpoints.whole_games import game_row
from entente.errors import UnknownLink

_TOKEN_BYTES = 32
_ID_DIGITS = 12


@dataclass(frozen=True, slots=True)
class Link:
    """What a link opens, without its token."""

    id: str
    """Names the link in lists and in addresses; it opens nothing."""
    digest: str
    """Of the key, SHA-256 in hexadecimal digits."""
    game: str
    """Empty for all games of the store."""
    role: str
    """As whom its holder comes; `entente.games.roles` reads it."""
    created_at: datetime
    expires_at: datetime

    def is_opened_by(self, key: str) -> bool:
        """True for the key of the link's own token."""
        return secrets.compare_digest(self.digest, _digest(key))


class NewLink(NamedTuple):
    """A link that was made, and its token, which nobody is told again."""

    link: Link
    token: str


class Links:
    """The links of a store."""

    def __init__(self, database: Database, *, clock: Callable[[], float] = time.time) -> None:
        self._database = database
        self._clock = clock

    async def make(self, game: str, role: str, *, seconds: float) -> NewLink:
        """A new link to the game, or to all games for an empty name, that expires in so many seconds.

        Raises UnknownGame.
        """
        token, now = secrets.token_urlsafe(_TOKEN_BYTES), self._clock()
        row: dict[str, Any] = {
            "id": uuid.uuid4().hex[:_ID_DIGITS],
            "digest": _digest(key_of(token)),
            "game": game,
            "role": role,
            "created_at": now,
            "expires_at": now + seconds,
        }

        def make(connection: Connection) -> Link:
            if game:
                game_row(connection, game=game)
            connection.execute(delete(LINKS).where(LINKS.c.expires_at <= now))
            connection.execute(insert(LINKS).values(row))
            return link_of_row(connection.execute(select(LINKS).where(LINKS.c.id == row["id"])).one())

        return NewLink(await self._database.write(make), token)

    async def all(self) -> list[Link]:
        """Every link that has not expired, the oldest first."""
        now = self._clock()
        living = select(LINKS).where(LINKS.c.expires_at > now).order_by(LINKS.c.created_at, LINKS.c.id)
        rows = await self._database.read(lambda connection: connection.execute(living).all())
        return [link_of_row(row) for row in rows]

    async def open_ids(self) -> set[str]:
        """The ids of those links."""
        living = select(LINKS.c.id).where(LINKS.c.expires_at > self._clock())
        return set(await self._database.read(lambda connection: connection.execute(living).scalars().all()))

    async def find(self, id: str) -> Link | None:  # noqa: A002 - the link's own word
        """The link of this id; None where there is none, or it has expired or was revoked."""
        living = select(LINKS).where(LINKS.c.id == id, LINKS.c.expires_at > self._clock())
        row = await self._database.read(lambda connection: connection.execute(living).one_or_none())
        return None if row is None else link_of_row(row)

    async def revoke(self, id: str) -> None:  # noqa: A002
        """End the link at once, with all who came in by it, and wake who waits for any commit; raises UnknownLink."""
        removed = await self._database.commit(
            "", 1, lambda connection, _: connection.execute(delete(LINKS).where(LINKS.c.id == id)).rowcount
        )
        if not removed:
            raise UnknownLink(f"A link's id was wanted and no link has {id!r}; nothing was revoked.")


def key_of(token: str) -> str:
    """The key that the holder of a token has: what is made from it tells nobody the token."""
    return hmac.digest(token.encode("utf-8", "surrogateescape"), b"link", "sha256").hex()


def _digest(key: str) -> str:
    return sha256(key.encode("utf-8", "surrogateescape")).hexdigest()


@read_by(LINKS)
def link_of_row(row: Row[Any]) -> Link:
    """The link of a row."""
    check_types(LINKS, row)
    created, expires = (datetime.fromtimestamp(at, UTC) for at in (row.created_at, row.expires_at))
    return Link(row.id, row.digest, row.game, row.role, created, expires)
