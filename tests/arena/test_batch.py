"""Batches: who sits where in which game, and what cannot be played is one sentence with its line."""

import asyncio
from collections import Counter
from pathlib import Path

import pytest
from sqlalchemy import Table, update

from checkpoints.store import Store, open_store
from checkpoints.tables import CHECKPOINTS, TURNS
from entente.arena import Batch, BatchGame, run_batch
from entente.errors import GameHeld, SettingsError
from entente.games.runner import RunEnd
from entente.games.spending import spending_of
from entente.models.client import Connections
from entente.models.mock.server import mock_server
from entente.players.bundle import Bundle
from entente.players.protocol import Reply
from entente.players.seating import Chair, Seating
from graph.context import GameSettings
from tests.support.players import Cast
from tests.support.terminal import entente

SEATED = GameSettings(
    floor="gunboat",
    max_year=1901,
    seats={"FRANCE": "dumbbot", "turkey": "tactician"},
    everyone="random",
    seat_models={"TURKEY": {"temperature": 0.5}},
)


class Door:
    """Players who wait before it, once one of them has come."""

    def __init__(self) -> None:
        self.reached, self.opened = asyncio.Event(), asyncio.Event()

    def __call__(self, chair: Chair) -> "Door":
        del chair
        return self

    async def take_turn(self, bundle: Bundle, /) -> Reply:
        del bundle
        self.reached.set()
        await self.opened.wait()
        return Reply([])


def players(game: BatchGame) -> list[str]:
    return [game.game.settings.seat(power) for power in game.sits_at]


def test_in_each_next_game_everybody_sits_one_power_further_on_and_every_seed_is_played_in_all_rotations() -> (
    None
):
    plan = Batch(game=SEATED, games=14, rotate=True).plan()
    assert [each.game.settings.seed for each in plan] == [42] * 7 + [43] * 7
    for seed in (plan[:7], plan[7:]):
        where = Counter((seat, power) for each in seed for seat, power in each.sits_at.items())
        assert len(where) == 49
    for each in plan:
        settings = each.game.settings
        assert settings.seats[each.sits_at["FRANCE"]] == "dumbbot"
        assert settings.seats[each.sits_at["TURKEY"]] == "tactician"
        assert settings.seat_models == {each.sits_at["TURKEY"]: {"temperature": 0.5}}
        assert Counter(players(each)) == {"random": 5, "dumbbot": 1, "tactician": 1}
    assert plan[0].sits_at["TURKEY"] == "TURKEY"
    assert plan[1].sits_at == dict(zip(plan[0].sits_at, [*[*plan[0].sits_at][1:], "AUSTRIA"], strict=True))
    assert len({each.game.id for each in plan}) == 14


def test_seats_that_do_not_rotate_stay_and_every_game_has_the_next_seed() -> None:
    plan = Batch(game=SEATED, games=3).plan()
    assert [each.game.settings.seed for each in plan] == [42, 43, 44]
    assert all(each.sits_at == {power: power for power in each.sits_at} for each in plan)


