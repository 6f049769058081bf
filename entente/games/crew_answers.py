"""The crew as it answers what people do and ask: turns that are kept, with voices that are held against budgets."""

from collections.abc import Mapping, Sequence
from types import MappingProxyType

from pydantic import JsonValue

from checkpoints.store import Store
from entente.commentary.executor import TurnExecutor
from entente.commentary.voices import Voices
from entente.games.spending import crews_budgets
from entente.games.tellings import MakeVoices
from entente.models.budget import Budget


def _scripted(_budgets: Sequence[Budget]) -> Voices:
    return {}


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

    async def voices(self, game: str) -> Voices:
        """Who speaks in the game's next turn, its calls held against the game's budget and the crew's own.

        What turns under way have set aside counts as spent. Raises NotBegun.
        """
        settings = await self._store.library.settings(game)
        now = await crews_budgets(self._store, game, settings, self._crew_model)
        budgets = self._budgets.setdefault(game, now)
        for budget, fresh in zip(budgets, now, strict=True):
            budget.renew(fresh)
        return self._make_voices(budgets)
