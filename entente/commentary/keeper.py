"""The keeper: what the rules say, read from the adjudication, the order reader and the rulebook, never made up."""

import re
from collections.abc import Iterator
from itertools import islice
from typing import NamedTuple

from entente.board.geography import Geography
from entente.board.orders import read_orders
from entente.board.spoken import counted, place_name, season_name, spoken_unit
from entente.board.types import (
    Adjudication,
    Build,
    Convoy,
    Disband,
    Hold,
    Move,
    OrderResult,
    Outcome,
    Province,
    Retreat,
    SupportHold,
    SupportMove,
    Waive,
    unit_of,
)
from entente.board.verdicts import Verdict
from entente.commentary import rulebook
from entente.commentary.mentions import MAX_CHARACTERS, moves_to, provinces_in
from entente.commentary.router import asks_for_mechanics
from entente.commentary.rulebook import rules
from entente.commentary.scene import Scene

MOST_EXPLAINED = 5
"""Orders in one answer."""
NOT_KNOWN = "That is nothing that the rules or the last adjudication answer, so the keeper has nothing to say about it."


class Explanation(NamedTuple):
    """What became of an order, and which rule decided it."""

    result: OrderResult
    sentence: str
    rule: str
    """The rule's section in the rulebook; empty where nothing but the order itself decided."""


def explain(result: OrderResult, geography: Geography) -> Explanation:
    """What became of the order, in the adjudication's own words where it failed."""
    if result.succeeded:
        said = f"{result.order} ({result.power}) {_success(result, geography)}."
        return Explanation(result, said, rules()[_OF_DEFAULTS].section if result.is_default else "")
    rule = next(_RULES[outcome] for outcome in result.outcomes if outcome in _RULES)
    said = f"{result.order} ({result.power}) {_failure(result)}."
    return Explanation(result, said, rules()[rule].section)


def answer(action: str, scene: Scene) -> str:
    """What the keeper says to an action; that it does not know where a question of the rules has no answer there."""
    told = [*_readings(action, scene), *_results(action, scene)]
    is_of_the_past = _OF_THE_PAST.search(action)
    if not told or not is_of_the_past:
        rule = rulebook.answer(action)
        told = [f"{rule.text} ({rule.section})"] if rule else told
    if not told and not is_of_the_past:
        told = [*_moves(action, scene)]
    if not told and scene.played and not asks_for_mechanics(action):
        told = [summary(scene.played[-1])]
    return " ".join(told) or NOT_KNOWN


_OF_THE_PAST = re.compile(r"\b(?:why|did|was|were|what became|what happened)\b", re.IGNORECASE)
"""Who asks so wants to hear what became of an order, where there is one, and not the rule."""


def summary(played: Adjudication) -> str:
    """How the phase's orders went, in numbers."""
    counts = {outcome: sum(outcome in result.outcomes for result in played.results) for outcome in Outcome}
    failed = ", ".join(
        f"{count} {outcome}" for outcome, count in counts.items() if count and outcome in _RULES
    )
    season = season_name(played.before.phase).capitalize()
    orders = counted(len(played.results), "order")
    return f"{season}: of {orders} {counts[Outcome.SUCCEEDED]} succeeded{f'; {failed}' if failed else ''}."


_RULES = {
    Outcome.BOUNCED: "standoff",
    Outcome.CUT: "cut",
    Outcome.DISLODGED: "dislodge",
    Outcome.DISRUPTED: "convoy-disrupted",
    Outcome.NO_CONVOY: "convoy",
    Outcome.LIMITED: "support-against-own",
    Outcome.VOID: "illegal-order",
    Outcome.DISBANDED: "retreat-or-disband",
}
"""The rule by what became of an order, as rulebook.toml names it."""
_OF_DEFAULTS = "civil-disorder"


def _success(result: OrderResult, geography: Geography) -> str:
    """What the order did, with its subject left out."""
    match result.order:
        case Move(to=to):
            done = f"moved to {place_name(geography, to)}"
        case Retreat(to=to):
            done = f"retreated to {place_name(geography, to)}"
        case SupportHold() | SupportMove() | Convoy():
            done = _help(result.order, geography)
        case Build(unit=unit):
            done = f"was built in {place_name(geography, unit.location)}"
        case Hold():
            done = "held its place"
        case Disband():
            done = "disbanded"
        case Waive():
            done = "did without a build"
    return f"{done}, since no legal order came" if result.is_default else done


def _help(order: SupportHold | SupportMove | Convoy, geography: Geography) -> str:
    match order:
        case SupportHold(supported=supported):
            return f"gave its support to {spoken_unit(supported, geography)}, and nobody cut it"
        case SupportMove(supported=supported, to=to):
            goal = place_name(geography, to)
            return f"gave its support to {spoken_unit(supported, geography)} to {goal}, and nobody cut it"
        case Convoy(army=army, to=to):
            return f"kept the way to {place_name(geography, to)} open for {spoken_unit(army, geography)}"


def _failure(result: OrderResult) -> str:
    """The adjudication's clauses, each with its verb."""
    clauses = result.reason.split("; ")
    return "; ".join(f"{_verb(clause)}{clause}" for clause in clauses)


def _verb(clause: str) -> str:
    return next((verb for word, verb in _VERBS.items() if clause.startswith(word)), "")


_VERBS = {
    **dict.fromkeys(("void", "cut", "disbanded", "dislodged", "disrupted", "limited"), "was "),
    "no convoy": "found ",
}
"""What stands before a clause that begins so; `bounced` needs nothing."""


def _readings(action: str, scene: Scene) -> Iterator[str]:
    """What the order reader makes of orders in the action, where the listener has a seat."""
    if scene.power is None or not scene.board.legal_orders[scene.power]:
        return
    for verdict in read_orders(scene.board, scene.power, action[:MAX_CHARACTERS]).verdicts[:MOST_EXPLAINED]:
        if verdict.verdict is not Verdict.REJECTED:
            yield f"{verdict.order} is a legal order now."
        elif verdict.error is not None and verdict.nearest:
            yield f"{verdict.note} Legal is {verdict.nearest}."


def _moves(action: str, scene: Scene) -> Iterator[str]:
    """Which of the listener's units may go where the action speaks of going."""
    if scene.power is not None:
        named = provinces_in(action, scene.board)
        for order in islice(moves_to(named, scene.board, scene.power), MOST_EXPLAINED):
            yield f"{order} is a legal order now."


def _results(action: str, scene: Scene) -> Iterator[str]:
    """What became of the orders of the last phase that concern the provinces of the action."""
    if not scene.played:
        return
    named = {*provinces_in(action, scene.board)}
    results = [result for result in scene.played[-1].results if named & {*_provinces(result)}]
    for result in results[:MOST_EXPLAINED]:
        told = explain(result, scene.board.geography)
        yield f"{told.sentence} ({told.rule})" if told.rule else told.sentence


def _provinces(result: OrderResult) -> Iterator[Province]:
    """Where the unit stood, and where it was to go."""
    unit = unit_of(result.order)
    if unit:
        yield unit.province
    if isinstance(result.order, Move | Retreat):
        yield result.order.to[:3]
