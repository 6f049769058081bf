"""`--crew`: who speaks for narrator and jester; declared once for all commands that have a crew."""

import os
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Annotated

import typer

from entente.cli.completion import one_of

if TYPE_CHECKING:
    from entente.commentary.voices import Voices
    from entente.models.client import Connections

SCRIPTED = "scripted"
CrewOption = Annotated[
    str | None,
    typer.Option(
        "--crew",
        metavar="WHO",
        autocompletion=one_of([SCRIPTED]),
        help="Who speaks for narrator and jester: scripted, or a language model such as openai:gpt-5-mini or "
        "openai:MODEL@URL. The keeper never is a model. Default: scripted.",
    ),
]


def voices_of(crew: str | None, connections: "Connections") -> "Voices":
    """The voices that the option names, none for scripted ones; raises SettingsError, MissingKey among them."""
    if crew in (None, SCRIPTED):
        return {}
    from entente.commentary.model_voices import open_voices

    return open_voices(crew, connections, os.environ)


@asynccontextmanager
async def open_crew(crew: str | None) -> AsyncGenerator["Voices"]:
    """The same with connections of their own, which end with the block."""
    from entente.models.client import Connections

    async with Connections() as connections:
        yield voices_of(crew, connections)
