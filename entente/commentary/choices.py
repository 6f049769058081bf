"""What a person can do next: real legal orders, drafts of messages, and questions, each ready to be picked.

An order is as the order reader takes it, a message as `RUSSIA: …`. Nothing is sent until the person picks it.
"""

from collections.abc import Iterator
from itertools import islice

from entente.board.engine import Board
from entente.board.orders import read_orders
from entente.board.spoken import place_name, season_name
from entente.board.types import Outcome, Power, Province, unit_of
from entente.commentary.mentions import MAX_CHARACTERS, goal, moves_to, provinces_in
from entente.commentary.router import GamePhase
from entente.commentary.scene import Scene

MOST_CHOICES = 6
MOST_ORDERS = 4


def choices_for(action: str, scene: Scene) -> list[str]:
    """At most MOST_CHOICES, each once, those that the action speaks of first."""
    found = [*_messages(action, scene), *islice(_orders(action, scene), MOST_ORDERS), *_questions(scene)]
    return [*dict.fromkeys(found)][:MOST_CHOICES]


_INTENTS = {
    "peace": "Shall we leave each other in peace through {season}?",
    "truce": "Shall we leave each other in peace through {season}?",
    "alliance": "Would you be my ally from {season} on?",
    "ally": "Would you be my ally from {season} on?",
    "support": "Will you support me in {season}? Tell me what you want for it.",
    "demilitar": "Shall we both keep out of the provinces between us in {season}?",
    "threat": "Think twice before you move against me in {season}.",
    "warn": "Think twice before you move against me in {season}.",
    "thank": "Thank you. I will not forget it after {season}.",
}
"""What a message says, by a word of the action."""
_OPEN_QUESTION = "What do you have in mind for {season}?"


def _messages(action: str, scene: Scene) -> Iterator[str]:
    """A draft to each other power that the action names, where press is open."""
    if scene.power is None or scene.phase is GamePhase.COMBAT:
        return
    words = action[:MAX_CHARACTERS].lower()
    text = next((text for word, text in _INTENTS.items() if word in words), _OPEN_QUESTION)
    for power in scene.powers_meant(action):
        if power != scene.power and power in scene.board.survivors:
            yield f"{power}: {text.format(season=season_name(scene.board.phase))}"


def _orders(action: str, scene: Scene) -> Iterator[str]:
    """Legal orders: those that the action is, those into what it names, then moves to supply centers of others."""
    board, power = scene.board, scene.power
    if power is None or not board.legal_orders[power]:
        return
    yield from map(str, read_orders(board, power, action[:MAX_CHARACTERS]).orders)
    named = provinces_in(action, board)
    yield from map(str, moves_to(named, board, power))
    if not named:
        prizes = _prizes(board, power)
        yield from (str(order) for order in board.all_orders(power) if goal(order) in prizes)


def _prizes(board: Board, power: Power) -> set[Province]:
    return {*board.geography.centers} - {*board.position.centers[power]}


def _questions(scene: Scene) -> Iterator[str]:
    """About orders of the last phase that failed."""
    if not scene.played:
        return
    for result in scene.played[-1].results:
        unit = unit_of(result.order)
        if unit and not {Outcome.BOUNCED, Outcome.CUT, Outcome.DISLODGED}.isdisjoint(result.outcomes):
            place = place_name(scene.board.geography, unit.location)
            yield f"What became of the order of {result.power} in {place}?"
