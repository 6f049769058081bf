"""An answer that is being written, line by line: messages, or orders. It is changed until it is sent."""

from dataclasses import dataclass, field

from pydantic import JsonValue

from entente.board.engine import Board
from entente.board.missing import unordered
from entente.board.orders import LineVerdict, Verdict, legal_order_texts, read_orders
from entente.board.types import Power
from entente.errors import OrderSyntaxError, PressError
from entente.press.mailbox import address, check_content
from entente.press.messages import BROADCAST

_SHOWN_CHARS = 40


@dataclass
class Messages:
    """Messages that are being written."""

    board: Board
    power: Power
    written: list[tuple[Power, str]] = field(default_factory=list[tuple[Power, str]])

    @property
    def completions(self) -> list[str]:
        """How a line can begin."""
        return [f"{name}: " for name in (*self._reachable(), "ALL")]

    def take(self, line: str) -> str:
        """Add a line's message; the echo of it. Raises PressError."""
        recipient, colon, text = line.partition(":")
        if not colon:
            raise PressError(
                f"A line such as GERMANY: hello was wanted and {line[:_SHOWN_CHARS]!r} came; it was not added."
            )
        to = address(recipient, sender=self.power, reachable=self._reachable())
        self.written.append((to, check_content(text)))
        return _told(self.written[-1])

    def undo(self) -> str:
        """Take the last message back."""
        return f"  taken back: {self.written.pop()[1]}" if self.written else "  nothing is written"

    def review(self) -> str:
        """What would be sent."""
        return "\n".join(_told(message) for message in self.written) or "  nothing to say this round"

    def answer(self) -> JsonValue:
        """The answer that the game wants."""
        return {"messages": [{"to": to, "text": text} for to, text in self.written]}

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
        """Every legal order."""
        return list(legal_order_texts(self.board, self.power))

    def take(self, line: str) -> str:
        """Add a line's orders; the reader's echo of it. Raises OrderSyntaxError when a part cannot be used."""
        verdicts = read_orders(self.board, self.power, line).verdicts
        echo = "\n".join(_echo(verdict) for verdict in verdicts)
        if any(verdict.verdict is Verdict.REJECTED for verdict in verdicts):
            raise OrderSyntaxError(echo, line=line)
        self.lines.append(line)
        return echo

    def vote(self, *, draw: bool) -> str:
        """Vote for or against a draw."""
        self.draw = draw
        return f"  a vote {'for' if draw else 'against'} ending the game in a draw"

    def undo(self) -> str:
        """Take the last line back."""
        return f"  taken back: {self.lines.pop()}" if self.lines else "  nothing is written"

    def review(self) -> str:
        """What would be sent, and what would be left to civil disorder."""
        orders = read_orders(self.board, self.power, self.lines).orders
        listed = [f"  {order}" for order in orders]
        left = [f"  no order: {clause}" for clause in unordered(self.board, self.power, orders)]
        vote = [] if self.draw is None else [self.vote(draw=self.draw)]
        return "\n".join([*listed, *left, *vote])

    def answer(self) -> JsonValue:
        """The answer that the game wants."""
        answer: dict[str, JsonValue] = {"orders": [*self.lines]}
        return answer if self.draw is None else answer | {"draw": self.draw}


def _told(message: tuple[Power, str]) -> str:
    to, text = message
    return f"  to {'all' if to == BROADCAST else to}: {text}"


def _echo(verdict: LineVerdict) -> str:
    if verdict.verdict is Verdict.OK:
        return f"  {verdict.order}: ok{', though it cannot work' if verdict.is_void else ''}"
    if verdict.verdict is Verdict.REPAIRED:
        return f"  {verdict.line} was read as {verdict.order}: {verdict.note}"
    hint = f" (nearest: {verdict.nearest})" if verdict.nearest else ""
    return f"  {verdict.line} was rejected: {verdict.note}{hint}"
