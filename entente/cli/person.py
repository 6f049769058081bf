"""A person at the terminal: the dialog in which an answer is written, changed and sent.

Piped input is taken whole or, when a line of it cannot be used, not at all.
"""

import asyncio
import signal
import sys
import time
from collections.abc import Sequence
from enum import Enum, auto
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from pydantic import JsonValue

from checkpoints.drafts import SeatDraft
from entente.cli.drafts import Messages, MessagesAndOrders, Orders
from entente.cli.given import check_text
from entente.cli.kept_draft import KeptDraft
from entente.cli.map_of_draft import draw_map
from entente.cli.news import News
from entente.cli.output import can_ask, ring, say
from entente.cli.situation import Situation
from entente.errors import EntenteError, PressError, SettingsError

if TYPE_CHECKING:
    from prompt_toolkit import PromptSession

Draft: TypeAlias = Messages | Orders | MessagesAndOrders

_COMMANDS = {
    "/send": "send what is written (an empty line shows it first)",
    "/show": "show what is written",
    "/undo": "take the last line back",
    "/board": "show the board and this phase's press again",
    "/map": "draw the board with the orders that are written",
    "/press": "show all press that you may read, what is new behind an asterisk",
    "/log": "show all that you may know of the game",
    "/help": "show this list",
}
_ORDER_COMMANDS = {
    "/legal": "list all legal orders; Tab completes them too",
    "/draw": "vote for ending the game in a draw, shared by all survivors",
    "/no-draw": "vote against it",
}
_OPEN_HINT = "A line with a colon is a message ({}hello), any other line is orders."
_LEAVE = "Ctrl-D leaves: nothing is sent, what is written is kept, and the game waits."
_IS_KEPT = ", and is kept for your next turn"
_WARN_SECONDS = (300, 60, 10)
"""Before the time of a phase is over."""


class Left(Enum):
    """Why there is no answer."""

    GONE = auto()
    """The person left, or its time was over."""
    PHASE_OVER = auto()
    """The phase was adjudicated without one."""


class Written(NamedTuple):
    """What a person has written and wants to send."""

    answer: JsonValue
    """As the game wants it."""
    lines: list[str]
    """As it can be typed again."""
    draft: SeatDraft
    """As it is kept where it cannot be sent."""


async def ask_person(
    situation: Situation, *, is_staying: bool = False, has_seen: bool = False
) -> Written | Left:
    """The seat's answer, or why there is none; what others commit meanwhile is told above the line that is typed.

    Who `is_staying` is asked no longer than the phase is in play. Who `has_seen` the phase on this screen is shown what
    is new in it. Raises SettingsError, with nothing sent, when piped lines cannot be used.
    """
    draft, until = _draft(situation), situation.view.closes_at
    if not can_ask():
        # Read first: who pipes something unusable wants to see what is wrong with it, not the board.
        _take_whole(draft, await asyncio.to_thread(_read_piped))
        return _written(draft)
    kept = KeptDraft(situation.store, situation.standing.game, situation.seat)
    news = News(situation)
    say(await (situation.news() if has_seen else situation.text()))
    for told in await kept.give_back(draft):
        say(told)
    dialog = _Dialog(situation, draft, kept, news, is_staying=is_staying)
    if await dialog.hold(until):
        return _written(draft, news.read)
    is_kept = False
    try:
        await kept.keep(draft, dialog.begun)
        is_kept = situation.is_kept
    finally:
        _tell_unsent(situation, draft, dialog, is_kept=is_kept)
    return Left.PHASE_OVER if dialog.is_over else Left.GONE


def _tell_unsent(situation: Situation, draft: Draft, dialog: "_Dialog", *, is_kept: bool) -> None:
    if dialog.is_over:  # what was never sent is told with the next question
        return
    over = f"The time for {situation.seat.phase} is over. " if dialog.is_late else ""
    if lines := [*draft.as_typed(), *filter(None, [dialog.begun])]:
        is_sent = dialog.is_late and situation.view.sends_drafts
        what = "Typed orders are sent now. What else is here was not sent" if is_sent else "This was not sent"
        show_again(f"{over}{what}{_IS_KEPT if is_kept else ''}:", lines)
    else:
        say(f"{over}Nothing was sent.")


async def say_above(text: str) -> None:
    """Say something above the line that is being typed, with the terminal's bell."""
    from prompt_toolkit.application import run_in_terminal

    await run_in_terminal(lambda: ring(text))


def show_again(heading: str, lines: Sequence[str]) -> None:
    """Show lines that were written, each unbroken, so that they can be copied."""
    say("\n".join([heading, *lines]), whole=True)


def _written(draft: Draft, read: int | None = None) -> Written:
    answer: dict[str, JsonValue] = draft.answer()
    if read is not None and isinstance(draft, MessagesAndOrders):
        answer["read"] = read
    return Written(answer, draft.as_typed(), draft.kept(SeatDraft()))


def _draft(situation: Situation) -> Draft:
    board, power = situation.board, situation.seat.power
    match situation.seat.ask:
        case "talk":
            return Messages(board, power)
        case "orders":
            return Orders(board, power)
        case "open":
            return MessagesAndOrders(
                Messages(board, power), Orders(board, power), situation.view.orders_given
            )


