"""Commitments of a phase once it is adjudicated: who was bound, and whether its orders kept that."""

import pytest

from entente.board.engine import Board
from entente.board.types import parse_order
from entente.players.model.promises import judged_promises, promises
from entente.press.messages import BROADCAST, Act, Commitment, CommitmentKind, Message, MessageType

ORDERS = {
    "FRANCE": ["A PAR - BUR", "F BRE - MAO"],
    "GERMANY": ["A MUN - BUR"],
    "ITALY": ["A VEN - TRI", "A ROM S A VEN - TRI"],
}
JUDGED = Board.start().adjudicate({p: [parse_order(line) for line in lines] for p, lines in ORDERS.items()})


def said(sender: str, to: str, act: str, kind: str, by: str, *places: str, order: str = "") -> Message:
    commitment = Commitment(kind=CommitmentKind(kind), act=Act(act), by=by, locations=places, order=order)
    return Message(
        id=f"S1901M.1.{sender}.0",
        phase="S1901M",
        round=1,
        sender=sender,
        recipient=to,
        message_type=MessageType.PROPOSAL,
        content="a word",
        commitments=(commitment,),
    )


@pytest.mark.parametrize(
    ("message", "outcome"),
    [
        (said("FRANCE", "GERMANY", "accept", "peace", "FRANCE"), "kept"),
        (said("ITALY", "AUSTRIA", "accept", "peace", "ITALY"), "broken by ITALY (A VEN - TRI)"),
        (
            said("FRANCE", "GERMANY", "accept", "dmz", "FRANCE", " bur "),
            "broken by FRANCE (A PAR - BUR) and broken by GERMANY (A MUN - BUR)",
        ),
        (said("FRANCE", "GERMANY", "state", "dmz", "FRANCE", "RUH"), "kept"),
        (said("FRANCE", "GERMANY", "state", "dmz", "FRANCE", "the Ruhr"), ""),
        (
            said("ITALY", "FRANCE", "state", "order", "ITALY", order="A VEN H"),
            "broken by ITALY (A VEN - TRI)",
        ),
        (said("ITALY", "FRANCE", "state", "order", "ITALY", order="a ven-tri"), "kept"),
        (said("ITALY", "FRANCE", "state", "order", "FRANCE", order="A PAR H"), ""),
        (
            said("ITALY", "FRANCE", "accept", "support", "FRANCE", order="A MAR S A VEN - PIE"),
            "broken by FRANCE (A MAR H)",
        ),
        (said("ITALY", "FRANCE", "accept", "order", "FRANCE", order="march!"), ""),
        (said("ITALY", "FRANCE", "propose", "peace", "ITALY"), ""),
        (said("ITALY", "AUSTRIA", "refuse", "peace", "ITALY"), ""),
        (said("ITALY", BROADCAST, "state", "peace", "ITALY"), "kept"),
        (said("FRANCE", BROADCAST, "state", "peace", "FRANCE"), ""),
        (said("FRANCE", BROADCAST, "state", "dmz", "FRANCE", "BUR"), "broken by FRANCE (A PAR - BUR)"),
    ],
    ids=lambda value: value if isinstance(value, str) else value.commitments[0].kind.value,
)
def test_what_orders_made_of_a_commitment_as_france_sees_it(message: Message, outcome: str) -> None:
    (promise,) = judged_promises([message], "FRANCE", JUDGED.results, JUDGED.before)
    assert promise.outcome == outcome


def test_a_promise_is_open_until_its_phase_is_adjudicated() -> None:
    (promise,) = promises([said("FRANCE", "ITALY", "accept", "peace", "FRANCE")])
    assert promise.status == "accepted by FRANCE to ITALY"
