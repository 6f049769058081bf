"""The seat protocol: what a program that is not part of this process asks of its seat, and what it is answered.

The program asks, one request at a time, and each request has one answer. How they travel is none of it: JSON lines
carry them (`entente.players.outside`), and the tools of an MCP server have the same names. No request names a power:
who asks is the seat that the program was given.

Within a version fields may be added to answers; what is taken away or means something else is another version.
"""

from typing import Annotated, Literal, TypeAlias

from pydantic import BaseModel, ConfigDict, Field, JsonValue, TypeAdapter

from entente.board.types import Location, Phase, Power
from entente.board.verdicts import LineVerdict, Verdict
from entente.errors import UnknownPhase
from entente.players.actions import order_lines
from entente.players.bundle import Bundle
from entente.players.model.agent_context import ContextBundle, context_of
from entente.players.record import ResultRecord
from entente.press.messages import BROADCAST, Message, MessageId

VERSION = 1

Wanted: TypeAlias = Literal["press", "orders"]
"""What a seat can do now: write, give orders, or both."""


class _Part(BaseModel):
    model_config = ConfigDict(frozen=True)


class _Request(_Part):
    model_config = ConfigDict(frozen=True, extra="forbid")


class WaitForEvent(_Request):
    """Wait until there is something new; what was done before it is the seat's whole turn."""

    do: Literal["wait_for_event"]
    after: str | None = Field(
        default=None,
        max_length=200,
        description="The `cursor` of the last event that was read, for a program that may have lost its connection or "
        "its process since: what came behind it is told, and nothing before it.",
    )


class BoardState(_Request):
    """Ask for all that the seat may know."""

    do: Literal["board_state"]


class MyPossibleOrders(_Request):
    """Ask for all legal orders of the seat."""

    do: Literal["my_possible_orders"]


class SendPress(_Request):
    """Send a message."""

    do: Literal["send_press"]
    phase: str = Field(description="The phase it is for, as the latest event told it: S1901M.")
    to: str = Field(description="A power, or ALL.")
    text: str


class GiveOrders(_Request):
    """Give orders; they replace all that the seat gave in the phase before."""

    do: Literal["submit_orders"]
    phase: str = Field(description="The phase they are for, as the latest event told it: S1901M.")
    orders: tuple[str, ...] = Field(description="An order a line, in any notation: A PAR - BUR.")


Request: TypeAlias = Annotated[
    WaitForEvent | BoardState | MyPossibleOrders | SendPress | GiveOrders, Field(discriminator="do")
]

REQUESTS: TypeAdapter[Request] = TypeAdapter(Request)


class Line(_Part):
    """The order reader's answer to one line."""

    line: str
    verdict: Verdict
    order: str | None = Field(description="The order that was read; null for a line that was rejected.")
    note: str = Field(description="What was repaired, or why the line was rejected.")
    nearest: str | None = Field(
        description="For a rejected line the nearest legal order, where there is one."
    )


class Event(_Part):
    """What is new: press and results that the seat was not told before, and what is wanted of it now."""

    answer: Literal["event"] = "event"
    protocol: int = VERSION
    power: Power
    phase: str
    wants: tuple[Wanted, ...] = Field(description="What can be done now; empty when nothing is wanted.")
    not_written_to: tuple[Power, ...] = Field(
        default=(),
        description="Those to whom the seat can write now and has written nothing in this phase, sent or to be sent.",
    )
    orders_wanted: int = Field(
        default=0,
        description="How many orders are wanted now: as many as there are units to order, to build or to disband.",
    )
    press: tuple[Message, ...] = Field(description="Messages of others, oldest first.")
    last_phase: str = Field(description="The movement phase that `results` are of; empty without any.")
    results: tuple[ResultRecord, ...]
    rejected: tuple[Line, ...] = Field(
        default=(),
        description="Lines of the orders before that could not be used: orders are asked for again.",
    )
    is_over: bool = Field(default=False, description="True when the game is over; nothing else comes.")
    cursor: str = Field(default="", description="The place behind this event, for `after`.")


class View(_Part):
    """All that the seat may know."""

    answer: Literal["board_state"] = "board_state"
    protocol: int = VERSION
    power: Power
    phase: str
    wants: tuple[Wanted, ...]
    context: ContextBundle = Field(description="As `entente bundle GAME POWER --json` prints it.")
    sent: tuple[Message, ...] = Field(description="The seat's own messages of this phase, oldest first.")
    to_be_sent: tuple[str, ...] = Field(
        default=(),
        description="`ITALY: hello`: written in this round of press, and sent when the seat ends it.",
    )
    can_write_to: tuple[Power, ...]
    orders_given: tuple[str, ...] | None = Field(
        description="The seat's own orders of this phase, as it wrote them; null while it has given none."
    )
    last_phase: str = Field(description="The latest movement phase; empty in the first.")
    results: tuple[ResultRecord, ...] = Field(description="All orders of it and what became of them.")
    commitments: tuple[dict[str, JsonValue], ...] = Field(description="Open ones, then what ended lately.")
    seed: str = Field(description="For dice: the same in games that are played again with the same seed.")


class PossibleOrders(_Part):
    """All legal orders of the seat, by where its units stand."""

    answer: Literal["my_possible_orders"] = "my_possible_orders"
    phase: str
    orders: dict[Location, tuple[str, ...]]


class Sent(_Part):
    """The message is taken."""

    answer: Literal["sent"] = "sent"
    to: Power


class OrdersRead(_Part):
    """What was made of the orders."""

    answer: Literal["orders_read"] = "orders_read"
    is_taken: bool = Field(
        description="False when the orders given before stand. A person's seat takes all lines or none."
    )
    lines: tuple[Line, ...]


