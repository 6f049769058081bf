"""The deadline of a phase on the conductor's floor: for people too, over resumes, and never silently."""

# LangGraph leaves a type parameter of its own methods open.
# pyright: reportUnknownMemberType=false

from pathlib import Path

import pytest
from langgraph.types import Command
from pydantic import JsonValue

from checkpoints.store import Store
from entente.errors import NotWaiting, PlayerError
from entente.floors.services import services_over
from entente.games.digest import journal_digest
from entente.games.line import records_on_line
from entente.games.runner import GameMaster, RunEnd, Standing, thread_config
from entente.players.record import NoticeKind, TurnRecord
from graph.game import compile_game
from tests.e2e.test_conductor import conducted, turns_of
from tests.support.answers import an_order
from tests.support.players import Cast
from tests.support.terminal import entente, games_in, terminal

PEOPLE = {"FRANCE": "human", "GERMANY": "human"}
ORDERS: dict[str, JsonValue] = {"FRANCE": {"orders": ["A PAR - BUR"]}, "GERMANY": {"orders": ["A MUN - RUH"]}}


class Clock:
    """A clock that stands still until it is moved."""

    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now


async def begun(
    store: Store, clock: Clock, cast: Cast | None = None, **settings: object
) -> tuple[GameMaster, str]:
    master = GameMaster(store, cast or Cast(), clock)
    values = {"everyone": "dumbbot", "seats": PEOPLE, "deadline_seconds": 60} | settings
    return master, await master.begin(conducted(**values))


async def late_in(store: Store, standing: Standing, phase: str) -> set[str]:
    turns = await turns_of(store, standing)
    return {t.power for t in turns for n in t.notices if t.phase == phase and n.kind is NoticeKind.LATE}


async def orders_in(store: Store, standing: Standing, phase: str) -> set[str]:
    played = await store.journal.phases(standing.game, standing.state["history"])
    return {r.order for each in played for r in each.results if each.phase == phase and not r.is_default}


async def test_a_phase_is_closed_without_a_person_whose_time_is_over(store: Store) -> None:
    clock = Clock()
    master, game = await begun(store, clock)
    standing = await master.run(game)
    assert standing.until == 1060
    clock.now = 1050
    standing = await master.answer(game, {standing.pending[0]: ORDERS["FRANCE"]})
    assert (standing.until, [seat.power for seat in standing.pending]) == (1060, ["GERMANY"])
    clock.now = 1059
    assert (await master.run(game)).state["phase"] == "S1901M"
    clock.now = 1060
    standing = await master.run(game)
    assert (standing.end, standing.state["phase"], standing.until) == (RunEnd.WAITING, "F1901M", 1120)
    assert await late_in(store, standing, "S1901M") == {"GERMANY"}
    orders = await orders_in(store, standing, "S1901M")
    assert "A PAR - BUR" in orders
    assert "A MUN - RUH" not in orders


async def test_an_answer_that_comes_too_late_is_refused_and_the_phase_is_closed(memory_store: Store) -> None:
    clock = Clock()
    master, game = await begun(memory_store, clock)
    standing = await master.run(game)
    clock.now += 61
    with pytest.raises(NotWaiting, match=r"FRANCE's answer for S1901M .* its time was over"):
        await master.answer(game, {standing.pending[0]: ORDERS["FRANCE"]})
    standing = await master.look(game)
    assert standing.state["phase"] == "F1901M"
    assert await late_in(memory_store, standing, "S1901M") == {"FRANCE", "GERMANY"}


async def test_so_it_is_under_a_server(memory_store: Store) -> None:
    clock, game = Clock(), "0c1a7f04-0000-4000-8000-00000000000d"
    graph = compile_game(services_over(memory_store, Cast(), clock), memory_store.saver)
    settings = conducted(everyone="dumbbot", seats=PEOPLE, deadline_seconds=60)
    await graph.ainvoke({}, thread_config(game), context=settings)
    asked = (await graph.aget_state(thread_config(game))).interrupts
    clock.now += 60
    await graph.ainvoke(
        Command(resume={asked[0].id: ORDERS["FRANCE"]}), thread_config(game), context=settings
    )
    standing = await GameMaster(memory_store).look(game)
    assert standing.state["phase"] == "F1901M"
    assert await late_in(memory_store, standing, "S1901M") == {"FRANCE", "GERMANY"}
    line = await records_on_line(memory_store.journal, game, standing.state)
    notices = [
        notice.detail for record in line if isinstance(record, TurnRecord) for notice in record.notices
    ]
    assert "FRANCE's answer for S1901M came when its time was over; nothing of it was taken." in notices


