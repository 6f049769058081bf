"""Typed commitments of a phase's press, folded to where each of them stands, and to what came of it."""

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple, TypeAlias

from entente.board.types import Order, OrderResult, Position, Power, parse_order
from entente.errors import OrderSyntaxError
from entente.press.keeping import LASTING, MUTUAL, Grounds, breach
from entente.press.messages import BROADCAST, Act, Commitment, CommitmentKind, Message

_Key: TypeAlias = tuple[frozenset[Power], CommitmentKind, Power, tuple[str, ...], str]

_SAID: Mapping[Act, str] = {
    Act.PROPOSE: "proposed",
    Act.ACCEPT: "accepted",
    Act.REFUSE: "refused",
    Act.STATE: "stated",
}


class Promise(NamedTuple):
    """A commitment between two powers, or from one to all, and the last that was said of it."""

    sender: Power
    """Who said the last of it."""
    recipient: Power
    commitment: Commitment
    outcome: str = ""
    """`kept`, or `broken by ITALY (A VEN - TRI)`; empty while that is open, and for what bound nobody."""

    @property
    def status(self) -> str:
        """`proposed by ITALY to FRANCE`, `accepted by FRANCE to ITALY, kept`."""
        said = f"{_SAID[self.commitment.act]} by {self.sender} to {self.recipient}"
        return f"{said}, {self.outcome}" if self.outcome else said


def promises(messages: Iterable[Message]) -> tuple[Promise, ...]:
    """What stands between the writers and readers of the messages, in the order in which it was first named."""
    latest: dict[_Key, Promise] = {}
    for message in messages:
        for commitment in message.commitments:
            promise = Promise(message.sender, message.recipient, commitment)
            latest[_key(promise)] = promise
    return tuple(latest.values())


def judged_promises(
    messages: Iterable[Message], reader: Power, results: Sequence[OrderResult], position: Position
) -> tuple[Promise, ...]:
    """The promises of a movement phase with what its orders made of them, as a reader of the messages sees it."""
    return tuple(
        promise._replace(outcome=_outcome(promise, reader, results, position))
        for promise in promises(messages)
    )


def _outcome(promise: Promise, reader: Power, results: Sequence[OrderResult], position: Position) -> str:
    other = reader if promise.recipient == BROADCAST else promise.recipient
    pledge = _readable(promise.commitment)
    bound = _bound(promise, other)
    # A peace that one declares to all is judged by those who read it, each for itself.
    if pledge is None or not bound or (other == promise.sender and pledge.kind in LASTING):
        return ""
    broken: list[str] = []
    for power in bound:
        victim = other if power == promise.sender else promise.sender
        grounds = Grounds.of(victim, position.centers.get(victim, ()), results)
        if by := breach(pledge, _orders(power, results), grounds):
            broken.append(f"broken by {power} ({by})")
    return " and ".join(broken) or "kept"


def _bound(promise: Promise, other: Power) -> tuple[Power, ...]:
    """Who has to keep it: an agreement binds both sides, a statement who made it, anything else nobody."""
    commitment = promise.commitment
    match commitment.act:
        case Act.ACCEPT:
            parties = tuple(dict.fromkeys((promise.sender, other)))
        case Act.STATE:
            parties = (promise.sender,)
        case _:
            return ()
    if commitment.kind in MUTUAL:
        return parties
    return tuple(power for power in parties if power == commitment.by)


def _readable(commitment: Commitment) -> Commitment | None:
    """The commitment in canonical words; None for one whose places or order nobody can make out."""
    if commitment.kind in LASTING:
        return commitment
    if commitment.kind is CommitmentKind.DMZ:
        places = tuple(place.strip().upper() for place in commitment.locations)
        is_on_map = places and all(re.fullmatch(r"[A-Z]{3}(/[NSEW]C)?", place) for place in places)
        return commitment.model_copy(update={"locations": places}) if is_on_map else None
    try:
        order = parse_order(re.sub(r"\s*-\s*", " - ", " ".join(commitment.order.upper().split())))
    except OrderSyntaxError:
        return None
    return commitment.model_copy(update={"order": str(order)})


def _orders(power: Power, results: Sequence[OrderResult]) -> list[Order]:
    return [result.order for result in results if result.power == power]


def _key(promise: Promise) -> _Key:
    commitment = promise.commitment
    # Peace is between two, whoever names it; a support is one power's.
    by = "" if commitment.kind in MUTUAL else commitment.by
    pair = frozenset((promise.sender, promise.recipient))
    return (pair, commitment.kind, by, tuple(sorted(commitment.locations)), commitment.order)
