"""The work of `games` on whole games. It knows neither graph nor engine, so that a list comes at once."""

import asyncio
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

import typer
from rich.table import Table

from checkpoints.lease import Holder
from checkpoints.library import GameSummary
from checkpoints.store import Store
from entente.cli.maps import delete_maps
from entente.cli.options import folder_of, has_store, store_at
from entente.cli.output import can_ask, plain_table
from entente.errors import SettingsError

_SHORTEST_ID = 8
"""Letters of an id that a list shows at least: 36 would leave no room for the players."""


_UNKNOWN = "?"


class Listing(NamedTuple):
    """The games of a store."""

    location: str
    """Fit for showing."""
    games: list[GameSummary]
    """Newest first."""


async def all_games(location: str | None) -> Listing:
    """Every game; none where there is no store."""
    if not has_store(location):
        return Listing(str(folder_of(location)), [])
    async with store_at(location) as store:
        return Listing(store.location, list(reversed(await store.library.games())))


async def delete_game(store: Store, game: str, *, is_sure: bool) -> str:
    """Delete it and its final map; what it was, in words. Raises SettingsError when somebody is asked and says no."""
    described = _described(await store.library.glance(game))
    if not is_sure and can_ask() and not typer.confirm(f"Delete {described}?", err=True):
        raise SettingsError("The game stays; nothing was deleted.")
    await store.library.delete(game)
    await asyncio.to_thread(delete_maps, store.location, game)
    return described


async def prune_game(store: Store, game: str) -> str:
    """Prune it; what it is, in words."""
    await store.library.prune(game)
    return _described(await store.library.summary(game))


async def write_game(store: Store, game: str, file: Path | None) -> str:
    """Export it; the path of the file. Raises SettingsError for a path at which something else than a file is."""
    from checkpoints.archive import export_game

    path = file or Path(f"{game}.entente")
    await export_game(store.library, game, _file_behind(path))
    return str(path)


async def write_langgraph(store: Store, game: str, file: Path) -> str:
    """Export its checkpoints for LangGraph's own saver; the path of the file. Raises SettingsError as `write_game`."""
    from checkpoints.langgraph_file import export_langgraph

    await export_langgraph(store.library, game, _file_behind(file))
    return str(file)


class Imported(NamedTuple):
    """A game that was read from a file."""

    location: str
    """Of the store, fit for showing."""
    game: str
    reaches: list[str]
    """What it would use beyond itself, a line for each."""


async def read_game(location: str | None, file: Path) -> Imported:
    """Import it."""
    from checkpoints.archive import import_game
    from entente.games.trust import reaches_of

    async with store_at(location) as store:
        game = await import_game(store.library, file)
        return Imported(store.location, game, await reaches_of(store, game))


def plain(summary: GameSummary) -> dict[str, Any]:
    """The summary for programs."""
    return {
        "game": summary.id,
        "created": summary.created_at and summary.created_at.isoformat(),
        "phase": summary.phase,
        "status": _status(summary),
        "running_by": _plain_holder(summary.held_by) if summary.held_by else None,
        "forked_from": summary.forked_from,
        "trusted": summary.is_trusted,
        "settings": dict(summary.settings),
        "damage": [str(error) for error in summary.damage],
    }


def _plain_holder(holder: Holder) -> dict[str, Any]:
    return {**holder._asdict(), "since": holder.since.isoformat()}


def games_table(summaries: Sequence[GameSummary]) -> Table:
    """A line a game, within 80 columns as long as few kinds of players are mixed."""
    table = plain_table()
    for title in ("Game", "Begun", "Phase", "Status", "Players"):
        table.add_column(title, no_wrap=title != "Players", overflow="fold")
    length = _telling_length([summary.id for summary in summaries])
    for summary in summaries:
        table.add_row(summary.id[:length], begun(summary), summary.phase, status(summary), players(summary))
    return table


def begun(summary: GameSummary) -> str:
    """When, by this machine's clock."""
    if summary.created_at is None:
        return _UNKNOWN
    return f"{summary.created_at.astimezone():%Y-%m-%d %H:%M}"


def status(summary: GameSummary) -> str:
    """How the game stands, which process plays it, and whether it was imported and not confirmed."""
    if summary.damage:
        return "damaged"
    holder = summary.held_by
    stands = f"playing ({holder.host}, {holder.pid})" if holder else _status(summary)
    return stands if summary.is_trusted else f"{stands}, untrusted"


def players(summary: GameSummary) -> str:
    """Which players play how many powers."""
    seats: dict[str, int] = {}
    if summary.damage:
        return _UNKNOWN
    for player in _seats(summary).values():
        seats[player] = seats.get(player, 0) + 1
    return ", ".join(f"{player} ×{count}" for player, count in seats.items())


def _file_behind(path: Path) -> Path:
    """Where a link leads, whose place an export would take otherwise: root's would end `/dev/stdout`."""
    target = path.resolve()
    if target.exists() and not target.is_file():
        raise SettingsError(f"A file to write was wanted and {path} is something else; nothing was written.")
    return target


def _seats(summary: GameSummary) -> dict[str, str]:
    seats: Any = summary.settings.get(
        "seats"
    )  # every power's, since a game is kept with its settings resolved
    return seats or {}


def _status(summary: GameSummary) -> str:
    # A game that says "playing" while nobody holds it was killed; `resume` goes on with it.
    return "killed" if summary.status == "playing" and not summary.held_by else summary.status


def _telling_length(ids: Sequence[str]) -> int:
    """How many letters tell these ids apart."""
    length = _SHORTEST_ID
    while len({game[:length] for game in ids}) < len(ids):
        length += 1
    return length


def _described(summary: GameSummary) -> str:
    where = summary.phase or "before its first phase"
    return f"{summary.id} ({where}, {status(summary)}, {players(summary)})"
