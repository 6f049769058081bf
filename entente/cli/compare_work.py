"""The work of `prompts compare`: the pairs of games, and the table of what differs between the two."""

import asyncio
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import typer
from pydantic import BaseModel, JsonValue
from rich.box import MARKDOWN
from rich.table import Table

from checkpoints.locations import MEMORY
from checkpoints.store import Store
from entente.arena import GameEnd, play_batch
from entente.cli.ending import EXITS
from entente.cli.model_options import parse_model_settings
from entente.cli.options import print_json, store_at
from entente.cli.output import print_table, say, tell
from entente.cli.pausing import pausable
from entente.cli.players import open_players
from entente.errors import SettingsError
from entente.games.comparison import (
    Difference,
    Pair,
    Plan,
    Variant,
    differences,
)
from entente.games.measures import Measures, measures_of
from entente.games.runner import RunEnd
from entente.players.seating import PlayerFactory, SeatKind, kind_of, spelled
from graph.context import parse_settings
from prompts import OF_HOUSE

_PARTS = re.compile(r",(?![^({]*[)}])")
"""A comma that is not within a player's brackets or a setting's braces."""
_SETTING = re.compile(r"[A-Za-z_.-]+=")

_PARALLEL = 8
"""Games at once: they wait for models most of the time."""

_NAMES: Mapping[str, str] = {
    "score": "score",
    "legality": "legal orders of those written",
    "hold_rate": "units that held",
    "promises_kept": "promises kept",
    "tokens": "tokens a game",
    "malformed": "malformed replies",
}


class PlayedPair(BaseModel):
    """Two games, by their ids."""

    seed: int
    power: str | None
    against: str | None
    a: str
    b: str


class Comparison(BaseModel):
    """What is printed for programs."""

    a: str
    b: str
    interval: str
    differences: list[Difference]
    pairs: list[PlayedPair]


@dataclass(frozen=True, slots=True)
class Wanted:
    """What was asked for on the command line."""

    a: str
    b: str
    player: str | None
    """Who is seated where A and B name nobody."""
    opponents: Sequence[str]
    games: int
    settings: Mapping[str, Any]
    """Of all games."""

    def plan(self) -> Plan:
        """The plan; raises SettingsError."""
        return Plan(
            self._variant(self.a), self._variant(self.b), parse_settings(self.settings), self.opponents
        )

    def _variant(self, text: str) -> Variant:
        player, folder, settings = self.player, None, list[str]()
        for part in map(str.strip, _PARTS.split(text)):
            if _SETTING.match(part):
                settings.append(part)
            elif part in OF_HOUSE:
                settings.append(f"prompts={part}")
            elif _names_a_player(part):
                player = part
            elif Path(part).is_dir():
                folder = part
            else:
                raise SettingsError(
                    f"A set of prompts ({', '.join(OF_HOUSE)} or a folder), a player such as openai:MODEL, or a model "
                    f"setting such as temperature=0 was wanted and {part!r} came; nothing was played."
                )
        if player is None:
            raise SettingsError(
                f"A model to compare with was wanted and {text!r} names none; "
                "give it there, or for both with --player. Nothing was played."
            )
        return Variant(player, _settings(settings), folder)


def _names_a_player(text: str) -> bool:
    return ":" in text or kind_of(spelled(text)) is not SeatKind.PROGRAM


def _settings(texts: Sequence[str]) -> dict[str, JsonValue]:
    settings, of_seats = parse_model_settings(texts, {})
    if of_seats:
        raise SettingsError(
            f"Settings without a power were wanted and {', '.join(texts)} came; nothing was played."
        )
    return settings


