"""`--crew` and `--crew-setting` where no game has them as settings."""

from typing import Annotated

import typer

from entente.cli.completion import one_of
from entente.cli.model_options import Settings, parse_crew_settings, repeatable
from entente.errors import SettingsError
from graph.context import SCRIPTED_CREW, GameSettings

CrewOption = Annotated[
    str | None,
    typer.Option(
        "--crew",
        metavar="WHO",
        autocompletion=one_of([SCRIPTED_CREW]),
        help="Who speaks for narrator and jester: scripted, or a language model such as openai:gpt-5-mini or "
        "openai:MODEL@URL; alone it means scripted. The keeper never is a model. Default: scripted.",
    ),
]
CrewSettingOption = Annotated[
    list[str] | None,
    typer.Option(
        "--crew-setting",
        metavar="NAME=VALUE",
        help=repeatable(GameSettings.model_fields["crew_model"]),
    ),
]


def settings_of_crew(crew: str | None, texts: list[str] | None) -> Settings:
    """What --crew-setting was given; raises SettingsError, also where no model speaks for the crew."""
    if texts and crew in (None, SCRIPTED_CREW):
        raise SettingsError(
            "A language model was wanted for --crew-setting, as --crew openai:MODEL, and none came; nothing was done."
        )
    return parse_crew_settings(texts)
