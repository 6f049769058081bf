"""What a person at a seat is shown: board, last orders, press and commitments that its power may know of, legal orders.

It is the one view of a seat: the question in LangGraph's interrupt carries it, and the terminal draws it.
"""

from collections.abc import Sequence

from pydantic import BaseModel, ConfigDict, JsonValue

from checkpoints.journal import Journal
from entente.board.engine import Board
from entente.board.orders import legal_order_texts
from entente.board.types import PhaseKind, Power
from entente.commentary.leader import card_text
from entente.floors.asking import Ask, SeatTask
from entente.floors.journal_ledger import after_turns, ledger_after
from entente.floors.mail import has_answered_enough, unread_by_person
from entente.floors.phase_clock import closes_at
from entente.floors.table import latest_movement
from entente.players.model.layout import ledger_text
from entente.players.projection import press_of
from entente.players.record import ResultRecord, TurnRecord
from entente.press.ledger import Ledger
from entente.press.messages import Message
from graph.context import GameSettings
from graph.state import board_from
from prompts import fill


class SeatView(BaseModel):
    """One person's question, and all that it may know to answer it.

    Questions of older versions have only the first fields.
    """

    model_config = ConfigDict(frozen=True)

    power: Power
    ask: Ask
    phase: str
    round: int
    is_optional: bool = False
    """True when nobody waits for the answer."""
    text: str
    """Where the commitments stand, if there are any, what is wanted, and how to answer, for people."""
    board: dict[str, JsonValue]
    """`Board.snapshot()`."""
    last_phase: str = ""
    """The latest movement phase; empty in the first."""
    last_results: tuple[ResultRecord, ...] = ()
    """All orders of that phase and what became of them."""
    press: tuple[Message, ...] = ()
    """The phase's press that the power may read, oldest first, its own messages among it."""
    unread: tuple[str, ...] = ()
    """Ids of the messages that came since its last answer; empty where everything is read in rounds."""
    commitments: tuple[dict[str, JsonValue], ...] = ()
    """Those that the power may know of, the open ones and then what ended lately, as `Commitment.to_json()`."""
    can_write_to: tuple[Power, ...] = ()
    """Empty when press is closed."""
    legal_orders: tuple[str, ...] = ()
    """Empty when orders are not wanted yet."""
    orders_in: tuple[Power, ...] = ()
    """Others who have given orders while there is talk; never which."""
    orders_given: tuple[str, ...] | None = None
    """The power's own orders of this phase; None while it has given none."""
    has_answered_enough: bool = False
    """True after as many answers as a phase may have: only the first orders are still taken, from who gave none."""
    closes_at: float | None = None
    """When the phase is closed without those who have not ordered, in seconds since 1970, UTC; None: never."""
    sends_drafts: bool = False
    """True where orders that were drafted and not sent are given then: the setting is for who has given none."""
    leader: str = ""
    """The card of the person's leader, for people; empty where it has none."""
    verdicts: tuple[str, ...] = ()
    """What could not be used of the answer before this one, a sentence each; nothing of that answer was taken."""


async def view_of_seat(journal: Journal, game: str, task: SeatTask, settings: GameSettings) -> SeatView:
    """The seat's view of its question, from what is committed now."""
    board, power, ask = board_from(task["board"]), task["power"], task["ask"]
    turns = await journal.turns(game, task.get("segments", []))
    last = await latest_movement(journal, game, task.get("history"))
    new = press_of(unread_by_person(power, turns), power) if ask == "open" else []
    given = task.get("orders_given")
    ledger = await _ledger(journal, game, task, turns)
    is_enough = ask == "open" and has_answered_enough(power, turns)
    enough = enough_text(power, task["phase"]) if is_enough else ""
    return SeatView(
        power=power,
        ask=ask,
        phase=task["phase"],
        round=task["round"],
        is_optional=task.get("is_optional", False),
        text="\n\n".join(filter(None, (_commitments_text(ledger), enough, _text(task, board)))),
        board=task["board"],
        last_phase=last.phase if last else "",
        last_results=last.results if last else (),
        press=tuple(message for message in press_of(turns, power) if _is_read(message.round, task)),
        unread=tuple(message.id for message in new),
        commitments=tuple(commitment.to_json() for commitment in (*ledger.open, *ledger.ended)),
        can_write_to=() if ask == "orders" else tuple(p for p in board.survivors if p != power),
        legal_orders=() if ask == "talk" else legal_order_texts(board, power),
        orders_in=tuple(task.get("orders_in", ())) if ask == "open" else (),
        orders_given=None if given is None else tuple(given),
        has_answered_enough=is_enough,
        closes_at=closes_at(settings, turns) if ask == "open" else None,
        sends_drafts=ask == "open" and settings.send_at_deadline and given is None,
        leader=card_text(leader) if (leader := settings.leader(power)) else "",
    )


