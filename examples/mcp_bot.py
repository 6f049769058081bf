#!/usr/bin/env python3
"""A whole program for a person's seat, over MCP: `python examples/mcp_bot.py GAME FRANCE [--store FOLDER]`.

It starts `entente mcp` with these arguments and plays by its tools: it offers peace to all, and its units hold or take
the first order they can. Any agent that speaks MCP does as much with that command in its list of servers.
"""

import asyncio
import sys
from typing import Any

from mcp import Client, StdioServerParameters, stdio_client


async def play(arguments: list[str]) -> None:
    """Play until the game is over."""
    command = StdioServerParameters(command=sys.executable, args=["-m", "entente", "mcp", *arguments])
    async with Client(stdio_client(command)) as client:

        async def call(tool: str, **given: object) -> dict[str, Any]:
            result = await client.call_tool(tool, given)
            if result.is_error or result.structured_content is None:
                sys.exit(str(result.content))
            return result.structured_content

        while not (event := await call("wait_for_event"))["is_over"]:
            phase, view = event["phase"], await call("board_state")
            if "press" in event["wants"]:
                written_to = {message["recipient"] for message in view["sent"]}
                for power in set(view["can_write_to"]) - written_to:
                    await call("send_press", phase=phase, to=power, text="Peace?")
            if "orders" in event["wants"]:
                options = list((await call("my_possible_orders"))["orders"].values())
                changes = view["context"]["public_game_state"]["builds_disbands"]
                count = abs(changes.get(event["power"], len(options)))
                await call("submit_orders", phase=phase, orders=[lines[0] for lines in options[:count]])


asyncio.run(play(sys.argv[1:]))
