"""What a file from somebody else holds: looked through before anything of it is used.

Whoever made the file may have written it by hand. So none of its columns, names, times and states is taken on trust,
and how much of it is unpacked has a bound.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, cast
from zipfile import ZIP_DEFLATED, ZIP_STORED, ZipFile

from langgraph.types import Send
from pydantic import JsonValue
from sqlalchemy import BigInteger, Column, Double, Integer, Table, Text

from checkpoints.listed import PHASE, unlike_a_game
from checkpoints.portable import Unpacked
from checkpoints.tables import GAMES
from entente.players.record import PhaseRecord, Segment, TurnRecord, Words
from graph.context import GameSettings
from graph.state import check_state

MOST_BYTES = 128 * 2**20
"""How much a file may hold when it is unpacked: many times what a long game of models does."""

_MOST_MEMBERS = 32
_METHODS = (ZIP_STORED, ZIP_DEFLATED)
"""Those that can be unpacked bit by bit, and so within a bound."""
_LAST_MOMENT = 253_370_764_800
"""The year 9999 begins: later times cannot be shown everywhere."""

Line = Mapping[str, JsonValue]


def check_size(file: ZipFile) -> None:
    """Raise ValueError for a file that would unpack into more than a game does; nothing is unpacked to know."""
    members = file.infolist()
    if len(members) > _MOST_MEMBERS or any(member.compress_type not in _METHODS for member in members):
        raise ValueError(f"its {len(members)} members are not packed as a game's are")
    size = sum(member.file_size for member in members)
    if size > MOST_BYTES:
        raise ValueError(f"it holds {size:,} bytes, and {MOST_BYTES:,} are the most")


def read_member(file: ZipFile, name: str) -> bytes:
    """What the member holds, and no more than it says that it does; raises KeyError and BadZipFile."""
    with file.open(name) as member:
        # To read without a number would unpack all that comes, however little was said to come.
        return member.read(file.getinfo(name).file_size)


def check_rows(tables: Sequence[Table], journal: Mapping[str, Sequence[Line]]) -> None:
    """Raise ValueError for rows of these tables that no store of ours has; each has its columns."""
    for table in tables:
        for number, row in enumerate(journal[table.name], 1):
            for name, value in row.items():
                if not _fits(value, table.c[name]):
                    raise ValueError(f"line {number} of {table.name} has no {name} that can be kept")
    games = journal[GAMES.name]
    if len(games) != 1:
        raise ValueError(f"it has {len(games)} games in place of one")
    _check_game(games[0])


def check_records(
    turns: Sequence[TurnRecord],
    segments: Sequence[Segment],
    phases: Sequence[PhaseRecord],
    words: Sequence[Words],
) -> None:
    """Raise ValueError for a record whose phase or time no game has, and for words after a phase that is not there."""
    if not all(PHASE.fullmatch(each.phase) for each in (*turns, *segments, *phases, *words)):
        raise ValueError("a record is of no phase")
    if not {each.history for each in words} <= {None, *(phase.id for phase in phases)}:
        raise ValueError("words of the crew are of a phase that it has not")
    if any(call.cost_usd is not None and not call.cost_usd >= 0 for each in words for call in each.calls):
        raise ValueError("words of the crew cost less than nothing")
    if not all(_is_moment(turn.waking.at) for turn in turns if turn.waking is not None):
        raise ValueError("a waking has no time")


def check_checkpoint(one: Unpacked) -> None:
    """Raise ValueError, KeyError, TypeError, SettingsError or BoardError for a checkpoint that no game of ours has."""
    values = one.checkpoint["channel_values"]
    if "status" in values:
        check_state(values)
    for _ in settings_in([values, [(write.channel, write.value) for write in one.writes]]):
        pass


def settings_in(value: object) -> Iterator[GameSettings]:
    """Every settings of a game in what a checkpoint or a write holds; raises ValidationError, SettingsError."""
    match value:
        case Send():
            yield from settings_in(value.arg)
        case Mapping():
            for name, part in cast("Mapping[str, Any]", value).items():
                yield from [GameSettings.model_validate(part)] if name == "settings" else settings_in(part)
        case list() | tuple():
            parts = cast("list[object]", value)
            if parts[-2:-1] == ["settings"]:  # a task's write: the channel, and what was written to it
                yield GameSettings.model_validate(parts[-1])
            for part in parts:
                yield from settings_in(part)
        case _:
            pass


def _fits(value: JsonValue, column: Column[Any]) -> bool:
    """True for what every database of ours takes in this column."""
    if value is None:
        return bool(column.nullable)
    return next(fits for kind, fits in _FITTING.items() if isinstance(column.type, kind))(value)


def _is_text(value: JsonValue) -> bool:
    if not isinstance(value, str) or "\0" in value:
        return False
    value.encode()  # half of a pair of surrogates is a ValueError
    return True


def _is_moment(value: JsonValue) -> bool:
    # What is no number (NaN) is not between the two either.
    return isinstance(value, int | float) and not isinstance(value, bool) and 0 <= value < _LAST_MOMENT


def _counts_below(limit: int) -> Callable[[JsonValue], bool]:
    return lambda value: isinstance(value, int) and not isinstance(value, bool) and 0 <= value < limit


_FITTING: Mapping[type[Any], Callable[[JsonValue], bool]] = {
    BigInteger: _counts_below(2**63),
    Integer: _counts_below(2**31),
    Double: _is_moment,
    Text: _is_text,
}
"""In this order: a big integer is an integer too. Every number with a point is a time."""


def _check_game(row: Line) -> None:
    if wrong := unlike_a_game(row):
        raise ValueError(wrong)
