"""Plays turns of the crew: whole, or streamed while they are played."""

# LangGraph leaves a type parameter of its own methods open; what goes through them is typed by us.
# pyright: reportUnknownMemberType=false

import asyncio
from collections.abc import AsyncGenerator, Coroutine
from contextlib import aclosing
from dataclasses import dataclass
from typing import Any, TypeVar, cast
from uuid import uuid4

from langchain_core.runnables import RunnableConfig
from langgraph.checkpoint.base import BaseCheckpointSaver
from langgraph.checkpoint.memory import InMemorySaver

from entente.commentary.router import RoutingDecision, Voice
from entente.commentary.scene import Scene
from entente.commentary.session import Asked, Session
from entente.commentary.turn import AgentResponse, CrewEvent, CrewTurn, Keep, Stage, forget, log_failure
from entente.commentary.voices import Speaker, Voices, scripted_voices

_Played = TypeVar("_Played")

_DURABILITY = "exit"
"""A turn is one checkpoint: half of one is of use to nobody, and what its voices said is kept as each ends."""


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
        self.agents = scripted_voices()
        given: dict[Voice, Speaker | None] = {"narrator": narrator, "keeper": keeper, "jester": jester}
        self.agents.update({voice: speaker for voice, speaker in given.items() if speaker})
        self._playing: set[asyncio.Task[Any]] = set()
        turn = CrewTurn(self.agents, Stage, _as_it_is)
        self.graph = turn.build().compile(checkpointer=saver or InMemorySaver(), name="crew")

    async def execute(
        self,
        action: str,
        routing: RoutingDecision | None,
        context: Scene,
        session_id: str = "",
        keep: Keep | None = None,
        voices: Voices | None = None,
    ) -> TurnResult:
        """Play a turn whose voices were decided, or decide them; in a session of its own where none is named.

        `voices` speak in this turn alone. Cancelled, it stops the voice that speaks, which ends in its own time.
        """
        responses: list[AgentResponse] = []

        async def collect(response: AgentResponse) -> None:
            responses.append(response)
            await (keep or forget)(response)

        stage = Stage(context, collect, tuple(routing.agents) if routing else (), voices or Voices())
        config = _config(session_id or str(uuid4()))
        playing = self._play_apart(
            self.graph.ainvoke(Asked(action=action), config, context=stage, durability=_DURABILITY)
        )
        try:
            await asyncio.wait([playing])
        finally:
            await _stop(playing)
        narrative = "\n\n".join(response.content for response in responses)
        return TurnResult(responses, narrative, playing.result()["current_choices"])

    async def stream(
        self,
        action: str,
        context: Scene,
        session_id: str = "",
        keep: Keep | None = None,
        voices: Voices | None = None,
    ) -> AsyncGenerator[CrewEvent]:
        """Play a turn and tell of it as it happens; ends with `done`, whatever fails.

        Closed or cancelled, it stops the voice that speaks, which ends in its own time.
        """
        told: asyncio.Queue[CrewEvent | None] = asyncio.Queue()
        stage = Stage(context, keep or forget, voices=voices or Voices())
        playing = self._play_apart(self._tell(action, _config(session_id or str(uuid4())), stage, told))
        playing.add_done_callback(lambda _: told.put_nowait(None))
        try:
            while (event := await told.get()) is not None:
                yield event
        finally:
            await _stop(playing)
        yield CrewEvent("done", {})

    async def close(self) -> None:
        """Stop the turns that are played, and wait until what they have paid for is kept."""
        for playing in self._playing:
            if not playing.cancelling():  # a second time would cut its end short
                playing.cancel()
        await asyncio.gather(*self._playing, return_exceptions=True)

    async def session(self, session_id: str) -> Session:
        """What is remembered of the session; empty before its first turn."""
        return Session.model_validate((await self.graph.aget_state(_config(session_id))).values)

    def _play_apart(self, playing: Coroutine[Any, Any, _Played]) -> asyncio.Task[_Played]:
        """A turn as a task of its own.

        A server cancels who waits for it at every step of an end, which would cut the graph's own end short.
        """
        task = asyncio.create_task(playing)
        self._playing.add(task)
        task.add_done_callback(self._playing.discard)
        return task

    async def _tell(
        self, action: str, config: RunnableConfig, stage: Stage, told: "asyncio.Queue[CrewEvent | None]"
    ) -> None:
        try:
            played = self.graph.astream(
                Asked(action=action), config, context=stage, stream_mode="custom", durability=_DURABILITY
            )
            async with aclosing(cast("AsyncGenerator[dict[str, Any]]", played)) as events:
                async for event in events:
                    told.put_nowait(CrewEvent(**event))
        except Exception as error:  # noqa: BLE001 - whatever it is, whoever listens is told, and the session goes on
            log_failure("A turn of the crew failed", error)
            told.put_nowait(
                CrewEvent("error", {"error": "The turn could not be played; the game is not touched by it."})
            )


async def _as_it_is(stage: Stage) -> Stage:
    """Where the context of a run is what the turn is played with."""
    return stage


async def _stop(playing: asyncio.Task[Any]) -> None:
    playing.cancel()
    await asyncio.wait([playing])


def _config(session_id: str) -> RunnableConfig:
    return {"configurable": {"thread_id": session_id}}
