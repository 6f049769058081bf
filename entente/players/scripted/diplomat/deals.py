"""What two powers agreed, who is bound by it, and for how long."""

from collections.abc import Iterable
from dataclasses import dataclass

from pydantic import JsonValue

from entente.board.types import Phase, Power, Province
from entente.press.keeping import LASTING
from entente.press.messages import Act, Commitment, CommitmentKind, Message

MAX_DEALS = 24
"""More than these are not remembered: the oldest ones go."""


@dataclass(frozen=True, slots=True)
class Deal:
    """One agreement with one partner."""

    kind: CommitmentKind
    partner: Power
    by: Power
    """Who has to do it; for peace, alliance and DMZ both have."""
    phase: str
    """When it was agreed."""
    locations: tuple[Province, ...] = ()
    order: str = ""

    def binds(self, phase: Phase, *, forever: bool) -> bool:
        """True when it is still to be kept in that phase.

        Peace and alliance last through the next year, or for good with one whose word never lapses;
        a DMZ lasts through its year; supports and orders are for their own phase.
        """
        made = Phase.parse(self.phase)
        if self.kind in LASTING:
            return forever or phase.year <= made.year + 1
        if self.kind is CommitmentKind.DMZ:
            return phase.year == made.year
        return phase == made

    def to_json(self) -> JsonValue:
        """The deal as a list for the memory."""
        return [self.kind.value, self.partner, self.by, self.phase, list(self.locations), self.order]

    @classmethod
    def from_json(cls, value: JsonValue) -> "Deal":
        """The deal of `to_json`; raises ValueError."""
        match value:
            case [str(kind), str(partner), str(by), str(phase), list(locations), str(order)]:
                places = tuple(str(place) for place in locations)
                return cls(CommitmentKind(kind), partner, by, phase, places, order)
            case _:
                raise ValueError(f"A deal as a list of six was wanted and {value!r} came.")


def deal_of(commitment: Commitment, partner: Power, phase: str) -> Deal:
    """The deal that an accepted commitment makes."""
    places = tuple(sorted({location[:3] for location in commitment.locations}))
    return Deal(commitment.kind, partner, commitment.by, phase, places, commitment.order)


def merged(deals: Iterable[Deal]) -> tuple[Deal, ...]:
    """The deals without repetition, at most MAX_DEALS: one peace and one alliance a partner, the latest."""
    latest: dict[tuple[object, ...], Deal] = {}
    for deal in deals:
        key = (deal.kind, deal.partner, deal.locations, deal.order)
        latest.pop(key, None)
        latest[key] = deal
    return tuple(latest.values())[-MAX_DEALS:]


def agreed_this_phase(sent: Iterable[Message], accepted: Iterable[Message]) -> tuple[Deal, ...]:
    """What was concluded in this phase's mail: what I accepted, and my proposals that others accepted.

    `accepted` are the incoming messages that say yes, in whatever words.
    """
    mine = {message.id: message for message in sent}
    concluded: list[Deal] = []
    for message in mine.values():
        concluded += [
            deal_of(c, message.recipient, message.phase) for c in message.commitments if c.act is Act.ACCEPT
        ]
    for message in accepted:
        proposal = mine.get(message.reply_to or "")
        if proposal is not None and proposal.recipient == message.sender:
            concluded += [
                deal_of(c, message.sender, message.phase)
                for c in proposal.commitments
                if c.act is Act.PROPOSE
            ]
    return merged(concluded)


def ended_this_phase(
    inbox: Iterable[Message], sent: Iterable[Message]
) -> frozenset[tuple[CommitmentKind, Power]]:
    """Lasting deals that either side refused or called off, as kind and partner."""
    mail = [(message.sender, message) for message in inbox] + [
        (message.recipient, message) for message in sent
    ]
    return frozenset(
        (commitment.kind, partner)
        for partner, message in mail
        for commitment in message.commitments
        if commitment.act is Act.REFUSE and commitment.kind in LASTING
    )
