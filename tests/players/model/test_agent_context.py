"""The context bundle has the interaction model's fields, by name and shape, and nothing that is not in the bundle."""

import re
from dataclasses import replace
from random import Random

from entente.board.engine import Board
from entente.board.types import parse_order
from entente.players.bundle import JudgedPhase
from entente.players.model.agent_context import context_of
from entente.players.model.prompt import conversation
from entente.players.model.seat import Seat
from entente.players.model.seat_context import seat_context
from entente.players.program import SeatHandle
from entente.press.ledger import Ledger
from entente.press.messages import Act, CommitmentKind, Message, MessageType, Statement
from tests.board.order_positions import random_orders
from tests.players.model.talkers import POWERS
from tests.support.table import board_at, ledger_with, make_bundle, past_press


def message(sender: str, to: str, content: str, phase: str = "S1901M", round_: int = 1) -> Message:
    return Message(
        id=f"{phase}.{round_}.{sender}.0",
        phase=phase,
        round=round_,
        sender=sender,
        recipient=to,
        message_type=MessageType.PROPOSAL,
        content=content,
    )


def test_it_has_the_fields_of_the_interaction_model() -> None:
    bundle = make_bundle(
        Board.start(),
        "FRANCE",
        round=2,
        inbox=[message("ITALY", "FRANCE", "shall we?")],
        memory={"trust": {"ITALY": 3}},
    )
    told = context_of(bundle, "Be bold.").model_dump(mode="json")
    assert told["power_name"] == "FRANCE"
    assert told["agent_instructions"] == "Be bold."
    assert told["current_phase_info"] == {
        "phase_name": "S1901M",
        "interaction_type": "NEGOTIATION_ROUND_2",
        "negotiation_rounds_total": 3,
    }
    state = told["public_game_state"]
    assert set(state) == {"units", "centers", "influence", "dislodged", "builds_disbands"}
    assert state["units"]["FRANCE"] == [["F", "BRE"], ["A", "MAR"], ["A", "PAR"]]
    assert state["centers"]["FRANCE"] == ["BRE", "MAR", "PAR"]
    assert state["influence"]["PAR"] == "FRANCE"
    assert told["history_summary"] == {
        "last_phase_state": None,
        "retreats_and_builds": [],
        "recent_events": [],
        "talk": [],
        "last_turn_messages_summary": {},
    }
    assert told["communication_inbox"] == [
        {
            "id": "S1901M.1.ITALY.0",
            "sender": "ITALY",
            "recipient": "FRANCE",
            "message_type": "PROPOSAL",
            "content": "shall we?",
            "turn": "S1901M",
            "round": 1,
            "commitments": [],
            "reply_to": None,
            "also_to": [],
        }
    ]
    assert told["private_memory_snippet"] == {"trust": {"ITALY": 3}}


def test_builds_and_disbands_are_told_in_winter() -> None:
    board = board_at(
        "W1901A", {"FRANCE": ["A PAR"], "ITALY": ["A ROM"]}, {"FRANCE": ["PAR", "BRE"], "ITALY": []}
    )
    told = context_of(make_bundle(board, "FRANCE"))
    assert told.current_phase_info.interaction_type == "ORDER_SUBMISSION"
    assert told.public_game_state.builds_disbands == {"FRANCE": 1, "ITALY": -1}


def test_history_has_the_phase_before_and_the_last_words_of_both_sides() -> None:
    before = Board.start()
    bundle = replace(
        make_bundle(before, "FRANCE"),
        previous=before.position,
        chronicle=tuple(f"event {n}" for n in range(30)),
        press=(
            past_press(
                message("ITALY", "FRANCE", "peace?"),
                message("FRANCE", "ITALY", "yes,\nand Tunis is yours"),
                message("ITALY", "FRANCE", "good", round_=2),
                message("ITALY", "BROADCAST", "hello all"),
                message("TURKEY", "BROADCAST", "beware of Russia"),
            ),
        ),
    )
    told = context_of(bundle).history_summary
    assert told.last_phase_state is not None
    assert tuple(told.last_phase_state.units) == POWERS
    assert told.last_phase_state.phase_name == "S1901M"
    assert told.recent_events[-1] == "event 29"
    assert told.last_turn_messages_summary == {
        "ITALY": "they (PROPOSAL): <press>good</press>; you (PROPOSAL): <own>yes, and Tunis is yours</own>",
        "TURKEY": "they to all (PROPOSAL): <press>beware of Russia</press>",
    }


