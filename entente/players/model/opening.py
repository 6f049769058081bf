"""The texts of a phase that are the same on every floor: the seat's memory as it began, and what is to be ordered."""

from collections.abc import Mapping, Sequence

from pydantic import JsonValue

from entente.board.types import Power, Province
from entente.players.model.agent_context import SeatContext
from entente.players.model.layout import commitment_lines
from entente.players.model.memory import diary_text
from entente.players.model.seat import Seat
from entente.players.model.survey import NOBODY

SHOWN_ABOVE = "What was said stands above."
"""In a task, instead of what is new and what was agreed, where both stand above it."""


def diary_section(context: SeatContext, seat: Seat) -> str:
    """The diary under its heading, as it stood when the phase began; empty when there is none."""
    return diary_told(
        context.memory_at_opening, seat.settings.max_diary_chars(seat.letters_a_token(context)), seat
    )


def diary_told(memory: Mapping[str, JsonValue], chars: int, seat: Seat) -> str:
    """The diary of this memory under its heading, within so many letters; empty when there is none."""
    diary = diary_text(memory, chars)
    return seat.texts.fill("model_diary", diary=diary) if diary else ""


def centers_with_changes(context: SeatContext) -> str:
    """Which centers have changed hands since the latest movement phase, then the rest that is to be said of them."""
    past, now = _owners(context.last_movement.centers), _owners(context.public_game_state.centers)
    changed = ", ".join(
        f"{center} ({past.get(center, NOBODY)} to {owner})"
        for center, owner in now.items()
        if past and past.get(center) != owner
    )
    told = f"Changed hands since {context.last_movement.phase_name}: {changed}." if changed else ""
    return "\n".join(filter(None, [told, context.centers]))


def _owners(centers: Mapping[Power, Sequence[Province]]) -> dict[Province, Power]:
    return {center: power for power, own in centers.items() for center in own}


def reach_text(context: SeatContext) -> str:
    """Whom one can write to, a sentence."""
    return f"You can write to {', '.join(context.press_allowed) or 'nobody'}."


def vote_text(vote: bool | None) -> str:
    """How the seat has voted in this phase, a sentence; empty where it has not."""
    if vote is None:
        return ""
    return f"You have voted {'for' if vote else 'against'} a draw in this phase; how others vote is secret."


def orders_task(context: SeatContext, seat: Seat, news: str, vote: bool | None) -> str:
    """What is to be ordered, behind what is new, what was agreed since the phase began and how the seat has voted."""
    now = context.commitments_now.open
    is_told = news == SHOWN_ABOVE or now == context.commitments.open
    lines = [] if is_told else commitment_lines(now)
    told = [news, *(["Open commitments:", *lines] if lines else []), vote_text(vote)]
    return seat.texts.fill(
        "model_orders",
        phase=context.current_phase_info.phase_name,
        news="".join(f"{part}\n" for part in told if part),
        wanted=context.wanted,
    )
