"""The conversation on the conductor's floor: the whole game as the seat has lived it, and what is new now.

Behind the system message, which is the same as on the other floor, stand the earlier phases, then the phase in play
with what can be ordered in it and the seat's memory as it began. Within a phase each call extends the one before it.
"""

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from entente.board.types import Phase, Power
from entente.models.wire import ChatMessage
from entente.players.actions import Action
from entente.players.bundle import Bundle
from entente.players.model.advice import advice_section
from entente.players.model.agent_context import vote_of
from entente.players.model.centers import threatened_centers
from entente.players.model.event_text import events_text, has_rejected
from entente.players.model.history import Block, Past, block_of, messages_of, past_of, windowed
from entente.players.model.layout import ledger_text, rejected_text
from entente.players.model.memory import memory_text
from entente.players.model.opening import (
    centers_section,
    diary_section,
    memory_at_opening,
    orders_task,
    reach_text,
    vote_text,
)
from entente.players.model.seat import Seat, joined, system_message
from entente.players.model.situation import situation
from entente.players.model.talk import folded_section
from entente.players.seat_events import SeatEvent, SeatPhase, SeatTurn, Status

_TALK_SHARE = 4
"""Of the window, at the most so much for what was said in turns that it leaves out."""


def lived_conversation(bundle: Bundle, seat: Seat) -> tuple[ChatMessage, ...]:
    """The messages of a call; of the bundle's history all that the seat's window has room for."""
    *phases, present = bundle.history
    past = past_of(phases, calls_tools=seat.calls_tools)
    *asked, last = _texts(bundle, present, _opening(bundle, present, past, seat), seat)
    blocks = [
        block_of(
            str(bundle.board.phase), text, turn, number=len(past.blocks) + n, calls_tools=seat.calls_tools
        )
        for n, (text, turn) in enumerate(zip(asked, present.turns, strict=True))
    ]
    present_chars = len(last) + sum(block.chars for block in blocks)
    lead, kept = _windowed(past.blocks, present_chars, bundle, seat)
    return (system_message(bundle, seat), *messages_of([*kept, *blocks], last, lead=lead))


def _windowed(
    blocks: Sequence[Block], present_chars: int, bundle: Bundle, seat: Seat
) -> tuple[str, Sequence[Block]]:
    """The blocks that the seat's window has room for, behind a text that tells of the others; empty for none."""
    letters = seat.letters_a_token(bundle)
    limit = seat.settings.history_chars(letters)
    if limit is None or present_chars + sum(block.chars for block in blocks) <= limit:
        return "", blocks
    talk_chars = min(seat.settings.max_past_press_chars(letters), limit // _TALK_SHARE)
    words = seat.texts.load("model_left_out")
    kept = windowed(blocks, present_chars + len(words) + talk_chars, limit)
    left_out = blocks[: len(blocks) - len(kept)]
    if not left_out:
        return "", blocks
    phase = kept[0].phase if kept else str(bundle.board.phase)
    told = seat.texts.fill("model_left_out", count=str(len(left_out)), phase=phase)
    return joined([told, folded_section(bundle, seat, Phase.parse(left_out[-1].phase), talk_chars)]), kept


def _opening(bundle: Bundle, present: SeatPhase, past: Past, seat: Seat) -> str:
    """What stood when the phase began; the same at each of its turns."""
    own = seat.texts.fill(
        "model_present",
        commitments=ledger_text(bundle.phase_ledger),
        centers=centers_section(bundle, threatened_centers(bundle.board, bundle.power)),
        situation=situation(bundle.board, bundle.power, short=seat.is_short),
        memory=memory_text(
            memory_at_opening(bundle), seat.settings.max_memory_chars(seat.letters_a_token(bundle))
        ),
    )
    is_open = bundle.board.phase.is_movement
    reach = reach_text(bundle) if is_open else ""
    return joined(
        [
            past.rest,
            events_text(present.opening),
            reach,
            diary_section(bundle, seat),
            own,
            advice_section(bundle, seat),
        ]
    )


class _Ask(NamedTuple):
    """One time that the seat is asked in the phase."""

    number: int
    """From 1."""
    heard: Sequence[SeatEvent]
    wants_orders: bool
    before: SeatTurn | None
    """Its turn before in the phase."""


def _texts(bundle: Bundle, present: SeatPhase, opening: str, seat: Seat) -> Iterator[str]:
    """What the seat was told at each of its turns in the phase, and is told now."""
    submitted: set[Power] = set()
    own: list[Action] = []
    for ask in _asks(bundle, present):
        submitted |= _submitters(ask.heard)
        own += (action for action, _ in ask.before.said) if ask.before else ()
        if any(action.tool == "submit_orders" for action in own):
            submitted.add(bundle.power)
        vote = vote_of(own)
        text = (
            _orders_text(bundle, ask, vote, seat)
            if ask.wants_orders
            else _wake_text(bundle, ask, submitted, vote, seat)
        )
        yield joined([opening, text] if ask.number == 1 else [text])


def _asks(bundle: Bundle, present: SeatPhase) -> Iterator[_Ask]:
    before = None
    for number, turn in enumerate(present.turns, 1):
        yield _Ask(number, turn.heard, turn.wants_orders, before)
        before = turn
    yield _Ask(len(present.turns) + 1, present.unread, bundle.wants_orders, before)


def _submitters(events: Iterable[SeatEvent]) -> set[Power]:
    return {
        str(event.payload["power"])
        for event in events
        if event.payload.get("status") == Status.ORDERS_SUBMITTED
    }


def _wake_text(bundle: Bundle, ask: _Ask, submitted: set[Power], vote: bool | None, seat: Seat) -> str:
    is_mending = ask.before is not None and any(has_rejected(echo) for _, echo in ask.before.said)
    mend = seat.texts.fill("model_mend") + "\n" if is_mending else ""
    return seat.texts.fill(
        "model_wake",
        phase=str(bundle.board.phase),
        number=str(ask.number),
        most=str(bundle.rules.max_wakes),
        news=events_text(ask.heard) or "Nothing new.",
        orders="\n".join(filter(None, [_submitted_text(bundle, submitted), vote_text(vote)])),
        mend=mend,
    )


def _orders_text(bundle: Bundle, ask: _Ask, vote: bool | None, seat: Seat) -> str:
    news = events_text(ask.heard)
    if ask.before is None or not ask.before.wants_orders:
        return orders_task(bundle, seat, news, vote)
    return joined([news, seat.texts.fill("model_rejected", lines=rejected_text(bundle.rejected))])


def _submitted_text(bundle: Bundle, submitted: set[Power]) -> str:
    def named(powers: Iterable[Power]) -> str:
        return ", ".join("you" if power == bundle.power else power for power in powers) or "nobody"

    wanted = bundle.board.to_order
    given = [power for power in wanted if power in submitted]
    return f"Submitted: {named(given)}. Awaited: {named(p for p in wanted if p not in submitted)}."
