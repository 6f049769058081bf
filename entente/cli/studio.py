"""`studio`: the game's graph in LangGraph Studio, over the same store as the command line."""

import importlib.util
import os
import subprocess
import sys
from pathlib import Path
from typing import Annotated

import typer

import graph
from entente.cli.options import StoreOption
from entente.errors import SettingsError

_ROOT = Path(graph.__file__).parent.parent


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
    command = _command(port, browser=browser)
    ended = subprocess.run(command, env=_environment(store), check=False)  # noqa: S603 - arguments of our own
    raise typer.Exit(ended.returncode)


def _command(port: int, *, browser: bool) -> list[str]:
    # One job at a time is the server's default: a game that waits for a person would stop all others.
    command = [sys.executable, "-m", "langgraph_cli", "dev", "--config", str(_ROOT / "langgraph.json")]
    command += ["--host", "127.0.0.1", "--port", str(port), "--n-jobs-per-worker", "10", "--no-reload"]
    return command if browser else [*command, "--no-browser"]


def _environment(store: str | None) -> dict[str, str]:
    # The server reports usage to its makers unless told not to.
    environment = os.environ | {"LANGGRAPH_CLI_NO_ANALYTICS": "1"}
    return environment if store is None else environment | {"ENTENTE_STORE": store}
