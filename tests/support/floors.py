"""Settings of short games on any floor."""

from collections.abc import Mapping

from graph.context import GameSettings


def settings_for(defaults: Mapping[str, object], given: Mapping[str, object]) -> GameSettings:
    """The given settings over the defaults; of these, rounds of press only where the floor has any."""
    values = {**defaults, **given}
    if values.get("floor", "rounds") != "rounds" and "rounds" not in given:
        values.pop("rounds", None)
    return GameSettings.model_validate(values)
