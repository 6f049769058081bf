"""The longest prompt that the `short` set can come to: a seat with 17 units, of 34 on the board."""

import json
from dataclasses import replace
from typing import Literal

from entente.board.orders import read_orders
from entente.board.types import Phase, parse_order
from entente.players.actions import SubmitOrders
from entente.players.bundle import Bundle, GameRules, OwnTurn
from entente.players.lived import echoes, lived_phase, opening_of
from entente.players.model.prompt import conversation
from entente.players.model.seat import Seat
from entente.players.model.settings import SeatSettings
from entente.players.model.tools import tools_of
from entente.press.messages import Message, MessageType
from prompts import open_set
from tests.players.model.snapshot import conversation_text
from tests.players.test_lived import woken
from tests.support.players import say
from tests.support.table import board_at, make_bundle, past_press

CONTEXT, REPLY = 8_192, 500
"""Tokens that a small model has for prompt and reply, and those of the reply."""
CROWDED = {
    "RUSSIA": [
        *("A MUN", "A BER", "F KIE", "A SIL", "A BOH", "A VIE", "A BUD", "A GAL", "F BAL", "F DEN", "F SWE"),
        *("A RUM", "F BLA", "A SER", "A TYR", "A RUH", "F HOL"),
    ],
    "FRANCE": ["A BUR", "A PAR", "A BEL", "F NTH", "F ENG", "A MAR", "F MAO", "F LYO", "F TYS"],
    "TURKEY": ["A BUL", "F AEG", "F ION", "A GRE", "A TRI", "A VEN", "F ADR", "A ALB"],
}
"""34 units, 17 of them in one knot: a prompt can hardly be longer."""


def crowded_prompt(actions: Literal["tools", "json"]) -> str:
    """What Russia reads there, its tools among it, with full memory, two letters and much talk before."""
    board = board_at("S1910M", CROWDED)
    seat = Seat(SeatSettings(actions=actions, prompts="short"), open_set(short=True))
    orders = [parse_order(f"{unit} H") for unit in board.position.units["RUSSIA"]]
    bundle = make_bundle(
        board,
        "RUSSIA",
        inbox=[_letter("FRANCE"), _letter("TURKEY")],
        last_movement=board.adjudicate({"RUSSIA": orders}).results,
        memory={"plan": "hold the line " * 20, "diary": "we took Munich " * 20},
    )
    earlier = past_press(*(_letter("TURKEY", number) for number in range(1, 20)))
    phases = (Phase.parse(phase) for phase in ("F1908M", "S1909M", "F1909M"))
    bundle = replace(bundle, press=tuple(earlier._replace(phase=phase) for phase in phases))
    text = conversation_text(conversation(bundle, seat))
    if not seat.calls_tools:
        return text
    return text + json.dumps([(tool.name, tool.description, tool.parameters) for tool in tools_of("rounds")])


def overfull(floor: Literal["rounds", "conductor", "gunboat"], *, talks: bool = False) -> Bundle:
    """The same position, when all is as long as it can be: talk, memory, diary, commitments, rejected lines."""
    board = board_at("S1910M", CROWDED)
    said = [_letter(sender, number) for sender in ("FRANCE", "TURKEY") for number in range(60)]
    held = {power: [parse_order(f"{unit} H") for unit in units] for power, units in CROWDED.items()}
    lines = [f"{unit} - NOWHERE AT ALL, if FRANCE agrees with it" for unit in CROWDED["RUSSIA"]]
    bundle = make_bundle(
        board,
        "RUSSIA",
        round=int(talks),
        press=floor != "gunboat",
        inbox=said if floor != "gunboat" else (),
        last_movement=board.adjudicate(held).results,
        last_movement_phase="F1909M",
        memory={**dict.fromkeys("abcd", "hold the line " * 40), "diary": "we took Munich " * 100},
    )
    bundle = replace(
        bundle,
        chronicle=tuple(f"F1909M: RUSSIA took Munich from GERMANY, line {number}." for number in range(20)),
        rejected=() if talks else tuple(read_orders(board, "RUSSIA", lines).verdicts),
    )
    if floor != "conductor":
        return bundle
    given = SubmitOrders(orders=tuple(lines))
    turn = woken("RUSSIA", given, place=1).model_copy(update={"stage": "talk" if talks else "orders"})
    heard = woken("FRANCE", *(say("RUSSIA", message.content) for message in said), place=0)
    present = lived_phase(("g", "", "RUSSIA"), board, opening_of(board, None), (heard, turn))
    rules = GameRules(talk="at once", max_wakes=12)
    own = OwnTurn(1, tuple(echoes(turn, board)))
    return replace(bundle, rules=rules, wake=2 * talks, history=(present,), earlier=(own,))


def _letter(sender: str, number: int = 0) -> Message:
    return Message(
        id=f"S1901M.1.{sender}.{number}",
        phase="S1901M",
        round=1,
        sender=sender,
        recipient="RUSSIA",
        message_type=MessageType.PROPOSAL,
        content="Let us agree on Munich and Trieste. " * 3,
    )
