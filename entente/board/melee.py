"""A movement phase without convoys, judged some fifty times as fast as the engine does it, for players that search.

Without convoys there are no paradoxes: whether a move succeeds hangs on other moves in circles only where units
follow each other round, and then all of them succeed (DATC 6.C). `tests/board/test_melee.py` holds it to the engine.
It gives no reasons and no retreats; what counts in a game is judged by `Board.adjudicate` alone.
"""

from collections.abc import Mapping
from typing import NamedTuple

from entente.board.types import Move, Order, Power, Province, SupportHold, SupportMove


class Intent(NamedTuple):
    """What a unit does, told by provinces alone; all empty for one that holds or convoys."""

    to: Province = ""
    """Where it moves."""
    helps: Province = ""
    """Where the unit stands that it supports."""
    against: Province = ""
    """Where it supports that unit to: into the province, or where it stands."""


STAND = Intent()


def intent_of(order: Order) -> Intent:
    """The order as an intent."""
    match order:
        case Move(_, to):
            return Intent(to=to[:3])
        case SupportHold(_, supported):
            return Intent(helps=supported.province, against=supported.province)
        case SupportMove(_, supported, to):
            return Intent(helps=supported.province, against=to)
        case _:
            return STAND


class Fray(NamedTuple):
    """What came of a phase."""

    moved: Mapping[Province, Province]
    """Where each unit that succeeded in moving went, by where it stood."""
    dislodged: Mapping[Province, Province]
    """Where its attacker came from, by where a dislodged unit stood."""


def fight(owners: Mapping[Province, Power], intents: Mapping[Province, Intent]) -> Fray:
    """The phase judged; both are keyed by where units stand, and every unit has an intent that is legal."""
    judge = _Judge(owners, intents)
    moved = {at: to for at, to in judge.moves.items() if judge.succeeds(at)}
    dislodged = {to: at for at, to in moved.items() if to in owners and to not in moved}
    return Fray(moved, dislodged)


class _Judge:
    """One phase while it is judged. Conditions and strengths are those of DATC 5.B."""

    def __init__(self, owners: Mapping[Province, Power], intents: Mapping[Province, Intent]) -> None:
        self.owners = owners
        self.moves = {at: intent.to for at, intent in intents.items() if intent.to}
        self.attackers: dict[Province, list[Province]] = {}
        for at, to in self.moves.items():
            self.attackers.setdefault(to, []).append(at)
        self.supports: dict[Province, list[tuple[Province, Province]]] = {}
        """By the unit supported: who supports it uncut, and the attacker whose success would still cut that, if any."""
        for at, (_, helps, against) in intents.items():
            if helps and self.moves.get(helps, helps) == against:
                self._note_support(at, helps, against)
        self.known: dict[Province, bool] = {}

    def _note_support(self, at: Province, helps: Province, against: Province) -> None:
        threat = ""
        for attacker in self.attackers.get(at, ()):
            if self.owners[attacker] != self.owners[at]:
                if attacker != against:
                    return
                threat = attacker
        self.supports.setdefault(helps, []).append((at, threat))

    def succeeds(self, at: Province) -> bool:
        """Whether the unit there, which moves, gets where it goes."""
        answer = self.known.get(at)
        if answer is not None:
            return answer
        # Whoever asks for this answer while it is sought is told yes; a no then takes back what followed from that.
        before = len(self.known)
        self.known[at] = True
        answer = self._prevails(at)
        if not answer:
            while len(self.known) > before:
                self.known.popitem()
            self.known[at] = False
        return answer

    def _prevails(self, at: Province) -> bool:
        to = self.moves[at]
        is_duel = self.moves.get(to) == at
        has_left = to in self.moves and not is_duel and self.succeeds(to)
        if to in self.owners and not has_left:
            holder = self.owners[to]
            if holder == self.owners[at]:
                return False
            strength = self._strength(at, without=holder)
            if strength <= (self._strength(to) if is_duel or to not in self.moves else 1):
                return False
        else:
            strength = self._strength(at)
        return all(rival == at or strength > self._hindrance(rival, to) for rival in self.attackers[to])

    def _strength(self, at: Province, without: Power = "") -> int:
        """The unit and the supports that it is given, those of one power left out."""
        given = 1
        for supporter, threat in self.supports.get(at, ()):
            if self.owners[supporter] != without and not (threat and self.succeeds(threat)):
                given += 1
        return given

    def _hindrance(self, rival: Province, to: Province) -> int:
        """With what strength a move keeps others out: none when it was beaten in a duel with who stands there."""
        if self.moves.get(to) == rival and self.succeeds(to):
            return 0
        return self._strength(rival)
