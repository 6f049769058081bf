"""The conversation that a model is shown at a turn, laid out so that providers' prefix caches can reuse most of it.

First what is the same for all seats and phases (rules, map, tools), then the seat, then the phase's opening: history
before the board before memory. Within a phase each call extends the one before it: a player holds nothing between
turns, so the earlier calls are written again from the bundle, byte for byte, with the model's own actions as its
replies and only what is new behind them. Every text of the phase's opening comes from what stood when it began.
"""

from typing import NamedTuple
from weakref import WeakKeyDictionary

from entente.board.engine import Board, load_geography
from entente.board.types import Power
from entente.models.wire import ChatMessage
from entente.players.actions import SendMessage, UpdateMemory
from entente.players.bundle import Bundle, OwnTurn
from entente.players.model.advice import advice_text
from entente.players.model.agent_context import SeatContext, vote_of
from entente.players.model.event_text import echo_text, events_text
from entente.players.model.history import results_of_calls
from entente.players.model.in_short import conversation_in_short
from entente.players.model.layout import MAX_REJECTED_CHARS, board_text, ledger_text, press_text, within
from entente.players.model.lived_conversation import lived_conversation, present_task
from entente.players.model.memory import as_json, memory_text
from entente.players.model.opening import SHOWN_ABOVE, diary_section, orders_task, reach_text, vote_text
from entente.players.model.quoting import escape_json
from entente.players.model.room import letters_of, room_of
from entente.players.model.seat import Said, Seat, call_of, exchange, joined, system_message, user_message
from entente.players.model.seat_context import seat_context
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
    context = told_to(bundle, seat)
    room = room_of(context, seat)
    if room is not None:
        room -= beside
    messages = whole_conversation(context, seat, bundle.board, room)
    if room is None or letters_of(messages) <= room:
        return messages

    def task(rejected: int) -> str:
        if context.lived:
            return present_task(context, seat, SHOWN_ABOVE, rejected)
        return _last_task(context, seat, None, rejected)

    return conversation_in_short(
        lambda short, bare: told_to(bundle, seat, short=short, bare=bare), seat, task, room
    )


def whole_conversation(
    context: SeatContext, seat: Seat, board: Board, room: int | None = None
) -> tuple[ChatMessage, ...]:
    """The messages with nothing told in short, but that on the conductor's floor earlier phases must fit into `room`.

    All that they tell is the context's: of the `board` nothing is read, it keeps what was written.
    """
    if context.lived:
        return lived_conversation(context, seat, room)
    return tuple(_in_rounds(context, seat, board))


def told_to(bundle: Bundle, seat: Seat, *, short: bool = False, bare: bool = False) -> SeatContext:
    """What the seat is told: its prompts are written from it and from nothing else."""
    return seat_context(
        bundle,
        seat.guidance(bundle.power),
        short=short or seat.is_short,
        bare=bare,
        advice=advice_text(bundle, seat),
    )


def _in_rounds(context: SeatContext, seat: Seat, board: Board) -> list[ChatMessage]:
    messages = [system_message(context, seat)]
    lead, read_up_to = _opening(context, seat, board), 0
    for turn in context.earlier:
        messages.append(user_message(lead, _task(context, seat, turn.round, read_up_to)))
        said = [call_of(action, echo_text(echo)) for action, echo in turn.said]
        finish = Said(FINISH["talk" if turn.round else "orders"], {})
        messages += exchange(
            [*said, finish], tag=f"r{turn.round:02d}", calls_tools=seat.calls_tools, thinking=turn.thinking
        )
        results = "" if seat.calls_tools or not said else results_of_calls(said)
        lead = joined([results, events_text(turn.remarks), _folded(context, turn, seat)])
        read_up_to = turn.round
    messages.append(user_message(lead, _last_task(context, seat, read_up_to)))
    return messages


def _opening(context: SeatContext, seat: Seat, board: Board) -> str:
    """The phase as it began: the same at each of its turns, so that it is written once, and kept with the board."""
    began = (
        seat,
        context.last_movement,
        context.history_summary,
        context.commitments,
        context.memory_at_opening,
        context.letters_a_token,
        context.centers,
        context.advice,
        context.units_and_orders,
        context.public_game_state,
    )
    kept = _openings.setdefault(board, {})
    power = context.power_name
    if power not in kept or kept[power].began != began:
        kept[power] = _Opening(began, _write_opening(context, seat))
    return kept[power].text


