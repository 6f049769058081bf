"""`play`, `conductor`, `resume` and `turn`: the commands that advance a game."""

from collections.abc import Iterable
from typing import Annotated

import typer

from entente.board.types import Power
from entente.cli.game_options import (
    DeadlineOption,
    DebounceOption,
    DraftsOption,
    EveryoneOption,
    FloorOption,
    HistoryTokensOption,
    MapOption,
    MaxWakesOption,
    MaxYearOption,
    NewOnFailureOption,
    OnFailureOption,
    PromptsOption,
    RoundsOption,
    SeatOption,
    SeedOption,
    TimingOption,
    UntilSilentOption,
    WakeOption,
)
from entente.cli.model_options import (
    BudgetTokensOption,
    BudgetUsdOption,
    ModelSettingOption,
    parse_model_settings,
)
from entente.cli.options import GameArgument, StoreOption, run_async
from entente.errors import SettingsError

MAX_WAKES = 40
SEED = 42


def play(
    seat: SeatOption = None,
    everyone: EveryoneOption = "diplomat",
    floor: FloorOption = "rounds",
    rounds: RoundsOption = 3,
    timing: TimingOption = "simultaneous",
    until_silent: UntilSilentOption = False,
    drafts: DraftsOption = False,
    wake: WakeOption = "content",
    debounce_ms: DebounceOption = None,
    max_wakes: MaxWakesOption = MAX_WAKES,
    deadline_seconds: DeadlineOption = None,
    model_setting: ModelSettingOption = None,
    history_tokens: HistoryTokensOption = None,
    budget_usd: BudgetUsdOption = None,
    budget_tokens: BudgetTokensOption = None,
    on_failure: OnFailureOption = "pause",
    prompts: PromptsOption = None,
    max_year: MaxYearOption = None,
    map_name: MapOption = "standard",
    seed: SeedOption = SEED,
    store: StoreOption = None,
) -> None:
    """Play a new game to its end, or until it is stopped.

    Ctrl-C pauses it; it also stops, and can be resumed, when it waits for a person who is not here.
    """
    history = [] if history_tokens is None else [f"history_tokens={history_tokens}"]
    models, seat_models = parse_model_settings([*(model_setting or []), *history], budget_usd, budget_tokens)
    values = {
        "everyone": everyone,
        "seats": parse_seats(seat or []),
        "models": models,
        "seat_models": seat_models,
        "floor": floor,
        "rounds": rounds,
        "timing": timing,
        "until_silent": until_silent,
        "drafts": drafts,
        "wake": wake,
        "debounce_ms": debounce_ms,
        "max_wakes": max_wakes,
        "deadline_seconds": deadline_seconds,
        "on_failure": on_failure,
        "prompts": prompts,
        "max_year": max_year,
        "map_name": map_name.strip().lower(),
        "seed": seed,
    }
    from entente.cli.advance import play_new

    run_async(play_new(store, values))


def conductor(
    seat: SeatOption = None,
    everyone: EveryoneOption = "diplomat",
    wake: WakeOption = "content",
    debounce_ms: DebounceOption = None,
    max_wakes: MaxWakesOption = MAX_WAKES,
    deadline_seconds: DeadlineOption = None,
    model_setting: ModelSettingOption = None,
    history_tokens: HistoryTokensOption = None,
    budget_usd: BudgetUsdOption = None,
    budget_tokens: BudgetTokensOption = None,
    on_failure: OnFailureOption = "pause",
    prompts: PromptsOption = None,
    max_year: MaxYearOption = None,
    map_name: MapOption = "standard",
    seed: SeedOption = SEED,
    store: StoreOption = None,
) -> None:
    """Play a new game on the conductor's floor: as `play --floor conductor`.

    Each power is woken by what is written to it, and talks and orders as it likes; the phase is judged when all
    have ordered and nobody has anything left to read.
    """
    play(
        floor="conductor",
        seat=seat,
        everyone=everyone,
        wake=wake,
        debounce_ms=debounce_ms,
        max_wakes=max_wakes,
        deadline_seconds=deadline_seconds,
        model_setting=model_setting,
        history_tokens=history_tokens,
        budget_usd=budget_usd,
        budget_tokens=budget_tokens,
        on_failure=on_failure,
        prompts=prompts,
        max_year=max_year,
        map_name=map_name,
        seed=seed,
        store=store,
    )


def resume(
    game: GameArgument,
    model_setting: ModelSettingOption = None,
    budget_usd: BudgetUsdOption = None,
    budget_tokens: BudgetTokensOption = None,
    on_failure: NewOnFailureOption = None,
    store: StoreOption = None,
) -> None:
    """Go on with a game that was paused or killed, or that waits.

    How its language models are called can be changed here, from now on: another address, another key's variable,
    more patience, a larger budget.
    """
    models, seat_models = parse_model_settings(model_setting, budget_usd, budget_tokens)
    changes = (models, seat_models, on_failure) if models or seat_models or on_failure else None
    from entente.cli.advance import resume_game

    run_async(resume_game(store, game, changes))


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
        seats[power.upper()] = player
    return seats
