"""A game's events in the order of commits: all of them once, for each reader its own, abandoned futures told apart."""

# LangGraph leaves a type parameter of its own methods open.
# pyright: reportUnknownMemberType=false

import asyncio

import pytest
from sqlalchemy import text

from checkpoints.store import Store
from entente.board.types import Power
from entente.cli.log_work import Wanted, follow_events, read_events
from entente.errors import UnknownGame
from entente.events import Event
from entente.floors.services import services_over
from entente.games.feed import Newsreader, events_after
from entente.games.forks import fork_game
from entente.games.line import records_on_line
from entente.games.runner import GameMaster, Standing, thread_config
from entente.games.stood_in import on_their_lines
from entente.players.projection import events_of
from entente.players.seating import PlayerFactory, players_of_process
from entente.press.mailbox import Reader
from graph.context import GameSettings
from graph.game import compile_game
from tests.support.patience import PATIENCE, until
from tests.support.players import Cast

ALL = Wanted.of([], None, None)
SETTINGS = GameSettings(everyone="diplomat", rounds=1, max_year=1901)


async def _played(store: Store, settings: GameSettings = SETTINGS) -> Standing:
    master = GameMaster(store)
    return await master.run(await master.begin(settings))


async def _all_events(store: Store, game: str, reader: Reader, limit: int) -> list[Event]:
    found: list[Event] = []
    sequence, has_more = 0, True
    while has_more:
        events, sequence, has_more, _ = await events_after(store, game, sequence, reader, limit)
        found += events
    return found


@pytest.mark.parametrize("reader", ["OPERATOR", "PUBLIC", "FRANCE"])
async def test_pages_of_any_size_are_every_event_of_the_reader_once_and_in_order(
    memory_store: Store, reader: Reader
) -> None:
    standing = await _played(memory_store)
    records = await records_on_line(memory_store.journal, standing.game, standing.state)
    ordered = sorted(records, key=lambda record: record.sequence)
    expected = [event for record in ordered for event in events_of(record, reader)]
    assert len({event.id for event in expected}) == len(expected) > 0
    for limit in (1, 3, 1000):
        assert await _all_events(memory_store, standing.game, reader, limit) == expected
    times = [event.at for event in expected]
    assert None not in times
    assert times == sorted(filter(None, times))


async def _replayed_from(
    store: Store, game: str, phase: str, node: str = "negotiate", players: PlayerFactory | None = None
) -> Standing:
    """The game after time travel: played to its end once more from the beginning of a phase, in the same thread."""
    graph = compile_game(services_over(store, players or players_of_process()), store.saver)
    history = [snapshot async for snapshot in graph.aget_state_history(thread_config(game))]
    before = next(s for s in history if s.values.get("phase") == phase and s.next == (node,))
    settings = GameSettings.model_validate((await store.library.summary(game)).settings)
    await graph.ainvoke(None, before.config | {"recursion_limit": 1000}, context=settings, durability="sync")
    return await GameMaster(store).look(game)


async def test_what_an_abandoned_future_has_left_is_committed_and_not_on_the_line(
    memory_store: Store,
) -> None:
    first = await _played(memory_store)
    game, before = first.game, await memory_store.journal.newest()
    assert await read_events(memory_store, game, "OPERATOR", ALL) == await _all_events(
        memory_store, game, "OPERATOR", 1000
    )
    second = await _replayed_from(memory_store, game, "F1901M")
    assert second.state["history"] != first.state["history"]
    every = await _all_events(memory_store, game, "OPERATOR", 1000)
    line = await read_events(memory_store, game, "OPERATOR", ALL)
    phases = [event.phase for event in line if event.kind == "phase"]
    assert phases == ["S1901M", "F1901M", *phases[2:]]
    assert len(set(phases)) == len(phases)
    assert [event for event in every if event.sequence > before] == [
        event for event in line if event.phase != "S1901M"
    ]
    assert {event.id for event in every} == {event.id for event in line}
    assert len(every) > len(line)
    followed = [event async for event in follow_events(memory_store, game, "OPERATOR", ALL)]
    assert followed == line


