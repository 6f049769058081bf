"""Who may be written to, and who may read what: the only place where either is decided."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

from entente.board.types import Power
from entente.display import displayable
from entente.errors import PressError
from entente.press.messages import BROADCAST, Message


@dataclass(frozen=True, slots=True)
class Delayed:
    """The public some time later: it reads all press, and is told nothing of the latest phases of a game in play."""

    phases: int
    """How many, from 1, the one in play among them."""


Reader: TypeAlias = Power | Literal["PUBLIC", "OPERATOR"] | Delayed
"""A power; PUBLIC, who reads broadcasts alone; Delayed; or OPERATOR, who runs the game and reads all of it."""

MAX_MESSAGE_CHARS = 4000
"""A message is cut off by refusal, not by truncation: half a sentence can say the opposite."""

_TO_ALL = {BROADCAST, "ALL", "EVERYBODY", "EVERYONE", "GLOBAL", "PUBLIC"}


def address(recipient: str, *, sender: Power, reachable: Sequence[Power], to_all: str = BROADCAST) -> Power:
    """The power, or BROADCAST, that is meant; raises PressError rather than guess.

    A private message to a misspelt power must never reach anybody else, so only case and blanks are forgiven.
    `to_all` is what the sender was told to write for a message to everybody.
    """
    name = recipient.strip().upper()
    if name in _TO_ALL:
        return BROADCAST
    if name == sender:
        raise PressError(f"{sender} wrote to itself; the message was not delivered.")
    if name not in reachable:
        raise PressError(
            f"A recipient of {', '.join(reachable) or 'nobody'} or {to_all} was wanted and "
            f"{recipient[:40]!r} came; the message was delivered to nobody."
        )
    return name


def check_content(content: str) -> str:
    """The words as they will be delivered, displayable; raises PressError when there are none or far too many."""
    text = displayable(content).strip()
    if not text:
        raise PressError("A message without words came; it was not delivered.")
    if len(text) > MAX_MESSAGE_CHARS:
        raise PressError(
            f"A message may have {MAX_MESSAGE_CHARS} characters and one of {len(text)} came; it was not delivered."
        )
    return text


def may_read(reader: Reader, message: Message) -> bool:
    """True when the message is public, or the reader's own, or to the reader, or the reader reads all press.

    When the reader may read it is another matter: `entente.players.projection` says.
    """
    return (
        reader == "OPERATOR"
        or isinstance(reader, Delayed)
        or message.recipient == BROADCAST
        or reader in (message.sender, message.recipient)
    )


def readable(reader: Reader, messages: Iterable[Message]) -> tuple[Message, ...]:
    """Those of the messages that the reader may read, in their order."""
    return tuple(message for message in messages if may_read(reader, message))


def inbox(power: Power, messages: Iterable[Message], *, before_round: int | None) -> tuple[Message, ...]:
    """What others have sent to the power, or to all, in rounds before `before_round`; None: in all rounds."""
    return tuple(
        message
        for message in readable(power, messages)
        if message.sender != power and (before_round is None or message.round < before_round)
    )
