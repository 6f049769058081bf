"""The conductor's floor: powers are woken by what concerns them, until nobody has anything left to read."""

# LangGraph leaves a type parameter of its own methods open.
# pyright: reportUnknownMemberType=false

import sys
from collections import Counter, defaultdict
from collections.abc import Sequence

import pytest
from langchain_core.runnables import RunnableConfig
from langgraph.types import Command
from pydantic import JsonValue

from checkpoints.store import Store
from entente.board.types import Power
from entente.errors import PlayerError
from entente.floors.services import services_over
from entente.games.digest import journal_digest, state_digest
from entente.games.line import records_on_line
from entente.games.runner import GameMaster, RunEnd, Standing, thread_config
from entente.players.actions import Action, SubmitOrders
from entente.players.bundle import Bundle
from entente.players.record import NoticeKind, TurnRecord
from entente.press.messages import BROADCAST
from graph.context import GameSettings
from graph.game import compile_game
from graph.state import board_of
from tests.support.players import Cast, say


def conducted(**settings: object) -> GameSettings:
    values = {"everyone": "diplomat", "floor": "conductor", "max_year": 1901, "stalemate_years": 0}
    return GameSettings.model_validate(values | settings)


async def play(store: Store, cast: Cast | None = None, **settings: object) -> Standing:
    master = GameMaster(store, cast or Cast())
    return await master.run(await master.begin(conducted(**settings)))


async def turns_of(store: Store, standing: Standing) -> list[TurnRecord]:
    records = await records_on_line(store.journal, standing.game, standing.state)
    return [record for record in records if isinstance(record, TurnRecord)]


def holds(bundle: Bundle) -> SubmitOrders:
    return SubmitOrders(orders=tuple(f"{unit} H" for unit in bundle.board.position.units[bundle.power]))


def once(*said: Action):
    """A script that says so at its first waking, and orders holds whenever it is asked."""

    def script(bundle: Bundle) -> Sequence[Action]:
        if bundle.wants_orders:
            return [holds(bundle)] if bundle.board.phase.is_movement else []
        return said if bundle.wake == 1 else []

    return script


async def test_a_game_of_diplomats_is_played_to_its_end(store: Store) -> None:
    standing = await play(store, max_year=1902)
    turns = await turns_of(store, standing)
    assert standing.end is RunEnd.FINISHED
    assert any(turn.messages for turn in turns)
    talked = [turn for turn in turns if turn.stage == "talk"]
    assert all(turn.waking and turn.waking.was_asked for turn in talked)
    assert not [turn for turn in turns if turn.stage == "orders" and turn.phase.endswith("M")]


async def test_the_same_seed_gives_the_same_journal(store: Store, memory_store: Store) -> None:
    digests: set[tuple[str, str]] = set()
    for where in (store, memory_store, memory_store):
        standing = await play(where, max_year=1902)
        digests.add(
            (state_digest(standing.state), await journal_digest(where.journal, standing.game, standing.state))
        )
    assert len(digests) == 1


async def test_a_phase_without_talk_costs_seven_wakes(memory_store: Store) -> None:
    standing = await play(memory_store, everyone="dumbbot")
    wakes = Counter(turn.phase for turn in await turns_of(memory_store, standing) if turn.waking)
    assert wakes == {"S1901M": 7, "F1901M": 7}


async def test_every_event_wakes_everybody_when_that_is_asked_for(memory_store: Store) -> None:
    standing = await play(memory_store, everyone="dumbbot", wake="every-event")
    wakes = Counter(turn.phase for turn in await turns_of(memory_store, standing) if turn.waking)
    assert wakes == {
        "S1901M": 14,
        "F1901M": 14,
    }  # all, then all again once the others' orders were known to be in


async def test_a_message_wakes_whom_it_is_for_and_nobody_else(memory_store: Store) -> None:
    cast = Cast(scripts={"quiet": once(), "herald": once(say("ITALY", "hello"))})
    standing = await play(memory_store, cast, everyone="quiet", seats={"TURKEY": "herald"})
    wakes = Counter(turn.power for turn in await turns_of(memory_store, standing) if turn.phase == "S1901M")
    assert wakes.pop("ITALY") == 2
    assert set(wakes.values()) == {1}


async def test_powers_that_are_due_at_one_moment_are_asked_together(memory_store: Store) -> None:
    cast = Cast(scripts={"pushover": once(say(BROADCAST, "hello"))})  # programs are asked each by itself
    standing = await play(memory_store, cast, everyone="pushover")
    turns = [turn for turn in await turns_of(memory_store, standing) if turn.phase == "S1901M"]
    # All write before anybody has read, and are then woken once for what six others have written.
    assert [turn.waking and turn.waking.after for turn in turns] == 7 * [0] + 7 * [7]
    assert {len(bundle.inbox) for bundle in cast.seen if bundle.wake == 1} == {0}
    assert {len(bundle.inbox) for bundle in cast.seen if bundle.wake == 2} == {6}