def _write_opening(context: SeatContext, seat: Seat) -> str:
    history = context.history_summary
    memory_chars = seat.settings.max_memory_chars(seat.letters_a_token(context))
    phase = seat.texts.fill(
        "model_phase",
        events="\n".join(history.recent_events),
        last_phase=context.last_movement.phase_name,
        results="\n".join(context.last_movement.results),
        since="\n".join(history.retreats_and_builds),
        commitments=ledger_text(context.commitments),
        phase=context.current_phase_info.phase_name,
        board=board_text(context.public_game_state, load_geography(context.map_name)),
        centers=context.centers,
        situation=context.units_and_orders,
        memory=memory_text(context.memory_at_opening, memory_chars),
    )
    return joined([talk_section(context, seat), diary_section(context, seat), phase, context.advice])


def _folded(context: SeatContext, turn: OwnTurn, seat: Seat) -> str:
    """What the fold beside the phase's first turn has put into the memory, unless that turn put in its own."""
    if turn is not context.earlier[0]:
        return ""
    own = {action.key for action in turn.actions if isinstance(action, UpdateMemory)}
    news = {key: value for key, value in context.folded.items() if key not in own}
    return seat.texts.fill("model_folded", memory=as_json(escape_json(news))) if news else ""


def _last_task(
    context: SeatContext, seat: Seat, read_up_to: int | None, rejected: int = MAX_REJECTED_CHARS
) -> str:
    tasks: list[str] = []
    was_asked_for_orders = any(turn.round == 0 for turn in context.earlier)
    is_alone = read_up_to is None
    if is_alone or not (context.wants_orders and was_asked_for_orders):
        tasks.append(_task(context, seat, context.round, read_up_to))
    if context.rejected:
        tasks.append(seat.texts.fill("model_rejected", lines=within(context.rejected, rejected)))
    return "\n\n".join(tasks)


def _task(context: SeatContext, seat: Seat, round_: int, read_up_to: int | None) -> str:
    """What is new since the round that was read up to, and what is wanted; made of earlier rounds' press only.

    None where all talk is shown elsewhere.
    """
    if read_up_to is None:
        news = SHOWN_ABOVE
    else:
        news = press_text(
            [
                m
                for m in context.communication_inbox
                if read_up_to <= m.round and (round_ == 0 or m.round < round_)
            ]
        )
    if round_ == 0:
        return orders_task(context, seat, news, _vote(context, round_))
    return seat.texts.fill(
        "model_talk",
        phase=context.current_phase_info.phase_name,
        round=str(round_),
        rounds=str(context.current_phase_info.negotiation_rounds_total),
        left=_left(context.current_phase_info.negotiation_rounds_total - round_),
        press=news or "No new press.",
        waiting=" ".join(filter(None, [_waiting(context, round_), vote_text(_vote(context, round_))])),
        draft=_draft(context, seat),
    )


def _vote(context: SeatContext, round_: int) -> bool | None:
    """How the seat had voted before this round, or before the orders."""
    before = (turn for turn in context.earlier if turn.round and (not round_ or turn.round < round_))
    return vote_of(action for turn in before for action in turn.actions)


def _draft(context: SeatContext, seat: Seat) -> str:
    return seat.texts.load("model_draft") + " " if context.drafts else ""


def _left(rounds: int) -> str:
    if rounds <= 0:
        return "This is the last round of talk; orders are next."
    return f"After this round there {'is 1 more' if rounds == 1 else f'are {rounds} more'}, then orders."


def _waiting(context: SeatContext, round_: int) -> str:
    """Whom one can write to, and who has written privately without having had an answer since."""
    answered = {
        action.recipient.strip().upper(): turn.round
        for turn in context.earlier
        if 0 < turn.round < round_
        for action in turn.actions
        if isinstance(action, SendMessage)
    }
    asked = {
        m.sender: m.round
        for m in context.communication_inbox
        if m.recipient == context.power_name and m.round < round_
    }
    # What both wrote in one round crossed: neither had read the other's.
    open_ = [power for power, asked_in in asked.items() if answered.get(power, 0) <= asked_in]
    lines = [] if any(0 < turn.round < round_ for turn in context.earlier) else [reach_text(context)]
    lines += [f"Not answered yet: {', '.join(open_)}."] if open_ else []
    return " ".join(lines) or "Nobody waits for an answer."
