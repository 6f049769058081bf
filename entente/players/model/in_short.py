"""The conversation in one message, for a model whose context has no room for all of it, on every floor alike.

What a turn cannot be played without is always there: rules, board, own units and their orders, what is wanted. The rest
has its place by what it is worth: the phase's talk, then memory and diary, then what was said and happened before.
"""

from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple, TypeAlias

from entente.board.engine import load_geography
from entente.models.wire import ChatMessage
from entente.players.actions import SubmitOrders
from entente.players.model.agent_context import SeatContext
from entente.players.model.event_text import orders_read, unused_lines
from entente.players.model.layout import MAX_REJECTED_CHARS, board_text, commitment_lines
from entente.players.model.memory import memory_text
from entente.players.model.opening import centers_with_changes, diary_told, reach_text
from entente.players.model.quoting import Letter
from entente.players.model.room import AROUND, letters_of
from entente.players.model.seat import Seat, joined, system_message, user_message
from entente.players.model.talk import talk_section, talk_text
from entente.players.seat_events import SeatEventKind
from entente.press.messages import Message


class _Keep(NamedTuple):
    """How much of what can be done without."""

    events: int
    """Lines of the chronicle."""
    commitments: int
    """Of those that are open."""
    ended: int
    memory: float
    """A share of what memory and diary may have."""
    short: bool
    """True where nothing is told of an order but its goal."""
    bare: bool
    """True where supports are left out against which nobody stands near."""
    talk: int
    """Letters that the phase's talk has at the least."""
    rejected: int
    """Letters of what is told of lines that could not be used."""


_LESS_AND_LESS = (
    _Keep(
        events=12,
        commitments=24,
        ended=12,
        memory=1,
        short=False,
        bare=False,
        talk=2_000,
        rejected=MAX_REJECTED_CHARS,
    ),
    _Keep(events=6, commitments=12, ended=6, memory=1, short=True, bare=False, talk=1_500, rejected=2_000),
    _Keep(events=0, commitments=6, ended=0, memory=1, short=True, bare=True, talk=900, rejected=1_500),
    _Keep(events=0, commitments=3, ended=0, memory=0.5, short=True, bare=True, talk=300, rejected=900),
    _Keep(events=0, commitments=0, ended=0, memory=0.2, short=True, bare=True, talk=0, rejected=400),
)

Task: TypeAlias = Callable[[int], str]
"""What is wanted now, with so many letters for lines that could not be used."""
Told: TypeAlias = Callable[[bool, bool], SeatContext]
"""The seat's context, with its orders short or not, and bare or not."""


def conversation_in_short(tell: Told, seat: Seat, write: Task, room: int) -> tuple[ChatMessage, ...]:
    """A system message and one of the user, within so many letters if that can be."""
    context = tell(seat.is_short, False)
    system = system_message(context, seat)
    left = room - letters_of([system]) - AROUND
    said = _said(context)
    opening, orders, task, free = "", "", "", 0
    for keep in _LESS_AND_LESS:
        told = tell(keep.short, keep.bare)
        opening, orders = _opening(told, seat, keep), _orders_given(told, seat, keep.rejected)
        task = write(keep.rejected)
        free = left - len(joined([opening, orders, task])) - 4 * len("\n\n")
        if free >= (keep.talk if said else 0):
            break
    talk = _present_talk(context, seat, said, free)
    past = talk_section(context, seat, free - len(talk))
    return (system, user_message(past, opening, talk, orders, task))


def _said(context: SeatContext) -> Sequence[Letter]:
    """What was said in the phase, oldest first."""
    if context.lived:
        events = context.lived[-1].events()
        return [Message.model_validate(each.payload) for each in events if each.kind is SeatEventKind.PRESS]
    return sorted([*context.communication_inbox, *context.sent], key=lambda message: message.round)


def _opening(context: SeatContext, seat: Seat, keep: _Keep) -> str:
    may, letters, history = seat.settings, seat.letters_a_token(context), context.history_summary
    memory = context.private_memory_snippet
    phase = seat.texts.fill(
        "model_phase",
        events="\n".join(history.recent_events[-keep.events :] if keep.events else ()),
        last_phase=context.last_movement.phase_name,
        results="\n".join(context.last_movement.results),
        since="\n".join(history.retreats_and_builds),
        commitments="\n".join(_commitments(context, keep)),
        phase=context.current_phase_info.phase_name,
        board=board_text(context.public_game_state, load_geography(context.map_name)),
        centers=context.centers if keep.events else centers_with_changes(context),
        situation=context.units_and_orders,
        memory=memory_text(memory, int(may.max_memory_chars(letters) * keep.memory)),
    )
    diary = diary_told(memory, int(may.max_diary_chars(letters) * keep.memory), seat)
    reach = reach_text(context) if context.press_allowed else ""
    return joined([diary, phase, context.advice, reach])


def _commitments(context: SeatContext, keep: _Keep) -> Iterator[str]:
    now = context.commitments_now
    yield from commitment_lines(now.open, keep.commitments)
    if keep.ended and now.ended:
        yield from ["Ended:", *commitment_lines(now.ended, keep.ended)]


def _present_talk(context: SeatContext, seat: Seat, said: Sequence[Letter], room: int) -> str:
    """The talk of the phase under its heading, the latest with those with whom something is open whole."""
    free = room - len(seat.texts.load("model_said"))
    commitments = [*context.commitments_now.open, *context.commitments_now.ended]
    talk = talk_text(context.power_name, said, commitments, free) if said and free > 0 else ""
    return (
        seat.texts.fill("model_said", phase=context.current_phase_info.phase_name, talk=talk) if talk else ""
    )


def _orders_given(context: SeatContext, seat: Seat, rejected: int) -> str:
    """The orders that stand, where the phase is not over when they are given, and the lines that could not be used."""
    read = [
        echo
        for turn in context.earlier
        if context.rules.talk == "at once"
        for action, echo in turn.said
        if isinstance(action, SubmitOrders)
    ]
    if not read:
        return ""
    rejected_now = unused_lines(read[-1], rejected)
    return seat.texts.fill("model_given", orders=orders_read(read[-1]), rejected=rejected_now).rstrip()
