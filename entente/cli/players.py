"""The players of a command: models with the keys of the environment, and programs of the working directory."""

import os
import sys
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager

from entente.models.client import Connections
from entente.players.seating import Programs, Seating


@asynccontextmanager
async def open_players() -> AsyncGenerator[Seating]:
    """Whoever a seat can name; connections to providers, and programs that were started, end with the block."""
    _find_modules_here()
    async with Connections() as connections, Programs() as programs:
        yield Seating(connections, os.environ, programs)


def _find_modules_here() -> None:
    """Let programs be found in the working directory, as `python -m` does.

    Not before our own packages are loaded: a file of the same name there would be taken for one of them.
    """
    here = os.getcwd()  # noqa: PTH109 - the search path holds strings
    if here not in sys.path:
        sys.path.insert(0, here)
