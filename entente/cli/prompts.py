"""`entente prompts`: what language models are shown, and which texts play better."""

from typing import Annotated

import typer

from entente.cli.bundle import MomentOption, SeatArgument
from entente.cli.game_options import option_for
from entente.cli.model_options import ModelSettingOption, parse_model_settings
from entente.cli.options import (
    GameOrNewest,
    JsonOption,
    StoreOption,
    newest_unless_named,
    print_json,
    run_async,
    with_game,
)
from entente.cli.printing import echo
from entente.errors import SettingsError

prompts = typer.Typer(help="Look at prompts, and compare them.", no_args_is_help=True)

SetOption = Annotated[
    str | None,
    typer.Option(
        "--set",
        metavar="SET",
        help="With other texts: default, short, or a folder as `prompts` takes one. Default: the seat's own.",
    ),
]

VariantArgument = Annotated[
    str,
    typer.Argument(
        help="A set of prompts (default, short or a folder), a player such as openai:MODEL, model settings such as "
        "temperature=0, or several of these with commas between them."
    ),
]


@prompts.command()
def show(
    game: GameOrNewest = None,
    power: SeatArgument = None,
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

    game, (seat,) = newest_unless_named(game, POWER=power)
    told = with_game(store, game, lambda s, g: rehearsal_at(s, g, seat, at, texts))
    if as_json:
        print_json(
            {
                "messages": [message.model_dump(mode="json") for message in told.messages],
                "tools": [tool.model_dump(mode="json") for tool in told.tools],
                "sections": [section._asdict() for section in told.sections],
            }
        )
        return
    print_rehearsal(told, echo)


@prompts.command()
def compare(
    a: VariantArgument,
    b: VariantArgument,
    player: Annotated[
        str | None, typer.Option(metavar="PLAYER", help="Who is seated where A and B name nobody.")
    ] = None,
    against: Annotated[
        list[str] | None,
        typer.Option(
            metavar="PLAYER",
            help="Who has the other seats, a scripted player or a program, each in turn; repeatable. "
            "Default: dumbbot, and diplomat.",
        ),
    ] = None,
    everywhere: Annotated[bool, typer.Option("--all", help="Seat A, and then B, in all seats.")] = False,
    games: Annotated[int, typer.Option(min=1, help="How many pairs of games.")] = 14,
    floor: Annotated[str, option_for("floor")] = "rounds",
    rounds: Annotated[int | None, typer.Option(help="As for `entente play`.")] = None,
    max_year: Annotated[int, typer.Option("--max-year", help="The last game year.")] = 1905,
    seed: Annotated[int, typer.Option(help="The first pair's seed; each pair has the next.")] = 42,
    model_setting: ModelSettingOption = None,
    as_json: JsonOption = False,
    store: StoreOption = None,
) -> None:
    """Play the same games with A and then with B.

    Both have the same seeds, powers and opponents. How they differ is printed: the paired difference in score, legal
    orders, units that held, promises kept, tokens and malformed replies, each with its 95 % interval. Ctrl-C and a
    provider that fails pause it; the same command goes on, and plays no game twice.
    """
    from entente.cli.compare_work import Wanted
    from entente.cli.compare_work import compare as compare_them

    if everywhere and against:
        raise SettingsError("Either --all or --against was wanted and both came; nothing was played.")
    models, seat_models = parse_model_settings(model_setting, {})
    given = {"floor": floor, "max_year": max_year, "seed": seed, "models": models, "seat_models": seat_models}
    settings = given | ({} if rounds is None else {"rounds": rounds})
    opponents = () if everywhere else (against or ("dumbbot", "diplomat"))
    run_async(compare_them(store, Wanted(a, b, player, opponents, games, settings), as_json=as_json))
