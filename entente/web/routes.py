"""The routes of the page's server.

Each is below `/at/LINK`: by which link somebody comes says as whom, so that one browser can show several seats without
taking one for another. The link's token is never part of an address that is asked for: it stands behind the `#`, which
browsers keep to themselves, and the page sends it once.
"""

from importlib.resources import files
from typing import Annotated

from fastapi import APIRouter, Header, Path, Query, Response
from fastapi.responses import FileResponse
from sse_starlette import EventSourceResponse

from checkpoints.drafts import SeatDraft
from entente.board.missing import unordered
from entente.board.orders import read_orders
from entente.board.outline import Outline, outline_of
from entente.errors import NotWaiting
from entente.games.commitments import commitments_for
from entente.games.drafts import draft_of, keep_draft
from entente.games.roles import OPERATOR
from entente.games.runner import standing_of
from entente.games.views import (
    BoardView,
    CenterCount,
    CommitmentLine,
    GameView,
    Question,
    board_view,
    center_counts,
    holder_text,
    question_of,
)
from entente.players.seat_protocol import lines_of
from entente.press.mailbox import Delayed
from entente.web.access import BEAT_SECONDS, Act, LinkId, Read, let_in
from entente.web.bodies import Answer, Draft, GameLine, Lines, Me, OrdersRead, Token
from entente.web.house import Here
from entente.web.seats import SeatLine, seat_lines
from entente.web.stream import begun, told
from graph.state import board_from

STATIC = files("entente.web") / "static"

router = APIRouter(prefix="/at/{link}")


@router.get("", include_in_schema=False)
async def page(link: LinkId) -> FileResponse:
    """The page, which is the same for everybody: what it shows it asks for."""
    del link
    return FileResponse(str(STATIC / "index.html"), media_type="text/html")


@router.post("/enter", status_code=204)
async def enter(link: LinkId, given: Token, response: Response, here: Here) -> None:
    """Come in by the link's token; a cookie says from then on who asks."""
    await let_in(here.access, link, given.token, response)


@router.get("/me")
async def me(visitor: Read) -> Me:
    """As whom the visitor comes."""
    return Me(role=visitor.link.role, game=visitor.link.game, csrf=visitor.csrf)


@router.get("/games")
async def games(visitor: Read, here: Here) -> list[GameLine]:
    """The games that the link opens, oldest first."""
    sees_now = not isinstance(visitor.reader, Delayed)
    opened = (summary for summary in await here.store.library.games() if visitor.opens(summary.id))
    return [
        GameLine(
            game=each.id,
            created_at=each.created_at.isoformat() if each.created_at else None,
            map_name=str(each.settings.get("map_name", "")),
            name=each.name if sees_now else "",
            phase=each.stands_in if sees_now else None,
            status=each.status if sees_now else None,
            played_by=holder_text(each.held_by) if visitor.reader == OPERATOR else None,
            forked_from=each.forked_from if each.forked_from and visitor.opens(each.forked_from) else None,
        )
        for each in opened
    ]


@router.get("/games/{game}")
async def game(visitor: Read, game: str, here: Here) -> GameView:
    """How a game stands, as far as the visitor may know."""
    async with here.feeds.of(visitor.check_scope(game), visitor.reader) as feed:
        return await feed.ready()


@router.get("/games/{game}/board")
async def board(
    visitor: Read, game: str, here: Here, at: Annotated[str | None, Query(max_length=20)] = None
) -> BoardView:
    """The position of a phase, and what became of its orders; the phase in play by default."""
    async with here.feeds.of(visitor.check_scope(game), visitor.reader) as feed:
        return await board_view(here.store, await feed.ready(), at)


@router.get("/games/{game}/centers")
async def centers(visitor: Read, game: str, here: Here) -> list[CenterCount]:
    """How many supply centers each power had in each phase that the visitor has been told of, and has now."""
    async with here.feeds.of(visitor.check_scope(game), visitor.reader) as feed:
        return await center_counts(here.store, await feed.ready())


@router.get("/games/{game}/seats")
async def seats(visitor: Read, game: str, here: Here) -> list[SeatLine]:
    """Who stands in for whom; for whoever runs the game also who is seated, and what models have cost."""
    async with here.feeds.of(visitor.check_scope(game), visitor.reader) as feed:
        await feed.ready()
        return await seat_lines(here.store, game, visitor.reader, feed.events)


