"""One turn of the crew as a LangGraph graph: who answers, one voice after the other, what can be done next.

    START → route → agent ⟲ → choose → END

The session is the graph's state, so that a checkpointer keeps it. What the listener may know is asked for at each
step, from the context of the run, and is never kept. Each voice's words are streamed as custom events while it speaks.
"""

# LangGraph leaves a type parameter of its own methods open; what goes through them is typed by us.
# pyright: reportUnknownMemberType=false

import logging
from collections.abc import Awaitable, Callable, Mapping, Sequence
from contextlib import aclosing
from dataclasses import dataclass, field
from random import Random
from traceback import format_tb
from typing import Any, Generic, Literal, NamedTuple, TypeAlias, TypeVar

from langgraph.graph import END, START, StateGraph
from langgraph.runtime import Runtime
from pydantic import BaseModel

from entente.commentary.choices import choices_for
from entente.commentary.router import RECENT_AGENTS, AgentRouter, Voice
from entente.commentary.scene import Scene
from entente.commentary.session import MOST_EXCHANGES, Asked, Said, Session, read_action
from entente.commentary.voices import Cue, Fault, Speaker, Spoken, Voices
from entente.models.wire import CallUsage

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
    calls: tuple[CallUsage, ...] = ()
    """What its model's finished calls were and cost; empty for a voice that made none."""
    fault: str = ""
    """What went wrong, as the content says it too; empty where nothing did."""


Keep: TypeAlias = Callable[[AgentResponse], Awaitable[None]]
"""Is handed each voice's words and calls as soon as it has ended: by itself, by failing, or because nobody listens any
more. A voice that was cut off before it said or cost anything is left out."""


async def forget(_response: AgentResponse) -> None:
    """Keep nothing of it."""


@dataclass(frozen=True)
class Stage:
    """What a turn is played with; never kept."""

    scene: Scene
    keep: Keep = forget
    agents: Sequence[Voice] = ()
    """Who answers, where that was decided; empty where the router decides."""
    voices: Voices = field(default_factory=Voices)
    """Who speaks in this turn in place of the graph's own voices."""


Context = TypeVar("Context", bound=Stage | BaseModel)


class CrewTurn(Generic[Context]):
    """The nodes of a turn, and how they hang together."""

    def __init__(
        self,
        agents: Mapping[Voice, Speaker],
        context: type[Context],
        stage_of: Callable[[Context], Awaitable[Stage]],
    ) -> None:
        """`stage_of` makes of a run's context what a turn is played with; asked at each step."""
        self._agents = agents
        self._context = context
        self._stage_of = stage_of

    def build(self) -> StateGraph[Session, Context, Asked, Session]:
        """The graph, not yet compiled."""
        builder = StateGraph(Session, context_schema=self._context, input_schema=Asked)
        builder.add_node("route", self._route)
        builder.add_node("agent", self._agent)
        builder.add_node("choose", self._choose)
        builder.add_edge(START, "route")
        builder.add_edge("route", "agent")
        builder.add_conditional_edges("agent", _after_agent, ["agent", "choose"])
        builder.add_edge("choose", END)
        return builder

    async def _route(self, state: Session, runtime: Runtime[Context]) -> _Update:
        """Begin the turn: decide who speaks, unless that was decided."""
        stage = await self._stage_of(runtime.context)
        phase, action = stage.scene.phase, read_action(state.action)
        info = runtime.execution_info
        session = str(info.thread_id) if info else ""
        agents = [*stage.agents]
        if not agents:
            router = AgentRouter(Random(f"{stage.scene.seed}:{session}:{state.turns}"))
            agents = router.route(action, phase, state.recent_agents).agents
        begun = {"session_id": session, "phase": phase.value, "action": action}
        return {**begun, "agents": agents, "responses": []}

    async def _agent(self, state: Session, runtime: Runtime[Context]) -> _Update:
        """Let the next voice speak; one that fails says so, and the others go on."""
        agent = state.agents[len(state.responses)]
        stage = await self._stage_of(runtime.context)
        cue = Cue(
            state.action,
            state.phase,
            stage.scene,
            tuple(said["content"] for said in state.responses),
            f"{stage.scene.seed}:{agent}",
            tuple(state.conversation_history),
        )
        speech = _Speech(agent, _teller(runtime))
        speech.tell(CrewEvent("agent_start", {"agent": agent}))
        try:
            await _listen(stage.voices.get(agent) or self._agents[agent], speech, cue)
        finally:
            if speech.words or speech.calls:
                await stage.keep(speech.response)
        speech.tell(CrewEvent("agent_end", {"agent": agent}))
        return {"responses": [*state.responses, {"role": agent, "content": speech.response.content}]}

    async def _choose(self, state: Session, runtime: Runtime[Context]) -> _Update:
        """Offer what the person can do next, and remember the turn."""
        scene = (await self._stage_of(runtime.context)).scene
        choices = choices_for(state.action, scene)
        _teller(runtime)(CrewEvent("choices", {"choices": choices}))
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


def _teller(runtime: Runtime[Context]) -> Callable[[CrewEvent], None]:
    """Streams an event as `{"event": …, "data": …}`."""
    return lambda event: runtime.stream_writer(event._asdict())


@dataclass
class _Speech:
    """What a voice has said and cost by now."""

    agent: Voice
    tell: Callable[[CrewEvent], None]
    words: str = ""
    calls: list[CallUsage] = field(default_factory=list[CallUsage])
    fault: str = ""

    def take(self, piece: Spoken) -> None:
        """Take down what the voice gave, and tell of it."""
        match piece:
            case str():
                self.words += piece
                self.tell(CrewEvent("agent_chunk", {"agent": self.agent, "chunk": piece}))
            case Fault(sentence=fault):
                self.fault = fault
                self.words = f"{self.words}\n({fault})\n".lstrip()
                self.tell(CrewEvent("error", {"error": fault}))
            case CallUsage():
                self.calls.append(piece)

    @property
    def response(self) -> AgentResponse:
        return AgentResponse(self.agent, self.words.strip(), tuple(self.calls), self.fault)


async def _listen(speaker: Speaker, speech: _Speech, cue: Cue) -> None:
    """Let the voice speak, and take down what it says; a fault of its own is said in its place."""
    try:
        async with aclosing(speaker.speak(cue)) as pieces:
            async for piece in pieces:
                speech.take(piece)
    except Exception as error:  # noqa: BLE001 - one voice that fails leaves the others standing
        log_failure(f"The {speech.agent} of the crew failed", error)
        speech.take(Fault(f"The {speech.agent} could not go on; the others do."))


def log_failure(what: str, error: Exception) -> None:
    """Tell whoever runs the server what failed and where; an error's own words may quote press, a prompt or a key."""
    where = "".join(format_tb(error.__traceback__))
    _log.error("%s: %s\n%s", what, type(error).__name__, where)
