"""Where a command's words leave this program, with nothing in them that a terminal would obey.

It loads no library of its own, so that the modules that declare commands can have it.
"""

import typer

from entente.display import displayable

PIPE_CLOSED = 141
"""The exit code when nobody reads any more (`| head`), as a shell reports programs that SIGPIPE has ended."""


def echo(text: str, *, err: bool = False, nl: bool = True) -> None:
    """Print the text, displayable, on stdout or on stderr."""
    typer.echo(displayable(text), err=err, nl=nl)
