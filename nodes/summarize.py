"""The `summarize` node: what is worth remembering of a phase, and whether the game is over."""

from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

from langgraph.runtime import Runtime

from entente.board.types import GameOutcome, Phase
from entente.board.victory import decide
from entente.floors.chronicle import news
from entente.floors.recorded import learned_after, memories_after, spent_after
from entente.floors.services import Services
from entente.floors.task import open_task
from entente.players.record import PhaseRecord, TurnRecord
from graph.context import GameSettings
from graph.state import GameState, board_of, settings_of


async def summarize(state: GameState, runtime: Runtime[GameSettings], services: Services) -> dict[str, Any]:
    """Tell what the phase changed, clear the table for the next phase, and decide whether there is one."""
    async with open_task(services, runtime) as task:
        played = await anext(task.journal.phases_back(task.game, state.get("history") or ""))
        summary = summary_of(state, played, await task.journal.turns_of(played))
        # A game with a crew is over for those who follow it when its last phase is told; its run notes that.
        if summary["outcome"] and task.settings.crew is None:
            await task.journal.set_progress(task.game, phase=summary["phase"], status="finished")
    return summary


def summary_of(state: GameState, played: PhaseRecord, turns: Sequence[TurnRecord]) -> dict[str, Any]:
    """What the phase changes of the state in which it has just been adjudicated; `turns` are all of the phase."""
    outcome, board = _outcome(state), board_of(state)
    return {
        "status": "finished" if outcome else "playing",
        "phase": str(board.phase),
        "round": 0,
        "talk_over": False,
        "votes": None,
        "resumes": None,
        "segments": None,
        "waiting": [],
        "memories": memories_after(state.get("memories", {}), turns),
        "spent": spent_after(state.get("spent", {}), turns),
        "learned": learned_after(state.get("learned", {}), turns),
        "chronicle": news(played, board),
        "outcome": asdict(outcome) | {"winners": list(outcome.winners)} if outcome else None,
    }


def _outcome(state: GameState) -> GameOutcome | None:
    settings = settings_of(state)
    return decide(
        board_of(state).position,
        decided_in=Phase.parse(state["phase"]),
        votes={power for power, yes in state.get("votes", {}).items() if yes},
        max_year=settings.max_year,
        last_change_year=state["last_change_year"],
        stalemate_years=settings.stalemate_years or None,
    )
