"""The press of the phases behind the one in play, read from the journal: what was adjudicated never changes."""

from dataclasses import dataclass

from checkpoints.journal import Journal
from entente.board.types import Phase, Power
from entente.caches import GameCache
from entente.floors.journal_ledger import ledger_after
from entente.players.bundle import PastPress
from entente.players.record import PhaseRecord
from entente.press.ledger import Ledger
from entente.press.mailbox import readable
from entente.press.messages import Message

_YEARS = 2
"""So far back, whole game years: before that are the diaries, and what of commitments is still open."""


@dataclass(frozen=True, slots=True)
class PhasePress:
    """All that was sent in a movement phase, and everybody's commitments when it had been adjudicated."""

    phase: Phase
    messages: tuple[Message, ...]
    ledger: Ledger

    def seen_by(self, power: Power) -> PastPress:
        """What of it is the power's to know."""
        messages, known = readable(power, self.messages), self.ledger.seen_by(power)
        spoken = {message.id for message in messages}
        commitments = tuple(
            c for c in (*known.open, *known.ended) if c.ended == self.phase or spoken & {*c.messages}
        )
        return PastPress(self.phase, messages, commitments)


_known: GameCache[PhasePress] = GameCache(8)
"""By a phase's game and id."""


async def press_before(journal: Journal, game: str, head: str | None, year: int) -> tuple[PhasePress, ...]:
    """The movement phases from two years before the game year on, oldest first; `head` is the phase before."""
    records: list[PhaseRecord] = []
    async for record in journal.phases_back(game, head):
        if Phase.parse(record.phase).year < year - _YEARS:
            break
        records.insert(0, record)
    found: list[PhasePress] = []
    for record in records:
        if (phase := Phase.parse(record.phase)).is_movement:
            has_press = any(past.messages for past in found)
            found.append(await _press_of(journal, record, phase, has_press=has_press))
    return tuple(found)


async def _press_of(journal: Journal, record: PhaseRecord, phase: Phase, *, has_press: bool) -> PhasePress:
    """Of a phase of silence in a game that `has_press` the commitments still count: they may have ended in it."""
    key = (record.game, record.id)
    if key not in _known:
        messages = tuple(m for turn in await journal.turns_of(record) for m in turn.messages)
        ledger = await ledger_after(journal, record.game, record.id) if messages or has_press else Ledger()
        _known[key] = PhasePress(phase, messages, ledger)
    return _known[key]
