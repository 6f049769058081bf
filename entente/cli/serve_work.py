"""The work of `serve`: the page's server over one store, until a signal comes."""

import asyncio
from collections.abc import Mapping

from pydantic import JsonValue

from entente.cli.options import store_at
from entente.cli.output import say
from entente.cli.players import open_players
from entente.cli.printing import echo
from entente.games.crew_answers import Answers
from entente.games.roles import OPERATOR
from entente.games.tellings import voices_named
from entente.loopback import LOOPBACK, serve_until_signal
from entente.web.addresses import link_address
from entente.web.app import page_app
from entente.web.house import House
from graph.context import SCRIPTED_CREW

_DAY_SECONDS = 24 * 3600.0


async def serve_page(
    location: str | None, port: int, crew: str | None, crew_model: Mapping[str, JsonValue]
) -> None:
    """Serve until SIGINT or SIGTERM; games that are being played are paused then.

    Raises SettingsError for the port and for the crew's model, MissingKey.
    """
    async with open_players() as players, store_at(location) as store:
        make_voices = voices_named(crew or SCRIPTED_CREW, crew_model, players.connections)
        house = House.over(store, players, Answers(store, make_voices, crew_model))
        stopping = asyncio.Event()
        made = await store.links.make("", OPERATOR, seconds=_DAY_SECONDS)

        def tell(address: str) -> None:
            echo(link_address(address, made))
            say(
                "Open this link in a browser on this machine. It shows everything, and is for whoever runs the games."
            )
            say(
                "Games are begun there, with a link for each player; for a game that there is: entente links add GAME."
            )
            say("Ctrl-C stops the page and pauses what it plays; the link is good for a day.")

        closing = asyncio.create_task(_close_when(stopping, house))
        try:
            await serve_until_signal(page_app(house), stopping, LOOPBACK, port, on_ready=tell, is_public=True)
        finally:
            stopping.set()
            await closing


async def _close_when(stopping: asyncio.Event, house: House) -> None:
    await stopping.wait()
    await house.close()
