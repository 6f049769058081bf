"""The routes for whoever runs all games of the store: to begin and to fork them."""

from fastapi import APIRouter

from entente.web.access import Act, Read
from entente.web.house import Here
from entente.web.new_games import Begun, Fork, Form, NewGame, begun, check_players, form, settings_of

router = APIRouter(prefix="/at/{link}")


@router.get("/form")
async def new_game_form(visitor: Read) -> Form:
    """What a new game can be set up with; for whoever runs all games."""
    visitor.check_runs_all()
    return form()


@router.post("/games", status_code=201)
async def begin(visitor: Act, given: NewGame, here: Here) -> Begun:
    """Make a game, and a link for each person's seat, told this once; `run` plays it. For whoever runs all games."""
    visitor.check_runs_all()
    return await begun(here.store, await here.host.begin(settings_of(given)))


@router.post("/games/{game}/fork", status_code=201)
async def fork(visitor: Act, game: str, given: Fork, here: Here) -> Begun:
    """Make a game that goes on from a moment of this one, which stays as it is. For whoever runs all games."""
    visitor.check_runs_all()
    check_players(given.seats)
    return await begun(here.store, await here.host.fork(game, given.at, given.seats))
