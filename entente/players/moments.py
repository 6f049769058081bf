"""The names of moments: what the log calls a turn is what a fork begins after."""

import re
from typing import NamedTuple

from entente.board.types import Power
from entente.errors import UnknownMoment
from entente.players.record import Stage, TurnRecord

_MOMENT = re.compile(r"([SFW]\d{4}[MRA])(?:\.(\d+|ORDERS|DIARY)(?:\.([A-Z]+)(?:\.(\d+))?)?)?")


class Moment(NamedTuple):
    """A phase (`S1903M`), a round of its press (`S1903M.2`), its orders, or a turn in either (`S1903M.2.FRANCE`).

    On the conductor's floor a round is a stretch of talk, from one stop of the game to the next; most phases have one.
    """

    phase: str
    stage: Stage | None
    """None: at the phase's beginning."""
    round: int
    power: Power | None
    wake: int | None = None
    """Which of the power's wakings in the phase, from 1; None for its last turn in the stretch, and on other floors."""

    @classmethod
    def parse(cls, text: str) -> "Moment":
        """Read `S1903M`, `S1903M.2`, `S1903M.orders`, `S1903M.2.FRANCE`, `S1903M.1.FRANCE.2`; raises UnknownMoment."""
        match = _MOMENT.fullmatch(text.strip().upper())
        if match is None:
            raise UnknownMoment(
                f"A moment such as S1903M, S1903M.2, S1903M.orders or S1903M.2.FRANCE was wanted and "
                f"{text!r} came; nothing was done."
            )
        phase, part, power, wake = match.groups()
        if part is None:
            return cls(phase, None, 0, None)
        stages: dict[str, Stage] = {"ORDERS": "orders", "DIARY": "diary"}
        stage, round_ = (stages[part], 0) if part in stages else ("talk", int(part))
        return cls(phase, stage, round_, power, int(wake) if wake else None)

    def has(self, other: "Moment") -> bool:
        """True when the other is this moment or lies in it: a turn in its round, all of them in their phase."""
        if self.phase != other.phase or self.stage is None:
            return self.phase == other.phase
        is_there = (self.stage, self.round) == (other.stage, other.round)
        return is_there and self.power in (None, other.power) and self.wake in (None, other.wake)

    def __str__(self) -> str:
        part = self.round if self.stage == "talk" else self.stage
        return ".".join(str(each) for each in (self.phase, part, self.power, self.wake) if each is not None)


def moment_of(turn: TurnRecord) -> Moment:
    """The moment at which the turn has been taken.

    A mere note on the conductor's floor is nobody's turn: its moment is the stretch of talk that it was made in.
    """
    if turn.is_note:
        return Moment(turn.phase, turn.stage, turn.round, None)
    wake = turn.waking.wake or None if turn.waking else None
    return Moment(turn.phase, turn.stage, turn.round, turn.power, wake)
