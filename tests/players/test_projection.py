"""What each reader sees of a turn and of a phase."""

import pytest

from entente.events import EventKind
from entente.players.actions import SubmitOrders
from entente.players.projection import events_of, horizon_at, press_of
from entente.players.record import (
    Advice,
    Notice,
    NoticeKind,
    PhaseRecord,
    ResultRecord,
    TurnRecord,
    Waking,
    Words,
)
from entente.press.mailbox import Delayed, Reader
from entente.press.messages import BROADCAST, Message, MessageType
from tests.support.stores import a_telling, an_answer

READERS: tuple[Reader, ...] = ("FRANCE", "ITALY", "PUBLIC", Delayed(2), "OPERATOR")


def message(recipient: str, number: int) -> Message:
    return Message(
        id=f"S1901M.FRANCE.{recipient}.{number}",
        phase="S1901M",
        round=1,
        sender="FRANCE",
        recipient=recipient,
        message_type=MessageType.CHAT,
        content=f"to {recipient}",
    )


def turn(stage: str, **values: object) -> TurnRecord:
    return TurnRecord.model_validate(
        {
            "game": "g",
            "segment": "s",
            "power": "FRANCE",
            "number": 0,
            "phase": "S1901M",
            "stage": stage,
            "round": 1 if stage == "talk" else 0,
            "player": "x",
            "read_up_to": 0,
            "actions": (),
        }
        | values
    )


TALK = turn("talk", messages=(message("ITALY", 0), message(BROADCAST, 1)))
ORDERS = turn(
    "orders",
    orders=("A PAR H",),
    notices=(Notice(kind=NoticeKind.ORDER_REPAIRED, detail="FRANCE: read as A PAR H: a missing H"),),
)
PHASE = PhaseRecord(
    game="g",
    id="p",
    parent=None,
    phase="S1901M",
    segments=("s",),
    board={},
    results=(ResultRecord(power="FRANCE", order="A PAR H", outcomes=("succeeded",)),),
)


@pytest.mark.parametrize(
    ("reader", "read"),
    [
        ("FRANCE", ["to ITALY", "to BROADCAST"]),
        ("ITALY", ["to ITALY", "to BROADCAST"]),
        ("GERMANY", ["to BROADCAST"]),
        ("PUBLIC", ["to BROADCAST"]),
        ("OPERATOR", ["to ITALY", "to BROADCAST"]),
    ],
)
def test_press_is_read_by_those_it_was_written_to(reader: Reader, read: list[str]) -> None:
    assert [m.content for m in press_of([TALK], reader)] == read
    told = [e.data["content"] for e in events_of(TALK, reader) if e.kind is EventKind.MESSAGE]
    assert told == read


@pytest.mark.parametrize("reader", ["ITALY", "PUBLIC"])
def test_others_learn_that_orders_were_given_and_not_which(reader: Reader) -> None:
    (event,) = events_of(ORDERS, reader)
    assert event.kind is EventKind.ORDERED
    assert "A PAR H" not in event.model_dump_json()


@pytest.mark.parametrize("reader", ["FRANCE", "OPERATOR"])
def test_the_owner_and_the_operator_see_orders_and_notices(reader: Reader) -> None:
    events = events_of(ORDERS, reader)
    assert [event.kind for event in events] == [EventKind.ORDERED, EventKind.NOTICE]
    assert events[0].data["orders"] == ["A PAR H"]


@pytest.mark.parametrize(
    ("followed", "told"), [(2, "these are suggestion 2 of 3"), (0, "these are none of 3 suggestions")]
)
def test_the_operator_alone_is_told_what_became_of_suggestions(followed: int, told: str) -> None:
    advised = ORDERS.model_copy(update={"advice": Advice(suggested=3, followed=followed)})
    event = events_of(advised, "OPERATOR")[0]
    assert event.text == f"FRANCE has given its orders: A PAR H; {told}."
    assert event.data["advice"] == {"suggested": 3, "followed": followed}
    readers: list[Reader] = ["FRANCE", "ITALY", "PUBLIC"]
    for reader in readers:
        assert events_of(advised, reader) == events_of(ORDERS, reader)


