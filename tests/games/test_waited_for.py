"""Which programs a game waits for, and since when: told to whoever looks, whichever process plays it."""

import asyncio
import json
import re
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager, redirect_stderr
from dataclasses import dataclass, field
from io import StringIO
from pathlib import Path

import pytest

from checkpoints.store import Store, open_store
from entente.cli import live
from entente.cli.lines import waited_text
from entente.cli.live import Progress, live_view
from entente.cli.output import talk_console
from entente.games.runner import GameMaster
from entente.games.waited_for import Waited, waited_for
from entente.models.mock.plan import Fault, Plan
from entente.models.mock.server import mock_server
from entente.players.actions import SubmitOrders
from entente.players.bundle import Bundle
from entente.players.protocol import Player, Reply
from entente.players.record import TurnRecord
from entente.players.roster import make_player
from entente.players.seating import Chair
from graph.context import GameSettings
from tests.support.patience import until
from tests.support.terminal import entente

SLOW = "bots:Slow"
ON_FLOOR: dict[str, dict[str, object]] = {
    "gunboat": {},
    "rounds": {"rounds": 1},
    "conductor": {"max_wakes": 3},
}


@dataclass
class Slow:
    """A player that answers when it is let; its first orders can be bad ones, given at once."""

    may_answer: asyncio.Event = field(default_factory=asyncio.Event)
    is_asked: asyncio.Event = field(default_factory=asyncio.Event)
    slips: bool = False

    def __call__(self, chair: Chair) -> Player:
        return self if chair.player == SLOW else make_player(chair.player)

    async def take_turn(self, bundle: Bundle, /) -> Reply:
        if self.slips and not bundle.rejected:
            return Reply([SubmitOrders(orders=("A PAR - MOS",))])
        self.is_asked.set()
        await self.may_answer.wait()
        return Reply([SubmitOrders(orders=())] if bundle.wants_orders else [])


@asynccontextmanager
async def played(store: Store, player: Slow, **settings: object) -> AsyncGenerator[str]:
    """A game of one year that is being played, with the player in France and Italy; it is played to its end."""
    seats = {"FRANCE": SLOW, "ITALY": SLOW}
    values = {"seats": seats, "everyone": "hold", "max_year": 1901, **settings}
    master = GameMaster(store, player)
    game = await master.begin(GameSettings.model_validate(values))
    running = asyncio.create_task(master.run(game))
    try:
        yield game
    finally:
        player.may_answer.set()
        await running


async def powers(store: Store, game: str) -> list[str]:
    return [each.power for each in await waited_for(store, game)]


@pytest.mark.parametrize("floor", ON_FLOOR)
async def test_the_programs_that_have_not_answered_are_named_with_since_when(
    shared_location: str, floor: str
) -> None:
    async with open_store(shared_location) as store, open_store(shared_location) as elsewhere:
        async with played(store, Slow(), floor=floor, **ON_FLOOR[floor]) as game:

            async def slow_alone() -> bool:
                return await powers(elsewhere, game) == ["FRANCE", "ITALY"]

            await until(slow_alone)
            held = (await elsewhere.library.glance(game)).held_by
            assert held is not None
            for each in await waited_for(elsewhere, game):
                assert each.player == SLOW
                assert each.since >= held.since.timestamp()
        assert await waited_for(elsewhere, game) == []


async def test_powers_that_think_one_after_the_other_are_waited_for_one_after_the_other(
    memory_store: Store,
) -> None:
    async with played(memory_store, Slow(), floor="gunboat", timing="sequential") as game:

        async def france() -> bool:
            return await powers(memory_store, game) == ["FRANCE"]

        await until(france)