@router.get("/games/{game}/commitments")
async def commitments(visitor: Read, game: str, here: Here) -> list[CommitmentLine]:
    """What powers have committed themselves to and what came of it, in the order of making."""
    known = await commitments_for(here.store, visitor.check_scope(game), visitor.reader)
    return [CommitmentLine.of(each) for each in known]


@router.get("/games/{game}/events", response_class=EventSourceResponse)
async def events(
    visitor: Read,
    game: str,
    here: Here,
    after: Annotated[str, Query(max_length=60)] = "",
    last_event_id: Annotated[str, Header(max_length=60)] = "",
) -> EventSourceResponse:
    """What happens in a game, as server-sent events, from the beginning or from a cursor on.

    Unnamed events are `Told`, and their id is the cursor behind them; `view` is how the game stands now; `reset`
    means that the cursor is of a future that was abandoned, and that all is told anew; `end` that the game is over
    and nothing more comes.
    """
    stream = told(here, visitor, visitor.check_scope(game), last_event_id or after)
    return EventSourceResponse(await begun(stream), ping=BEAT_SECONDS)


@router.get("/maps/{map_name}")
async def chart(visitor: Read, map_name: Annotated[str, Path(max_length=40)]) -> Outline:
    """A map's outlines."""
    del visitor
    return outline_of(map_name)


@router.post("/games/{game}/draft", status_code=204)
async def draft(visitor: Act, game: str, given: Draft, here: Here) -> None:
    """Keep what is typed and not sent in the phase in play, for the seat alone; what is sent leaves it by itself."""
    power = visitor.seat()
    standing = await standing_of(here.store, visitor.check_scope(game))
    if given.phase != standing.state.get("phase"):
        raise NotWaiting(
            f"A draft for the phase in play was wanted and one for {given.phase} came; nothing was kept."
        )
    kept = SeatDraft(
        messages=tuple(given.messages), orders=tuple(given.orders), draw=given.draw, begun=given.begun
    )
    await keep_draft(here.store, game, power, given.phase, kept)


@router.get("/games/{game}/seat")
async def seat(visitor: Read, game: str, here: Here) -> Question | None:
    """What the visitor's seat is asked, and all that it may know to answer; null while it is asked nothing."""
    standing = await standing_of(here.store, visitor.check_scope(game))
    asked = await question_of(here.store, standing, visitor.reader)
    if asked is not None:
        asked.draft = await draft_of(here.store, game, asked.view.power, asked.view.phase)
    return asked


@router.post("/games/{game}/orders")
async def read(visitor: Act, game: str, given: Lines, here: Here) -> OrdersRead:
    """What the order reader makes of these lines; nothing is given by that."""
    standing = await standing_of(here.store, visitor.check_scope(game))
    asked = await question_of(here.store, standing, visitor.reader)
    if asked is None:
        raise NotWaiting("The seat is asked nothing at the moment; nothing was read.")
    position, power = board_from(asked.view.board), asked.view.power
    reading = read_orders(position, power, given.lines)
    return OrdersRead(
        verdicts=lines_of(reading.verdicts),
        orders=[str(order) for order in reading.orders],
        left=list(unordered(position, power, reading.orders)),
    )


@router.post("/games/{game}/answer", status_code=204)
async def answer(visitor: Act, game: str, given: Answer, here: Here) -> None:
    """Answer what the visitor's seat is asked; the answer is kept when this returns, and the game goes on."""
    visitor.check_scope(game)
    power = visitor.seat()
    value = given.model_dump(exclude={"question"}, exclude_none=True)
    await here.host.answer(game, power, given.question, value)


@router.post("/games/{game}/run", status_code=204)
async def run(visitor: Act, game: str, here: Here) -> None:
    """Play the game on this server; for whoever runs it."""
    await here.host.run(visitor.operated(game))


@router.post("/games/{game}/pause", status_code=204)
async def pause(visitor: Act, game: str, here: Here) -> None:
    """Pause a game that this server plays; for whoever runs it."""
    await here.host.pause(visitor.operated(game))
