#!/usr/bin/env python3
"""A whole program for a person's seat, over MCP: `python examples/mcp_bot.py GAME FRANCE [--store FOLDER]`.

It starts `entente mcp` with these arguments, or comes to a page's server with `http://127.0.0.1:8017/at/LINK TOKEN`.
Then it plays by the tools: it offers peace to all, and its units hold or take the first order they can. When the
page's server is lost it comes back and goes on. Any agent that speaks MCP does as much with that command or address.
"""

import asyncio
import sys
from typing import Any

import httpx2
from mcp import Client, StdioServerParameters, stdio_client
from mcp.client.streamable_http import streamable_http_client


def server(arguments: list[str]) -> Any:
    """How the seat's server is reached."""
    if arguments[0].startswith("http:"):
        address, token = arguments
        http = httpx2.AsyncClient(headers={"Authorization": f"Bearer {token}"}, timeout=600)
        return streamable_http_client(f"{address}/mcp", http_client=http)
    command = ["-m", "entente", "mcp", *arguments]
    return stdio_client(StdioServerParameters(command=sys.executable, args=command))


async def play(client: Client) -> None:
    """Play until the game is over."""

    async def call(tool: str, **given: object) -> dict[str, Any]:
        result = await client.call_tool(tool, given)
        if result.is_error or result.structured_content is None:
            sys.exit(str(result.content))
        return result.structured_content

    while not (event := await call("wait_for_event"))["is_over"]:
        phase, view = event["phase"], await call("board_state")
        if "press" in event["wants"]:
            written = [line.split(":")[0] for line in view["to_be_sent"]]
            sent = [message["recipient"] for message in view["sent"]]
            for power in {*view["can_write_to"]} - {*written, *sent}:
                await call("send_press", phase=phase, to=power, text="Peace?")
        if "orders" in event["wants"]:
            options = list((await call("my_possible_orders"))["orders"].values())
            changes = view["context"]["public_game_state"]["builds_disbands"]
            count = abs(changes.get(event["power"], len(options)))
            await call("submit_orders", phase=phase, orders=[lines[0] for lines in options[:count]])


async def main(arguments: list[str]) -> None:
    """Sit down, and again when the connection is lost, as when the server is started anew."""
    is_over = False
    while not is_over:
        try:
            async with Client(server(arguments)) as client:
                await play(client)
            is_over = True
        except* httpx2.TransportError:
            await asyncio.sleep(1)


asyncio.run(main(sys.argv[1:]))
