"""What a game's models have cost, and how much went on on the conductor's floor, read from the journal."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence

from pydantic import BaseModel, JsonValue

from checkpoints.store import Store
from entente.floors.seats import crew_budget, game_budget
from entente.games.line import records_on_line
from entente.games.reading import begun_state
from entente.games.standing import standing_of
from entente.models.budget import Budget, spent_on
from entente.models.usage import UsageSummary, summarize
from entente.models.wire import CallUsage
from entente.players.record import TurnRecord, diaries_beside
from graph.context import GameSettings


class FloorCounts(BaseModel):
    """What went on in a phase on the conductor's floor."""

    wakes: int
    calls: int
    """Of language models, those for orders and diaries included."""
    messages: int


class Spending(BaseModel):
    """A game's calls of models; seats and phases without any are left out."""

    total: UsageSummary
    by_seat: dict[str, UsageSummary]
    """By power and who plays it: `FRANCE openai:gpt-5-mini`."""
    crew: UsageSummary | None
    """Of what the crew has told and answered; None where it has called no model."""
    by_model: dict[str, UsageSummary]
    by_phase: dict[str, UsageSummary]
    floor: dict[str, FloorCounts]
    """By phase, those alone in which somebody was woken: empty on other floors."""


async def spending_of(store: Store, game: str) -> Spending:
    """What has been spent on the line that leads to the game's present state."""
    records = await records_on_line(store.journal, game, await begun_state(store, game))
    turns = [record for record in records if isinstance(record, TurnRecord)]
    seats: dict[str, list[CallUsage]] = defaultdict(list)
    models: dict[str, list[CallUsage]] = defaultdict(list)
    phases: dict[str, list[CallUsage]] = defaultdict(list)
    for turn in turns:
        for call in turn.calls:
            seats[f"{turn.power} {turn.player}"].append(call)
            models[call.model].append(call)
            phases[turn.phase].append(call)
    crew: list[CallUsage] = []
    for words in await store.words.of(game):
        for call in words.calls:
            crew.append(call)
            models[call.model].append(call)
            phases[words.phase].append(call)
    return Spending(
        total=summarize([*(call for turn in turns for call in turn.calls), *crew]),
        by_seat=_summarized(sorted(seats.items())),
        crew=summarize(crew) if crew else None,
        by_model=_summarized(sorted(models.items())),
        by_phase=_summarized(phases.items()),
        floor=_floor(turns),
    )


async def crews_budgets(
    store: Store, game: str, settings: GameSettings, crew_model: Mapping[str, JsonValue]
) -> tuple[Budget, Budget]:
    """What the crew's calls are held against: the whole game's budget, and the crew's own by its model's settings.

    Both are charged with what was spent of them, the game's by seats and crew. Raises NotBegun.
    """
    standing = await standing_of(store, game)
    state = standing.state
    steps = [name for step in standing.tasks for name in (step, diaries_beside(step))]
    turns = await store.journal.turns(game, [*state.get("segments", []), *steps])
    played = spent_on(call for turn in turns for call in turn.calls)
    told = await store.words.spent(game)
    whole = game_budget(settings, [*state.get("spent", {}).values(), played, told])
    return whole, crew_budget(crew_model, [told])


def _summarized(calls: Iterable[tuple[str, Sequence[CallUsage]]]) -> dict[str, UsageSummary]:
    return {name: summarize(made) for name, made in calls}


def _floor(turns: Iterable[TurnRecord]) -> dict[str, FloorCounts]:
    by_phase: dict[str, list[TurnRecord]] = {}
    for turn in turns:
        by_phase.setdefault(turn.phase, []).append(turn)
    counted = {phase: _counts(turns) for phase, turns in by_phase.items()}
    return {phase: counts for phase, counts in counted.items() if counts.wakes}


def _counts(turns: Sequence[TurnRecord]) -> FloorCounts:
    return FloorCounts(
        wakes=sum(was_woken(turn) for turn in turns),
        calls=sum(len(turn.calls) for turn in turns),
        messages=sum(len(turn.messages) for turn in turns),
    )


def was_woken(turn: TurnRecord) -> bool:
    """True for a turn that began with its power being woken, on the conductor's floor."""
    return turn.waking is not None and turn.waking.was_asked
