"""What a statement is about, in canonical words: its provinces, its order, who would do it, and for how long.

A statement's fields are free text of whoever wrote it. Nothing of that text goes further than here: what is read from
it are provinces of the map, a movement order, powers and a term.
"""

import re
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from entente.board.engine import Board
from entente.board.orders import read_orders
from entente.board.types import (
    Convoy,
    Hold,
    Move,
    Order,
    Power,
    Province,
    SupportHold,
    SupportMove,
    parse_order,
)
from entente.board.verdicts import Verdict
from entente.errors import OrderSyntaxError, PressError
from entente.press.messages import CommitmentKind, Statement
from entente.press.terms import BY_ORDER, Term, read_term

_DASH = re.compile(r"\s*-\s*")
_PLACE = re.compile(r"[A-Z]{3}(?:/[NSEW]C)?")
_COAST = re.compile(r"/[NSEW]C")


class Subject(NamedTuple):
    """What a commitment is about, but for its parties."""

    kind: CommitmentKind
    by: Power
    """Who would do it; empty for what both sides keep."""
    locations: tuple[Province, ...]
    """Sorted; empty but for a DMZ."""
    order: str
    """The canonical order; empty but for support and order."""
    term: Term


def read_subject(statement: Statement, sender: Power, parties: Sequence[Power], board: Board) -> Subject:
    """What the sender's statement is about; raises PressError for what nobody can make out.

    `parties` are the powers that it can commit: the sender, and whom it wrote to.
    """
    kind, now = statement.kind, board.phase
    if kind not in BY_ORDER:
        term = read_term(statement.term, kind, now, is_possible_now=True)
        places = read_provinces(statement.locations, board) if kind is CommitmentKind.DMZ else ()
        return Subject(kind, "", places, "", term)
    by = _doer(statement, sender, parties, board)
    order = read_movement_order(statement.order, by, board)
    is_possible_now = bool(statement.term) or is_legal(order, by, board)  # asked only where it matters
    term = read_term(statement.term, kind, now, is_possible_now=is_possible_now)
    return Subject(kind, by, (), order, term)


def read_provinces(names: Iterable[str], board: Board) -> tuple[Province, ...]:
    """The provinces, sorted, from codes or names; raises PressError for one that the map does not have, or none."""
    found = [_read_province(name, board) for name in names]
    if not found:
        raise PressError("locations were wanted and none came")
    return tuple(sorted(set(found)))


def _read_province(name: str, board: Board) -> Province:
    text = " ".join(name.upper().split()).removeprefix("THE ")
    place = board.geography.aliases.get(text, text)
    if _PLACE.fullmatch(place) is None or place[:3] not in board.geography.terrain:
        raise PressError(f"a province was wanted and {name[:40]!r} came")
    return place[:3]


def read_movement_order(text: str, power: Power, board: Board) -> str:
    """The canonical movement order, legal now or not; raises PressError.

    What is not written canonically is read as an order of the phase in play, in any notation.
    """
    try:
        order: Order | None = parse_order(_DASH.sub(" - ", " ".join(text.upper().split())))
    except OrderSyntaxError:
        order = _read_leniently(text, power, board)
    if not isinstance(order, Hold | Move | SupportHold | SupportMove | Convoy):
        raise PressError(f"an order of a movement phase was wanted and {text[:40]!r} came")
    return str(order)


def _read_leniently(text: str, power: Power, board: Board) -> Order | None:
    if power not in board.powers:
        return None
    verdicts = read_orders(board, power, text[:200]).verdicts
    return verdicts[0].order if len(verdicts) == 1 and verdicts[0].verdict is not Verdict.REJECTED else None


def _doer(statement: Statement, sender: Power, parties: Sequence[Power], board: Board) -> Power:
    by = statement.by.strip().upper() or _owner(statement.order, parties, board) or sender
    if by not in parties:
        raise PressError(f"{' or '.join(parties)} was wanted as by and {statement.by[:40]!r} came")
    return by


def _owner(order: str, parties: Sequence[Power], board: Board) -> Power | None:
    """Whose unit the order names, if it is one of the parties'."""
    province = next((word[:3] for word in order.upper().split()[1:2]), "")
    there = board.position.occupant(province)
    owner = board.position.owner(there) if there else None
    return owner if owner in parties else None


def is_legal(order: str, power: Power, board: Board) -> bool:
    """True when the power can give that order now, coasts and VIA that are left out aside."""
    province = order.split()[1][:3]
    legal = board.legal_orders.get(power, {})
    return any(
        is_same_order(str(option), order)
        for location, options in legal.items()
        if location[:3] == province
        for option in options
    )


def is_same_order(given: str, wanted: str) -> bool:
    """True when the order given is the one wanted, which may leave out coasts; VIA makes no difference."""
    given, wanted = given.removesuffix(" VIA"), wanted.removesuffix(" VIA")
    return wanted in (given, _COAST.sub("", given))
