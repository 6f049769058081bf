"""The scripted players by the names that settings use."""

import re
from collections.abc import Callable, Iterable, Mapping
from difflib import get_close_matches

from entente.errors import SettingsError
from entente.players.protocol import Player
from entente.players.scripted.diplomat.personality import CHARACTERS, adjusted
from entente.players.scripted.diplomat.player import DiplomatPlayer
from entente.players.scripted.dumbbot import DumbBotPlayer
from entente.players.scripted.hold import HoldPlayer
from entente.players.scripted.pushover import PushoverPlayer
from entente.players.scripted.random_legal import RandomPlayer
from entente.players.scripted.tactician import TacticianPlayer
from entente.validation import discreet

HUMAN = "human"
"""The spec of a seat that a person plays: no player stands behind it, the game asks and waits."""

_PLAIN: Mapping[str, Callable[[], Player]] = {
    "hold": HoldPlayer,
    "random": RandomPlayer,
    "dumbbot": DumbBotPlayer,
    "tactician": TacticianPlayer,
    "pushover": PushoverPlayer,
}

SCRIPTED: tuple[str, ...] = (*_PLAIN, *CHARACTERS)
"""Every scripted player's name, those without knobs first."""

_SPEC = re.compile(r"\s*([a-z-]+)\s*(?:\(([^()]*)\))?\s*")


def is_scripted(spec: str) -> bool:
    """True when the spec names a scripted player, whether or not its knobs can be used."""
    return spec.partition("(")[0].strip().lower() in SCRIPTED


def make_player(spec: str) -> Player:
    """The player that a spec names: `dumbbot`, `diplomat(honesty=0.5, chattiness=2)`; raises SettingsError."""
    match = _SPEC.fullmatch(spec.lower())
    name = match[1] if match else spec
    if match is None or name not in SCRIPTED:
        raise SettingsError(unknown(spec))
    knobs = match[2] or ""
    if name in CHARACTERS:
        return DiplomatPlayer(adjusted(name, knobs))
    if knobs:
        raise SettingsError(f"{name} has no knobs and {knobs!r} came; no player was made.")
    return _PLAIN[name]()


def has_knobs(spec: str) -> bool:
    """True when the spec names a scripted player whose character can be set."""
    return spec.partition("(")[0].strip().lower() in CHARACTERS


def with_knobs(spec: str, knobs: Mapping[str, float]) -> str:
    """The spec with these knobs beneath those that it sets itself; as it came where it names nobody who has any."""
    match = _SPEC.fullmatch(spec.lower())
    if match is None or match[1] not in CHARACTERS:
        return spec
    settings = [f"{name}={value:g}" for name, value in knobs.items()]
    return f"{match[1]}({', '.join([*settings, *filter(None, [match[2]])])})"


_PROVIDER_OF = {"gpt-": "openai", "claude-": "anthropic", "gemini-": "google_genai"}
"""Whose models' names begin so, for the hint to who left the provider out."""


def unknown(spec: str, installed: Iterable[str] = ()) -> str:
    """A sentence that says who can be seated, and who may have been meant; `installed` are others' programs."""
    known = (HUMAN, *SCRIPTED, *installed)
    near = get_close_matches(spec.partition("(")[0].strip().lower(), known, n=1)
    provider = next(
        (of for model, of in _PROVIDER_OF.items() if spec.strip().lower().startswith(model)), None
    )
    meant = f"{provider}:{spec.strip()}" if provider else near[0] if near else ""
    hint = f" (did you mean {discreet(meant)}?)" if meant else ""
    return (
        f"A player of {', '.join(known)}, a model as PROVIDER:MODEL or a program as MODULE:CLASS was wanted and "
        f"{discreet(spec)!r} came{hint}; no player was made. "
        "A player of your own has to be given again in each process."
    )
