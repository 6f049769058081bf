"""The conversation on the conductor's floor: the whole game as the seat has lived it, and what is new now.

Behind the system message, which is the same as on the other floor, stand the earlier phases, then the phase in play
with what can be ordered in it and the seat's memory as it began. Within a phase each call extends the one before it.
"""

from collections.abc import Container, Iterable, Iterator, Sequence
from typing import NamedTuple

from entente.board.types import Phase, Power
from entente.models.wire import ChatMessage
from entente.players.actions import Action
from entente.players.model.agent_context import SeatContext, vote_of
from entente.players.model.event_text import events_text, has_rejected, orders_read
from entente.players.model.history import Block, Past, block_of, messages_of, past_of, windowed
from entente.players.model.layout import MAX_REJECTED_CHARS, ledger_text, within
from entente.players.model.memory import memory_text
from entente.players.model.opening import (
    centers_with_changes,
    diary_section,
    orders_task,
    reach_text,
    vote_text,
)
from entente.players.model.room import letters_of
from entente.players.model.seat import Seat, joined, system_message
from entente.players.model.talk import folded_section
from entente.players.seat_events import SeatEvent, SeatPhase, SeatTurn, Status

_TALK_SHARE = 4
"""Of the window, at the most so much for what was said in turns that it leaves out."""


def lived_conversation(context: SeatContext, seat: Seat, room: int | None = None) -> tuple[ChatMessage, ...]:
    """The messages of a call; of the seat's history all that the seat's window has room for.

    Earlier phases are left out also where all of it would have more than `room` letters; the phase in play never is.
    """
    system = system_message(context, seat)
    *phases, present = context.lived
    past = past_of(phases, calls_tools=seat.calls_tools)
    *asked, last = _texts(context, present, _opening(context, present, past, seat), seat)
    blocks = [
        block_of(
            context.current_phase_info.phase_name,
            text,
            turn,
            number=len(past.blocks) + n,
            calls_tools=seat.calls_tools,
        )
        for n, (text, turn) in enumerate(zip(asked, present.turns, strict=True))
    ]
    present_chars = len(last) + sum(block.chars for block in blocks)
    limit = None if room is None else room - letters_of([system])
    lead, kept = _windowed(past.blocks, present_chars, context, seat, limit)
    return (system, *messages_of([*kept, *blocks], last, lead=lead))


def _windowed(
    blocks: Sequence[Block], present_chars: int, context: SeatContext, seat: Seat, room: int | None
) -> tuple[str, Sequence[Block]]:
    """The blocks that there is room for, behind a text that tells of the others; empty for none."""
    letters = seat.letters_a_token(context)
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
    phase = kept[0].phase if kept else context.current_phase_info.phase_name
    told = seat.texts.fill("model_left_out", count=str(len(left_out)), phase=phase)
    return joined([told, folded_section(context, seat, Phase.parse(left_out[-1].phase), talk_chars)]), kept


def _opening(context: SeatContext, present: SeatPhase, past: Past, seat: Seat) -> str:
    """What stood when the phase began; the same at each of its turns."""
    own = seat.texts.fill(
        "model_present",
        commitments=ledger_text(context.commitments),
        centers=centers_with_changes(context),
        situation=context.units_and_orders,
        memory=memory_text(
            context.memory_at_opening, seat.settings.max_memory_chars(seat.letters_a_token(context))
        ),
    )
    is_open = context.phase.is_movement
    reach = reach_text(context) if is_open else ""
    return joined(
        [
            past.rest,
            events_text(present.opening),
            reach,
            diary_section(context, seat),
            own,
            context.advice,
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
    """Who had given orders by then; the seat itself only where some of its own could be used."""
    vote: bool | None
    """How it had voted on a draw by then."""


def _texts(context: SeatContext, present: SeatPhase, opening: str, seat: Seat) -> Iterator[str]:
    """What the seat was told at each of its turns in the phase, and is told now."""
    for ask in _asks(context, present):
        text = _ask_text(context, ask, events_text(ask.heard), seat)
        yield joined([opening, text] if ask.number == 1 else [text])


def present_task(context: SeatContext, seat: Seat, news: str, rejected: int) -> str:
    """What is wanted now, behind this news instead of all that is new, with so many letters for rejected lines.

    Nothing stands before it in which orders were asked for.
    """
    *_, ask = _asks(context, context.lived[-1])
    if not ask.wants_orders:
        return _wake_text(context, ask, news, seat)
    return joined(
        [
            orders_task(context, seat, news, ask.vote),
            _rejected_text(context, seat, rejected) if context.rejected else "",
        ]
    )


def _ask_text(context: SeatContext, ask: _Ask, news: str, seat: Seat) -> str:
    if not ask.wants_orders:
        return _wake_text(context, ask, news, seat)
    if ask.before is None or not ask.before.wants_orders:
        return orders_task(context, seat, news, ask.vote)
    return joined([news, _rejected_text(context, seat, MAX_REJECTED_CHARS)])


def _rejected_text(context: SeatContext, seat: Seat, chars: int) -> str:
    return seat.texts.fill("model_rejected", lines=within(context.rejected, chars))


def _asks(context: SeatContext, present: SeatPhase) -> Iterator[_Ask]:
    submitted: set[Power] = set()
    own: list[Action] = []
    before = None
    heard = [
        *((turn.heard, turn.wants_orders) for turn in present.turns),
        (present.unread, context.wants_orders),
    ]
    for number, (events, wants_orders) in enumerate(heard, 1):
        submitted |= _submitters(events)
        said = before.said if before else ()
        own += (action for action, _ in said)
        if any(orders_read(echo) for _, echo in said):
            submitted.add(context.power_name)
        yield _Ask(number, events, wants_orders, before, frozenset(submitted), vote_of(own))
        before = present.turns[number - 1] if number <= len(present.turns) else None


def _submitters(events: Iterable[SeatEvent]) -> set[Power]:
    return {
        str(event.payload["power"])
        for event in events
        if event.payload.get("status") == Status.ORDERS_SUBMITTED
    }


def _wake_text(context: SeatContext, ask: _Ask, news: str, seat: Seat) -> str:
    is_mending = ask.before is not None and any(has_rejected(echo) for _, echo in ask.before.said)
    mend = seat.texts.fill("model_mend") + "\n" if is_mending else ""
    return seat.texts.fill(
        "model_wake",
        phase=context.current_phase_info.phase_name,
        number=str(ask.number),
        most=str(context.rules.max_wakes),
        news=news or "Nothing new.",
        orders="\n".join(filter(None, [_submitted_text(context, ask.submitted), vote_text(ask.vote)])),
        mend=mend,
    )


def _submitted_text(context: SeatContext, submitted: Container[Power]) -> str:
    def named(powers: Iterable[Power]) -> str:
        return ", ".join("you" if power == context.power_name else power for power in powers) or "nobody"

    wanted = context.to_order
    given = [power for power in wanted if power in submitted]
    return f"Submitted: {named(given)}. Awaited: {named(p for p in wanted if p not in submitted)}."