async def test_the_time_of_a_pause_does_not_count_and_that_before_it_does(store: Store) -> None:
    clock, cast = Clock(), Cast(failing={"RUSSIA"})
    master, game = await begun(store, clock, cast)
    with pytest.raises(PlayerError):
        await master.run(game)
    clock.now += 10_000
    cast.failing.clear()
    standing = await master.run(game)
    assert standing.until == clock.now + 60
    clock.now += 20
    cast.failing.add("RUSSIA")
    words: JsonValue = {"messages": [{"to": "RUSSIA", "text": "peace?"}]}
    with pytest.raises(PlayerError):
        await master.answer(game, {standing.pending[0]: words})
    clock.now += 10_000
    cast.failing.clear()
    standing = await master.run(game)
    assert (standing.state["phase"], await late_in(store, standing, "S1901M")) == ("S1901M", set())


async def test_a_game_that_only_people_play_has_its_deadlines_too(memory_store: Store) -> None:
    clock = Clock()
    master, game = await begun(memory_store, clock, everyone="human")
    standing = await master.run(game)
    assert (len(standing.pending), standing.until) == (7, 1060)
    clock.now += 30
    standing = await master.answer(game, {standing.pending[2]: an_order(standing.pending[2])})
    assert standing.until == 1060
    clock.now += 30
    standing = await master.run(game)
    assert await late_in(memory_store, standing, "S1901M") == set(standing.state["settings"]["seats"]) - {
        "FRANCE"
    }


async def test_equal_games_with_a_deadline_are_equal_whatever_the_clock_says(memory_store: Store) -> None:
    digests: set[str] = set()
    for now in (0.0, 12345.678):
        clock = Clock()
        clock.now = now
        master, game = await begun(memory_store, clock, everyone="diplomat", seats={})
        standing = await master.run(game)
        digests.add(await journal_digest(memory_store.journal, game, standing.state))
    assert len(digests) == 1


LEFT_OR_ENDED = (6, 0)
"""Ctrl-D while the second phase is open, or its deadline: a busy machine decides which of them comes first."""


def test_the_dialog_ends_by_itself_and_says_that_typed_orders_are_sent_where_they_are(tmp_path: Path) -> None:
    store = str(tmp_path / "store")
    options = ("--all", "hold", "--max-year", "1901", "--seat", "FRANCE=human", "--deadline-seconds", "8")
    with terminal("conductor", *options, "--send-at-deadline", "--store", store) as dialog:
        dialog.expect("FRANCE>")
        dialog.answer("GERMANY: hello", "to GERMANY: hello")
        dialog.answer("A PAR - BUR", "A PAR - BUR: ok")
        shown = dialog.expect("It is F1901M").replace("\r", "")
        assert "Typed orders are sent now. What else is here was not sent, and is kept" in shown
        dialog.expect("FRANCE>")
        dialog.type("\x04")
        assert dialog.exit_code() in LEFT_OR_ENDED
    (game,) = games_in(store)
    assert "A PAR - BUR " in entente("board", game, "--at", "S1901M", "--store", store).out


def test_the_dialog_ends_by_itself_and_shows_what_was_not_sent(tmp_path: Path) -> None:
    store = str(tmp_path / "store")
    options = ("--all", "dumbbot", "--max-year", "1901", "--seat", "FRANCE=human", "--deadline-seconds", "8")
    with terminal("conductor", *options, "--store", store) as dialog:
        assert "You have until " in dialog.expect("FRANCE>")
        dialog.answer("GERMANY: hello", "to GERMANY: hello")
        shown = dialog.expect("It is F1901M")
        told = "The time for S1901M is over. This was not sent, and is kept for your next turn:\nGERMANY: hello\n"
        assert told in shown
        dialog.expect("FRANCE>")
        dialog.type("\x04")
        assert dialog.exit_code() in LEFT_OR_ENDED
    (game,) = games_in(store)
    assert (
        "FRANCE gave no orders within 8 seconds" in entente("log", game, "--operator", "--store", store).out
    )


def test_who_leaves_is_told_until_when_the_phase_is_open(tmp_path: Path) -> None:
    options = ("--all", "dumbbot", "--seat", "FRANCE=human", "--deadline-seconds", "600")
    with terminal("conductor", *options, "--store", str(tmp_path / "store")) as dialog:
        dialog.expect("FRANCE>")
        dialog.type("\x04")
        dialog.expect("S1901M is open until ")
        assert dialog.exit_code() == 6
