"""What is committed stays, once, and as it was committed first."""

import asyncio

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sqlalchemy import Connection, select

from checkpoints.store import Store, open_store
from checkpoints.tables import MESSAGES, TURNS
from entente.errors import DamagedRow, LeaseLost
from entente.players.actions import Action, SendMessage, SubmitOrders, UpdateMemory
from entente.players.record import TurnRecord
from entente.press.messages import Act, CommitmentKind, Message, MessageType, Statement
from tests.support.stores import a_phase, a_segment, a_turn, as_made

GAME = "0c1a7f04-0000-4000-8000-000000000001"
OTHER = "0c1a7f04-0000-4000-8000-000000000002"


async def test_a_turn_comes_back_as_it_was_committed(store: Store) -> None:
    turn = a_turn(GAME, "s1", "FRANCE", says=["Hello.", "Grüß Gott – \u201cquoted\u201d \U0001f44b"])
    async with store.leases.hold(GAME):
        stored = await store.journal.commit_turn(turn)
    assert as_made(stored) == turn
    assert await store.journal.turns(GAME, ["s1"]) == [stored]


@pytest.mark.parametrize(
    ("said", "orders"),
    [
        (("A PAR - BUR", "F BRE H"), ("A PAR - BUR", "F BRE H")),
        (("Paris to Burgundy",), ("A PAR - BUR",)),
        (("A PAR - NOWHERE",), ()),
        ((), ()),
    ],
    ids=["as-said", "repaired", "rejected", "none"],
)
async def test_orders_come_back_whether_or_not_they_stand_as_they_were_said(
    store: Store, said: tuple[str, ...], orders: tuple[str, ...]
) -> None:
    turn = a_turn(GAME, "s1", "FRANCE").model_copy(
        update={"actions": (SubmitOrders(orders=said),), "orders": orders}
    )
    async with store.leases.hold(GAME):
        stored = await store.journal.commit_turn(turn)
    assert as_made(stored) == turn
    assert await store.journal.turns(GAME, ["s1"]) == [stored]


ZONE = Statement(kind=CommitmentKind.DMZ, act=Act.PROPOSE, by="FRANCE", locations=("BUR",))
OFFER = SendMessage(
    recipient="GERMANY",
    message_type=MessageType.PROPOSAL,
    content="Let us both stay out of Burgundy.",
    commitments=(ZONE,),
    reply_to="S1901M.1.GERMANY.0",
)
CHAT = SendMessage(recipient="ITALY", message_type=MessageType.CHAT, content="Good luck.")
NOTE = UpdateMemory(key="plan", value={"tool": "send_message"})


def _delivered(action: SendMessage, number: int = 0, **otherwise: str) -> Message:
    words = action.model_dump(exclude={"tool"}) | otherwise
    sent = {"id": f"S1901M.1.FRANCE.{number}", "phase": "S1901M", "round": 1, "sender": "FRANCE"}
    return Message.model_validate(words | sent)


@pytest.mark.parametrize(
    ("actions", "messages"),
    [
        ((OFFER, NOTE, CHAT), (_delivered(OFFER), _delivered(CHAT, 1))),
        ((CHAT,), (_delivered(CHAT, 7),)),
        ((CHAT.model_copy(update={"recipient": "italy"}), OFFER), (_delivered(CHAT), _delivered(OFFER, 1))),
        ((CHAT,), (_delivered(CHAT, content="Good luck"),)),
        ((OFFER, CHAT), (_delivered(CHAT),)),
        ((OFFER,), ()),
        ((NOTE,), ()),
    ],
    ids=[
        "as-said",
        "second-waking",
        "recipient-repaired",
        "shortened",
        "one-refused",
        "all-refused",
        "nothing-said",
    ],
)
async def test_messages_come_back_whether_or_not_they_were_delivered_as_they_were_said(
    store: Store, actions: tuple[Action, ...], messages: tuple[Message, ...]
) -> None:
    turn = a_turn(GAME, "s1", "FRANCE").model_copy(update={"actions": actions, "messages": messages})
    async with store.leases.hold(GAME):
        stored = await store.journal.commit_turn(turn)
    assert as_made(stored) == turn
    assert await store.journal.turns(GAME, ["s1"]) == [stored]


