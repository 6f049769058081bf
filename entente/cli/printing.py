"""Where a command's words leave this program, with nothing in them that a terminal would obey.

It loads no library of its own, so that the modules that declare commands can have it.
"""

import typer

from entente.display import displayable


def echo(text: str, *, err: bool = False, nl: bool = True) -> None:
    """Print the text, displayable, on stdout or on stderr."""
    typer.echo(displayable(text), err=err, nl=nl)
