"""What plain English is taken to mean."""

import pytest

from entente.board.engine import Board
from entente.players.scripted.diplomat.grammar import Sense, asked_order, hear, provinces_in
from entente.press.messages import Act, Commitment, CommitmentKind, MessageType
from tests.support.conformance import mail

BOARD = Board.start()

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
    heard = hear(mail("GERMANY", "FRANCE", text, message_type=MessageType.CHAT), BOARD, "FRANCE", ())
    (commitment,) = heard.commitments
    assert heard.sense is Sense.PROPOSAL
    assert (commitment.kind, commitment.locations, commitment.order) == (kind, places, order)


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
    assert (
        hear(mail("GERMANY", "FRANCE", text, message_type=MessageType.CHAT), BOARD, "FRANCE", ()).sense
        is sense
    )


@pytest.mark.parametrize(("text", "sense"), [("Yes, agreed.", Sense.ACCEPT), ("Sorry, no.", Sense.REFUSE)])
def test_an_answer_is_one_only_to_a_message_of_mine(text: str, sense: Sense) -> None:
    answer = mail("GERMANY", "FRANCE", text, message_type=MessageType.CHAT, reply_to="S1901M.1.FRANCE.0")
    assert hear(answer, BOARD, "FRANCE", {"S1901M.1.FRANCE.0"}).sense is sense
    assert hear(answer, BOARD, "FRANCE", ()).sense is Sense.UNKNOWN


def test_typed_commitments_count_before_the_words() -> None:
    typed = Commitment(kind=CommitmentKind.DMZ, act=Act.PROPOSE, by="GERMANY", locations=("BUR", "XXX"))
    heard = hear(mail("GERMANY", "FRANCE", "Shall we have peace?", commitments=[typed]), BOARD, "FRANCE", ())
    assert [(c.kind, c.locations) for c in heard.commitments] == [(CommitmentKind.DMZ, ("BUR",))]


@pytest.mark.parametrize("order", ["A PAR - MOS", "A MUN - BUR", "nonsense", ""])
def test_an_order_that_i_cannot_give_is_no_proposal(order: str) -> None:
    typed = Commitment(kind=CommitmentKind.ORDER, act=Act.PROPOSE, by="FRANCE", order=order)
    message = mail("GERMANY", "FRANCE", "Do it.", commitments=[typed])
    assert hear(message, BOARD, "FRANCE", ()).commitments == ()


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
    found = asked_order(text, BOARD, "FRANCE")
    assert (str(found) if found else None) == order
