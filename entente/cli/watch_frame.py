"""What `watch` shows of one phase, and how it is drawn: a head, the board as a table, orders, press, and the keys."""

import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import cast

from rich.console import RenderableType
from rich.table import Table
from rich.text import Text

from entente.board.engine import Board
from entente.board.types import Power
from entente.cli.lines import clock_text, marked_line, message_line, waited_text
from entente.cli.output import cost_text, drawn_lines, plain_table
from entente.display import displayable
from entente.events import Event, EventKind
from entente.floors.floor import Floor
from entente.games.endings import end_sentence
from entente.games.roles import role_of
from entente.games.runner import RunEnd
from entente.games.spending import Spending
from entente.games.views import GameView
from entente.games.waited_for import Waited
from entente.models.usage import UsageSummary
from entente.players.record import ResultRecord
from entente.press.mailbox import Reader
from entente.press.messages import Message

_STYLES = ("red", "magenta", "cyan", "bright_black", "green", "blue", "yellow")
"""Of powers, in the map's order, and again from the first; each has its name beside it."""
_KEYS = "←/→ phase   Home first   End in play   ↑/↓ scroll   q leave"
_STATUS = {"waiting": "waiting for people's answers"}
_LEAST_ROOM = 4
"""Rows for orders and press; with less, the board scrolls as well."""
_PLAYER_WIDTH = 24
_WIDE = 100
"""Columns from which on there is room for who plays."""


@dataclass(frozen=True, slots=True)
class Knowledge:
    """What the operator alone may know."""

    waited: Sequence[Waited]
    """People first."""
    spending: Spending | None
    """None before the game has begun."""


@dataclass(frozen=True, slots=True)
class Frame:
    """One phase of a game as its reader may see it."""

    view: GameView
    reader: Reader
    phase: str
    """Empty before the game has begun."""
    board: Board | None
    """As it was ordered in."""
    results: Sequence[ResultRecord] | None
    """None while the phase is in play."""
    events: Sequence[Event]
    """The phase's."""
    told: Sequence[Event]
    """What the crew has told of it to all; of the phase before while it is in play."""
    floor: Floor
    known: Knowledge | None
    """None for all readers but the operator."""


def draw(frame: Frame, columns: int, rows: int, scrolled: int) -> tuple[str, int]:
    """The frame for a terminal of this size, and how far it could be scrolled.

    A phase that is over is shown from its beginning, the one in play to its end, both moved by so many rows.
    """
    head, body = (drawn_lines(part, columns) for part in (_head(frame, columns), _body(frame, columns)))
    if rows - 1 - len(head) < _LEAST_ROOM:
        head, body = head[:1], head[1:] + body
    room = max(1, rows - 1 - len(head))
    start = 0 if frame.results is not None else max(0, len(body) - room)
    top = max(0, min(start + scrolled, len(body) - room))
    shown = body[top : top + room]
    (foot, *_) = drawn_lines([Text(_KEYS, style="dim", no_wrap=True, overflow="ellipsis")], columns)
    return "\n".join([*head, *shown, *[""] * (room - len(shown)), foot]), top - start


def plain_lines(frame: Frame) -> list[str]:
    """The whole frame without colours, a line for each message however long."""
    return drawn_lines([*_head(frame, None), *_body(frame, None)])


def _head(frame: Frame, columns: int | None) -> list[RenderableType]:
    title = Text(_title(frame), style="bold")
    status = [Text(displayable(line)) for line in _status(frame)]
    return [title, *status, Text(), *([_table(frame, columns)] if frame.board else []), Text()]


def _title(frame: Frame) -> str:
    view = frame.view
    phases = [*view.phases, *([] if view.phase in view.phases else [view.phase])]
    place = (
        f"{frame.phase} ({phases.index(frame.phase) + 1} of {len(phases)})" if frame.phase else "not begun"
    )
    return f"{view.game[:8]}  {place}  as {role_of(frame.reader)} sees it"


def _status(frame: Frame) -> Iterator[str]:
    view, known = frame.view, frame.known
    if view.outcome:
        yield end_sentence(view.outcome.kind, view.outcome.winners, view.outcome.phase)
    elif known and known.waited:
        stands = "" if view.status == RunEnd.WAITING else f"{view.status}: "
        yield f"{stands}waiting for {waited_text(known.waited, time.time())}"
    else:
        yield _STATUS.get(view.status, view.status) + (", your seat's among them" if view.question else "")
    if view.closes_at:
        yield f"The phase is open until {clock_text(view.closes_at)}."
    if known and known.spending and known.spending.total.calls:
        total = known.spending.total
        yield f"{total.calls} calls of models, {_tokens(total)} tokens, cost {cost_text(total)}"


