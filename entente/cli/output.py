"""Text and tables for eyes: answers go to stdout, all talk to stderr, broken between words on a terminal."""

from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.table import Table

from entente.cli.options import PIPE_CLOSED
from entente.models.usage import Tally, UsageSummary


class PlainConsole(Console):
    """A console that leaves words uncoloured, and ends the program when nobody reads it any more."""

    def __init__(self, *, stderr: bool = False) -> None:
        super().__init__(stderr=stderr, highlight=False)

    def on_broken_pipe(self) -> None:
        """End at once, whatever runs: SystemExit passes through every task of a game, which can be resumed."""
        raise SystemExit(PIPE_CLOSED)


def tell(text: str) -> None:
    """Say what was asked for, on stdout."""
    _print(text, PlainConsole())


def say(text: str) -> None:
    """Say something about it, on stderr."""
    _print(text, PlainConsole(stderr=True))


def cost_text(summary: UsageSummary | Tally) -> str:
    """`$0.0410`; `unknown` where no price is known, and `and more` where some are not."""
    if summary.cost_usd is None:
        return "unknown"
    return f"${summary.cost_usd:.4f}" + (" and more" if summary.unpriced_calls else "")


def tokens_text(tally: Tally) -> str:
    """Tokens in thousands, `12.3k`."""
    return f"{tally.tokens / 1000:.1f}k"


def plain_table() -> Table:
    """An empty table with nothing but a line below its head."""
    return Table(box=SIMPLE_HEAD, show_edge=False, pad_edge=False)


def print_table(table: Table) -> None:
    """The table on stdout, as plain text."""
    PlainConsole().print(table)


def _print(text: str, console: PlainConsole) -> None:
    # Programs read whole lines; only a terminal's are broken.
    console.print(text, markup=False, emoji=False, soft_wrap=not console.is_terminal)