async def test_what_was_said_and_delivered_is_kept_once(store: Store) -> None:
    async with store.leases.hold(GAME):
        await store.journal.commit_turn(a_turn(GAME, "s1", "FRANCE", says=["Hello.", "Are you there?"]))

    def bodies(connection: Connection) -> list[str]:
        return [row.body for table in (TURNS, MESSAGES) for row in connection.execute(select(table.c.body))]

    kept = "".join(await store.library.database.read(bodies))
    assert [kept.count(text) for text in ("Hello.", "Are you there?")] == [1, 1]


async def test_a_second_turn_of_the_same_key_is_given_the_first(store: Store) -> None:
    first, second = (a_turn(GAME, "s1", "FRANCE", says=[text]) for text in ("First.", "Second."))
    async with store.leases.hold(GAME):
        stored = await store.journal.commit_turn(first)
        assert await store.journal.commit_turn(second) == stored
    assert as_made(stored) == first
    assert await store.journal.turns(GAME, ["s1"]) == [stored]


async def test_a_phase_is_committed_once(store: Store) -> None:
    first, second = a_phase(GAME, "p1", None, "s1"), a_phase(GAME, "p1", None, "s2")
    async with store.leases.hold(GAME):
        stored = await store.journal.commit_phase(first, "F1901M")
        assert await store.journal.commit_phase(second, "F1901M") == stored
    assert as_made(stored) == first
    assert await store.journal.phase(GAME, "p1") == stored
    assert await store.journal.phase(GAME, "p2") is None


async def test_turns_come_by_the_segments_asked_for_then_power_and_number(store: Store) -> None:
    keys = [("s2", "ITALY", 0), ("s1", "TURKEY", 1), ("s1", "TURKEY", 0), ("s1", "AUSTRIA", 0)]
    async with store.leases.hold(GAME):
        for key in keys:
            await store.journal.commit_turn(a_turn(GAME, *key))
    found = await store.journal.turns(GAME, ["s2", "s1", "s0"])
    assert [turn.key[1:] for turn in found] == [
        ("s2", "ITALY", 0),
        ("s1", "AUSTRIA", 0),
        ("s1", "TURKEY", 0),
        ("s1", "TURKEY", 1),
    ]
    assert await store.journal.turns(GAME, []) == []


async def test_turns_of_segments_that_are_over_come_in_the_same_order_again_and_again(store: Store) -> None:
    async with store.leases.hold(GAME), store.leases.hold(OTHER):
        first = await store.journal.commit_turn(a_turn(GAME, "s1", "TURKEY"))
        assert await store.journal.turns_over(GAME, ["s1"]) == [first]
        second = [await store.journal.commit_turn(a_turn(GAME, "s2", power)) for power in ("FRANCE", "ITALY")]
        await store.journal.commit_turn(a_turn(OTHER, "s1", "FRANCE"))
    for segments in (["s2", "s1"], ["s0", "s1", "s2"], []):
        expected = await store.journal.turns(GAME, segments)
        assert await store.journal.turns_over(GAME, segments) == expected
    assert await store.journal.turns_over(GAME, ["s1", "s2"]) == [first, *second]


async def test_a_segment_that_was_closed_is_read_as_it_was_committed(store: Store) -> None:
    async with store.leases.hold(GAME):
        keys = [("TURKEY", 1), ("TURKEY", 0), ("AUSTRIA", 0)]
        turns = [await store.journal.commit_turn(a_turn(GAME, "s1", *key)) for key in keys]
    store.journal.close_segment(a_segment(GAME, "s1"), turns)
    assert await store.journal.turns_over(GAME, ["s1"]) == await store.journal.turns(GAME, ["s1"])


async def test_games_do_not_see_each_other(store: Store) -> None:
    async with store.leases.hold(GAME), store.leases.hold(OTHER):
        mine = await store.journal.commit_turn(a_turn(GAME, "s1", "FRANCE", says=["Mine."]))
        await store.journal.commit_turn(a_turn(OTHER, "s1", "FRANCE", says=["Yours."]))
    assert await store.journal.turns(GAME, ["s1"]) == [mine]


