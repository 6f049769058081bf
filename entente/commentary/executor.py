"""One turn of the crew, as a LangGraph graph of its own: route, an agent after the other, choices.

    START → route → agent ⟲ → choose → END

The session is the graph's state, so that a checkpointer keeps it; what the listener may know comes with each run as its
context and is never kept. Each voice's words are streamed as custom events while it speaks.
"""

# LangGraph leaves a type parameter of its own methods open; what goes through them is typed by us.
# pyright: reportUnknownMemberType=false

import asyncio
import logging
from collections.abc import AsyncGenerator, Awaitable, Callable, Mapping
from contextlib import aclosing
from dataclasses import dataclass, field
from random import Random
from traceback import format_tb
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
from entente.commentary.voices import Cue, Fault, Jester, Keeper, Narrator, Speaker, Spoken
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


@dataclass(frozen=True)
class TurnResult:
    """A turn, whole."""

    responses: list[AgentResponse]
    narrative: str
    """All responses, a paragraph each."""
    choices: list[str]


@dataclass(frozen=True)
class Stage:
    """What a turn is played with; never kept."""

    scene: Scene
    keep: Keep


CrewGraph: TypeAlias = CompiledStateGraph[Session, Stage, Session, Session]


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
        self._playing: set[asyncio.Task[None]] = set()
        self.graph = self._build().compile(checkpointer=saver or InMemorySaver(), name="crew")

    async def execute(
        self,
        action: str,
        routing: RoutingDecision | None,
        context: Scene,
        session_id: str = "",
        keep: Keep | None = None,
    ) -> TurnResult:
        """Play a turn whose voices were decided, or decide them; in a session of its own where none is named."""
        turn, config = _begin(action, routing, session_id)
        responses: list[AgentResponse] = []

        async def collect(response: AgentResponse) -> None:
            responses.append(response)
            await (keep or _forget)(response)

        session = await self.graph.ainvoke(turn, config, context=Stage(context, collect))
        narrative = "\n\n".join(response.content for response in responses)
        return TurnResult(responses, narrative, session["current_choices"])

    async def stream(
        self, action: str, context: Scene, session_id: str = "", keep: Keep | None = None
    ) -> AsyncGenerator[CrewEvent]:
        """Play a turn and tell of it as it happens; ends with `done`, whatever fails.

        Closed or cancelled, it stops the voice that speaks, which ends in its own time.
        """
        turn, config = _begin(action, None, session_id)
        told: asyncio.Queue[CrewEvent | None] = asyncio.Queue()
        # A task of its own: a server cancels its reader at every step of an end, which would cut the graph's end short.
        playing = asyncio.create_task(
            self._play(turn, config, Stage(context, keep or _forget), told.put_nowait)
        )
        self._playing.add(playing)
        playing.add_done_callback(self._playing.discard)
        playing.add_done_callback(lambda _: told.put_nowait(None))
        try:
            while (event := await told.get()) is not None:
                yield event
        finally:
            playing.cancel()
            await asyncio.wait([playing])
        yield CrewEvent("done", {})

    async def close(self) -> None:
        """Stop the turns that are streamed, and wait until what they have paid for is kept."""
        for playing in self._playing:
            if not playing.cancelling():  # a second time would cut its end short
                playing.cancel()
        await asyncio.gather(*self._playing, return_exceptions=True)

    async def _play(
        self, turn: Any, config: RunnableConfig, stage: Stage, tell: Callable[[CrewEvent], None]
    ) -> None:
        try:
            played = self.graph.astream(turn, config, context=stage, stream_mode="custom")
            async with aclosing(cast("AsyncGenerator[CrewEvent]", played)) as events:
                async for event in events:
                    tell(event)
        except Exception as error:  # noqa: BLE001 - whatever it is, whoever listens is told, and the session goes on
            _log_failure("A turn of the crew failed", error)
            tell(
                CrewEvent("error", {"error": "The turn could not be played; the game is not touched by it."})
            )

    async def session(self, session_id: str) -> Session:
        """What is remembered of the session; empty before its first turn."""
        return Session.model_validate((await self.graph.aget_state(_config(session_id))).values)

    def _build(self) -> StateGraph[Session, Stage, Session, Session]:
        builder = StateGraph(Session, context_schema=Stage)
        builder.add_node("route", self._route)
        builder.add_node("agent", self._agent)
        builder.add_node("choose", _choose)
        builder.add_edge(START, "route")
        builder.add_edge("route", "agent")
        builder.add_conditional_edges("agent", _after_agent, ["agent", "choose"])
        builder.add_edge("choose", END)
        return builder

    async def _route(self, state: Session, runtime: Runtime[Stage]) -> _Update:
        """Decide who speaks, unless that came with the turn."""
        scene = runtime.context.scene
        phase = scene.phase
        if state.agents:
            return {"phase": phase.value}
        router = AgentRouter(Random(f"{scene.seed}:{state.session_id}:{state.turns}"))
        decision = router.route(state.action, phase, state.recent_agents)
        return {"phase": phase.value, "agents": decision.agents}

    async def _agent(self, state: Session, runtime: Runtime[Stage]) -> _Update:
        """Let the next voice speak; one that fails says so, and the others go on."""
        agent = state.agents[len(state.responses)]
        scene = runtime.context.scene
        cue = Cue(
            state.action,
            state.phase,
            scene,
            tuple(said["content"] for said in state.responses),
            f"{scene.seed}:{agent}",
            tuple(state.conversation_history),
        )
        tell = runtime.stream_writer
        tell(CrewEvent("agent_start", {"agent": agent}))
        speech = _Speech(agent, tell)
        try:
            await self._listen(speech, cue)
        finally:
            if speech.words or speech.calls:
                await runtime.context.keep(speech.response)
        tell(CrewEvent("agent_end", {"agent": agent}))
        return {"responses": [*state.responses, {"role": agent, "content": speech.response.content}]}

    async def _listen(self, speech: _Speech, cue: Cue) -> None:
        """Let the voice speak, and take down what it says; a fault of its own is said in its place."""
        try:
            async with aclosing(self.agents[speech.agent].speak(cue)) as pieces:
                async for piece in pieces:
                    speech.take(piece)
        except Exception as error:  # noqa: BLE001 - one voice that fails leaves the others standing
            _log_failure(f"The {speech.agent} of the crew failed", error)
            speech.take(Fault(f"The {speech.agent} could not go on; the others do."))


def _log_failure(what: str, error: Exception) -> None:
    """Tell whoever runs the server what failed and where; an error's own words may quote press, a prompt or a key."""
    where = "".join(format_tb(error.__traceback__))
    _log.error("%s: %s\n%s", what, type(error).__name__, where)


def _begin(action: str, routing: RoutingDecision | None, session_id: str) -> tuple[Any, RunnableConfig]:
    """What is new in the session's state, which else stays, and its thread; a new one where no id is given."""
    session_id = session_id or str(uuid4())
    agents = routing.agents if routing else []
    turn = {"session_id": session_id, "action": action, "agents": agents, "responses": []}
    return turn, _config(session_id)


def _config(session_id: str) -> RunnableConfig:
    return {"configurable": {"thread_id": session_id}}


async def _forget(_response: AgentResponse) -> None:
    """Keep nothing of it."""


async def _choose(state: Session, runtime: Runtime[Stage]) -> _Update:
    """Offer what the person can do next, and remember the turn."""
    scene = runtime.context.scene
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
