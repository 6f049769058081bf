"""`entente models check`: what a language model can do, before it is given a seat."""

import os
from typing import TYPE_CHECKING, Annotated

import typer

from entente.cli.model_options import ModelSettingOption, parse_model_settings
from entente.cli.options import JsonOption, print_json, run_async
from entente.errors import PlayerError, SettingsError

if TYPE_CHECKING:
    from entente.models.check import Check
    from entente.players.model.settings import SeatSettings

models = typer.Typer(help="Look at language models before they play.", no_args_is_help=True)

_WORDS = {True: "works", False: "does not", None: "unknown"}


@models.command()
def check(
    spec: Annotated[
        str, typer.Argument(metavar="MODEL", help="As on a seat: openai:gpt-5-mini, openai:MODEL@URL.")
    ],
    as_json: JsonOption = False,
    model_setting: ModelSettingOption = None,
) -> None:
    """Ask a language model what it can do: tools, JSON, streaming, usage.

    One small call where that shows it all, seldom more than two. Ends with 0 when the model can play.
    """
    settings = _settings(model_setting)
    found = run_async(_check(spec, settings))
    if as_json:
        print_json(found.model_dump(mode="json"))
    else:
        _print_check(found, model_setting or [])
    if found.actions is None:
        raise PlayerError(f"{found.model} answers, but neither calls tools nor writes JSON; it cannot play.")


def _settings(options: list[str] | None) -> "SeatSettings":
    from entente.players.model.settings import SeatSettings

    shared, seats = parse_model_settings(options, {})
    if seats:
        raise SettingsError(
            f"A setting of the model was wanted and one of a seat came, {', '.join(seats)}; nothing was asked."
        )
    return SeatSettings().over(shared)


async def _check(spec: str, settings: "SeatSettings") -> "Check":
    from entente.cli.models_check_work import tryout
    from entente.models.check import check_model
    from entente.models.client import Connections
    from entente.models.spec import ModelSpec

    async with Connections() as connections:
        return await check_model(
            ModelSpec.parse(spec),
            settings,
            tryout(settings),
            connections,
            environ=os.environ,
            offers_tools=settings.actions == "tools",
        )


def _print_check(found: "Check", options: list[str]) -> None:
    from entente.cli.output import plain_table, print_table, tell

    table = plain_table()
    for column in ("What", "", "Remark"):
        table.add_column(column)
    for finding in found.findings:
        table.add_row(finding.name, _WORDS[finding.works], finding.remark)
    print_table(table)
    tell(f"\n{found.calls} call{'s were' if found.calls > 1 else ' was'} made.")
    if found.actions is not None:
        tell(f"Seat it with: --seat FRANCE={found.model}{_given(found, options)}")


def _given(found: "Check", options: list[str]) -> str:
    kept = [option for option in options if option.partition("=")[0].strip() != "actions"]
    if found.actions == "json":
        kept.append("actions=json")
    return "".join(f" --model-setting {option}" for option in kept)