async def test_phases_are_the_chain_to_the_head_without_abandoned_futures(store: Store) -> None:
    chain = [a_phase(GAME, "p1", None), a_phase(GAME, "p2", "p1"), a_phase(GAME, "p3", "p2")]
    async with store.leases.hold(GAME):
        for phase in [*chain, a_phase(GAME, "abandoned", "p1")]:
            await store.journal.commit_phase(phase, "F1901M")
    assert [as_made(phase) for phase in await store.journal.phases(GAME, "p3")] == chain
    assert await store.journal.phases(GAME, None) == []
    with pytest.raises(DamagedRow):
        await store.journal.phases(GAME, "p4")


async def test_segments_come_in_the_order_in_which_they_were_opened(store: Store) -> None:
    opened = [a_segment(GAME, name) for name in ("z", "a", "m")]
    async with store.leases.hold(GAME):
        for segment in [*opened, opened[0]]:
            await store.journal.open_segment(segment)
    assert await store.journal.segments(GAME) == opened


async def test_a_game_is_created_once_and_its_progress_moves(store: Store) -> None:
    async with store.leases.hold(GAME):
        await store.journal.create_game(GAME, settings={"rounds": 3})
        await store.journal.create_game(GAME, settings={"rounds": 99})
        await store.journal.set_progress(GAME, phase="F1902R", status="paused")
    summary = await store.library.summary(GAME)
    assert (summary.settings, summary.phase, summary.status) == ({"rounds": 3}, "F1902R", "paused")
    async with store.leases.hold(GAME):
        await store.journal.commit_phase(a_phase(GAME, "p1", None), "F1902A")
    summary = await store.library.summary(GAME)
    assert (summary.phase, summary.status) == ("F1902A", "playing")


async def test_every_write_needs_the_lease(store: Store) -> None:
    journal = store.journal
    for write in (
        journal.create_game(GAME, settings={}),
        journal.set_progress(GAME, phase="S1901M", status="playing"),
        journal.open_segment(a_segment(GAME, "s1")),
        journal.commit_turn(a_turn(GAME, "s1", "FRANCE")),
        journal.commit_phase(a_phase(GAME, "p1", None), "F1901M"),
    ):
        with pytest.raises(LeaseLost, match=GAME):
            await write
    assert await store.library.games() == []


async def test_a_turn_whose_caller_is_cancelled_is_whole_or_absent(store: Store) -> None:
    turns = [a_turn(GAME, "s1", "FRANCE", number, says=["One.", "Two."]) for number in range(20)]
    async with store.leases.hold(GAME):
        tasks = [asyncio.ensure_future(store.journal.commit_turn(turn)) for turn in turns]
        await tasks[5]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        again = [await store.journal.commit_turn(turn) for turn in turns]
    assert [as_made(turn) for turn in again] == turns
    assert again == await store.journal.turns(GAME, ["s1"])


KEYS = st.tuples(st.sampled_from(["s1", "s2"]), st.sampled_from(["FRANCE", "ITALY"]), st.integers(0, 1))


@settings(max_examples=40)
@given(st.lists(KEYS, min_size=1, max_size=12))
def test_whatever_the_order_and_repetition_the_first_of_a_key_is_kept(
    keys: list[tuple[str, str, int]],
) -> None:
    async def play() -> None:
        async with open_store("memory") as store, store.leases.hold(GAME):
            first: dict[tuple[str, str, int], TurnRecord] = {}
            first_words: dict[tuple[str, str, int], tuple[Message, ...]] = {}
            for place, key in enumerate(keys):
                turn = a_turn(GAME, *key, says=[f"Word {place}."])
                stored = await store.journal.commit_turn(turn)
                assert stored == first.setdefault(key, stored)
                assert stored.messages == first_words.setdefault(key, turn.messages)
            kept = await store.journal.turns(GAME, ["s1", "s2"])
            assert kept == [first[key] for key in sorted(first)]

    asyncio.run(play())
