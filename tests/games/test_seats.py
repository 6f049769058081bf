"""People at the table: one interrupt a turn, which stops nobody else, and one outcome for each answer."""

import asyncio

import pytest
from pydantic import JsonValue

from checkpoints.store import Store, open_store
from entente.errors import GameHeld, NotWaiting, PlayerError
from entente.games.line import records_on_line
from entente.games.runner import GameMaster, PendingSeat, RunEnd, Standing
from entente.players.record import NoticeKind, TurnRecord
from graph.context import GameSettings
from tests.support.floors import settings_for
from tests.support.players import Cast


async def begin(store: Store, cast: Cast | None = None, **settings: object) -> tuple[GameMaster, Standing]:
    master = GameMaster(store, cast or Cast())
    defaults: dict[str, object] = {
        "everyone": "hold",
        "seats": {"FRANCE": "human", "ITALY": "human"},
        "rounds": 1,
        "max_year": 1901,
    }
    return master, await master.run(await master.begin(settings_for(defaults, settings)))


def seat_of(standing: Standing, power: str) -> PendingSeat:
    return next(seat for seat in standing.pending if seat.power == power)


async def turns_of(store: Store, standing: Standing, power: str) -> list[TurnRecord]:
    records = await records_on_line(store.journal, standing.game, standing.state)
    return [r for r in records if isinstance(r, TurnRecord) and r.power == power]


async def test_people_are_asked_at_once_and_stop_nobody_else(store: Store) -> None:
    cast = Cast()
    _, standing = await begin(store, cast)
    assert standing.end is RunEnd.WAITING
    assert [(seat.power, seat.ask, seat.round) for seat in standing.pending] == [
        ("FRANCE", "talk", 1),
        ("ITALY", "talk", 1),
    ]
    assert {bundle.power for bundle in cast.seen} == {"AUSTRIA", "ENGLAND", "GERMANY", "RUSSIA", "TURKEY"}


async def test_one_answer_leaves_the_other_seat_waiting_and_asks_no_program_again(store: Store) -> None:
    cast = Cast()
    master, standing = await begin(store, cast)
    asked = len(cast.seen)
    standing = await master.answer(standing.game, {seat_of(standing, "ITALY"): {"messages": []}})
    assert [seat.power for seat in standing.pending] == ["FRANCE"]
    assert len(cast.seen) == asked


async def test_a_double_answer_is_refused_and_changes_nothing(store: Store) -> None:
    master, standing = await begin(store)
    first = seat_of(standing, "FRANCE")
    await master.answer(standing.game, {first: {"messages": [{"to": "ITALY", "text": "first"}]}})
    with pytest.raises(NotWaiting, match="no longer open"):
        await master.answer(standing.game, {first: {"messages": [{"to": "ITALY", "text": "second"}]}})
    now = await master.look(standing.game)
    said = [m.content for t in await turns_of(store, now, "FRANCE") for m in t.messages]
    assert "second" not in said


async def test_a_stale_answer_never_reaches_a_later_question(memory_store: Store) -> None:
    master, standing = await begin(memory_store, seats={"FRANCE": "human"})
    talk = seat_of(standing, "FRANCE")
    standing = await master.answer(standing.game, {talk: {"messages": []}})
    assert seat_of(standing, "FRANCE").ask == "orders"
    with pytest.raises(NotWaiting):
        await master.answer(standing.game, {talk: {"orders": ["A PAR - BUR"]}})
    assert seat_of(await master.look(standing.game), "FRANCE").ask == "orders"


async def test_a_partial_answer_defaults_the_rest_on_record(memory_store: Store) -> None:
    master, standing = await begin(memory_store, seats={"FRANCE": "human"}, floor="gunboat")
    standing = await master.answer(standing.game, {standing.pending[0]: {"orders": ["a par - bur"]}})
    (turn,) = await turns_of(memory_store, standing, "FRANCE")
    assert turn.orders == ("A PAR - BUR",)
    assert [notice.kind for notice in turn.notices] == [NoticeKind.ORDER_DEFAULTED] * 2


