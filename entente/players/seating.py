"""Who sits down in a chair: a scripted player by its name, a language model as `PROVIDER:MODEL`."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from random import Random

from entente.board.types import Power
from entente.models.budget import Budget
from entente.models.client import Connections, open_model
from entente.models.spec import ModelSpec
from entente.models.wire import KeptReplies
from entente.players import roster
from entente.players.model.settings import SeatSettings
from entente.players.protocol import Player


@dataclass(frozen=True, slots=True)
class Chair:
    """A seat, and all that must be known to fill it."""

    power: Power
    player: str
    """Who plays it, as the seat was specified: `diplomat`, `openai:gpt-5-mini`."""
    settings: SeatSettings = field(default_factory=SeatSettings)
    """For a language model."""
    prompts: Path | None = None
    """A folder of texts that are put in place of ours."""
    budgets: tuple[Budget, ...] = ()
    """What its calls are held against."""
    replies: KeptReplies | None = None
    """Where it keeps a reply that it asks its model to mend; None where nothing can be resumed."""

    @property
    def is_model(self) -> bool:
        """True when a language model plays it."""
        return is_model(self.player)


@dataclass(frozen=True)
class Seating:
    """Makes players, for as many games as one likes: players hold nothing between turns."""

    connections: Connections
    environ: Mapping[str, str]
    """Where the keys of providers are looked up, by the names of their variables."""
    _scripted: dict[str, Player] = field(default_factory=dict[str, Player])
    _rng: Random = field(default_factory=Random)
    """Jitter between retries: it decides nothing in a game."""

    def __call__(self, chair: Chair) -> Player:
        """The player; raises SettingsError, MissingKey among them."""
        if chair.is_model:
            return self._model(chair)
        if chair.player not in self._scripted:
            self._scripted[chair.player] = roster.make_player(chair.player)
        return self._scripted[chair.player]

    def _model(self, chair: Chair) -> Player:
        # Seven scripted seats must not pay for loading what only models need.
        from entente.players.model.player import ModelPlayer
        from entente.players.model.seat import Seat

        model = open_model(
            ModelSpec.parse(chair.player),
            chair.settings,
            self.connections,
            environ=self.environ,
            rng=self._rng,
            budgets=chair.budgets,
            caller=chair.power,
        )
        return ModelPlayer(model, Seat.of(chair.settings, chair.prompts), chair.replies)


def is_model(player: str) -> bool:
    """True for the spec of a language model."""
    return ":" in player
