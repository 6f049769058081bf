"""The work of `board`, `press` and `log`: what of a game one reader may see, from the journal."""

from typing import NamedTuple

from checkpoints.store import Store
from entente.board.engine import Board
from entente.board.types import OrderResult, Phase
from entente.errors import NotBegun, UnknownPhase
from entente.events import Event
from entente.floors.floor import Floor, floor_in
from entente.games.line import records_on_line
from entente.games.runner import GameMaster
from entente.players.projection import events_of, press_of
from entente.players.record import PhaseRecord, TurnRecord
from entente.press.mailbox import Reader
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


class Press(NamedTuple):
    """What one reader may read of a game's press."""

    messages: list[Message]
    """Oldest first."""
    floor: Floor
    """It says when each was sent."""


async def press_for(store: Store, game: str, power: str | None) -> Press:
    """The press that the reader may read; all of it for None. Raises UnknownPower."""
    state = await begun_state(store, game)
    reader = _reader(state, power)
    records = await records_on_line(store.journal, game, state)
    messages = press_of([record for record in records if isinstance(record, TurnRecord)], reader)
    return Press(messages, floor_in(state))


async def events_for(store: Store, game: str, power: str | None) -> list[Event]:
    """What the reader may know of what happened, oldest first; all of it for None. Raises UnknownPower."""
    state = await begun_state(store, game)
    reader = _reader(state, power)
    stretches = await _stretches(store, game, state)
    return [
        event
        for record in await records_on_line(store.journal, game, state)
        for event in events_of(
            record, reader, stretches.get(record.segment) if isinstance(record, TurnRecord) else None
        )
    ]


async def _stretches(store: Store, game: str, state: GameState) -> dict[str, int]:
    """By segment the number of its stretch of talk, where powers are woken in it; empty elsewhere."""
    if not floor_in(state).reads_at_once:
        return {}
    return {segment.id: segment.round for segment in await store.journal.segments(game)}


def results_of(played: PhaseRecord | None) -> list[OrderResult] | None:
    """What became of the phase's orders as the journal has it, whatever a judge would say today."""
    return None if played is None else [result.result() for result in played.results]


async def begun_state(store: Store, game: str) -> GameState:
    """The game's present state; raises NotBegun for a game that has none yet."""
    standing = await GameMaster(store).look(game)
    if not standing.has_begun:
        raise NotBegun(f"Game {game} was opened and has not begun.")
    return standing.state


def _reader(state: GameState, power: str | None) -> Reader:
    if power is None:
        return "OPERATOR"
    return "PUBLIC" if power.strip().upper() == "PUBLIC" else board_of(state).check_power(power)
