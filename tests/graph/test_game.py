"""Whole games on the compiled graph, over real stores, with scripted players."""

from collections.abc import Callable
from typing import cast

import pytest
from langgraph.runtime import RunControl

from checkpoints.store import Store
from entente.board.engine import load_geography
from entente.errors import NewerSchema, PlayerError
from entente.games.digest import journal_digest, state_digest
from entente.games.line import records_on_line
from entente.games.runner import GameMaster, RunEnd, Standing
from entente.players.actions import Action, SubmitOrders, VoteDraw
from entente.players.bundle import Bundle
from entente.players.record import NoticeKind, TurnRecord
from graph.context import GameSettings
from graph.state import GameState, settings_of
from tests.support.floors import settings_for
from tests.support.players import Cast, say


def short(**settings: object) -> GameSettings:
    return settings_for({"everyone": "dumbbot", "max_year": 1901, "rounds": 1}, settings)


async def turns_of(store: Store, standing: Standing) -> list[TurnRecord]:
    records = await records_on_line(store.journal, standing.game, standing.state)
    return [record for record in records if isinstance(record, TurnRecord)]


async def play(store: Store, settings: GameSettings, cast: Cast | None = None) -> Standing:
    master = GameMaster(store, cast or Cast())
    return await master.run(await master.begin(settings))


async def test_a_game_is_played_to_its_last_year(store: Store) -> None:
    standing = await play(store, short(everyone="diplomat"))
    assert standing.end is RunEnd.FINISHED
    assert standing.state["status"] == "finished"
    outcome = standing.state["outcome"]
    assert outcome is not None
    assert outcome["kind"] == "max_year"
    assert len(outcome["winners"]) == 7
    assert any(turn.messages for turn in await turns_of(store, standing))


async def test_the_same_seed_gives_the_same_game_in_every_store(store: Store, memory_store: Store) -> None:
    settings = short(everyone="diplomat", rounds=2)
    here, there = await play(store, settings), await play(memory_store, settings)
    assert state_digest(here.state) == state_digest(there.state)
    assert await journal_digest(store.journal, here.game, here.state) == await journal_digest(
        memory_store.journal, there.game, there.state
    )


async def test_another_seed_gives_another_game(memory_store: Store) -> None:
    games = [await play(memory_store, short(everyone="random", seed=seed)) for seed in (1, 2)]
    assert state_digest(games[0].state) != state_digest(games[1].state)


async def test_sequential_and_simultaneous_rounds_read_alike(memory_store: Store) -> None:
    seen: list[list[tuple[str, int, str, tuple[str, ...]]]] = []
    for timing in ("sequential", "simultaneous"):
        cast_ = Cast()
        await play(memory_store, short(everyone="diplomat", rounds=2, timing=timing), cast_)
        seen.append(
            sorted((str(b.board.phase), b.round, b.power, tuple(m.id for m in b.inbox)) for b in cast_.seen)
        )
    assert seen[0] == seen[1]


async def test_a_message_is_read_in_the_next_round_and_not_in_its_own(memory_store: Store) -> None:
    talk = Cast(
        scripts={"talker": lambda b: [] if b.wants_orders else [say(b.press_allowed[0], f"round {b.round}")]}
    )
    await play(memory_store, short(everyone="talker", rounds=2), talk)
    austria = [b for b in talk.asked("AUSTRIA") if str(b.board.phase) == "S1901M"]
    assert [(b.round, sorted({m.content for m in b.inbox})) for b in austria] == [
        (1, []),
        (2, ["round 1"]),
        (0, ["round 1", "round 2"]),
    ]


async def test_gunboat_asks_nobody_to_talk(memory_store: Store) -> None:
    cast_ = Cast()
    await play(memory_store, short(floor="gunboat"), cast_)
    assert all(bundle.wants_orders and not bundle.press_allowed for bundle in cast_.seen)


async def test_a_failing_seat_pauses_the_game_and_loses_nobody_elses_turn(store: Store) -> None:
    cast_ = Cast(failing={"FRANCE"})
    master = GameMaster(store, cast_)
    game = await master.begin(short())
    with pytest.raises(PlayerError, match=r"FRANCE \(dumbbot\) failed in S1901M: ConnectionError"):
        await master.run(game)
    assert (await store.library.summary(game)).status == "paused"
    assert {bundle.power for bundle in cast_.seen} == {
        "AUSTRIA", "ENGLAND", "FRANCE", "GERMANY", "ITALY", "RUSSIA", "TURKEY",
    }  # fmt: skip
    cast_.seen.clear()
    cast_.failing.clear()
    standing = await master.run(game)
    assert standing.end is RunEnd.FINISHED
    first_round = [b.power for b in cast_.seen if str(b.board.phase) == "S1901M" and b.round == 1]
    assert first_round == ["FRANCE"]


