"""The game so far as some of its powers have lived it: what their models' conversations are made of.

A phase that was adjudicated never changes, so that each is read from the journal and projected once.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from checkpoints.journal import Journal
from entente.board.engine import Board
from entente.board.types import Power
from entente.caches import GameCache
from entente.players.lived import lived_phase, opening_of
from entente.players.record import PhaseRecord, TurnRecord
from entente.players.seat_events import SeatEvent, SeatPhase
from graph.state import board_from

_lived: GameCache[dict[Power, SeatPhase]] = GameCache(8)
"""What powers have lived in a phase, by its game and id."""


@dataclass(frozen=True, slots=True)
class Lives:
    """What lies behind each of these powers, and the opening of the phase in play."""

    game: str
    past: Mapping[Power, tuple[SeatPhase, ...]]
    """Of these powers and of no others."""
    opening: tuple[SeatEvent, ...] = ()

    def of(
        self, power: Power, board: Board, turns: Sequence[TurnRecord], fold: TurnRecord | None
    ) -> tuple[SeatPhase, ...]:
        """The power's whole history, to the latest of these turns of the phase in play; empty for other powers."""
        if power not in self.past:
            return ()
        return (*self.past[power], lived_phase((self.game, "", power), board, self.opening, turns, fold))


async def read_lives(
    journal: Journal, game: str, head: str | None, board: Board, powers: Sequence[Power]
) -> Lives:
    """What these powers have lived up to this board; `head` is the phase before, None for none."""
    if not powers:
        return Lives(game, {})
    records = [record async for record in journal.phases_back(game, head)][::-1]
    phases = [
        await _phase(journal, record, before, powers)
        for record, before in zip(records, [None, *records], strict=False)
    ]
    past = {power: tuple(phase[power] for phase in phases) for power in powers}
    return Lives(game, past, opening_of(board, records[-1] if records else None))


async def _phase(
    journal: Journal, record: PhaseRecord, before: PhaseRecord | None, powers: Sequence[Power]
) -> Mapping[Power, SeatPhase]:
    key = (record.game, record.id)
    known = _lived.get(key, {})
    missing = [power for power in powers if power not in known]
    if not missing:
        return known
    board = board_from(record.board)
    opening = opening_of(board, before)
    turns = [turn for turn in await journal.turns_of(record) if turn.stage != "diary"]
    new = {power: lived_phase((*key, power), board, opening, turns) for power in missing}
    _lived[key] = phases = known | new
    return phases