class _Dialog:
    """The conversation about one draft."""

    def __init__(
        self, situation: Situation, draft: Draft, kept: KeptDraft, news: News, *, is_staying: bool
    ) -> None:
        self._situation = situation
        self._draft = draft
        self._kept = kept
        self._news = news
        self._is_staying = is_staying
        self._commands = _COMMANDS | ({} if isinstance(draft, Messages) else _ORDER_COMMANDS)
        self._lines = _prompt_session([*draft.completions, *self._commands])
        self._answers = _prompt_session([])
        self.is_late = False
        """True when the time was over before the person had sent or left."""
        self.is_over = False
        """True when the phase was adjudicated before, for one who stays."""

    @property
    def begun(self) -> str:
        """The line that was begun and not entered."""
        return self._lines.default_buffer.text.strip()

    async def hold(self, until: float | None) -> bool:
        """Take lines until the person sends; False when it left or the time is over. SIGTERM leaves as Ctrl-C does."""
        say("Tab completes; an empty line shows what is written and sends it; /help lists more.")
        if isinstance(self._draft, MessagesAndOrders):
            say(_OPEN_HINT.format(next(iter(self._draft.completions))))
        loop, lines = asyncio.get_running_loop(), asyncio.ensure_future(self._take_lines())
        # To cancel is what puts the terminal in order again.
        loop.add_signal_handler(signal.SIGTERM, lines.cancel)
        warnings = asyncio.ensure_future(self._warn(until))
        news = asyncio.ensure_future(self._news.tell(say_above))
        ends = [lines, news] if self._is_staying else [lines]
        try:
            while not (lines.done() or self.is_late or self.is_over):
                left = None if until is None else max(0.0, until - time.time())
                await asyncio.wait(ends, timeout=left, return_when=asyncio.FIRST_COMPLETED)
                self.is_over = self._is_staying and news.done() and not lines.done()
                self.is_late = not lines.done() and until is not None and time.time() >= until
        finally:
            loop.remove_signal_handler(signal.SIGTERM)
            lines.cancel()
            warnings.cancel()
            news.cancel()
            await asyncio.wait(
                [lines, warnings, news]
            )  # the terminal is in order again before anything is said
        return not lines.cancelled() and lines.result()

    async def _warn(self, until: float | None) -> None:
        """Say above the prompt how little time is left."""
        if until is None:
            return
        what = self._situation.unsent_at_deadline
        left = until - time.time()
        for seconds in [each for each in _WARN_SECONDS if each < left] or [left]:
            await asyncio.sleep(until - seconds - time.time())
            await say_above(
                f"{max(0, seconds):.0f} seconds are left for {self._situation.seat.phase}; {what}."
            )

    async def _take_lines(self) -> bool:
        begun = self._kept.begun
        try:
            while True:
                prompt = f"{self._situation.seat.power}> "
                line = (await self._lines.prompt_async(prompt, default=begun)).strip()
                begun = ""
                if not line:
                    line = await self._confirm()
                    if line.lower() in ("", "n", "no"):
                        continue
                    if line.lower() in ("y", "yes"):
                        return True
                if line == "/send":
                    return True
                await self._answer(line)
        except (EOFError, KeyboardInterrupt):
            return False

    async def _confirm(self) -> str:
        """What is said to the question whether to send; another line than yes or no is one like any other."""
        say(self._draft.review())
        return (await self._answers.prompt_async("Send? [y/N] ")).strip()

    async def _answer(self, line: str) -> None:
        try:
            if line.startswith("/"):
                say(await self._command(line), whole=line == "/map")
            else:
                say("\n".join(filter(None, [self._draft.take(line), self._missing(line)])))
            await self._kept.keep(self._draft)
        except EntenteError as error:
            say(str(error))

    def _missing(self, line: str) -> str:
        """What is without an order yet, once a line of orders was written."""
        match self._draft:
            case Orders() as orders:
                return orders.missing()
            case MessagesAndOrders(orders=orders) if ":" not in line:
                return orders.missing()
            case _:
                return ""

    async def _command(self, line: str) -> str:
        match line:
            case "/show":
                return self._draft.review()
            case "/undo":
                return self._draft.undo()
            case "/board":
                return await self._situation.text()
            case "/map":
                return await draw_map(self._situation, self._draft)
            case "/press":
                return await self._situation.press()
            case "/log":
                return await self._situation.log()
            case "/legal" if not isinstance(self._draft, Messages):
                return "\n".join(f"  {order}" for order in self._draft.legal)
            case "/draw" | "/no-draw":
                return _vote(self._draft, line)
            case "/help":
                known = [f"  {name:<9} {meaning}" for name, meaning in self._commands.items()]
                return "\n".join([*known, f"  {_LEAVE}"])
            case _:
                raise SettingsError(
                    f"A command such as /help was wanted and {line!r} came; nothing was done."
                )


def _read_piped() -> str:
    return check_text(sys.stdin.read(), undone="nothing was sent")


def _take_whole(draft: Draft, text: str) -> None:
    if not text:
        raise SettingsError(
            "No lines came, so nothing was sent; to send an empty answer, pipe in an empty line."
        )
    refused: list[str] = []
    for line in filter(None, map(str.strip, text.splitlines())):
        try:
            say(_vote(draft, line) if line in ("/draw", "/no-draw") else draft.take(line))
        except EntenteError as error:
            refused.append(str(error).strip())
    if refused:
        raise SettingsError(
            f"{len(refused)} of the lines cannot be used, so nothing was sent: {'; '.join(refused)}"
        )


def _vote(draft: Draft, line: str) -> str:
    if isinstance(draft, Messages):
        raise PressError("A vote on a draw is cast with orders, and messages were asked for; none was cast.")
    return draft.vote(draw=line == "/draw")


def _prompt_session(completions: Sequence[str]) -> "PromptSession[str]":
    # Loaded for people only: it takes a tenth of a second.
    from prompt_toolkit import PromptSession
    from prompt_toolkit.completion import WordCompleter
    from prompt_toolkit.output import create_output

    # On stderr, as all talk; a menu opens with Tab alone, since it would hide what was just answered.
    return PromptSession(
        completer=WordCompleter(completions, sentence=True, ignore_case=True),
        complete_while_typing=False,
        output=create_output(sys.stderr),
    )
