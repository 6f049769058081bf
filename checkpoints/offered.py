"""What a shell offers to complete, of a store in a folder or on a server, read with the database's own driver alone.

A shell asks at each press of Tab, and to load what opens a store takes most of a second. What cannot be read at once
is not offered; nothing is waited for but a server's answer, and nothing is changed.
"""

import json
import sqlite3
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path
from typing import Any, NamedTuple, TypeAlias

from checkpoints.locations import JOURNAL_FILE

Place: TypeAlias = Path | str
"""A folder, or a server's URL."""
_PATIENCE_SECONDS = 2
"""For a server; libpq waits no shorter."""


class Offered(NamedTuple):
    """A game that can be named."""

    id: str
    name: str
    """Empty for none."""
    told: str
    """The phase and the status, for shells that show more than the word."""


def games(place: Place) -> list[Offered]:
    """Every game, newest first."""
    rows = _rows(place, "SELECT game, name, phase, status FROM games ORDER BY created_at DESC, game DESC")
    return [Offered(game, name or "", f"{phase} {status}".strip()) for game, name, phase, status in rows]


def powers(place: Place, game: str | None) -> list[str]:
    """The game's powers, of the newest for None."""
    for (settings,) in _rows_of(place, game, "SELECT settings FROM games WHERE game = ?"):
        return sorted(json.loads(settings).get("seats") or {})
    return []


def phases(place: Place, game: str | None) -> list[str]:
    """The phases in which anybody was asked, in the order in which that was, of the newest game for None."""
    return [*dict.fromkeys(segment["phase"] for segment in _segments(place, game))]


def moments(place: Place, game: str | None) -> list[str]:
    """The phases, each with its rounds of press and its orders."""
    found: list[str] = []
    for segment in _segments(place, game):
        part = {"talk": segment["round"], "orders": "orders"}.get(segment["stage"])
        found += [segment["phase"], *([f"{segment['phase']}.{part}"] if part else [])]
    return [*dict.fromkeys(found)]


def _segments(place: Place, game: str | None) -> list[dict[str, Any]]:
    rows = _rows_of(place, game, "SELECT body FROM segments WHERE game = ? ORDER BY position")
    return [json.loads(body) for (body,) in rows]


def _rows_of(place: Place, game: str | None, statement: str) -> Sequence[tuple[Any, ...]]:
    every = games(place)
    named = (game or "").lower()
    for each in every:
        if each.id.startswith(named) or each.name.lower() == named:
            return _rows(place, statement, each.id)
    return []


def _rows(place: Place, statement: str, *values: str) -> Sequence[tuple[Any, ...]]:
    return (
        _of_server(place, statement, values) if isinstance(place, str) else _of_file(place, statement, values)
    )


def _of_file(folder: Path, statement: str, values: Sequence[str]) -> Sequence[tuple[Any, ...]]:
    file = folder / JOURNAL_FILE
    try:
        if not file.is_file():  # or it would be made
            return []
        with closing(sqlite3.connect(file, timeout=0)) as connection:
            connection.execute("PRAGMA query_only = ON")
            return connection.execute(statement, values).fetchall()
    except (OSError, sqlite3.Error):
        return []


def _of_server(url: str, statement: str, values: Sequence[str]) -> Sequence[tuple[Any, ...]]:
    try:
        import psycopg  # of the extra `postgres`
    except ImportError:
        return []
    try:
        with psycopg.connect(url, connect_timeout=_PATIENCE_SECONDS) as connection:
            connection.read_only = True
            return connection.execute(statement.replace("?", "%s").encode(), values).fetchall()
    except psycopg.Error:
        return []
