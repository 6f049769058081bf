"""`away` and `back`: a scripted player stands in for a person."""

from typing import TYPE_CHECKING, Annotated

import typer

from entente.cli.options import GameArgument, StoreOption, with_game
from entente.cli.printing import echo
from entente.cli.store_option import command_for

if TYPE_CHECKING:
    from checkpoints.store import Store

SeatArgument = Annotated[str, typer.Argument(metavar="POWER", help="The power whose person is away or back.")]


def away(
    game: GameArgument,
    power: SeatArgument,
    player: Annotated[
        str, typer.Option(metavar="PLAYER", help="The scripted player that stands in.")
    ] = "dumbbot",
    store: StoreOption = None,
) -> None:
    """Have a scripted player stand in for a person who is away, until `back`, or until the person answers.

    It answers what the seat is asked; all that it does is marked as a stand-in's. `entente resume` plays on.
    """

    async def work(opened: "Store", game: str) -> None:
        from entente.cli.output import say
        from entente.games.absence import hand_over

        await hand_over(opened, game, power.strip().upper(), player)
        echo(f"{player} stands in for {power.strip().upper()}.")
        say(f"To play on: {command_for(opened.location, f'resume {game}')}")

    with_game(store, game, work)


def back(game: GameArgument, power: SeatArgument, store: StoreOption = None) -> None:
    """Give a seat back to its person, who is asked from the next question on."""

    async def work(opened: "Store", game: str) -> None:
        from entente.games.absence import give_back

        await give_back(opened, game, power.strip().upper())
        echo(f"{power.strip().upper()} is its person's again.")

    with_game(store, game, work)
