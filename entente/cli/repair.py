"""`entente repair`: games whose checkpoints are lost or damaged go on from their journals."""

from typing import Annotated

import typer

from entente.cli.options import WholeStore, run_async


def repair(
    store: WholeStore,
    game: Annotated[
        str | None,
        typer.Argument(metavar="GAME", help="The game's id, or the beginning of it. Default: all."),
    ] = None,
) -> None:
    """Rebuild the checkpoint of a game from its journal where it is lost or damaged, so that `resume` goes on.

    No turn is taken again. The rebuilt checkpoint is the only one then: the game cannot be forked at earlier moments.
    What cannot be made good again is told, with exit code 3, and left as it is.
    """
    from entente.cli.repair_work import repair_store

    if not run_async(repair_store(store, game)):
        raise typer.Exit(3)
