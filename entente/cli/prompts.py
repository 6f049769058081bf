"""`entente prompts`: what language models are shown, and which texts play better."""

from typing import Annotated

import typer

from entente.cli.bundle import MomentOption, SeatArgument
from entente.cli.options import GameArgument, JsonOption, StoreOption, print_json, with_game
from entente.cli.printing import echo

prompts = typer.Typer(help="Look at prompts, and compare them.", no_args_is_help=True)

SetOption = Annotated[
    str | None,
    typer.Option(
        "--set",
        metavar="SET",
        help="With other texts: default, short, or a folder as `prompts` takes one. Default: the seat's own.",
    ),
]


@prompts.command()
def show(
    game: GameArgument,
    power: SeatArgument,
    at: MomentOption = None,
    texts: SetOption = None,
    as_json: JsonOption = False,
    store: StoreOption = None,
) -> None:
    """Print what a seat's language model reads, word for word.

    Behind it stands about how many tokens each part has. For a seat that no model plays, it is what one would read
    there. No model is called. It is the operator's to look at: the seat's instructions, press and memory are in it.
    """
    from entente.cli.prompts_work import print_rehearsal, rehearsal_at

    told = with_game(store, game, lambda s, g: rehearsal_at(s, g, power, at, texts))
    if as_json:
        print_json(
            {
                "messages": [message.model_dump(mode="json") for message in told.messages],
                "tools": [tool.model_dump(mode="json") for tool in told.tools],
                "sections": [section._asdict() for section in told.sections()],
            }
        )
        return
    print_rehearsal(told, echo)
