"""`entente arena run`: many games at once."""

from pathlib import Path
from typing import Annotated

import typer

from entente.cli.options import JsonLinesOption, StoreOption, run_async

arena = typer.Typer(help="Play many games at once.", no_args_is_help=True)


@arena.command(name="run")
def run_(
    batch: Annotated[
        Path,
        typer.Argument(
            metavar="FILE",
            exists=True,
            dir_okay=False,
            help="A YAML or JSON file that says how many games, of which players; docs/arena.md says how.",
        ),
    ],
    ray: Annotated[
        str | None,
        typer.Option(
            "--ray",
            metavar="ADDRESS",
            help="Play each game as a task of the Ray cluster at this address, `auto` for one on this machine; the "
            "store must be one that all its machines share.",
        ),
    ] = None,
    processes: Annotated[
        int,
        typer.Option(
            min=1,
            max=1000,
            help="Play in so many processes of this machine, for players that compute more than they wait: as many as "
            "it has cores.",
        ),
    ] = 1,
    as_json: JsonLinesOption = False,
    store: StoreOption = None,
) -> None:
    """Play a batch of games, and say what came of each seat.

    Several games are played at once, and kept in the store. The same command goes on where a batch was stopped and
    plays no game twice. A game that fails does not stop the others. Ctrl-C pauses all. Ends with 0 when all games are
    over, with 4 when one failed and with 5 when the batch was paused.
    """
    from entente.cli.arena_work import run_file

    run_async(run_file(batch, store, ray, processes, as_json=as_json))
