"""The conversation on the conductor's floor: the whole game as the seat has lived it, and what is new now.

Behind the system message, which is the same as on the other floor, stand the earlier phases, then the phase in play
with what can be ordered in it and the seat's memory as it began. Within a phase each call extends the one before it.
"""

from collections.abc import Container, Iterable, Iterator, Sequence
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
from entente.players.model.layout import MAX_REJECTED_CHARS, ledger_text, rejected_text
from entente.players.model.memory import memory_text
from entente.players.model.opening import (
    centers_section,
    diary_section,
    memory_at_opening,
    orders_task,
    reach_text,
    vote_text,
)
from entente.players.model.room import letters_of
from entente.players.model.seat import Seat, joined, system_message
from entente.players.model.situation import situation
from entente.players.model.talk import folded_section
from entente.players.seat_events import SeatEvent, SeatPhase, SeatTurn, Status

_TALK_SHARE = 4
"""Of the window, at the most so much for what was said in turns that it leaves out."""


def lived_conversation(bundle: Bundle, seat: Seat, room: int | None = None) -> tuple[ChatMessage, ...]:
    """The messages of a call; of the bundle's history all that the seat's window has room for.

    Earlier phases are left out also where all of it would have more than `room` letters; the phase in play never is.
    """
    system = system_message(bundle, seat)
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
    limit = None if room is None else room - letters_of([system])
    lead, kept = _windowed(past.blocks, present_chars, bundle, seat, limit)
    return (system, *messages_of([*kept, *blocks], last, lead=lead))


def _windowed(
    blocks: Sequence[Block], present_chars: int, bundle: Bundle, seat: Seat, room: int | None
) -> tuple[str, Sequence[Block]]:
    """The blocks that there is room for, behind a text that tells of the others; empty for none."""
    letters = seat.letters_a_token(bundle)
    limit = min(
        (each for each in (seat.settings.history_chars(letters), room) if each is not None), default=None
    )
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
    submitted: frozenset[Power]
    """Who had given orders by then."""
    vote: bool | None
    """How it had voted on a draw by then."""


def _texts(bundle: Bundle, present: SeatPhase, opening: str, seat: Seat) -> Iterator[str]:
    """What the seat was told at each of its turns in the phase, and is told now."""
    for ask in _asks(bundle, present):
        text = _ask_text(bundle, ask, events_text(ask.heard), seat)
        yield joined([opening, text] if ask.number == 1 else [text])


def present_task(bundle: Bundle, seat: Seat, news: str, rejected: int) -> str:
    """What is wanted now, behind this news instead of all that is new, with so many letters for rejected lines."""
    *_, ask = _asks(bundle, bundle.history[-1])
    return _ask_text(bundle, ask, news, seat, rejected)


def _ask_text(bundle: Bundle, ask: _Ask, news: str, seat: Seat, rejected: int = MAX_REJECTED_CHARS) -> str:
    if not ask.wants_orders:
        return _wake_text(bundle, ask, news, seat)
    if ask.before is None or not ask.before.wants_orders:
        return orders_task(bundle, seat, news, ask.vote)
    return joined([news, seat.texts.fill("model_rejected", lines=rejected_text(bundle.rejected, rejected))])


def _asks(bundle: Bundle, present: SeatPhase) -> Iterator[_Ask]:
    submitted: set[Power] = set()
    own: list[Action] = []
    before = None
    heard = [
        *((turn.heard, turn.wants_orders) for turn in present.turns),
        (present.unread, bundle.wants_orders),
    ]
    for number, (events, wants_orders) in enumerate(heard, 1):
        submitted |= _submitters(events)
        own += (action for action, _ in before.said) if before else ()
        if any(action.tool == "submit_orders" for action in own):
            submitted.add(bundle.power)
        yield _Ask(number, events, wants_orders, before, frozenset(submitted), vote_of(own))
        before = present.turns[number - 1] if number <= len(present.turns) else None


def _submitters(events: Iterable[SeatEvent]) -> set[Power]:
    return {
        str(event.payload["power"])
        for event in events
        if event.payload.get("status") == Status.ORDERS_SUBMITTED
    }


def _wake_text(bundle: Bundle, ask: _Ask, news: str, seat: Seat) -> str:
    is_mending = ask.before is not None and any(has_rejected(echo) for _, echo in ask.before.said)
    mend = seat.texts.fill("model_mend") + "\n" if is_mending else ""
    return seat.texts.fill(
        "model_wake",
        phase=str(bundle.board.phase),
        number=str(ask.number),
        most=str(bundle.rules.max_wakes),
        news=news or "Nothing new.",
        orders="\n".join(filter(None, [_submitted_text(bundle, ask.submitted), vote_text(ask.vote)])),
        mend=mend,
    )


def _submitted_text(bundle: Bundle, submitted: Container[Power]) -> str:
    def named(powers: Iterable[Power]) -> str:
        return ", ".join("you" if power == bundle.power else power for power in powers) or "nobody"

    wanted = bundle.board.to_order
    given = [power for power in wanted if power in submitted]
    return f"Submitted: {named(given)}. Awaited: {named(p for p in wanted if p not in submitted)}."
