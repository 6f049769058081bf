"""The work of `ask`: the seat's model, opened with the keys of the environment, and what its answer cost."""

from checkpoints.store import Store
from entente.cli.players import open_players
from entente.games.interview import interview
from entente.games.reading import begun_state
from entente.models.wire import CallUsage, ModelReply


async def interview_of(store: Store, game: str, power: str, question: str, at: str | None) -> ModelReply:
    """The answer; raises what `entente.games.interview.interview` raises."""
    await begun_state(store, game)  # or it says how to begin it
    async with open_players() as players:
        return await interview(store, players, game, power, question, at)


def paid(usage: CallUsage) -> str:
    """One call's tokens, cost and time in a line."""
    tokens = f"{usage.prompt_tokens:,} + {usage.completion_tokens:,} tokens ({usage.cached_tokens:,} cached)"
    cost = "cost unknown" if usage.cost_usd is None else f"${usage.cost_usd:.4f}"
    return f"{usage.model}: {tokens}, {cost}, {usage.latency_seconds:.1f} s"
