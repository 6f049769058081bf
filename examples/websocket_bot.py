"""A program for a person's seat, over a WebSocket: `websocket_bot.py ws://127.0.0.1:8017/at/LINK TOKEN`.

It offers peace to all, and its units hold or take the first order they can. When a page is lost it comes back.
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
    """Play until the game is over; what was told before a connection was lost is not told again."""
    cursor = None
    async for socket in connect(f"{address}/socket", additional_headers={"Authorization": f"Bearer {token}"}):
        try:
            while not (event := await ask(socket, "wait_for_event", after=cursor))["is_over"]:
                cursor, phase = event["cursor"], event["phase"]
                for power in event["not_written_to"]:
                    await ask(socket, "send_press", phase=phase, to=power, text="Peace?")
                if count := event["orders_wanted"]:
                    possible = (await ask(socket, "my_possible_orders"))["orders"].values()
                    orders = [options[0] for options in possible][:count]
                    await ask(socket, "submit_orders", phase=phase, orders=orders)
            return
        except ConnectionClosed:
            continue  # connects again


asyncio.run(play(*sys.argv[1:]))
