"""`mcp`: a person's seat for an agent that speaks the Model Context Protocol, over stdin and stdout."""

import importlib.util
from typing import Annotated

import typer

from entente.cli.completion import complete_power
from entente.cli.options import GameOrNewest, StoreOption, newest_unless_named, run_async
from entente.errors import SettingsError


def mcp(
    game: GameOrNewest = None,
    power: Annotated[
        str | None,
        typer.Argument(
            metavar="POWER", autocompletion=complete_power, help="The power, a person's seat: FRANCE."
        ),
    ] = None,
    store: StoreOption = None,
) -> None:
    """Seat an agent that speaks MCP: a server with the seat's tools, over stdin and stdout."""
    game, (seat,) = newest_unless_named(game, POWER=power)
    if importlib.util.find_spec("mcp") is None:
        raise SettingsError(
            "An MCP server wants the package of the extra `mcp`, which is not installed: "
            "pip install 'entente[mcp]'. Nothing was started."
        )
    from entente.cli.mcp_work import serve_seat

    run_async(serve_seat(store, game, seat))
