"""`entente bots try`: how a program plays, before it sits at a table."""

from typing import Annotated

import typer

from entente.cli.game_options import option_for
from entente.cli.options import JsonLinesOption, run_async

bots = typer.Typer(help="Look at programs before they play.", no_args_is_help=True)


@bots.command(name="try")
def try_(
    player: Annotated[
        str,
        typer.Argument(metavar="PLAYER", help="As on a seat: MODULE:CLASS, exec:COMMAND, a name, dumbbot."),
    ],
    against: Annotated[
        list[str] | None,
        typer.Option(
            metavar="PLAYER", help="Who has the other seats; repeatable. Default: dumbbot, and diplomat."
        ),
    ] = None,
    games: Annotated[int, typer.Option(min=1, help="How many games, shared out among the opponents.")] = 20,
    floor: Annotated[str, option_for("floor")] = "rounds",
    rounds: Annotated[int | None, typer.Option(help="As for `entente play`.")] = None,
    max_year: Annotated[int, typer.Option("--max-year", help="The last game year.")] = 1908,
    seed: Annotated[int, typer.Option(help="The first game's seed; each game has the next.")] = 42,
    as_json: JsonLinesOption = False,
) -> None:
    """Play a program against scripted players, in each power in turn.

    The games are played in memory, several at once. A program that fails holds to the end of the phase.
    Ctrl-C stops, and prints what was played. Ends with 4 when the program failed in every game.
    """
    from entente.cli.bots_work import try_player

    values = {
        "floor": floor,
        "max_year": max_year,
        "seed": seed,
        **({} if rounds is None else {"rounds": rounds}),
    }
    run_async(try_player(player, against or ["dumbbot", "diplomat"], games, values, as_json=as_json))
