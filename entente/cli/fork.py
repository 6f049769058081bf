"""`fork`: another game that goes on from any moment of this one."""

from typing import Annotated

import typer

from entente.cli.completion import complete_moment
from entente.cli.game_options import option_for, parse_seats
from entente.cli.options import GameOrNewest, StoreOption, with_game
from entente.cli.printing import echo


def fork(
    *,
    game: GameOrNewest = None,
    at: Annotated[
        str,
        typer.Option(
            "--at",
            metavar="MOMENT",
            autocompletion=complete_moment,
            help="A phase (S1903M), a round (S1903M.2), orders (S1903M.orders), "
            "or a turn after which to go on, as the log names it (S1903M.2.FRANCE; on the conductor's floor "
            "S1903M.1.FRANCE.2 is its second waking).",
        ),
    ],
    seat: Annotated[list[str] | None, option_for("seats")] = None,
    store: StoreOption = None,
) -> None:
    """Fork a game at a phase, a round or a turn.

    The new game's id is printed, for `entente resume`; the old game stays as it is.
    """
    seats = parse_seats(seat or [])
    from entente.cli.fork_work import fork_here

    echo(with_game(store, game, lambda s, g: fork_here(s, g, at, seats)))