async def test_lists_tell_no_stand_in_of_an_abandoned_future(store: Store) -> None:
    """The seat failed in the future that was abandoned, and played by itself in the one that stands."""
    cast = Cast({"bots:Silent": lambda _: []})
    master = GameMaster(store, cast)
    values = {"seats": {"TURKEY": "bots:Silent"}, "everyone": "hold", "floor": "gunboat", "max_year": 1901}
    game = await master.begin(GameSettings.model_validate({**values, "on_failure": "hold"}))

    async def listed() -> dict[str, dict[Power, tuple[str, ...]]]:
        return await on_their_lines(store, await store.library.stand_ins())

    cast.failing = {"TURKEY"}
    await master.run(game)
    assert await listed() == {game: {"TURKEY": ("hold",)}}
    cast.failing = set()
    await _replayed_from(store, game, "S1901M", "order", cast)
    assert {turn.power for turn in (await store.library.stand_ins())[game]} == {"TURKEY"}
    assert await listed() == {game: {}}


async def _following(store: Store, game: str, seen: list[Event]) -> None:
    seen += [event async for event in follow_events(store, game, "OPERATOR", ALL)]


async def test_a_follower_of_a_game_in_play_is_told_everything_once_and_ends_with_it(
    memory_store: Store,
) -> None:
    master = GameMaster(memory_store)
    game = await master.begin(SETTINGS)
    early, late = list[Event](), list[Event]()
    async with asyncio.timeout(PATIENCE), asyncio.TaskGroup() as group:
        group.create_task(_following(memory_store, game, early))  # before there is a board
        running = asyncio.create_task(master.run(game))
        await memory_store.journal.wait_after(game, 20)  # in the midst of a step
        group.create_task(_following(memory_store, game, late))
        await running
    assert early == late == await read_events(memory_store, game, "OPERATOR", ALL)


async def test_a_follower_is_told_what_the_step_in_play_had_committed_before(memory_store: Store) -> None:
    """A seat fails in the middle of a round, and the step stays where it was: its turns are on no line yet."""
    cast = Cast(failing={"TURKEY"})
    master = GameMaster(memory_store, cast)
    game = await master.begin(SETTINGS.model_copy(update={"everyone": "dumbbot", "timing": "sequential"}))
    with pytest.raises(Exception, match="the line is dead"):
        await master.run(game)
    assert await read_events(memory_store, game, "OPERATOR", ALL) == []
    told = list[Event]()
    async with asyncio.timeout(PATIENCE), asyncio.TaskGroup() as group:
        group.create_task(_following(memory_store, game, told))
        cast.failing.clear()
        await master.run(game)
    assert told[0].moment == "S1901M.1.AUSTRIA"
    assert told == await read_events(memory_store, game, "OPERATOR", ALL)


async def _somebody_waits(store: Store) -> bool:
    return bool(store.library.database.changes._waiting)


async def test_who_follows_a_game_that_is_deleted_is_told(memory_store: Store) -> None:
    game = await GameMaster(memory_store).begin(SETTINGS)
    following = asyncio.create_task(_following(memory_store, game, []))
    await until(lambda: _somebody_waits(memory_store))
    await memory_store.library.delete(game)
    with pytest.raises(UnknownGame):
        await following


async def test_a_fork_keeps_what_was_committed_before_its_turn_whatever_the_names(
    memory_store: Store,
) -> None:
    standing = await _played(memory_store)
    await memory_store.library.database.write(lambda connection: connection.execute(text(_FRANCE_WAS_LAST)))
    cast = Cast()
    fork = await fork_game(memory_store, standing.game, "S1901M.1.FRANCE", {})
    await GameMaster(memory_store, cast).run(fork)
    assert [b.power for b in cast.seen if (str(b.board.phase), b.round) == ("S1901M", 1)] == []


_FRANCE_WAS_LAST = """
    UPDATE turns SET sequence = 1000000 WHERE power = 'FRANCE'
    AND sequence = (SELECT min(sequence) FROM turns WHERE power = 'FRANCE')
    """


async def test_a_game_is_over_for_its_followers_once_its_state_says_so_too(memory_store: Store) -> None:
    """The last checkpoint is written after the last commit; who looks in between would see a game that is played."""
    master = GameMaster(memory_store)
    standing = await _played(memory_store, SETTINGS.model_copy(update={"seats": {"FRANCE": "human"}}))
    newsreader = Newsreader(memory_store, standing.game)
    async with memory_store.leases.hold(standing.game):
        await memory_store.journal.set_progress(standing.game, phase="S1901M", status="finished")
    news = await newsreader.read()
    assert (news.seen.is_over, news.is_last) == (True, False)
    assert news.records
    while standing.pending:
        (seat,) = standing.pending
        standing = await master.answer(standing.game, {seat: {}})
    while not (news := await newsreader.read()).is_last:
        await newsreader.wait()
    assert (await newsreader.read()).records == []
