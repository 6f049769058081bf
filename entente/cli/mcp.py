"""`mcp`: a person's seat for an agent that speaks the Model Context Protocol, over stdin and stdout."""

import importlib.util
from typing import Annotated

import typer

from entente.cli.options import StoreOption, run_async
from entente.errors import SettingsError


def mcp(
    game: Annotated[str, typer.Argument(help="Its id, or the beginning of it.")],
    power: Annotated[str, typer.Argument(help="The power, a person's seat: FRANCE.")],
    store: StoreOption = None,
) -> None:
    """Seat an agent that speaks MCP: a server with the seat's tools, over stdin and stdout."""
    if importlib.util.find_spec("mcp") is None:
        raise SettingsError(
            "An MCP server wants the package of the extra `mcp`, which is not installed: "
            "pip install 'entente[mcp]'. Nothing was started."
        )
    from entente.cli.mcp_work import serve_seat

    run_async(serve_seat(store, game, power))
