"""Two runs, one game: one plays it, the other says who does and leaves it alone."""

import asyncio
import os
import re
import signal
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import pytest
from langgraph.types import Command

from checkpoints.store import Store
from entente.errors import GameHeld, LeaseLost
from entente.floors.services import services_over
from entente.games.runner import GameMaster, RunEnd, Standing, thread_config
from entente.players.bundle import Bundle
from entente.players.protocol import Player, Reply
from entente.players.seating import Chair
from graph.context import GameSettings
from graph.game import compile_game
from tests.support.piped import Piped
from tests.support.players import Cast
from tests.support.terminal import entente, json_lines, start


@contextmanager
def long_game(location: str) -> Generator[tuple[str, Piped]]:
    """A game of a hundred years that is being played, and has finished its first phase."""
    settings = ("--all", "dumbbot", "--floor", "gunboat", "--max-year", "2000")
    with start("play", *settings, "--store", location) as process:
        told = ""
        while "S1901M" not in told:
            line = process.stderr.readline()
            assert line, told
            told += line
        found = re.search(r"[0-9a-f]{8}-[0-9a-f-]{27}", told)
        assert found is not None, told
        try:
            yield found[0], process
        finally:
            process.kill()


def test_the_second_process_says_who_holds_the_game_and_leaves_it_alone(shared_location: str) -> None:
    with long_game(shared_location) as (game, first):
        for command in ("resume", "games delete", "games prune"):
            second = entente(*command.split(), game, "--store", shared_location)
            assert second.code == 3, command
            assert f"{first.pid}" in second.err, command
        (listed,) = json_lines(entente("games", "list", "--json", "--store", shared_location).out)
        assert listed["running_by"].keys() == {"host", "pid", "command", "since"}
        assert listed["running_by"]["pid"] == first.pid
        first.send_signal(signal.SIGTERM)
        assert first.wait() == 5
    assert "paused" in entente("games", "show", game, "--store", shared_location).out


async def test_of_two_runs_of_one_process_one_plays_and_no_player_is_asked_twice(store: Store) -> None:
    cast = Cast()
    master = GameMaster(store, cast)
    game = await master.begin(GameSettings(everyone="diplomat", rounds=2, max_year=1901, stalemate_years=0))
    one, other = sorted(
        await asyncio.gather(master.run(game), master.run(game), return_exceptions=True),
        key=lambda ended: isinstance(ended, GameHeld),
    )
    assert isinstance(one, Standing)
    assert one.end is RunEnd.FINISHED
    assert isinstance(other, GameHeld)
    assert f"process {os.getpid()} on" in str(other)
    asked = [(b.board.phase, b.round, b.power, bool(b.rejected)) for b in cast.seen]
    assert len(asked) == len(set(asked))


async def test_of_two_runs_of_the_plain_graph_no_player_is_asked_twice(store: Store) -> None:
    cast = Cast()
    graph: Any = compile_game(services_over(store, cast), store.saver)
    settings = GameSettings(everyone="diplomat", rounds=2, max_year=1901, stalemate_years=0)
    # A number is as good a thread id as any.
    runs = [graph.ainvoke({}, {"configurable": {"thread_id": 7}}, context=settings) for _ in range(2)]
    ended = await asyncio.gather(*runs, return_exceptions=True)
    assert {type(each) for each in ended} <= {dict, GameHeld, LeaseLost}
    standing = await GameMaster(store, cast).run("7")
    assert standing.end is RunEnd.FINISHED
    asked = [(b.board.phase, b.round, b.power, bool(b.rejected)) for b in cast.seen]
    assert len(asked) == len(set(asked))


async def test_input_that_goes_on_from_an_earlier_moment_does_not_end_a_run_that_is_under_way(
    store: Store,
) -> None:
    """A second run begins so that has read the game just before the first one's next checkpoint was written."""
    cast, begun, may_go_on = Cast(), asyncio.Event(), asyncio.Event()

    def seat(chair: Chair) -> Player:
        return _InRoundTwo(cast(chair), begun, may_go_on)

    graph: Any = compile_game(services_over(store, seat), store.saver)
    settings = GameSettings(everyone="diplomat", rounds=2, max_year=1901, stalemate_years=0)
    config = thread_config("earlier")
    first = asyncio.create_task(graph.ainvoke({}, config, context=settings))
    await begun.wait()
    _, earlier, *_ = [each async for each in graph.aget_state_history(config)]
    with pytest.raises(GameHeld):
        await graph.ainvoke({}, earlier.config, context=settings)
    may_go_on.set()
    assert (await first)["status"] == "finished"
    asked = [(b.board.phase, b.round, b.power, bool(b.rejected)) for b in cast.seen]
    assert len(asked) == len(set(asked))


@dataclass(frozen=True)
class _InRoundTwo:
    """A player who says so in the second round, and waits there."""

    player: Player
    begun: asyncio.Event
    may_go_on: asyncio.Event

    async def take_turn(self, bundle: Bundle, /) -> Reply:
        if bundle.round == 2:
            self.begun.set()
            await self.may_go_on.wait()
        return await self.player.take_turn(bundle)


async def test_people_of_the_plain_graph_answer_at_once(store: Store) -> None:
    graph: Any = compile_game(services_over(store, Cast()), store.saver)
    people = {"FRANCE": "human", "ITALY": "human"}
    settings = GameSettings(
        everyone="dumbbot", seats=people, floor="gunboat", max_year=1901, stalemate_years=0
    )
    config = thread_config("people")
    await graph.ainvoke({}, config, context=settings)
    while asked := (await graph.aget_state(config)).interrupts:
        answers: dict[str, Any] = {question.id: {"orders": []} for question in asked}
        await graph.ainvoke(Command(resume=answers), config, context=settings)
    assert (await graph.aget_state(config)).values["status"] == "finished"
