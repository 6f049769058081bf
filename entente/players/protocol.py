"""The seam behind which everybody who decides for a power stands."""

from collections.abc import Sequence
from typing import Protocol

from entente.players.actions import Action
from entente.players.bundle import Bundle


class Player(Protocol):
    """Decides for one power.

    A player holds nothing between turns: what it wants to remember it puts into its memory by
    UpdateMemory, so that a game can be killed and resumed at any moment. The same bundle gives
    the same actions.
    """

    async def take_turn(self, bundle: Bundle, /) -> Sequence[Action]:
        """The power's actions for this turn, in order.

        When `bundle.wants_orders`, messages are refused; otherwise orders are. Units left without
        an order hold, and that is recorded as a default. Raises PlayerError when it cannot decide.
        """
        ...
