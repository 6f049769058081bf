"""The conversation in one message, for a model whose context has no room for all of it, on every floor alike.

What a turn cannot be played without is always there: rules, board, own units and their orders, what is wanted. The rest
has its place by what it is worth: the phase's talk, then memory and diary, then what was said and happened before.
"""

from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple, TypeAlias

from entente.models.wire import ChatMessage
from entente.players.actions import SubmitOrders
from entente.players.bundle import Bundle
from entente.players.model.advice import advice_section
from entente.players.model.agent_context import context_of
from entente.players.model.event_text import orders_read, rejected_lines
from entente.players.model.layout import MAX_REJECTED_CHARS, board_text, commitment_lines
from entente.players.model.memory import diary_text, memory_text
from entente.players.model.opening import centers_section, reach_text
from entente.players.model.results import results_text
from entente.players.model.room import AROUND, letters_of
from entente.players.model.seat import Seat, joined, system_message, user_message
from entente.players.model.situation import situation
from entente.players.model.talk import talk_section, talk_text
from entente.players.seat_events import SeatEventKind
from entente.press.messages import Message

SHOWN_ABOVE = "What was said stands above."
"""In a task, instead of all that is new."""


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


def conversation_in_short(bundle: Bundle, seat: Seat, write: Task, room: int) -> tuple[ChatMessage, ...]:
    """A system message and one of the user, within so many letters if that can be."""
    system = system_message(bundle, seat)
    left = room - letters_of([system]) - AROUND
    said = _said(bundle)
    opening, orders, task, free = "", "", "", 0
    for keep in _LESS_AND_LESS:
        opening, orders = _opening(bundle, seat, keep), _orders_given(bundle, seat, keep.rejected)
        task = write(keep.rejected)
        free = left - len(joined([opening, orders, task])) - 4 * len("\n\n")
        if free >= (keep.talk if said else 0):
            break
    talk = _present_talk(bundle, seat, said, free)
    past = talk_section(bundle, seat, free - len(talk))
    return (system, user_message(past, opening, talk, orders, task))


def _said(bundle: Bundle) -> Sequence[Message]:
    """What was said in the phase, oldest first."""
    if bundle.history:
        events = bundle.history[-1].events()
        return [Message.model_validate(each.payload) for each in events if each.kind is SeatEventKind.PRESS]
    return sorted([*bundle.inbox, *bundle.sent], key=lambda message: message.round)


def _opening(bundle: Bundle, seat: Seat, keep: _Keep) -> str:
    context, may, letters = context_of(bundle), seat.settings, seat.letters_a_token(bundle)
    state = context.public_game_state
    phase = seat.texts.fill(
        "model_phase",
        events="\n".join(context.history_summary.recent_events[-keep.events :] if keep.events else ()),
        last_phase=bundle.last_movement_phase,
        results=results_text(bundle.last_movement),
        since="\n".join(context.history_summary.retreats_and_builds),
        commitments="\n".join(_commitments(bundle, keep)),
        phase=context.current_phase_info.phase_name,
        board=board_text(state, bundle.board.geography),
        centers=centers_section(bundle, context.threatened_centers),
        situation=situation(bundle.board, bundle.power, short=keep.short or seat.is_short, bare=keep.bare),
        memory=memory_text(bundle.memory, int(may.max_memory_chars(letters) * keep.memory)),
    )
    diary = diary_text(bundle.memory, int(may.max_diary_chars(letters) * keep.memory))
    told = seat.texts.fill("model_diary", diary=diary) if diary else ""
    return joined(
        [told, phase, advice_section(bundle, seat), reach_text(bundle) if bundle.press_allowed else ""]
    )


def _commitments(bundle: Bundle, keep: _Keep) -> Iterator[str]:
    yield from commitment_lines(bundle.ledger.open, keep.commitments)
    if keep.ended and bundle.ledger.ended:
        yield from ["Ended:", *commitment_lines(bundle.ledger.ended, keep.ended)]


def _present_talk(bundle: Bundle, seat: Seat, said: Sequence[Message], room: int) -> str:
    """The talk of the phase under its heading, the latest with those with whom something is open whole."""
    free = room - len(seat.texts.load("model_said"))
    commitments = (*bundle.ledger.open, *bundle.ledger.ended)
    talk = talk_text(bundle.power, said, commitments, free) if said and free > 0 else ""
    return seat.texts.fill("model_said", phase=str(bundle.board.phase), talk=talk) if talk else ""


def _orders_given(bundle: Bundle, seat: Seat, rejected: int) -> str:
    """The orders that stand, where the phase is not over when they are given, and the lines that could not be used."""
    read = [
        echo
        for turn in bundle.earlier
        if bundle.rules.talk == "at once"
        for action, echo in turn.said
        if isinstance(action, SubmitOrders)
    ]
    if not read:
        return ""
    return seat.texts.fill(
        "model_given", orders=orders_read(read[-1]), rejected=rejected_lines(read[-1], rejected)
    )
