"""Every action ends in the record: done, or refused with a reason."""

from collections.abc import Sequence

import pytest

from entente.board.engine import Board
from entente.floors.notices import with_advice, with_notes
from entente.floors.recorded import draw_votes, learned_after, memories_after, rejected_lines
from entente.floors.recording import diary_record, open_record, order_record, talk_record
from entente.models.tokens import fewest_of
from entente.players.actions import Action, SendMessage, SubmitOrders, UpdateMemory, VoteDraw
from entente.players.lived import echoes
from entente.players.protocol import Reply
from entente.players.record import Advice, NoticeKind, Segment, TurnRecord
from entente.press.messages import Message, MessageType
from tests.support.canaries import FREE
from tests.support.players import say

BOARD = Board.start()
ORDERS = Segment(game="g", id="s", checkpoint="c", phase="S1901M", stage="orders", round=0)
TALK = Segment(game="g", id="s", checkpoint="c", phase="S1901M", stage="talk", round=2)


def ordered(*actions: Action, first: TurnRecord | None = None, is_asked_again: bool = False) -> TurnRecord:
    return order_record(
        ORDERS,
        "FRANCE",
        "model",
        actions,
        board=BOARD,
        read_up_to=0,
        first=first,
        is_asked_again=is_asked_again,
    )


def talked(*actions: Action, said: Sequence[Message] = ()) -> TurnRecord:
    reachable = ["GERMANY", "ITALY"]
    return talk_record(TALK, "FRANCE", "model", actions, reachable=reachable, read_up_to=0, said=said)


def kinds(record: TurnRecord) -> list[NoticeKind]:
    return [notice.kind for notice in record.notices]


def test_nobody_is_told_of_an_addressee_who_was_not_sent_the_same_words() -> None:
    to_italy = say("ITALY", "with us two").model_copy(update={"also_to": ("GERMANY",)})
    lie = talked(to_italy, say("GERMANY", "other words"))
    assert [message.also_to for message in lie.messages] == [(), ()]
    told = talked(to_italy, say("GERMANY", "with us two"))
    assert [message.also_to for message in told.messages] == [("GERMANY",), ()]


def test_ids_of_messages_count_what_was_delivered_to_the_same_recipient_in_the_phase() -> None:
    record = talked(say("GERMANY", "one"), say("PRUSSIA", "lost"), say("ITALY", "two"), say("ALL", "three"))
    ids = ["S1901M.FRANCE.GERMANY.0", "S1901M.FRANCE.ITALY.0", "S1901M.FRANCE.ALL.0"]
    assert [message.id for message in record.messages] == ids
    again = talked(say("ITALY", "four"), say("ITALY", "five"), said=record.messages)
    assert [message.id for message in again.messages] == ["S1901M.FRANCE.ITALY.1", "S1901M.FRANCE.ITALY.2"]
    assert kinds(record) == [NoticeKind.MESSAGE_REFUSED]
    assert len(record.actions) == 4


def test_orders_are_refused_while_press_is_wanted_and_press_while_orders_are() -> None:
    assert kinds(talked(SubmitOrders(orders=("A PAR H",)))) == [NoticeKind.ACTION_REFUSED]
    record = ordered(
        SubmitOrders(orders=("A PAR H", "A MAR H", "F BRE H")),
        SendMessage(recipient="ITALY", message_type=MessageType.CHAT, content="psst"),
    )
    assert kinds(record) == [NoticeKind.ACTION_REFUSED]
    assert record.messages == ()


def test_repaired_lines_and_defaults_are_noted() -> None:
    record = ordered(SubmitOrders(orders=("paris to burgundy",)))
    assert record.orders == ("A PAR - BUR",)
    assert kinds(record) == [
        NoticeKind.ORDER_REPAIRED,
        NoticeKind.ORDER_DEFAULTED,
        NoticeKind.ORDER_DEFAULTED,
    ]


def test_the_second_turn_keeps_what_was_good_and_replaces_what_it_names() -> None:
    lines = ("A PAR - BUR", "A MAR - LON", "! F BRE - LON")
    first = ordered(SubmitOrders(orders=lines), is_asked_again=True)
    assert NoticeKind.ORDER_DEFAULTED not in kinds(first)
    second = ordered(SubmitOrders(orders=("A MAR - SPA", "A PAR H")), first=first)
    assert set(second.orders) == {"A PAR H", "A MAR - SPA", "F BRE - LON"}
    assert second.number == 1


def test_a_line_that_a_later_one_replaced_is_not_asked_again() -> None:
    record = ordered(SubmitOrders(orders=("A PAR H", "A PAR - BUR")))
    assert kinds(record)[0] is NoticeKind.ORDER_REJECTED
    assert rejected_lines(BOARD, record) == ()


def test_memory_is_folded_turn_by_turn_and_none_forgets() -> None:
    turns = [
        talked(UpdateMemory(key="a", value=1), UpdateMemory(key="b", value=2)),
        talked(UpdateMemory(key="a", value=None), UpdateMemory(key="c", value=[3])),
    ]
    assert memories_after({"FRANCE": {"old": True}, "ITALY": {}}, turns) == {
        "FRANCE": {"old": True, "b": 2, "c": [3]}
    }


def test_the_last_vote_counts() -> None:
    assert draw_votes([talked(VoteDraw(yes=True)), talked(VoteDraw(yes=False))]) == {"FRANCE": False}


