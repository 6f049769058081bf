"""Forks: at a phase, a round, a turn; what came before stands, what comes after is the fork's own."""

from collections.abc import AsyncGenerator, Sequence
from functools import partial
from pathlib import Path
from typing import NamedTuple

import pytest
from pydantic import JsonValue

from checkpoints.store import Store
from entente.errors import SettingsError, UnknownMoment
from entente.games.digest import journal_digest
from entente.games.feed import events_after
from entente.games.forks import fork_game
from entente.games.line import records_on_line
from entente.games.runner import GameMaster, RunEnd, Standing
from entente.players.moments import Moment, moment_of
from entente.players.record import TurnRecord
from tests.support.answers import an_order
from tests.support.copied import copy_of, fill
from tests.support.floors import settings_for
from tests.support.leaders import RENARD
from tests.support.players import Cast

CONDUCTED = {"floor": "conductor", "max_year": 1901}


class Played(NamedTuple):
    """A game that has been played as far as it goes, alone in its store."""

    store: Store
    master: GameMaster
    original: Standing


async def played(store: Store, **settings: object) -> tuple[GameMaster, Standing]:
    master = GameMaster(store)
    values = settings_for({"everyone": "diplomat", "rounds": 2, "max_year": 1902}, settings)
    return master, await master.run(await master.begin(values))


