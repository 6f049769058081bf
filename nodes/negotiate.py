"""The `negotiate` node: one round of press of all powers that people do not play, or a stretch of the conductor's."""

from typing import Any

from langgraph.runtime import Runtime

from entente.players.roster import HUMAN
from graph.context import GameSettings
from graph.edges import rounds_left
from graph.state import GameState, board_of, people, settings_of
from nodes.bundles import lay_table
from nodes.diary import open_diaries
from nodes.floor import conduct
from nodes.seating import Seats
from nodes.services import Services
from nodes.task import Task, open_task
from nodes.turns import Round, at_once


async def negotiate(state: GameState, runtime: Runtime[GameSettings], services: Services) -> dict[str, Any]:
    """Play the next round, if one is left; people are asked after it and read what was sent before it."""
    if not rounds_left(state):
        return {"waiting": []}
    settings, survivors, round_ = settings_of(state), board_of(state).survivors, state["round"] + 1
    async with open_task(services, runtime) as task:
        if settings.is_conducted:
            return await conduct(task, state, services, lambda: runtime.drain_requested)
        if settings.until_silent and await _is_silent(task, state):
            return {"round": settings.talk_rounds, "waiting": []}
        segment = await task.open_segment(state["phase"], "talk", round_)
        table = await lay_table(task.journal, state, segment, await task.turns(segment), task.calling)
        talkers = [power for power in survivors if settings.seat(power) != HUMAN]
        seats = Seats.at(table, services.make_player, await task.replies(segment))
        diaries = await open_diaries(task, state, seats)
        turns, _ = await at_once([Round(task, table, seats).play(talkers), diaries.fold()])
        task.journal.close_segment(segment, turns)
    return {
        "round": round_,
        "segments": [*diaries.segments, segment.id],
        "waiting": [power for power in people(state) if power in survivors],
    }


async def _is_silent(task: Task, state: GameState) -> bool:
    """True when nobody wrote in the round before, people included; asked before the next round is opened."""
    if not state["round"]:
        return False
    turns = await task.journal.turns_over(task.game, state["segments"])
    return not any(turn.messages for turn in turns if turn.round == state["round"])