def test_more_games_and_other_ways_to_reach_a_model_leave_the_ids_as_they_are() -> None:
    def ids(batch: Batch) -> list[str]:
        return [each.game.id for each in batch.plan()]

    seated = GameSettings(everyone="openai:mock@http://127.0.0.1:1/v1", models={"temperature": 0})
    reached = seated.model_copy(update={"models": {"temperature": 0, "concurrency": 99, "budget_usd": 1}})
    first = ids(Batch(game=seated, games=2))
    assert ids(Batch(game=reached, games=4, parallel=3, budget_tokens=9))[:2] == first
    warmer = seated.model_copy(update={"models": {"temperature": 1}})
    assert not {*first} & {*ids(Batch(game=warmer, games=2))}


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("games: 2\nparalel: 3\n", "line 2: A batch has no 'paralel'; did you mean parallel?"),
        ("gaems: 2\n", "line 1: A batch has no 'gaems'; did you mean games?"),
        (
            "games: 999999999999\n",
            "line 1: A batch cannot have 999999999999 for 'games'; it takes an integer from 1 to 100000",
        ),
        (f"games: 2 #{'x' * 2**20}\n", "it has more than 1,048,576 characters"),
        ("parallel: 3\n", "A batch needs 'games'; it takes an integer from 1 to"),
        (
            "parallel: 1\ngames: none\n",
            "line 2: A batch cannot have 'none' for 'games'; it takes an integer from 1",
        ),
        ("games: 0\n", "line 1: A batch cannot have 0 for 'games'; it takes an integer from 1"),
        (
            "games: 2\ngame: france\n",
            "line 2: The settings of a game were wanted as a table and 'france' came",
        ),
        ("games: 2\ngame:\n  roundz: 1\n", "line 3: There is no setting roundz; did you mean rounds?"),
        ("games: 2\ngame:\n  seats:\n    France: dumbot\n", "line 4: A player of human"),
        (
            "games: 2\ngame: {everyone: hold, seats: {NARNIA: hold}}\n",
            "line 2: A seat is wanted for 'NARNIA'",
        ),
        (
            "games: 2\ngame:\n  seat_models:\n    FRANCE:\n      warmth: 1\n",
            "line 5: There is no model setting 'warmth'",
        ),
        (
            "games: 1\ngame:\n  seats:\n    france: hold\n    FRANCE: hold\n",
            "line 5: The setting game.seats.FRANCE was given in line 4 already",
        ),
        ("games: 2\ngame: {floor: gunboat,\n  rounds: 2}\n", "line 3: The setting rounds has no effect"),
        ("games: 2\ngame:\n  seats: {FRANCE: human}\n", "line 3: A program was wanted for each seat"),
        ("games: 2\nrotate: true\n", "line 2: Different players were wanted for seats that rotate"),
        ("- games\n", "The settings of a batch were wanted and cannot be read (it is no table"),
        ("games: [\n", "line 2: The settings of a batch were wanted and cannot be read"),
    ],
)
def test_what_is_wrong_in_a_batch_is_one_sentence_with_its_line(tmp_path: Path, text: str, told: str) -> None:
    file = tmp_path / "batch.yaml"
    file.write_text(text)
    ran = entente("arena", "run", str(file), "--store", str(tmp_path / "store"))
    assert (ran.code, ran.out, ran.err.count("\n")) == (2, "", 1), ran
    assert ran.err.startswith(f"entente: {file}")
    assert told in ran.err


def test_leaders_do_not_rotate() -> None:
    led = SEATED.model_copy(update={"leaders": {"FRANCE": {"name": "X"}}})
    with pytest.raises(SettingsError, match="Seats that rotate have no leaders"):
        Batch(game=led, games=2, rotate=True)._check_rotation(led.seats)


async def test_the_report_has_every_game_and_every_player_once(memory_store: Store) -> None:
    ran = await run_batch(memory_store, Batch(game=SEATED, games=7, rotate=True, parallel=3), Cast())
    report = ran.report
    assert (report.planned, report.finished, report.failed, report.is_paused, ran.exit_code) == (
        7,
        7,
        0,
        False,
        0,
    )
    assert [row.player for row in report.seats] == ["random", "dumbbot", "tactician"]
    assert [row.games for row in report.seats] == [35, 7, 7]
    assert sum(row.centers * row.games for row in report.seats) == sum(
        seat.centers for game in report.games for seat in game.seats
    )
    for game in report.games:
        assert sum(seat.score for seat in game.seats) == pytest.approx(1)
        assert sum(seat.share for seat in game.seats) == pytest.approx(1)
    again = await run_batch(memory_store, Batch(game=SEATED, games=7, rotate=True), Cast())
    assert again.report.seats == report.seats
    assert all(game.was_over for game in again.report.games)


