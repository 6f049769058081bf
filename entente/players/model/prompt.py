"""The conversation that a model is shown at a turn, laid out so that providers' prefix caches can reuse most of it.

First what is the same for all seats and phases (rules, map, tools), then the seat, then the phase's opening: history
before the board before memory. Within a phase each call extends the one before it: a player holds nothing between
turns, so the earlier calls are written again from the bundle, byte for byte, with the model's own actions as its
replies and only what is new behind them. Every text of the phase's opening comes from what stood when it began.
"""

from dataclasses import replace
from typing import NamedTuple
from weakref import WeakKeyDictionary

from entente.board.engine import Board
from entente.board.types import Power
from entente.models.wire import ChatMessage
from entente.players.actions import SendMessage, UpdateMemory
from entente.players.bundle import Bundle, OwnTurn
from entente.players.model.advice import advice_section
from entente.players.model.agent_context import context_of, vote_of
from entente.players.model.event_text import echo_text, events_text
from entente.players.model.history import results_of_calls
from entente.players.model.in_short import SHOWN_ABOVE, conversation_in_short
from entente.players.model.layout import (
    MAX_REJECTED_CHARS,
    board_text,
    ledger_text,
    press_text,
    rejected_text,
)
from entente.players.model.lived_conversation import lived_conversation, present_task
from entente.players.model.memory import as_json, memory_text
from entente.players.model.opening import (
    centers_section,
    diary_section,
    memory_at_opening,
    orders_task,
    quiet_section,
    reach_text,
    vote_text,
)
from entente.players.model.quoting import escape_json
from entente.players.model.results import results_text
from entente.players.model.room import letters_of, room_of
from entente.players.model.seat import Said, Seat, call_of, exchange, joined, system_message, user_message
from entente.players.model.situation import situation
from entente.players.model.talk import talk_section
from entente.players.model.tools import FINISH


class _Opening(NamedTuple):
    began: tuple[object, ...]
    """What the text was made of, beside the board and the power."""
    text: str


_openings: WeakKeyDictionary[Board, dict[Power, _Opening]] = WeakKeyDictionary()


def conversation(bundle: Bundle, seat: Seat, *, beside: int = 0) -> tuple[ChatMessage, ...]:
    """The messages of this turn's first call; those of the phase's earlier call are their beginning.

    Where these and `beside` more letters are more than the seat's context has room for, it is written in short.
    """
    room = room_of(bundle, seat)
    if room is not None:
        room -= beside
    messages = lived_conversation(bundle, seat, room) if bundle.history else tuple(_in_rounds(bundle, seat))
    if room is None or letters_of(messages) <= room:
        return messages

    def task(rejected: int) -> str:
        if bundle.history:
            return present_task(bundle, seat, SHOWN_ABOVE, rejected)
        return _last_task(bundle, seat, None, rejected)

    return conversation_in_short(bundle, seat, task, room)


def _in_rounds(bundle: Bundle, seat: Seat) -> list[ChatMessage]:
    messages = [system_message(bundle, seat)]
    lead, read_up_to = _opening(bundle, seat), 0
    for turn in bundle.earlier:
        messages.append(user_message(lead, _task(bundle, seat, turn.round, read_up_to)))
        said = [call_of(action, echo_text(echo)) for action, echo in turn.said]
        finish = Said(FINISH["talk" if turn.round else "orders"], {})
        messages += exchange(
            [*said, finish], tag=f"r{turn.round:02d}", calls_tools=seat.calls_tools, thinking=turn.thinking
        )
        results = "" if seat.calls_tools or not said else results_of_calls(said)
        lead = joined([results, events_text(turn.remarks), _folded(bundle, turn, seat)])
        read_up_to = turn.round
    messages.append(user_message(lead, _last_task(bundle, seat, read_up_to)))
    return messages


def _opening(bundle: Bundle, seat: Seat) -> str:
    """The phase as it began: the same at each of its turns, so that it is written once, and kept with the board."""
    began = (
        seat,
        bundle.last_movement_phase,
        bundle.last_movement,
        bundle.since_movement,
        bundle.press,
        bundle.phase_ledger,
        bundle.chronicle,
        memory_at_opening(bundle),
        bundle.letters_a_token,
        quiet_section(bundle),
    )
    kept = _openings.setdefault(bundle.board, {})
    if bundle.power not in kept or kept[bundle.power].began != began:
        kept[bundle.power] = _Opening(began, _write_opening(bundle, seat))
    return kept[bundle.power].text


