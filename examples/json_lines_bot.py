#!/usr/bin/env python3
"""A whole program for a seat, in JSON lines: `entente play --seat "FRANCE=exec:python3 examples/json_lines_bot.py"`.

It offers peace to all, and walks out of its own centers. It needs nothing of entente, so that it could as well be
written in another language. docs/seat-protocol.json says what else there is.
"""

import json
import sys
from collections.abc import Iterator
from random import Random
from typing import Any


def ask(do: str, **request: object) -> dict[str, Any]:
    """The answer to one request; the program ends when nobody answers any more."""
    print(json.dumps({"do": do, **request}), flush=True)
    line = sys.stdin.readline()
    if not line:
        sys.exit()
    return json.loads(line)


def plan(view: dict[str, Any]) -> Iterator[str]:
    """An order for each unit, away from our centers if it can, and as many builds as there may be."""
    state, dice = view["context"]["public_game_state"], Random(view["seed"])
    ours = set(state["centers"][view["power"]])
    places = list(ask("my_possible_orders")["orders"].values())
    for options in places[: abs(state["builds_disbands"].get(view["power"], len(places)))]:
        moves = [
            line for line in options if " - " in line and " S " not in line and line.split()[3] not in ours
        ]
        yield dice.choice(moves or options)


while not (event := ask("wait_for_event"))["is_over"]:
    phase, view = event["phase"], ask("board_state")
    if "press" in event["wants"]:
        written_to = {message["recipient"] for message in view["sent"]}
        for power in set(view["can_write_to"]) - written_to:
            ask("send_press", phase=phase, to=power, text=f"{view['power']} wants peace. Do you?")
    if "orders" in event["wants"]:
        ask("submit_orders", phase=phase, orders=list(plan(view)))
