"""What a person has typed at a seat and not sent, kept for it until it is sent: for the terminal and the page alike."""

from checkpoints.drafts import SeatDraft
from checkpoints.store import Store
from entente.board.types import Phase, Power
from entente.errors import SettingsError
from entente.plain import storable

MOST_CHARS = 50_000
"""Of one draft; a turn may say less."""


async def keep_draft(store: Store, game: str, power: Power, phase: str, draft: SeatDraft) -> None:
    """Keep the draft in place of the seat's earlier one for the phase; an empty one is forgotten.

    What was sent leaves the draft by itself. Raises SettingsError for a draft that is too long, UnknownGame.
    """
    count = sum(map(len, draft.lines()))
    if count > MOST_CHARS:
        raise SettingsError(
            f"A draft of at most {MOST_CHARS} characters was wanted and one of {count} came; the one before it is kept."
        )
    kept = SeatDraft(
        messages=tuple(map(storable, draft.messages)),
        orders=tuple(map(storable, draft.orders)),
        draw=draft.draw,
        begun=storable(draft.begun),
    )
    await store.drafts.keep(game, power, phase, kept)


async def draft_of(store: Store, game: str, power: Power, phase: str) -> SeatDraft:
    """The seat's draft for the phase, empty where none is kept; for nobody but who sits there. Raises DamagedRow."""
    return await store.drafts.of(game, power, phase)


async def unsent_before(store: Store, game: str, power: Power, phase: str) -> dict[str, SeatDraft]:
    """What the seat had typed for earlier phases and never sent, the earliest phase first."""
    drafts = await store.drafts.of_seat(game, power)
    earlier = sorted((each for each in drafts if _place(each) < _place(phase)), key=_place)
    return {each: drafts[each] for each in earlier}


async def forget_draft(store: Store, game: str, power: Power, phase: str) -> None:
    """Forget what the seat has typed for the phase."""
    await store.drafts.keep(game, power, phase, SeatDraft())


def _place(phase: str) -> tuple[int, int, int]:
    return Phase.parse(phase).sort_key
