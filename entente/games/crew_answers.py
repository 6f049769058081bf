"""The crew as it answers what people do and ask: turns that are kept, with voices that are held against budgets."""

from collections.abc import Mapping, Sequence
from hashlib import sha256
from types import MappingProxyType
from typing import NamedTuple
from uuid import uuid4

from pydantic import JsonValue

from checkpoints.store import Store
from checkpoints.threads import session_thread
from entente.commentary.executor import TurnExecutor
from entente.commentary.scene import Scene
from entente.commentary.turn import AgentResponse, Keep
from entente.commentary.voices import Voices
from entente.errors import TooManyAnswers
from entente.games.crew import phase_before
from entente.games.roles import OPERATOR, seat_of
from entente.games.spending import crews_budgets
from entente.games.tellings import MakeVoices
from entente.models.budget import Budget
from entente.players.record import Words
from entente.press.mailbox import Reader

MOST_ANSWERS = 500
"""Of voices to one listener in a phase: all are kept, and whoever has a link can ask."""


def _scripted(_budgets: Sequence[Budget]) -> Voices:
    return {}


class Talk(NamedTuple):
    """A listener's talk with the crew about a game."""

    game: str
    reader: Reader
    listener: str
    """Who listens, by the id of its link: it has talks of its own, whatever another calls its own."""
    session: str

    @property
    def name(self) -> str:
        """What it is kept under; begins alike for all talks of the listener."""
        return self.listeners + _digest(self.session)

    @property
    def listeners(self) -> str:
        """What the names of all talks of the listener begin with."""
        return _digest(self.listener)


class Turn(NamedTuple):
    """What the executor is given for one turn of a talk."""

    thread: str
    keep: Keep
    voices: Voices


class Answers:
    """The crew of a server, for all games of a store."""

    def __init__(
        self,
        store: Store,
        make_voices: MakeVoices = _scripted,
        crew_model: Mapping[str, JsonValue] = MappingProxyType({}),
    ) -> None:
        """`crew_model` has the crew's own budget, which each game has for itself."""
        self.turns = TurnExecutor(saver=store.saver)
        self._store = store
        self._make_voices = make_voices
        self._crew_model = crew_model
        self._budgets: dict[str, tuple[Budget, Budget]] = {}

    async def turn(self, talk: Talk, scene: Scene, action: str) -> Turn:
        """What the talk's next turn is played with. Raises NotBegun, TooManyAnswers.

        Turns that are under way are not counted before their voices are kept.
        """
        history = await phase_before(self._store, talk.game, scene)
        if await self._store.words.count(talk.game, talk.listeners, history) >= MOST_ANSWERS:
            raise TooManyAnswers(
                f"At most {MOST_ANSWERS} answers of the crew in {scene.board.phase} were wanted by this link and it "
                "has had them. It is answered again in the next phase; nothing was said."
            )
        keep = self._keeping(talk, scene, history, action)
        return Turn(session_thread(talk.game, talk.name), keep, await self._voices(talk.game))

    def _keeping(self, talk: Talk, scene: Scene, history: str | None, action: str) -> Keep:
        """What keeps the crew's words to the action; only the reader's seat, if it has one, is told of them.

        `history` is the phase before the scene.
        """

        async def keep(response: AgentResponse) -> None:
            await self._store.words.keep(
                Words(
                    game=talk.game,
                    id=str(uuid4()),
                    history=history,
                    session=talk.name,
                    phase=str(scene.board.phase),
                    listener=seat_of(talk.reader) or OPERATOR,
                    voice=response.agent,
                    content=response.content,
                    action=action,
                    calls=response.calls,
                )
            )

        return keep

    async def _voices(self, game: str) -> Voices:
        """Who speaks in the game's next turn, its calls held against the game's budget and the crew's own.

        What turns under way have set aside counts as spent. Raises NotBegun.
        """
        settings = await self._store.library.settings(game)
        now = await crews_budgets(self._store, game, settings, self._crew_model)
        budgets = self._budgets.setdefault(game, now)
        for budget, fresh in zip(budgets, now, strict=True):
            budget.renew(fresh)
        return self._make_voices(budgets)


def _digest(name: str) -> str:
    return sha256(name.encode()).hexdigest()[:16]
