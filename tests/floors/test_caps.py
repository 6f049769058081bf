"""What any player says in a turn is bounded where it is recorded, whoever plays the seat."""

import json
from collections.abc import Sequence
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from checkpoints.store import Store
from entente.board.engine import Board
from entente.floors.answers import check
from entente.floors.notices import with_bounded_notices, with_ignored_statements, with_notes
from entente.floors.recording import diary_record, open_record, order_record, talk_record
from entente.floors.seat_view import SeatView
from entente.games.line import records_on_line
from entente.games.runner import GameMaster, RunEnd
from entente.players import caps
from entente.players.actions import Action, SendMessage, SubmitOrders, UpdateMemory, VoteDraw
from entente.players.bundle import Bundle
from entente.players.caps import within_caps
from entente.players.protocol import Reply
from entente.players.record import NoticeKind, Segment, TurnRecord
from entente.press.ledger import Ledger
from entente.press.messages import Act, CommitmentKind, Statement
from graph.context import parse_settings
from tests.support.players import Cast, say

BOARD = Board.start()
OTHERS = ["ENGLAND", "GERMANY", "ITALY"]
TALK = Segment(game="g", id="s", checkpoint="c", phase="S1901M", stage="talk", round=1)
ORDERS = TALK.model_copy(update={"stage": "orders", "round": 0})
PEACE = Statement(kind=CommitmentKind.PEACE, act=Act.PROPOSE)
MOST_CHARS = 200_000
"""Of a record as JSON, whatever came."""


def stating(*statements: Statement, text: str = "hello") -> SendMessage:
    return say("GERMANY", text).model_copy(update={"commitments": statements})


LONG = "x" * 1_000_000
FLOODS: dict[str, Sequence[Action]] = {
    "5,000 commitments": [stating(*[PEACE] * 5000)],
    "5,000 commitments that mean nothing": [stating(*[PEACE.model_copy(update={"act": Act.ACCEPT})] * 5000)],
    "10,000 messages": [say("GERMANY", f"message {n}") for n in range(10_000)],
    "500 long messages": [say("GERMANY", "x" * 3900)] * 500,
    "10,000 messages to nobody": [say("NOBODY", "hello")] * 10_000,
    "an endless message": [say("GERMANY", LONG)],
    "an endless address": [say(LONG, "hello")],
    "an endless answer": [say("GERMANY", "hello").model_copy(update={"reply_to": LONG})],
    "endless fields": [stating(PEACE.model_copy(update={field: LONG})) for field in ("by", "order", "term")],
    "endless places": [stating(PEACE.model_copy(update={"locations": ("BUR",) * 100_000}))],
    "3,000 lines of nonsense": [SubmitOrders(orders=tuple(f"nonsense {n}" for n in range(3000)))],
    "3,000 lines in one": [SubmitOrders(orders=("nonsense\n" * 3000,))],
    "10,000 times orders": [SubmitOrders(orders=("A PAR H",))] * 10_000,
    "an endless line": [SubmitOrders(orders=(LONG,))],
    "10,000 keys": [UpdateMemory(key=f"k{n}", value=n) for n in range(10_000)],
    "an endless key": [UpdateMemory(key=LONG, value=1)],
    "an endless value": [UpdateMemory(key="k", value=LONG)],
    "a number that is none": [UpdateMemory(key="k", value=float("nan"))],
    "a number without end": [UpdateMemory(key="k", value=10**400)],
    "half a character": [
        say("GERMANY", "\ud800 hello"),
        stating(PEACE.model_copy(update={"term": "\ud800"})),
        SubmitOrders(orders=("A PAR H\ud800",)),
        UpdateMemory(key="\ud800", value=["\ud800"]),
    ],
    "10,000 votes": [VoteDraw(yes=True)] * 10_000,
}


def recorded(actions: Sequence[Action]) -> list[TurnRecord]:
    """The actions as they are recorded wherever actions are."""
    talk = talk_record(TALK, "FRANCE", "m", actions, reachable=OTHERS, read_up_to=0)
    draft = talk_record(TALK, "FRANCE", "m", actions, reachable=OTHERS, read_up_to=0, drafted_on=BOARD)
    turns = [
        with_ignored_statements(talk, Ledger(), BOARD),
        draft,
        order_record(ORDERS, "FRANCE", "m", actions, board=BOARD, read_up_to=0),
        open_record(TALK, "FRANCE", "m", actions, board=BOARD, reachable=OTHERS, read_up_to=0),
        diary_record(TALK.diaries, "FRANCE", "m", actions),
    ]
    return [*map(with_bounded_notices, turns)]


