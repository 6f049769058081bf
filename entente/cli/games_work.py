"""The work of `games` on whole games. It knows neither graph nor engine, so that a list comes at once."""

import asyncio
import sys
from collections.abc import Callable, Sequence
from dataclasses import asdict
from pathlib import Path
from shutil import copyfileobj
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple, TypeAlias

import typer
from rich.table import Table

from checkpoints.lease import Holder
from checkpoints.store import Store
from checkpoints.summaries import GameSummary
from entente.board.types import Power
from entente.cli.completion import STATUSES
from entente.cli.given import time_given
from entente.cli.options import store_at
from entente.cli.output import can_ask, plain_table
from entente.cli.pictures import delete_maps
from entente.cli.store_option import folder_of, has_store
from entente.errors import SettingsError
from graph.context import FLOORS

_SHORTEST_ID = 8
"""Letters of an id that a list shows at least: 36 would leave no room for the players."""


_UNKNOWN = "?"
_STDOUT = Path("-")
_RARE = ("Name", "Winner", "From")
"""Columns that most lists have no use for."""
_WRAPPED = ("Name", "Players")


StandIns: TypeAlias = dict[Power, tuple[str, ...]]
"""Who has stood in for each power, for a turn or more; a power for which nobody has is not in it."""


class Listed(NamedTuple):
    """A game of a list."""

    summary: GameSummary
    stood_in: StandIns
    """Who has stood in for its players."""


class Listing(NamedTuple):
    """The games of a store."""

    location: str
    """Fit for showing."""
    games: list[Listed]
    """Newest first."""


class Wanted(NamedTuple):
    """Which games a list is to have; None and empty for whatever it is."""

    status: str
    floor: str
    player: str
    name: str
    since: float | None

    @classmethod
    def of(
        cls, status: str | None, floor: str | None, player: str | None, name: str | None, since: str | None
    ) -> "Wanted":
        """What the options say; raises SettingsError."""
        return cls(
            _one_of(STATUSES, "A status", status),
            _one_of(tuple(FLOORS), "A floor", floor),
            (player or "").strip().lower(),
            (name or "").strip().lower(),
            None if since is None else _time(since),
        )

    def takes(self, game: Listed) -> bool:
        """True when the game is wanted."""
        summary = game.summary
        seats = _seats(summary).values()
        return (
            self.status in ("", "damaged" if summary.damage else _status(summary))
            and self.floor in ("", summary.settings.get("floor"))
            and any(self.player in player.lower() for player in seats or [""])
            and self.name in summary.name.lower()
            and (self.since is None or _begun_at(summary) >= self.since)
        )


def _one_of(names: Sequence[str], what: str, given: str | None) -> str:
    name = (given or "").strip().lower()
    if given is not None and name not in names:
        raise SettingsError(
            f"{what} was wanted ({', '.join(names)}) and {given!r} came; nothing was printed."
        )
    return name


def _time(given: str) -> float:
    try:
        return time_given(given)
    except ValueError as error:
        raise SettingsError(
            f"A time such as 2026-03-01 or 2026-03-01T14:35 was wanted and {given!r} came; nothing was printed."
        ) from error


def _begun_at(summary: GameSummary) -> float:
    return summary.created_at.timestamp() if summary.created_at else 0


async def all_games(location: str | None) -> Listing:
    """Every game; none where there is no store."""
    if not has_store(location):
        return Listing(str(folder_of(location)), [])
    async with store_at(location) as store:
        found = await _stood_in(store)
        summaries = reversed(await store.library.games())
        return Listing(store.location, [Listed(each, found.get(each.id, {})) for each in summaries])


async def _stood_in(store: Store) -> dict[str, StandIns]:
    """By game, who has stood in for its players; without those of futures that were abandoned."""
    turns = await store.library.stand_ins()
    if not turns:
        return {}
    from entente.games.stood_in import on_their_lines

    return await on_their_lines(store, turns)


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
    """Export it; the path of the file. Raises SettingsError for a path at which something else than a file is.

    What `-` would be written to goes to stdout, and the path is empty.
    """
    from checkpoints.archive import export_game

    if file == _STDOUT:
        with TemporaryDirectory() as folder:
            written = Path(folder) / "game"
            await export_game(store.library, game, written)
            await asyncio.to_thread(_print_file, written)
        return ""
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


def plain_line(game: Listed) -> dict[str, Any]:
    """A game of a list, for programs."""
    return plain(game.summary) | {"stood_in": game.stood_in}


def plain(summary: GameSummary) -> dict[str, Any]:
    """The summary for programs."""
    return {
        "game": summary.id,
        "name": summary.name,
        "note": summary.note,
        "created": summary.created_at and summary.created_at.isoformat(),
        "phase": summary.stands_in,
        "status": _status(summary),
        "running_by": _plain_holder(summary.held_by) if summary.held_by else None,
        "outcome": summary.outcome and asdict(summary.outcome),
        "forked_from": summary.forked_from,
        "trusted": summary.is_trusted,
        "settings": dict(summary.settings),
        "damage": [str(error) for error in summary.damage],
    }


def _plain_holder(holder: Holder) -> dict[str, Any]:
    return {**holder._asdict(), "since": holder.since.isoformat()}


def games_table(games: Sequence[Listed]) -> Table:
    """A line a game, within 80 columns as long as few kinds of players are mixed; without columns that none needs."""
    length = _telling_length([game.summary.id for game in games])
    columns: dict[str, Callable[[Listed], str]] = {
        "Game": lambda game: game.summary.id[:length],
        "Name": lambda game: game.summary.name,
        "Begun": lambda game: begun(game.summary),
        "Phase": lambda game: game.summary.stands_in,
        "Status": lambda game: status(game.summary),
        "Winner": lambda game: winner(game.summary),
        "Players": lambda game: players(game.summary, game.stood_in),
        "From": lambda game: (game.summary.forked_from or "")[:length],
    }
    table = plain_table()
    table.padding = (0, 1, 0, 0)
    cells = {title: [*map(cell, games)] for title, cell in columns.items()}
    shown = {title: column for title, column in cells.items() if any(column) or title not in _RARE}
    for title in shown:
        table.add_column(title, no_wrap=title not in _WRAPPED, overflow="fold")
    for row in zip(*shown.values(), strict=True):
        table.add_row(*row)
    return table


def winner(summary: GameSummary) -> str:
    """Who has won, or how many share; empty while the game is not over."""
    if summary.outcome is None:
        return ""
    winners = summary.outcome.winners
    return winners[0] if len(winners) == 1 else f"{len(winners)} share"


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


def players(summary: GameSummary, stood_in: StandIns | None = None) -> str:
    """Which players play how many powers, and who stood in for them."""
    seats: dict[str, int] = {}
    if summary.damage:
        return _UNKNOWN
    for power, player in _seats(summary).items():
        names = " and ".join((stood_in or {}).get(power, ()))
        credited = f"{player} ({names} stood in)" if names else player
        seats[credited] = seats.get(credited, 0) + 1
    return ", ".join(f"{player} ×{count}" for player, count in seats.items())


def _print_file(path: Path) -> None:
    with path.open("rb") as file:
        copyfileobj(file, sys.stdout.buffer)
    sys.stdout.buffer.flush()


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
    where = summary.stands_in or "before its first phase"
    called = f" {summary.name!r}" if summary.name else ""
    return f"{summary.id}{called} ({where}, {status(summary)}, {players(summary)})"
