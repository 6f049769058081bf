"""What a game's models have cost, read from its journal."""

from pydantic import BaseModel

from checkpoints.store import Store
from entente.cli.reading import begun_state
from entente.models.usage import UsageSummary, summarize
from entente.models.wire import CallUsage
from entente.players.record import TurnRecord
from graph.line import records_on_line


class Spending(BaseModel):
    """A game's calls of models; seats and phases without any are left out."""

    total: UsageSummary
    by_seat: dict[str, UsageSummary]
    """By power and who plays it: `FRANCE openai:gpt-5-mini`."""
    by_phase: dict[str, UsageSummary]


async def spending_of(store: Store, game: str) -> Spending:
    """What has been spent on the line that leads to the game's present state."""
    records = await records_on_line(store.journal, game, await begun_state(store, game))
    turns = [record for record in records if isinstance(record, TurnRecord)]
    seats: dict[str, list[CallUsage]] = {}
    phases: dict[str, list[CallUsage]] = {}
    for turn in turns:
        if turn.calls:
            seats.setdefault(f"{turn.power} {turn.player}", []).extend(turn.calls)
            phases.setdefault(turn.phase, []).extend(turn.calls)
    return Spending(
        total=summarize([call for turn in turns for call in turn.calls]),
        by_seat={seat: summarize(calls) for seat, calls in sorted(seats.items())},
        by_phase={phase: summarize(calls) for phase, calls in phases.items()},
    )