async def compare(location: str | None, wanted: Wanted, *, as_json: bool) -> None:
    """Play what of the games is not played yet, and print how the two differ.

    Raises SettingsError before the first game, and typer.Exit when a game failed or all were paused; then all that was
    played is kept.
    """
    plan = wanted.plan()
    async with store_at(location) as store, open_players() as players:
        pairs = plan.pairs(wanted.games, players)
        measured = await _played(store, players, pairs)
    found = Comparison(
        a=wanted.a,
        b=wanted.b,
        interval="95 %, Student's t over the pairs",
        differences=differences(measured),
        pairs=[PlayedPair(seed=p.seed, power=p.power, against=p.against, a=p.a.id, b=p.b.id) for p in pairs],
    )
    if as_json:
        print_json(found.model_dump(mode="json"))
    else:
        _print(found, plan)


async def _played(
    store: Store, players: PlayerFactory, pairs: Sequence[Pair]
) -> list[tuple[Measures, Measures]]:
    """Play the games, several at once, and say what each pair's came to; raises typer.Exit."""
    games, go_on = [game for pair in pairs for game in (pair.a, pair.b)], _how_to_go_on(store)
    over = list[GameEnd]()

    async def note(end: GameEnd) -> None:
        if end.end is RunEnd.FINISHED:
            over.append(end)
            if not end.was_over:
                say(f"{len(over)} of {len(games)} games over")

    try:
        with pausable() as control:
            ends = await play_batch(
                store,
                games,
                parallel=_PARALLEL,
                make_player=players,
                on_begin=lambda game: say(f"Game {game.id}"),
                on_end=note,
                control=control,
            )
    except asyncio.CancelledError:
        say(f"Stopped. {go_on}")
        raise typer.Exit(EXITS[RunEnd.PAUSED]) from None
    if failed := next((end for end in ends if end.reason), None):
        say(f"{failed.reason} {go_on}")
        raise typer.Exit(failed.exit_code)
    if control.drain_requested:
        say(f"Paused. {go_on}")
        raise typer.Exit(EXITS[RunEnd.PAUSED])
    return [await _measured(store, pair, f"{number} of {len(pairs)}") for number, pair in enumerate(pairs, 1)]


async def _measured(store: Store, pair: Pair, number: str) -> tuple[Measures, Measures]:
    a, b = [await measures_of(store, game.id, pair.powers) for game in (pair.a, pair.b)]
    where = f"{pair.power} against {pair.against}" if pair.power else "all powers"
    scores = f": score {a.score:.3f} and {b.score:.3f}" if a.score is not None and b.score is not None else ""
    say(f"{number} pairs  seed {pair.seed}  {where}{scores}")
    return a, b


def _how_to_go_on(store: Store) -> str:
    if store.location == MEMORY:
        return "The games were kept in memory alone, and are gone."
    return "To go on, give the same command again: what was played is kept, and is not played twice."


def _print(found: Comparison, plan: Plan) -> None:
    seeds = f"seeds {found.pairs[0].seed} to {found.pairs[-1].seed}"
    others = f"{' and '.join(plan.opponents)} in the other seats" if plan.opponents else "in all seats"
    tell(f"A: {found.a}")
    tell(f"B: {found.b}")
    tell(f"{len(found.pairs)} pairs of games, {seeds}, {plan.base.floor}, to {plan.base.max_year}, {others}")
    tell(f"Interval of B - A: {found.interval}\n")
    table = Table(box=MARKDOWN)
    for column in ("", "A", "B", "B - A", "interval", "pairs"):
        table.add_column(column, justify="right" if column else "left", no_wrap=True)
    for row in found.differences:
        table.add_row(_NAMES[row.measure], *_cells(row))
    print_table(table)


def _cells(row: Difference) -> tuple[str, ...]:
    digits = 0 if row.measure == "tokens" else 3

    def shown(value: float | None, sign: str = "") -> str:
        return "" if value is None else f"{value:{sign},.{digits}f}"

    interval = "" if row.low is None else f"{shown(row.low, '+')} to {shown(row.high, '+')}"
    return shown(row.a), shown(row.b), shown(row.difference, "+"), interval, str(row.pairs)
