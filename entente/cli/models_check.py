"""`entente models check`: what a language model can do, before it is given a seat."""

import os
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from entente.cli.model_options import ModelSettingOption, Settings, parse_model_settings
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
    write: Annotated[
        Path | None,
        typer.Option(
            "--write",
            metavar="FILE",
            help="A game's file (YAML) that gets the model and its settings; made where there is none, and its "
            "comments are lost.",
        ),
    ] = None,
    seat: Annotated[
        str, typer.Option("--seat", metavar="POWER", help="With --write, this power's seat, not everyone's.")
    ] = "",
) -> None:
    """Ask a language model what it can do, such as tools and JSON.

    Tools, JSON, with a schema or without, streaming, reasoning, context, usage: one small call where that shows it
    all, seldom more than three.
    Ends with 0 when the model can play.
    """
    settings = _settings(model_setting)
    found = run_async(_check(spec, settings))
    if as_json:
        print_json(found.model_dump(mode="json"))
    else:
        _print_check(found, model_setting or [])
    if found.actions is None:
        raise PlayerError(_cannot_play(found))
    if write:
        _write(write, seat.strip().upper(), found, model_setting)


def _cannot_play(found: "Check") -> str:
    """A trial that was not answered has not shown what the model can do."""
    forms = ("tools", "JSON", "JSON with schema")
    open_ = [each for each in found.findings if each.name in forms and each.remark.startswith("failed")]
    if open_:
        tried = ", ".join(f"{each.name} {each.remark}" for each in open_)
        return f"{found.model} answers, but whether it can play was not found out: a trial of {tried}."
    return f"{found.model} answers, but neither calls tools nor writes JSON, with a schema or without; it cannot play."


def _write(path: Path, power: str, found: "Check", options: list[str] | None) -> None:
    from entente.cli.game_file import write_model
    from entente.cli.output import tell

    settings, _ = parse_model_settings(options, {})
    write_model(path, power, found.model, settings_found(found, settings))
    tell(f"Written to {path}: entente play --config {path}")


def settings_found(found: "Check", given: Settings) -> Settings:
    """The settings that the check has shown to be right, over those that were given."""
    from entente.models.check import LEAST_CONTEXT

    is_small = found.context_tokens is not None and found.context_tokens <= 2 * LEAST_CONTEXT
    settings: Settings = {**given, "actions": found.actions}
    if is_small:
        settings["prompts"] = "short"
    if found.context_tokens is not None:
        settings.setdefault("context_tokens", found.context_tokens)
    if found.reasons:
        settings.setdefault("thinking", "never")
    return settings


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
    """The options that seat the model as it was found: those that were given, and what the check has shown."""
    given, _ = parse_model_settings(options, {})
    shown = {name: value for name, value in settings_found(found, given).items() if given.get(name) != value}
    kept = [option for option in options if option.partition("=")[0].strip() not in shown]
    # Tools are what a seat uses where nothing else is said.
    kept += [f"{name}={value}" for name, value in shown.items() if (name, value) != ("actions", "tools")]
    return "".join(f" --model-setting {option}" for option in kept)
