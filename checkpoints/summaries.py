"""A game as lists show it, made from its row; what cannot be read of it is told in its place."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, TypeVar, cast

from pydantic import JsonValue, TypeAdapter, ValidationError
from pydantic_core import from_json
from sqlalchemy import Row

from checkpoints.damage import as_text, damaged, read_by, why
from checkpoints.lease import Holder, Standing
from checkpoints.listed import check_listed
from checkpoints.tables import GAMES
from entente.board.types import GameOutcome
from entente.errors import DamagedRow
from graph.context import GameSettings

T = TypeVar("T")

_SEATS = TypeAdapter(dict[str, str])

FINISHED = "finished"
"""The status of a game that is over."""


@dataclass(frozen=True, slots=True)
class GameSummary:
    """A game as lists show it."""

    id: str
    created_at: datetime | None
    """None where it cannot be read."""
    settings: dict[str, JsonValue]
    phase: str
    """Where it stands; empty before its first phase. The one that would have followed when it is over."""
    status: str
    """`playing`, `paused`, `waiting` or `finished`; `playing` without a holder means that it was killed."""
    held_by: Holder | None
    """Who is running it at this moment."""
    forked_from: str | None
    is_trusted: bool
    """False for a game of somebody's file that nobody has confirmed, and for its forks."""
    name: str = ""
    """What its operator calls it; empty when nothing was said."""
    note: str = ""
    """What its operator has noted of it; empty as well."""
    outcome: GameOutcome | None = None
    """How it ended; None while it is not over, and where that cannot be read."""
    damage: tuple[DamagedRow, ...] = ()
    """What cannot be read of its row, its lease and its outcome; the settings are empty where that are they."""

    @property
    def stands_in(self) -> str:
        """The phase for lists: in which it ended, or where it stands."""
        return self.outcome.phase if self.outcome else self.phase


def settings_of(summary: GameSummary) -> GameSettings:
    """The game's settings as a run has them, where a list has shown the table of them; raises DamagedRow."""
    try:
        return GameSettings.model_validate(summary.settings)
    except ValidationError as error:
        raise DamagedRow(summary.id, GAMES.name, "", why(error)) from error


def summary_of(
    row: Row[Any],
    lease: Standing | None,
    is_trusted: bool,
    outcome: Row[Any] | None,
    read_outcome: Callable[[Row[Any]], GameOutcome],
) -> GameSummary:
    """The game of this row, its lease and the row of its outcome."""
    damage = [lease] if isinstance(lease, DamagedRow) else list[DamagedRow]()

    def readable(read: Callable[[Row[Any]], T], row: Row[Any] = row) -> T | None:
        try:
            return read(row)
        except DamagedRow as error:
            damage.append(error)
            return None

    created_at, settings = readable(_created_at), readable(_settings)
    if not damage:
        readable(check_listed)
    return GameSummary(
        id=str(row.game),
        created_at=created_at,
        settings=settings or {},
        phase=as_text(row.phase),
        status=as_text(row.status),
        held_by=None if isinstance(lease, DamagedRow) else lease,
        forked_from=row.forked_from and as_text(row.forked_from),
        is_trusted=is_trusted,
        name=as_text(row.name or ""),
        note=as_text(row.note or ""),
        outcome=readable(read_outcome, outcome) if outcome and row.status == FINISHED else None,
        damage=tuple(damage),
    )


@read_by(GAMES)
def _created_at(row: Row[Any]) -> datetime:
    return datetime.fromtimestamp(row.created_at, UTC)


@read_by(GAMES)
def _settings(row: Row[Any]) -> dict[str, JsonValue]:
    settings = from_json(row.settings)
    if not isinstance(settings, dict):
        raise damaged(GAMES, row, "its settings are no table")
    table = cast("dict[str, JsonValue]", settings)
    _SEATS.validate_python(table.get("seats", {}))  # lists tell who plays
    return table