async def test_a_game_is_listed_at_the_phase_in_which_a_seat_failed(memory_store: Store) -> None:
    def fail_in_autumn(bundle: Bundle) -> list[Action]:
        if str(bundle.board.phase) == "F1901M":
            raise ConnectionError("nobody there")
        return []

    master = GameMaster(memory_store, Cast(scripts={"failing": fail_in_autumn}))
    game = await master.begin(short(seats={"TURKEY": "failing"}))
    with pytest.raises(PlayerError, match=r"TURKEY \(failing\) failed in F1901M"):
        await master.run(game)
    summary = await memory_store.library.summary(game)
    assert (summary.phase, summary.status) == ("F1901M", "paused")


async def test_a_drained_run_stops_between_steps_and_goes_on_without_asking_again(store: Store) -> None:
    control = RunControl()

    def drain(bundle: Bundle) -> list[Action]:
        control.request_drain("test")
        return []

    cast_ = Cast(scripts={"stopper": drain})
    master = GameMaster(store, cast_)
    game = await master.begin(short(seats={"TURKEY": "stopper"}))
    standing = await master.run(game, control=control)
    assert standing.end is RunEnd.PAUSED
    asked = [(str(b.board.phase), b.round, b.power) for b in cast_.seen]
    standing = await master.run(game)
    assert standing.end is RunEnd.FINISHED
    asked += [(str(b.board.phase), b.round, b.power) for b in cast_.seen[len(asked) :]]
    assert len(asked) == len(set(asked))


async def test_bad_lines_are_answered_asked_again_once_and_then_defaulted_on_record(
    memory_store: Store,
) -> None:
    def stubborn(bundle: Bundle) -> list[SubmitOrders]:
        return [SubmitOrders(orders=("A PAR - BUR", "A MAR - LON"))]

    cast_ = Cast(scripts={"stubborn": stubborn})
    standing = await play(memory_store, short(seats={"FRANCE": "stubborn"}, floor="gunboat"), cast_)
    spring = [b for b in cast_.asked("FRANCE") if str(b.board.phase) == "S1901M"]
    assert [[v.line for v in b.rejected] for b in spring] == [[], ["A MAR - LON"]]
    turns = [t for t in await turns_of(memory_store, standing) if t.power == "FRANCE" and t.phase == "S1901M"]
    assert [turn.number for turn in turns] == [0, 1]
    assert turns[1].orders == ("A PAR - BUR",)
    kinds = [notice.kind for notice in turns[1].notices]
    assert kinds == [NoticeKind.ORDER_REJECTED, NoticeKind.ORDER_DEFAULTED, NoticeKind.ORDER_DEFAULTED]
    assert [notice.kind for notice in turns[0].notices] == [NoticeKind.ORDER_REJECTED]


def votes_in_talk(bundle: Bundle) -> list[Action]:
    return [] if bundle.wants_orders else [VoteDraw(yes=True)]


def votes_with_orders(bundle: Bundle) -> list[Action]:
    return [VoteDraw(yes=True)] if bundle.wants_orders else []


@pytest.mark.parametrize("floor", ["rounds", "conductor"])
@pytest.mark.parametrize("votes", [votes_in_talk, votes_with_orders])
async def test_a_draw_that_all_survivors_vote_for_ends_the_game(
    memory_store: Store, floor: str, votes: Callable[[Bundle], list[Action]]
) -> None:
    cast_ = Cast(scripts={"peaceful": votes})
    standing = await play(memory_store, short(everyone="peaceful", max_year=1905, floor=floor), cast_)
    outcome = standing.state["outcome"]
    assert outcome is not None
    assert (outcome["kind"], outcome["phase"]) == ("draw", "S1901M")


async def test_a_game_in_which_no_center_moves_ends_in_a_stalemate(memory_store: Store) -> None:
    standing = await play(
        memory_store, short(everyone="hold", max_year=1920, stalemate_years=3, floor="gunboat")
    )
    outcome = standing.state["outcome"]
    assert outcome is not None
    assert outcome["kind"] == "stalemate"
    assert outcome["phase"] == "F1903M"


async def test_running_a_finished_game_changes_nothing(memory_store: Store) -> None:
    master = GameMaster(memory_store)
    game = await master.begin(short())
    done = await master.run(game)
    assert (await master.run(game)).state == done.state


async def test_the_state_stays_small_and_plain(memory_store: Store) -> None:
    standing = await play(memory_store, short(everyone="diplomat", max_year=1903))
    assert standing.state["segments"] == []
    assert len({line.split(":")[0] for line in standing.state["chronicle"]}) <= 1


def test_a_state_of_a_newer_schema_is_left_alone() -> None:
    with pytest.raises(NewerSchema, match="schema 1 and this one has 2"):
        settings_of(cast("GameState", {"schema_version": 2, "settings": {}}))


@pytest.mark.parametrize("map_name", ["ancmed", "modern", "pure", "standard_germany_italy"])
async def test_other_maps_are_played_to_their_end(memory_store: Store, map_name: str) -> None:
    year = load_geography(map_name).first_phase.year
    standing = await play(memory_store, short(map_name=map_name, max_year=year, everyone="dumbbot"))
    assert standing.end is RunEnd.FINISHED
