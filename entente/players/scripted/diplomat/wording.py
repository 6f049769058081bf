"""What the diplomat says: short plain sentences, several for each thing to say, chosen by the turn's chance."""

import random
from collections.abc import Mapping

from entente.board.geography import Geography, Terrain
from entente.board.types import Convoy, Hold, Location, Move, Order, SupportHold, SupportMove, Unit, UnitKind

MAX_CHARACTERS = 200

SENTENCES: Mapping[str, tuple[str, ...]] = {
    "greeting": (
        "Hello {name}.",
        "Good day, {name}.",
        "Greetings from {me}.",
        "Hello from {me}, neighbour.",
        "Dear {name}, a good game to you.",
    ),
    "thanks": (
        "Thanks for the help in {place}.",
        "Your support at {place} was welcome, thank you.",
        "I have not forgotten your help at {place}.",
        "Thank you for {place}, it mattered.",
    ),
    "reproach": (
        "You broke your word, {name}, and I will remember it.",
        "That was not what we agreed, {name}.",
        "I trusted you, and you came for me.",
        "Your word was worth little last season.",
    ),
    "peace": (
        "Shall we keep the peace through {next_year}?",
        "I propose peace between us through {next_year}.",
        "Let us not attack each other before {after}.",
        "Neither of us gains by a war now: peace through {next_year}?",
        "How about a truce, good until the end of {next_year}?",
        "I would rather fight others than you. Peace through {next_year}?",
    ),
    "alliance": (
        "We work well together. Shall we call it an alliance?",
        "Let us be allies and plan our supports together.",
        "I propose an alliance through {next_year}. Are you in?",
        "Our peace holds, so why not a full alliance?",
    ),
    "dmz": (
        "Shall we both stay out of {places} this year?",
        "I propose that {places} stays empty this year.",
        "Let us keep {places} demilitarized until winter.",
        "I will keep out of {places} if you do too.",
    ),
    "support": (
        "Could your {helper} support my {helped}?",
        "Please support my {helped} with your {helper}.",
        "I need a push: your {helper} behind my {helped}?",
        "My {helped} may fail alone. Will your {helper} support it?",
        "Would you lend me your {helper} to support {helped}?",
    ),
    "report": (
        "So that you know, I plan {orders}.",
        "My orders this season include {orders}.",
        "No secrets between us: I will order {orders}.",
        "For your own planning: I am ordering {orders}.",
    ),
    "all_orders": (
        "My orders: {orders}.",
        "These are my orders: {orders}.",
        "I am ordering {orders}.",
    ),
    "warning": (
        "You have {count} units next to {place}. Please explain.",
        "I see {count} of your units beside {place}. Keep away.",
        "Your units around {place} worry me, {name}.",
        "{place} will be defended, {name}. Please pull back.",
    ),
    "yes_peace": (
        "Agreed, we have peace.",
        "Yes, let us leave each other alone.",
        "Gladly. You have nothing to fear from me.",
        "Done. I will not attack you.",
    ),
    "yes_alliance": (
        "Agreed, we are allies from now on.",
        "Yes, let us fight side by side.",
        "Gladly, partner. Tell me what you need.",
    ),
    "yes_dmz": (
        "Agreed, I stay out of {places}.",
        "Fine with me, {places} stays empty.",
        "Yes, neither of us enters {places}.",
    ),
    "yes_support": (
        "Yes, you will have it: {order}.",
        "Gladly, I am ordering {order}.",
        "Agreed. Count on {order}.",
        "Fine, I can spare that unit: {order}.",
    ),
    "yes_offer": (
        "Thank you, I count on it.",
        "Yes please, that helps me a lot.",
        "Gladly accepted, I will remember it.",
    ),
    "no_peace": (
        "Sorry, I cannot promise peace right now.",
        "Not this season, I must keep my hands free.",
        "I am not ready to bind myself, {name}.",
    ),
    "no_alliance": (
        "An alliance is too much for me now, sorry.",
        "Not yet. Let us first see some good faith.",
        "I must decline, {name}, my plans point elsewhere.",
    ),
    "no_dmz": (
        "Sorry, I need {places} for my own plans.",
        "I cannot promise to stay out of {places}.",
        "Not {places}, I am afraid.",
    ),
    "no_support": (
        "Sorry, that unit is needed elsewhere this season.",
        "I cannot spare a unit for that now.",
        "Not this time, {name}, my own line is thin.",
    ),
    "clarify": (
        "I am not sure what you mean, {name}.",
        "What exactly are you asking me to do?",
        "Could you put that as one clear proposal?",
    ),
    "answer": (
        "I have not decided that yet, {name}.",
        "That depends on what the others do.",
        "Let us see how this season turns out.",
        "I keep my options open for now.",
    ),
    "answer_order": (
        "For now I plan {orders}.",
        "My thinking today is {orders}.",
        "You can expect {orders}.",
    ),
    "defiance": (
        "My units stand where I need them, {name}.",
        "I would rather make a deal than trade threats.",
        "Make me an offer and I will listen.",
        "We both have more to lose than that.",
    ),
    "small_talk": (
        "Good luck to you too, {name}.",
        "And a good season to you.",
        "The same to you, {name}.",
    ),
    "as_you_say": (
        "As you say, {name}.",
        "Very well, I will do that.",
        "Yes, of course, {name}.",
        "I will do as you ask.",
    ),
}
"""Sentences by what they do; fields in braces are filled by `sentence`."""