@pytest.fixture(scope="module")
def in_rounds(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("rounds") / "store"
    fill(folder, played)
    return folder


@pytest.fixture(scope="module")
def conducted(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("conducted") / "store"
    fill(folder, partial(played, **CONDUCTED))
    return folder


@pytest.fixture
async def finished(in_rounds: Path, tmp_path: Path) -> AsyncGenerator[Played]:
    """Two years of seven diplomats, in rounds."""
    async with copy_of(in_rounds, tmp_path / "copy") as store:
        yield await played_in(store)


@pytest.fixture
async def conducted_to_its_end(conducted: Path, tmp_path: Path) -> AsyncGenerator[Played]:
    """A year of seven diplomats, on the conductor's floor."""
    async with copy_of(conducted, tmp_path / "copy") as store:
        yield await played_in(store)


async def played_in(store: Store) -> Played:
    (game,) = await store.library.games()
    master = GameMaster(store)
    return Played(store, master, await master.look(game.id))


async def digest(store: Store, standing: Standing) -> str:
    return await journal_digest(store.journal, standing.game, standing.state)


@pytest.mark.parametrize(
    "at",
    ["S1901M", "F1901M", "F1901M.2", "F1901M.orders", "F1901M.1.GERMANY", "F1901M.orders.ITALY", "S1902M"],
)
async def test_a_fork_with_the_same_seats_replays_the_same_game(finished: Played, at: str) -> None:
    store, master, original = finished
    before = await digest(store, original)
    fork = await fork_game(store, original.game, at, {})
    replayed = await master.run(fork)
    assert replayed.end is RunEnd.FINISHED
    assert await digest(store, replayed) == before


async def test_a_fork_leaves_the_original_as_it_was(store: Store) -> None:
    master, original = await played(store, max_year=1901)
    before = await digest(store, original)
    await master.run(await fork_game(store, original.game, "F1901M", {"FRANCE": "hold"}))
    now = await master.look(original.game)
    assert now.state == original.state
    assert await digest(store, now) == before


async def test_a_moment_that_went_with_a_deleted_game_is_told_so(finished: Played) -> None:
    store, master, original = finished
    fork = (await master.run(await fork_game(store, original.game, "F1901M", {}))).game
    await store.library.delete(original.game)
    with pytest.raises(
        UnknownMoment, match=f"before S1901M has been deleted with game {original.game}, from which"
    ):
        await fork_game(store, fork, "S1901M", {})


async def test_a_fork_at_a_turn_keeps_that_turn_and_those_before_it(finished: Played) -> None:
    store, _, original = finished
    cast = Cast()
    fork = await fork_game(store, original.game, "F1901M.2.GERMANY", {})
    await GameMaster(store, cast).run(fork)
    asked = [b.power for b in cast.seen if (str(b.board.phase), b.round) == ("F1901M", 2)]
    assert asked == ["ITALY", "RUSSIA", "TURKEY"]


async def test_a_fork_may_seat_others(finished: Played) -> None:
    store, master, original = finished
    fork = await fork_game(store, original.game, "F1901M.orders", {"FRANCE": "human"})
    standing = await master.run(fork)
    assert [(seat.power, seat.phase, seat.ask) for seat in standing.pending] == [
        ("FRANCE", "F1901M", "orders")
    ]
    records = await records_on_line(store.journal, fork, standing.state)
    assert {record.phase for record in records} == {"S1901M", "F1901M"} | {
        record.phase for record in records if record.phase[-1] == "R"
    }


async def test_a_fork_keeps_its_games_leaders_also_where_somebody_else_sits(memory_store: Store) -> None:
    master, original = await played(memory_store, seats={"FRANCE": "diplomat"}, leaders={"FRANCE": RENARD})
    led = (await memory_store.library.settings(original.game)).leaders
    assert led["FRANCE"]["name"] == RENARD["name"]
    fork = await fork_game(memory_store, original.game, "F1901M", {})
    taken_over = await fork_game(memory_store, original.game, "F1901M", {"FRANCE": "human"})
    for each in (fork, taken_over):
        assert (await memory_store.library.settings(each)).leaders == led
    assert await digest(memory_store, await master.run(fork)) == await digest(memory_store, original)
    (seat,) = (await master.run(taken_over)).pending
    assert RENARD["name"] in seat.view.leader


async def test_a_fork_of_a_fork_reaches_back_before_the_first_one(finished: Played) -> None:
    store, master, original = finished
    fork = await fork_game(store, original.game, "S1902M", {})
    again = await fork_game(store, fork, "F1901M", {})
    assert await digest(store, await master.run(again)) == await digest(store, original)


@pytest.mark.parametrize(
    ("at", "said"),
    [
        ("1901", "A moment such as S1903M"),
        ("S1950M", "S1950M came; nothing was done"),
        ("S1901M.9", "no such round"),
        ("S1901M.9", "orders: S1901M.9 was wanted and there are S1901M.1, S1901M.2, S1901M.orders; nothing"),
        ("S1901M.diary", "S1901M.diary was wanted and there are S1901M.1, S1901M.2, S1901M.orders;"),
        ("S1901M.1.PRUSSIA", "PRUSSIA has no turn"),
    ],
)
async def test_a_moment_that_is_not_there_makes_nothing(finished: Played, at: str, said: str) -> None:
    store, _, original = finished
    with pytest.raises(UnknownMoment, match=said):
        await fork_game(store, original.game, at, {})
    assert len(await store.library.games()) == 1


async def test_a_round_that_is_yet_to_come_is_told_from_one_that_never_was(memory_store: Store) -> None:
    _, original = await played(memory_store, seats={"FRANCE": "human"})
    with pytest.raises(UnknownMoment, match=r"orders yet: S1901M\.2 was wanted and there is S1901M\.1;"):
        await fork_game(memory_store, original.game, "S1901M.2", {})


async def test_an_unknown_player_in_a_fork_makes_nothing(finished: Played) -> None:
    store, _, original = finished
    with pytest.raises(SettingsError):
        await fork_game(store, original.game, "S1901M", {"FRANCE": "nobody"})
    assert len(await store.library.games()) == 1


async def test_a_pruned_game_says_that_its_past_is_gone(store: Store) -> None:
    _, original = await played(store, max_year=1901)
    await store.library.prune(original.game)
    with pytest.raises(UnknownMoment, match="pruned"):
        await fork_game(store, original.game, "S1901M", {})


def test_moments_are_read_in_any_case() -> None:
    assert Moment.parse(" s1903m.2.france ") == Moment("S1903M", "talk", 2, "FRANCE")
    assert Moment.parse("S1903M.orders") == Moment("S1903M", "orders", 0, None)
    assert Moment.parse("S1903M.1.FRANCE.2") == Moment("S1903M", "talk", 1, "FRANCE", 2)


async def turns_of(store: Store, standing: Standing, phase: str) -> list[TurnRecord]:
    records = await records_on_line(store.journal, standing.game, standing.state)
    return [record for record in records if isinstance(record, TurnRecord) and record.phase == phase]


def contents(turns: Sequence[TurnRecord]) -> list[tuple[object, ...]]:
    return [(t.power, t.round, t.actions, t.messages, t.orders, t.waking) for t in turns]


@pytest.mark.parametrize("at", ["S1901M", "S1901M.1", "F1901M"])
async def test_a_fork_of_a_conducted_game_replays_it(conducted_to_its_end: Played, at: str) -> None:
    store, master, original = conducted_to_its_end
    replayed = await master.run(await fork_game(store, original.game, at, {}))
    assert await digest(store, replayed) == await digest(store, original)


@pytest.mark.parametrize(
    ("at", "wake"), [("F1901M.1.FRANCE.2", 2), ("F1901M.1.GERMANY.1", 1), ("F1901M.1.ITALY", None)]
)
async def test_a_fork_at_a_waking_keeps_what_was_kept_before_it_and_goes_on(
    conducted_to_its_end: Played, at: str, wake: int | None
) -> None:
    store, _, original = conducted_to_its_end
    before = await turns_of(store, original, "F1901M")
    power = at.split(".")[2]
    last = max(
        place
        for place, turn in enumerate(before)
        if turn.power == power and (wake is None or (turn.waking is not None and turn.waking.wake == wake))
    )
    cast = Cast()
    master = GameMaster(store, cast)
    standing = await master.run(await fork_game(store, original.game, at, {}))
    assert standing.end is RunEnd.FINISHED
    after = await turns_of(store, standing, "F1901M")
    assert contents(after[: last + 1]) == contents(before[: last + 1])
    kept = {(turn.power, turn.round) for turn in before[: last + 1]}
    asked = {(b.power, b.wake) for b in cast.seen if str(b.board.phase) == "F1901M" and b.wake}
    assert not kept & asked
    assert asked


async def test_a_person_who_takes_over_at_a_waking_orders_anew_and_what_was_said_stands(
    conducted_to_its_end: Played,
) -> None:
    store, _, original = conducted_to_its_end
    master = GameMaster(store)
    fork = await fork_game(store, original.game, "F1901M.1.FRANCE.2", {"FRANCE": "human"})
    standing = await master.run(fork)
    assert [(seat.power, seat.phase, seat.ask) for seat in standing.pending] == [("FRANCE", "F1901M", "open")]
    assert "FRANCE" not in standing.state["orders"]
    said = [m for t in await turns_of(store, standing, "F1901M") for m in t.messages if m.sender == "FRANCE"]
    assert said
    standing = await master.answer(fork, {standing.pending[0]: an_order(standing.pending[0])})
    assert "FRANCE" not in {seat.power for seat in standing.pending if seat.phase == "F1901M"}


async def test_people_of_a_conducted_game_are_asked_anew_in_its_fork(memory_store: Store) -> None:
    people = {"FRANCE": "human", "ITALY": "human"}
    master, original = await played(memory_store, **CONDUCTED, seats=people)
    words: JsonValue = {"messages": [{"to": "GERMANY", "text": "peace?"}], "orders": ["A PAR H"]}
    original = await master.answer(original.game, {original.pending[0]: words})
    assert [seat.power for seat in original.pending] == ["FRANCE", "ITALY"]
    cast = Cast()
    again = GameMaster(memory_store, cast)
    first = await again.run(await fork_game(memory_store, original.game, "S1901M.1.GERMANY", {}))
    assert [(seat.power, seat.ask) for seat in first.pending] == [("FRANCE", "open"), ("ITALY", "open")]
    assert "FRANCE" not in first.state["orders"]
    # The second stretch begins with what FRANCE has said, and with its orders.
    second = await again.run(await fork_game(memory_store, original.game, "S1901M.2.GERMANY", {}))
    assert "FRANCE" in second.state["orders"]
    assert "peace?" in [m.content for t in await turns_of(memory_store, second, "S1901M") for m in t.messages]


async def log_of(store: Store, standing: Standing) -> list[tuple[str, TurnRecord]]:
    """All turns that led to here, each with the name of its moment."""
    records = await records_on_line(store.journal, standing.game, standing.state)
    turns = [record for record in records if isinstance(record, TurnRecord)]
    return [(str(moment_of(turn)), turn) for turn in turns]


async def begins_with(store: Store, fork: str) -> list[TurnRecord]:
    """All turns that a fork stands with before it is run."""
    master = GameMaster(store)
    standing = await master.look(fork)
    turns = [turn for _, turn in await log_of(store, standing)]
    known = {turn.segment for turn in turns}
    opened = [segment.id for segment in await store.journal.segments(fork) if segment.id not in known]
    return [*turns, *await store.journal.turns(fork, sorted(opened, key=lambda name: ".diary" not in name))]


def said_and_done(turns: Sequence[TurnRecord]) -> list[tuple[object, ...]]:
    """In one order whoever handed in its orders first: they are given at once."""
    key = [(t.phase, t.stage, t.power, t.round, t.actions, t.messages, t.orders) for t in turns]
    return sorted(key, key=lambda each: each[:4] if each[1] == "orders" else each[:1])


@pytest.mark.parametrize("floor", ["rounds", "conductor"])
async def test_every_moment_that_the_log_names_is_one_to_fork_at_and_a_turns_fork_begins_with_it(
    memory_store: Store, floor: str
) -> None:
    cast = Cast(diaries={"tit-for-tat": lambda _: "Dear diary"})
    master = GameMaster(memory_store, cast)
    seats = {"FRANCE": "human", "GERMANY": "human", "TURKEY": "tit-for-tat", "AUSTRIA": "tit-for-tat"}
    settings = settings_for({"rounds": 2}, {"floor": floor, "seats": seats, "max_year": 1902})
    standing = await master.run(await master.begin(settings))
    words: JsonValue = {"messages": [{"to": "ITALY", "text": "peace?"}]}
    while standing.pending and standing.state["phase"] != "F1902M":
        seat = standing.pending[0]
        has_spoken = seat.ask == "orders" or (seat.ask == "open" and seat.round > 1)
        standing = await master.answer(standing.game, {seat: an_order(seat) if has_spoken else words})
    log = await log_of(memory_store, standing)
    assert {turn.stage for _, turn in log} == {"talk", "diary", "orders"}
    assert {turn.player for _, turn in log} == {"human", "diplomat", "tit-for-tat"}
    last = {name: place for place, (name, turn) in enumerate(log) if not turn.is_note}
    events = (await events_after(memory_store, standing.game, 0, "OPERATOR", 10_000)).events
    named = {event.moment for event in events}
    assert named >= last.keys() | {"S1901M", "F1901M", "S1902M"}
    for name in sorted(named):
        assert str(Moment.parse(name)) == name
        fork = await fork_game(memory_store, standing.game, name, {})
        if name in last:
            expected = said_and_done([turn for _, turn in log[: last[name] + 1]])
            assert said_and_done(await begins_with(memory_store, fork)) == expected, name


@pytest.mark.parametrize("floor", ["rounds", "conductor"])
async def test_a_fork_at_a_persons_answer_goes_on_from_there(memory_store: Store, floor: str) -> None:
    people = {"FRANCE": "human", "ITALY": "human"}
    master, asked = await played(memory_store, floor=floor, seats=people)
    words: JsonValue = {"messages": [{"to": "GERMANY", "text": "peace?"}]}
    original = await master.answer(asked.game, {asked.pending[0]: words})
    if floor == "rounds":
        original = await master.answer(asked.game, {asked.pending[1]: words})
    fork = await master.run(await fork_game(memory_store, original.game, "S1901M.1.FRANCE", {}))
    waits = [(seat.power, seat.round) for seat in fork.pending]
    assert waits == ([("ITALY", 1)] if floor == "rounds" else [("FRANCE", 2), ("ITALY", 2)])
    if floor == "rounds":
        fork = await master.answer(fork.game, {fork.pending[0]: words})
    assert await digest(memory_store, fork) == await digest(memory_store, original)
