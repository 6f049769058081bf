"""Seat events in words: as a model reads them, and as results of its own calls."""

from collections.abc import Iterable, Mapping
from typing import Any

from pydantic import JsonValue

from entente.board.engine import load_geography
from entente.players.model.agent_context import PublicGameState
from entente.players.model.layout import board_text, within
from entente.players.model.memory import as_json
from entente.players.model.quoting import escape, escape_json, quote
from entente.players.model.results import results_text
from entente.players.record import ResultRecord
from entente.players.seat_events import SeatEvent, SeatEventKind, Status
from entente.press.messages import Message

_Payload = Mapping[str, Any]


def events_text(events: Iterable[SeatEvent]) -> str:
    """The events, each under its kind; press is quoted with its sender."""
    return "\n".join(map(_event_text, events))


def echo_text(echo: SeatEvent) -> str:
    """What came of one of the power's own calls."""
    if echo.kind is SeatEventKind.PRESS:
        return f"delivered as {echo.payload['id']}"
    payload: _Payload = echo.payload
    match payload["status"]:
        case Status.ORDERS_READ:
            stand = [f"{order}: stands from before" for order in payload["stand"]]
            return "\n".join([*map(_line, payload["lines"]), *stand, *payload["left"]]) or "no line came"
        case Status.MESSAGE_REFUSED | Status.ORDERS_REFUSED:
            return f"refused: {escape(payload['why'])}"
        case Status.VOTE_COUNTED:
            return "counted"
        case _:
            return "kept"


def orders_read(echo: SeatEvent) -> str:
    """The orders that stand after the power's own lines were read."""
    payload: _Payload = echo.payload
    lines = payload.get("lines", ())
    taken = [line.get("order") or line["line"] for line in lines if line["verdict"] in ("taken", "repaired")]
    return "; ".join([*taken, *payload.get("stand", ())])


def unused_lines(echo: SeatEvent, chars: int) -> str:
    """The lines that could not be used, and why, in so many letters."""
    payload: _Payload = echo.payload
    rejected = [line for line in payload.get("lines", ()) if line["verdict"] == "rejected"]
    return within([f"- {_line(line)}" for line in rejected], chars)


def has_rejected(echo: SeatEvent) -> bool:
    """True when there are order lines in it that could not be used."""
    payload: _Payload = echo.payload
    lines = payload["lines"] if payload.get("status") == Status.ORDERS_READ else ()
    return any(line["verdict"] == "rejected" for line in lines)


def _event_text(event: SeatEvent) -> str:
    payload: _Payload = event.payload
    match event.kind:
        case SeatEventKind.PRESS:
            return quote(Message.model_validate(payload))
        case SeatEventKind.BOARD_STATE:
            return f"# {payload['phase']}: BOARD_STATE\n{_board(payload)}"
        case SeatEventKind.PHASE_CHANGE:
            head = f"# PHASE_CHANGE from {payload['before']} to {payload['phase']}"
            return f"{head}; orders and results (those without a remark succeeded)\n{_results(payload)}"
        case SeatEventKind.SYSTEM:
            return f"SYSTEM: {_system(event)}"


def _board(payload: _Payload) -> str:
    state = PublicGameState.model_validate({key: payload[key] for key in PublicGameState.model_fields})
    return board_text(state, load_geography(payload["map"]))


def _results(payload: _Payload) -> str:
    return results_text([ResultRecord.model_validate(result) for result in payload["results"]])


def _system(event: SeatEvent) -> str:
    payload: _Payload = event.payload
    match payload["status"]:
        case Status.ORDERS_SUBMITTED:
            return f"{payload['power']} has submitted orders."
        case Status.DIARY_FOLDED:
            memory: JsonValue = payload["memory"]
            return f"your fold has put this into your memory: <memory>{as_json(escape_json(memory))}</memory>"
        case Status.NOTICE:
            return escape(payload["detail"])
        case status:
            return f"{status} {echo_text(event)}"


def _line(line: _Payload) -> str:
    said, note = escape(line["line"]), escape(line.get("note", ""))
    match line["verdict"]:
        case "taken":
            return f"{said}: taken"
        case "repaired":
            return f"{said}: taken as {line['order']}, {note}"
        case "replaced":
            return f"{said}: {note}"
        case _:
            nearest = f" Nearest: {line['nearest']}." if line["nearest"] else ""
            return f"{said}: rejected, {note}{nearest}"
