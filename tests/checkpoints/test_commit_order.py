"""There is one order of commits: what was read stays where it is, and what comes later comes behind it."""

import asyncio
from collections.abc import Sequence
from threading import Event
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sqlalchemy import Connection, text

from checkpoints.archive import export_game, import_game
from checkpoints.pages import Page
from checkpoints.store import Store, open_store
from entente.players.record import PhaseRecord, Record, TurnRecord, Words
from tests.checkpoints.holder import holder
from tests.support.patience import PATIENCE, until
from tests.support.stores import a_phase, a_segment, a_turn, as_made

GAME = "0c1a7f04-0000-4000-8000-000000000001"
OTHER = "0c1a7f04-0000-4000-8000-000000000002"
THIRD = "0c1a7f04-0000-4000-8000-000000000003"

Records = Sequence[Record]


async def everything(store: Store, game: str | None = None, *, after: int = 0, limit: int = 100) -> Records:
    """All that was committed after the number, page by page."""
    page, found = Page([], after, has_more=True), list[Record]()
    while page.has_more:
        page = await store.journal.records_after(game, page.sequence, limit)
        assert len(page.records) <= limit
        found += page.records
    return found


def numbers(records: Records) -> list[int]:
    return [record.sequence for record in records]


def names(records: Records) -> list[tuple[str, str]]:
    return [
        (record.id, "") if isinstance(record, PhaseRecord | Words) else record.key[1:3] for record in records
    ]


async def _a_game(store: Store, game: str) -> None:
    """Two phases and a future that was abandoned, with another game's commits between them."""
    async with store.leases.hold(game), store.leases.hold(THIRD):
        await store.journal.create_game(game, settings={"seats": {}})
        for segment in ("s1", "s2", "lost"):
            await store.journal.open_segment(a_segment(game, segment))
            await store.journal.commit_turns([a_turn(game, segment, power) for power in ("ITALY", "FRANCE")])
            await store.journal.commit_turn(a_turn(THIRD, f"{segment} beside {game}", "ITALY"))
            await store.journal.commit_phase(a_phase(game, f"p-{segment}", None, segment), "F1901M")


async def test_turns_that_are_committed_as_one_follow_each_other_in_their_own_order(store: Store) -> None:
    powers = ("TURKEY", "AUSTRIA", "ITALY")
    async with store.leases.hold(GAME):
        first = await store.journal.commit_turn(a_turn(GAME, "s1", "FRANCE"))
        group = await store.journal.commit_turns([a_turn(GAME, "s1", power) for power in powers])
        phase = await store.journal.commit_phase(a_phase(GAME, "p1", None, "s1"), "F1901M")
    assert numbers(group) == [first.sequence + place for place in (1, 2, 3)]
    assert phase.sequence > group[-1].sequence
    assert await everything(store, GAME) == [first, *group, phase]


async def test_a_commit_has_the_time_of_the_journals_clock(store: Store) -> None:
    store.journal._clock = iter((7.5, 8.5)).__next__
    async with store.leases.hold(GAME):
        turn = await store.journal.commit_turn(a_turn(GAME, "s1", "FRANCE"))
        again = await store.journal.commit_turn(a_turn(GAME, "s1", "FRANCE"))
    assert (turn.at, again.at) == (7.5, 7.5)
    assert [turn.at for turn in await store.journal.turns(GAME, ["s1"])] == [7.5]


async def test_a_game_is_read_without_the_others_and_the_store_with_all(store: Store) -> None:
    for game in (GAME, OTHER):
        await _a_game(store, game)
    of_each = [await everything(store, game) for game in (GAME, OTHER, THIRD)]
    assert [len(records) for records in of_each] == [9, 9, 6]
    every = await everything(store)
    assert every == sorted((record for records in of_each for record in records), key=lambda r: r.sequence)
    assert len(set(numbers(every))) == 24
    assert [len(record.messages) for record in every if isinstance(record, TurnRecord)] == [1] * 18


