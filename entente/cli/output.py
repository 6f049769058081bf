"""Text and tables for eyes: answers go to stdout, all talk to stderr, broken between words on a terminal."""

from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.table import Table


def tell(text: str) -> None:
    """Say what was asked for, on stdout."""
    _print(text, Console(highlight=False))


def say(text: str) -> None:
    """Say something about it, on stderr."""
    _print(text, Console(highlight=False, stderr=True))


def plain_table() -> Table:
    """An empty table with nothing but a line below its head."""
    return Table(box=SIMPLE_HEAD, show_edge=False, pad_edge=False)


def print_table(table: Table) -> None:
    """The table on stdout, as plain text."""
    Console(highlight=False).print(table)


def _print(text: str, console: Console) -> None:
    # Programs read whole lines; only a terminal's are broken.
    console.print(text, markup=False, emoji=False, soft_wrap=not console.is_terminal)
