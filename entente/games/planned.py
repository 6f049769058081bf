"""Games that are planned before they are played: their ids say what is played, so that no game is played twice."""

import json
from contextlib import suppress
from hashlib import blake2b
from pathlib import Path
from typing import NamedTuple

from pydantic import JsonValue

from checkpoints.store import Store
from entente.board.engine import load_geography
from entente.board.types import Power
from entente.errors import GameOver, UnknownGame
from entente.floors.reaches import seat_settings
from entente.games.runner import GameMaster
from entente.games.standing import RunEnd, standing_of
from entente.models.settings import HOW_REACHED
from entente.players.seating import SeatKind, kind_of, spelled
from graph.context import GameSettings
from prompts import open_set

_DIGEST_BYTES = 12
_OF_SEATS = {"seats", "everyone", "models", "seat_models", "prompts"}


class PlannedGame(NamedTuple):
    """A game that is to be played, once."""

    id: str
    settings: GameSettings


def planned(kind: str, settings: GameSettings, version: str = "") -> PlannedGame:
    """The game with an id that begins with `kind`.

    Games that are played alike have the same id, wherever their texts lie and however their models are reached.
    `version` is that of the program that plays, where games of two of them must not be mixed.
    """
    whole = {
        **({"version": version} if version else {}),
        "game": settings.model_dump(mode="json", exclude=_OF_SEATS),
        "seats": {power: _seat(settings, power) for power in load_geography(settings.map_name).powers},
    }
    digest = blake2b(json.dumps(whole, sort_keys=True).encode(), digest_size=_DIGEST_BYTES)
    return PlannedGame(f"{kind}-{digest.hexdigest()}", settings)


async def is_over(store: Store, game: PlannedGame) -> bool:
    """True when the store has the game, and it is over."""
    try:
        is_listed = (await store.library.glance(game.id)).status == RunEnd.FINISHED
    except UnknownGame:
        return False
    # One that was killed in its last step may stand in the list as finished, and has to take that step again.
    return is_listed and (await standing_of(store, game.id)).end is RunEnd.FINISHED


async def open_planned(store: Store, master: GameMaster, game: PlannedGame) -> None:
    """Begin the game; one that the store has goes on with its models called as the plan says now.

    Raises SettingsError, UntrustedGame, GameHeld.
    """
    try:
        await store.library.summary(game.id)
    except UnknownGame:
        await master.begin(game.settings, game.id)
        return
    settings = game.settings
    # One that has just ended may still stand in the list as being played, or be ended by another process.
    with suppress(GameOver):
        await master.change(game.id, settings.models, settings.seat_models, settings.on_failure)


def _seat(settings: GameSettings, power: Power) -> dict[str, JsonValue]:
    """Who plays, and of a language model what it is asked and with which texts."""
    player = spelled(settings.seat(power))
    if kind_of(player) is not SeatKind.MODEL:
        return {"player": player}
    seat = seat_settings(settings, power)
    folder = Path(settings.prompts) if settings.prompts else None
    return {
        "player": player,
        "settings": seat.model_dump(mode="json", exclude=set(HOW_REACHED)),
        "texts": dict(open_set(folder, short=seat.prompts == "short").texts),
    }
