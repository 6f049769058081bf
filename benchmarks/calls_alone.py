"""What the calls of many games cost without the games: LangChain's ChatOpenAI, given the prompts of one game.

`python -m benchmarks.calls_alone` plays one of the games of `benchmarks.arena` and makes its calls again, a hundred
times at once, with nothing of ours around them: each seat makes its calls one after the other, as its prompts were
sent. The scripted model's server, a process of its own, takes a second for each. No batch of games can be quicker.
"""

# LangChain leaves type parameters of its own methods open.
# pyright: reportUnknownMemberType=false

import argparse
import asyncio
import gc
import os
import time
from collections import defaultdict
from collections.abc import Mapping
from contextlib import AsyncExitStack
from typing import Any

from langchain_core.messages import convert_to_messages
from langchain_openai import ChatOpenAI

from benchmarks.arena import LATENCY_SECONDS, cpu_seconds, of_models
from benchmarks.models import scripted_model
from benchmarks.tables import markdown
from benchmarks.yardstick import beside_the_yardstick
from checkpoints.store import open_store
from entente.arena import run_batch
from entente.games.line import records_on_line
from entente.games.runner import standing_of
from entente.models.client import Connections
from entente.models.langchain import open_http
from entente.models.sent import SentPrompt, prompt_at
from entente.models.wire import ChatMessage
from entente.players.record import TurnRecord
from entente.players.seating import Seating


async def prompts_of_a_game(url: str) -> Mapping[str, list[SentPrompt]]:
    """What each power's model was sent, in order."""
    prompts = defaultdict[str, list[SentPrompt]](list)
    async with open_store("memory") as store, Connections() as connections:
        ran = await run_batch(store, of_models(url, 1), Seating(connections, os.environ))
        game = ran.report.games[0].game
        parts = await store.journal.prompt_parts(game)
        standing = await standing_of(store, game)
        for turn in await records_on_line(store.journal, game, standing.state):
            if isinstance(turn, TurnRecord):
                prompts[turn.power] += [
                    prompt_at(parts, reply.asked.prompt) for reply in turn.replies if reply.asked
                ]
    return prompts


async def made_again(url: str, prompts: Mapping[str, list[SentPrompt]], games: int) -> tuple[float, float]:
    """The seconds by the clock and of CPU of so many games' calls, made at once."""
    async with AsyncExitStack() as pools:
        # A pool for each game: httpx2 looks at every connection of a pool before and after each call.
        chats = [
            ChatOpenAI(
                model="mock",
                base_url=url,
                api_key=lambda: "none",
                http_async_client=await pools.enter_async_context(open_http()),
                http_socket_options=(),
            )
            for _ in range(games)
        ]
        began, cpu = time.monotonic(), cpu_seconds()
        await asyncio.gather(*(_one_seat(chat, sent) for chat in chats for sent in prompts.values()))
        return time.monotonic() - began, cpu_seconds() - cpu


async def _one_seat(chat: ChatOpenAI, sent: list[SentPrompt]) -> None:
    for prompt in sent:
        tools = [{"type": "function", "function": tool.model_dump()} for tool in prompt.tools]
        await chat.bind_tools(tools).ainvoke(convert_to_messages(map(_said, prompt.messages)))


def _said(message: ChatMessage) -> dict[str, Any]:
    """The message in OpenAI's form, which LangChain reads."""
    calls = [
        {"id": call.id, "name": call.name, "args": call.arguments, "type": "tool_call"}
        for call in message.tool_calls
    ]
    called = {"tool_calls": calls} if calls else {}
    answers = {"tool_call_id": message.tool_call_id} if message.tool_call_id else {}
    return {"role": message.role, "content": message.content, **called, **answers}


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=100)
    games = parser.parse_args().games
    gc.disable()
    with beside_the_yardstick(), scripted_model(LATENCY_SECONDS) as url:
        prompts = asyncio.run(prompts_of_a_game(url))
        one, _ = asyncio.run(made_again(url, prompts, 1))
        many, cpu = asyncio.run(made_again(url, prompts, games))
    calls = games * sum(map(len, prompts.values()))
    rows = [
        (f"calls of {games} games alone: wall ÷ wall of one's", f"{many / one:.2f}"),
        ("wall of one game's calls, of all", f"{one:.1f} s, {many:.1f} s"),
        ("CPU a call, all", f"{1000 * cpu / calls:.1f} ms"),
        ("CPU ÷ wall, all", f"{cpu / many:.0%}"),
    ]
    print(markdown(("ChatOpenAI, and nothing of ours", "measured"), rows))


if __name__ == "__main__":
    main()
