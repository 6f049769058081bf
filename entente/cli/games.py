"""`entente games`: the games of a store, listed, looked at, removed and moved."""

from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console
from rich.table import Table

from checkpoints import archive
from checkpoints.library import GameSummary
from checkpoints.store import Store
from entente.cli.options import (
    GameArgument,
    JsonOption,
    StoreOption,
    print_json,
    run_async,
    store_at,
    with_game,
)
from entente.cli.report import centers_table, result_sentence
from graph.context import GameSettings
from graph.digest import journal_digest, state_digest
from graph.master import GameMaster, Standing

games = typer.Typer(help="List, show, copy, delete, prune, export and import games.", no_args_is_help=True)


@games.command("list")
def list_games(as_json: JsonOption = False, store: StoreOption = None) -> None:
    """List all games, newest first."""
    summaries = run_async(_summaries(store))
    if as_json:
        print_json([_plain(summary) for summary in summaries])
        return
    if not summaries:
        typer.echo("No games yet; `entente play` begins one.", err=True)
        return
    table = Table(show_edge=False, pad_edge=False)
    for title in ("Game", "Begun", "Phase", "Status", "Players"):
        table.add_column(title, no_wrap=title != "Players")
    for summary in reversed(summaries):
        table.add_row(
            summary.id,
            f"{summary.created_at:%Y-%m-%d %H:%M}",
            summary.phase,
            _status(summary),
            _players(summary),
        )
    Console().print(table)


@games.command()
def show(game: GameArgument, as_json: JsonOption = False, store: StoreOption = None) -> None:
    """Show one game: its settings, how it stands, and digests by which equal games are known."""
    summary, standing, digests = with_game(store, game, _look)
    if as_json:
        print_json(_plain(summary) | {"pending": [seat.power for seat in standing.pending]} | digests)
        return
    typer.echo(f"Game {summary.id}\nStatus {_status(summary)}")
    if standing.has_begun:
        typer.echo(result_sentence(standing.state))
        Console().print(centers_table(standing.state))
    for name, value in (summary.settings | digests).items():
        if name != "seats":
            typer.echo(f"{name}: {value}")


@games.command()
def delete(game: GameArgument, store: StoreOption = None) -> None:
    """Delete a game for good: its checkpoints, its press, everything."""
    typer.echo(f"Deleted {with_game(store, game, _delete)}.")


@games.command()
def prune(game: GameArgument, store: StoreOption = None) -> None:
    """Delete all checkpoints of a game but the latest; it can go on, but not be forked at an earlier phase."""
    typer.echo(f"Pruned {with_game(store, game, _prune)}.")


@games.command("copy")
def copy_game(game: GameArgument, store: StoreOption = None) -> None:
    """Copy a whole game, with its history, under a new id."""
    typer.echo(with_game(store, game, lambda s, g: s.library.copy(g)))


@games.command("export")
def export_game(
    game: GameArgument,
    file: Annotated[
        Path | None, typer.Argument(help="The file to write. Default: GAME.entente here.")
    ] = None,
    store: StoreOption = None,
) -> None:
    """Write a whole game into one file, for another store or machine."""
    typer.echo(with_game(store, game, lambda s, g: _export(s, g, file)))


@games.command("import")
def import_game(
    file: Annotated[Path, typer.Argument(help="A file that `export` has written.")],
    store: StoreOption = None,
) -> None:
    """Read a game from a file; it keeps its id, and can be resumed."""
    typer.echo(run_async(_import(store, file)))


async def _summaries(location: str | None) -> list[GameSummary]:
    async with store_at(location) as store:
        return await store.library.games()


async def _look(store: Store, game: str) -> tuple[GameSummary, Standing, dict[str, str]]:
    standing = await GameMaster(store).look(game)
    digests: dict[str, str] = {}
    if standing.has_begun:
        digests = {
            "state_digest": state_digest(standing.state),
            "journal_digest": await journal_digest(store.journal, game, standing.state),
        }
    return await store.library.summary(game), standing, digests


async def _delete(store: Store, game: str) -> str:
    await store.library.delete(game)
    return game


async def _prune(store: Store, game: str) -> str:
    await store.library.prune(game)
    return game


async def _export(store: Store, game: str, file: Path | None) -> str:
    path = file or Path(f"{game}.entente")
    await archive.export_game(store.library, game, path)
    return str(path)


async def _import(location: str | None, file: Path) -> str:
    async with store_at(location) as store:
        return await archive.import_game(store.library, file)


def _plain(summary: GameSummary) -> dict[str, Any]:
    return {
        "game": summary.id,
        "created": summary.created_at.isoformat(),
        "phase": summary.phase,
        "status": summary.status,
        "running_by": str(summary.held_by) if summary.held_by else None,
        "forked_from": summary.forked_from,
        "settings": dict(summary.settings),
    }


def _status(summary: GameSummary) -> str:
    if summary.held_by:
        return f"being played by process {summary.held_by.pid} on {summary.held_by.host}"
    # A game that says "playing" while nobody holds it was killed; `resume` goes on with it.
    return "killed" if summary.status == "playing" else summary.status


def _players(summary: GameSummary) -> str:
    seats: dict[str, list[str]] = {}
    for power, player in GameSettings.model_validate(summary.settings).seats.items():
        seats.setdefault(player, []).append(power[:3])
    return ", ".join(f"{player} ×{len(powers)}" for player, powers in seats.items())
