"""`serve`: the page, on this machine."""

import importlib.util
from typing import Annotated

import typer

from entente.cli.crew import CrewOption, CrewSettingOption, settings_of_crew
from entente.cli.options import StoreOption, run_async
from entente.errors import SettingsError

PortOption = Annotated[int, typer.Option(help="The page's port, on this machine only.")]
PORT = 8017


def serve(
    port: PortOption = PORT,
    crew: CrewOption = None,
    crew_setting: CrewSettingOption = None,
    store: StoreOption = None,
) -> None:
    """Open the page in which games are watched and played in the browser.

    Prints a link for whoever runs the games, which is good for a day; `entente links add` makes one for each player.
    """
    if importlib.util.find_spec("fastapi") is None or importlib.util.find_spec("sse_starlette") is None:
        raise SettingsError(
            "The page wants the packages of the extra `web`, which are not installed: "
            "pip install 'entente[web]'. Nothing was started."
        )
    from entente.cli.serve_work import serve_page

    run_async(serve_page(store, port, crew, settings_of_crew(crew, crew_setting)))
