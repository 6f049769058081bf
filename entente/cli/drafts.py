"""An answer that is being written, line by line: messages, orders, or both. It is changed until it is sent."""

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from difflib import get_close_matches
from typing import NamedTuple

from pydantic import JsonValue

from checkpoints.drafts import SeatDraft
from entente.board.engine import Board
from entente.board.missing import unordered
from entente.board.orders import legal_order_texts, read_orders
from entente.board.types import Power
from entente.board.verdicts import LineVerdict, Verdict
from entente.errors import EntenteError, OrderSyntaxError, PressError
from entente.press.mailbox import address, check_content
from entente.press.messages import BROADCAST

_SHOWN_CHARS = 40
_SHORTEST_NAME = 3
"""Letters of a power's name that are enough, as the board prints them."""
_BETWEEN_NAMES = re.compile(r"\s*(?:[,;&+/]|\band\b)\s*", re.IGNORECASE)
_TO_ALL = "ALL"
"""What people write for a message to everybody."""


class _Written(NamedTuple):
    """One text, and whom it goes to."""

    recipients: tuple[Power, ...]
    text: str

    def names(self) -> str:
        """`GERMANY, ITALY`, or ALL."""
        return ", ".join(_TO_ALL if to == BROADCAST else to for to in self.recipients)


@dataclass
class Messages:
    """Messages that are being written."""

    board: Board
    power: Power
    written: list[_Written] = field(default_factory=list[_Written])

    @property
    def completions(self) -> list[str]:
        """How a line can begin."""
        return [f"{name}: " for name in (*self._reachable(), _TO_ALL)]

    def take(self, line: str) -> str:
        """Add a line's message to one power, to several or to all; the echo of it. Raises PressError."""
        names, colon, text = line.partition(":")
        if not colon:
            raise PressError(
                f"A line such as GERMANY: hello was wanted and {line[:_SHOWN_CHARS]!r} came; it was not added."
            )
        to = tuple(dict.fromkeys(map(self._address, _BETWEEN_NAMES.split(names))))
        self.written.append(_Written((BROADCAST,) if BROADCAST in to else to, check_content(text)))
        return _told(self.written[-1])

    def undo(self) -> str:
        """Take the last message back."""
        return f"  taken back: {self.written.pop().text}" if self.written else "  nothing is written"

    def review(self) -> str:
        """What would be sent."""
        return "\n".join(_told(message) for message in self.written) or "  nothing to say this round"

    def kept(self, before: SeatDraft) -> SeatDraft:
        """The seat's draft with what is written here in place of what it was."""
        return before.model_copy(update={"messages": tuple(self.as_typed())})

    def begin_with(self, kept: SeatDraft) -> list[str]:
        """Take what was kept; why a line cannot be used any more."""
        return _refused_of(self.take, kept.messages)

    def as_typed(self) -> list[str]:
        """What was written, a line each, to be typed or piped in again."""
        return [f"{message.names()}: {message.text}" for message in self.written]

    def answer(self) -> dict[str, JsonValue]:
        """The answer that the game wants."""
        return {"messages": [{"to": message.names(), "text": message.text} for message in self.written]}

    def _address(self, name: str) -> Power:
        """Whom the name means, which may be cut short where that leaves one power; raises PressError."""
        reachable, wanted = self._reachable(), name.strip().upper()
        begun = [power for power in reachable if power.startswith(wanted)]
        if len(begun) == 1 and len(wanted) >= _SHORTEST_NAME:
            return begun[0]
        try:
            return address(name, sender=self.power, reachable=reachable, to_all=_TO_ALL)
        except PressError as error:
            near = get_close_matches(wanted, reachable, 1)
            if not near:
                raise
            raise PressError(f"{error} The nearest name is {near[0]}.") from None

    def _reachable(self) -> list[Power]:
        return [power for power in self.board.survivors if power != self.power]


