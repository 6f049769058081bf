"""What a person has typed at a seat and not sent, kept for it until it is sent: for the terminal and the page alike."""

from typing import cast

from pydantic import JsonValue

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
    """What the seat had typed for earlier phases and nobody was given, the earliest phase first."""
    drafts = await store.drafts.of_seat(game, power)
    for early in await store.early.waiting(game):
        if early.power == power:
            drafts[early.phase] = _with_early(drafts.get(early.phase, SeatDraft()), early.answer)
    earlier = sorted((each for each in drafts if _place(each) < _place(phase)), key=_place)
    return {each: drafts[each] for each in earlier}


async def forget_draft(store: Store, game: str, power: Power, phase: str) -> None:
    """Forget what the seat has typed for the phase, and what it has sent and the game has not taken."""
    await store.drafts.keep(game, power, phase, SeatDraft())
    await store.early.forget(game, power, phase)


def _with_early(draft: SeatDraft, answer: JsonValue) -> SeatDraft:
    """The draft with what was sent early and never taken, as it can be typed again."""
    sent = answer if isinstance(answer, dict) else {}
    letters = cast("list[dict[str, str]]", sent.get("messages") or [])
    orders = cast("list[str]", sent.get("orders") or [])
    return draft.model_copy(
        update={
            "messages": (*(f"{each['to']}: {each['text']}" for each in letters), *draft.messages),
            "orders": (*orders, *draft.orders),
        }
    )


def _place(phase: str) -> tuple[int, int, int]:
    return Phase.parse(phase).sort_key
