"""The work of `ask`: the seat's model, opened with the keys of the environment, and what its answer cost."""

import os

from checkpoints.store import Store
from entente.games.interview import interview
from entente.games.reading import begun_state
from entente.models.client import Connections
from entente.models.wire import CallUsage, ModelReply
from entente.players.seating import Seating


async def interview_of(store: Store, game: str, power: str, question: str, at: str | None) -> ModelReply:
    """The answer; raises what `entente.games.interview.interview` raises."""
    await begun_state(store, game)  # or it says how to begin it
    async with Connections() as connections:
        return await interview(store, Seating(connections, os.environ), game, power, question, at)


def paid(usage: CallUsage) -> str:
    """One call's tokens, cost and time in a line."""
    tokens = f"{usage.prompt_tokens:,} + {usage.completion_tokens:,} tokens ({usage.cached_tokens:,} cached)"
    cost = "cost unknown" if usage.cost_usd is None else f"${usage.cost_usd:.4f}"
    return f"{usage.model}: {tokens}, {cost}, {usage.latency_seconds:.1f} s"
