"""The work of `board`: a position, what became of its orders, and its map as a file."""

from pathlib import Path
from typing import NamedTuple

from checkpoints.store import Store
from entente.board.engine import Board
from entente.board.render import board_svg
from entente.board.types import OrderResult
from entente.cli.output import say
from entente.cli.pictures import map_to_open, show_picture, write_map, write_picture
from entente.errors import SettingsError
from entente.games.reading import board_at, results_of
from entente.players.record import PhaseRecord


class Look(NamedTuple):
    """A position that was looked at."""

    board: Board
    played: PhaseRecord | None
    """None while its phase is in play."""
    map_file: Path
    """Where a map of it lies that nobody has named a file for."""

    @property
    def results(self) -> list[OrderResult] | None:
        """What became of the phase's orders."""
        return results_of(self.played)


async def look_at(store: Store, game: str, at: str | None) -> Look:
    """The position in which the phase was ordered; now, when `at` is None. Raises UnknownPhase."""
    return Look(*await board_at(store, game, at), map_to_open(store.location, game))


def draw_map(look: Look, out: Path | None, *, is_opened: bool) -> None:
    """Write the map, and open it if that is wanted; raises SettingsError where it cannot be written."""
    svg, path = board_svg(look.board, look.results), out or look.map_file
    if out is not None:
        write_map(out, svg)
    else:
        try:
            write_picture(path, svg)
        except OSError as error:
            raise SettingsError(f"The map could not be written to {path} ({error.strerror}).") from error
    if is_opened:
        say(
            f"Map: {path}" if show_picture(path) else f"There is no screen to open it on. Map: {path}",
            whole=True,
        )