@pytest.mark.parametrize("table", [CHECKPOINTS, TURNS])
async def test_a_game_that_is_damaged_has_failed_and_the_others_are_played(
    tmp_path: Path, table: Table
) -> None:
    async with mock_server() as server, Connections() as connections:
        players, seats = Seating(connections, {}), {"FRANCE": f"openai:mock@{server.url}"}
        game = GameSettings(floor="gunboat", max_year=1901, seats=seats, everyone="hold")
        batch = Batch(game=game, games=3, parallel=1)
        first, *others = (each.game.id for each in batch.plan())
        hurt = update(table).where(table.c.get("game", table.c.get("thread")) == first).values(body=b"")
        async with open_store(str(tmp_path)) as store:
            await run_batch(store, batch.model_copy(update={"games": 1}), players)
            await store.library.database.write(lambda connection: connection.execute(hurt) and None)
        async with open_store(str(tmp_path)) as store:
            ran = await run_batch(store, batch, players)
    ended = {each.game: each for each in ran.report.games}
    assert "is damaged" in ended[first].reason
    assert [ended[other].end for other in others] == [RunEnd.FINISHED] * 2
    assert (ran.report.finished, ran.report.failed, ran.exit_code) == (2, 1, 3)


async def test_a_batch_with_a_budget_is_not_run_twice_at_a_time(shared_location: str) -> None:
    """Each run would count what it spends itself, and both together twice what may be spent."""
    game = GameSettings(floor="gunboat", max_year=1901, seats={"FRANCE": "random"}, everyone="hold")
    door = Door()
    async with open_store(shared_location) as here, open_store(shared_location) as elsewhere:
        running = asyncio.create_task(run_batch(here, Batch(game=game, games=2, budget_tokens=9), door))
        await door.reached.wait()
        for more in (2, 3):
            with pytest.raises(GameHeld, match=r"another run plays of it .* would spend the budget twice"):
                await run_batch(elsewhere, Batch(game=game, games=more, budget_tokens=9), Cast())
        door.opened.set()
        assert (await running).report.finished == 2
        again = await run_batch(elsewhere, Batch(game=game, games=2, budget_tokens=9), Cast())
        assert all(each.was_over for each in again.report.games)


async def test_a_batch_with_a_budget_has_no_crew_whose_calls_nobody_counts(memory_store: Store) -> None:
    batch = Batch(game=GameSettings(crew="openai:gpt-5-mini", everyone="hold"), games=1, budget_usd=1)
    with pytest.raises(SettingsError, match="whose calls no batch's budget counts") as refused:
        await run_batch(memory_store, batch)
    assert refused.value.setting == ("game", "crew")
    assert await memory_store.library.games() == []


async def test_one_budget_is_for_all_games_and_no_call_is_paid_for_twice(memory_store: Store) -> None:
    async def tokens_kept() -> int:
        totals = [
            (await spending_of(memory_store, each.id)).total for each in await memory_store.library.games()
        ]
        return sum(total.prompt_tokens + total.completion_tokens for total in totals)

    async with mock_server() as server, Connections() as connections:
        players = Seating(connections, {})
        seats = {"FRANCE": f"openai:mock@{server.url}"}
        game = GameSettings(floor="gunboat", max_year=1902, seats=seats, everyone="hold")
        await run_batch(memory_store, Batch(game=game, games=1), players)
        tokens = await tokens_kept()
        two_and_a_half = Batch(game=game, games=3, parallel=2, budget_tokens=5 * tokens // 2)
        ran = await run_batch(memory_store, two_and_a_half, players)
        assert (ran.report.is_paused, ran.exit_code, ran.report.games[0].was_over) == (True, 4, True)
        assert "the batch has used" in next(each.reason for each in ran.report.games if each.reason)
        # What a call will cost is guessed when it is made; the budget is kept as near as those on their way allow.
        assert await tokens_kept() < 3 * tokens
        more = two_and_a_half.model_copy(update={"budget_tokens": 9 * tokens})
        report = (await run_batch(memory_store, more, players)).report
        assert [each.end for each in report.games] == [RunEnd.FINISHED] * 3
        assert sum(row.tokens for row in report.seats) == await tokens_kept()
        assert sum(row.calls for row in report.seats) == len(server.requests)
