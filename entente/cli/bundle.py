"""`bundle`: all that a seat is told at a moment, as the operator may look at it."""

from typing import Annotated

import typer

from entente.cli.completion import complete_moment, complete_power
from entente.cli.options import (
    GameOrNewest,
    JsonOption,
    StoreOption,
    newest_unless_named,
    print_json,
    with_game,
)
from entente.cli.printing import echo

SeatArgument = Annotated[
    str | None, typer.Argument(metavar="POWER", autocompletion=complete_power, help="Whose seat it is.")
]
MomentOption = Annotated[
    str | None,
    typer.Option(
        "--at",
        metavar="MOMENT",
        autocompletion=complete_moment,
        help="Before a phase (S1903M), a round (S1903M.2) or orders (S1903M.orders). Default: now.",
    ),
]


def bundle(
    game: GameOrNewest = None,
    power: SeatArgument = None,
    at: MomentOption = None,
    as_json: JsonOption = False,
    store: StoreOption = None,
) -> None:
    """Print the context bundle of a seat: all that it is told at its turn, and nothing of what is another's.

    It is the operator's to look at, as `entente games show` is: the seat's instructions, press and memory are in it. A
    language model's prompt is written from it; `entente prompts show` prints that one.
    """
    from entente.cli.prompts_work import bundle_lines, context_at

    game, (seat,) = newest_unless_named(game, POWER=power)
    told = with_game(store, game, lambda s, g: context_at(s, g, seat, at))
    if as_json:
        print_json(told.model_dump(mode="json"))
        return
    for line in bundle_lines(told):
        echo(line)
