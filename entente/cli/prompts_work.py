"""The work of `bundle` and `prompts show`: a seat's bundle at a moment, and the prompt that is written from it."""

import json
from collections.abc import Callable, Iterator
from pathlib import Path

from pydantic import JsonValue

from checkpoints.store import Store
from entente.cli.output import plain_table, print_table
from entente.games.reading import begun_state
from entente.games.seat_at import seat_at
from entente.players.model.agent_context import ContextBundle, context_of
from entente.players.model.prompt import told_to
from entente.players.model.rehearsal import Rehearsal, rehearsed
from entente.players.model.seat import Seat
from entente.players.seating import Chair, SeatKind
from prompts import OF_HOUSE


async def context_at(store: Store, game: str, power: str, at: str | None) -> ContextBundle:
    """The seat's context bundle; raises what `entente.games.seat_at.seat_at` raises."""
    await begun_state(store, game)
    bundle, chair = await seat_at(store, game, power, at)
    return told_to(bundle, _seat(chair)) if chair.kind is SeatKind.MODEL else context_of(bundle)


async def rehearsal_at(
    store: Store, game: str, power: str, at: str | None, texts: str | None = None
) -> Rehearsal:
    """What a model in the seat reads; raises what `seat_at` raises, and SettingsError for texts that are none."""
    await begun_state(store, game)
    bundle, chair = await seat_at(store, game, power, at, as_model=True)
    return rehearsed(bundle, _seat(chair, texts))


def _seat(chair: Chair, texts: str | None = None) -> Seat:
    if texts is None:
        return Seat.of(chair.settings, chair.prompts, chair.player)
    if texts in OF_HOUSE:
        return Seat.of(chair.settings.over({"prompts": texts}), None, chair.player)
    return Seat.of(chair.settings, Path(texts), chair.player)


def bundle_lines(told: ContextBundle) -> Iterator[str]:
    """The bundle for people: each field under its name, as JSON where it is no text."""
    fields: dict[str, JsonValue] = told.model_dump(mode="json")
    for name, value in fields.items():
        if isinstance(value, dict):
            yield f"{name}:"
            yield from (f"  {key}: {json.dumps(entry, ensure_ascii=False)}" for key, entry in value.items())
        elif isinstance(value, list):
            yield f"{name}:" if value else f"{name}: none"
            yield from (f"  {json.dumps(entry, ensure_ascii=False)}" for entry in value)
        else:
            yield f"{name}: {value or 'none'}"


def print_rehearsal(told: Rehearsal, echo: Callable[[str], None]) -> None:
    """The messages and tools as they are sent, and a table of their sections."""
    for number, message in enumerate(told.messages):
        name = message.role if message.role == "system" else f"{number} {message.role}"
        echo(f"=== {name} ===")
        if message.content:
            echo(message.content)
        for call in message.tool_calls:
            echo(f"{call.name} {json.dumps(call.arguments, ensure_ascii=False)}")
        echo("")
    if told.tools:
        echo("=== tools ===")
        for tool in told.tools:
            echo(json.dumps(tool.model_dump(mode="json"), ensure_ascii=False))
        echo("")
    table, sections = plain_table(), told.sections
    table.add_column("Section", overflow="fold")
    table.add_column("Tokens, about", justify="right", no_wrap=True)
    for section in sections:
        table.add_row(section.name, f"{section.tokens:,}")
    table.add_row("all", f"{sum(section.tokens for section in sections):,}")
    print_table(table)
