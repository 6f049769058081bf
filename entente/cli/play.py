"""`play`, `resume` and `turn`: the commands that advance a game."""

from collections.abc import Iterable
from typing import Annotated, Literal

import typer

from entente.board.types import Power
from entente.cli.model_options import (
    BudgetTokensOption,
    BudgetUsdOption,
    ModelSettingOption,
    parse_model_settings,
)
from entente.cli.options import GameArgument, StoreOption, run_async
from entente.errors import SettingsError

# Named here, as their own modules would have to be loaded to be asked; a test compares.
PLAYERS = (
    "human, hold, random, dumbbot, pushover, diplomat, transparent, honest-joe, mac-the-knife, tit-for-tat"
)
MAPS = (
    "standard, standard_age_of_empires, standard_age_of_empires_2, standard_fleet_rome, "
    "standard_france_austria, standard_germany_italy, ancmed, ancmed_age_of_empires, modern, pure"
)


def play(
    seat: Annotated[
        list[str] | None,
        typer.Option(
            "--seat", metavar="POWER=PLAYER", help="Who plays a power, such as FRANCE=human; repeatable."
        ),
    ] = None,
    everyone: Annotated[
        str,
        typer.Option(
            "--all",
            metavar="PLAYER",
            help=f"Who plays the powers that no --seat names: {PLAYERS}, "
            "or a language model such as openai:gpt-5-mini or openai:MODEL@URL.",
        ),
    ] = "diplomat",
    floor: Annotated[
        Literal["rounds", "gunboat"],
        typer.Option(help="Rounds of press before orders, or gunboat: no press at all."),
    ] = "rounds",
    rounds: Annotated[int, typer.Option(help="Rounds of press before each movement phase.")] = 3,
    timing: Annotated[
        Literal["simultaneous", "sequential"],
        typer.Option(help="Whether a round's powers think at once or one after the other; both read alike."),
    ] = "simultaneous",
    until_silent: Annotated[
        bool,
        typer.Option("--until-silent", help="End a phase's talk with the first round without a message."),
    ] = False,
    drafts: Annotated[
        bool,
        typer.Option("--drafts", help="Keep what language models would order, before and after each round."),
    ] = False,
    model_setting: ModelSettingOption = None,
    budget_usd: BudgetUsdOption = None,
    budget_tokens: BudgetTokensOption = None,
    on_failure: Annotated[
        Literal["pause", "hold", "dumbbot"],
        typer.Option(
            help="When a language model's provider fails: pause the game, or let this player stand in."
        ),
    ] = "pause",
    prompts: Annotated[
        str | None,
        typer.Option(
            metavar="FOLDER", help="Prompts and personas/POWER.md that replace those that come along."
        ),
    ] = None,
    max_year: Annotated[
        int | None, typer.Option("--max-year", help="The last game year. Default: ten years.")
    ] = None,
    map_name: Annotated[str, typer.Option("--map", help=f"The map to play on: {MAPS}.")] = "standard",
    seed: Annotated[int, typer.Option(help="Where scripted players' randomness comes from.")] = 42,
    store: StoreOption = None,
) -> None:
    """Play a new game to its end, or until it is stopped.

    Ctrl-C pauses it; it also stops, and can be resumed, when it waits for a person who is not here.
    """
    models, seat_models = parse_model_settings(model_setting, budget_usd, budget_tokens)
    values = {
        "everyone": everyone,
        "seats": parse_seats(seat or []),
        "models": models,
        "seat_models": seat_models,
        "until_silent": until_silent,
        "drafts": drafts,
        "on_failure": on_failure,
        "prompts": prompts,
        "floor": floor,
        "rounds": rounds,
        "timing": timing,
        "max_year": max_year,
        "map_name": map_name,
        "seed": seed,
    }
    from entente.cli.advance import play_new

    run_async(play_new(store, values))


def resume(game: GameArgument, store: StoreOption = None) -> None:
    """Go on with a game that was paused or killed, or that waits."""
    from entente.cli.advance import resume_game

    run_async(resume_game(store, game))


def turn(
    game: GameArgument,
    power: Annotated[str, typer.Argument(metavar="POWER", help="The seat that answers.")],
    store: StoreOption = None,
) -> None:
    """Take a person's turn in a game that waits for it.

    On a terminal there is a dialog. Lines can be piped in instead; they are all sent, or none when one cannot be used.
    """
    from entente.cli.advance import take_turn

    run_async(take_turn(store, game, power))


def parse_seats(texts: Iterable[str]) -> dict[Power, str]:
    """The powers and players of `FRANCE=dumbbot` and the like; raises SettingsError."""
    seats: dict[Power, str] = {}
    for text in texts:
        power, _, player = (part.strip() for part in text.partition("="))
        if not power or not player:
            raise SettingsError(
                f"A seat such as FRANCE=dumbbot was wanted and {text!r} came; no game was started."
            )
        if power.upper() in seats:
            raise SettingsError(f"The seat {power.upper()} was given twice; no game was started.")
        seats[power.upper()] = player if ":" in player else player.lower()
    return seats
