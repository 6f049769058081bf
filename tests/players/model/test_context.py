"""The context bundle has the interaction model's fields, by name and shape, and nothing that is not in the bundle."""

from dataclasses import replace

from entente.board.engine import Board
from entente.players.model.context import context_of
from entente.press.messages import Message, MessageType
from tests.players.model.talkers import POWERS
from tests.support.table import board_at, make_bundle


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
    assert set(state) == {"units", "centers", "influence", "builds_disbands"}
    assert state["units"]["FRANCE"] == [["F", "BRE"], ["A", "MAR"], ["A", "PAR"]]
    assert state["centers"]["FRANCE"] == ["BRE", "MAR", "PAR"]
    assert state["influence"]["PAR"] == "FRANCE"
    assert told["history_summary"] == {
        "last_phase_state": None,
        "recent_events": [],
        "last_turn_messages_summary": {},
    }
    assert told["communication_inbox"] == [
        {
            "sender": "ITALY",
            "recipient": "FRANCE",
            "message_type": "PROPOSAL",
            "content": "shall we?",
            "turn": "S1901M",
            "round": 1,
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
        last_messages=(
            message("ITALY", "FRANCE", "peace?"),
            message("FRANCE", "ITALY", "yes,\nand Tunis is yours"),
            message("ITALY", "FRANCE", "good", round_=2),
            message("ITALY", "BROADCAST", "hello all"),
            message("TURKEY", "BROADCAST", "beware of Russia"),
        ),
    )
    told = context_of(bundle).history_summary
    assert told.last_phase_state is not None
    assert tuple(told.last_phase_state.units) == POWERS
    assert told.recent_events[-1] == "event 29"
    assert told.last_turn_messages_summary == {
        "ITALY": 'they (PROPOSAL): "good"; you (PROPOSAL): "yes, and Tunis is yours"',
        "TURKEY": 'they to all (PROPOSAL): "beware of Russia"',
    }
