"""What the crew has said is kept once, in the one order of commits, and goes where its game goes."""

import asyncio

import pytest

from checkpoints.store import Store, open_store
from entente.errors import UnknownGame
from entente.players.record import Words
from tests.support.stores import a_call, a_phase, a_segment, a_telling, an_answer, as_made

GAME, OTHER = "0c1a7f04-0000-4000-8000-000000000001", "0c1a9999-0000-4000-8000-000000000002"


async def a_game(store: Store) -> None:
    """Two phases, a future that was abandoned, and what the crew said of each and to FRANCE in between."""
    async with store.leases.hold(GAME):
        await store.journal.create_game(GAME, settings={"seats": {}})
        await store.words.keep(an_answer(GAME, "FRANCE"))
        for name, parent in (("p1", None), ("lost", "p1"), ("p2", "p1")):
            await store.journal.open_segment(a_segment(GAME, f"s-{name}"))
            await store.journal.commit_phase(a_phase(GAME, name, parent, f"s-{name}"), "F1901M")
            await store.words.keep(a_telling(GAME, name))
        await store.words.keep(an_answer(GAME, "ITALY", "p1"))


async def test_words_are_kept_once_whoever_says_them_again(store: Store) -> None:
    await a_game(store)
    first = await store.words.keep(a_telling(GAME, "p3", calls=(a_call(),)))
    both = await asyncio.gather(*(store.words.keep(a_telling(GAME, "p3", content="Else.")) for _ in range(2)))
    assert both == [first, first]
    assert (await store.words.of(GAME))[-1] == first
    assert as_made(first) == a_telling(GAME, "p3", calls=(a_call(),))


async def test_words_have_places_in_the_order_of_commits_and_wake_who_follows(store: Store) -> None:
    await a_game(store)
    page = await store.journal.records_after(GAME, 0)
    said = [record for record in page.records if isinstance(record, Words)]
    assert said == await store.words.of(GAME)
    assert [record.sequence for record in page.records] == sorted({r.sequence for r in page.records})
    waiting = asyncio.create_task(store.journal.wait_after(GAME, page.sequence))
    kept = await store.words.keep(a_telling(GAME, "p3"))
    await waiting
    assert (await store.journal.records_after(GAME, page.sequence)).records == [kept]
    assert kept.at is not None


async def test_another_process_is_told_of_words(shared_location: str) -> None:
    async with open_store(shared_location) as here, open_store(shared_location) as there:
        await a_game(here)
        newest = await there.journal.newest()
        waiting = asyncio.create_task(there.journal.wait_after(GAME, newest))
        kept = await here.words.keep(a_telling(GAME, "p3"))
        await waiting
        assert (await there.journal.records_after(GAME, newest)).records == [kept]


async def test_words_need_no_lease_and_are_of_a_game_that_is_there(store: Store) -> None:
    await a_game(store)
    async with store.leases.hold(GAME):
        await asyncio.create_task(store.words.keep(a_telling(GAME, "p3")))
    await store.library.delete(GAME)
    with pytest.raises(UnknownGame):
        await store.words.keep(a_telling(GAME, "p4"))
    assert await store.words.of(GAME) == []


async def test_a_copy_has_all_that_was_said(store: Store) -> None:
    await a_game(store)
    copy = await store.library.copy(GAME)
    said = [(copy, words.id) for words in await store.words.of(GAME)]
    assert [(words.game, words.id) for words in await store.words.of(copy)] == said


async def test_a_fork_has_what_was_told_of_its_phases_and_no_talk(store: Store) -> None:
    await a_game(store)
    await store.library.fork_rows(GAME, OTHER, settings={}, head="p2")
    assert [(words.game, words.id) for words in await store.words.of(OTHER)] == [
        (OTHER, "p1.narrator"),
        (OTHER, "p2.narrator"),
    ]
