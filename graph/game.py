"""The game as a LangGraph graph: open_game, negotiate, order, seat, adjudicate, summarize, and the edges between.

`graph` is what Studio and `langgraph dev` load; the command line compiles its own with the store it has opened.
"""

# LangGraph leaves a type parameter of its own methods open; what goes through them is typed by us.
# pyright: reportUnknownMemberType=false

from collections.abc import Awaitable, Callable
from typing import Any, TypeAlias

from langgraph.checkpoint.base import BaseCheckpointSaver
from langgraph.graph import START, StateGraph
from langgraph.graph.state import CompiledStateGraph
from langgraph.runtime import Runtime

from checkpoints.shared import shared_store
from entente.floors.asking import SeatTask
from entente.floors.services import Services
from graph.context import GameSettings
from graph.edges import (
    AFTER_PHASE,
    AFTER_SEAT,
    AFTER_TALK,
    after_phase,
    after_seat,
    after_talk,
)
from graph.state import GameInput, GameState
from nodes.adjudicate import adjudicate
from nodes.negotiate import negotiate
from nodes.open_game import open_game
from nodes.order import order
from nodes.seat import seat
from nodes.summarize import summarize

GameGraph: TypeAlias = CompiledStateGraph[GameState, GameSettings, GameInput, GameState]


def build(services: Services) -> StateGraph[GameState, GameSettings, GameInput, GameState]:
    """The graph over these services, not yet compiled."""
    builder = StateGraph(GameState, context_schema=GameSettings, input_schema=GameInput)
    for node in (open_game, negotiate, order, adjudicate, summarize):
        builder.add_node(node.__name__, _with(services, node))
    builder.add_node("seat", _seat(services), input_schema=SeatTask)
    builder.add_edge(START, "open_game")
    builder.add_conditional_edges("open_game", after_phase, AFTER_PHASE)
    builder.add_conditional_edges("negotiate", after_talk, AFTER_TALK)
    builder.add_conditional_edges("seat", after_seat, AFTER_SEAT)
    builder.add_edge("order", "adjudicate")
    builder.add_edge("adjudicate", "summarize")
    builder.add_conditional_edges("summarize", after_phase, AFTER_PHASE)
    return builder


def compile_game(services: Services, saver: BaseCheckpointSaver[Any] | None = None) -> GameGraph:
    """The graph, ready to run with this checkpointer; Studio brings its own."""
    return build(services).compile(checkpointer=saver, name="entente")


_Node: TypeAlias = Callable[[GameState, Runtime[GameSettings], Services], Awaitable[dict[str, Any]]]


def _with(services: Services, node: _Node) -> Callable[..., Awaitable[dict[str, Any]]]:
    """The node with its services handed in; LangGraph reads the parameters' types."""

    async def run(state: GameState, runtime: Runtime[GameSettings]) -> dict[str, Any]:
        return await node(state, runtime, services)

    run.__name__ = node.__name__
    run.__doc__ = node.__doc__
    return run


def _seat(services: Services) -> Callable[..., Awaitable[dict[str, Any]]]:
    async def run(task: SeatTask, runtime: Runtime[GameSettings]) -> dict[str, Any]:
        return await seat(task, runtime, services)

    return run


graph = compile_game(Services(shared_store))


def graph_over(saver: BaseCheckpointSaver[Any]) -> GameGraph:
    """The graph over the games that this checkpointer keeps, to look at them and to edit them; none is played with it.

    To compile one takes several milliseconds, and a copy none.
    """
    return graph.copy(update={"checkpointer": saver})
