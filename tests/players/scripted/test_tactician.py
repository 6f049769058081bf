"""The tactician and its search, with a game that shows its strength; `benchmarks.bots` measures it on many."""

import asyncio
import random

import pytest

from entente.board.engine import Board
from entente.board.victory import score
from entente.players.actions import SubmitOrders
from entente.players.roster import make_player
from entente.players.scripted.search import Search, settled
from tests.support.table import board_at, make_bundle, new_game, play, western_war

MIDGAME = western_war()


async def orders_of(board: Board, power: str, seed: str = "test") -> set[str]:
    reply = await make_player("tactician").take_turn(make_bundle(board, power, seed=seed, press=False))
    return {line for action in reply.actions if isinstance(action, SubmitOrders) for line in action.orders}


@pytest.mark.parametrize("seed", ["a", "b", "c"])
async def test_it_attacks_with_support_where_one_unit_alone_would_bounce(seed: str) -> None:
    board = board_at(
        "F1904M",
        {"FRANCE": ["A BUR", "A PIC", "A MUN"], "GERMANY": ["A BEL"]},
        {"FRANCE": ["PAR", "MAR", "BRE", "MUN"], "GERMANY": ["BEL", "HOL"]},
    )
    orders = await orders_of(board, "FRANCE", seed)
    assert orders & {"A PIC S A BUR - BEL", "A BUR S A PIC - BEL"}, orders
    assert orders & {"A BUR - BEL", "A PIC - BEL"}, orders


async def test_a_search_goes_from_good_to_better_and_others_run_meanwhile() -> None:
    search = Search(MIDGAME.position, "FRANCE", random.Random("seed"))
    openings = search.openings()
    steps = [*search.improve(openings[0])]
    worths = [forecast.worth for forecast in steps]
    assert [f.worth for f in openings] == sorted((f.worth for f in openings), reverse=True)
    assert worths[0] == openings[0].worth < worths[-1]
    assert worths == sorted(worths)
    turns = 0

    async def others() -> None:
        nonlocal turns
        while True:
            turns += 1
            await asyncio.sleep(0)

    beside = asyncio.create_task(others())
    best = await settled(search.improve(openings[0]))
    beside.cancel()
    assert best == steps[-1]
    assert turns >= len(MIDGAME.position.units["FRANCE"])


async def test_it_retreats_and_builds_where_it_is_worth_most() -> None:
    fleeing = board_at(
        "F1904R", {"GERMANY": ["A BUR"]}, {"FRANCE": ["PAR"]}, {"FRANCE": {"A MUN": ("BOH", "KIE")}}
    )
    assert await orders_of(fleeing, "FRANCE") == {"A MUN R KIE"}
    building = board_at("W1904A", {"FRANCE": ["A SPA"]}, {"FRANCE": ["PAR", "SPA"], "GERMANY": ["MUN"]})
    assert await orders_of(building, "FRANCE") == {"A PAR B"}


async def test_three_of_them_have_most_of_a_game_with_four_dumbbots() -> None:
    seats = ("FRANCE", "TURKEY", "GERMANY")
    game = new_game("standard", "1")
    players = {p: make_player("tactician" if p in seats else "dumbbot") for p in game.board.powers}
    await play(game, players, years=4)
    assert score(game.board.position, seats) > 1 / 2
    assert game.faults == []
