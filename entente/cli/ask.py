"""`ask`: a question to a seat's language model, outside the game."""

from typing import Annotated

import typer

from entente.cli.completion import complete_moment, complete_power
from entente.cli.given import check_text
from entente.cli.options import (
    GameOrNewest,
    JsonOption,
    StoreOption,
    newest_unless_named,
    print_json,
    with_game,
)
from entente.cli.printing import echo
from entente.errors import SettingsError


def ask(
    game: GameOrNewest = None,
    power: Annotated[
        str | None,
        typer.Argument(metavar="POWER", autocompletion=complete_power, help="The seat that is asked."),
    ] = None,
    question: Annotated[
        str | None, typer.Argument(metavar="QUESTION", help="What you want to know of it.")
    ] = None,
    at: Annotated[
        str | None,
        typer.Option(
            "--at",
            metavar="MOMENT",
            autocompletion=complete_moment,
            help="Before a phase (S1903M), a round (S1903M.2) or orders (S1903M.orders). Default: now.",
        ),
    ] = None,
    as_json: JsonOption = False,
    store: StoreOption = None,
) -> None:
    """Ask a language model's seat a question, now or at any moment that was played.

    It knows what its seat knew then. The game is not changed, and nobody in it learns of the question; the call is paid
    for, and is not among those of `entente usage`.
    """
    game, (seat, wanted) = newest_unless_named(game, POWER=power, QUESTION=question)
    check_text(wanted, undone="nothing was asked")
    if not wanted.strip():
        raise SettingsError("A question was wanted and none came; nothing was asked.")
    from entente.cli.ask_work import interview_of, paid

    reply = with_game(store, game, lambda s, g: interview_of(s, g, seat, wanted, at))
    if as_json:
        print_json({"answer": reply.text, "usage": reply.usage.model_dump(mode="json")})
        return
    echo(reply.text)
    echo(paid(reply.usage), err=True)
