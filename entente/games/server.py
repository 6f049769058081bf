"""The graph as LangGraph's own server runs it, beneath Studio: `langgraph.json` names `game_graph`.

The graph is the same as everywhere. A run or an edit of the server holds its game from beginning to end, so that no
other process plays it meanwhile, and where the game stands is noted for lists when it ends.
"""

from collections.abc import AsyncGenerator, Callable, Mapping
from contextlib import AbstractAsyncContextManager, asynccontextmanager, suppress
from typing import Any, TypeAlias

from langchain_core.runnables import RunnableConfig
from langgraph_sdk.runtime import ServerRuntime

from checkpoints.shared import shared_store, told_to_a_server, unlike_a_game
from checkpoints.store import Store
from checkpoints.threads import config_of, place_of
from entente.errors import LeaseLost, SettingsError, UnknownMoment
from entente.floors.services import Services
from entente.games.crew import is_talk
from entente.games.runner import standing_of
from graph.context import GameSettings, parse_settings
from graph.game import GameGraph, compile_game

CHANGING = ("threads.create_run", "threads.update")
"""What a server does with a graph that changes a game."""

_PLACES = frozenset({"thread_id", "checkpoint_id", "checkpoint_ns", "checkpoint_map"})
"""What a form has beside its fields when it is handed in as `configurable`, as it once was, and the server's own names,
which begin with `_`."""


GraphFactory: TypeAlias = Callable[
    [RunnableConfig, ServerRuntime[GameSettings]], AbstractAsyncContextManager[GameGraph]
]


def graph_factory(services: Services) -> GraphFactory:
    """What a server asks for the graph, each time that it does something with a thread."""
    graph = compile_game(services)

    @asynccontextmanager
    async def held(config: RunnableConfig, runtime: ServerRuntime[GameSettings]) -> AsyncGenerator[GameGraph]:
        game = config.get("configurable", {}).get("thread_id")
        if game is None or runtime.access_context not in CHANGING:
            yield graph
            return
        with told_to_a_server():
            store = await services.store()
            if await is_talk(store, str(game)):
                raise SettingsError(
                    f"A game wants a thread of its own and {game}, a talk with the crew, came; no game was begun."
                )
            async with store.leases.hold(str(game)):
                await store.journal.settings(str(game))  # or a damaged row would be written over at the end
                parse_settings(filled_in(runtime))  # LangGraph would leave out what it does not know
                await check_checkpoint_is_there(store, config)
                try:
                    yield graph
                except (LookupError, TypeError, AttributeError) as error:
                    if runtime.access_context != "threads.update":
                        raise
                    raise unlike_a_game(str(game), error) from error  # LangGraph asks the ways that lead on
                finally:
                    await _note(store, str(game))

    return held


def filled_in(runtime: ServerRuntime[Any]) -> dict[str, Any]:
    """The fields of the form that a run was started with, as they came; none where there was no form."""
    execution = runtime.execution_runtime
    return fields_of((execution and execution.context) or {})


def fields_of(form: Mapping[str, Any]) -> dict[str, Any]:
    """The fields of a form, without the places that stand beside them."""
    return {name: value for name, value in form.items() if name not in _PLACES and not name.startswith("_")}


async def check_checkpoint_is_there(store: Store, config: RunnableConfig) -> None:
    """Raise UnknownMoment where the checkpoint that a run or an edit is to go on from is none of its thread's.

    LangGraph would begin the thread anew, and put that over all that is there.
    """
    checkpoint = config.get("configurable", {}).get("checkpoint_id")
    if checkpoint is None:
        return
    place = place_of(config)
    if await store.saver.aget_tuple(config_of(place._replace(namespace=""), str(checkpoint))) is None:
        raise UnknownMoment(
            f"A checkpoint of thread {place.thread} was wanted and the id of none came; nothing was done."
        )


async def _note(store: Store, game: str) -> None:
    """Note for lists where the game stands."""
    standing = await standing_of(store, game)
    if standing.has_begun:
        with suppress(LeaseLost):  # whoever has taken the run back has noted it
            await store.journal.set_progress(game, phase=standing.state["phase"], status=standing.end.value)


game_graph = graph_factory(Services(shared_store, is_kept_here=True))
"""The compiled graph; its game is held for as long as a run or an edit lasts. Raises GameError."""
