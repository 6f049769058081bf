"""The routes for whoever runs games: to begin and to fork them, and to seat somebody for people who are away."""

from fastapi import APIRouter

from entente.games.roles import seat_of
from entente.web.access import Act, Read
from entente.web.bodies import Away, Back
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


@router.post("/games/{game}/away", status_code=204)
async def away(visitor: Act, game: str, given: Away, here: Here) -> None:
    """Have a scripted player stand in for a person who is away, and play on; for whoever runs the game."""
    await here.host.hand_over(visitor.operated(game), given.power, given.player)


@router.post("/games/{game}/back", status_code=204)
async def back(visitor: Act, game: str, given: Back, here: Here) -> None:
    """Give a seat back to its person, and play on; for that person and whoever runs the game."""
    if seat_of(visitor.reader) != given.power:
        visitor.operated(game)
    await here.host.give_back(visitor.check_scope(game), given.power)
