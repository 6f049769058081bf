"""What a game uses beyond itself, in words for who confirms it: models, addresses, keys, programs and folders."""

from collections.abc import Sequence

from entente.board.types import Power
from entente.display import in_one_line
from entente.errors import SettingsError
from entente.models.settings import ModelSettings
from entente.models.spec import ModelSpec
from entente.players.model.settings import SeatSettings
from entente.players.seating import SeatKind, kind_of
from graph.context import SCRIPTED_CREW, GameSettings

BUDGETS = ("budget_usd", "budget_tokens")
"""Model settings that seats do not inherit: the game's is for the whole game, a seat's for itself."""

_DEFAULTS = SeatSettings()
"""Made once: every step of a game asks for seven of them."""


def seat_settings(settings: GameSettings, power: Power) -> SeatSettings:
    """How the power's language model is called and what it is shown: its own settings over the game's.

    Its leader is its persona, before that of all models.
    """
    shared = {name: value for name, value in settings.models.items() if name not in BUDGETS}
    leader = settings.leader(power)
    led = {"persona": leader.persona} if leader else {}
    changes = {**shared, **led, **settings.seat_models.get(power, {})}
    return _DEFAULTS.over(changes) if changes else _DEFAULTS


def reaches(settings: GameSettings, powers: Sequence[Power]) -> list[str]:
    """What these powers' seats use beyond the game, a line for each; empty where people and scripted players sit."""
    users: dict[str, list[Power]] = {}
    for power in powers:
        if used := _used_by(settings, power):
            users.setdefault(used, []).append(power)
    lines = [f"{', '.join(seats)}: {used}" for used, seats in users.items()]
    if settings.crew and settings.crew != SCRIPTED_CREW:
        lines.append(f"the crew: {_model(settings.crew, ModelSettings().over(settings.crew_model))}")
    if settings.prompts:
        lines.append(f"prompts of the folder {in_one_line(settings.prompts)}")
    return lines


def _used_by(settings: GameSettings, power: Power) -> str:
    player = settings.seat(power)
    match kind_of(player):
        case SeatKind.MODEL:
            return _model(player, seat_settings(settings, power))
        case SeatKind.PROGRAM:
            return f"the program {player}, whose code is run"
        case _:
            return ""


def _model(spec: str, chosen: ModelSettings) -> str:
    place = f" at {chosen.base_url}" if chosen.base_url and not _has_address(spec) else ""
    key = f" with the key in {chosen.key_variable}" if chosen.key_variable else ""
    return f"the model {spec}{place}{key}"


def _has_address(player: str) -> bool:
    try:
        return ModelSpec.parse(player).base_url is not None
    except SettingsError:
        return False
