"""What a person has typed and not sent: kept for its seat alone, sent at the deadline if the settings say so."""

import pytest

from checkpoints.drafts import SeatDraft
from checkpoints.store import Store
from entente.errors import SettingsError, UnknownGame
from entente.games.drafts import MOST_CHARS, draft_of, forget_draft, keep_draft, unsent_before
from entente.games.forks import fork_game
from entente.games.runner import GameMaster
from entente.players.record import NoticeKind
from tests.e2e.test_conductor import turns_of
from tests.e2e.test_conductor_deadline import Clock, begun, late_in, orders_in

DRAFT = SeatDraft(messages=("GERMANY: peace?",), orders=("A PAR - BUR", "a mar s a par - bur"), draw=True)


async def a_game(store: Store) -> tuple[GameMaster, str]:
    master, game = await begun(store, Clock(), send_at_deadline=True)
    await master.run(game)
    return master, game


async def test_a_draft_is_kept_for_its_seat_and_phase_alone(store: Store) -> None:
    _, game = await a_game(store)
    await keep_draft(store, game, "FRANCE", "S1901M", SeatDraft(orders=("A PAR H",)))
    await keep_draft(store, game, "FRANCE", "S1901M", DRAFT)
    assert await draft_of(store, game, "FRANCE", "S1901M") == DRAFT
    assert (await draft_of(store, game, "GERMANY", "S1901M")).is_empty
    assert (await draft_of(store, game, "FRANCE", "F1901M")).is_empty
    assert await unsent_before(store, game, "FRANCE", "S1901M") == {}
    assert await unsent_before(store, game, "FRANCE", "W1901A") == {"S1901M": DRAFT}
    await forget_draft(store, game, "FRANCE", "S1901M")
    assert (await draft_of(store, game, "FRANCE", "S1901M")).is_empty


async def test_a_draft_goes_with_its_game_and_into_no_other(store: Store) -> None:
    _, game = await a_game(store)
    await keep_draft(store, game, "FRANCE", "S1901M", DRAFT)
    copy = await store.library.copy(game)
    forked = await fork_game(store, game, "S1901M", {})
    for other in (copy, forked):
        assert (await draft_of(store, other, "FRANCE", "S1901M")).is_empty
    await store.library.delete(game)
    assert (await draft_of(store, game, "FRANCE", "S1901M")).is_empty


async def test_a_draft_that_cannot_be_kept_is_refused_and_the_one_before_it_stays(
    memory_store: Store,
) -> None:
    _, game = await a_game(memory_store)
    await keep_draft(memory_store, game, "FRANCE", "S1901M", DRAFT)
    long = SeatDraft(messages=("ALL: " + "a" * MOST_CHARS,))
    with pytest.raises(SettingsError, match=r"the one before it is kept"):
        await keep_draft(memory_store, game, "FRANCE", "S1901M", long)
    assert await draft_of(memory_store, game, "FRANCE", "S1901M") == DRAFT
    with pytest.raises(UnknownGame):
        await keep_draft(memory_store, "nobody", "FRANCE", "S1901M", DRAFT)


async def test_what_cannot_be_stored_is_kept_without_it(store: Store) -> None:
    _, game = await a_game(store)
    await keep_draft(store, game, "FRANCE", "S1901M", SeatDraft(messages=("ALL: a\0b\udcff",)))
    assert (await draft_of(store, game, "FRANCE", "S1901M")).messages == ("ALL: a b?",)


async def test_what_was_sent_is_no_draft_any_more(memory_store: Store) -> None:
    master, game = await a_game(memory_store)
    await keep_draft(memory_store, game, "FRANCE", "S1901M", DRAFT)
    seat = (await master.look(game)).pending[0]
    await master.answer(game, {seat: {"messages": [{"to": "GERMANY", "text": "peace?"}]}})
    left = await draft_of(memory_store, game, "FRANCE", "S1901M")
    assert (left.messages, left.orders, left.draw) == ((), DRAFT.orders, True)
    seat = next(seat for seat in (await master.look(game)).open if seat.power == "FRANCE")
    await master.answer(game, {seat: {"orders": ["A PAR H"]}})
    assert (await draft_of(memory_store, game, "FRANCE", "S1901M")).is_empty


@pytest.mark.parametrize("is_sent", [True, False])
async def test_typed_orders_are_sent_at_the_deadline_if_the_game_says_so(store: Store, is_sent: bool) -> None:
    clock = Clock()
    master, game = await begun(store, clock, send_at_deadline=is_sent)
    await master.run(game)
    await keep_draft(store, game, "FRANCE", "S1901M", DRAFT)
    await keep_draft(store, game, "GERMANY", "S1901M", SeatDraft(orders=("A NARNIA H",)))
    clock.now += 60
    standing = await master.run(game)
    assert standing.state["phase"] == "F1901M"
    assert await late_in(store, standing, "S1901M") == ({"GERMANY"} if is_sent else {"FRANCE", "GERMANY"})
    orders = await orders_in(store, standing, "S1901M")
    assert ("A PAR - BUR" in orders, "A MAR S A PAR - BUR" in orders) == (is_sent, is_sent)
    turns = await turns_of(store, standing)
    told = [n.detail for t in turns for n in t.notices if n.kind is NoticeKind.SENT_AT_DEADLINE]
    assert told == ["FRANCE's typed orders were sent when the time for S1901M was over."] * is_sent
    assert not any(turn.messages for turn in turns if turn.power == "FRANCE")
    unsent = await unsent_before(store, game, "FRANCE", "F1901M")
    assert unsent["S1901M"].messages == DRAFT.messages
    assert bool(unsent["S1901M"].orders) is not is_sent
