"""The options of a new game, which `play` and `conductor` share."""

from typing import Annotated, Literal, TypeAlias

import typer

# Named here, as their own modules would have to be loaded to be asked; a test compares.
PLAYERS = (
    "human, hold, random, dumbbot, pushover, diplomat, transparent, honest-joe, mac-the-knife, tit-for-tat"
)
MAPS = (
    "standard, standard_age_of_empires, standard_age_of_empires_2, standard_fleet_rome, "
    "standard_france_austria, standard_germany_italy, ancmed, ancmed_age_of_empires, modern, pure"
)

Floor: TypeAlias = Literal["rounds", "conductor", "gunboat"]
Wake: TypeAlias = Literal["content", "every-event"]
Timing: TypeAlias = Literal["simultaneous", "sequential"]
OnFailure: TypeAlias = Literal["pause", "hold", "dumbbot"]

SeatOption = Annotated[
    list[str] | None,
    typer.Option(
        "--seat", metavar="POWER=PLAYER", help="Who plays a power, such as FRANCE=human; repeatable."
    ),
]
EveryoneOption = Annotated[
    str,
    typer.Option(
        "--all",
        metavar="PLAYER",
        help=f"Who plays the powers that no --seat names: {PLAYERS}, "
        "a language model such as openai:gpt-5-mini or openai:MODEL@URL, or a program as MODULE:CLASS.",
    ),
]
FloorOption = Annotated[
    Floor,
    typer.Option(
        help="Rounds of press before orders; conductor, where each power is woken by its mail; "
        "or gunboat: no press at all."
    ),
]
RoundsOption = Annotated[
    int, typer.Option(help="Rounds of press before each movement phase, on the floor of that name.")
]
TimingOption = Annotated[
    Timing,
    typer.Option(help="Whether a round's powers think at once or one after the other; both read alike."),
]
UntilSilentOption = Annotated[
    bool, typer.Option("--until-silent", help="End a phase's talk with the first round without a message.")
]
DraftsOption = Annotated[
    bool, typer.Option("--drafts", help="Keep what language models would order, before and after each round.")
]
WakeOption = Annotated[
    Wake,
    typer.Option(
        help="What wakes a power on the conductor's floor: what can change a decision, or every event."
    ),
]
DebounceOption = Annotated[
    int | None,
    typer.Option(
        "--debounce-ms",
        metavar="MS",
        help="How long the conductor lets mail gather. Default: 250 for language models, 0 for others.",
    ),
]
MaxWakesOption = Annotated[
    int, typer.Option("--max-wakes", help="How often the conductor wakes a power in one phase at most.")
]
DeadlineOption = Annotated[
    float | None,
    typer.Option(
        "--deadline-seconds",
        metavar="SECONDS",
        help="How long a phase of press is in play at most on the conductor's floor; pauses do not count, "
        "waiting for people does. Default: for ever.",
    ),
]
HistoryTokensOption = Annotated[
    int | None,
    typer.Option(
        "--history-tokens",
        metavar="COUNT",
        help="How much of a phase a language model is shown again; as --model-setting history_tokens=COUNT.",
    ),
]
OnFailureOption = Annotated[
    OnFailure,
    typer.Option(
        help="When a model's provider or a program fails: pause the game, or let this player stand in."
    ),
]
NewOnFailureOption = Annotated[
    OnFailure | None,
    typer.Option("--on-failure", help="From now on, what becomes of a seat whose provider or program fails."),
]
PromptsOption = Annotated[
    str | None,
    typer.Option(metavar="FOLDER", help="Prompts and personas/POWER.md that replace those that come along."),
]
MaxYearOption = Annotated[
    int | None, typer.Option("--max-year", help="The last game year. Default: ten years.")
]
MapOption = Annotated[str, typer.Option("--map", help=f"The map to play on: {MAPS}.")]
SeedOption = Annotated[int, typer.Option(help="Where scripted players' randomness comes from.")]
