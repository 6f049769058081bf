"""Text and tables for eyes: answers go to stdout, all talk to stderr, broken between words on a terminal."""

import asyncio
import logging
import os
import re
import stat
import sys
from collections.abc import AsyncGenerator, Generator, Sequence
from contextlib import asynccontextmanager, contextmanager
from functools import lru_cache
from typing import Any, Protocol

from rich.box import SIMPLE_HEAD
from rich.console import Console, RenderableType
from rich.table import Table
from rich.text import Text

from entente.cli.printing import PIPE_CLOSED, echo
from entente.cli.rows import rows_of
from entente.display import displayable

_STDOUT = 1
_CLEARED = "\x1b[H\x1b[2J\x1b[3J"
"""The cursor to the top, the screen cleared, then what was scrolled out of it: xterm's words, which others know."""
_LEAD = re.compile(" *(?:- )?")
"""What the further rows of a line stand behind as well: blanks, and the mark of a list."""
_LEAST_ROOM = 24
"""Columns for a text behind its head."""
_WHOLE = 10_000
"""Columns of what is no terminal: programs read whole lines."""


def can_ask() -> bool:
    """True when somebody sits at this terminal."""
    return sys.stdin.isatty() and sys.stderr.isatty()


class PlainConsole(Console):
    """A console that shows words as they are, uncoloured, and ends the program when nobody reads it any more.

    Brackets are no markup: they are in models' names and in what players write.
    """

    def __init__(self, *, stderr: bool = False) -> None:
        super().__init__(stderr=stderr, highlight=False, markup=False, emoji=False)

    def render_str(self, text: str, **options: Any) -> Text:
        """Every text that is printed, or put into a table as a cell, comes through here."""
        return super().render_str(displayable(text), **options)

    def on_broken_pipe(self) -> None:
        """End at once, whatever runs: SystemExit passes through every task of a game, which can be resumed."""
        raise SystemExit(PIPE_CLOSED)


@lru_cache(maxsize=1)
def talk_console() -> PlainConsole:
    """The one console on stderr: only through it does what is said stand above a board that moves."""
    return PlainConsole(stderr=True)


def tell(text: str, *, whole: bool = False) -> None:
    """Say what was asked for, on stdout; `whole` leaves a path that is to be copied in one line."""
    _print(text, PlainConsole(), whole=whole)


def say(text: str, *, whole: bool = False) -> None:
    """Say something about it, on stderr; `whole` leaves a command that is to be copied in one line."""
    _print(text, talk_console(), whole=whole)


def ring(text: str) -> None:
    """Say something with the terminal's bell."""
    talk_console().bell()
    say(text)


def clear() -> None:
    """Clear the terminal, and what could be scrolled back to."""
    console = talk_console()
    console.file.write(_CLEARED)
    console.file.flush()


def columns_to_tell() -> int | None:
    """How wide the terminal is that stdout shows on; None where it is none."""
    return _columns(PlainConsole())


def columns_to_say() -> int | None:
    """The same of stderr."""
    return _columns(talk_console())


def hanging(head: str, text: str, columns: int | None) -> str:
    """The text behind its head, further rows below its first one; `columns` is how wide the terminal is, None: one row.

    Where the head leaves too little room, the rows begin a little further in than it does.
    """
    lead = len(head)
    if columns is None:
        return head + text
    if columns - lead < _LEAST_ROOM:
        lead = len(head) - len(head.lstrip()) + 2
        head, text = head[:lead], head[lead:] + text
    first, *others = rows_of(text, max(1, columns - lead))
    return "\n".join([head + first, *(" " * lead + row for row in others)])


def _columns(console: PlainConsole) -> int | None:
    return console.width if console.is_terminal else None


@contextmanager
def warnings_said() -> Generator[None]:
    """Say what the program warns of, until the block ends."""
    logs, talk = [logging.getLogger(package) for package in ("entente", "checkpoints")], _Talk()
    for log in logs:
        log.addHandler(talk)
    try:
        yield
    finally:
        for log in logs:
            log.removeHandler(talk)


class _Talk(logging.Handler):
    def emit(self, record: logging.LogRecord) -> None:
        say(record.getMessage())


@asynccontextmanager
async def ended_with_its_reader() -> AsyncGenerator[None]:
    """End the body with BrokenPipeError when nobody reads stdout any more, even while nothing is written to it."""
    if not _is_pipe(_STDOUT):
        yield
        return
    loop, task, has_left = asyncio.get_running_loop(), asyncio.current_task(), False

    def leave() -> None:
        nonlocal has_left
        has_left = True
        loop.remove_reader(_STDOUT)
        if task is not None:
            task.cancel()

    # Nothing can ever be read from a pipe's end for writing; it is told of only when its other end is closed.
    loop.add_reader(_STDOUT, leave)
    try:
        yield
    except asyncio.CancelledError:
        if has_left:
            raise BrokenPipeError from None
        raise
    finally:
        loop.remove_reader(_STDOUT)


def _is_pipe(descriptor: int) -> bool:
    try:
        return stat.S_ISFIFO(os.fstat(descriptor).st_mode)
    except OSError:  # closed
        return False


class Costs(Protocol):
    """What calls have cost together, however they were counted."""

    @property
    def cost_usd(self) -> float | None:
        """Of the calls whose price is known; None when that is none of them."""
        ...

    @property
    def unpriced_calls(self) -> int:
        """Calls whose price is not known."""
        ...


class HasTokens(Protocol):
    """Calls whose tokens were counted together."""

    @property
    def tokens(self) -> int:
        """Prompt and completion."""
        ...


def cost_text(summary: Costs) -> str:
    """`$0.0410`; `unknown` where no price is known, and `and more` where some are not."""
    if summary.cost_usd is None:
        return "unknown"
    return f"${summary.cost_usd:.4f}" + (" and more" if summary.unpriced_calls else "")


def tokens_text(tally: HasTokens) -> str:
    """Tokens in thousands, `12.3k`."""
    return f"{tally.tokens / 1000:.1f}k"


def plain_table() -> Table:
    """An empty table with nothing but a line below its head."""
    return Table(box=SIMPLE_HEAD, show_edge=False, pad_edge=False)


def print_table(table: Table) -> None:
    """The table on stdout, as plain text."""
    console = PlainConsole()
    if console.is_terminal:
        console.print(table)
        return
    echo("\n".join(drawn_lines([table])))


def drawn_lines(parts: Sequence[RenderableType], columns: int | None = None) -> list[str]:
    """The lines as which these are drawn on a terminal of so many columns, coloured; None: plain and unbroken."""
    console = PlainConsole()
    console.width, console.no_color = columns or _WHOLE, console.no_color or columns is None
    with console.capture() as drawn:
        for part in parts:
            console.print(part)
    lines = drawn.get().splitlines()
    return lines if columns else [line.rstrip() for line in lines]


def _print(text: str, console: PlainConsole, *, whole: bool) -> None:
    columns = _columns(console)
    if not whole and columns is not None:  # only a terminal's lines are broken
        leads = [(_LEAD.match(line), line) for line in displayable(text).split("\n")]
        text = "\n".join(hanging(lead[0], line[lead.end() :], columns) for lead, line in leads if lead)
    console.print(text, soft_wrap=True)
