"""How much is said of a game while it is played."""

from enum import Enum


class Talk(Enum):
    """What is said on stderr."""

    NONE = 0
    """Nothing, until it ends or asks somebody."""
    USUAL = 1
    """Where it stands: a table that moves, or a line for each phase."""
    ALL = 2
    """A line for each event."""
