"""What a power has lived: everything that it may know, in the order in which it read it, and nothing else."""

from collections.abc import Sequence
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from entente.board.engine import Board
from entente.board.orders import Reading, read_orders
from entente.board.types import Power
from entente.floors.recording import diary_record, open_record, order_record
from entente.players.actions import Action, SubmitOrders, UpdateMemory, VoteDraw
from entente.players.lived import lived_phase, opening_of
from entente.players.record import Notice, NoticeKind, PhaseRecord, ResultRecord, Segment, TurnRecord, Waking
from entente.players.seat_events import ALL, SYSTEM, SeatEvent, SeatEventKind, SeatPhase, Status
from entente.press.messages import BROADCAST
from tests.support.players import say

BOARD = Board.start()
POWERS = BOARD.powers
OPENING = opening_of(BOARD, None)


def woken(
    power: Power, *actions: Action, place: int, after: int | None = None, at: float = 0.0
) -> TurnRecord:
    """A turn of the conductor's floor at this place; `after` is how many turns stood when it was asked."""
    segment = Segment(game="g", id="s", checkpoint="c", phase="S1901M", stage="talk", round=place + 1)
    others = [other for other in POWERS if other != power]
    record = open_record(segment, power, "m", actions, board=BOARD, reachable=others, read_up_to=0)
    waking = Waking(wake=1, position=place, after=place if after is None else after, at=at)
    return record.model_copy(update={"waking": waking, "at": at})


def lived(power: Power, turns: Sequence[TurnRecord], fold: TurnRecord | None = None) -> SeatPhase:
    return lived_phase(("g", "", power), BOARD, OPENING, turns, fold)


def told(events: Sequence[SeatEvent]) -> list[Any]:
    """Events in short: the words of press, the status of the game's words, or the kind."""
    return [event.payload.get("content") or event.payload.get("status") or event.kind for event in events]


def orders(*lines: str) -> SubmitOrders:
    return SubmitOrders(orders=lines)


def test_what_stood_comes_before_a_turn_and_what_came_while_it_was_thinking_comes_after() -> None:
    phase = lived(
        "FRANCE",
        [
            woken("ENGLAND", say("FRANCE", "one"), place=0),
            woken("ITALY", say("FRANCE", "two"), place=1),
            woken("FRANCE", say("ENGLAND", "mine"), place=2, after=1),
            woken("ITALY", say("FRANCE", "three"), place=3),
            woken("FRANCE", place=4),
            woken("ITALY", say("FRANCE", "four"), place=5),
        ],
    )
    assert [told(turn.heard) for turn in phase.turns] == [["one"], ["two", "three"]]
    assert told(phase.unread) == ["four"]
    assert told([*phase.events()]) == ["BOARD_STATE", "one", "mine", "two", "three", "four"]


def test_a_sender_is_echoed_its_own_message_and_others_hear_what_is_for_them() -> None:
    turns = [woken("FRANCE", say("ITALY", "for Italy"), say(BROADCAST, "for all"), place=0, at=7.5)]
    ((action, echo), (_, public)) = lived("FRANCE", turns).turns[0].said
    assert (echo.kind, echo.sender, echo.recipient, echo.at) == (SeatEventKind.PRESS, "FRANCE", "ITALY", 7.5)
    assert echo.payload == turns[0].messages[0].model_dump(mode="json")
    assert action == turns[0].actions[0]
    assert public.recipient == ALL
    assert told(lived("ITALY", turns).unread) == ["for Italy", "for all"]
    assert told(lived("TURKEY", turns).unread) == ["for all"]


def test_a_turn_that_orders_a_hundred_times_has_its_lines_read_twice(monkeypatch: pytest.MonkeyPatch) -> None:
    turn = woken("FRANCE", orders("nonsense", "A PAR H"), *[orders("A MAR H")] * 98, place=0)
    read = 0

    def counted(board: Board, power: Power, lines: Sequence[str]) -> Reading:
        nonlocal read
        read += len(lines)
        return read_orders(board, power, lines)

    monkeypatch.setattr("entente.players.lived.read_orders", counted)
    said = lived("FRANCE", [turn]).turns[0].said
    assert [len(echo.payload["lines"]) for _, echo in said] == [2, *[1] * 98]  # type: ignore[arg-type]
    assert read == 2 * 100


