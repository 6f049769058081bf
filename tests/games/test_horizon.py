"""Nothing is read before its time: a round of press when it is over for all, a phase by the delayed public later."""

import asyncio
from collections.abc import Sequence
from contextlib import aclosing

import pytest
from pydantic import JsonValue

from checkpoints.store import Store
from entente.cli.log_work import Wanted, read_events
from entente.errors import SettingsError
from entente.events import Event, EventKind
from entente.games import Delayed, events_after
from entente.games.feed import follow
from entente.games.reading import press_for, reader_named
from entente.games.runner import GameMaster, RunEnd, Standing
from entente.players.actions import Action
from entente.players.bundle import Bundle
from entente.press.mailbox import Reader
from entente.press.messages import BROADCAST
from graph.context import GameSettings
from tests.support.patience import PATIENCE
from tests.support.players import Cast, say

TALKER = "hold"
ALL = Wanted.of([], None, None)


def talks(bundle: Bundle) -> Sequence[Action]:
    """A word to France, one to Germany and one to all, in each round."""
    to = [power for power in ("FRANCE", "GERMANY", BROADCAST) if power != bundle.power]
    return [] if bundle.wants_orders else [say(power, f"Round {bundle.round}.") for power in to]


def master_over(store: Store) -> GameMaster:
    return GameMaster(store, Cast(scripts={TALKER: talks}))


async def begun(store: Store, **settings: object) -> Standing:
    """A game in which France and Germany are asked in S1901M, each after the programs."""
    values = {"everyone": TALKER, "seats": {"FRANCE": "human", "GERMANY": "human"}, "max_year": 1901}
    master = master_over(store)
    return await master.run(await master.begin(GameSettings.model_validate(values | settings)))


async def rounds_told(store: Store, game: str, reader: Reader) -> set[str]:
    """The moments of all that the reader is told, by each of the doors, which must be the same."""
    page = await events_after(store, game, 0, reader, 10_000)
    log = await read_events(store, game, reader, ALL)
    press = await press_for(store, game, reader)
    assert log == page.events
    assert [sent.message.id for sent in press.messages] == [
        event.data["id"] for event in log if event.kind is EventKind.MESSAGE
    ]
    return {".".join(event.moment.split(".")[:2]) for event in log}


async def answered(store: Store, standing: Standing, *powers: str) -> Standing:
    words: JsonValue = {"messages": [{"to": "ALL", "text": "A word."}]}
    orders: JsonValue = {"orders": []}
    seats = {
        seat: words if seat.ask == "talk" else orders for seat in standing.pending if seat.power in powers
    }
    assert len(seats) == len(powers)
    return await master_over(store).answer(standing.game, seats)


@pytest.mark.parametrize("reader", ["FRANCE", "ITALY", "PUBLIC"])
async def test_a_round_is_told_when_everybody_has_spoken_in_it(memory_store: Store, reader: Reader) -> None:
    standing = await begun(memory_store, rounds=2)
    game = standing.game
    assert await rounds_told(memory_store, game, reader) == set()
    assert await rounds_told(memory_store, game, "OPERATOR") == {"S1901M.1"}
    standing = await answered(memory_store, standing, "FRANCE")
    assert [seat.power for seat in standing.pending] == ["GERMANY"]
    assert await rounds_told(memory_store, game, reader) == set()
    standing = await answered(memory_store, standing, "GERMANY")
    assert await rounds_told(memory_store, game, reader) == {"S1901M.1"}
    standing = await answered(memory_store, standing, "FRANCE", "GERMANY")
    assert {seat.ask for seat in standing.pending} == {"orders"}
    told = await rounds_told(memory_store, game, reader)
    assert told == {"S1901M.1", "S1901M.2", "S1901M.orders"}  # of orders, that they were given
    seat = next(seat for seat in standing.pending if seat.power == "FRANCE")
    if reader == "FRANCE":  # as the seat's own view has it
        press = await press_for(memory_store, game, "FRANCE")
        assert {sent.message.id for sent in press.messages} == {message.id for message in seat.view.press}


async def test_on_the_conductors_floor_press_is_told_at_once(memory_store: Store) -> None:
    standing = await begun(memory_store, floor="conductor", max_wakes=2)
    assert standing.end is RunEnd.WAITING
    assert (await press_for(memory_store, standing.game, "FRANCE")).messages
    assert (await press_for(memory_store, standing.game, "PUBLIC")).messages


async def test_a_follower_is_told_a_round_when_it_is_over_and_everything_once(memory_store: Store) -> None:
    standing = await begun(memory_store, rounds=2)
    told = list[Event]()
    async with asyncio.timeout(PATIENCE), aclosing(follow(memory_store, standing.game, "FRANCE")) as events:
        coming = asyncio.ensure_future(anext(events))
        standing = await answered(memory_store, standing, "FRANCE")
        assert not coming.done()
        standing = await answered(memory_store, standing, "GERMANY")
        told.append(await coming)
        while standing.end is RunEnd.WAITING:
            standing = await answered(memory_store, standing, *(seat.power for seat in standing.pending))
        told += [event async for event in events]
    assert told[0].moment.startswith("S1901M.1.")
    assert told == await read_events(memory_store, standing.game, "FRANCE", ALL)
    assert len({event.id for event in told}) == len(told)


async def test_a_page_that_is_held_goes_on_where_it_stopped(memory_store: Store) -> None:
    standing = await begun(memory_store, rounds=2)
    before = await events_after(memory_store, standing.game, 0, "ITALY")
    assert (before.events, before.has_more, before.is_held) == ([], False, True)
    await answered(memory_store, standing, "FRANCE", "GERMANY")
    after = await events_after(memory_store, standing.game, before.sequence, "ITALY")
    assert [event.moment for event in after.events if event.power == "AUSTRIA"] == ["S1901M.1.AUSTRIA"] * 2


async def test_the_delayed_public_reads_all_press_of_phases_that_are_long_enough_over(
    memory_store: Store,
) -> None:
    standing = await begun(memory_store, rounds=1)
    while standing.state["phase"] != "F1901M":
        standing = await answered(memory_store, standing, *(seat.power for seat in standing.pending))
    game = standing.game
    assert await rounds_told(memory_store, game, Delayed(2)) == set()
    assert await rounds_told(memory_store, game, Delayed(1)) == {"S1901M.1", "S1901M.orders", "S1901M"}
    operators = await press_for(memory_store, game, "OPERATOR")
    delayed = await press_for(memory_store, game, Delayed(1))
    assert delayed.messages == [sent for sent in operators.messages if sent.message.phase == "S1901M"]
    assert any(sent.message.recipient != BROADCAST for sent in delayed.messages)
    kinds = {event.kind for event in await read_events(memory_store, game, Delayed(1), ALL)}
    assert kinds == {EventKind.MESSAGE, EventKind.TALKED, EventKind.ORDERED, EventKind.PHASE}
    while standing.end is RunEnd.WAITING:
        standing = await answered(memory_store, standing, *(seat.power for seat in standing.pending))
    assert await press_for(memory_store, game, Delayed(9)) == await press_for(memory_store, game, "OPERATOR")


async def test_a_power_is_never_delayed(memory_store: Store) -> None:
    standing = await begun(memory_store, rounds=2)
    with pytest.raises(SettingsError, match="Either --power or --delay"):
        await reader_named(memory_store, standing.game, "FRANCE", 1)
