"""What plain English is taken to mean."""

import pytest

from entente.board.engine import Board
from entente.players.scripted.diplomat.grammar import Heard, Sense, hear
from entente.players.scripted.diplomat.places import provinces_in
from entente.players.scripted.diplomat.requested import asked_order, asked_step
from entente.press.ledger import Ledger
from entente.press.messages import Act, CommitmentKind, Message, MessageType, Statement
from tests.support.conformance import mail

BOARD = Board.start()


def understood(message: Message, *before: Message) -> Heard:
    """What France makes of it, after what was said before."""
    ledger = Ledger()
    for each in (*before, message):
        ledger = ledger.after_messages([each], BOARD)
    return hear(message, ledger.seen_by("FRANCE"), BOARD, "FRANCE")


PROPOSALS = [
    ("Shall we agree on peace for two years?", CommitmentKind.PEACE, (), ""),
    ("Let's have a non-aggression pact", CommitmentKind.PEACE, (), ""),
    ("I propose an alliance against England.", CommitmentKind.ALLIANCE, (), ""),
    ("Could we keep Burgundy demilitarized?", CommitmentKind.DMZ, ("BUR",), ""),
    ("Please stay out of the English Channel and Burgundy", CommitmentKind.DMZ, ("ENG", "BUR"), ""),
    (
        "Can you support Munich to Burgundy from Marseilles?",
        CommitmentKind.SUPPORT,
        (),
        "A MAR S A MUN - BUR",
    ),
    ("please order A PAR S A MUN - BUR", CommitmentKind.SUPPORT, (), "A PAR S A MUN - BUR"),
]


@pytest.mark.parametrize(("text", "kind", "places", "order"), PROPOSALS, ids=[p[0] for p in PROPOSALS])
def test_proposals_are_read_from_plain_words(
    text: str, kind: CommitmentKind, places: tuple[str, ...], order: str
) -> None:
    heard = understood(mail("GERMANY", "FRANCE", text, message_type=MessageType.CHAT))
    (proposal,) = heard.proposals
    assert (heard.sense, heard.is_typed) == (Sense.PROPOSAL, False)
    assert (proposal.kind, proposal.locations, proposal.order) == (kind, places, order)


@pytest.mark.parametrize(
    ("text", "sense"),
    [
        ("Leave Burgundy or you will regret it.", Sense.THREAT),
        ("I will move to Denmark.", Sense.STATEMENT),
        ("What are your plans?", Sense.QUESTION),
        ("Hello and good luck!", Sense.CHAT),
        ("Wibble.", Sense.UNKNOWN),
        ("", Sense.UNKNOWN),
    ],
    ids=str,
)
def test_other_talk_is_told_apart(text: str, sense: Sense) -> None:
    assert understood(mail("GERMANY", "FRANCE", text, message_type=MessageType.CHAT)).sense is sense


@pytest.mark.parametrize(("text", "sense"), [("Yes, agreed.", Sense.ACCEPT), ("Sorry, no.", Sense.REFUSE)])
def test_an_answer_is_one_only_to_a_proposal_of_mine(text: str, sense: Sense) -> None:
    statement = Statement(kind=CommitmentKind.PEACE, act=Act.PROPOSE)
    proposal = mail("FRANCE", "GERMANY", "Peace?", commitments=[statement])
    answer = mail("GERMANY", "FRANCE", text, message_type=MessageType.CHAT, round=2)
    heard = understood(answer, proposal)
    assert heard.sense is sense
    assert [c.kind for c in (*heard.accepts, *heard.refuses)] == [CommitmentKind.PEACE]
    assert understood(answer).sense is Sense.UNKNOWN


def test_a_text_without_words_answers_nothing() -> None:
    statement = Statement(kind=CommitmentKind.PEACE, act=Act.PROPOSE)
    proposal = mail("FRANCE", "GERMANY", "Peace?", commitments=[statement])
    answer = mail("GERMANY", "FRANCE", "...", message_type=MessageType.CHAT, round=2)
    heard = understood(answer, proposal)
    assert (heard.sense, heard.accepts, heard.refuses) == (Sense.UNKNOWN, (), ())


def test_what_is_typed_counts_before_the_words() -> None:
    typed = Statement(kind=CommitmentKind.DMZ, act=Act.PROPOSE, locations=("bur", "Gascony"))
    heard = understood(mail("GERMANY", "FRANCE", "Shall we have peace?", commitments=[typed]))
    assert heard.is_typed
    assert [(p.kind, p.by, p.locations, p.term) for p in heard.proposals] == [
        (CommitmentKind.DMZ, "GERMANY", ("BUR", "GAS"), "F1901M")
    ]


@pytest.mark.parametrize("order", ["A PAR - MOS", "A MUN - BUR", "nonsense", ""])
def test_an_order_that_i_cannot_give_is_no_proposal(order: str) -> None:
    typed = Statement(kind=CommitmentKind.ORDER, act=Act.PROPOSE, by="FRANCE", order=order, term="S1901M")
    assert understood(mail("GERMANY", "FRANCE", "Do it.", commitments=[typed])).proposals == ()


def test_codes_are_provinces_in_capitals_only() -> None:
    assert provinces_in("the war in her den, GAS or Mid-Atlantic Ocean", "standard") == ["GAS", "MAO"]


@pytest.mark.parametrize(
    ("text", "order"),
    [
        ("move Paris to Burgundy", "A PAR - BUR"),
        ("A PAR - BUR no, A PAR - PIC", "A PAR - PIC"),
        ("hold in Marseilles", "A MAR H"),
        ("go to the moon", None),
    ],
)
def test_orders_are_found_in_notation_and_in_words(text: str, order: str | None) -> None:
    found = asked_order(text, BOARD, "FRANCE", "GERMANY")
    assert (str(found) if found else None) == order


@pytest.mark.parametrize(
    ("text", "by"),
    [
        ("Munich can support Paris to Burgundy.", "GERMANY"),
        ("Happy to support Paris into Burgundy from Munich.", "GERMANY"),
        ("Paris supports Munich to Burgundy?", "FRANCE"),
        ("You support me to Burgundy with Paris.", "FRANCE"),
    ],
    ids=str,
)
def test_whose_support_it_is_is_told_by_words_and_board(text: str, by: str) -> None:
    (proposal,) = understood(mail("GERMANY", "FRANCE", text, message_type=MessageType.CHAT)).proposals
    assert (proposal.kind, proposal.by) == (CommitmentKind.SUPPORT, by)


@pytest.mark.parametrize(
    ("text", "order"),
    [
        ("go to Picardy with your army", "A PAR - PIC"),
        ("go to Picardy", None),
        ("go to Ruhr from Munich", None),
    ],
)
def test_the_unit_of_a_move_may_go_unnamed_where_that_is_allowed(text: str, order: str | None) -> None:
    found = asked_step(text, BOARD, "FRANCE", is_filled=order is not None)
    assert (str(found) if found else None) == order