def test_messages_that_were_refused_are_told_apart_from_those_that_were_delivered() -> None:
    said = [say("ITALIA", "Hello"), say("ITALY", "Hello"), say(" italy", "  "), say("all", "x\x07 y")]
    turn = woken("FRANCE", *said, place=0)
    echoes = [echo for _, echo in lived("FRANCE", [turn]).turns[0].said]
    assert told(echoes) == [Status.MESSAGE_REFUSED, "Hello", Status.MESSAGE_REFUSED, "x  y"]
    assert "'ITALIA' came" in str(echoes[0].payload["why"])
    assert "without words" in str(echoes[2].payload["why"])


def test_orders_are_answered_line_by_line_to_their_owner_and_others_learn_that_they_came() -> None:
    lines = ("A PAR - BUR", "mar-spa", "F BRE - PAR")
    turns = [woken("FRANCE", orders(*lines), place=0)]
    (_, echo) = lived("FRANCE", turns).turns[0].said[0]
    assert (echo.sender, echo.recipient) == (SYSTEM, "FRANCE")
    answers: Any = echo.payload["lines"]
    assert [(answer["line"], answer["verdict"]) for answer in answers] == [
        ("A PAR - BUR", "taken"),
        ("mar-spa", "repaired"),
        ("F BRE - PAR", "rejected"),
    ]
    assert answers[1]["order"] == "A MAR - SPA"
    assert answers[2]["note"]
    assert answers[2]["nearest"].startswith("F BRE")
    (heard,) = lived("ITALY", turns).unread
    assert heard.payload == {"status": Status.ORDERS_SUBMITTED, "power": "FRANCE"}
    assert (heard.sender, heard.recipient) == (SYSTEM, ALL)


def test_the_same_orders_once_more_are_no_news() -> None:
    one, other = orders("A PAR - BUR"), orders("A PAR - PIC")
    turns = [woken("FRANCE", said, place=place) for place, said in enumerate([one, one, other])]
    assert told(lived("ITALY", turns).unread) == [Status.ORDERS_SUBMITTED] * 2


def test_units_without_an_order_are_told_with_the_orders() -> None:
    (_, echo) = lived("FRANCE", [woken("FRANCE", orders("A PAR H"), place=0)]).turns[0].said[0]
    assert len(echo.payload["left"]) == 2  # pyright: ignore[reportArgumentType] - a list


def test_memory_and_votes_are_acknowledged() -> None:
    turn = woken("FRANCE", UpdateMemory(key="plan", value="west"), VoteDraw(yes=False), place=0)
    assert told([echo for _, echo in lived("FRANCE", [turn]).turns[0].said]) == [
        "MEMORY_KEPT",
        "VOTE_COUNTED",
    ]


def test_notices_of_a_turn_reach_its_owner_before_anything_else() -> None:
    notice = Notice(kind=NoticeKind.ACTION_REFUSED, detail="There is no tool 'fly'.")
    turns = [
        woken("FRANCE", place=0).model_copy(update={"notices": (notice,)}),
        woken("ITALY", say("FRANCE", "hello"), place=1),
    ]
    assert told(lived("FRANCE", turns).unread) == [Status.NOTICE, "hello"]
    assert lived("TURKEY", turns).unread == ()


def test_a_note_that_a_power_was_late_is_no_turn_of_its_own() -> None:
    late = Notice(kind=NoticeKind.LATE, detail="FRANCE gave no orders.")
    waking = Waking(wake=1, position=0, after=0, at=1.0, was_asked=False)
    note = woken("FRANCE", place=0).model_copy(update={"notices": (late,), "waking": waking})
    phase = lived("FRANCE", [note])
    assert (phase.turns, told(phase.unread)) == ((), [Status.NOTICE])


