"""A key belongs to the address that it was given for, and is sent to no other, whoever names that later."""

from collections.abc import Iterator, Mapping

from pydantic import JsonValue

from entente.board.types import Power
from entente.errors import SettingsError
from entente.floors.reaches import seat_settings
from entente.models.spec import PROVIDERS, ModelSpec, origin_of
from entente.players.seating import SeatKind, kind_of
from graph.context import GameSettings

_KEY = "key_variable"


def bound(settings: GameSettings) -> GameSettings:
    """The settings, every seat known, with each key noted as `NAME@ADDRESS`; raises SettingsError.

    A key that is noted so already stays as it is. One that no seat uses yet waits for the first that does.
    """
    seats = {
        power: {**values, **_noted(values, {_origin(settings, power)}, ("seat_models", power))}
        for power, values in settings.seat_models.items()
    }
    shared = {_origin(settings, power) for power in settings.seats if _KEY not in seats.get(power, {})}
    models = {**settings.models, **_noted(settings.models, shared, ("models",))}
    told = _noted(settings.crew_model, {_crews_origin(settings)}, ("crew_model",))
    crew_model = {**settings.crew_model, **told}
    return settings.model_copy(update={"models": models, "seat_models": seats, "crew_model": crew_model})


def unsent(settings: GameSettings) -> Iterator[str]:
    """Who is not sent the key that is set for them, since it was given for another address; a sentence each."""
    for power in settings.seats:
        name, _, address = (seat_settings(settings, power).key_variable or "").partition("@")
        asked = _origin(settings, power)
        if address and asked and origin_of(address) != asked:
            yield (
                f"The key in {name} was given for {address} and is not sent to {asked}, where {power} is asked. "
                f"Give another as {power}.{_KEY}=NAME."
            )
    name, _, address = str(settings.crew_model.get(_KEY) or "").partition("@")
    asked = _crews_origin(settings)
    if address and asked and origin_of(address) != asked:
        yield (
            f"The key in {name} was given for {address} and is not sent to {asked}, where the crew is asked. "
            f"Give another as crew_model.{_KEY}."
        )


def _noted(
    values: Mapping[str, JsonValue], origins: set[str], place: tuple[str, ...]
) -> Mapping[str, JsonValue]:
    name, asked = values.get(_KEY), sorted(origins - {""})
    if not isinstance(name, str) or "@" in name or not asked:
        return {}
    if len(asked) > 1:
        raise SettingsError(
            f"One address was wanted for the key in {name}, and models are asked at {' and '.join(asked)}; "
            f"give it as {_KEY}={name}@ADDRESS, or for each seat as POWER.{_KEY}={name}. Nothing was done.",
            setting=(*place, _KEY),
        )
    return {_KEY: f"{name}@{asked[0]}"}


def _origin(settings: GameSettings, power: Power) -> str:
    """Where the power's model is asked; empty for a seat of no model, or of one that cannot be read."""
    player = settings.seat(power)
    if kind_of(player) is not SeatKind.MODEL:
        return ""
    return _asked_at(player, {**settings.models, **settings.seat_models.get(power, {})})


def _crews_origin(settings: GameSettings) -> str:
    """Where the crew's model is asked; empty for a crew without one."""
    return _asked_at(settings.crew, settings.crew_model) if settings.crew else ""


def _asked_at(model: str, values: Mapping[str, JsonValue]) -> str:
    try:
        spec = ModelSpec.parse(model)
    except SettingsError:  # of no model, or told of where it is opened
        return ""
    return origin_of(str(spec.base_url or values.get("base_url") or PROVIDERS[spec.provider].address))
