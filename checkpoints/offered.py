"""What a shell offers to complete, of a store in a folder, read with Python's own sqlite3 alone.

A shell asks at each press of Tab, and to load what opens a store takes most of a second. What cannot be read at once
is not offered; nothing is waited for, and nothing is changed.
"""

import json
import sqlite3
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path
from typing import Any, NamedTuple

from checkpoints.places import JOURNAL_FILE


class Offered(NamedTuple):
    """A game that can be named."""

    id: str
    name: str
    """Empty for none."""
    told: str
    """The phase and the status, for shells that show more than the word."""


def games(folder: Path) -> list[Offered]:
    """Every game, newest first."""
    rows = _rows(folder, "SELECT game, name, phase, status FROM games ORDER BY created_at DESC, game DESC")
    return [Offered(game, name or "", f"{phase} {status}".strip()) for game, name, phase, status in rows]


def powers(folder: Path, game: str | None) -> list[str]:
    """The game's powers, of the newest for None."""
    for (settings,) in _rows_of(folder, game, "SELECT settings FROM games WHERE game = ?"):
        return sorted(json.loads(settings).get("seats") or {})
    return []


def phases(folder: Path, game: str | None) -> list[str]:
    """The phases in which anybody was asked, in the order in which that was, of the newest game for None."""
    return [*dict.fromkeys(segment["phase"] for segment in _segments(folder, game))]


def moments(folder: Path, game: str | None) -> list[str]:
    """The phases, each with its rounds of press and its orders."""
    found: list[str] = []
    for segment in _segments(folder, game):
        part = {"talk": segment["round"], "orders": "orders"}.get(segment["stage"])
        found += [segment["phase"], *([f"{segment['phase']}.{part}"] if part else [])]
    return [*dict.fromkeys(found)]


def _segments(folder: Path, game: str | None) -> list[dict[str, Any]]:
    rows = _rows_of(folder, game, "SELECT body FROM segments WHERE game = ? ORDER BY position")
    return [json.loads(body) for (body,) in rows]


def _rows_of(folder: Path, game: str | None, statement: str) -> Sequence[tuple[Any, ...]]:
    every = games(folder)
    named = (game or "").lower()
    for each in every:
        if each.id.startswith(named) or each.name.lower() == named:
            return _rows(folder, statement, each.id)
    return []


def _rows(folder: Path, statement: str, *values: str) -> Sequence[tuple[Any, ...]]:
    file = folder / JOURNAL_FILE
    try:
        if not file.is_file():  # or it would be made
            return []
        with closing(sqlite3.connect(file, timeout=0)) as connection:
            connection.execute("PRAGMA query_only = ON")
            return connection.execute(statement, values).fetchall()
    except (OSError, sqlite3.Error):
        return []