def _write_opening(bundle: Bundle, seat: Seat) -> str:
    context = context_of(replace(bundle, memory=memory_at_opening(bundle)), seat.guidance(bundle.power))
    history, state = context.history_summary, context.public_game_state
    memory_chars = seat.settings.max_memory_chars(seat.letters_a_token(bundle))
    phase = seat.texts.fill(
        "model_phase",
        events="\n".join(history.recent_events),
        last_phase=bundle.last_movement_phase,
        results=results_text(bundle.last_movement),
        since="\n".join(history.retreats_and_builds),
        commitments=ledger_text(bundle.phase_ledger),
        phase=context.current_phase_info.phase_name,
        board=board_text(state, bundle.board.geography),
        centers=centers_section(bundle, context.threatened_centers),
        situation=situation(bundle.board, bundle.power, short=seat.is_short),
        memory=memory_text(context.private_memory_snippet, memory_chars),
    )
    return joined(
        [talk_section(bundle, seat), diary_section(bundle, seat), phase, advice_section(bundle, seat)]
    )


def _folded(bundle: Bundle, turn: OwnTurn, seat: Seat) -> str:
    """What the fold beside the phase's first turn has put into the memory, unless that turn put in its own."""
    if turn is not bundle.earlier[0]:
        return ""
    own = {action.key for action in turn.actions if isinstance(action, UpdateMemory)}
    news = {key: value for key, value in bundle.folded.items() if key not in own}
    return seat.texts.fill("model_folded", memory=as_json(escape_json(news))) if news else ""


def _last_task(bundle: Bundle, seat: Seat, read_up_to: int | None, rejected: int = MAX_REJECTED_CHARS) -> str:
    tasks: list[str] = []
    was_asked_for_orders = any(turn.round == 0 for turn in bundle.earlier)
    if not (bundle.wants_orders and was_asked_for_orders):
        tasks.append(_task(bundle, seat, bundle.round, read_up_to))
    if bundle.rejected:
        tasks.append(seat.texts.fill("model_rejected", lines=rejected_text(bundle.rejected, rejected)))
    return "\n\n".join(tasks)


def _task(bundle: Bundle, seat: Seat, round_: int, read_up_to: int | None) -> str:
    """What is new since the round that was read up to, and what is wanted; made of earlier rounds' press only.

    None where all talk is shown elsewhere.
    """
    if read_up_to is None:
        news = SHOWN_ABOVE
    else:
        news = press_text(
            [m for m in bundle.inbox if read_up_to <= m.round and (round_ == 0 or m.round < round_)]
        )
    if round_ == 0:
        return orders_task(bundle, seat, news, _vote(bundle, round_))
    return seat.texts.fill(
        "model_talk",
        phase=str(bundle.board.phase),
        round=str(round_),
        rounds=str(bundle.rounds_total),
        left=_left(bundle.rounds_total - round_),
        press=news or "No new press.",
        waiting=" ".join(filter(None, [_waiting(bundle, round_), vote_text(_vote(bundle, round_))])),
        draft=_draft(bundle, seat),
    )


def _vote(bundle: Bundle, round_: int) -> bool | None:
    """How the seat had voted before this round, or before the orders."""
    before = (turn for turn in bundle.earlier if turn.round and (not round_ or turn.round < round_))
    return vote_of(action for turn in before for action in turn.actions)


def _draft(bundle: Bundle, seat: Seat) -> str:
    return seat.texts.load("model_draft") + " " if bundle.drafts else ""


def _left(rounds: int) -> str:
    if rounds <= 0:
        return "This is the last round of talk; orders are next."
    return f"After this round there {'is 1 more' if rounds == 1 else f'are {rounds} more'}, then orders."


def _waiting(bundle: Bundle, round_: int) -> str:
    """Whom one can write to, and who has written privately without having had an answer since."""
    answered = {
        action.recipient.strip().upper(): turn.round
        for turn in bundle.earlier
        if 0 < turn.round < round_
        for action in turn.actions
        if isinstance(action, SendMessage)
    }
    asked = {m.sender: m.round for m in bundle.inbox if m.recipient == bundle.power and m.round < round_}
    # What both wrote in one round crossed: neither had read the other's.
    open_ = [power for power, asked_in in asked.items() if answered.get(power, 0) <= asked_in]
    lines = [] if any(0 < turn.round < round_ for turn in bundle.earlier) else [reach_text(bundle)]
    lines += [f"Not answered yet: {', '.join(open_)}."] if open_ else []
    return " ".join(lines) or "Nobody waits for an answer."