class Refused(_Part):
    """The request cannot be met; nothing was changed."""

    answer: Literal["refused"] = "refused"
    why: str


Answer: TypeAlias = Annotated[
    Event | View | PossibleOrders | Sent | OrdersRead | Refused, Field(discriminator="answer")
]

ANSWERS: TypeAdapter[Answer] = TypeAdapter(Answer)


class Told:
    """What a seat has been told of, so that nothing is missed and nothing is told twice.

    Whoever begins without a cursor hears of the phase and the movement phase before it, and behind a cursor of all that
    came since, as far back as bundles have press. A cursor names what its seat was told last and nothing else.
    """

    def __init__(self, cursor: str = "") -> None:
        self._results_of, self._is_behind, self._last = cursor.partition("/")
        self._messages: set[MessageId] = set()

    @property
    def cursor(self) -> str:
        """The place behind all that was told."""
        return f"{self._results_of}/{self._last}"

    def news(
        self,
        bundle: Bundle,
        wants: tuple[Wanted, ...],
        to_be_sent: tuple[str, ...] = (),
        *,
        is_over: bool = False,
    ) -> Event:
        """The event that tells what is new in the bundle; `note` it once it is told."""
        heard = self._heard(bundle)
        press = tuple(m for m in heard if m.id not in self._messages and m.sender != bundle.power)
        last = bundle.last_movement_phase
        has_results = _order(last) > _order(self._results_of)
        return Event(
            power=bundle.power,
            phase=str(bundle.board.phase),
            wants=wants,
            not_written_to=_not_written_to(bundle, to_be_sent) if "press" in wants else (),
            orders_wanted=_orders_wanted(bundle) if "orders" in wants else 0,
            press=press,
            last_phase=last if has_results else "",
            results=tuple(map(ResultRecord.of, bundle.last_movement)) if has_results else (),
            rejected=lines_of(bundle.rejected),
            is_over=is_over,
            cursor=f"{last if has_results else self._results_of}/{press[-1].id if press else self._last}",
        )

    def note(self, event: Event) -> None:
        """The event has been told."""
        self._messages |= {message.id for message in event.press}
        self._results_of, self._is_behind, self._last = event.cursor.partition("/")

    def _heard(self, bundle: Bundle) -> tuple[Message, ...]:
        if not self._is_behind:
            return _each_once((*bundle.last_messages, *bundle.inbox))
        before = (message for past in bundle.press for message in past.messages)
        heard = _each_once((*before, *bundle.inbox))
        place = next((n for n, message in enumerate(heard, 1) if message.id == self._last), 0)
        # Between two steps of the game the last phase may stand nowhere: what is older was told all the same.
        since = _order(self._last.partition(".")[0] or self._results_of)
        return tuple(message for message in heard[place:] if _order(message.phase) >= since)


def _each_once(messages: tuple[Message, ...]) -> tuple[Message, ...]:
    """Between two steps of the game a message may stand with the past ones and in the inbox."""
    return tuple({message.id: message for message in messages}.values())


def _not_written_to(bundle: Bundle, to_be_sent: tuple[str, ...]) -> tuple[Power, ...]:
    names = (name.strip() for line in to_be_sent for name in line.partition(":")[0].split(","))
    written = {message.recipient for message in bundle.sent}.union(names)
    return () if BROADCAST in written else tuple(p for p in bundle.press_allowed if p not in written)


def _orders_wanted(bundle: Bundle) -> int:
    board, power = bundle.board, bundle.power
    return abs(board.builds[power]) or len(board.legal_orders[power])


def _order(phase: str) -> tuple[int, int, int]:
    """The phase's place among all; what is none comes before them."""
    try:
        return Phase.parse(phase).sort_key
    except UnknownPhase:
        return (0, 0, 0)


def view_of(bundle: Bundle, wants: tuple[Wanted, ...], to_be_sent: tuple[str, ...] = ()) -> View:
    """The bundle as an answer, and what the seat has written itself and not sent; nothing else is in it."""
    given = [order_lines(turn.actions) for turn in bundle.earlier]
    return View(
        power=bundle.power,
        phase=str(bundle.board.phase),
        wants=wants,
        context=context_of(bundle),
        sent=bundle.sent,
        to_be_sent=to_be_sent,
        can_write_to=bundle.press_allowed,
        orders_given=next((tuple(lines) for lines in reversed(given) if lines), None),
        last_phase=bundle.last_movement_phase,
        results=tuple(map(ResultRecord.of, bundle.last_movement)),
        commitments=tuple(each.to_json() for each in (*bundle.ledger.open, *bundle.ledger.ended)),
        seed=bundle.seed,
    )


def possible_orders_of(bundle: Bundle) -> PossibleOrders:
    """All legal orders of the bundle's power."""
    legal = bundle.board.legal_orders[bundle.power]
    return PossibleOrders(
        phase=str(bundle.board.phase),
        orders={place: tuple(map(str, orders)) for place, orders in legal.items()},
    )


def lines_of(verdicts: tuple[LineVerdict, ...]) -> tuple[Line, ...]:
    """The reader's verdicts as they are told."""
    return tuple(
        Line(
            line=each.line,
            verdict=each.verdict,
            order=None if each.order is None else str(each.order),
            note=each.note,
            nearest=each.nearest,
        )
        for each in verdicts
    )


def schema() -> dict[str, JsonValue]:
    """The JSON schema of requests and answers, under the names `request` and `answer`."""
    parts, definitions = TypeAdapter.json_schemas(
        [("request", "validation", REQUESTS), ("answer", "serialization", ANSWERS)],
        title=f"The seat protocol, version {VERSION}",
    )
    return {**definitions, "properties": {name: part for (name, _), part in parts.items()}}
