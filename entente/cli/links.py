"""`entente links`: who may come to a game over the page."""

from typing import Annotated

import typer

from entente.cli.options import GameOrNewest, StoreOption, existing_store, run_async, with_game
from entente.cli.printing import echo
from entente.cli.serve import PORT, PortOption
from entente.cli.views import DelayOption, PowerOption

links = typer.Typer(help="Let players and onlookers come to the page.", no_args_is_help=True)


@links.command()
def add(
    game: GameOrNewest = None,
    power: PowerOption = None,
    delay: DelayOption = None,
    days: Annotated[float, typer.Option(min=0, max=3650, help="For how many days it is good.")] = 30,
    port: PortOption = PORT,
    store: StoreOption = None,
) -> None:
    """Make a link to a game.

    With --power it is for a player, with --power PUBLIC or --delay for onlookers; without either it shows everything,
    and is for whoever runs the game. It is printed once, and its token is kept nowhere.
    """
    from entente.cli.links_work import make_link

    echo(with_game(store, game, lambda s, g: make_link(s, g, power, delay, days=days, port=port)))


@links.command("list")
def list_links(store: StoreOption = None) -> None:
    """List the links that are good, oldest first."""
    from entente.cli.links_work import print_links

    run_async(print_links(store))


@links.command()
def revoke(
    link: Annotated[str, typer.Argument(metavar="LINK", help="The link's id, as `list` shows it.")],
    store: StoreOption = None,
) -> None:
    """End a link at once, with all who came in by it."""

    async def work() -> None:
        async with existing_store(store) as opened:
            await opened.links.revoke(link)

    run_async(work())
    echo(f"Revoked {link}.")
