"""`studio`: the game's graph in LangGraph Studio, over the same store as the command line."""

import importlib.util
from typing import Annotated

import typer

from entente.cli.options import StoreOption, run_async
from entente.errors import SettingsError


def studio(
    port: Annotated[int, typer.Option(help="The port to listen on, on this machine only.")] = 2024,
    browser: Annotated[
        bool, typer.Option("--browser/--no-browser", help="Open Studio in the browser.")
    ] = True,
    store: StoreOption = None,
) -> None:
    """Open the game in LangGraph Studio: draw it, start it from a form, look into it, edit and fork it."""
    if importlib.util.find_spec("langgraph_api") is None:
        raise SettingsError(
            "Studio wants the packages of the extra `studio`, which are not installed: "
            "pip install 'entente[studio]'. Nothing was started."
        )
    from entente.cli.studio_work import serve_studio

    raise typer.Exit(run_async(serve_studio(store, port, browser=browser)))
