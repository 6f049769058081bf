"""What the crew tells, as a terminal shows it while a game is played."""

from rich.console import Console
from rich.padding import Padding
from rich.text import Text

from entente.board.spoken import season_name
from entente.board.types import Phase
from entente.cli.lines import marked_line
from entente.players.record import Words

_INDENT = 2
_FIRST = "keeper"
"""Who speaks first of a phase, below its name."""


def tell_words(console: Console, words: Words) -> None:
    """Show what a voice tells of a phase; a line for each where it is no terminal. Answers are their listeners'."""
    if words.session:
        return
    if not console.is_terminal or console.is_dumb_terminal:
        console.print(marked_line(f"{words.phase}  {words.voice}: ", words.content, None), soft_wrap=True)
        return
    if words.voice == _FIRST:
        season = season_name(Phase.parse(words.phase)).capitalize()
        console.print(Text.assemble("\n", (season, "bold"), (f"  {words.phase}", "dim")))
    head = f"{words.voice.capitalize()}: "
    said = Text(marked_line(head, words.content, console.width - 2 * _INDENT))
    said.stylize("italic cyan", 0, len(head))
    console.print(Padding(said, (0, _INDENT)))
