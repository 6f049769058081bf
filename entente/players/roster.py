"""The scripted players by the names that settings use."""

import re
from collections.abc import Callable, Mapping
from difflib import get_close_matches

from entente.errors import SettingsError
from entente.players.protocol import Player
from entente.players.scripted.dumbbot import DumbBotPlayer
from entente.players.scripted.hold import HoldPlayer
from entente.players.scripted.random_legal import RandomPlayer

HUMAN = "human"
"""The spec of a seat that a person plays: no player stands behind it, the game asks and waits."""

_SILENT: Mapping[str, Callable[[], Player]] = {
    "hold": HoldPlayer,
    "random": RandomPlayer,
    "dumbbot": DumbBotPlayer,
}

SCRIPTED: tuple[str, ...] = (*_SILENT,)
"""Every scripted player's name, silent ones first."""

_SPEC = re.compile(r"\s*([a-z-]+)\s*(?:\(([^()]*)\))?\s*")


def make_player(spec: str) -> Player:
    """The player that a spec names: `dumbbot`, `diplomat(honesty=0.5, chattiness=2)`; raises SettingsError."""
    match = _SPEC.fullmatch(spec.lower())
    name = match[1] if match else spec
    if match is None or name not in SCRIPTED:
        raise SettingsError(_unknown(spec, name))
    if match[2]:
        raise SettingsError(f"{name} has no knobs and {match[2]!r} came; no player was made.")
    return _SILENT[name]()


def _unknown(spec: str, name: str) -> str:
    near = get_close_matches(name.lower(), SCRIPTED, n=1)
    hint = f" (did you mean {near[0]}?)" if near else ""
    return f"A player of {', '.join(SCRIPTED)} was wanted and {spec!r} came{hint}; no player was made."