def test_a_fold_updates_the_memory_and_does_nothing_else() -> None:
    segment = TALK.diaries
    assert (segment.id, segment.stage, segment.round) == ("s.diary", "diary", 0)
    actions = (UpdateMemory(key="diary", value="All quiet."), VoteDraw(yes=True), say("ITALY", "psst"))
    record = diary_record(segment, "FRANCE", "model", actions)
    assert kinds(record) == [NoticeKind.ACTION_REFUSED] * 2
    assert (record.messages, record.orders) == ((), ())
    assert memories_after({}, [record]) == {"FRANCE": {"diary": "All quiet."}}


def test_a_fold_that_has_failed_says_why() -> None:
    record = diary_record(TALK.diaries, "FRANCE", "model", (), why_not="the line is dead.")
    assert kinds(record) == [NoticeKind.DIARY_NOT_FOLDED]
    assert record.notices[0].detail == "FRANCE's diary was not folded this year: the line is dead."


def test_what_was_cut_is_noted_as_such() -> None:
    record = with_notes(
        talked(),
        Reply(unread=("no such tool",), mended=("two lines were none",), cut=("the memory was too long",)),
    )
    assert kinds(record) == [NoticeKind.MENDED, NoticeKind.ACTION_REFUSED, NoticeKind.CUT]


@pytest.mark.parametrize(
    ("lines", "left"),
    [
        (["A PAR - BUR", "A MAR - NOWHERE"], ["A PAR - BUR", "A MAR - SPA", "F BRE - MAO"]),
        (["A PAR - BUR"], ["A PAR - BUR"]),
        (["A PAR - LON"], ["A PAR - PIC", "A MAR - SPA", "F BRE - MAO"]),
    ],
    ids=["a slip among them", "all can be used", "nothing but a slip"],
)
def test_orders_that_are_given_anew_replace_the_former_ones_but_for_slips(
    lines: list[str], left: list[str]
) -> None:
    standing = ["A PAR - PIC", "A MAR - SPA", "F BRE - MAO"]
    record = open_record(
        TALK,
        "FRANCE",
        "m",
        [SubmitOrders(orders=tuple(lines))],
        board=BOARD,
        reachable=["ENGLAND"],
        read_up_to=0,
        standing=standing,
    )
    assert sorted(record.orders) == sorted(left)
    ((_, echo),) = echoes(record, BOARD)
    assert echo.payload["stand"] == [order for order in standing if order in left]


def called(letters: int, tokens: int, player: str = "model") -> TurnRecord:
    usage = FREE.model_copy(update={"prompt_letters": letters, "prompt_tokens": tokens})
    return ordered().model_copy(update={"calls": (usage,), "player": player})


def test_a_token_is_learned_once_of_each_model_of_a_power_and_the_fewest_letters_from_each_phase() -> None:
    first = learned_after({}, [called(9_000, 3_000), called(9_000, 3_600), ordered()])
    assert first == {"FRANCE": {"player": "model", "letters": 2.5, "fewest": 2.5}}
    assert learned_after(first, [called(9_000, 2_000)]) == {}
    crowded = learned_after(first, [called(9_000, 2_000), called(9_000, 4_000)])
    assert crowded == {"FRANCE": {"player": "model", "letters": 2.5, "fewest": 2.2}}
    assert learned_after(crowded, [called(9_000, 3_700)]) == {}
    other = {"FRANCE": {"player": "other", "letters": 4.5, "fewest": 4.5}}
    assert learned_after(crowded, [called(9_000, 2_000, "other")]) == other


def test_of_a_game_of_before_the_fewest_letters_are_those_that_it_had_learned() -> None:
    assert fewest_of({"player": "model", "letters": 2.5}) == 2.5


SUGGESTED = (
    ("A PAR - BUR", "A MAR - SPA", "F BRE H"),
    ("A PAR - PIC", "A MAR H", "F BRE - MAO"),
)


@pytest.mark.parametrize(
    ("lines", "followed"),
    [
        (["A MAR - SPA", "A PAR - BUR", "F BRE H"], 1),
        (["F BRE-MAO", "PAR - PIC"], 2),
        (["A PAR - BUR", "A MAR - SPA", "F BRE - MAO"], 0),
        (["A PAR - NOWHERE"], 0),
    ],
    ids=["in another order", "in other words, and a unit that holds left out", "two mixed", "none"],
)
def test_it_is_recorded_which_suggestion_the_orders_are(lines: list[str], followed: int) -> None:
    given = (SubmitOrders(orders=tuple(lines)),)
    record = order_record(ORDERS, "FRANCE", "m", given, board=BOARD, read_up_to=0)
    assert with_advice(record, Reply(given, suggested=SUGGESTED)).advice == Advice(
        suggested=2, followed=followed
    )


def test_nothing_is_recorded_of_suggestions_where_there_were_none_or_nothing_was_ordered() -> None:
    given = (SubmitOrders(orders=("A PAR - BUR",)),)
    record = order_record(ORDERS, "FRANCE", "m", given, board=BOARD, read_up_to=0)
    assert with_advice(record, Reply(given)) == record
    assert with_advice(talked(), Reply(suggested=SUGGESTED)) == talked()
    assert "advice" not in record.model_dump_json()
