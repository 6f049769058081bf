"""What a game's row in the list may hold: the same of a row of the store and of one in somebody's file."""

import re
from collections.abc import Mapping
from typing import Any

from sqlalchemy import Row

from checkpoints.damage import check_types, damaged, read_by
from checkpoints.ids import is_id
from checkpoints.names import check_name, check_note
from checkpoints.tables import GAMES

STATUSES = ("playing", "paused", "waiting", "finished")
PHASE = re.compile(r"[SFW]\d{4}[MRA]")


def unlike_a_game(row: Mapping[str, Any]) -> str:
    """What no game has of where this one stands, is from and what it is called; empty where all of that can be."""
    phase, status, source = str(row["phase"]), row["status"], row["forked_from"]
    if phase and not PHASE.fullmatch(phase):
        return "its game is in no phase"
    if status not in STATUSES:
        return "its game has no status"
    if source is not None and not is_id(str(source)):
        return "it is forked from what no game is called"
    for column, checked in (("name", check_name), ("note", check_note)):
        text = str(row[column] or "")
        if checked(text) != text:
            return f"its game has a {column} that none may have"
    return ""


@read_by(GAMES)
def check_listed(row: Row[Any]) -> None:
    """Raise DamagedRow for a game's row that holds what no game has there; its settings are not read."""
    check_types(GAMES, row)
    if wrong := unlike_a_game({column.name: getattr(row, column.name) for column in GAMES.columns}):
        raise damaged(GAMES, row, wrong)
