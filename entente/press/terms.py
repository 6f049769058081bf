"""For how long a commitment binds: a span of movement phases, the same for whoever plays.

A support or an order is for one phase. Peace and alliance last through the next year and a DMZ through its own, where
nothing else is said.
"""

import re
from typing import NamedTuple

from entente.board.types import Phase, PhaseKind, Season
from entente.errors import PressError
from entente.press.messages import CommitmentKind

LONGEST_YEARS = 5
"""How far ahead a term may reach. It bounds how much of a long game the ledger has to be folded from."""

BY_ORDER = frozenset({CommitmentKind.SUPPORT, CommitmentKind.ORDER})
"""Kinds that are for one phase."""

_DEFAULT_YEARS = {CommitmentKind.PEACE: 1, CommitmentKind.ALLIANCE: 1, CommitmentKind.DMZ: 0}
_TERM = re.compile(
    r"(?:UNTIL|THROUGH|IN|TO)?\s*(?:THE\s+)?(?:END OF\s+)?(?:(S|F|W|SPRING|FALL|AUTUMN|WINTER)\s*)?(\d{4})[MRA]?"
)


class Term(NamedTuple):
    """The movement phases in which a commitment binds, the last one included."""

    first: Phase
    last: Phase

    def covers(self, phase: Phase) -> bool:
        """True for a movement phase of the term."""
        return self.first.sort_key <= phase.sort_key <= self.last.sort_key


def next_movement(phase: Phase) -> Phase:
    """The movement phase after this one: the same year's fall, or the next year's spring."""
    if phase.season is Season.SPRING:
        return Phase(Season.FALL, phase.year, PhaseKind.MOVEMENT)
    return Phase(Season.SPRING, phase.year + 1, PhaseKind.MOVEMENT)


def read_term(text: str, kind: CommitmentKind, now: Phase, *, is_possible_now: bool) -> Term:
    """The term that a statement made now names, or the usual one where it names none.

    An order that is not possible now is for the next movement phase. Raises PressError for a text that is no phase
    and no year, and for a term that is over or reaches more than LONGEST_YEARS ahead.
    """
    last = _read_last(text, kind) if text.strip() else _usual_last(kind, now, is_possible_now=is_possible_now)
    if last.sort_key < now.sort_key:
        raise PressError(f"its term {last} is over")
    if last.year > now.year + LONGEST_YEARS:
        raise PressError(f"its term {last} is more than {LONGEST_YEARS} years ahead")
    return Term(last if kind in BY_ORDER else now, last)


def _usual_last(kind: CommitmentKind, now: Phase, *, is_possible_now: bool) -> Phase:
    if kind in BY_ORDER:
        return now if is_possible_now else next_movement(now)
    return _fall(now.year + _DEFAULT_YEARS[kind])


def _read_last(text: str, kind: CommitmentKind) -> Phase:
    match = _TERM.fullmatch(" ".join(text.upper().split()))
    if match is None or (kind in BY_ORDER and match[1] is None):
        wanted = "F1901M" if kind in BY_ORDER else "1902 or F1902M"
        raise PressError(f"a term such as {wanted} was wanted and {text[:40]!r} came")
    is_spring = match[1] is not None and match[1].startswith("S")
    year = int(match[2])
    return Phase(Season.SPRING, year, PhaseKind.MOVEMENT) if is_spring else _fall(year)


def _fall(year: int) -> Phase:
    return Phase(Season.FALL, year, PhaseKind.MOVEMENT)
