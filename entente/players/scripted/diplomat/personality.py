"""What makes one talking player unlike another."""

from collections.abc import Mapping
from dataclasses import dataclass, replace

from entente.errors import SettingsError


@dataclass(frozen=True, slots=True)
class Personality:
    """The knobs, each from 0 to 1 unless it says otherwise."""

    honesty: float = 0.5
    """How much it tells of its own orders: 0 nothing; below 1 harmless ones, to friends, that often; 1 all of them."""
    loyalty: float = 0.8
    """How often it lets a chance to stab a friend go by; at 1 its word also never lapses."""
    forgiveness: float = 0.5
    """How much of an old stance is forgotten in each movement phase."""
    chattiness: int = 3
    """The most messages with which it opens a phase, 0 to 3; answers come on top."""
    appetite: float = 0.1
    """The share of its plan's worth that it gives up for an agreement; at 1 it takes every one it can keep."""
    is_mirror: bool = False
    """True when it spares whoever did it no harm in the last movement phase, agreed or not."""
    tells_everybody: bool = False
    """True when it tells all its orders to every power, friend or not."""


KNOBS = ("honesty", "loyalty", "forgiveness", "chattiness", "appetite")
"""What a seat's spec may set."""

CHARACTERS: Mapping[str, Personality] = {
    "diplomat": Personality(),
    "transparent": Personality(honesty=1.0, tells_everybody=True),
    "honest-joe": Personality(loyalty=1.0, appetite=1.0),
    "mac-the-knife": Personality(loyalty=0.0, appetite=1.0),
    "tit-for-tat": Personality(loyalty=1.0, forgiveness=1.0, is_mirror=True),
}


def adjusted(character: str, knobs: str) -> Personality:
    """The character with knobs set as in `honesty=0.5, chattiness=2`; raises SettingsError."""
    personality = CHARACTERS[character]
    for setting in filter(None, (part.strip() for part in knobs.split(","))):
        name, _, text = setting.partition("=")
        personality = _set(personality, name.strip(), text.strip())
    return personality


def _set(personality: Personality, name: str, text: str) -> Personality:
    most = 3 if name == "chattiness" else 1
    try:
        value = int(text) if name == "chattiness" else float(text)
    except ValueError:
        value = -1
    if name not in KNOBS or not 0 <= value <= most:
        raise SettingsError(
            f"A knob of {', '.join(KNOBS)} was wanted, from 0 to 1 (chattiness 0 to 3), and {name}={text} came; "
            "no player was made."
        )
    return replace(personality, **{name: value})
