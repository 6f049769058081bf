"""A small graph with what ours has: loops, parallel seats, and a question to a person."""

import operator
from typing import Annotated, Any, NotRequired

from langchain_core.runnables import RunnableConfig
from langgraph.checkpoint.base import BaseCheckpointSaver
from langgraph.graph import END, START, StateGraph
from langgraph.types import Command, Send, interrupt
from typing_extensions import TypedDict


class State(TypedDict):
    """Plain values, as in the game's own state."""

    turn: NotRequired[int]
    board: NotRequired[dict[str, list[str]]]
    said: Annotated[list[str], operator.add]


Graph = Any
"""A compiled graph; LangGraph's own types for it are not complete."""
LOOPS = 3
TURNS = [f"turn {turn + 1}" for turn in range(LOOPS)]
"""What is said in a game before its question."""


def small_graph(saver: BaseCheckpointSaver[str]) -> Graph:
    """Goes round LOOPS times, then asks two seats at once: one answers itself, the other is a person."""
    builder: Any = StateGraph(State)
    builder.add_node("advance", _advance)
    builder.add_node("seat", _seat)
    builder.add_edge(START, "advance")
    builder.add_conditional_edges("advance", _next, ["advance", "seat"])
    builder.add_edge("seat", END)
    return builder.compile(checkpointer=saver)


def config(game: str) -> RunnableConfig:
    """Where a game's checkpoints are."""
    return RunnableConfig(configurable={"thread_id": game})


async def played_to_the_question(saver: BaseCheckpointSaver[str], game: str) -> Graph:
    """The graph, once the game waits for a person."""
    graph = small_graph(saver)
    await graph.ainvoke({"turn": 0}, config(game), durability="sync")
    return graph


async def answered(graph: Graph, game: str, answer: str) -> list[str]:
    """All that was said in the game, after the person's answer."""
    snapshot = await graph.aget_state(config(game))
    [question] = snapshot.interrupts
    ended = await graph.ainvoke(Command(resume={question.id: answer}), config(game), durability="sync")
    return ended["said"]


async def _advance(state: State) -> State:
    turn = _turn(state) + 1
    return {
        "turn": turn,
        "board": {"ITALY": [f"F NAP {turn}"], "FRANCE": ["A PAR"]},
        "said": [f"turn {turn}"],
    }


def _turn(state: State) -> int:
    return state.get("turn", 0)


def _next(state: State) -> list[Send] | str:
    if _turn(state) < LOOPS:
        return "advance"
    return [Send("seat", seat) for seat in ("FRANCE", "ITALY")]


async def _seat(seat: str) -> State:
    return {"said": [interrupt(f"{seat}?") if seat == "ITALY" else f"{seat} by itself"]}
