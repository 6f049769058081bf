"""The work of `tell`: the crew's turn about a phase, as the terminal shows it."""

from pydantic import BaseModel

from checkpoints.store import Store
from entente.board.spoken import season_name
from entente.cli.output import tell
from entente.commentary.executor import AgentResponse, TurnExecutor
from entente.games.crew import scene_after


class ToldPhase(BaseModel):
    """A phase as the crew tells it."""

    phase: str
    season: str
    """`Spring 1901`."""
    responses: list[AgentResponse]


async def tell_phase(store: Store, game: str, at: str | None) -> ToldPhase:
    """The phase told, the latest one when `at` is None; always in the same words. Raises NotBegun, UnknownPhase."""
    scene = await scene_after(store, game, at)
    result = await TurnExecutor().execute("", None, scene)
    phase = scene.played[-1].before.phase
    return ToldPhase(phase=str(phase), season=season_name(phase).capitalize(), responses=result.responses)


def print_told(told: ToldPhase) -> None:
    """A paragraph for each voice, on stdout."""
    tell(f"{told.season} ({told.phase})")
    for response in told.responses:
        tell(f"\n{response.agent.capitalize()}: {response.content}")
