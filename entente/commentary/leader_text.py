"""Leaders as texts: the YAML of the files that their interview writes."""

# PyYAML's stubs leave open what a stream may be, and what a token is.
# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false

from collections.abc import Iterable
from typing import Any

from entente.commentary.leader import Leader, parse_leader
from entente.errors import SettingsError


def leader_in(text: str, name: str) -> Leader:
    """The leader of a text; raises SettingsError, which names the text so."""
    import yaml  # only where there is one

    try:
        # A few bytes that name each other may stand for more than any memory holds.
        if any(isinstance(token, yaml.AliasToken) for token in yaml.scan(text)):
            raise ValueError("a part of it stands for another")
        values = yaml.safe_load(text)
    except (ValueError, RecursionError, yaml.YAMLError) as error:
        problem = getattr(error, "problem", None) or error
        told = "it is nested too deeply" if isinstance(error, RecursionError) else problem
        raise unreadable(name, told) from error
    try:
        return parse_leader(values)
    except SettingsError as error:
        raise SettingsError(f"{name}: {error}") from error


def unreadable(name: str, why: object) -> SettingsError:
    """What is no leader's text."""
    return SettingsError(
        f"{name}: A leader as `entente create-leader` writes one was wanted and cannot be read ({why}); "
        "nobody was seated."
    )


def by_power(named: Iterable[tuple[str, Leader]]) -> dict[str, dict[str, Any]]:
    """The leaders as settings, by power; raises SettingsError, with the name of the second leader of one power."""
    leaders: dict[str, dict[str, Any]] = {}
    for name, leader in named:
        if leader.power in leaders:
            raise SettingsError(f"{name}: {leader.power} has a leader already; no game was started.")
        leaders[leader.power] = leader.model_dump(mode="json")
    return leaders
