"""The sections of a prompt, each a text made from a context bundle or a board; nothing here knows a conversation."""

from collections.abc import Mapping, Sequence
from itertools import accumulate

from entente.board.engine import Board
from entente.board.geography import Geography
from entente.board.types import Location, PhaseKind, Power, Province
from entente.board.verdicts import LineVerdict
from entente.players.model.agent_context import KnownCommitments, PublicGameState, SpokenCommitment
from entente.players.model.quoting import Letter, escape, quote
from entente.press.commitments import Commitment
from entente.press.ledger import Ledger

_MAX_COMMITMENTS = 24
"""Lines of open, and of ended commitments: a power that tells all its orders to everybody states a dozen a phase."""

MAX_REJECTED_CHARS = 4_000
"""Of what is told of lines that could not be used: 17 of them, each as long as can be."""


def board_text(state: PublicGameState, geography: Geography) -> str:
    """Each power's centers and units on a line, then the centers of nobody, and who retreats, builds or disbands."""
    owned = {center for centers in state.centers.values() for center in centers}
    free = [center for center in geography.centers if center not in owned]
    lines = [
        f"{power} {_centers(state.centers[power])}; {_units(units)}"
        for power, units in state.units.items()
        if units or state.centers[power]
    ]
    if free:
        lines.append(f"Centers of nobody: {' '.join(free)}")
    if state.dislodged:
        units = (_dislodged(power, *unit) for power, own in state.dislodged.items() for unit in own.items())
        lines.append(f"Dislodged: {'; '.join(units)}")
    if state.builds_disbands:
        due = (
            f"{power} {'builds' if n > 0 else 'disbands'} {abs(n)}"
            for power, n in state.builds_disbands.items()
        )
        lines.append(f"Winter: {', '.join(due)}")
    return "\n".join(lines)


def _centers(centers: Sequence[Province]) -> str:
    if not centers:
        return "no centers"
    return f"{len(centers)} center{'s' * (len(centers) > 1)}: {' '.join(centers)}"


def _units(units: Sequence[tuple[str, Location]]) -> str:
    return f"units: {', '.join(f'{kind} {place}' for kind, place in units)}" if units else "no units"


def _dislodged(power: Power, unit: str, goals: Sequence[Location]) -> str:
    """`FRANCE A BUR, which can retreat to GAS PAR`."""
    can = f"retreat to {' '.join(goals)}" if goals else "only disband"
    return f"{power} {unit}, which can {can}"


def said_text(said: Mapping[Power, str]) -> str:
    """A phase of press in short, a line for each other power, as `summaries` has them."""
    return "\n".join(f"{other}: {words}" for other, words in said.items())


def ledger_text(ledger: Ledger | KnownCommitments) -> str:
    """The open commitments, then those that ended lately with what came of them, a line each; empty for none."""
    ended = commitment_lines(ledger.ended)
    return "\n".join([*commitment_lines(ledger.open), *(["Ended:", *ended] if ended else [])])


def commitment_lines(
    commitments: Sequence[Commitment] | Sequence[SpokenCommitment], most: int = _MAX_COMMITMENTS
) -> list[str]:
    """A line for the latest of the commitments, and one for how many more there are.

    They need no quoting: nobody's free text is in them.
    """
    left_out = len(commitments) - most
    lines = [f"- {commitment}" for commitment in commitments[max(0, left_out) :]]
    return [f"- ({left_out} earlier ones are left out)", *lines] if left_out > 0 else lines


def press_text(messages: Sequence[Letter]) -> str:
    """The messages quoted, oldest first; empty when there are none."""
    return "\n".join(["New press:", *map(quote, messages)]) if messages else ""


def wanted_text(board: Board, power: Power) -> str:
    """What has to be ordered, in a sentence."""
    match board.phase.kind:
        case PhaseKind.MOVEMENT:
            units = ", ".join(map(str, board.position.units[power]))
            return f"Submit an order for each of your units with submit_orders: {units}."
        case PhaseKind.RETREATS:
            units = ", ".join(map(str, board.position.dislodged[power]))
            return f"Submit a retreat, or D, for each of your dislodged units with submit_orders: {units}."
        case PhaseKind.ADJUSTMENTS:
            return "Submit your builds or disbands with submit_orders."


def rejected_lines(rejected: Sequence[LineVerdict]) -> list[str]:
    """The lines that could not be used, why, and the nearest legal order."""
    return [
        f"- {escape(f'{v.line}: {v.note}')}{f' Nearest legal order: {v.nearest}.' if v.nearest else ''}"
        for v in rejected
    ]


def within(lines: Sequence[str], chars: int) -> str:
    """The lines that fit into so many characters, and how many more there are: a runaway reply has hundreds."""
    ends = accumulate(len(line) + 1 for line in lines)
    fitting = sum(end <= chars for end in ends)
    left_out = len(lines) - fitting
    return "\n".join([*lines[:fitting], *([f"- ({left_out} more of the kind)"] if left_out else [])])
