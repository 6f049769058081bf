"""The diplomat's turn."""

import random
from collections.abc import Sequence

from pydantic import JsonValue

from entente.board.types import Power
from entente.players.actions import Action, VoteDraw
from entente.players.bundle import Bundle
from entente.players.protocol import Reply
from entente.players.scripted.diplomat.memory import writing
from entente.players.scripted.diplomat.openers import openers, warned_of
from entente.players.scripted.diplomat.personality import Personality
from entente.players.scripted.diplomat.planning import (
    constraints_without,
    current_constraints,
    make_plan,
    victims,
)
from entente.players.scripted.diplomat.replies import answers
from entente.players.scripted.diplomat.view import View
from entente.players.scripted.dumbbot import submit
from entente.players.scripted.winter import plan_adjustments, plan_retreats


class DiplomatPlayer:
    """Plans, bargains, and keeps its word as far as its personality goes."""

    def __init__(self, personality: Personality) -> None:
        self.personality = personality

    async def take_turn(self, bundle: Bundle, /) -> Reply:
        """Messages when it is time to talk, orders when they are wanted."""
        view = View(bundle, self.personality)
        if bundle.wants_orders:
            return Reply(_move(view) if view.position.phase.is_movement else _retreat_or_adjust(view))
        return Reply(_talk(view) if bundle.press_allowed else ())


def _talk(view: View) -> Sequence[Action]:
    """Answers first, then, at the start of a phase, what it has to say itself."""
    replies = answers(view)
    plan = make_plan(view, replies.constraints)
    said = list(replies.messages)
    if view.bundle.round == 1 and not view.bundle.sent:
        said += openers(view, plan, replies.constraints, [message.recipient for message in said])
    saved: JsonValue = {
        "phase": str(view.position.phase),
        "orders": [str(order) for order in plan.values()],
    }
    warned: JsonValue = {**warned_of(view, said)} or None
    voice = view.voice if said else view.memory.voice or None
    return [*said, *writing(view.bundle.memory, plan=saved, warned=warned, voice=voice)]


def _move(view: View) -> Sequence[Action]:
    """Orders that honour what was agreed, unless a friend is stabbed, and the memory for the next phase."""
    stabbed = victims(view)
    # What arrived in the last round can no longer be answered, but it is honoured where it costs nothing.
    constraints = constraints_without(view, stabbed) if stabbed else answers(view).constraints
    plan = make_plan(view, constraints, afresh=bool(stabbed))
    return [*_vote(view), *submit(list(plan.values())), *_remembered(view, stabbed)]


def _vote(view: View) -> Sequence[Action]:
    """A loyal player shares the board once only friends remain, and takes its vote back if that changes."""
    wants_draw = view.personality.loyalty >= 1 and view.has_only_friends
    return (VoteDraw(yes=wants_draw),) if wants_draw != view.memory.has_voted else ()


def _remembered(view: View, stabbed: frozenset[Power]) -> Sequence[Action]:
    is_loyal = view.personality.loyalty >= 1
    partners: JsonValue = [partner for partner in view.partners if partner not in stabbed]
    return writing(
        view.bundle.memory,
        stances={power: stance for power, stance in view.judgement.stances.items() if power in view.others},
        judged=view.bundle.last_movement_phase,
        partners=partners if is_loyal else None,
        has_voted=is_loyal and view.has_only_friends,
        plan=None,
    )


def _retreat_or_adjust(view: View) -> Sequence[Action]:
    constraints = current_constraints(view)
    values = view.values(constraints.friends)
    rng = random.Random(view.bundle.seed)
    dislodged = view.position.dislodged[view.me]
    if dislodged:
        return submit(plan_retreats(values, dislodged, rng, closed=constraints.closed))
    return submit(plan_adjustments(view.board, view.me, values, rng))
