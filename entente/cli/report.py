"""What is said when a run ends: the result, a table of centers, and where the final map lies."""

import asyncio
from pathlib import Path

import typer
from rich.console import Console
from rich.table import Table

from checkpoints.store import Store, default_folder
from entente.board.render import board_svg
from graph.master import RunEnd, Standing
from graph.state import GameState, board_of

_ENDS = {
    "solo": "{winners} wins alone.",
    "draw": "A draw agreed by {winners}.",
    "max_year": "The last year is over; {winners} share the draw.",
    "stalemate": "No center changed hands for years; {winners} share the draw.",
    "last_standing": "{winners} is the last power standing.",
}


async def report_end(store: Store, standing: Standing) -> None:
    """Tell how the run ended; for a finished game the table goes to stdout and the map into a file."""
    if standing.end is RunEnd.FINISHED:
        typer.echo(result_sentence(standing.state))
        Console().print(centers_table(standing.state))
        typer.echo(f"Final map: {await _write_map(store, standing)}")
        return
    who = ", ".join(seat.power for seat in standing.pending)
    game = standing.game
    if standing.end is RunEnd.WAITING:
        first = standing.pending[0].power
        typer.echo(f"Waiting for {who}: entente turn {game} {first}", err=True)
    else:
        typer.echo(f"Paused in {standing.state.get('phase', 'its opening')}: entente resume {game}", err=True)


def result_sentence(state: GameState) -> str:
    """How the game ended, in a sentence; who plays it on when it has not."""
    outcome = state.get("outcome")
    if outcome is None:
        return f"The game stands in {state['phase']}."
    return _ENDS[outcome["kind"]].format(winners=_listed(outcome["winners"])) + f" ({outcome['phase']})"


def centers_table(state: GameState) -> Table:
    """Powers by centers owned, most first."""
    board = board_of(state)
    table = Table(show_edge=False, pad_edge=False)
    table.add_column("Power")
    table.add_column("Player")
    table.add_column("Centers", justify="right")
    table.add_column("")
    counts = {power: len(board.position.centers[power]) for power in board.powers}
    for power in sorted(board.powers, key=lambda p: -counts[p]):
        table.add_row(power, state["settings"]["seats"][power], str(counts[power]), "█" * counts[power])
    return table


async def _write_map(store: Store, standing: Standing) -> Path:
    folder = Path(store.location)
    if not await asyncio.to_thread(folder.is_dir):  # memory, or a database server
        folder = default_folder()
    path = folder / "maps" / f"{standing.game}.svg"
    svg = board_svg(board_of(standing.state))
    await asyncio.to_thread(_write, path, svg)
    return path


def _write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")


def _listed(names: list[str]) -> str:
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"
