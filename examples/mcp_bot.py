"""A whole program for a person's seat, over MCP: it offers peace to all, and takes the first orders that there are."""

import asyncio
import sys
from typing import Any

import httpx2
from mcp import Client, StdioServerParameters
from mcp.client.streamable_http import streamable_http_client


async def ask(client: Client, tool: str, **given: object) -> dict[str, Any]:
    """What the tool answers; a refusal ends the program."""
    answer = await client.call_tool(tool, given)
    return answer.structured_content or sys.exit(str(answer.content))


async def play(where: str, *others: str) -> None:
    """Play to the end: `mcp_bot.py GAME FRANCE`, or, at a page, `mcp_bot.py http://127.0.0.1:8017/at/LINK TOKEN`."""
    command = StdioServerParameters(command=sys.executable, args=["-m", "entente", "mcp", where, *others])
    http = httpx2.AsyncClient(headers={"Authorization": f"Bearer {others[0]}"}, timeout=600)
    while True:
        page = streamable_http_client(f"{where}/mcp", http_client=http)
        try:
            async with Client(page if where.startswith("http") else command) as client:
                while not (event := await ask(client, "wait_for_event"))["is_over"]:
                    for power in event["not_written_to"]:
                        await ask(client, "send_press", phase=event["phase"], to=power, text="Peace?")
                    if count := event["orders_wanted"]:
                        possible = (await ask(client, "my_possible_orders"))["orders"].values()
                        orders = [options[0] for options in possible][:count]
                        await ask(client, "submit_orders", phase=event["phase"], orders=orders)
                return
        except* httpx2.TransportError:
            await asyncio.sleep(1)  # the page was lost: come back to it


asyncio.run(play(*sys.argv[1:]))
