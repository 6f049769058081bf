"""People on the conductor's floor: what they send wakes others, and no order of theirs reaches a later phase."""

import pytest
from pydantic import JsonValue

from checkpoints.store import Store
from entente.errors import NotWaiting, SettingsError
from entente.floors.answers import check
from entente.floors.mail import unread_by_person
from entente.games.runner import GameMaster, RunEnd, Standing
from entente.games.sitting import Sitting
from entente.press.messages import Message
from tests.e2e.test_conductor import answered_and_killed, conducted, turns_of
from tests.games.test_early import thinking
from tests.support.answers import an_order, orders_of

PEOPLE = {"FRANCE": "human", "GERMANY": "human"}


def words(to: str, text: str, *orders: str) -> JsonValue:
    return {"messages": [{"to": to, "text": text}], "orders": [*orders]}


async def begun(store: Store) -> tuple[GameMaster, Standing]:
    master = GameMaster(store)
    settings = conducted(everyone="dumbbot", seats=PEOPLE)
    return master, await master.run(await master.begin(settings))


async def new_mail(store: Store, standing: Standing, power: str) -> list[Message]:
    phase = [turn for turn in await turns_of(store, standing) if turn.phase == standing.state["phase"]]
    return [message for turn in unread_by_person(power, phase) for message in turn.messages]


async def test_people_who_answer_at_once_are_asked_again_for_what_each_has_written(
    memory_store: Store,
) -> None:
    master, standing = await begun(memory_store)
    france, germany = standing.pending
    standing = await master.answer(
        standing.game,
        {
            france: words("GERMANY", "peace?", "A PAR H"),
            germany: words("FRANCE", "war!", "A MUN H"),
        },
    )
    assert [seat.power for seat in standing.pending] == ["FRANCE", "GERMANY"]
    for reader, said in (("FRANCE", "war!"), ("GERMANY", "peace?")):
        assert [message.content for message in await new_mail(memory_store, standing, reader)] == [said]


async def test_who_has_ordered_and_got_no_mail_is_not_asked_again(memory_store: Store) -> None:
    master, standing = await begun(memory_store)
    standing = await master.answer(standing.game, {standing.pending[0]: an_order(standing.pending[0])})
    assert [seat.power for seat in standing.pending] == ["GERMANY"]
    standing = await master.answer(standing.game, {standing.pending[0]: None})
    assert [(seat.power, seat.phase) for seat in standing.pending] == [("GERMANY", "S1901M")]


async def test_who_has_ordered_and_got_no_mail_may_write_first(store: Store) -> None:
    master, standing = await begun(store)
    first = standing.pending[0].view.legal_orders[0]
    standing = await master.answer(standing.game, {standing.pending[0]: an_order(standing.pending[0])})
    france = next(seat for seat in standing.open if seat.power == "FRANCE")
    assert (france.is_optional, "your orders are in" in france.view.text) == (True, True)
    standing = await master.answer(standing.game, {france: words("GERMANY", "are you there?")})
    assert [message.content for message in await new_mail(store, standing, "GERMANY")] == ["are you there?"]
    assert standing.state["orders"]["FRANCE"] == [first]
    assert [seat.power for seat in standing.pending] == ["GERMANY"]
    standing = await master.answer(standing.game, {standing.open[1]: {"orders": ["A PAR - BUR"]}})
    standing = await master.answer(standing.game, {standing.pending[0]: an_order(standing.pending[0])})
    played = (await store.journal.phases(standing.game, standing.state["history"]))[0]
    assert ("FRANCE", "A PAR - BUR") in {(result.power, result.order) for result in played.results}


async def test_when_nobody_is_waited_for_nobody_may_write_into_the_phase(memory_store: Store) -> None:
    master, standing = await begun(memory_store)
    standing = await master.answer(standing.game, {standing.pending[0]: an_order(standing.pending[0])})
    france = standing.open[1]
    standing = await master.answer(standing.game, {standing.pending[0]: an_order(standing.pending[0])})
    assert standing.state["phase"] == "F1901M"
    with pytest.raises(NotWaiting, match="FRANCE's answer for S1901M"):
        await master.answer(standing.game, {france: words("GERMANY", "late")})


async def test_a_run_that_was_killed_between_an_answer_and_the_others_goes_on(store: Store) -> None:
    master, standing = await begun(store)
    await answered_and_killed(store, standing, "GERMANY", {"orders": ["A MUN H"]})
    killed = await master.look(standing.game)
    assert [seat.power for seat in killed.open] == ["FRANCE"]
    standing = await master.run(standing.game)
    assert [(seat.power, seat.is_optional) for seat in standing.open] == [
        ("FRANCE", False),
        ("GERMANY", True),
    ]


