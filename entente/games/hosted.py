"""The graph as a server that is not ours runs it: LangGraph's own, beneath Studio.

The command line runs games through `entente.games.runner`, which holds a game for a whole run, has every
step on disk before the next, and notes where the game stands. A server calls the graph itself, so
here the graph does the same by itself: while one process runs or edits a game, no other does.
"""

# LangGraph leaves type parameters of its own methods open; what goes through them is typed by us.
# pyright: reportUnknownMemberType=false

import re
import time
from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import replace
from typing import Any, TypeAlias, cast

from langchain_core.runnables import RunnableConfig
from langgraph.graph.state import CompiledStateGraph
from langgraph.types import Command, StateSnapshot, StateUpdate

from checkpoints.lease import Hold
from checkpoints.shared import shared_store, told_to_a_server
from checkpoints.store import Store
from entente.errors import CheckpointError, NotWaiting, UnknownGame
from entente.floors.phase_clock import closes_at
from entente.floors.services import Services
from entente.games.pending import PendingSeat, has_replies, is_open, not_yet, pending_seats
from graph.context import GameSettings, parse_settings
from graph.game import GameGraph, compile_game
from graph.state import GameInput, GameState

OpenStore: TypeAlias = Callable[[], Awaitable[Store]]

_QUESTION = re.compile(r"[0-9a-f]{32}")
"""The id of an interrupt, by which LangGraph tells answers by question from a single answer that is a mapping."""


class HostedGame(CompiledStateGraph[GameState, GameSettings, GameInput, GameState]):
    """The game's graph; a run or an edit holds its game, and fails while another process does.

    All that goes wrong on purpose is raised as GameError, with a sentence that a server passes on.
    """

    def __init__(
        self, *, open_store: OpenStore, clock: Callable[[], float] = time.time, **attributes: Any
    ) -> None:
        super().__init__(**attributes)
        # Under the parameters' names: a server copies the graph for each run by its attributes.
        self.open_store = open_store
        self.clock = clock

    async def astream(
        self,
        input: Any,  # noqa: A002 - LangGraph's own word
        config: RunnableConfig | None = None,
        **options: Any,
    ) -> AsyncIterator[Any]:
        """Play on. A game that has begun goes on from where it stands, whatever input comes."""
        async with self._held(config) as (store, game, hold):
            start = await self.aget_state(_thread(game, _checkpoint(config)))
            late = {} if _checkpoint(config) else await self._late(store, game, start)
            is_answer = isinstance(input, Command)
            input = Command(resume=late) if late else _input_for(start, input)  # noqa: A001 - as above
            context = options.pop("context", None)
            # What a form says counts for a new game alone; how its models are called can be changed elsewhere.
            options["context"] = await _kept_settings(store, game) or _settings(context)
            # The server's own choice would lose up to two steps when it is killed.
            options["durability"] = "sync"
            async for part in _holding(hold, super().astream(input, config, **options)):
                yield part
            if late and is_answer:
                raise NotWaiting(
                    f"An answer came when the time for {start.values['phase']} was over: the phase was closed "
                    "with the orders that had been given, and nothing of the answer was taken."
                )
            # Only when the answers are kept: where one fails, everybody is still asked what was asked.
            if others := await self._unanswered(game):
                answered = super().astream(Command(resume=others), _at_head(config), **options)
                async for part in _holding(hold, answered):
                    yield part

    async def abulk_update_state(
        self, config: RunnableConfig, supersteps: Sequence[Sequence[StateUpdate]]
    ) -> RunnableConfig:
        """Edit the game's state, at its head or from any of its checkpoints."""
        async with self._held(config):
            return await super().abulk_update_state(config, supersteps)

    async def _late(self, store: Store, game: str, start: StateSnapshot) -> dict[str, Any]:
        """What closes a phase whose time is over, in place of all answers; empty while there is time."""
        pending = pending_seats(start)
        if not is_open(pending):
            return {}
        until = await closes_at(store.journal, game, cast("GameState", start.values))
        return not_yet(pending) if until is not None and self.clock() >= until else {}

    async def _unanswered(self, game: str) -> dict[str, Any]:
        """What stands for people on the conductor's floor who have not answered beside one who has."""
        snapshot = await self.aget_state(_thread(game))
        return not_yet(pending_seats(snapshot)) if has_replies(snapshot) else {}

    def _game(self, config: RunnableConfig | None) -> str:
        game = (config or {}).get("configurable", {}).get("thread_id")
        if game is None or not self.checkpointer:
            raise CheckpointError("A game needs a thread to be kept in and none came; nothing was done.")
        return str(game)

    @asynccontextmanager
    async def _held(self, config: RunnableConfig | None) -> AsyncGenerator[tuple[Store, str, Hold]]:
        with told_to_a_server():
            game = self._game(config)
            store = await self.open_store()
            async with store.leases.hold(game) as hold:
                try:
                    yield store, game, hold
                finally:
                    with hold.here():
                        await self._note(store, game)

    async def _note(self, store: Store, game: str) -> None:
        """Note for lists where the game stands."""
        snapshot = await self.aget_state(_thread(game))
        if "status" in snapshot.values:
            state = cast("GameState", snapshot.values)
            await store.journal.set_progress(game, phase=state["phase"], status=_status(snapshot))


