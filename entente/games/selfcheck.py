"""Whether every game of a store is whole: its rows, its state, and what each needs of the others."""

from collections.abc import Iterable

from checkpoints.damage import is_text, missing
from checkpoints.selfcheck import check_rows
from checkpoints.store import Store
from checkpoints.tables import SEGMENTS, TURNS
from entente.errors import DamagedRow
from entente.floors.recorded import gives_orders
from entente.games.line import records_on_line
from entente.games.runner import standing_of
from entente.games.standing import unlike_a_state
from entente.players.record import PhaseRecord, TurnRecord
from graph.state import GameState


async def check_store(store: Store) -> list[DamagedRow]:
    """What is wrong with the store, each thing once, changing nothing.

    Raises StoreUnavailable for a store that cannot be read at all, or is of another schema.
    """
    found = await store.library.database.read(lambda connection: check_rows(connection, store.leases))
    for summary in await store.library.games():
        if is_text(summary.id):
            found += [*await check_line(store, summary.id), *await unlike_a_state(store, summary.id)]
        found += summary.damage
    return [*{str(error): error for error in found}.values()]


async def check_line(store: Store, game: str) -> list[DamagedRow]:
    """What is wrong with the game's state, and with what the journal has of the line that led to it."""
    try:
        standing = await standing_of(store, game)
        if not standing.has_begun:
            return []
        records = await records_on_line(store.journal, game, standing.state)
        opened = {segment.id for segment in await store.journal.segments(game)}
    except DamagedRow as error:
        return [error]
    lost = [segment for segment in standing.state.get("segments", []) if segment not in opened]
    return [
        *(missing(SEGMENTS, game, segment, "the game's state") for segment in lost),
        *_lost_orders(game, standing.state, records),
    ]


def _lost_orders(
    game: str, state: GameState, records: Iterable[TurnRecord | PhaseRecord]
) -> Iterable[DamagedRow]:
    """Orders that were adjudicated, or stand in the state, and that no turn has given."""
    given: set[tuple[str, str]] = set()
    for record in records:
        if isinstance(record, TurnRecord):
            if record.stage == "orders" or gives_orders(record):
                given.add((record.phase, record.power))
            continue
        for power in sorted({result.power for result in record.results if not result.is_default}):
            if (record.phase, power) not in given:
                yield missing(TURNS, game, f"{record.phase}/{power}", "what was adjudicated")
    for power, orders in state.get("orders", {}).items():
        if orders and (state["phase"], power) not in given:
            yield missing(TURNS, game, f"{state['phase']}/{power}", "the game's state")