@pytest.mark.parametrize("reader", ["FRANCE", "ITALY", "PUBLIC", "OPERATOR"])
def test_everybody_sees_a_phase_that_was_adjudicated(reader: Reader) -> None:
    (event,) = events_of(PHASE, reader)
    assert "A PAR H" in event.model_dump_json()


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (a_telling("g", "p"), [*READERS]),
        (an_answer("g", "FRANCE"), ["FRANCE", "OPERATOR"]),
        (an_answer("g", "OPERATOR"), ["OPERATOR"]),
    ],
)
def test_the_crew_tells_phases_to_all_and_an_answer_to_its_listener(words: Words, told: list[Reader]) -> None:
    events = {reader: events_of(words, reader) for reader in READERS}
    assert [reader for reader in READERS if events[reader]] == told
    (event,) = events["OPERATOR"]
    assert (event.kind, event.moment, event.power) == (EventKind.CREW, "S1901M", None)
    assert event.data["content"] == words.content
    assert words.content in event.text


def test_what_is_told_of_a_phase_is_hidden_as_long_as_the_phase() -> None:
    horizon = horizon_at("S1901M", 0, 99)
    for record in (PHASE, a_telling("g", "p"), an_answer("g", "FRANCE")):
        assert horizon.hides(record)
    later = horizon_at("F1901M", 0, 99)
    assert not later.hides(a_telling("g", "p"))
    # A person's answer is made of what the person knew, so that it waits for no round to be over.
    in_a_round = horizon_at("S1901M", 2, 99)
    assert [in_a_round.hides(each) for each in (a_telling("g", "p"), an_answer("g", "FRANCE"))] == [
        True,
        False,
    ]


def test_ids_are_the_same_however_often_an_event_is_derived() -> None:
    assert events_of(TALK, "PUBLIC") == events_of(TALK, "PUBLIC")
    ids = [event.id for record in (TALK, ORDERS, PHASE) for event in events_of(record, "OPERATOR")]
    assert len(ids) == len(set(ids))


def test_a_turn_of_the_conductors_floor_is_its_owners_to_know_but_for_its_messages() -> None:
    waking = Waking(wake=3, position=0, after=0, at=0.0)
    said = (message("ITALY", 0), message(BROADCAST, 0))
    both = turn("talk", orders=("A PAR H",), messages=said, number=2, waking=waking)
    kinds = [EventKind.MESSAGE, EventKind.MESSAGE, EventKind.TALKED, EventKind.ORDERED]
    assert [event.kind for event in events_of(both, "FRANCE")] == kinds
    assert "A PAR H" in events_of(both, "FRANCE")[-1].text
    assert {event.moment for event in events_of(both, "FRANCE")} == {"S1901M.1.FRANCE.3"}
    for reader in ("ITALY", "PUBLIC"):
        told = events_of(both, reader)
        assert {event.kind for event in told} == {EventKind.MESSAGE}
        assert {event.moment for event in told} == {"S1901M.1.FRANCE"}


def test_others_are_not_told_which_model_at_which_address_somebody_stands_in_for() -> None:
    stood_in = turn("talk", player="openai:m@http://10.0.0.1/v1", stand_in="dumbbot")
    for reader in ("ITALY", "PUBLIC"):
        (event,) = events_of(stood_in, reader)
        assert event.text == "FRANCE has spoken (dumbbot stands in)."
        assert "openai" not in event.model_dump_json()
    (event,) = events_of(stood_in, "OPERATOR")
    assert event.text == "FRANCE has spoken (dumbbot stands in for openai:m@http://10.0.0.1/v1)."


def test_an_event_names_the_moment_of_its_turn() -> None:
    waking = Waking(wake=2, position=3, after=2, at=0.0)
    assert {event.moment for event in events_of(TALK, "OPERATOR")} == {"S1901M.1.FRANCE"}
    assert {event.moment for event in events_of(ORDERS, "OPERATOR")} == {"S1901M.orders.FRANCE"}
    assert [event.moment for event in events_of(PHASE, "OPERATOR")] == ["S1901M"]
    second = turn("talk", number=1, waking=waking)
    assert {event.moment for event in events_of(second, "OPERATOR")} == {"S1901M.1.FRANCE.2"}


def test_a_mere_note_tells_of_nothing_that_was_done() -> None:
    waking = Waking(wake=1, position=3, after=3, at=0.0, was_asked=False)
    late = turn("talk", waking=waking, notices=(Notice(kind=NoticeKind.LATE, detail="FRANCE was late."),))
    (event,) = events_of(late, "FRANCE")
    assert (event.kind, event.moment) == (EventKind.NOTICE, "S1901M.1")


def test_what_an_agent_does_while_it_is_awake_is_no_turn_that_is_over() -> None:
    waking = Waking(wake=1, position=3, after=3, at=0.0, was_asked=False)
    order = SubmitOrders(orders=("A PAR H",))
    act = turn("talk", waking=waking, actions=(order,), orders=("A PAR H",))
    assert [event.kind for event in events_of(act, "FRANCE")] == [EventKind.ORDERED]