async def test_pages_of_any_size_are_the_same_as_one(store: Store) -> None:
    for game in (GAME, OTHER):
        await _a_game(store, game)
    for game in (GAME, None):
        every = await everything(store, game)
        for limit in (1, 2, 7, len(every), len(every) + 1):
            assert await everything(store, game, limit=limit) == every


async def test_a_reader_goes_on_after_any_number(store: Store) -> None:
    await _a_game(store, GAME)
    every = await everything(store)
    for after in range(every[-1].sequence + 2):
        assert await everything(store, after=after) == [r for r in every if r.sequence > after]


async def test_an_empty_store_has_nothing_and_a_page_of_it_goes_on_where_it_began(store: Store) -> None:
    assert await store.journal.newest() == 0
    assert await store.journal.records_after(None, 5) == ([], 5, False)


async def test_a_page_without_records_goes_on_after_what_concerns_other_games(store: Store) -> None:
    await _a_game(store, GAME)
    page = await store.journal.records_after(OTHER, 0)
    assert page == ([], await store.journal.newest(), False)


async def test_no_number_is_given_twice_though_the_game_that_had_it_is_gone(store: Store) -> None:
    await _a_game(store, GAME)
    before = await store.journal.newest()
    await store.library.delete(GAME)
    assert all(record.game == THIRD for record in await everything(store))
    async with store.leases.hold(OTHER):
        turn = await store.journal.commit_turn(a_turn(OTHER, "s1", "FRANCE"))
    assert turn.sequence > before


async def test_a_commit_that_fails_leaves_no_trace_in_the_order(store: Store) -> None:
    def fail(connection: Connection, number: int) -> None:
        raise ZeroDivisionError

    async with store.leases.hold(GAME):
        first = await store.journal.commit_turn(a_turn(GAME, "s1", "FRANCE"))
        with pytest.raises(ZeroDivisionError):
            await store.library.database.commit(GAME, 5, fail)
        assert await store.journal.newest() == first.sequence


@pytest.mark.parametrize("how", ["copy", "fork", "import"])
async def test_copied_history_is_new_to_the_store_and_keeps_its_order_and_times(
    store: Store, how: str, tmp_path: Any
) -> None:
    await _a_game(store, GAME)
    await _a_game(store, OTHER)
    before, original = await store.journal.newest(), await everything(store, GAME)
    if how == "copy":
        copy = await store.library.copy(GAME)
    elif how == "fork":
        copy, original = "a-fork", [r for r in original if "lost" not in str(names([r]))][:5]
        await store.library.fork_rows(GAME, copy, head="p-s1", segments=["s2"], settings={})
    else:
        await export_game(store.library, GAME, tmp_path / "game.zip")
        copy = await import_game(store.library, tmp_path / "game.zip", game="an-import")
    copied = await everything(store, copy)
    assert names(copied) == names(original)
    assert [record.at for record in copied] == [record.at for record in original]
    assert [as_made(r).model_copy(update={"game": GAME}) for r in copied] == [*map(as_made, original)]
    assert copied == await everything(store, after=before)
    assert all(number > before for number in numbers(copied))
    async with store.leases.hold(copy):
        later = await store.journal.commit_turn(a_turn(copy, "s9", "FRANCE"))
    assert later.sequence > copied[-1].sequence


GAMES = st.sampled_from([GAME, OTHER, THIRD])
COMMITS = st.lists(st.tuples(GAMES, st.integers(1, 3)), max_size=8)


@settings(max_examples=30)
@given(COMMITS, st.integers(1, 5), st.integers(0, 12))
def test_whatever_is_committed_a_reader_gets_all_of_it_after_its_number(
    commits: list[tuple[str, int]], limit: int, after: int
) -> None:
    async def play() -> None:
        async with open_store("memory") as store:
            committed: list[TurnRecord] = []
            for place, (game, count) in enumerate(commits):
                async with store.leases.hold(game):
                    turns = [a_turn(game, "s1", "FRANCE", 10 * place + n) for n in range(count)]
                    committed += await store.journal.commit_turns(turns)
            assert numbers(committed) == sorted(set(numbers(committed)))
            for game in (None, GAME):
                wanted = [t for t in committed if t.sequence > after and game in (None, t.game)]
                assert await everything(store, game, after=after, limit=limit) == wanted

    asyncio.run(play())