@pytest.mark.parametrize("flood", FLOODS)
def test_whatever_a_player_says_its_record_is_bounded_and_says_so(flood: str) -> None:
    is_small = flood == "half a character"
    for turn in recorded(FLOODS[flood]):
        assert len(turn.model_dump_json()) < MOST_CHARS
        json.dumps(turn.model_dump(mode="json"), allow_nan=False).encode()
        kinds = [notice.kind for notice in turn.notices]
        assert is_small or NoticeKind.OVER_CAP in kinds
        assert max(map(kinds.count, kinds), default=0) <= 41


class Unread(tuple[Any, ...]):
    """A tuple that nobody goes through; a part of it is a usual one."""

    def __iter__(self) -> Any:
        raise AssertionError("all of it was looked at")


class UnreadList(list[Any]):
    """The same as a list."""

    def __iter__(self) -> Any:
        raise AssertionError("all of it was looked at")


def test_of_what_is_far_too_much_a_part_is_looked_at() -> None:
    """`model_construct` leaves values as they are."""
    stated = say("GERMANY", "hello").model_copy(update={"commitments": Unread([PEACE] * 5000)})
    ordered = SubmitOrders.model_construct(orders=Unread(["A PAR H"] * 3000))
    kept = UpdateMemory.model_construct(key="k", value={"parts": UnreadList([0] * 60_000)})
    actions, left_out = within_caps([stated, ordered, kept])
    assert actions == (stating(*[PEACE] * 24), SubmitOrders(orders=("A PAR H",) * 100))
    assert left_out == (
        "A message may have 24 statements; 4976 more were left out.",
        "A turn may have 100 lines of orders with 10000 characters in all; 2900 more were left out.",
        "A value of the memory may have 50000 characters; 1 more was left out.",
    )


def test_what_a_player_thinks_aloud_is_bounded_and_can_be_kept() -> None:
    turn = talk_record(TALK, "FRANCE", "m", [], reachable=OTHERS, read_up_to=0)
    noted = with_notes(turn, Reply([], thinking=LONG))
    assert noted.thinking == LONG[:20_000]
    assert [(notice.kind, notice.detail) for notice in noted.notices] == [
        (
            NoticeKind.OVER_CAP,
            "FRANCE: A turn may have 20000 characters of thoughts; 980000 more were left out.",
        )
    ]
    for whole in ("x" * 20_000, "half a \ud800"):
        kept = with_notes(turn, Reply([], thinking=whole))
        assert not kept.notices
        kept.model_dump_json()


def test_what_a_game_needs_is_within_the_caps() -> None:
    winner = [f"A PAR S A BUR - MUN # {n}" for n in range(34)]
    statements = tuple(
        Statement(kind=CommitmentKind.ORDER, act=Act.STATE, order=line, term="F1901M") for line in winner[:24]
    )
    said = [stating(*statements, text="x" * 600) for _ in range(6)]
    actions = [*said, SubmitOrders(orders=tuple(winner)), UpdateMemory(key="plan", value="x" * 10_000)]
    assert within_caps(actions) == (tuple(actions), ())


def test_a_round_is_capped_over_all_its_turns() -> None:
    first = talk_record(TALK, "FRANCE", "m", [say("ITALY", "x" * 3900)] * 5, reachable=OTHERS, read_up_to=0)
    after = talk_record(
        TALK,
        "FRANCE",
        "m",
        [say("ITALY", "y" * 3900)] * 5,
        reachable=OTHERS,
        read_up_to=0,
        said=first.messages,
    )
    assert (len(first.messages), len(after.messages)) == (5, 1)
    assert after.notices[0].detail == (
        "FRANCE: A round may have 100 messages of 24000 characters in all; 4 more were left out."
    )