async def _holding(hold: Hold, parts: AsyncIterator[Any]) -> AsyncIterator[Any]:
    """The same parts; a server may ask for each in a task of its own, which does not have the run's context."""
    with suppress(StopAsyncIteration):
        while True:
            with hold.here():
                part = await anext(parts)
            yield part


def host(graph: GameGraph, open_store: OpenStore) -> HostedGame:
    """The same graph for a server; `open_store` gives the process's store."""
    return HostedGame(open_store=open_store, **vars(graph))


def _input_for(start: StateSnapshot, given: Any) -> Any:
    """What the graph is run with, whatever the server has sent."""
    if not isinstance(given, Command):
        # New input would drop what the step in play has done, and have it done once more;
        # where no step is in play, nothing begins without input.
        return None if start.tasks else {}
    command = cast("Command[Any]", given)
    return replace(command, resume=_answers_for(start, command.resume))


def _answers_for(start: StateSnapshot, answers: Any) -> Any:
    """What the questions are answered with; raises NotWaiting for one that is not open, or the answer would be lost."""
    by_question, pending = _by_question(answers), pending_seats(start)
    wanted = [seat for seat in pending if not seat.is_optional]
    if not by_question:
        # LangGraph gives such an answer to the one question there is, and knows none that may be left.
        return {wanted[0].interrupt: answers} if answers and len(wanted) == 1 else answers
    if pending and by_question.keys() - {seat.interrupt for seat in pending}:
        raise NotWaiting(
            f"An answer came to a question that is no longer open, while {_listed(wanted)} asked; "
            "nothing was changed."
        )
    return by_question


def _by_question(answers: Any) -> dict[str, Any]:
    """The answers by the ids of their questions; empty for an answer that names none."""
    given = cast("dict[str, Any]", answers) if isinstance(answers, dict) else {}
    return given if all(map(_QUESTION.fullmatch, given)) else {}


def _listed(pending: Sequence[PendingSeat]) -> str:
    return f"{', '.join(seat.power for seat in pending)} {'is' if len(pending) == 1 else 'are'}"


def _status(snapshot: StateSnapshot) -> str:
    if snapshot.values["status"] == "finished":
        return "finished"
    return "waiting" if snapshot.interrupts else "paused"


def _checkpoint(config: RunnableConfig | None) -> str | None:
    return (config or {}).get("configurable", {}).get("checkpoint_id")


def _at_head(config: RunnableConfig | None) -> RunnableConfig:
    """The same without the checkpoint that the run began from."""
    head = (config or RunnableConfig()).copy()
    where = head.get("configurable", {})
    head["configurable"] = {key: value for key, value in where.items() if key != "checkpoint_id"}
    return head


def _thread(game: str, checkpoint: str | None = None) -> RunnableConfig:
    where = {"thread_id": game} | ({"checkpoint_id": checkpoint} if checkpoint else {})
    return RunnableConfig(configurable=where)


def _settings(context: Any) -> GameSettings:
    """What a form was filled in with; raises SettingsError."""
    return context if isinstance(context, GameSettings) else parse_settings(context or {})


async def _kept_settings(store: Store, game: str) -> GameSettings | None:
    """The settings of a game that was begun elsewhere and killed before its first checkpoint."""
    try:
        return GameSettings.model_validate((await store.library.summary(game)).settings)
    except UnknownGame:
        return None


graph = host(compile_game(Services(shared_store)), shared_store)