def test_what_a_power_did_unasked_is_echoed_in_its_place() -> None:
    waking = Waking(wake=1, position=1, after=0, at=1.0, was_asked=False)
    unasked = woken("FRANCE", say("ITALY", "mine"), orders("A PAR H"), place=1)
    turns = [woken("ITALY", say("FRANCE", "one"), place=0), unasked.model_copy(update={"waking": waking})]
    assert told(lived("FRANCE", turns).unread) == ["one", "mine", Status.ORDERS_READ]


def test_who_is_asked_for_orders_after_the_talk_has_read_all_of_it() -> None:
    segment = Segment(game="g", id="o", checkpoint="c", phase="S1901M", stage="orders", round=0)
    asked = [
        order_record(segment, power, "m", [orders("A PAR H")], board=BOARD, read_up_to=0)
        for power in ("ENGLAND", "FRANCE")
    ]
    phase = lived("FRANCE", [woken("ITALY", say("FRANCE", "last"), place=0), *asked])
    (turn,) = phase.turns
    assert turn.wants_orders
    assert told(turn.heard) == ["last"]
    assert told(phase.unread) == [Status.ORDERS_SUBMITTED]


def test_a_fold_is_told_of_when_the_stretch_beside_it_is_over() -> None:
    beside = Segment(game="g", id="s", checkpoint="c", phase="S1901M", stage="talk", round=1)
    news = [UpdateMemory(key="diary", value="long ago"), UpdateMemory(key="goals", value="old")]
    fold = diary_record(beside.diaries, "FRANCE", "m", news)
    later = woken("FRANCE", place=2).model_copy(update={"segment": "t"})
    turns = [woken("FRANCE", UpdateMemory(key="goals", value="new"), place=0), woken("ITALY", place=1), later]
    phase = lived("FRANCE", turns, fold)
    assert told(phase.turns[0].heard) == []
    (event,) = phase.turns[1].heard
    assert event.payload == {"status": Status.DIARY_FOLDED, "memory": {"diary": "long ago"}}


def test_a_phase_opens_with_the_results_of_the_one_before_and_the_board() -> None:
    result = ResultRecord(power="FRANCE", order="A PAR - BUR", outcomes=("succeeded",))
    before = PhaseRecord(
        game="g",
        id="p",
        parent=None,
        phase="F1900M",
        segments=(),
        board=BOARD.snapshot(),
        results=(result,),
        at=7.5,
    )
    change, board = opening_of(BOARD, before)
    assert (change.at, board.at) == (7.5, 7.5)
    assert (change.kind, board.kind) == (SeatEventKind.PHASE_CHANGE, SeatEventKind.BOARD_STATE)
    assert change.payload["results"] == [result.model_dump(mode="json")]
    assert board.payload["phase"] == "S1901M"
    assert [event.kind for event in OPENING] == [SeatEventKind.BOARD_STATE]


_ACTIONS = st.one_of(
    st.builds(say, st.sampled_from([*POWERS, BROADCAST, "NOBODY"]), st.text("ab ", max_size=3)),
    st.builds(orders, st.sampled_from(["A PAR - BUR", "A PAR H", "x"])),
    st.builds(UpdateMemory, key=st.just("k"), value=st.integers(0, 3)),
)
_SAID = st.tuples(st.sampled_from(POWERS[:3]), st.lists(_ACTIONS, max_size=4), st.integers(0, 3))


@given(st.lists(_SAID, max_size=12))
def test_a_seat_hears_all_that_it_may_read_once_and_nothing_else(said: list[Any]) -> None:
    turns = [
        woken(power, *actions, place=place, after=max(0, place - behind))
        for place, (power, actions, behind) in enumerate(said)
    ]
    for power in POWERS[:4]:
        phase = lived(power, turns)
        press = [e.payload["id"] for e in phase.events() if e.kind is SeatEventKind.PRESS]
        may = [
            m.id
            for t in turns
            for m in t.messages
            if power in (m.sender, m.recipient) or m.recipient == BROADCAST
        ]
        assert sorted(map(str, press)) == sorted(may)
        own = [turn for turn in turns if turn.power == power]
        assert [tuple(action for action, _ in turn.said) for turn in phase.turns] == [t.actions for t in own]
        of_others = [e.payload for t in phase.turns for e in t.heard] + [e.payload for e in phase.unread]
        assert not any("lines" in payload for payload in of_others)
