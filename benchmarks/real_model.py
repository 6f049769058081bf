"""How a real small model plays: one year with it in all seven seats, on loopback alone; `make real-model`.

Without press, or with a round of it before each movement phase: `make real-model FLOOR=rounds`.

The model is SmolLM2-135M-Instruct, behind llama.cpp's own server (`benchmarks/small_model.py`). It is far too small to
play well. What counts is that nothing breaks, that all of its malformed replies are on record, and that the longest
prompt of the `short` set has room in its context, by its own tokenizer.
"""

import asyncio
import json
import os
import subprocess
import sys
import urllib.request
from collections import Counter
from collections.abc import Generator, Sequence
from contextlib import contextmanager

from benchmarks.tables import markdown
from checkpoints.store import open_store
from entente.games.line import records_on_line
from entente.games.runner import GameMaster
from entente.models.client import Connections
from entente.models.usage import summarize
from entente.players.record import NoticeKind, PhaseRecord, TurnRecord
from entente.players.seating import Seating
from graph.context import GameSettings
from tests.players.model.crowded import CONTEXT, REPLY, crowded_prompt

_SEAT = {
    "prompts": "short",
    "actions": "schema",
    "thinking": "never",
    "concurrency": 1,
    "max_messages": 1,
    "max_message_chars": 100,
    "max_value_chars": 100,
    "max_output_tokens": 300,
    "max_diary_tokens": 0,
    "temperature": 0,
    "attempt_seconds": 900,
    "total_seconds": 900,
}


@contextmanager
def small_model(python: str) -> Generator[str]:
    """The model's server, run by the Python of its own environment; the base URL."""
    command = [python, "-m", "benchmarks.small_model"]
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
    ) as server:
        assert server.stdout is not None
        try:
            yield server.stdout.readline().strip()
        finally:
            server.terminate()


def room(url: str) -> list[tuple[str, str]]:
    """What the longest prompt weighs, counted by the model's server; fails where it leaves no room for a reply."""
    texts = {"tools": crowded_prompt("tools"), "JSON": crowded_prompt("json")}
    return [_room(form, text, counted(url, text)) for form, text in texts.items()]


def _room(form: str, text: str, tokens: int) -> tuple[str, str]:
    measured = f"{tokens:,} of {CONTEXT:,}, {len(text) / tokens:.2f} letters each"
    assert tokens + REPLY <= CONTEXT, f"17 units, calls as {form}: {measured}; {REPLY} are for the reply"
    return f"prompt of 17 units, calls as {form}, in the model's own tokens", measured


def counted(url: str, text: str) -> int:
    """The text's tokens, by the model's own tokenizer."""
    request = urllib.request.Request(
        f"{url.removesuffix('/v1')}/tokenize",
        json.dumps({"content": text}).encode(),
        {"Content-Type": "application/json"},
    )
    with urllib.request.urlopen(request, timeout=60) as answer:
        return len(json.load(answer)["tokens"])


async def play(url: str, store_at: str, floor: str) -> tuple[str, list[TurnRecord], list[PhaseRecord]]:
    """Play the year; the game stays in the store."""
    settings = GameSettings.model_validate(
        {"everyone": f"openai:smollm2@{url}", "floor": floor, "max_year": 1901, "models": _SEAT}
        | ({"rounds": 1} if floor == "rounds" else {})
    )
    async with open_store(store_at) as store, Connections() as connections:
        master = GameMaster(store, Seating(connections, os.environ))
        game = await master.begin(settings)
        print(f"Game {game} in {store_at}", flush=True)
        standing = await master.run(game)
        records = await records_on_line(store.journal, game, standing.state)
    turns = [record for record in records if isinstance(record, TurnRecord)]
    return game, turns, [record for record in records if isinstance(record, PhaseRecord)]


def report(turns: Sequence[TurnRecord], phases: Sequence[PhaseRecord]) -> list[tuple[str, str]]:
    """The figures."""
    calls = [call for turn in turns for call in turn.calls]
    spent = summarize(calls)
    notices = Counter(notice.kind for turn in turns for notice in turn.notices)
    results = [result for phase in phases for result in phase.results]
    own = sum(not result.is_default for result in results)
    return [
        ("phases, turns", f"{len(phases)}, {len(turns)}"),
        ("calls, tries", f"{spent.calls}, {spent.attempts}"),
        ("replies that could not be taken as they were", f"{spent.malformed}"),
        ("notices of what was mended by a second reply", f"{notices[NoticeKind.MENDED]}"),
        ("legal orders of its own, of all that were adjudicated", f"{own} of {len(results)}"),
        ("order lines rejected", f"{notices[NoticeKind.ORDER_REJECTED]}"),
        ("messages delivered", f"{sum(len(turn.messages) for turn in turns)}"),
        ("notices in all", f"{sum(notices.values())}"),
        (
            "prompt tokens, share from the cache",
            f"{spent.prompt_tokens:,}, {spent.cached_share:.0%}",
        ),
        (
            "the longest prompt with its reply, in the model's own tokens",
            f"{max(call.prompt_tokens + call.completion_tokens for call in calls):,}",
        ),
        ("time a call, p50, p95", f"{spent.latency_p50_seconds:.1f} s, {spent.latency_p95_seconds:.1f} s"),
    ]


def main() -> None:
    """`python -m benchmarks.real_model PYTHON STORE FLOOR`: print the table."""
    with small_model(sys.argv[1]) as url:
        lengths = room(url)
        print(markdown(("claim", "measured"), lengths), flush=True)
        _, turns, phases = asyncio.run(play(url, sys.argv[2], sys.argv[3]))
    silent = [turn for turn in turns if any(call.faults for call in turn.calls) and not turn.notices]
    assert not silent, "a malformed reply is not on record"
    print(markdown(("claim", "measured"), report(turns, phases)))


if __name__ == "__main__":
    main()
