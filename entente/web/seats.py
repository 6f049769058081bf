"""Who sits where, who stands in for whom, and what it costs, as far as a reader may know."""

from collections.abc import Sequence

from pydantic import BaseModel

from checkpoints.store import Store
from entente.board.types import Power
from entente.events import Event, EventKind
from entente.games.roles import OPERATOR
from entente.games.runner import GameMaster
from entente.games.spending import spending_of
from entente.models.usage import UsageSummary
from entente.press.mailbox import Reader


class SeatLine(BaseModel):
    """A seat."""

    power: Power
    stand_in: str
    """Who took its latest turn that the reader was told of in place of the seat's own player; empty for nobody."""
    player: str | None
    """Who is seated there; the operator's to know, as is the next."""
    spent: dict[str, UsageSummary] | None
    """What its language models were called for, by model; empty without any."""


async def seat_lines(store: Store, game: str, reader: Reader, events: Sequence[Event]) -> list[SeatLine]:
    """Every seat in the map's order, for a reader who has been told these events; raises UnknownGame."""
    settings = await store.library.settings(game)
    stand_ins = _stand_ins(events)
    spent = await _spent(store, game) if reader == OPERATOR else None
    return [
        SeatLine(
            power=power,
            stand_in=stand_ins.get(power, ""),
            player=player if spent is not None else None,
            spent=spent.get(power, {}) if spent is not None else None,
        )
        for power, player in settings.seats.items()
    ]


def _stand_ins(events: Sequence[Event]) -> dict[Power, str]:
    """Who took each power's latest turn in its place, as events tell."""
    turns = (event for event in events if event.kind in (EventKind.TALKED, EventKind.ORDERED))
    return {event.power: str(event.data["stand_in"]) for event in turns if event.power}


async def _spent(store: Store, game: str) -> dict[Power, dict[str, UsageSummary]]:
    if not (await GameMaster(store).look(game)).has_begun:
        return {}
    spent: dict[Power, dict[str, UsageSummary]] = {}
    for seat, usage in (await spending_of(store, game)).by_seat.items():
        power, _, player = seat.partition(" ")
        spent.setdefault(power, {})[player] = usage
    return spent