@pytest.mark.postgres
async def test_a_higher_number_waits_until_a_lower_one_can_be_read(postgres: Any) -> None:
    """What a sequence of the database would get wrong: 12 is committed, and read, before 11."""
    location, may_commit, has_number = postgres.new_database(), Event(), Event()

    def take_long(connection: Connection, number: int) -> int:
        has_number.set()
        assert may_commit.wait(PATIENCE)
        return number

    async with open_store(location) as slow, open_store(location) as quick, quick.leases.hold(GAME):
        before = await quick.journal.newest()
        first = asyncio.create_task(slow.library.database.commit(OTHER, 1, take_long))
        await asyncio.to_thread(has_number.wait, PATIENCE)
        second = asyncio.create_task(quick.journal.commit_turn(a_turn(GAME, "s1", "FRANCE")))
        await until(lambda: slow.library.database.read(_somebody_waits))
        assert await slow.journal.newest() == before
        may_commit.set()
        assert (await second).sequence == await first + 1


def _somebody_waits(connection: Connection) -> bool:
    return bool(connection.execute(text("SELECT count(*) FROM pg_locks WHERE NOT granted")).scalar_one())


class Committer:
    """Another process that commits turns of a game, one after the other, until it is killed."""

    def __init__(self, location: str, game: str) -> None:
        self._process = holder("commit", location, game)

    async def goes_on(self, turns: int) -> None:
        """Return once it has committed so many more."""
        for _ in range(turns):
            assert await asyncio.to_thread(self._process.stdout.readline)

    def kill(self) -> None:
        with self._process:
            self._process.kill()


async def test_a_follower_sees_each_commit_of_other_processes_once_and_in_order_though_one_is_killed(
    shared_location: str,
) -> None:
    """From number 0 of the whole store, and from the middle of a game."""
    async with open_store(shared_location) as store:
        committers = [Committer(shared_location, game) for game in (GAME, OTHER, THIRD)]
        try:
            await asyncio.gather(*(each.goes_on(5) for each in committers))
            middle = [r for r in await everything(store) if r.game == GAME][2].sequence
            following = [_Follower(store, None, 0), _Follower(store, GAME, middle)]
            async with asyncio.timeout(PATIENCE), asyncio.TaskGroup() as group:
                tasks = [group.create_task(each.follow()) for each in following]
                await asyncio.gather(*(each.goes_on(20) for each in committers))
                committers[0].kill()
                await asyncio.gather(*(each.goes_on(20) for each in committers[1:]))
                for each in committers:
                    each.kill()
                every = await everything(store)
                await following[0].has_reached(every[-1])
                await following[1].has_reached([r for r in every if r.game == GAME][-1])
                for task in tasks:
                    task.cancel()
        finally:
            for each in committers:
                each.kill()
    assert numbers(every) == sorted(set(numbers(every)))
    assert following[0].seen == every
    assert following[1].seen == [r for r in every if r.game == GAME and r.sequence > middle]
    for game in (GAME, OTHER, THIRD):
        turns = [r for r in every if isinstance(r, TurnRecord) and r.game == game]
        assert [turn.number for turn in turns] == [*range(len(turns))]
        assert len(turns) >= 25


class _Follower:
    """Reads what is committed as it comes."""

    def __init__(self, store: Store, game: str | None, sequence: int) -> None:
        self.seen: list[Record] = []
        self._journal = store.journal
        self._game = game
        self._sequence = sequence
        self._has_news = asyncio.Condition()

    async def follow(self) -> None:
        while True:
            await self._journal.wait_after(self._game, self._sequence)
            page = await self._journal.records_after(self._game, self._sequence, limit=3)
            self._sequence = page.sequence
            self.seen += page.records
            async with self._has_news:
                self._has_news.notify_all()

    async def has_reached(self, record: Record) -> None:
        async with self._has_news:
            await self._has_news.wait_for(lambda: record in self.seen[-10:])