async def test_who_is_asked_once_more_is_waited_for_since_its_first_orders(memory_store: Store) -> None:
    async with played(memory_store, Slow(slips=True), floor="gunboat") as game:

        async def all_have_given_some() -> bool:
            records, *_ = await memory_store.journal.records_after(game, 0)
            return len(records) == 7

        await until(all_have_given_some)
        records, *_ = await memory_store.journal.records_after(game, 0)
        given = {turn.power: turn.at for turn in records if isinstance(turn, TurnRecord)}
        asked = {each.power: each.since for each in await waited_for(memory_store, game)}
        assert asked == {power: given[power] for power in ("FRANCE", "ITALY")}


async def test_nobody_at_a_table_with_people_is_told_who_has_mail(memory_store: Store) -> None:
    player = Slow()
    seats = {"FRANCE": SLOW, "ITALY": "human"}
    async with played(memory_store, player, floor="conductor", seats=seats) as game:
        await player.is_asked.wait()
        assert await waited_for(memory_store, game) == []


async def test_games_show_names_the_model_that_thinks_over_http(tmp_path: Path) -> None:
    location = str(tmp_path / "store")
    plan = Plan(faults=(Fault(kind="hang"),))
    async with mock_server(plan) as server, open_store(location) as store:
        model = f"openai:mock@{server.url}"
        settings = GameSettings(seats={"FRANCE": model}, everyone="hold", floor="gunboat", max_year=1901)
        master = GameMaster(store)
        game = await master.begin(settings)
        running = asyncio.create_task(master.run(game))

        async def is_asked() -> bool:
            return bool(server.requests) and await powers(store, game) == ["FRANCE"]

        await until(is_asked)
        shown = await asyncio.to_thread(entente, "games", "show", game, "--store", location)
        told = await asyncio.to_thread(entente, "games", "show", game, "--json", "--store", location)
        running.cancel()
        await asyncio.gather(running, return_exceptions=True)
    assert re.search(rf"^asked +FRANCE \({re.escape(model)}, \d+ s\)$", shown.out, re.MULTILINE)
    (asked,) = json.loads(told.out)["asked"]
    assert (asked["power"], asked["player"]) == ("FRANCE", model)


@pytest.mark.parametrize(("seconds", "is_told"), [(0.0, True), (3600.0, False)])
async def test_without_a_terminal_a_line_tells_of_long_waits_alone(
    memory_store: Store, monkeypatch: pytest.MonkeyPatch, seconds: float, is_told: bool
) -> None:
    monkeypatch.setattr(live, "_LOOKS_PER_SECOND", 1000)
    monkeypatch.setattr(live, "_LONG_SECONDS", seconds)
    talk_console.cache_clear()
    with redirect_stderr(StringIO()) as err:
        async with played(memory_store, Slow(), floor="gunboat") as game:
            progress = await Progress.of(memory_store, game)
            async with live_view(memory_store, progress):

                async def is_seen() -> bool:
                    return len(progress.waited) == 2

                await until(is_seen)
    talk_console.cache_clear()
    told = rf"^S1901M  waiting for FRANCE \({SLOW}, \d+ s\) and ITALY \({SLOW}, \d+ s\)$"
    assert bool(re.search(told, err.getvalue(), re.MULTILINE)) == is_told
    assert progress.waited == ()


@pytest.mark.parametrize(
    ("seats", "text"),
    [
        ([("FRANCE", "m", 0)], "FRANCE (m, 2 min 10 s)"),
        ([("FRANCE", "m", 70), ("ITALY", "n", 127.4)], "FRANCE (m, 1 min 0 s) and ITALY (n, 3 s)"),
        (
            [("FRANCE", "m", -3600), ("ITALY", "a\x1b[2Jb", 200), ("TURKEY", "n", 130)],
            "FRANCE (m, 1 h 2 min), ITALY (a [2Jb, 0 s) and TURKEY (n, 0 s)",
        ),
    ],
)
def test_who_is_waited_for_is_told_in_words(seats: list[tuple[str, str, float]], text: str) -> None:
    assert waited_text([Waited(*seat) for seat in seats], now=130) == text
