"""A person at the terminal: what it is shown, what it is asked, and the answer that is sent.

With a terminal the answer is changed until it is sent. Piped input is taken whole or, when a line of
it cannot be used, not at all.
"""

import sys
from collections.abc import Sequence
from dataclasses import dataclass, field

import typer
from prompt_toolkit import PromptSession
from prompt_toolkit.completion import WordCompleter
from pydantic import JsonValue

from checkpoints.store import Store
from entente.board.engine import Board
from entente.board.missing import unordered
from entente.board.orders import LineVerdict, Verdict, read_orders
from entente.board.render import board_text
from entente.board.types import Power
from entente.errors import EntenteError, OrderSyntaxError, PressError, SettingsError
from entente.press.mailbox import address, check_content, inbox
from entente.press.messages import BROADCAST, Message
from graph.master import PendingSeat, Standing
from graph.state import board_of
from nodes.bundles import latest_movement


def can_ask() -> bool:
    """True when somebody sits at this terminal."""
    return sys.stdin.isatty() and sys.stderr.isatty()


async def ask_person(store: Store, standing: Standing, seat: PendingSeat) -> JsonValue:
    """The seat's answer; raises SettingsError, with nothing sent, when piped lines cannot be used."""
    board = board_of(standing.state)
    await _show_situation(store, standing, seat, board)
    draft = _Messages(board, seat.power) if seat.ask == "talk" else _Orders(board, seat.power)
    if can_ask():
        await _converse(draft)
    else:
        _take_whole(draft, sys.stdin.read().splitlines())
    return draft.answer()


async def _show_situation(store: Store, standing: Standing, seat: PendingSeat, board: Board) -> None:
    _say(board_text(board))
    last = await latest_movement(store.journal, standing.game, standing.state.get("history"))
    if last is not None:
        _say(f"Your orders in {last.phase}:")
        for result in last.results:
            if result.power == seat.power:
                _say(f"  {result.order}: {result.reason or ', '.join(result.outcomes)}")
    turns = await store.journal.turns(standing.game, standing.state.get("segments", []))
    messages = [message for turn in turns for message in turn.messages]
    _show_press(inbox(seat.power, messages, before_round=seat.round or None))
    _say(f"\n{seat.text}\n")


def _show_press(messages: Sequence[Message]) -> None:
    for message in messages:
        to = "all" if message.recipient == BROADCAST else "you"
        _say(f"  [{message.round}] {message.sender} to {to}: {message.content}")


@dataclass
class _Messages:
    """Messages that are being written."""

    board: Board
    power: Power
    written: list[tuple[Power, str]] = field(default_factory=list[tuple[Power, str]])

    @property
    def completions(self) -> list[str]:
        return [f"{power}: " for power in (*self._reachable(), "ALL")]

    def take(self, line: str) -> str:
        """Add a line's message; the echo of it. Raises PressError."""
        recipient, colon, text = line.partition(":")
        if not colon:
            raise PressError(
                f"A line such as GERMANY: hello was wanted and {line[:40]!r} came; it was not added."
            )
        to = address(recipient, sender=self.power, reachable=self._reachable())
        self.written.append((to, check_content(text)))
        return f"  to {'all' if to == BROADCAST else to}: {self.written[-1][1]}"

    def undo(self) -> str:
        """Take the last message back."""
        return f"  taken back: {self.written.pop()[1]}" if self.written else "  nothing is written"

    def review(self) -> str:
        """What would be sent."""
        return f"{len(self.written)} message{'' if len(self.written) == 1 else 's'} to send."

    def answer(self) -> JsonValue:
        return {"messages": [{"to": to, "text": text} for to, text in self.written]}

    def _reachable(self) -> list[Power]:
        return [power for power in self.board.survivors if power != self.power]


@dataclass
class _Orders:
    """Orders that are being written; a later line for a unit replaces an earlier one."""

    board: Board
    power: Power
    lines: list[str] = field(default_factory=list[str])

    @property
    def completions(self) -> list[str]:
        legal = self.board.legal_orders[self.power]
        return [str(order) for orders in legal.values() for order in orders]

    def take(self, line: str) -> str:
        """Add a line's orders; the reader's echo of it. Raises OrderSyntaxError when nothing of it can be used."""
        verdicts = read_orders(self.board, self.power, line).verdicts
        echo = "\n".join(_echo(verdict) for verdict in verdicts)
        if any(verdict.verdict is Verdict.REJECTED for verdict in verdicts):
            raise OrderSyntaxError(echo, line=line)
        self.lines.append(line)
        return echo

    def undo(self) -> str:
        """Take the last line back."""
        return f"  taken back: {self.lines.pop()}" if self.lines else "  nothing is written"

    def review(self) -> str:
        """What would be sent, and what would be left to civil disorder."""
        orders = read_orders(self.board, self.power, self.lines).orders
        listed = [f"  {order}" for order in orders]
        left = [f"  no order: {clause}" for clause in unordered(self.board, self.power, orders)]
        return "\n".join([*listed, *left]) or "  nothing to order"

    def answer(self) -> JsonValue:
        return {"orders": list(self.lines)}


async def _converse(draft: "_Messages | _Orders") -> None:
    """Take lines until the person sends: an empty line reviews, and sends when confirmed."""
    session: PromptSession[str] = PromptSession(
        completer=WordCompleter(draft.completions, sentence=True, ignore_case=True)
    )
    _say("Tab completes, - takes the last line back, an empty line reviews and sends.")
    while True:
        line = (await session.prompt_async("> ")).strip()
        if not line:
            _say(draft.review())
            if (await session.prompt_async("Send? [y/N] ", completer=None)).strip().lower() in ("y", "yes"):
                return
            continue
        try:
            _say(draft.undo() if line == "-" else draft.take(line))
        except EntenteError as error:
            _say(str(error))


def _take_whole(draft: "_Messages | _Orders", lines: Sequence[str]) -> None:
    refused: list[str] = []
    for line in lines:
        if not line.strip():
            continue
        try:
            _say(draft.take(line))
        except EntenteError as error:
            refused.append(str(error).strip())
    if refused:
        raise SettingsError(
            f"{len(refused)} of the lines cannot be used, so nothing was sent: {'; '.join(refused)}"
        )


def _echo(verdict: LineVerdict) -> str:
    if verdict.verdict is Verdict.OK:
        return f"  {verdict.order}: ok{', though it cannot work' if verdict.is_void else ''}"
    if verdict.verdict is Verdict.REPAIRED:
        return f"  {verdict.line} was read as {verdict.order}: {verdict.note}"
    hint = f" (nearest: {verdict.nearest})" if verdict.nearest else ""
    return f"  {verdict.line} was rejected: {verdict.note}{hint}"


def _say(text: str) -> None:
    typer.echo(text, err=True)
