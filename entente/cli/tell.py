"""`tell`: the crew tells what happened in a phase."""

from typing import Annotated

import typer

from entente.cli.completion import complete_phase
from entente.cli.crew import CrewOption, CrewSettingOption, settings_of_crew
from entente.cli.options import GameOrNewest, JsonOption, StoreOption, with_game


def tell(
    *,
    game: GameOrNewest = None,
    at: Annotated[
        str | None,
        typer.Option(
            "--at",
            metavar="PHASE",
            autocompletion=complete_phase,
            help="The phase to tell of, such as S1903M. Default: the latest that was adjudicated.",
        ),
    ] = None,
    crew: CrewOption = None,
    crew_setting: CrewSettingOption = None,
    as_json: JsonOption = False,
    store: StoreOption = None,
) -> None:
    """Tell what happened in a phase: the keeper sums it up, and the narrator tells it.

    A phase that was told while it was played is told in the same words, unless --crew names who tells it anew.

    Both know the public record alone: orders, results and supply centers, never press.
    """
    from entente.cli.tell_work import tell_phase

    settings = settings_of_crew(crew, crew_setting)
    with_game(store, game, lambda s, g: tell_phase(s, g, at, crew, settings, as_json=as_json))
