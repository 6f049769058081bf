"""The table of order lines, and the positions that it is read in."""

import tomllib
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from entente.board.engine import Board

_TABLE = Path(__file__).parent / "data" / "orders.toml"
_KINDS = ("ok", "repaired", "void", "syntax", "illegal", "ambiguous")


class Case(NamedTuple):
    """A line, and what should become of it."""

    id: str
    source: str
    position: str
    power: str
    line: str
    kind: str
    expected: str
    note: str


@cache
def _table() -> dict[str, Any]:
    return tomllib.loads(_TABLE.read_text(encoding="utf-8"))


def cases() -> list[Case]:
    """Every case of the table."""
    return [_case(group, each) for group in _table()["group"] for each in group["cases"]]


def _case(group: dict[str, Any], each: dict[str, str]) -> Case:
    kind = next(kind for kind in _KINDS if kind in each)
    where = (group["source"], group["position"], group["power"])
    return Case(each["id"], *where, each["line"], kind, each[kind], each.get("note", ""))


@cache
def board_of(position: str) -> Board:
    """One of the table's positions; powers that it does not mention have nothing."""
    entry = _table()["positions"][position]
    if not entry:
        return Board.start()
    powers = Board.start().powers
    return Board.restore(
        {
            "map": "standard",
            "phase": entry["phase"],
            "units": {power: entry["units"].get(power, []) for power in powers},
            "dislodged": entry.get("dislodged", {}),
            "centers": {power: entry.get("centers", {}).get(power, []) for power in powers},
            "influence": {power: [] for power in powers},
        }
    )
