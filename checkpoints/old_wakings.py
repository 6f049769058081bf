"""Turns of before schema 14 on the conductor's floor, whose `round` said how often the power had been woken.

Since then a turn's round is its segment's, which there is the stretch of talk, and `wake` says the other.
"""

import json
from collections.abc import Sequence
from typing import Any, cast

Line = dict[str, Any]
"""A row by its columns."""

_HUMAN = "human"
"""What these rows say of a person's seat."""


def with_wakes(turns: Sequence[Line], messages: Sequence[Line]) -> tuple[list[Line], list[Line]]:
    """The turns and messages of one game as they are written now; rows that stay as they were are the same objects.

    So does a row that is damaged, which is told of when it is read.
    """
    woken = {_turn_key(turn): body for turn in turns if (body := _woken(turn))}
    return (
        [
            turn | {"body": _dumped(_placed(body))} if (body := woken.get(_turn_key(turn))) else turn
            for turn in turns
        ],
        [
            message | {"body": _dumped({"round": body["round"], **said})}
            if (body := woken.get(_turn_key(message))) and (said := _body(message)) is not None
            else message
            for message in messages
        ],
    )


def _woken(turn: Line) -> Line | None:
    """The body of a turn for which the power was woken."""
    body = _body(turn)
    return (
        body if body and isinstance(body.get("waking"), dict) and {"round", "player"} <= body.keys() else None
    )


def _placed(body: Line) -> Line:
    waking = {name: value for name, value in body["waking"].items() if name != "stretch"}
    waking["wake"] = 0 if body["player"] == _HUMAN else body["round"]
    return body | {"round": body["waking"].get("stretch", 1), "waking": waking}


def _body(row: Line) -> Line | None:
    try:
        body = json.loads(row["body"])
    except (TypeError, ValueError, RecursionError):
        return None
    return cast("Line", body) if isinstance(body, dict) else None


def _turn_key(row: Line) -> tuple[Any, ...]:
    return (row["segment"], row["power"], row["number"])


def _dumped(body: Line) -> str:
    return json.dumps(body, ensure_ascii=False, separators=(",", ":"))
