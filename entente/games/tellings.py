"""The crew beside a run: each phase that is over is told to all, once, and the game never waits for it.

What the crew says is kept under ids that are made of the phase and the voice. So a game that was killed is told on
from where its telling stopped, and no voice is asked twice for what it has said. A telling has a lease of its own: of
two processes that have run the same game, one tells a phase.
"""

import asyncio
import logging
import os
from collections.abc import AsyncGenerator, Callable, Mapping, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import replace
from typing import TypeAlias

from pydantic import JsonValue

from checkpoints.store import Store
from checkpoints.threads import session_thread
from entente.commentary.executor import TurnExecutor
from entente.commentary.turn import AgentResponse
from entente.commentary.voices import Voices
from entente.display import displayable
from entente.errors import EntenteError, GameHeld, NotBegun
from entente.games.crew import TELLERS, scene_after
from entente.games.reading import begun_state
from entente.games.spending import crews_budgets
from entente.games.waiting import commit_or_end
from entente.models.budget import Budget
from entente.models.client import Connections
from entente.players.record import PhaseRecord, Words
from graph.context import SCRIPTED_CREW, GameSettings

_log = logging.getLogger(__name__)

_MOST_FAULTS = 3
"""Phases one after the other in which a voice has failed. Each tries anew, and no more than these: a game that is
over waits for its last telling."""
_SILENT = "(The crew is silent from now on, until the game is resumed.)"

MakeVoices: TypeAlias = Callable[[Sequence[Budget]], Voices]
"""The voices in place of the scripted ones; what their models are asked is held against these budgets."""
OpenCrew: TypeAlias = Callable[[str, Mapping[str, JsonValue]], AbstractAsyncContextManager[MakeVoices]]
"""Whoever a game's `crew` names, called as its `crew_model` says; raises SettingsError. What it holds open ends with
the block."""


@asynccontextmanager
async def crew_of_process(crew: str, values: Mapping[str, JsonValue]) -> AsyncGenerator[MakeVoices]:
    """As `voices_named`, with connections of their own."""
    async with Connections() as connections:
        yield voices_named(crew, values, connections)


def voices_named(crew: str, values: Mapping[str, JsonValue], connections: Connections) -> MakeVoices:
    """Scripted voices, or a language model's with these settings and the keys of the environment.

    Raises SettingsError, MissingKey among them.
    """
    if crew == SCRIPTED_CREW:
        return lambda _: Voices()
    # Only what speaks with a model pays for loading it.
    from entente.commentary.model_voices import SETTINGS, open_voices

    called = SETTINGS.over(values)
    open_voices(crew, connections, os.environ, settings=called)
    return lambda budgets: open_voices(crew, connections, os.environ, budgets, called)


class Tellings:
    """The tellings of a runner's games."""

    def __init__(self, store: Store, open_crew: OpenCrew | None = None) -> None:
        self._store = store
        self._open_crew = open_crew or crew_of_process
        self._crews: dict[str, _Crew] = {}

    async def check(self, settings: GameSettings) -> None:
        """Raise SettingsError for a crew that cannot be had."""
        if settings.crew is not None:
            async with self._open_crew(settings.crew, settings.crew_model):
                pass

    async def begin(self, game: str) -> None:
        """Tell the game's phases from now on, if it has a crew; raises UnknownGame.

        A crew that would use what an imported game names tells nothing before somebody has confirmed it.
        """
        settings = await self._store.library.settings(game)
        if settings.crew is None:
            return
        if settings.crew == SCRIPTED_CREW or await self._store.journal.is_trusted(game):
            before = self._crews.get(game)
            opened = self._open_crew(settings.crew, settings.crew_model)
            self._crews[game] = _Crew(self._store, game, settings, opened, before)
        else:
            _log.warning(
                "The crew tells nothing of game %s, which was imported: nobody has confirmed the model %s",
                game,
                displayable(settings.crew),
            )

    def end(self, game: str, *, is_pausing: bool = False) -> None:
        """Tell what is over by now, and nothing that comes; of several phases one alone where the game is paused."""
        if crew := self._crews.get(game):
            crew.end(is_pausing=is_pausing)

    async def told(self, game: str) -> None:
        """Return when the crew has told all that is over by now, or cannot; it tells nothing more then."""
        if crew := self._crews.get(game):
            crew.end()
            await asyncio.wait([crew.task])
            if self._crews.get(game) is crew:
                del self._crews[game]