async def test_orders_that_come_late_are_refused_and_never_put_into_the_next_phase(store: Store) -> None:
    master, standing = await begun(store)
    spring, _ = standing.pending
    standing = await master.answer(standing.game, orders_of(standing))
    assert standing.state["phase"] == "F1901M"
    assert [seat.power for seat in standing.pending] == ["FRANCE", "GERMANY"]
    with pytest.raises(NotWaiting, match="FRANCE's answer for S1901M came when that question"):
        await master.answer(standing.game, {spring: {"orders": ["A PAR - BUR"]}})
    now = await master.look(standing.game)
    assert now.state == standing.state
    standing = await master.answer(now.game, orders_of(now))
    while standing.end is RunEnd.WAITING:
        standing = await master.answer(standing.game, {seat: {} for seat in standing.pending})
    played = await store.journal.phases(standing.game, standing.state["history"])
    assert "A PAR - BUR" not in {result.order for phase in played for result in phase.results}


@pytest.mark.parametrize("read", [None, 0, 1])
async def test_orders_over_unread_mail_are_not_final(memory_store: Store, read: int | None) -> None:
    """FRANCE answers the question that was shown before GERMANY wrote, and says how much it has read, or nothing."""
    master, standing = await begun(memory_store)
    france, germany = standing.pending
    await master.answer(standing.game, {germany: words("FRANCE", "knock knock", "A MUN H")})
    ordered: dict[str, JsonValue] = {"orders": ["A PAR - BUR"]}
    if read is not None:
        ordered["read"] = read
    standing = await master.answer(standing.game, {france: ordered})
    if read == 1:
        assert standing.state["phase"] == "F1901M"
        return
    (asked,) = standing.pending
    assert (asked.power, asked.phase, asked.view.orders_given) == ("FRANCE", "S1901M", ("A PAR - BUR",))
    new = [message.content for message in asked.view.press if message.id in asked.view.unread]
    assert new == ["knock knock"]
    standing = await master.answer(standing.game, {asked: None})
    assert standing.state["phase"] == "F1901M"


@pytest.fixture
def most_answers(monkeypatch: pytest.MonkeyPatch) -> int:
    """How often a person may answer in a phase of the test."""
    monkeypatch.setattr("entente.floors.mail.MAX_ANSWERS", 3)
    return 3


async def test_a_person_answers_so_often_in_a_phase_and_then_only_orders(
    memory_store: Store, most_answers: int
) -> None:
    master, standing = await begun(memory_store)
    for _ in range(most_answers):
        france = standing.pending[0]
        assert not france.view.has_answered_enough
        standing = await master.answer(standing.game, {france: {"messages": []}})
    before = await turns_of(memory_store, standing)
    standing = await master.answer(standing.game, {standing.pending[0]: words("GERMANY", "one more")})
    france, germany = standing.pending
    (told,) = france.view.verdicts
    assert told.startswith("FRANCE has answered as often as it may in S1901M.")
    assert await turns_of(memory_store, standing) == before
    standing = await master.answer(standing.game, {france: an_order(france)})
    assert standing.state["orders"]["FRANCE"] == [france.view.legal_orders[0]]
    standing = await master.answer(standing.game, {germany: words("FRANCE", "read me")})
    assert [seat.power for seat in standing.pending] == ["GERMANY"]
    france = next(seat for seat in standing.open if seat.power == "FRANCE")
    assert told in france.view.text
    refused: list[JsonValue] = [
        {"orders": ["A PAR - BUR"]},
        {"draw": True},
        {"messages": []},
        "GERMANY: hello",
    ]
    for anything in refused:
        assert "as often as it may" in check(france.view, anything).verdicts[-1]
    standing = await master.answer(standing.game, {standing.pending[0]: words("FRANCE", "and me")})
    assert [seat.power for seat in standing.pending] == ["FRANCE", "GERMANY"]  # an answer for each message
    standing = await master.answer(standing.game, {standing.pending[0]: {"messages": []}})
    standing = await master.answer(standing.game, {standing.pending[0]: an_order(standing.pending[0])})
    assert (standing.state["phase"], len(standing.pending)) == ("F1901M", 2)
    assert not any(seat.view.has_answered_enough for seat in standing.pending)


async def test_a_program_that_has_answered_enough_is_told_why_its_orders_are_not_taken(
    memory_store: Store, most_answers: int
) -> None:
    master, standing = await begun(memory_store)
    sitting = await Sitting.at(memory_store, master, standing.game, "FRANCE")
    for number in range(most_answers):
        assert (await sitting.submit_orders("S1901M", [f"A PAR - {('BUR', 'PIC', 'GAS')[number]}"])).is_taken
    with pytest.raises(SettingsError, match="FRANCE has answered as often as it may in S1901M"):
        await sitting.submit_orders("S1901M", ["A PAR H"])
    assert (await master.look(standing.game)).state["orders"]["FRANCE"] == ["A PAR - GAS"]


async def test_who_has_answered_enough_is_asked_nothing_while_others_think(
    memory_store: Store, most_answers: int
) -> None:
    async with thinking(memory_store, floor="conductor") as table:
        for _ in range(most_answers):
            await table.send(to="ITALY")
        assert await table.question() is None
        assert (await table.asked("ENGLAND")).name == "S1901M.open.0"
        standing = await table.let_them_answer()
        assert len([turn for turn in await table.persons() if turn.power == "FRANCE"]) == most_answers
    assert standing.pending[1].view.has_answered_enough
