"""The `entente` command: its groups, its version, and what becomes of an error.

Text that was asked for goes to stdout; progress and everything said about it goes to stderr.
"""

import errno
import gc
import os
import sys
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import cache
from inspect import cleandoc
from io import TextIOWrapper
from typing import Annotated, TextIO, cast

import typer
from typer.main import get_command

import entente
from entente.cli.arena import arena
from entente.cli.ask import ask
from entente.cli.away import away, back
from entente.cli.bots import bots
from entente.cli.bundle import bundle
from entente.cli.command import Command
from entente.cli.create_leader import create_leader
from entente.cli.fork import fork
from entente.cli.games import games
from entente.cli.links import links
from entente.cli.mcp import mcp
from entente.cli.models import mock_model, usage
from entente.cli.models_check import models
from entente.cli.play import conductor, play, resume, turn
from entente.cli.printing import PIPE_CLOSED, echo
from entente.cli.prompts import prompts
from entente.cli.repair import repair
from entente.cli.selfcheck import selfcheck
from entente.cli.serve import serve
from entente.cli.studio import studio
from entente.cli.tell import tell
from entente.cli.tracing import check_tracing
from entente.cli.train import train
from entente.cli.views import board, log, press
from entente.cli.watch import watch
from entente.errors import EntenteError, StoreUnavailable

EXIT_CODES = {
    0: "done; a game was played to its end",
    1: "a defect of entente",
    2: "something given cannot be used, and nothing was done",
    3: "the store or a file failed, or another process holds the game",
    4: "a seat, its provider or a trainer failed; a game is paused",
    5: "paused by a signal (Ctrl-C)",
    6: "waiting for a person",
}
"""What each exit code means; docs/cli.md has them too."""

_INTERRUPTED = 130
"""As a shell reports programs that SIGINT has ended."""

_UNWRITABLE = {errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO}
"""What a file or a device that takes no more says; the store's own are told as the store's."""

_UsageError = cast("type[Exception]", typer.BadParameter.__base__)
"""What every misuse of a command raises; typer has no public name for it."""

app = typer.Typer(
    name="entente",
    context_settings={"help_option_names": ["-h", "--help"]},
    epilog="\n".join(["\b", "Exit codes:", *(f"  {code}  {meaning}" for code, meaning in EXIT_CODES.items())])
    + "\n\nAfter 3 to 6, `entente resume GAME` goes on.",
    no_args_is_help=True,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
)
for command in (
    play,
    conductor,
    resume,
    turn,
    away,
    back,
    board,
    press,
    log,
    tell,
    watch,
    fork,
    ask,
    bundle,
    create_leader,
    usage,
    selfcheck,
    repair,
    serve,
    studio,
    mcp,
    mock_model,
):
    # Named by its first paragraph whole: typer would cut it off where a line ends.
    app.command(cls=Command, short_help=" ".join(cleandoc(command.__doc__ or "").split("\n\n")[0].split()))(
        command
    )
app.add_typer(games, name="games")
app.add_typer(links, name="links")
app.add_typer(models, name="models")
app.add_typer(bots, name="bots")
app.add_typer(arena, name="arena")
app.add_typer(train, name="train")
app.add_typer(prompts, name="prompts")


def _show_version(wanted: bool) -> None:
    if wanted:
        echo(f"entente {entente.__version__}")
        raise typer.Exit


@app.callback()
def main(
    version: Annotated[
        bool,
        typer.Option(
            "--version", callback=_show_version, is_eager=True, help="Print the name and the version."
        ),
    ] = False,
) -> None:
    """Seven players at one Diplomacy board: play, stop, resume, fork and read games."""
    del version  # handled by its callback
    check_tracing()


def run() -> None:
    """The console script."""
    gc.disable()  # until what the command needs is loaded; `settle` says why
    for stream in (sys.stdout, sys.stderr):
        # A terminal that cannot show a letter of somebody's press gets a question mark, not a traceback.
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="replace")
    given = cast("TextIOWrapper | None", sys.stdin)  # None where the shell closed it: `<&-`
    if given is not None:
        given.reconfigure(errors="surrogateescape")  # what is no text is told by whoever reads it
    sys.exit(exit_code(sys.argv[1:]))


def exit_code(arguments: Sequence[str]) -> int:
    """Run a command; errors that were foreseen are one sentence on stderr, and a code that says which kind."""
    try:
        return _quiet_when_the_reader_leaves(
            lambda: _command()(arguments, prog_name="entente", standalone_mode=False)
        )
    except EntenteError as error:
        echo(f"entente: {error}", err=True)
        return error.exit_code
    except _UsageError as error:
        _tell_misuse(cast("typer.BadParameter", error))
        return 2
    except (KeyboardInterrupt, typer.Abort):
        return _INTERRUPTED
    except OSError as error:
        if error.errno not in _UNWRITABLE:
            raise
        return _tell_unwritable(error)


@cache
def _command() -> Callable[..., int | None]:
    """The app with all its commands, built at the first call and not anew at each, as the app itself would."""
    return get_command(app)


def _quiet_when_the_reader_leaves(command: Callable[[], int | None]) -> int:
    """The command's code; that of a closed pipe when who reads it was content with less (`| head`)."""
    try:
        code = command() or 0
        if stdout := cast("TextIO | None", sys.stdout):  # None where the shell closed it: `>&-`
            stdout.flush()
        return code
    except BrokenPipeError:
        pass
    except SystemExit as stop:
        # Our own consoles end with the code, and typer with 1 while it handles the same error.
        if stop.code != PIPE_CLOSED and not isinstance(stop.__context__, BrokenPipeError):
            raise
    _discard(1, 2)
    return PIPE_CLOSED


def _tell_unwritable(error: OSError) -> int:
    """The code of a failed file, where the output is one: a full disk, mostly."""
    with suppress(OSError):  # it may be stderr that takes no more
        echo(
            f"entente: The output cannot be written ({error.strerror}); what there is of it is incomplete, "
            "and the store is in order.",
            err=True,
        )
    _discard(1, 2)
    return StoreUnavailable.exit_code


def _discard(*streams: int) -> None:
    """Let go of what is still in the buffers, or the interpreter would complain of it when it ends."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    for stream in streams:
        os.dup2(nowhere, stream)


def _tell_misuse(error: typer.BadParameter) -> None:
    message = error.format_message()
    if "\n" in message:  # the help, which a command without arguments shows
        echo(message, err=True)
        return
    command = error.ctx.command_path if error.ctx else "entente"
    echo(f"entente: {message.rstrip('.')}{_came(error)}; nothing was done, see `{command} --help`.", err=True)


def _came(error: Exception) -> str:
    """What was given for an option, where typer tells only what was wanted."""
    if not (cause := error.__cause__):
        return ""
    from pydantic import ValidationError  # loaded by now, if it is one

    return f", and {cause.errors()[0]['input']!r} came" if isinstance(cause, ValidationError) else ""