def sentence(what: str, rng: random.Random, **fields: object) -> str:
    """One of the sentences for that, filled, at most MAX_CHARACTERS."""
    return _shortened(rng.choice(SENTENCES[what]).format(**fields))


def led(lead: str, body: str) -> str:
    """The body with a lead before it, or alone where both are too long."""
    both = f"{lead} {body}".strip()
    return both if len(both) <= MAX_CHARACTERS else body


def _shortened(text: str) -> str:
    return text if len(text) <= MAX_CHARACTERS else f"{text[: MAX_CHARACTERS - 1].rstrip()}…"


def power_name(power: str) -> str:
    """The power as it is written in a sentence."""
    return power.title()


def listed(words: list[str]) -> str:
    """`a`, `a and b`, `a, b and c`."""
    return " and ".join(filter(None, [", ".join(words[:-1]), *words[-1:]]))


def spoken_unit(unit: Unit, geography: Geography) -> str:
    """`army Paris`."""
    kind = "army" if unit.kind is UnitKind.ARMY else "fleet"
    return f"{kind} {geography.names.get(unit.province, unit.province).replace(' Of ', ' of ')}"


def place_name(geography: Geography, location: Location) -> str:
    """The full name of a province as it stands in a sentence: `Burgundy`, `the North Sea`."""
    name = geography.names.get(location[:3], location).replace(" Of ", " of ")
    return f"the {name}" if geography.terrain.get(location[:3]) is Terrain.SEA else name


def spoken(order: Order, geography: Geography) -> str:
    """The order in words: `army Paris to Burgundy`; winter orders stay as they are written."""
    match order:
        case Hold():
            return f"{spoken_unit(order.unit, geography)} holding"
        case Move():
            return f"{spoken_unit(order.unit, geography)} to {place_name(geography, order.to)}"
        case SupportHold():
            return (
                f"{spoken_unit(order.unit, geography)} supporting {spoken_unit(order.supported, geography)}"
            )
        case SupportMove():
            goal = place_name(geography, order.to)
            moving = spoken_unit(order.supported, geography)
            return f"{spoken_unit(order.unit, geography)} supporting {moving} to {goal}"
        case Convoy():
            army = spoken_unit(order.army, geography)
            return (
                f"{spoken_unit(order.unit, geography)} convoying {army} to {place_name(geography, order.to)}"
            )
        case _:
            return str(order)
