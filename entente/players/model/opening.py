"""The texts of a phase that are the same on every floor: the seat's memory as it began, and what is to be ordered."""

from collections.abc import Mapping, Sequence

from pydantic import JsonValue

from entente.board.types import Province
from entente.players.bundle import Bundle
from entente.players.model.aim import quiet_text
from entente.players.model.centers import centers_text
from entente.players.model.layout import commitment_lines, wanted_text
from entente.players.model.memory import diary_text
from entente.players.model.seat import Seat


def memory_at_opening(bundle: Bundle) -> Mapping[str, JsonValue]:
    """The memory as it stood when the phase began, which is what its opening shows."""
    return bundle.memory if bundle.phase_memory is None else bundle.phase_memory


def diary_section(bundle: Bundle, seat: Seat) -> str:
    """The diary under its heading; empty when there is none."""
    diary = diary_text(memory_at_opening(bundle), seat.settings.max_diary_chars(seat.letters_a_token(bundle)))
    return seat.texts.fill("model_diary", diary=diary) if diary else ""


def centers_section(bundle: Bundle, threatened: Mapping[Province, Sequence[str]]) -> str:
    """When centers change hands and which may; empty where there is nothing to say of it."""
    told = centers_text(threatened, bundle.board, bundle.power)
    return "\n".join(filter(None, [told, quiet_section(bundle)]))


def quiet_section(bundle: Bundle) -> str:
    """That the game is about to end because no center changes hands; empty while it is not."""
    return quiet_text(bundle.rules, bundle.last_change_year, bundle.board.phase.year)


def reach_text(bundle: Bundle) -> str:
    """Whom one can write to, a sentence."""
    return f"You can write to {', '.join(bundle.press_allowed) or 'nobody'}."


def vote_text(vote: bool | None) -> str:
    """How the seat has voted in this phase, a sentence; empty where it has not."""
    if vote is None:
        return ""
    return f"You have voted {'for' if vote else 'against'} a draw in this phase; how others vote is secret."


def orders_task(bundle: Bundle, seat: Seat, news: str, vote: bool | None) -> str:
    """What is to be ordered, behind what is new, what was agreed and how the seat has voted."""
    lines = commitment_lines(bundle.ledger.open)
    told = [news, *(["Open commitments:", *lines] if lines else []), vote_text(vote)]
    return seat.texts.fill(
        "model_orders",
        phase=str(bundle.board.phase),
        news="".join(f"{part}\n" for part in told if part),
        wanted=wanted_text(bundle.board, bundle.power),
    )
