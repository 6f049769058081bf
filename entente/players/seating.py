"""Who sits down for a spec: a scripted player by its name, a language model as `PROVIDER:MODEL`."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from random import Random

from entente.models.client import Connections, open_model
from entente.models.settings import ModelSettings
from entente.models.spec import ModelSpec
from entente.players import roster
from entente.players.protocol import Player


@dataclass(frozen=True)
class Seating:
    """Makes players, and remembers them: equal specs share one, since players hold nothing between turns."""

    connections: Connections
    environ: Mapping[str, str]
    """Where the keys of providers are looked up, by the names of their variables."""
    _seated: dict[str, Player] = field(default_factory=dict[str, Player])

    def __call__(self, spec: str) -> Player:
        """The player; raises SettingsError, and AuthenticationFailed for a provider whose key is missing."""
        if spec not in self._seated:
            self._seated[spec] = self._model(spec) if ":" in spec else roster.make_player(spec)
        return self._seated[spec]

    def _model(self, spec: str) -> Player:
        # Seven scripted seats must not pay for loading what only models need.
        from entente.players.model.player import ModelPlayer

        model = open_model(
            ModelSpec.parse(spec),
            ModelSettings(),
            self.connections,
            environ=self.environ,
            rng=Random(),  # jitter between retries: it decides nothing in the game
        )
        return ModelPlayer(model)
