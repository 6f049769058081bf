"""One turn of the crew, as a LangGraph graph of its own: route, an agent after the other, choices.

    START → route → agent ⟲ → choose → END

The session is the graph's state, so that a checkpointer keeps it; what the listener may know comes with each run as its
context and is never kept. Each voice's words are streamed as custom events while it speaks.
"""

# LangGraph leaves a type parameter of its own methods open; what goes through them is typed by us.
# pyright: reportUnknownMemberType=false

import logging
from collections.abc import AsyncGenerator, Mapping
from contextlib import aclosing
from dataclasses import dataclass
from random import Random
from typing import Any, Literal, NamedTuple, TypeAlias, cast
from uuid import uuid4

from langchain_core.runnables import RunnableConfig
from langgraph.checkpoint.base import BaseCheckpointSaver
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.graph import END, START, StateGraph
from langgraph.graph.state import CompiledStateGraph
from langgraph.runtime import Runtime

from entente.commentary.choices import choices_for
from entente.commentary.router import RECENT_AGENTS, AgentRouter, RoutingDecision, Voice
from entente.commentary.scene import Scene
from entente.commentary.session import MOST_EXCHANGES, Said, Session
from entente.commentary.voices import Cue, Jester, Keeper, Narrator, Speaker

CrewGraph: TypeAlias = CompiledStateGraph[Session, Scene, Session, Session]

_Update: TypeAlias = dict[str, Any]
"""What a node changes in the session."""

_log = logging.getLogger(__name__)

EventName: TypeAlias = Literal["agent_start", "agent_chunk", "agent_end", "choices", "error", "done"]


class CrewEvent(NamedTuple):
    """Something of a turn, as it happens."""

    event: EventName
    data: Mapping[str, Any]
    """`agent_start` and `agent_end`: agent; `agent_chunk`: agent, chunk; `choices`: choices; `error`: error."""


@dataclass(frozen=True)
class AgentResponse:
    """What one voice said."""

    agent: Voice
    content: str


@dataclass(frozen=True)
class TurnResult:
    """A turn, whole."""

    responses: list[AgentResponse]
    narrative: str
    """All responses, a paragraph each."""
    choices: list[str]


