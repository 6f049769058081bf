"""Typed commitments of a phase's press, folded to where each of them stands."""

from collections.abc import Iterable
from typing import NamedTuple, TypeAlias

from entente.board.types import Power
from entente.press.messages import Act, Commitment, CommitmentKind, Message

_MUTUAL = (CommitmentKind.PEACE, CommitmentKind.ALLIANCE, CommitmentKind.DMZ)

_Key: TypeAlias = tuple[frozenset[Power], CommitmentKind, Power, tuple[str, ...], str]


class Promise(NamedTuple):
    """A commitment between two powers, or from one to all, and the last that was said of it."""

    sender: Power
    """Who said the last of it."""
    recipient: Power
    commitment: Commitment

    @property
    def status(self) -> str:
        """`proposed by ITALY`, `accepted by FRANCE`."""
        said = {
            Act.PROPOSE: "proposed",
            Act.ACCEPT: "accepted",
            Act.REFUSE: "refused",
            Act.STATE: "stated",
        }
        return f"{said[self.commitment.act]} by {self.sender}"


def promises(messages: Iterable[Message]) -> tuple[Promise, ...]:
    """What stands between the writers and readers of the messages, in the order in which it was first named."""
    latest: dict[_Key, Promise] = {}
    for message in messages:
        for commitment in message.commitments:
            promise = Promise(message.sender, message.recipient, commitment)
            latest[_key(promise)] = promise
    return tuple(latest.values())


def _key(promise: Promise) -> _Key:
    commitment = promise.commitment
    # Peace is between two, whoever names it; a support is one power's.
    by = "" if commitment.kind in _MUTUAL else commitment.by
    pair = frozenset((promise.sender, promise.recipient))
    return (pair, commitment.kind, by, tuple(sorted(commitment.locations)), commitment.order)
