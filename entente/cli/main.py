"""The `entente` command: its groups, its version, and what becomes of an error.

Text that was asked for goes to stdout; progress and everything said about it goes to stderr.
"""

import sys
from typing import Annotated

import typer

import entente
from entente.cli.fork import fork
from entente.cli.games import games
from entente.cli.play import play, resume, turn
from entente.cli.studio import studio
from entente.cli.views import board, log, press
from entente.errors import EntenteError

_EXIT_CODES = """
Exit codes: 0 done, a game played to its end. 1 a defect of entente. 2 something given cannot be used.
3 the store failed, or another process holds the game. 4 a seat failed; the game is paused.
5 paused by a signal. 6 waiting for a person. After 3 to 6, `entente resume GAME` goes on.
"""

app = typer.Typer(
    name="entente",
    help="Seven players at one Diplomacy board.",
    epilog=_EXIT_CODES,
    no_args_is_help=True,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
)
for command in (play, resume, turn, board, press, log, fork, studio):
    app.command()(command)
app.add_typer(games, name="games")


def _show_version(wanted: bool) -> None:
    if wanted:
        typer.echo(entente.__version__)
        raise typer.Exit


@app.callback()
def main(
    version: Annotated[
        bool, typer.Option("--version", callback=_show_version, is_eager=True, help="Print the version.")
    ] = False,
) -> None:
    """Seven players at one Diplomacy board: play, stop, resume, fork and read games."""
    del version  # handled by its callback


def run() -> None:
    """The console script: errors that were foreseen are one sentence, and an exit code that says which kind."""
    try:
        app()
    except EntenteError as error:
        typer.echo(f"entente: {error}", err=True)
        sys.exit(error.exit_code)