@pytest.mark.parametrize(
    ("answer", "verdict"),
    [
        ({"orders": ["A PAR - BUU", "F BRE - ENG"]}, "A PAR - BUU"),
        ({"order": ["A PAR - BUR"]}, "could not be read"),
        (42, "could not be read"),
        ("", "No orders came"),
    ],
)
async def test_an_answer_that_cannot_be_used_is_asked_for_again_with_its_verdicts(
    store: Store, answer: JsonValue, verdict: str
) -> None:
    master, asked = await begin(store, seats={"FRANCE": "human"}, floor="gunboat")
    standing = await master.answer(asked.game, {asked.pending[0]: answer})
    (seat,) = standing.pending
    assert (seat.power, seat.phase) == ("FRANCE", "S1901M")
    assert verdict in " ".join(seat.view.verdicts)
    assert verdict in seat.view.text
    assert await turns_of(store, standing, "FRANCE") == []
    standing = await master.run(standing.game)
    assert standing.pending[0].view.verdicts == seat.view.verdicts
    await master.answer(standing.game, {standing.pending[0]: {"orders": ["A PAR - BUR"]}})
    (turn, *_) = await turns_of(store, await master.look(standing.game), "FRANCE")
    assert turn.orders == ("A PAR - BUR",)


async def test_what_a_person_writes_is_read_by_its_recipient_before_orders_and_by_nobody_else(
    memory_store: Store,
) -> None:
    cast = Cast()
    master, standing = await begin(memory_store, cast, seats={"FRANCE": "human"})
    words: JsonValue = {"messages": [{"to": "germany", "text": "Burgundy stays empty?"}]}
    await master.answer(standing.game, {standing.pending[0]: words})
    readers = {b.power for b in cast.seen for m in b.inbox if m.sender == "FRANCE"}
    assert readers == {"GERMANY"}


async def test_a_message_to_a_misspelt_power_is_refused_and_published_to_nobody(memory_store: Store) -> None:
    cast = Cast()
    master, standing = await begin(memory_store, cast, seats={"FRANCE": "human"})
    standing = await master.answer(
        standing.game, {standing.pending[0]: {"messages": [{"to": "GERMNY", "text": "our secret"}]}}
    )
    assert not [m for b in cast.seen for m in b.inbox if m.sender == "FRANCE"]
    assert "and 'GERMNY' came; the message was delivered to nobody." in standing.pending[0].view.verdicts[0]
    assert await turns_of(memory_store, standing, "FRANCE") == []


async def test_a_game_that_waits_is_answered_from_another_process(shared_location: str) -> None:
    async with open_store(shared_location) as store:
        _, standing = await begin(store)
    async with open_store(shared_location) as store:
        master = GameMaster(store)
        standing = await master.look(standing.game)
        answers: dict[PendingSeat, JsonValue] = dict.fromkeys(standing.pending, None)
        standing = await master.answer(standing.game, answers)
        assert {seat.ask for seat in standing.pending} == {"orders"}


async def test_two_answers_at_the_same_moment_end_in_one(shared_location: str) -> None:
    async with open_store(shared_location) as here, open_store(shared_location) as there:
        master, standing = await begin(here, seats={"FRANCE": "human"})
        seat = seat_of(standing, "FRANCE")
        results = await asyncio.gather(
            master.answer(standing.game, {seat: {"messages": [{"to": "ITALY", "text": "one"}]}}),
            GameMaster(there).answer(standing.game, {seat: {"messages": [{"to": "ITALY", "text": "two"}]}}),
            return_exceptions=True,
        )
        refused = [result for result in results if isinstance(result, GameHeld | NotWaiting)]
        assert len(refused) == 1
        now = await master.look(standing.game)
        assert len([m for t in await turns_of(here, now, "FRANCE") for m in t.messages]) == 1


async def test_programs_go_on_beside_people_when_the_run_before_was_cut_short(store: Store) -> None:
    cast = Cast(failing={"RUSSIA"})
    master = GameMaster(store, cast)
    settings = GameSettings(
        everyone="dumbbot", floor="gunboat", seats={"FRANCE": "human", "ITALY": "human"}, max_year=1901
    )
    game = await master.begin(settings)
    with pytest.raises(PlayerError):
        await master.run(game)
    cast.failing.clear()
    asked = len(cast.seen)
    standing = await master.run(game)
    assert [seat.power for seat in standing.pending] == ["FRANCE", "ITALY"]
    assert [bundle.power for bundle in cast.seen[asked:]] == ["RUSSIA"]
