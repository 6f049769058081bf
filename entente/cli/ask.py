"""`ask`: a question to a seat's language model, outside the game."""

from typing import Annotated

import typer

from entente.cli.given import check_text
from entente.cli.options import GameArgument, JsonOption, StoreOption, print_json, with_game
from entente.cli.printing import echo
from entente.errors import SettingsError


def ask(
    game: GameArgument,
    power: Annotated[str, typer.Argument(metavar="POWER", help="The seat that is asked.")],
    question: Annotated[str, typer.Argument(metavar="QUESTION", help="What you want to know of it.")],
    at: Annotated[
        str | None,
        typer.Option(
            "--at",
            metavar="MOMENT",
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
    check_text(question, undone="nothing was asked")
    if not question.strip():
        raise SettingsError("A question was wanted and none came; nothing was asked.")
    from entente.cli.ask_work import interview_of, paid

    reply = with_game(store, game, lambda s, g: interview_of(s, g, power, question, at))
    if as_json:
        print_json({"answer": reply.text, "usage": reply.usage.model_dump(mode="json")})
        return
    echo(reply.text)
    echo(paid(reply.usage), err=True)