class _Crew:
    """One game's crew while one run plays it."""

    def __init__(
        self,
        store: Store,
        game: str,
        settings: GameSettings,
        opened: AbstractAsyncContextManager[MakeVoices],
        before: "_Crew | None",
    ) -> None:
        self._store = store
        self._game = game
        self._settings = settings
        self._ending: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._is_pausing = False
        self._head: str | None = None
        """The last phase up to which all is told."""
        self._faults = 0
        """Of the latest phases one after the other, how many have a voice that failed, and has said so."""
        self.task = asyncio.create_task(self._run(opened, before), name=f"crew of {game}")

    def end(self, *, is_pausing: bool = False) -> None:
        self._is_pausing = self._is_pausing or is_pausing
        if not self._ending.done():
            self._ending.set_result(None)

    async def _run(self, opened: AbstractAsyncContextManager[MakeVoices], before: "_Crew | None") -> None:
        try:
            if before is not None:  # of the run before: it comes to its end by itself
                before.end()
                await asyncio.wait([before.task])
            async with opened as voices:
                await self._follow(voices)
        except EntenteError as error:
            _log.warning("The crew tells no more of game %s in this run: %s", self._game, error)
        except Exception:  # noqa: BLE001 - whatever it is, the game goes on without
            _log.exception("The crew tells no more of game %s in this run", self._game)

    async def _follow(self, voices: MakeVoices) -> None:
        is_over = False
        while not is_over and self._faults < _MOST_FAULTS:
            is_over = self._ending.done()  # asked first: what is over by then is read below
            newest = await self._store.journal.newest()
            await self._tell_untold(voices)
            if not is_over:
                await commit_or_end(self._store.journal, self._game, newest, self._ending)

    async def _tell_untold(self, voices: MakeVoices) -> None:
        for phase in await self._untold():
            try:
                async with self._store.leases.hold_anew(session_thread(self._game, "tellings")):
                    if phase in await self._untold():
                        await self._tell(phase, voices)
            except GameHeld:  # by another process that tells it
                return
            if self._faults == _MOST_FAULTS or self._is_pausing:
                return
            self._head = phase.id

    async def _untold(self) -> list[PhaseRecord]:
        """Phases that are over and were not told to their end, the earliest first."""
        try:
            head = (await begun_state(self._store, self._game))["history"]
        except NotBegun:
            return []
        if head == self._head:
            return []
        told = {words.id for words in await self._store.words.of(self._game)}
        played = await self._store.journal.phases(self._game, head)
        return [phase for phase in played if telling_id(phase.id, TELLERS[-1]) not in told]

    async def _tell(self, phase: PhaseRecord, voices: MakeVoices) -> None:
        failed: list[str] = []

        async def keep(response: AgentResponse) -> None:
            if response.fault:
                if not failed and self._faults + 1 == _MOST_FAULTS:
                    response = replace(response, content=f"{response.content}\n{_SILENT}")
                failed.append(response.agent)
            await self._store.words.keep(_words(phase, response))

        settings = self._settings
        budgets = await crews_budgets(self._store, self._game, settings, settings.crew_model)
        scene = await scene_after(self._store, self._game, phase.phase)
        await TurnExecutor(**voices(budgets)).execute("", None, scene, keep=keep)
        self._faults = self._faults + 1 if failed else 0


def telling_id(phase: str, voice: str) -> str:
    """The id of what a voice tells of the phase of this record."""
    return f"{phase}.{voice}"


def _words(phase: PhaseRecord, response: AgentResponse) -> Words:
    return Words(
        game=phase.game,
        id=telling_id(phase.id, response.agent),
        history=phase.id,
        phase=phase.phase,
        listener="PUBLIC",
        voice=response.agent,
        content=response.content,
        calls=response.calls,
    )
