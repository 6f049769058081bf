"""What a seat reads in each stage of a phase, on each floor and in each set, kept to be seen in review.

The system message is left out: `test_rules` keeps it.
"""

from dataclasses import replace

import pytest

from entente.board.engine import Board
from entente.players.bundle import Bundle, Fold, GameRules
from entente.players.lived import lived_phase, opening_of
from entente.players.model.diary import fold_prompt
from entente.players.model.interview import interview_request
from entente.players.model.player import ModelPlayer
from entente.players.model.prompt import conversation
from entente.players.model.seat import Seat
from entente.players.model.settings import SeatSettings
from prompts import open_set
from tests.players.model.snapshot import check, conversation_text
from tests.players.model.test_diary import SPRING
from tests.players.model.words import FakeModel
from tests.support.table import board_at, make_bundle

SEATS = {
    "default": Seat(),
    "short": Seat(SeatSettings(actions="json", prompts="short"), open_set(short=True)),
}
CENTERS = {"FRANCE": ["PAR", "BRE", "SPA"], "GERMANY": ["MUN", "BER"]}
FALL = board_at(
    "F1904M", {"FRANCE": ["A BUR", "F MAO"], "GERMANY": ["A MUN"], "ITALY": ["A PIE", "F WES"]}, CENTERS
)
RETREAT = board_at(
    "F1904R", {"GERMANY": ["A BUR"]}, CENTERS, {"FRANCE": {"A BUR": ["GAS", "PAR"]}, "ITALY": {"A MAR": []}}
)
BUILD = board_at("W1904A", {"FRANCE": ["A SPA"], "GERMANY": ["A MUN", "F KIE", "A RUH"]}, CENTERS)
DISBAND = board_at(
    "W1904A", {"FRANCE": ["A SPA", "F MAO", "A BUR", "A GAS"], "GERMANY": ["A MUN", "A RUH"]}, CENTERS
)


def bundle_of(board: Board, floor: str, *, talks: bool = False) -> Bundle:
    """France's, with a plan and a diary."""
    memory = {"plan": "Iberia", "diary": "We met."}
    bundle = make_bundle(board, "FRANCE", round=int(talks), press=floor != "gunboat", memory=memory)
    if floor != "conductor":
        return bundle
    present = lived_phase(("g", "", "FRANCE"), board, opening_of(board, None), ())
    rules = GameRules(talk="at once", max_wakes=12)
    return replace(bundle, rules=rules, wake=int(talks), history=(present,))


def stages(floor: str, seat: Seat) -> dict[str, str]:
    """The text of each stage that the floor has."""
    orders, diary = bundle_of(FALL, floor), bundle_of(Board.start(), floor)
    asked = {
        "orders": orders,
        "retreat": bundle_of(RETREAT, floor),
        "build": bundle_of(BUILD, floor),
        "disband": bundle_of(DISBAND, floor),
    }
    if floor != "gunboat":
        asked["talk"] = bundle_of(FALL, floor, talks=True)
    if floor == "rounds":
        asked["draft"] = replace(asked["talk"], drafts=True)
    interview = interview_request(ModelPlayer(FakeModel([]), seat), orders, "Whom do you trust?")
    texts = {stage: conversation_text(conversation(bundle, seat)[1:]) for stage, bundle in asked.items()}
    return {
        **texts,
        "diary": conversation_text(fold_prompt(Fold(diary, (SPRING,)), seat).messages[1:]),
        "interview": interview.messages[-1]
        .content.removeprefix(conversation(orders, seat)[-1].content)
        .strip(),
    }


@pytest.mark.parametrize("floor", ["rounds", "conductor", "gunboat"])
@pytest.mark.parametrize("set_", SEATS)
def test_what_is_read_in_each_stage(floor: str, set_: str) -> None:
    texts = stages(floor, SEATS[set_])
    check(f"stages_{floor}_{set_}", "\n\n".join(f"##### {stage}\n{text}" for stage, text in texts.items()))