def enough_text(power: Power, phase: str) -> str:
    """What is told to a power that has answered as often as it may in the phase."""
    return fill("seat_enough", power=power, phase=phase)


def _is_read(round_: int, task: SeatTask) -> bool:
    """What others say in a round is read from the next one on; orders come after all rounds."""
    return task["ask"] != "talk" or round_ < task["round"]


async def _ledger(journal: Journal, game: str, task: SeatTask, turns: Sequence[TurnRecord]) -> Ledger:
    """The commitments that the power may know of, with what it has read in the phase."""
    before = await ledger_after(journal, game, task.get("history"))
    told = [turn for turn in turns if _is_read(turn.round, task)]
    return after_turns(before, told, board_from(task["board"])).seen_by(task["power"])


def _commitments_text(ledger: Ledger) -> str:
    """The ledger in words, as models read it; empty where it is."""
    return fill("seat_commitments", commitments=ledger_text(ledger)) if ledger.open or ledger.ended else ""


def _text(task: SeatTask, board: Board) -> str:
    power, phase = task["power"], task["phase"]
    other = next((other for other in board.survivors if other != power), "ALL")
    if task["ask"] == "talk":
        rounds = {"round": str(task["round"]), "rounds": str(task["rounds"])}
        return fill("seat_talk", power=power, phase=phase, other=other, **rounds)
    order = _an_order(board, power)
    if task.get("orders_given") is not None:
        return fill("seat_ordered", power=power, phase=phase, other=other, order=order)
    units = ", ".join(_to_be_ordered(board, power)) or "nothing"
    if task["ask"] == "open":
        return fill("seat_open", power=power, phase=phase, other=other, order=order, units=units)
    return fill(
        "seat_orders", power=power, phase=phase, order=order, units=units, default=_default(board, power)
    )


def _an_order(board: Board, power: Power) -> str:
    """An order that the power could give now: a move where it can move."""
    legal = legal_order_texts(board, power)
    return next((order for order in legal if " - " in order), next(iter(legal), "A PAR H"))


def _to_be_ordered(board: Board, power: Power) -> list[str]:
    """What the power has to order, in words: its units, or how many to build, and where, or to disband."""
    at = board.position
    match at.phase.kind:
        case PhaseKind.MOVEMENT:
            return [str(unit) for unit in at.units[power]]
        case PhaseKind.RETREATS:
            return [str(unit) for unit in at.dislodged[power]]
        case PhaseKind.ADJUSTMENTS:
            count, free = board.builds[power], sorted(board.legal_orders[power])
            return [
                f"{_counted(count, 'build')} in {' '.join(free)}"
                if count > 0
                else _counted(-count, "disband")
            ]


def _counted(count: int, what: str) -> str:
    return f"{count} {what}" if count == 1 else f"{count} {what}s"


def _default(board: Board, power: Power) -> str:
    """What becomes of whatever has no order."""
    match board.phase.kind:
        case PhaseKind.MOVEMENT:
            return "A unit without an order holds."
        case PhaseKind.RETREATS:
            return "A unit without an order disbands."
        case PhaseKind.ADJUSTMENTS if board.builds[power] > 0:
            return "A build without an order is waived."
        case PhaseKind.ADJUSTMENTS:
            return "Where you name none, the units farthest from home disband."
