"""A commitment: what stands in the ledger, from what was said to what came of it."""

from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple

from pydantic import JsonValue

from entente.board.types import Phase, Power, Province
from entente.press.mailbox import Delayed, Reader
from entente.press.messages import BROADCAST, CommitmentKind, MessageId
from entente.press.statements import Subject
from entente.press.terms import BY_ORDER, Term


class Status(StrEnum):
    """Where a commitment stands. The first three are open, each of the others is its end."""

    PROPOSED = "proposed"
    """It waits for an answer and binds nobody."""
    ACCEPTED = "accepted"
    """Both sides have agreed: it binds through its term."""
    STATED = "stated"
    """One side has committed itself without being asked: it binds that side through its term."""
    REFUSED = "refused"
    """The other side said no."""
    KEPT = "kept"
    """The order was given, or the term has ended and nobody broke it who could have."""
    BROKEN = "broken"
    """Whoever had to keep it gave an order against it, or not the order; what came of the order does not matter."""
    LAPSED = "lapsed"
    """It ended without a chance to be broken: nobody answered, it was withdrawn or called off, or its term has ended
    and in no phase of it was anybody near enough to break it."""
    VOID = "void"
    """It could not be done: there was no such unit, the order was not legal, or what was to be supported or convoyed
    was ordered otherwise."""

    @property
    def is_open(self) -> bool:
        """True while something can still come of it."""
        return self in (Status.PROPOSED, Status.ACCEPTED, Status.STATED)


class Breach(NamedTuple):
    """Who broke a commitment, and by which order."""

    power: Power
    order: str
    """Of an attack with support the move; for an order that was not given, what the unit did instead."""


@dataclass(frozen=True, slots=True)
class Commitment:
    """One commitment between two powers, or of one to all."""

    id: str
    """The id of the message that made it, and its place among that one's statements: `S1901M.FRANCE.ITALY.0/0`."""
    parties: tuple[Power, Power]
    """Who spoke of it first, and to whom: a power, or BROADCAST."""
    subject: Subject
    status: Status
    is_stated: bool
    """True for what one side has stated, false for what was proposed; it stays so to the end."""
    is_public: bool
    """True when all that was said of it was said to all."""
    proposers: tuple[Power, ...]
    """Who proposed it, or stated it."""
    made: Phase
    """When it was first proposed or stated."""
    said: Phase
    """When it was last proposed or stated."""
    messages: tuple[MessageId, ...]
    """What was said of it: an answer to any of these means it."""
    since: Phase | None = None
    """The phase from which on it binds; None where it never did."""
    was_at_stake: bool = False
    """True once a phase has passed in which somebody could have broken it."""
    ended: Phase | None = None
    """The phase in which it ended; None while it is open."""
    breaches: tuple[Breach, ...] = ()
    why: str = ""
    """For what was refused, has lapsed or is void: by whom or why, a clause."""

    @property
    def kind(self) -> CommitmentKind:
        """What is committed to."""
        return self.subject.kind

    @property
    def term(self) -> Term:
        """When it binds."""
        return self.subject.term

    @property
    def locations(self) -> tuple[Province, ...]:
        """What stays empty, for a DMZ."""
        return self.subject.locations

    @property
    def order(self) -> str:
        """The canonical order, for support and order."""
        return self.subject.order

    @property
    def bound(self) -> tuple[Power, ...]:
        """Who has to keep it once it stands."""
        if self.kind in BY_ORDER:
            return (self.subject.by,)
        return self.parties[:1] if self.is_stated else self.parties

    @property
    def key(self) -> tuple[object, ...]:
        """Equal for commitments of which the later takes the earlier's place, whatever the term of a peace is."""
        kind, by, locations, order, term = self.subject
        parties = self.parties if self.is_stated else frozenset(self.parties)
        return (self.is_stated, parties, kind, by, locations, order, term if kind in BY_ORDER else None)

    def stood_in(self, phase: Phase) -> bool:
        """True when it bound somebody in the movement phase, what was called off or could not be done left out."""
        if self.since is None or self.since.sort_key > phase.sort_key or not self.term.covers(phase):
            return False
        if self.ended == phase:
            return self.status in (Status.KEPT, Status.BROKEN)
        return self.ended is None or self.ended.sort_key > phase.sort_key

    def other(self, power: Power) -> Power:
        """The other party of one of them: a power, or BROADCAST."""
        return self.parties[1] if power == self.parties[0] else self.parties[0]

    def is_visible_to(self, reader: Reader) -> bool:
        """True when the reader could read what was said of it."""
        return reader == "OPERATOR" or isinstance(reader, Delayed) or self.is_public or reader in self.parties

    def __str__(self) -> str:
        """`peace between ITALY and FRANCE through F1902M: broken by ITALY in F1901M (A VEN - TRI)`."""
        return f"{self.what}: {self.outcome}"

    @property
    def what(self) -> str:
        """`support by GERMANY to FRANCE in F1901M, A MUN S A PAR - BUR`; nobody's free text is in it."""
        kind, by, locations, order, term = self.subject
        first, second = ("all" if party == BROADCAST else party for party in self.parties)
        if kind in BY_ORDER:
            to = second if by == self.parties[0] else first
            return f"{kind} by {by} to {to} in {term.last}, {order}"
        places = f" of {' '.join(locations)}" if locations else ""
        who = f"by {first} to {second}" if self.is_stated else f"between {first} and {second}"
        return f"{kind}{places} {who} through {term.last}"

    @property
    def outcome(self) -> str:
        """`proposed by ITALY (S1901M.ITALY.FRANCE.0)`, `kept`, `broken by ITALY in F1901M (A VEN - TRI)`."""
        match self.status:
            case Status.PROPOSED:
                return f"proposed by {' and '.join(self.proposers)} ({self.messages[-1]})"
            case Status.BROKEN:
                by = " and ".join(f"broken by {power} ({order})" for power, order in self.breaches)
                return f"{by} in {self.ended}"
            case _ if self.why:
                return f"{self.status} ({self.why})"
            case _:
                return self.status.value

    def to_json(self) -> dict[str, JsonValue]:
        """It as JSON, for programs."""
        kind, by, locations, order, term = self.subject
        return {
            "id": self.id,
            "kind": kind.value,
            "parties": list(self.parties),
            "by": by,
            "locations": list(locations),
            "order": order,
            "term": [str(term.first), str(term.last)],
            "status": self.status.value,
            "is_stated": self.is_stated,
            "is_public": self.is_public,
            "messages": list(self.messages),
            "since": self.since and str(self.since),
            "was_at_stake": self.was_at_stake,
            "ended": self.ended and str(self.ended),
            "breaches": [{"power": power, "order": order} for power, order in self.breaches],
            "why": self.why,
        }