class TurnExecutor:
    """Plays turns of the crew: each voice hears what those before it said."""

    def __init__(
        self,
        narrator: Speaker | None = None,
        keeper: Speaker | None = None,
        jester: Speaker | None = None,
        saver: BaseCheckpointSaver[Any] | None = None,
    ) -> None:
        """Voices that are left out speak without a model; `saver` keeps sessions, in memory where it is left out."""
        self.agents: dict[Voice, Speaker] = {
            "narrator": narrator or Narrator(),
            "keeper": keeper or Keeper(),
            "jester": jester or Jester(),
        }
        self.graph = self._build().compile(checkpointer=saver or InMemorySaver(), name="crew")

    async def execute(
        self, action: str, routing: RoutingDecision | None, context: Scene, session_id: str = ""
    ) -> TurnResult:
        """Play a turn whose voices were decided, or decide them; in a session of its own where none is named."""
        turn, config = _begin(action, routing, session_id)
        session = await self.graph.ainvoke(turn, config, context=context)
        responses = [AgentResponse(_voice(said), said["content"]) for said in session["responses"]]
        narrative = "\n\n".join(response.content for response in responses)
        return TurnResult(responses, narrative, session["current_choices"])

    async def stream(self, action: str, context: Scene, session_id: str = "") -> AsyncGenerator[CrewEvent]:
        """Play a turn and tell of it as it happens; ends with `done`, whatever fails."""
        turn, config = _begin(action, None, session_id)
        try:
            # Closed with this stream, so that a listener who goes away stops the voice that speaks.
            played = self.graph.astream(turn, config, context=context, stream_mode="custom")
            async with aclosing(cast("AsyncGenerator[CrewEvent]", played)) as events:
                async for event in events:
                    yield event
        except Exception:  # noqa: BLE001 - whatever it is, whoever listens is told, and the session goes on
            _log.exception("A turn of the crew failed")
            yield CrewEvent(
                "error", {"error": "The turn could not be played; the game is not touched by it."}
            )
        yield CrewEvent("done", {})

    async def session(self, session_id: str) -> Session:
        """What is remembered of the session; empty before its first turn."""
        return Session.model_validate((await self.graph.aget_state(_config(session_id))).values)

    def _build(self) -> StateGraph[Session, Scene, Session, Session]:
        builder = StateGraph(Session, context_schema=Scene)
        builder.add_node("route", self._route)
        builder.add_node("agent", self._agent)
        builder.add_node("choose", _choose)
        builder.add_edge(START, "route")
        builder.add_edge("route", "agent")
        builder.add_conditional_edges("agent", _after_agent, ["agent", "choose"])
        builder.add_edge("choose", END)
        return builder

    async def _route(self, state: Session, runtime: Runtime[Scene]) -> _Update:
        """Decide who speaks, unless that came with the turn."""
        phase = runtime.context.phase
        if state.agents:
            return {"phase": phase.value}
        router = AgentRouter(Random(f"{runtime.context.seed}:{state.session_id}:{state.turns}"))
        decision = router.route(state.action, phase, state.recent_agents)
        return {"phase": phase.value, "agents": decision.agents}

    async def _agent(self, state: Session, runtime: Runtime[Scene]) -> _Update:
        """Let the next voice speak; one that fails says so, and the others go on."""
        agent = state.agents[len(state.responses)]
        cue = Cue(
            state.action,
            state.phase,
            runtime.context,
            tuple(said["content"] for said in state.responses),
            f"{runtime.context.seed}:{agent}",
        )
        tell = runtime.stream_writer
        tell(CrewEvent("agent_start", {"agent": agent}))
        content = ""
        try:
            async with aclosing(self.agents[agent].speak(cue)) as pieces:
                async for piece in pieces:
                    content += piece
                    tell(CrewEvent("agent_chunk", {"agent": agent, "chunk": piece}))
        except Exception:  # noqa: BLE001 - one voice that fails leaves the others standing
            _log.exception("The %s of the crew failed", agent)
            fault = f"The {agent} could not go on; the others do."
            content = f"{content}\n({fault})".strip()
            tell(CrewEvent("error", {"error": fault}))
        tell(CrewEvent("agent_end", {"agent": agent}))
        return {"responses": [*state.responses, {"role": agent, "content": content}]}


def _begin(action: str, routing: RoutingDecision | None, session_id: str) -> tuple[Any, RunnableConfig]:
    """What is new in the session's state, which else stays, and its thread; a new one where no id is given."""
    session_id = session_id or str(uuid4())
    agents = routing.agents if routing else []
    turn = {"session_id": session_id, "action": action, "agents": agents, "responses": []}
    return turn, _config(session_id)


def _config(session_id: str) -> RunnableConfig:
    return {"configurable": {"thread_id": session_id}}


async def _choose(state: Session, runtime: Runtime[Scene]) -> _Update:
    """Offer what the person can do next, and remember the turn."""
    scene = runtime.context
    choices = choices_for(state.action, scene)
    runtime.stream_writer(CrewEvent("choices", {"choices": choices}))
    history: list[Said] = [
        *state.conversation_history,
        {"role": "person", "content": state.action},
        *state.responses,
    ]
    jested = "jester" in state.agents
    return {
        "current_choices": choices,
        "conversation_history": history[-MOST_EXCHANGES:],
        "recent_agents": [*state.recent_agents, *state.agents][-RECENT_AGENTS:],
        "turns_since_jester": 0 if jested else state.turns_since_jester + 1,
        "turns": state.turns + 1,
        "character_description": scene.leader.character_description if scene.leader else "",
        "character_sheet": scene.leader.character_sheet.model_dump() if scene.leader else {},
        "health_current": len(scene.board.position.centers[scene.power]) if scene.power else 0,
        "health_max": scene.board.geography.victory_centers,
    }


def _after_agent(state: Session) -> Literal["agent", "choose"]:
    return "agent" if len(state.responses) < len(state.agents) else "choose"


def _voice(said: Said) -> Voice:
    match said["role"]:
        case "narrator" | "keeper" | "jester" as voice:
            return voice
        case other:
            raise ValueError(f"A voice of the crew was wanted and {other!r} came.")
