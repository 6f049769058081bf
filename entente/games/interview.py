"""Interviews: a seat's language model is asked a question at any moment of a game, which is not changed by it."""

from checkpoints.store import Store
from entente.errors import SettingsError
from entente.games.seat_at import seat_at
from entente.models.wire import ModelReply
from entente.players.model.interview import ask
from entente.players.model.player import ModelPlayer
from entente.players.seating import PlayerFactory, SeatKind


async def interview(
    store: Store, make_player: PlayerFactory, game: str, power_name: str, question: str, at: str | None = None
) -> ModelReply:
    """The seat's answer, as it stood before the round or the orders at that moment; now when `at` is None.

    Nothing is written. Raises what `seat_at` raises, ModelError, and SettingsError for a seat that no language model
    plays.
    """
    bundle, chair = await seat_at(store, game, power_name, at)
    player = make_player(chair) if chair.kind is SeatKind.MODEL else None
    if not isinstance(player, ModelPlayer):
        raise SettingsError(
            f"A seat of a language model was wanted and {bundle.power} is played by {chair.player}; nothing was asked."
        )
    return await ask(player, bundle, question)
