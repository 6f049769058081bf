"""The seam behind which everybody who decides for a power stands."""

from collections.abc import Sequence
from typing import NamedTuple, Protocol, runtime_checkable

from entente.models.wire import CallUsage, RawReply
from entente.players.actions import Action
from entente.players.bundle import Bundle, Fold


class Reply(NamedTuple):
    """What a player did in a turn, and what that cost."""

    actions: Sequence[Action] = ()
    calls: tuple[CallUsage, ...] = ()
    """Calls of language models that were made for it."""
    replies: tuple[RawReply, ...] = ()
    """What came of each of them, word for word, for the operator."""
    unread: tuple[str, ...] = ()
    """What was said and is no action, and what was left out of those that are: a sentence each, for the record."""
    mended: tuple[str, ...] = ()
    """What could not be taken of a model's first reply and its second one mended: a sentence each, for the record."""
    cut: tuple[str, ...] = ()
    """What was too long and was cut, of what was said or of what was shown: a sentence each, for the record."""
    thinking: str = ""
    """What a model wrote before its calls, for its seat and the operator alone."""
    suggested: tuple[tuple[str, ...], ...] = ()
    """Whole sets of canonical orders that a search has suggested to it, for the record."""


@runtime_checkable
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


@runtime_checkable
class Diarist(Protocol):
    """A player that keeps a diary: the past year in its own words, folded once a year and shown at every turn."""

    async def keep_diary(self, fold: Fold, /) -> Reply:
        """The diary folded anew, as an update of the memory's `diary`; other updates may stand beside it."""
        ...
