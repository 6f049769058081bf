"""Doors through which more is done with a damaged store than commands can be typed for.

A page on which somebody writes, a program at a seat, the graph as Studio's server runs it, a batch that goes on, and
continuations that are learned from. Each gives a status as the page has it, and what was told; what is refused raises.
"""

# LangGraph leaves a type parameter of its own methods open.
# pyright: reportUnknownMemberType=false

import json
from collections.abc import Awaitable, Callable, Mapping, Sequence
from contextlib import aclosing
from types import SimpleNamespace
from typing import Any, TypeAlias, cast

from langgraph.runtime import RunControl
from langgraph.types import Command
from pydantic import JsonValue

from benchmarks.asgi import Browser
from checkpoints.shared import WholeGames
from checkpoints.store import Store
from entente.arena import Batch, run_batch
from entente.floors.services import services_over
from entente.games.crew_server import crew_factory
from entente.games.planned import open_planned
from entente.games.runner import GameMaster
from entente.games.server import graph_factory
from entente.games.sitting import Sitting
from entente.games.standing import thread_config
from entente.players.seat_protocol import REQUESTS
from entente.players.seating import players_of_process
from entente.training.config import parse_config
from entente.training.environment import DiplomacyEnvironment
from graph.context import GameSettings

Told: TypeAlias = tuple[int, str]
Door: TypeAlias = Callable[[Store, str], Awaitable[Told]]

BATCH = Batch(game=GameSettings(everyone="dumbbot", rounds=1, max_year=1901), games=2)
OF_BATCH = tuple(each.game.id for each in BATCH.plan())

_PHASE, _POWER = "F1901M", "FRANCE"
_TALK = "damaged-talk"
_OF_SEAT: Mapping[str, JsonValue] = {
    "/draft": {"phase": _PHASE, "messages": ["ALL: hello"], "orders": ["A PAR H"]},
    "/orders": {"lines": ["A PAR - BUR", "A MAR S A PAR - BUR"]},
    "/answer": {"orders": ["A PAR - BUR"]},
    "/back": {"power": _POWER},
}
_OF_OPERATOR: Mapping[str, JsonValue] = {
    "/run": {},
    "/pause": {},
    "/away": {"power": _POWER},
    "/back": {"power": _POWER},
    "/fork": {"at": _PHASE},
}
_REQUESTS: Sequence[Mapping[str, JsonValue]] = (
    {"do": "board_state"},
    {"do": "my_possible_orders"},
    {"do": "send_press", "phase": _PHASE, "to": "ALL", "text": "Peace?"},
    {"do": "submit_orders", "phase": _PHASE, "orders": ["A PAR - BUR"]},
)
WRITING = (*((_POWER, path) for path in _OF_SEAT), *(("OPERATOR", path) for path in _OF_OPERATOR))
"""Who writes on the page, and where."""


async def begin_batch(store: Store) -> None:
    """Play the first game of the batch, and the second until it is stopped."""
    master, control = GameMaster(store), RunControl()
    first, second = (each.game for each in BATCH.plan())
    await open_planned(store, master, first)
    await master.run(first.id)
    await open_planned(store, master, second)
    control.request_drain("it is to go on later")
    await master.run(second.id, control=control)


async def write(browser: Browser, game: str, reader: str, path: str) -> Told:
    """Write on the page what belongs to this path; an answer to what the seat is asked, if it is asked anything."""
    body = (_OF_SEAT if reader == _POWER else _OF_OPERATOR)[path]
    if path == "/answer":
        status, told = await browser.ask("GET", f"/games/{game}/seat")
        if status != 200 or told == "null":
            return status, told
        body = {"question": json.loads(told)["id"], "orders": ["A PAR - BUR"]}
    return await browser.ask("POST", f"/games/{game}{path}", body)


async def _sit(store: Store, game: str) -> Told:
    """Sit down as a program does, look, write and order."""
    sitting = await Sitting.at(store, GameMaster(store, players_of_process()), game, _POWER)
    async with aclosing(sitting):
        told = [await sitting.answer(REQUESTS.validate_python(request)) for request in _REQUESTS]
        await sitting.wait_for_event(0)
    return 200, "\n".join(str(answer) for answer in told)


async def _open_in_studio(store: Store, game: str) -> Told:
    """Look at the game as Studio does, and go on with it; raises GameError."""
    factory = graph_factory(services_over(store, players_of_process()))
    here = thread_config(game)
    async with factory(here, _server("threads.read")) as graph:
        served = graph.copy(update={"checkpointer": WholeGames(store)})
        asked = (await served.aget_state(here)).interrupts
        history = [each async for each in served.aget_state_history(here)]
    async with factory(here, _server("threads.create_run", {})) as graph:
        served = graph.copy(update={"checkpointer": WholeGames(store)})
        given: Any = Command(resume={each.id: {"orders": []} for each in asked}) if asked else {}
        await served.ainvoke(given, here, context=cast("Any", {}))
    return 200, f"{len(history)} checkpoints"


def _server(access: str, form: Mapping[str, Any] | None = None) -> Any:
    """What LangGraph's server tells a graph; a run has a form."""
    run = None if form is None else SimpleNamespace(context=form)
    return SimpleNamespace(access_context=access, execution_runtime=run)


async def _ask_crew_in_studio(store: Store, game: str) -> Told:
    """Talk with the crew about the game as Studio does; raises GameError."""

    async def opened() -> Store:
        return store

    about = cast("Any", {"game": game, "listener": _POWER})
    async with crew_factory(opened)(thread_config(_TALK), _server("threads.create_run", about)) as graph:
        served = graph.copy(update={"checkpointer": WholeGames(store)})
        state = await served.ainvoke(
            cast("Any", {"action": "Who did what?"}), thread_config(_TALK), context=about
        )
    return 200, str(state)


async def _go_on_with_batch(store: Store, game: str) -> Told:
    """Go on with the batch; a game of it that fails is told of."""
    del game
    report = (await run_batch(store, BATCH, players_of_process())).report
    return 200, report.model_dump_json()


async def _branch(store: Store, game: str) -> Told:
    """Play continuations of a moment of the game, as episodes."""
    powers = ("AUSTRIA", "ENGLAND", "FRANCE", "GERMANY", "ITALY", "RUSSIA", "TURKEY")
    config = parse_config(
        {
            "game_settings": {"powers": [{"name": power, "model": "hold"} for power in powers]},
            "training": {"group_size": 2, "episodes_per_batch": 2, "save_replays": False},
        }
    )
    async with DiplomacyEnvironment(config, store, players_of_process()) as environment:
        ends = await environment.branch(game, _PHASE, 1)
        if failed := [each for each in ends if each.exit_code == 1]:
            raise RuntimeError(failed[0].reason)
    return 200, ""


DOORS: Mapping[str, Door] = {
    "sit at a seat": _sit,
    "open in studio": _open_in_studio,
    "ask the crew in studio": _ask_crew_in_studio,
    "arena goes on": _go_on_with_batch,
    "train branch": _branch,
}
"""By what is done."""