async def test_everybody_reads_in_one_order_and_no_reply_precedes_what_it_answers(
    memory_store: Store,
) -> None:
    cast = Cast()
    standing = await play(memory_store, cast, max_year=1903)
    order = {
        m.id: place
        for place, m in enumerate(m for t in await turns_of(memory_store, standing) for m in t.messages)
    }
    for bundle in cast.seen:
        read = [order[message.id] for message in bundle.inbox]
        assert read == sorted(read)
    for turn in await turns_of(memory_store, standing):
        for message in turn.messages:
            assert message.reply_to is None or order[message.reply_to] < order[message.id]


async def test_orders_given_again_replace_those_before(memory_store: Store) -> None:
    def changes_its_mind(bundle: Bundle) -> Sequence[Action]:
        if not bundle.wants_orders:
            return []
        if not bundle.board.phase.is_movement:
            return []
        return [SubmitOrders(orders=("A PAR - BUR",) if bundle.inbox else ("A PAR - PIC",))]

    cast = Cast(scripts={"quiet": once(say("FRANCE", "hello")), "fickle": changes_its_mind})
    standing = await play(
        memory_store, cast, everyone="quiet", seats={"AUSTRIA": "quiet", "FRANCE": "fickle"}
    )
    phase = (await memory_store.journal.phases(standing.game, standing.state["history"]))[0]
    assert [r.order for r in phase.results if r.power == "FRANCE" and not r.is_default] == ["A PAR - BUR"]


async def test_a_power_that_gives_no_orders_while_it_talks_is_asked_for_them(memory_store: Store) -> None:
    def silent(bundle: Bundle) -> Sequence[Action]:
        return []

    standing = await play(memory_store, Cast(scripts={"silent": silent}), seats={"ITALY": "silent"})
    asked = [t for t in await turns_of(memory_store, standing) if t.stage == "orders" and t.phase == "S1901M"]
    assert [turn.power for turn in asked] == ["ITALY"]
    assert {notice.kind for notice in asked[0].notices} == {NoticeKind.ORDER_DEFAULTED}


async def test_what_a_scripted_player_writes_when_orders_are_wanted_is_told(memory_store: Store) -> None:
    def writes_always(bundle: Bundle) -> Sequence[Action]:
        words = "orders" if bundle.wants_orders else "talk"
        return [say("FRANCE", words), *([holds(bundle)] if bundle.wants_orders else [])]

    standing = await play(
        memory_store, Cast(scripts={"writer": writes_always}), everyone="hold", seats={"ITALY": "writer"}
    )
    [turn] = [t for t in await turns_of(memory_store, standing) if (t.power, t.phase) == ("ITALY", "S1901M")]
    assert [message.content for message in turn.messages] == ["talk"]
    assert [(notice.kind, notice.line) for notice in turn.notices] == [(NoticeKind.ACTION_REFUSED, "orders")]


async def test_a_chain_of_mail_without_end_is_cut_and_told(memory_store: Store) -> None:
    def parrot(bundle: Bundle) -> Sequence[Action]:
        if bundle.wants_orders:
            return [holds(bundle)] if bundle.board.phase.is_movement else []
        return [say("ITALY" if bundle.power == "FRANCE" else "FRANCE", "and you?")]

    cast = Cast(scripts={"parrot": parrot})
    seats = {"FRANCE": "parrot", "ITALY": "parrot"}
    standing = await play(memory_store, cast, everyone="dumbbot", seats=seats, max_wakes=9)
    turns = [turn for turn in await turns_of(memory_store, standing) if turn.phase == "S1901M"]
    wakes = Counter(turn.power for turn in turns if turn.waking and turn.waking.was_asked)
    assert (wakes["FRANCE"], wakes["ITALY"]) == (9, 9)
    capped = [
        turn.power for turn in turns for notice in turn.notices if notice.kind is NoticeKind.WAKES_CAPPED
    ]
    assert sorted(capped) == ["FRANCE", "ITALY"]  # each was written to at the other's last waking


async def test_powers_that_are_out_are_neither_woken_nor_waited_for(memory_store: Store) -> None:
    standing = await play(memory_store, everyone="random", seats={"FRANCE": "dumbbot"}, max_year=1912)
    woken: defaultdict[str, set[str]] = defaultdict(set)
    for turn in await turns_of(memory_store, standing):
        woken[turn.phase].add(turn.power)
    assert standing.end is RunEnd.FINISHED
    assert len(woken[max(woken, key=lambda phase: (phase[1:5], phase[0] == "F"))]) < 7


