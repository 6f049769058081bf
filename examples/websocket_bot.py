#!/usr/bin/env python3
"""A whole program for a seat, over a WebSocket: `python examples/websocket_bot.py ws://127.0.0.1:8017/at/LINK TOKEN`.

`entente links add GAME --power FRANCE` tells the link, and its token behind the `#`. The program offers peace to all,
and its units hold or take the first order they can. When its connection is lost it comes back and goes on where it was.
"""

import asyncio
import json
import sys
from typing import Any

from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed


async def ask(socket: ClientConnection, do: str, **request: object) -> dict[str, Any]:
    """The answer to one request."""
    await socket.send(json.dumps({"do": do, **request}))
    return json.loads(await socket.recv())


async def play(address: str, token: str) -> None:
    """Play until the game is over."""
    cursor = None
    async for socket in connect(f"{address}/socket", additional_headers={"Authorization": f"Bearer {token}"}):
        try:
            while not (event := await ask(socket, "wait_for_event", after=cursor))["is_over"]:
                cursor, phase, view = event["cursor"], event["phase"], await ask(socket, "board_state")
                if "press" in event["wants"]:
                    written = {line.split(":")[0] for line in view["to_be_sent"]}
                    for power in {*view["can_write_to"]} - written:
                        await ask(socket, "send_press", phase=phase, to=power, text="Peace?")
                if "orders" in event["wants"]:
                    options = list((await ask(socket, "my_possible_orders"))["orders"].values())
                    changes = view["context"]["public_game_state"]["builds_disbands"]
                    count = abs(changes.get(event["power"], len(options)))
                    orders = [lines[0] for lines in options[:count]]
                    await ask(socket, "submit_orders", phase=phase, orders=orders)
            return
        except ConnectionClosed:
            continue  # connects again


asyncio.run(play(*sys.argv[1:]))
