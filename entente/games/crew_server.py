"""The crew's graph as LangGraph's own server runs it, beneath Studio: `langgraph.json` names `crew_graph`.

The graph is the same as everywhere, and its voices are those without a model. Whoever runs it says who listens, and the
crew knows what that listener may know. A talk has a thread of its own, which no game has.
"""

# LangGraph leaves a type parameter of its own methods open; what goes through them is typed by us.
# pyright: reportUnknownMemberType=false

from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from typing import TypeAlias

from langchain_core.runnables import RunnableConfig
from langgraph.graph.state import CompiledStateGraph
from langgraph_sdk.runtime import ServerRuntime
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from checkpoints.shared import shared_store, told_to_a_server
from checkpoints.store import Store
from checkpoints.threads import place_of
from entente.commentary.session import Asked, Session
from entente.commentary.turn import CrewTurn, Stage
from entente.commentary.voices import scripted_voices
from entente.errors import SettingsError, UnknownGame
from entente.games.crew import scene_now
from entente.games.reading import reader_named
from entente.games.server import CHANGING, check_checkpoint_is_there, filled_in
from entente.validation import first_misfit


class Listening(BaseModel):
    """About which game the crew is asked, and for whose ears it answers: what a form in Studio fills in."""

    model_config = ConfigDict(extra="forbid", title="Crew")

    game: str = Field(
        title="Game", description="The id of the game that is talked about, as `entente games list` has it."
    )
    listener: str = Field(
        default="PUBLIC",
        title="Who listens",
        description="The power whose seat listens, so that the crew knows its press too; PUBLIC for whoever only "
        "watches.",
    )
    to: str = Field(
        default="",
        title="Talks in private with",
        description="The power that the listener talks with in private, if with one.",
    )


CrewGraph: TypeAlias = CompiledStateGraph[Session, Listening, Asked, Session]
CrewFactory: TypeAlias = Callable[
    [RunnableConfig, ServerRuntime[Listening]], AbstractAsyncContextManager[CrewGraph]
]


def crew_factory(open_store: Callable[[], Awaitable[Store]]) -> CrewFactory:
    """What a server asks for the graph, each time that it does something with a thread."""

    async def stage_of(listening: Listening) -> Stage:
        with told_to_a_server():
            store = await open_store()
            reader = await reader_named(store, listening.game, listening.listener)
            return Stage(await scene_now(store, listening.game, reader, listening.to))

    graph = CrewTurn(scripted_voices(), Listening, stage_of).build().compile(name="crew")

    @asynccontextmanager
    async def apart(config: RunnableConfig, runtime: ServerRuntime[Listening]) -> AsyncGenerator[CrewGraph]:
        with told_to_a_server():
            if runtime.access_context in CHANGING and "thread_id" in config.get("configurable", {}):
                store = await open_store()
                await _check_is_no_game(store, place_of(config).thread)
                await check_checkpoint_is_there(store, config)
                if runtime.execution_runtime:
                    await store.library.glance(_listening(runtime).game)
            yield graph

    return apart


def _listening(runtime: ServerRuntime[Listening]) -> Listening:
    """What the form was filled in with, of which LangGraph would leave out what it does not know."""
    try:
        return Listening.model_validate(filled_in(runtime))
    except ValidationError as error:
        raise _form_error(error) from error


async def _check_is_no_game(store: Store, thread: str) -> None:
    try:
        await store.library.glance(thread)
    except UnknownGame:
        return
    raise SettingsError(
        f"A talk with the crew wants a thread of its own and {thread}, a game, came; nothing was said."
    )


def _form_error(error: ValidationError) -> SettingsError:
    misfit = first_misfit(error, Listening)
    return SettingsError(
        f"What the crew is told cannot be used: {misfit.name}; {misfit.reason} Nothing was said.",
        setting=misfit.path,
    )


crew_graph = crew_factory(shared_store)
"""The compiled graph; raises GameError."""
