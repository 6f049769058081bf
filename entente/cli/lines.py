"""Lines of text for people: press and events, each beginning where only we can begin a line."""

from datetime import UTC, datetime

from entente.board.types import Power
from entente.events import Event
from entente.press.messages import BROADCAST, Message

_INDENT = "\n    "
_MOMENT_WIDTH = len("S1901M.orders.AUSTRIA")
_CLOCK_WIDTH = len("2026-03-01 14:35:10")


def message_line(message: Message, moment: str, at: float | None = None) -> str:
    """`2026-03-01 14:35:10 S1901M.1 FRANCE to all: …`, by the moment at which it was sent; further lines are indented.

    The time is left out where none is known.

    A message whose second line could begin at the margin could pretend to be somebody else's.
    """
    to = "all" if message.recipient == BROADCAST else message.recipient
    clock = "" if at is None else f"{clock_text(at)} "
    return f"{clock}{moment} {message.sender} to {to}: {indented(message.content)}"


def event_line(event: Event) -> str:
    """`2026-03-01 14:35:10 S1901M.1.FRANCE       notice   FRANCE: …`; further lines are indented.

    Blanks stand for a time that is not known.
    """
    clock = "" if event.at is None else clock_text(event.at)
    return f"{clock:<{_CLOCK_WIDTH}} {event.moment:<{_MOMENT_WIDTH}} {event.kind.value:<8} {indented(event.text)}"


def stand_in_line(power: Power, player: str, name: str) -> str:
    """`FRANCE: dumbbot stands in for openai:gpt-5-mini, …`, where that cannot be called."""
    return f"{power}: {name} stands in for {player}, which cannot be called at the moment."


def clock_text(moment: float) -> str:
    """`2026-03-01 14:35:10`, by the clock of this place; the moment is in seconds since 1970, UTC."""
    return datetime.fromtimestamp(moment, UTC).astimezone().strftime("%Y-%m-%d %H:%M:%S")


def indented(text: str) -> str:
    """The text with all its lines but the first moved to the right."""
    return _INDENT.join(text.splitlines())