def _tokens(summary: UsageSummary) -> str:
    return f"{(summary.prompt_tokens + summary.completion_tokens) / 1000:.1f}k"


def _table(frame: Frame, columns: int | None) -> Table:
    board, styles = cast("Board", frame.board), _styles(frame)
    seats = frame.view.seats if columns is None or columns >= _WIDE else None
    costs = _costs(frame.known)
    table = plain_table()
    table.add_column("Power", no_wrap=True)
    if seats:
        table.add_column("Player", max_width=_PLAYER_WIDTH, no_wrap=True)
    if costs:
        table.add_column("Cost", justify="right", no_wrap=True)
    table.add_column("Centers", no_wrap=True)
    table.add_column("Units")
    at = board.position
    for power in board.powers:
        units = "  ".join(str(unit) for unit in sorted(at.units[power], key=lambda unit: unit.location))
        pushed = "".join(f"  *{unit}" for unit in sorted(at.dislodged[power]))
        count = len(at.centers[power])
        table.add_row(
            Text(power, style=styles[power]),
            *([Text(displayable(seats.get(power, "?")), overflow="ellipsis")] if seats else []),
            *([costs.get(power, "")] if costs else []),
            Text.assemble(f"{count:>2} ", ("█" * count, styles[power])),
            Text(f"{units}{pushed}".strip() or "-"),
        )
    return table


def _styles(frame: Frame) -> Mapping[Power, str]:
    powers = frame.board.powers if frame.board else ()
    return {power: _STYLES[place % len(_STYLES)] for place, power in enumerate(powers)}


def _costs(known: Knowledge | None) -> dict[Power, str]:
    """What each power's models have cost; empty where none was called."""
    if known is None or known.spending is None:
        return {}
    return {seat.partition(" ")[0]: cost_text(spent) for seat, spent in known.spending.by_seat.items()}


def _body(frame: Frame, columns: int | None) -> list[RenderableType]:
    styles = _styles(frame)
    press = list(_press(frame, styles, columns))
    parts = [*_orders(frame, styles), *_told(frame, columns)]
    return [*parts, *([Text("Press", style="bold")] if press else []), *press]


def _told(frame: Frame, columns: int | None) -> list[RenderableType]:
    """What the crew tells, a paragraph for each voice."""
    if not frame.told:
        return []
    lines = [Text(f"{frame.told[0].phase} as it is told", style="bold")]
    for event in frame.told:
        head = f"{str(event.data['voice']).capitalize()}: "
        line = Text(marked_line(head, str(event.data["content"]), columns))
        line.stylize("italic cyan", 0, len(head))
        lines.append(line)
    return [*lines, Text()]


def _orders(frame: Frame, styles: Mapping[Power, str]) -> list[RenderableType]:
    """What became of the phase's orders; while it is in play who has given any, and to whom they are known, which."""
    if frame.results is not None:
        told = _results(frame.results)
        title = "Orders" if told else ""
    else:
        given = _given(frame.events)
        told = {power: orders for power, orders in given.items() if orders}
        title = f"Orders are in from {', '.join(given)}" if given else ""
    rows = Table.grid(padding=(0, 2, 0, 0))
    for power, orders in told.items():
        rows.add_row(Text(power, style=styles.get(power, "")), Text("; ").join(orders))
    return [Text(title, style="bold"), *([rows] if told else []), Text()] if title else []


def _results(results: Sequence[ResultRecord]) -> dict[Power, list[Text]]:
    told: dict[Power, list[Text]] = {}
    for result in results:
        told.setdefault(result.power, []).append(_result(result))
    return told


def _given(events: Sequence[Event]) -> dict[Power, list[Text]]:
    ordered = {event.power or "": event for event in events if event.kind is EventKind.ORDERED}
    return {
        power: [Text(order) for order in cast("list[str]", event.data.get("orders", []))]
        for power, event in ordered.items()
    }


def _result(result: ResultRecord) -> Text:
    if result.succeeded:
        return Text(result.order)
    return Text.assemble(result.order, (f" ({', '.join(result.outcomes)})", "bold red"))


def _press(frame: Frame, styles: Mapping[Power, str], columns: int | None) -> Iterator[Text]:
    for event in frame.events:
        if event.kind is not EventKind.MESSAGE:
            continue
        message = Message.model_validate(event.data)
        line = Text(message_line(message, frame.floor.moment_of(message), event.at, columns=columns))
        line.highlight_words([message.sender], style=styles.get(message.sender, ""))
        yield line
