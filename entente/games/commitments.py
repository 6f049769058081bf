"""Every commitment of a game that one reader may know of, from the first phase on."""

from checkpoints.store import Store
from entente.floors.journal_ledger import after_turns, ledger_after
from entente.games.horizon import horizon_of
from entente.games.line import phases_on_line
from entente.games.runner import standing_of
from entente.press.commitments import Commitment
from entente.press.ledger import Ledger
from entente.press.mailbox import Reader
from graph.state import board_from, board_of


async def commitments_for(store: Store, game: str, reader: Reader) -> list[Commitment]:
    """As they stand by now for the reader, in the order of making; none before the game has begun.

    Raises UnknownGame, StoreUnavailable.
    """
    horizon = await horizon_of(store, game, reader)
    standing = await standing_of(store, game)
    if not standing.has_begun:
        return []
    known: dict[str, Commitment] = {}
    ledger = Ledger()
    for played in await phases_on_line(store.journal, game, standing.state):
        record = played.record
        if record is None or horizon.hides(record):
            segments = played.segments if record else (*played.segments, *standing.tasks)
            turns = [turn for turn in await store.journal.turns(game, segments) if not horizon.hides(turn)]
            board = board_from(record.board) if record else board_of(standing.state)
            ledger = after_turns(ledger, turns, board)
            break
        ledger = await ledger_after(store.journal, game, record.id)
        known |= {each.id: each for each in ledger.ended}
    known |= {each.id: each for each in (*ledger.ended, *ledger.open)}
    seen = [each for each in known.values() if each.is_visible_to(reader)]
    return sorted(seen, key=lambda each: each.made.sort_key)
