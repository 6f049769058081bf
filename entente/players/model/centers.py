"""Which centers a power can lose or win where units stand now, and when centers change hands."""

from collections.abc import Mapping, Sequence

from entente.board.engine import Board
from entente.board.types import Move, PhaseKind, Power, Province, Season
from entente.players.model.survey import NOBODY, survey

_SPRING = (
    "Centers change hands after fall alone: one that is entered now counts if a unit still stands there then."
)
_FALL = "{when} each center belongs to whose unit stands in it; an empty one keeps its owner."


def threatened_centers(board: Board, power: Power) -> dict[Province, list[str]]:
    """The power's centers that units of others can enter in this movement phase, with those units.

    `{"LON": ["F ENG FRANCE", "A BRE FRANCE by convoy"]}`; empty in other phases.
    """
    if not board.phase.is_movement:
        return {}
    seen = survey(board)
    if power not in seen.threatened:
        landings = _landings(board, power)
        comers = {
            center: [*seen.foreign_reachers(center, power), *landings.get(center, ())]
            for center in board.position.centers[power]
        }
        seen.threatened[power] = {center: units for center, units in comers.items() if units}
    return seen.threatened[power]


def _landings(board: Board, power: Power) -> Mapping[Province, Sequence[str]]:
    """Other powers' armies that can come to a province by convoy alone."""
    found: dict[Province, list[str]] = {}
    for other in board.powers:
        for order in board.all_orders(other) if other != power else ():
            is_far = isinstance(order, Move) and not board.geography.can_reach(order.unit, order.to[:3])
            if isinstance(order, Move) and is_far:
                found.setdefault(order.to[:3], []).append(f"{order.unit} {other} by convoy")
    return found


def centers_text(threatened: Mapping[Province, Sequence[str]], board: Board, power: Power) -> str:
    """When centers change hands, who can enter the power's own, and in which centers a unit stands that owns it not.

    Empty in phases after which no center changes hands, but for spring's moves.
    """
    lines = [_when(board)]
    if board.phase.is_movement and board.position.centers[power]:
        comers = ", ".join(f"{center} ({', '.join(units)})" for center, units in threatened.items())
        lines.append(
            f"Others can enter: {comers}." if comers else "Nobody else can enter one of your centers now."
        )
    return "\n".join([*lines, *_held(board, power)]) if lines[0] else ""


def _when(board: Board) -> str:
    match board.phase.season, board.phase.kind:
        case Season.SPRING, PhaseKind.MOVEMENT:
            return _SPRING
        case Season.FALL, PhaseKind.MOVEMENT:
            return _FALL.format(when="After this phase and its retreats")
        case Season.FALL, PhaseKind.RETREATS:
            return _FALL.format(when="After these retreats")
        case _:
            return ""


def _held(board: Board, power: Power) -> list[str]:
    """The centers in which somebody else's unit stands: of the power's own, and under its units."""
    seen = survey(board)
    standing = {
        center: seen.occupants[center] for center in board.geography.centers if center in seen.occupants
    }
    lost = [
        f"{center} ({unit} {owner})"
        for center, (unit, owner) in standing.items()
        if seen.owners.get(center) == power != owner
    ]
    won = [
        f"{center} ({seen.owners.get(center, NOBODY)}'s)"
        for center, (_, owner) in standing.items()
        if owner == power != seen.owners.get(center)
    ]
    told = {"Others stand in your": lost, "You stand in others'": won}
    return [f"{words} {', '.join(centers)}." for words, centers in told.items() if centers]