def test_a_memory_is_capped_over_all_turns() -> None:
    full = {f"k{n}": "x" * 49_000 for n in range(10)}
    put = [UpdateMemory(key="k0", value="y"), UpdateMemory(key="new", value="z" * 49_000)]
    assert within_caps(put, memory=full) == (tuple(put), ())
    for turn in (
        talk_record(TALK, "FRANCE", "m", put[1:], reachable=OTHERS, read_up_to=0, memory=full),
        order_record(ORDERS, "FRANCE", "m", put[1:], board=BOARD, read_up_to=0, memory=full),
        open_record(TALK, "FRANCE", "m", put[1:], board=BOARD, reachable=OTHERS, read_up_to=0, memory=full),
        diary_record(TALK.diaries, "FRANCE", "m", put[1:], memory=full),
    ):
        assert turn.actions == ()
        assert "FRANCE: A memory may have 500000 characters in all; 1 more was left out." in [
            notice.detail for notice in turn.notices
        ]
    forgotten = [UpdateMemory(key="k0", value=None), *put[1:]]
    assert within_caps(forgotten, memory=full) == (tuple(forgotten), ())


@given(st.lists(st.sampled_from([action for flood in FLOODS.values() for action in flood[:3]]), max_size=8))
def test_what_is_within_the_caps_stays_as_it_is(actions: list[Action]) -> None:
    once = within_caps(actions)
    assert within_caps(once.actions) == (once.actions, ())


@pytest.mark.parametrize(
    ("ask", "answer"),
    [
        ("talk", {"messages": [{"to": "ITALY", "text": "x" * 3900}] * 500}),
        ("talk", {"messages": [{"to": "NOBODY", "text": "x"}] * 500}),
        ("orders", {"orders": ["nonsense"] * 3000}),
        ("open", "nonsense\n" * 3000),
    ],
)
def test_a_person_who_says_too_much_is_asked_again(ask: Any, answer: Any) -> None:
    verdicts = check(asked_for(ask), answer).verdicts
    assert 1 <= len(verdicts) <= 41
    assert "left out" in verdicts[0]


def asked_for(ask: Any) -> SeatView:
    """What FRANCE is asked."""
    return SeatView(
        power="FRANCE",
        ask=ask,
        phase="S1901M",
        round=1,
        text="",
        board=BOARD.snapshot(),
        can_write_to=tuple(OTHERS),
    )


@pytest.mark.parametrize("ask", ["talk", "orders", "open"])
@pytest.mark.parametrize(
    "answer",
    [
        "ITALY: x\n" * 100_000,
        {"messages": ["ITALY: x\r" * 100_000]},
        {"messages": [{"to": "ITALY", "text": "x"}] * 100_000},
        {"orders": ["A PAR H"] * 100_000},
        ["ITALY: x"] * 100_000,
    ],
    ids=["text", "message", "messages", "orders", "list"],
)
def test_an_answer_of_100000_lines_is_not_read_one_by_one(ask: Any, answer: Any) -> None:
    """LangGraph's server bounds no body, and answers nobody else while one is read."""
    read = check(asked_for(ask), answer)
    assert read.verdicts == ("An answer may have 20000 lines and messages; 100000 came.",)
    assert (read.actions, read.orders.verdicts) == ((), ())


def flooding(bundle: Bundle) -> Sequence[Action]:
    """Says far too much of everything."""
    return [action for flood in FLOODS.values() for action in flood]


@pytest.mark.parametrize("how", [{"floor": "rounds", "rounds": 1}, {"floor": "conductor"}], ids=str)
async def test_a_seat_that_floods_a_game_holds_nobody_up(memory_store: Store, how: dict[str, Any]) -> None:
    cast = Cast(scripts={"flood": flooding})
    master = GameMaster(memory_store, cast)
    settings = parse_settings({"everyone": "hold", "seats": {"FRANCE": "flood"}, "max_year": 1901, **how})
    standing = await master.run(await master.begin(settings))
    assert standing.end is RunEnd.FINISHED
    line = await records_on_line(memory_store.journal, standing.game, standing.state)
    turns = [record for record in line if isinstance(record, TurnRecord)]
    assert max(len(turn.model_dump_json()) for turn in turns) < 2 * MOST_CHARS
    heard = [sum(len(m.content) for m in bundle.inbox) for bundle in cast.asked("GERMANY")]
    assert 0 < max(heard) <= caps.MAX_TALK_CHARS