@dataclass
class Orders:
    """Orders that are being written; a later line for a unit replaces an earlier one."""

    board: Board
    power: Power
    lines: list[str] = field(default_factory=list[str])
    draw: bool | None = None
    """The vote on ending the game in a draw; None while none was cast."""

    @property
    def completions(self) -> list[str]:
        """How a line can be: every legal order."""
        return self.legal

    @property
    def legal(self) -> list[str]:
        """Every legal order."""
        return list(legal_order_texts(self.board, self.power))

    def take(self, line: str) -> str:
        """Add a line's orders; the reader's echo of it, and what it replaces.

        Raises OrderSyntaxError when a part cannot be used, be it only that there are enough builds or disbands already.
        """
        before = read_orders(self.board, self.power, self.lines).verdicts
        whole = read_orders(self.board, self.power, [*self.lines, line]).verdicts
        earlier, verdicts = whole[: len(before)], whole[len(before) :]
        again = {verdict.order for verdict in verdicts}
        replaced = [
            f"  {now.note}"
            for was, now in zip(before, earlier, strict=True)
            if was.order != now.order and was.order not in again
        ]
        echo = "\n".join([*map(_echo, verdicts), *replaced])
        if any(verdict.verdict is Verdict.REJECTED for verdict in verdicts):
            if self._is_message(line):
                echo = "  orders are wanted now and press is closed; the message was not added"
            raise OrderSyntaxError(echo, line=line)
        if not verdicts:  # nothing but characters: as orders it would replace those given before with none
            return "  there is no order in this line; it was not added"
        self.lines.append(line)
        return echo

    def _is_message(self, line: str) -> bool:
        try:
            Messages(self.board, self.power).take(line)
        except PressError:
            return False
        return True

    def vote(self, *, draw: bool) -> str:
        """Vote for or against a draw."""
        self.draw = draw
        return f"  a vote {'for' if draw else 'against'} ending the game in a draw"

    def undo(self) -> str:
        """Take the last line back."""
        return f"  taken back: {self.lines.pop()}" if self.lines else "  nothing is written"

    def review(self) -> str:
        """What would be sent, and what would be left to civil disorder."""
        return "\n".join([*self.standing(self.lines), *self.voted()])

    def standing(self, lines: Sequence[str]) -> list[str]:
        """The orders of these lines, and what they leave to civil disorder."""
        orders = read_orders(self.board, self.power, lines).orders
        left = unordered(self.board, self.power, orders)
        return [*(f"  {order}" for order in orders), *(f"  no order: {clause}" for clause in left)]

    def missing(self) -> str:
        """What civil disorder would still decide; empty while nothing is written, and once all has orders."""
        left = unordered(self.board, self.power, read_orders(self.board, self.power, self.lines).orders)
        return f"  no order yet: {', '.join(left)}" if self.lines and left else ""

    def voted(self) -> list[str]:
        """The vote on a draw; empty while none was cast."""
        return [] if self.draw is None else [self.vote(draw=self.draw)]

    def kept(self, before: SeatDraft) -> SeatDraft:
        """The seat's draft with what is written here in place of what it was."""
        return before.model_copy(update={"orders": tuple(self.lines), "draw": self.draw})

    def begin_with(self, kept: SeatDraft) -> list[str]:
        """Take what was kept; why a line cannot be used any more."""
        self.draw = kept.draw
        return _refused_of(self.take, kept.orders)

    def as_typed(self) -> list[str]:
        """What was written, a line each, to be typed or piped in again."""
        return self.lines if self.draw is None else [*self.lines, "/draw" if self.draw else "/no-draw"]

    def answer(self) -> dict[str, JsonValue]:
        """The answer that the game wants."""
        answer: dict[str, JsonValue] = {"orders": [*self.lines]}
        return answer if self.draw is None else answer | {"draw": self.draw}


@dataclass
class MessagesAndOrders:
    """Both in one, as the conductor's floor takes them; a line with a colon is a message."""

    messages: Messages
    orders: Orders
    given: Sequence[str] | None
    """The orders that the power gave before in this phase, which any new ones replace; None: none yet."""
    _filled: list[Messages | Orders] = field(default_factory=list[Messages | Orders])
    """Where each line went."""

    @property
    def completions(self) -> list[str]:
        """How a line can begin, or be."""
        return [*self.messages.completions, *self.legal]

    @property
    def legal(self) -> list[str]:
        """Every legal order."""
        return self.orders.legal

    def take(self, line: str) -> str:
        """Add a line; the echo of it. Raises PressError, and OrderSyntaxError when a part cannot be used."""
        part, before = self.messages if ":" in line else self.orders, self.as_typed()
        echo = part.take(line)
        if self.as_typed() != before:
            self._filled.append(part)
        return echo

    def vote(self, *, draw: bool) -> str:
        """Vote for or against a draw."""
        return self.orders.vote(draw=draw)

    def undo(self) -> str:
        """Take the last line back."""
        return self._filled.pop().undo() if self._filled else "  nothing is written"

    def review(self) -> str:
        """What would be sent, and the orders as they would stand then."""
        sent = [self.messages.review()] if self.messages.written else []
        return "\n".join([*sent, *self._orders(), *self.orders.voted()])

    def _orders(self) -> list[str]:
        if self.orders.lines:
            return self.orders.standing(self.orders.lines)
        nothing = [] if self.as_typed() else ["  nothing now"]
        if self.given is None:
            return [*nothing, "  no orders yet: you are asked for them again"]
        return [*nothing, "  your orders stay as they are:", *self.orders.standing(self.given)]

    def kept(self, before: SeatDraft) -> SeatDraft:
        """The seat's draft with what is written here in place of what it was."""
        return self.orders.kept(self.messages.kept(before))

    def begin_with(self, kept: SeatDraft) -> list[str]:
        """Take what was kept; why a line cannot be used any more."""
        self.orders.draw = kept.draw
        return _refused_of(self.take, [*kept.messages, *kept.orders])

    def as_typed(self) -> list[str]:
        """What was written, a line each, to be typed or piped in again."""
        return [*self.messages.as_typed(), *self.orders.as_typed()]

    def answer(self) -> dict[str, JsonValue]:
        """The answer that the game wants."""
        return self.messages.answer() | self.orders.answer()


def _refused_of(take: Callable[[str], str], lines: Iterable[str]) -> list[str]:
    refused: list[str] = []
    for line in lines:
        try:
            take(line)
        except EntenteError as error:
            refused.append(str(error))
    return refused


def _told(message: _Written) -> str:
    to = "all" if BROADCAST in message.recipients else message.names()
    return f"  to {to}: {message.text}"


def _echo(verdict: LineVerdict) -> str:
    if verdict.verdict is Verdict.OK:
        return f"  {verdict.order}: ok{', though it cannot work' if verdict.is_void else ''}"
    if verdict.verdict is Verdict.REPAIRED:
        read = f"read as {verdict.order}"
        return f"  {verdict.line} was {read}" + ("" if verdict.note == read else f": {verdict.note}")
    hint = f" (nearest: {verdict.nearest})" if verdict.nearest else ""
    return f"  {verdict.line} was rejected: {verdict.note}{hint}"
