"""What is said when a run ends: the result, a table of centers, and where the final map lies."""

import asyncio
from collections.abc import Mapping

from rich.table import Table

from checkpoints.locations import MEMORY
from checkpoints.store import Store
from entente.board.render import board_svg
from entente.board.types import Power
from entente.cli.lines import clock_text
from entente.cli.output import can_ask, plain_table, print_table, say, tell
from entente.cli.pictures import map_file, write_picture
from entente.cli.situation import stand_in_lines
from entente.cli.store_option import command_for
from entente.games.endings import end_sentence
from entente.games.line import played_by
from entente.games.runner import PendingSeat, RunEnd, Standing
from graph.state import GameState, board_of

EXITS = {RunEnd.FINISHED: 0, RunEnd.PAUSED: 5, RunEnd.WAITING: 6}
"""The exit code for each way in which a run ends; `entente.cli.main.EXIT_CODES` says what they mean."""


async def report_end(store: Store, standing: Standing) -> None:
    """Tell how the run ended; for a finished game the table goes to stdout and the map into a file."""
    if standing.has_begun:
        for line in await stand_in_lines(store, standing):
            say(line)
    match standing.end:
        case RunEnd.FINISHED:
            tell(result_sentence(standing.state))
            credited = await played_by(store.journal, standing.game, standing.state)
            print_table(centers_table(standing.state, credited))
            await _leave_map(store, standing)
        case RunEnd.WAITING:
            for seat in standing.pending:
                say(f"Waiting for {seat.power}: {_turn(store, standing, seat)}", whole=True)
            if standing.until is not None:
                closing = next_command(store, f"resume {standing.game}")
                until = clock_text(standing.until)
                say(
                    f"{standing.state['phase']} is open until {until}; after that it is closed by: {closing}",
                    whole=True,
                )
            for seat in standing.open:
                if seat.is_optional:
                    say(f"{seat.power} may write, too: {_turn(store, standing, seat)}", whole=True)
        case RunEnd.PAUSED:
            phase = standing.state.get("phase", "its opening")
            say(f"Paused in {phase}: {next_command(store, f'resume {standing.game}')}", whole=True)


def result_sentence(state: GameState) -> str:
    """How the game ended, in a sentence; where it stands when it has not."""
    outcome = state["outcome"]
    if outcome is None:
        return f"The game stands in {state['phase']}."
    return end_sentence(outcome["kind"], outcome["winners"], outcome["phase"])


def centers_table(state: GameState, credited: Mapping[Power, str]) -> Table:
    """Powers by centers owned, most first, with who has played them, as `played_by` says, or else whose the seat is."""
    board = board_of(state)
    table = plain_table()
    table.add_column("Power")
    table.add_column("Player", overflow="fold")
    table.add_column("Centers", justify="right")
    table.add_column("")
    players = {**state["settings"]["seats"], **credited}
    counts = {power: len(board.position.centers[power]) for power in board.powers}
    for power in sorted(board.powers, key=lambda p: -counts[p]):
        table.add_row(power, players[power], str(counts[power]), "█" * counts[power])
    return table


def next_command(store: Store, command: str) -> str:
    """The command that goes on with a game, as it can be typed here; of a game in memory, that it is gone."""
    if store.location == MEMORY:
        return "it was kept in memory alone, and is gone"
    return command_for(store.location, command)


def _turn(store: Store, standing: Standing, seat: PendingSeat) -> str:
    """At a terminal somebody may stay; who pipes an answer in gives it and goes."""
    return next_command(store, f"turn {standing.game} {seat.power}{' --stay' if can_ask() else ''}")


async def _leave_map(store: Store, standing: Standing) -> None:
    path = await asyncio.to_thread(map_file, store.location, standing.game)
    svg = board_svg(board_of(standing.state))
    try:
        await asyncio.to_thread(write_picture, path, svg)
    except OSError as error:  # the game is played and kept, whatever becomes of its picture
        again = next_command(store, f"board {standing.game} --svg")
        say(f"The final map could not be written to {path} ({error.strerror}): {again}", whole=True)
    else:
        tell(f"Final map: {path}", whole=True)
