"""Who is let in: a link's token is shown once, and a cookie made from it afterwards.

The cookie is a key made from the token, of which the store has a digest alone, and the CSRF token is signed with it. So
both end with the link: nobody who was let in by one that has expired or was revoked stays, whatever he kept.
"""

import asyncio
import hmac
from typing import Annotated

from fastapi import Depends, Header, Path, Response
from starlette.datastructures import Headers
from starlette.requests import HTTPConnection

from checkpoints.links import Link, Links, key_of
from entente.board.types import Power
from entente.errors import UnknownGame
from entente.games.roles import OPERATOR, reader_of, seat_of
from entente.press.mailbox import Reader
from entente.web.errors import NotAllowed

BEAT_SECONDS = 15
"""How often a silent stream says that it lives, and whatever waits looks whether its link still opens anything."""

_REFUSED = "A link that opens this was wanted and none came, or one that was revoked or has expired."
_NO_CSRF = "The header X-CSRF-Token was wanted as /me tells it, and another or none came; nothing was done."


class Access:
    """The door to the games of one store."""

    def __init__(self, links: Links) -> None:
        self._links = links
        self._reading: asyncio.Task[set[str]] | None = None

    async def check(self, id: str, key: str) -> Link:  # noqa: A002 - the link's own word
        """The link, for the key of its own token; raises NotAllowed."""
        link = await self._links.find(id)
        if link is None or not link.is_opened_by(key):
            raise NotAllowed(_REFUSED)
        return link

    async def is_open(self, id: str) -> bool:  # noqa: A002
        """True as long as the link lets its holder in; all who ask at the same moment share one look at the store."""
        if self._reading is None:
            self._reading = asyncio.create_task(self._open_links())
        return id in await asyncio.shield(self._reading)

    async def _open_links(self) -> set[str]:
        await asyncio.sleep(0)  # whoever is woken by the same commit asks before this reads
        self._reading = None  # and who asks from now on has it read anew
        return await self._links.open_ids()


async def let_in(access: Access, id: str, token: str, response: Response) -> None:  # noqa: A002
    """Put the cookie into the answer by which the token's holder is known from now on; raises NotAllowed."""
    link = await access.check(id, key := key_of(token))
    response.set_cookie(
        _cookie_name(link.id),
        key,
        expires=link.expires_at,
        path=f"/at/{link.id}",
        httponly=True,
        samesite="strict",
    )


class Visitor:
    """Who sends a request."""

    def __init__(self, link: Link, key: str) -> None:
        self.link = link
        self.reader: Reader = reader_of(link.role)
        self.csrf = hmac.digest(key.encode(), b"csrf", "sha256").hex()
        """What every request that changes something has to show: only a page of ours can have read it."""

    def opens(self, game: str) -> bool:
        """True for a game that the link is for."""
        return self.link.game in ("", game)

    def check_scope(self, game: str) -> str:
        """The game's id; raises UnknownGame for one that the link does not open, be it there or not."""
        if not self.opens(game):
            raise UnknownGame("The link opens another game; nothing was shown.")
        return game

    def seat(self) -> Power:
        """The power whose seat the visitor has; raises NotAllowed for who only looks on."""
        power = seat_of(self.reader)
        if power is None:
            raise NotAllowed("A seat's link was wanted and one that only looks on came.", status=403)
        return power

    def operated(self, game: str) -> str:
        """As `check_scope`, for whoever runs the game; raises NotAllowed for all others."""
        if self.reader != OPERATOR:
            raise NotAllowed("The link of whoever runs the game was wanted and another came.", status=403)
        return self.check_scope(game)

    def check_runs_all(self) -> None:
        """Raise NotAllowed for who does not run all games of the store."""
        if self.reader != OPERATOR or self.link.game:
            raise NotAllowed("The link of whoever runs all games was wanted and another came.", status=403)


LinkId = Annotated[str, Path(pattern="^[0-9a-f]{12}$", description="The link's id, as its address has it.")]


async def visitor(link: LinkId, request: HTTPConnection) -> Visitor:
    """Who reads; raises NotAllowed."""
    access: Access = request.app.state.house.access
    key = request.cookies.get(_cookie_name(link), "")
    return Visitor(await access.check(link, key), key)


async def bearer(access: Access, id: str, headers: Headers) -> Visitor:  # noqa: A002
    """Who comes with the link's token in the header `Authorization: Bearer TOKEN`; raises NotAllowed."""
    kind, _, token = headers.get("authorization", "").partition(" ")
    key = key_of(token.strip()) if kind.lower() == "bearer" else ""
    return Visitor(await access.check(id, key), key)


async def actor(
    visitor: Annotated[Visitor, Depends(visitor)], x_csrf_token: Annotated[str, Header()] = ""
) -> Visitor:
    """Who changes something; raises NotAllowed."""
    if not hmac.compare_digest(visitor.csrf.encode(), x_csrf_token.encode("utf-8", "surrogateescape")):
        raise NotAllowed(_NO_CSRF, status=403)
    return visitor


Read = Annotated[Visitor, Depends(visitor)]
Act = Annotated[Visitor, Depends(actor)]


def _cookie_name(id: str) -> str:  # noqa: A002
    return f"entente_{id}"
