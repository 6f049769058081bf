"""Lines of text for people: press and events, each beginning where only we can begin a line.

A message whose second line could begin at the margin could pretend to be somebody else's. So we break the lines of a
terminal ourselves, and whatever does not begin a line of ours has a mark before it.
"""

import re
from collections.abc import Sequence
from datetime import UTC, datetime

from entente.board.types import Power
from entente.cli.rows import rows_of
from entente.display import displayable
from entente.events import Event
from entente.games.waited_for import Waited
from entente.players.roster import HUMAN
from entente.press.messages import Message

_MARK = "    | "
"""What further lines of a text begin with."""
_BLANKS = re.compile(" {2,}")
_MOMENT_WIDTH = len("S1901M.orders.AUSTRIA")
_CLOCK_WIDTH = len("2026-03-01 14:35:10")


def message_line(
    message: Message, moment: str, at: float | None = None, *, columns: int | None = None
) -> str:
    """`2026-03-01 14:35:10 S1901M.1 FRANCE to all: …`, by the moment at which it was sent.

    The time is left out where none is known. `columns` is how wide the terminal is; None: no line is broken.
    """
    clock = "" if at is None else f"{clock_text(at)} "
    return marked_line(f"{clock}{moment} {message.sender} to {message.to}: ", message.content, columns)


def event_line(event: Event, *, columns: int | None = None) -> str:
    """`2026-03-01 14:35:10 S1901M.1.FRANCE       notice   FRANCE: …`; blanks stand for a time that is not known.

    `columns` is how wide the terminal is; None: no line is broken.
    """
    clock = "" if event.at is None else clock_text(event.at)
    head = f"{clock:<{_CLOCK_WIDTH}} {event.moment:<{_MOMENT_WIDTH}} {event.kind.value:<8} "
    return marked_line(head, event.text, columns)


def marked_line(head: str, text: str, columns: int | None) -> str:
    """The text behind a head of ours, its runs of blanks collapsed and all rows but the first behind a mark."""
    first, *others = _BLANKS.sub(" ", displayable(text)).split("\n")
    rows = [row for line in (head + first, *others) for row in _rows(line, columns)]
    return f"\n{_MARK}".join(rows)


def stand_in_line(power: Power, player: str, name: str) -> str:
    """`FRANCE: dumbbot stands in for openai:gpt-5-mini, …`, and why; the operator reads it."""
    if player == HUMAN:
        return f"{power}: {name} stands in for a person who is away."
    return f"{power}: {name} stands in for {player}, which cannot be called at the moment."


def waited_text(waited: Sequence[Waited], now: float) -> str:
    """`FRANCE (openai:gpt-5-mini, 2 min 10 s) and ITALY (bots:Scout, 3 s)`, of at least one seat.

    `now` is in seconds since 1970, UTC.
    """
    seats = [f"{power} ({displayable(player)}, {_duration(now - since)})" for power, player, since in waited]
    return seats[0] if len(seats) == 1 else f"{', '.join(seats[:-1])} and {seats[-1]}"


def _duration(seconds: float) -> str:
    """`3 s`, `2 min 10 s`, `1 h 5 min`."""
    whole = max(0, round(seconds))
    minutes, hours = whole // 60, whole // 3600
    if hours:
        return f"{hours} h {minutes % 60} min"
    return f"{minutes} min {whole % 60} s" if minutes else f"{whole} s"


def clock_text(moment: float) -> str:
    """`2026-03-01 14:35:10`, by the clock of this place; the moment is in seconds since 1970, UTC."""
    return datetime.fromtimestamp(moment, UTC).astimezone().strftime("%Y-%m-%d %H:%M:%S")


def _rows(line: str, columns: int | None) -> list[str]:
    """The line broken between its words, so that the mark has room before each row."""
    if columns is None:
        return [line]
    return rows_of(line, max(1, columns - len(_MARK)))