async def test_a_game_is_played_to_a_solo(memory_store: Store) -> None:
    standing = await play(memory_store, everyone="random", seats={"FRANCE": "dumbbot"}, seed=1, max_year=1935)
    assert standing.state["outcome"] == {"kind": "solo", "winners": ["FRANCE"], "phase": "F1907M"}


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(1, 5))
@pytest.mark.parametrize(
    ("everyone", "seats"),
    [
        ("mac-the-knife", {}),
        ("diplomat", {"RUSSIA": "mac-the-knife", "ITALY": "dumbbot"}),
        ("dumbbot", {"TURKEY": "diplomat"}),
    ],
    ids=["knives", "mixed", "one talks"],
)
async def test_long_games_end_whoever_is_eliminated(
    memory_store: Store, everyone: str, seats: dict[str, str], seed: int
) -> None:
    standing = await play(memory_store, everyone=everyone, seats=seats, seed=seed, max_year=1935)
    outcome, left = standing.state["outcome"], board_of(standing.state).survivors
    assert standing.end is RunEnd.FINISHED
    assert outcome
    sys.stdout.write(
        f"{everyone} {seed}: {outcome['kind']} in {outcome['phase']}, {7 - len(left)} eliminated\n"
    )
    capped = [
        turn
        for turn in await turns_of(memory_store, standing)
        if any(notice.kind is NoticeKind.WAKES_CAPPED for notice in turn.notices)
    ]
    assert capped == []


async def test_a_seat_that_fails_pauses_the_game_and_the_others_are_kept(store: Store) -> None:
    cast = Cast(failing={"RUSSIA"})
    master = GameMaster(store, cast)
    game = await master.begin(conducted())
    with pytest.raises(PlayerError, match="RUSSIA"):
        await master.run(game)
    before = len(cast.seen)
    assert before > 5
    cast.failing.clear()
    standing = await master.run(game)
    assert standing.end is RunEnd.FINISHED
    first = [
        bundle.power
        for bundle in cast.seen[before:]
        if str(bundle.board.phase) == "S1901M" and bundle.wake == 1
    ]
    assert set(first) <= {"RUSSIA", "TURKEY"}


async def answered_and_killed(store: Store, standing: Standing, power: Power, answer: JsonValue) -> None:
    """Leave the game as a run does that was killed once the answer was kept: the others' questions are still open.

    People who are asked one after the other do not meet: the first ones leave their questions open.
    """
    asked = next(seat for seat in standing.open if seat.power == power)
    config = RunnableConfig({**thread_config(standing.game), "max_concurrency": 1})
    async with store.leases.hold(standing.game):
        graph = compile_game(services_over(store, Cast()), store.saver)
        await graph.ainvoke(Command(resume={asked.interrupt: answer}), config, durability="sync")


async def test_an_answer_is_kept_before_others_are_told_to_wait(store: Store) -> None:
    cast = Cast()
    master = GameMaster(store, cast)
    people = {"FRANCE": "human", "GERMANY": "human"}
    standing = await master.run(await master.begin(conducted(seats=people)))
    words: JsonValue = {"messages": [{"to": "ITALY", "text": "Peace?"}]}
    await answered_and_killed(store, standing, "GERMANY", words)
    killed = await master.look(standing.game)
    assert [seat.power for seat in killed.pending] == ["FRANCE"]
    before = len(cast.seen)
    standing = await master.run(standing.game)
    assert cast.seen[before].inbox[-1].content == "Peace?"
    assert [seat.power for seat in standing.pending] == ["FRANCE", "GERMANY"]


async def test_what_one_person_sends_wakes_whom_it_concerns_while_another_still_thinks(store: Store) -> None:
    cast = Cast()
    master = GameMaster(store, cast)
    people = {"FRANCE": "human", "GERMANY": "human"}
    standing = await master.run(await master.begin(conducted(seats=people)))
    assert [(seat.power, seat.ask) for seat in standing.pending] == [("FRANCE", "open"), ("GERMANY", "open")]
    germany = standing.pending[1]
    before = len(cast.asked("ITALY"))
    words: JsonValue = {"messages": [{"to": "ITALY", "text": "Peace?"}]}
    standing = await master.answer(standing.game, {standing.pending[0]: words})
    assert len(cast.asked("ITALY")) > before
    assert [seat.power for seat in standing.pending] == ["FRANCE", "GERMANY"]
    # GERMANY has been asked anew since; what it answers to the old question is an answer still.
    orders: JsonValue = {"orders": ["A MUN - RUH", "A BER H", "F KIE - DEN"]}
    standing = await master.answer(standing.game, {germany: orders})
    assert [seat.power for seat in standing.pending if seat.power == "GERMANY"] == []
    standing = await master.answer(standing.game, {standing.pending[0]: {"orders": ["A PAR - BUR"]}})
    while standing.pending and standing.pending[0].phase == "S1901M":
        standing = await master.answer(standing.game, {seat: {} for seat in standing.pending})
    played = (await store.journal.phases(standing.game, standing.state["history"]))[0]
    given = {(r.power, r.order) for r in played.results if not r.is_default}
    assert {("GERMANY", "A MUN - RUH"), ("FRANCE", "A PAR - BUR")} <= given
