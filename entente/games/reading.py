"""The work of `board` and `press`: what of a game one reader may see, from the journal."""

from typing import NamedTuple

from checkpoints.store import Store
from entente.board.engine import Board
from entente.board.types import OrderResult, Phase
from entente.errors import NotBegun, SettingsError, UnknownPhase
from entente.events import EventKind
from entente.floors.floor import Floor, floor_in
from entente.games.feed import events_on_line
from entente.games.line import line_to
from entente.games.standing import standing_of
from entente.players.record import PhaseRecord
from entente.press.mailbox import Delayed, Reader
from entente.press.messages import Message
from graph.state import GameState, board_from, board_of


async def board_at(store: Store, game: str, at: str | None) -> tuple[Board, PhaseRecord | None]:
    """The position in which the phase was ordered, with what was ordered; now, with None, when `at` is None.

    Raises UnknownPhase.
    """
    state = await begun_state(store, game)
    if at is None or (wanted := str(Phase.parse(at))) == state["phase"]:
        return board_of(state), None
    played = await store.journal.phases(game, state["history"])
    for record in played:
        if record.phase == wanted:
            return board_from(record.board), record
    phases = [record.phase for record in played] + [state["phase"]]
    raise UnknownPhase(
        f"A phase that was played, from {phases[0]} to {phases[-1]}, was wanted and {wanted} came; nothing was read."
    )


class Sent(NamedTuple):
    """A message, and when it was committed."""

    message: Message
    at: float | None
    """Seconds since 1970, UTC; None in games of before such times were kept."""


class Press(NamedTuple):
    """What one reader may read of a game's press."""

    messages: list[Sent]
    """Oldest first."""
    floor: Floor
    """It says when each was sent."""


async def press_for(store: Store, game: str, reader: Reader) -> Press:
    """The press that the reader may read by now; raises NotBegun."""
    state = await begun_state(store, game)
    line = await line_to(store.journal, game, state)
    written = [
        Sent(Message.model_validate(event.data), event.at)
        for event in await events_on_line(store, game, reader, line)
        if event.kind is EventKind.MESSAGE
    ]
    return Press(written, floor_in(state))


def results_of(played: PhaseRecord | None) -> list[OrderResult] | None:
    """What became of the phase's orders as the journal has it, whatever the engine would say today."""
    return None if played is None else [result.result() for result in played.results]


async def begun_state(store: Store, game: str) -> GameState:
    """The game's present state; raises NotBegun for a game that has none yet."""
    standing = await standing_of(store, game)
    if not standing.has_begun:
        raise NotBegun(f"Game {game} was opened and has not begun.")
    return standing.state


async def reader_named(store: Store, game: str, power: str | None, delay: int | None = None) -> Reader:
    """Who reads the game by this name, or the public so many phases later; the operator for neither.

    Raises UnknownPower; SettingsError for both.
    """
    if delay is not None:
        if power is not None:
            raise SettingsError("Either --power or --delay was wanted and both came; nothing was printed.")
        return Delayed(delay)
    if power is None:
        return "OPERATOR"
    if power.strip().upper() == "PUBLIC":
        return "PUBLIC"
    return Board.start((await store.library.settings(game)).map_name).check_power(power)
