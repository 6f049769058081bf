"""The request to fold a diary: the one before it and what happened since, behind the seat's own system message.

Folding what is new into what was folded before keeps the prompt as short in 1920 as in 1902.
"""

from collections.abc import Sequence
from typing import NamedTuple

from entente.board.types import Power
from entente.models.wire import ChatMessage
from entente.players.bundle import Fold, PastPhase
from entente.players.model.agent_context import SpokenCommitment
from entente.players.model.layout import commitment_lines
from entente.players.model.memory import diary_text, memory_at_opening, memory_text
from entente.players.model.results import results_text
from entente.players.model.room import letters_of, room_of
from entente.players.model.seat import Seat, system_message
from entente.players.model.seat_context import seat_context
from entente.players.model.talk import talk_text

_PAST_TOKENS, _SHORT_PAST_TOKENS = 12_000, 3_000
"""Of what is folded: all press of two lively phases, or what small models have room for."""
_CHARS_PER_WORD = 6


class FoldPrompt(NamedTuple):
    """What a model is shown when it folds its diary."""

    messages: tuple[ChatMessage, ...]
    cut: tuple[str, ...]
    """A sentence for each part that was too long to be shown."""


def fold_prompt(fold: Fold, seat: Seat, *, limit: int | None = None, beside: int = 0) -> FoldPrompt:
    """The prompt, with the latest of the past phases that fit into `limit` characters; each has its share of them.

    Where the context has not even room for that and for `beside` more letters, fewer of them.
    """
    letters = seat.letters_a_token(fold.bundle)
    if limit is None:
        limit = int((_SHORT_PAST_TOKENS if seat.is_short else _PAST_TOKENS) * letters)
    prompt, room = _written(fold, seat, limit), room_of(fold.bundle, seat)
    if room is None or (surplus := letters_of(prompt.messages) + beside - room) <= 0:
        return prompt
    return _written(fold, seat, max(0, limit - surplus))


def _written(fold: Fold, seat: Seat, limit: int) -> FoldPrompt:
    bundle, settings, letters = fold.bundle, seat.settings, seat.letters_a_token(fold.bundle)
    memory = memory_at_opening(bundle)
    shown = _latest(bundle.power, fold.past, limit)
    past = "\n\n".join(filter(None, shown))
    task = seat.texts.fill(
        "model_fold",
        diary=diary_text(memory, settings.max_diary_chars(letters)),
        memory=memory_text(memory, settings.max_memory_chars(letters)),
        past=past[:limit] or "Nothing happened.",
        words=str(settings.max_diary_chars(letters) // _CHARS_PER_WORD),
    )
    system = system_message(seat_context(bundle, seat.guidance(bundle.power)), seat)
    too_far = fold.past[: len(fold.past) - len(shown)]
    cut = [f"{phase.position.phase} lies too far back and was left out of the fold." for phase in too_far]
    if len(past) > limit:
        cut.append(f"The past of the fold has {len(past)} characters; it was cut off at {limit}.")
    return FoldPrompt((system, ChatMessage(role="user", content=task)), tuple(cut))


def past_text(power: Power, past: PastPhase, limit: int) -> str:
    """A phase as the power knows it: its orders, what was said, committed to and kept, and what changed.

    What was said is whole where that fits into `limit` characters, else with whom something is open. Empty for a phase
    in which the power had no part and nothing changed.
    """
    phase = str(past.position.phase)
    own = [result for result in past.results if result.power == power]
    parts = [
        results_text(own) if own else "",
        talk_text(power, past.messages, [*map(SpokenCommitment.of, past.commitments)], limit),
        *commitment_lines(past.commitments),
        *(event.removeprefix(f"{phase}: ") for event in past.events),
    ]
    told = "\n".join(filter(None, parts))
    return f"# {phase}\n{told}" if told else ""


def _latest(power: Power, past: Sequence[PastPhase], limit: int) -> list[str]:
    """The texts of the latest phases that fit, oldest first; one at least, however long it is."""
    texts: list[str] = []
    share = limit // max(1, sum(bool(phase.messages) for phase in past))
    for phase in reversed(past):
        text = past_text(power, phase, share)
        if texts and sum(map(len, texts)) + len(text) > limit:
            break
        texts.insert(0, text)
    return texts
