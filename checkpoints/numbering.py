"""Places in the order of commits for the rows of a game that were written before there was one.

The order is what can be known: segments as they were opened, in them the turns as they were woken, or by name; each
phase after the last of its segments. The only time that such rows know is that of a waking.
"""

import json
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

Line = dict[str, Any]
"""A row by its columns."""


class Numbered(NamedTuple):
    """The rows of a game with their `sequence`, from 1 on, and `committed_at`."""

    turns: list[Line]
    phases: list[Line]


class _Placed(NamedTuple):
    line: Line
    place: tuple[object, ...]


def number_old_rows(segments: Sequence[Line], turns: Sequence[Line], phases: Sequence[Line]) -> Numbered:
    """The turns and phases of one game, numbered; turns that were woken are told their stretch of talk too."""
    opened = {segment["id"]: segment["position"] for segment in segments}
    rounds = {segment["id"]: json.loads(segment["body"])["round"] for segment in segments}
    placed = [
        *(_turn(turn, opened, rounds) for turn in turns),
        *(_phase(phase, opened) for phase in phases),
    ]
    placed.sort(key=lambda row: row.place)
    lines = [row.line | {"sequence": number} for number, row in enumerate(placed, 1)]
    return Numbered(
        [line for line in lines if "segment" in line], [line for line in lines if "segment" not in line]
    )


def _turn(line: Line, opened: Mapping[str, int], rounds: Mapping[str, int]) -> _Placed:
    segment, body = line["segment"], json.loads(line["body"])
    position, time = 0, None
    if waking := body.get("waking"):
        position, time = waking["position"], waking["at"]
        waking["stretch"] = rounds.get(segment, 1)
        line = line | {"body": json.dumps(body, ensure_ascii=False, separators=(",", ":"))}
    place = (opened.get(segment, -1), 0, position, line["power"], line["number"])
    return _Placed(line | {"committed_at": time}, place)


def _phase(line: Line, opened: Mapping[str, int]) -> _Placed:
    segments = json.loads(line["body"])["segments"]
    last = max((opened[segment] for segment in segments if segment in opened), default=-1)
    return _Placed(line | {"committed_at": None}, (last, 1, line["id"]))
