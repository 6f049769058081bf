"""`play`, `conductor`, `resume` and `turn`: the commands that advance a game."""

from pathlib import Path
from typing import Annotated, Any

import typer

from entente.cli.completion import complete_power
from entente.cli.game_options import offers_settings, option_for, settings_of_options
from entente.cli.model_options import (
    BudgetTokensOption,
    BudgetUsdOption,
    ModelSettingOption,
    parse_crew_settings,
    parse_model_settings,
)
from entente.cli.options import (
    ConfigOption,
    GameOrNewest,
    HereOption,
    QuietOption,
    StoreOption,
    VerboseOption,
    newest_unless_named,
    run_async,
)
from entente.cli.verbosity import Talk
from entente.errors import SettingsError
from graph.context import parse_settings


@offers_settings()
def play(
    *,
    context: typer.Context,
    config: ConfigOption = None,
    here: HereOption = None,
    quiet: QuietOption = False,
    verbose: VerboseOption = False,
    store: StoreOption = None,
    **options: Any,
) -> None:
    """Play a new game to its end, or until it is stopped.

    Ctrl-C pauses it; it also stops, and can be resumed, when it waits for a person who is not here.
    """
    _begin(store, config, here, _talk(quiet, verbose), settings_of_options(context, options))


@offers_settings("conductor")
def conductor(
    *,
    context: typer.Context,
    config: ConfigOption = None,
    here: HereOption = None,
    quiet: QuietOption = False,
    verbose: VerboseOption = False,
    store: StoreOption = None,
    **options: Any,
) -> None:
    """Play a new game on the conductor's floor: as `play --floor conductor`.

    Each power is woken by what is written to it, and talks and orders as it likes; the phase is adjudicated when all
    have ordered and nobody has anything left to read.
    """
    _begin(
        store,
        config,
        here,
        _talk(quiet, verbose),
        {"floor": "conductor"} | settings_of_options(context, options),
    )


def _begin(
    store: str | None, config: Path | None, here: str | None, talk: Talk, given: dict[str, Any]
) -> None:
    if config is None:
        _play(store, here, talk, given)
        return
    from entente.cli.game_file import read_game_file

    file = read_game_file(config)
    try:
        _play(store, here, talk, file.under(given))
    except SettingsError as error:
        raise file.placed(error, given) from error


def _play(store: str | None, here: str | None, talk: Talk, values: dict[str, Any]) -> None:
    settings = parse_settings(values)
    from entente.cli.play_work import play_new

    run_async(play_new(store, settings, here, talk))


def _talk(quiet: bool, verbose: bool) -> Talk:
    if quiet and verbose:
        raise SettingsError("One of --quiet and --verbose was wanted and both came; nothing was done.")
    return Talk.NONE if quiet else Talk.ALL if verbose else Talk.USUAL


def resume(
    game: GameOrNewest = None,
    model_setting: ModelSettingOption = None,
    budget_usd: BudgetUsdOption = None,
    budget_tokens: BudgetTokensOption = None,
    on_failure: Annotated[str | None, option_for("on_failure")] = None,
    crew: Annotated[str | None, option_for("crew")] = None,
    crew_setting: Annotated[list[str] | None, option_for("crew_model")] = None,
    trust: Annotated[
        bool,
        typer.Option(
            "--trust",
            help="Let an imported game use the models, addresses, keys, programs and prompts that its file names.",
        ),
    ] = False,
    here: HereOption = None,
    quiet: QuietOption = False,
    verbose: VerboseOption = False,
    store: StoreOption = None,
) -> None:
    """Go on with a game that was paused or killed, or that waits.

    How its language models are called can be changed here, from now on: another address, another key's variable,
    more patience, a larger budget; and who tells it.
    """
    budgets = {"budget_usd": budget_usd, "budget_tokens": budget_tokens}
    models, seat_models = parse_model_settings(model_setting, budgets)
    changes = (models, seat_models, on_failure, crew, parse_crew_settings(crew_setting))
    from entente.cli.play_work import resume_game

    run_async(
        resume_game(
            store, game, changes if any(changes) else None, trust=trust, here=here, talk=_talk(quiet, verbose)
        )
    )


def turn(
    game: GameOrNewest = None,
    power: Annotated[
        str | None,
        typer.Argument(metavar="POWER", autocompletion=complete_power, help="The seat that answers."),
    ] = None,
    stay: Annotated[
        bool,
        typer.Option(
            "--stay",
            help="Stay at the seat until the game is over: wait, ring, and ask whenever it is asked.",
        ),
    ] = False,
    store: StoreOption = None,
) -> None:
    """Take a person's turn in a game that waits for it.

    What others write meanwhile appears above the line that is being typed.

    On a terminal there is a dialog. Lines can be piped in instead; they are all sent, or none when one cannot be used.
    """
    from entente.cli.play_work import take_turn

    game, (seat,) = newest_unless_named(game, POWER=power)
    run_async(take_turn(store, game, seat, is_staying=stay))
