"""The seam behind which everybody who decides for a power stands."""

from collections.abc import Sequence
from typing import NamedTuple, Protocol

from entente.models.wire import CallUsage
from entente.players.actions import Action
from entente.players.bundle import Bundle


class Reply(NamedTuple):
    """What a player did in a turn, and what that cost."""

    actions: Sequence[Action] = ()
    calls: tuple[CallUsage, ...] = ()
    """Calls of language models that were made for it."""
    unread: tuple[str, ...] = ()
    """What was said and is no action, and what was cut of those that are: a sentence each, for the record."""


class Player(Protocol):
    """Decides for one power.

    A player holds nothing between turns: what it wants to remember it puts into its memory by
    UpdateMemory, so that a game can be killed and resumed at any moment. The same bundle gives
    the same actions.
    """

    async def take_turn(self, bundle: Bundle, /) -> Reply:
        """The power's actions for this turn, in order.

        When `bundle.wants_orders`, messages are refused; otherwise orders are. Units left without
        an order hold, and that is recorded as a default. Raises PlayerError when it cannot decide.
        """
        ...