def test_the_summary_of_talk_says_what_was_agreed_and_keeps_the_words_whole() -> None:
    words = "Let us leave the Channel empty this year, and talk of Belgium when the fall comes. " * 3
    peace = Statement(kind=CommitmentKind.PEACE, act=Act.PROPOSE, by="ENGLAND")
    offer = message("ENGLAND", "FRANCE", words).model_copy(update={"commitments": (peace,)})
    ledger = ledger_with(Ledger(), [offer], Board.start())
    bundle = replace(
        make_bundle(Board.start(), "FRANCE", ledger=ledger), press=(past_press(offer, ledger=ledger),)
    )
    (summary,) = context_of(bundle).history_summary.last_turn_messages_summary.values()
    assert summary.startswith("peace between ENGLAND and FRANCE through F1902M: proposed by ENGLAND")
    assert words.strip() in summary


def test_what_is_in_the_bundle_is_read_in_the_prompt() -> None:
    """Each field but `influence`, of which no rule asks, and the summary of talk, which is told whole."""
    board = board_at(
        "S1902M", {"FRANCE": ["A PAR", "F BRE"], "ITALY": ["A BUR"]}, {"FRANCE": ["PAR"], "ITALY": ["ROM"]}
    )
    before = board_at(
        "W1901A",
        {"FRANCE": ["A PAR"], "ITALY": ["A BUR", "F NAP"]},
        {"FRANCE": ["PAR", "BRE"], "ITALY": ["ROM"]},
    )
    orders = {"FRANCE": [parse_order("F BRE B")], "ITALY": [parse_order("F NAP D")]}
    bundle = replace(
        make_bundle(
            board,
            "FRANCE",
            inbox=[message("ITALY", "FRANCE", "shall we?", "S1902M")],
            memory={"plan": "Iberia"},
        ),
        previous=before.position,
        since_movement=(JudgedPhase("W1901A", before.adjudicate(orders).results),),
        chronicle=tuple(f"F1901M: event {n}." for n in range(20)),
        press=(past_press(message("ITALY", "FRANCE", "good", "F1901M")),),
    )
    seat = Seat()
    told = context_of(bundle, seat.guidance("FRANCE"))
    read = "\n".join(each.content for each in conversation(bundle, seat))
    assert f"You are {told.power_name}" in read
    assert told.agent_instructions in read
    assert f"# {told.current_phase_info.phase_name}, orders" in read
    assert "FRANCE 1 center: PAR; units: A PAR, F BRE" in read
    assert "\nW1901A FRANCE: F BRE B\nW1901A ITALY: F NAP D\n" in read
    assert "Others can enter: PAR (A BUR ITALY)." in read
    history = told.history_summary
    assert all(f"\n{event}\n" in read for event in history.recent_events)
    assert [past.phase_name for past in history.talk] == ["F1901M"]
    told_again = [each for past in history.talk for each in past.messages]
    assert all(f"<press {each.id} from {each.sender}" in read for each in told_again)
    assert all(f"<press {each.id} from {each.sender}" in read for each in told.communication_inbox)
    assert '"plan": "Iberia"' in read


async def test_a_program_is_handed_the_same_bundle() -> None:
    async def act(_action: object) -> None:
        raise AssertionError

    bundle = make_bundle(Board.start(), "FRANCE", round=1, memory={"plan": "Iberia"})
    assert SeatHandle(bundle, act).context_bundle() == context_of(bundle)


def test_the_state_before_can_be_told_from_what_a_prompt_has_of_it() -> None:
    """So it stands in no prompt: its units are those of the orders, its centers those of now but for what changed."""
    at = Board.start()
    for seed in range(40):
        judged = at.adjudicate({power: random_orders(at, power, Random(seed)) for power in at.to_order})
        if at.phase.is_movement:
            bundle = replace(
                make_bundle(Board(judged.after), "FRANCE"),
                previous=at.position,
                last_movement=judged.results,
                last_movement_position=at.position,
            )
            told = seat_context(bundle, "")
            before = told.history_summary.last_phase_state
            assert before is not None
            ordered = {
                power: {*re.findall(r"(?:^|; )([AF]) ([A-Z]{3}(?:/[NSEW]C)?)", orders)}
                for power, orders in (line.split(": ", 1) for line in told.last_movement.results)
            }
            assert ordered == {power: set(units) for power, units in before.units.items() if units}
            assert before.centers == told.last_movement.centers
        at = Board(judged.after)
