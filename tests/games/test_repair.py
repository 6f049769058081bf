"""A game whose checkpoints are lost goes on from its journal, wherever it stood, and nobody is asked twice."""

import asyncio
from collections import Counter
from pathlib import Path

import pytest
from langgraph.runtime import RunControl

from checkpoints.store import Store, open_store
from entente.errors import DamagedRow
from entente.games.digest import state_digest
from entente.games.line import records_on_line
from entente.games.repair import repair_game
from entente.games.runner import GameMaster, RunEnd
from entente.players.bundle import Bundle
from entente.players.protocol import Player, Reply
from entente.players.record import TurnRecord
from entente.players.roster import make_player
from entente.players.seating import Chair
from graph.context import GameSettings
from tests.support.damage import lose_checkpoints
from tests.support.driver import scripted_answers
from tests.support.terminal import entente, games_in


class Counting:
    """Seats scripted players, counts the turns that they take, and pauses the run before each of some of them."""

    def __init__(self) -> None:
        self.asked: Counter[tuple[object, ...]] = Counter()
        self.control = RunControl()
        self.pause_at = 0

    def __call__(self, chair: Chair) -> Player:
        return _Counted(self, make_player(chair.player))


class _Counted:
    def __init__(self, counting: Counting, player: Player) -> None:
        self._counting = counting
        self._player = player

    async def take_turn(self, bundle: Bundle, /) -> Reply:
        place = (str(bundle.board.phase), bundle.round, bundle.wake, bundle.power, len(bundle.rejected))
        self._counting.asked[place] += 1
        if self._counting.asked.total() == self._counting.pause_at:
            self._counting.control.request_drain("the test")
        return await self._player.take_turn(bundle)


SETTINGS = {
    "rounds": GameSettings(seats={"FRANCE": "human"}, rounds=2, max_year=1901),
    "conductor": GameSettings(
        seats={"FRANCE": "human"}, floor="conductor", max_wakes=3, debounce_ms=0, max_year=1901
    ),
    "gunboat": GameSettings(floor="gunboat", max_year=1902),
}


async def _end(store: Store, settings: GameSettings, pause_at: int, *, is_lost: bool) -> tuple[object, ...]:
    """How the game ends that is stopped at this turn, and whenever a person is asked; its checkpoints are lost then."""
    counting = Counting()
    counting.pause_at = pause_at
    master = GameMaster(store, counting)
    game = await master.begin(settings)
    standing = await master.run(game, control=counting.control)
    while standing.end is not RunEnd.FINISHED:
        if is_lost:
            await lose_checkpoints(store, game)
            with pytest.raises(DamagedRow, match="the journal, which goes on after it"):
                await master.look(game)
            assert await repair_game(store, game)
            standing = await master.run(game)
        standing = await (
            master.answer(game, scripted_answers(standing)) if standing.pending else master.run(game)
        )
    if is_lost:
        await lose_checkpoints(store, game)
        assert await repair_game(store, game)
        standing = await master.run(game)
    assert max(counting.asked.values()) == 1
    records = await records_on_line(store.journal, game, standing.state)
    # Not their numbers: a stretch of talk that was paused goes on, where another would have begun.
    said = [(each.phase, each.power, each.actions) for each in records if isinstance(each, TurnRecord)]
    return state_digest(standing.state), said


@pytest.mark.parametrize("pause_at", [1, 9, 25])
@pytest.mark.parametrize("floor", SETTINGS)
async def test_a_repaired_game_goes_on_and_nobody_is_asked_twice(
    memory_store: Store, floor: str, pause_at: int
) -> None:
    whole = await _end(memory_store, SETTINGS[floor], pause_at, is_lost=False)
    assert await _end(memory_store, SETTINGS[floor], pause_at, is_lost=True) == whole


async def test_a_game_is_repaired_in_any_store(shared_location: str) -> None:
    async with open_store(shared_location) as store:
        await _end(store, SETTINGS["gunboat"], 3, is_lost=True)


def test_the_command_repairs_what_it_can_and_says_what_it_did(tmp_path: Path) -> None:
    store = str(tmp_path / "store")
    assert (
        entente("play", "--all", "hold", "--floor", "gunboat", "--max-year", "1901", "--store", store).code
        == 0
    )
    (game,) = games_in(store)
    assert entente("repair", store).err == f"Game {game} needs no repair.\n"

    async def lose() -> None:
        async with open_store(store) as opened:
            await lose_checkpoints(opened, game)

    asyncio.run(lose())
    assert entente("selfcheck", store).code == 3
    ran = entente("repair", store, game[:8])
    assert (ran.code, "was repaired and stands in" in ran.out) == (0, True), ran
    assert entente("selfcheck", store).code == 0
    assert "finished" in entente("games", "list", "--store", store).out
