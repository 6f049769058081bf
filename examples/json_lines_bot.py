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
    return json.loads(line) if line else sys.exit()


def plan() -> Iterator[str]:
    """An order for each unit, away from our centers if it can."""
    view = ask("board_state")
    ours, dice = view["context"]["public_game_state"]["centers"][view["power"]], Random(view["seed"])
    for options in ask("my_possible_orders")["orders"].values():
        moves = [order for order in options if " - " in order and " S " not in order]
        yield dice.choice([move for move in moves if move.split()[3] not in ours] or options)


while not (event := ask("wait_for_event"))["is_over"]:
    for power in event["not_written_to"]:
        ask("send_press", phase=event["phase"], to=power, text=f"{event['power']} wants peace. Do you?")
    if count := event["orders_wanted"]:
        ask("submit_orders", phase=event["phase"], orders=list(plan())[:count])
