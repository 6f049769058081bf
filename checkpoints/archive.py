"""A whole game as one file, to carry it from one store to another, whatever either is made of.

A zip of `manifest.json`, a JSON Lines file for each table of the journal, and `checkpoints.jsonl`.
Ids stay as they are, and so do answers and results that no run has played on yet: the game goes on
where it stood. The same game gives the same bytes: of the order of commits it has the game's own places, from 1.
In the store that takes it in, its turns and phases are new commits, with the times of the old ones.
"""

import asyncio
import json
import zipfile
import zlib
from collections.abc import Generator, Iterable, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Literal, NamedTuple, TypeAlias, TypeVar, cast

from langgraph.checkpoint.serde.base import SerializerProtocol
from pydantic import BaseModel, ConfigDict, JsonValue
from sqlalchemy import Connection, Row, Table, insert, select

from checkpoints.damage import check_types, read_by
from checkpoints.failures import translated
from checkpoints.foreign import check_checkpoint, check_records, check_rows, check_size, read_member
from checkpoints.ids import is_id
from checkpoints.library import Library
from checkpoints.migrations import SCHEMA_VERSION
from checkpoints.numbering import number_old_rows
from checkpoints.old_wakings import with_wakes
from checkpoints.portable import CheckpointLine, Unpacked, dump_thread, load_thread, unpacked
from checkpoints.private import make_new_file
from checkpoints.rows import (
    chain,
    game_settings,
    phase_record,
    segment_record,
    turn_records,
    words_record,
)
from checkpoints.tables import (
    GAMES,
    HISTORY,
    MESSAGES,
    NUMBERED,
    PHASES,
    PROMPTS,
    REPLIES,
    SEGMENTS,
    TURNS,
    UNTRUSTED,
    WORDS,
)
from checkpoints.whole_games import game_row
from entente.errors import BoardError, DamagedRow, ImportRefused, NewerSchema, SettingsError

FORMAT = "entente game"
FORMAT_VERSION = 1

Line: TypeAlias = dict[str, JsonValue]
M = TypeVar("M", bound=BaseModel)

_TABLES = (GAMES, *HISTORY)
_SINCE = {REPLIES.name: 3, WORDS.name: 12, PROMPTS.name: 13}
"""Schema versions before which a file has no such table."""
_INTEGER_BITS = 63
"""Beside the sign."""
_MANIFEST = "manifest.json"
_CHECKPOINTS = "checkpoints"
_DAMAGE = (
    zipfile.BadZipFile,
    zlib.error,
    EOFError,
    KeyError,
    ValueError,
    TypeError,
    AttributeError,
    NotImplementedError,
    RuntimeError,
    OverflowError,
    BoardError,
    SettingsError,
    DamagedRow,
)
"""What reading a file raises that is no zip, was cut, was edited or is encrypted."""
_ORDERED_SINCE = 6
"""The schema version from which rows have their places in the order of commits."""
_WAKES_SINCE = 14
"""The schema version from which a turn says apart how often its power had been woken."""


class Manifest(BaseModel):
    """What a file says about itself."""

    model_config = ConfigDict(frozen=True)

    format: Literal["entente game"] = FORMAT
    format_version: int = FORMAT_VERSION
    schema_version: int = SCHEMA_VERSION
    game: str
    settings: JsonValue
    lines: dict[str, int]
    """How many lines each other member has, by its name without `.jsonl`."""


class Archive(NamedTuple):
    """A file's content."""

    manifest: Manifest
    journal: dict[str, list[Line]]
    """Rows by table, without the game's id."""
    checkpoints: list[CheckpointLine]


async def export_game(library: Library, game: str, path: Path) -> None:
    """Write the game to a file, in place of what is there; it may be played meanwhile.

    Raises UnknownGame, and StoreUnavailable when the file cannot be written.
    """
    serde = library.saver.serde

    def read(connection: Connection) -> tuple[list[CheckpointLine], dict[str, list[Line]]]:
        # In this order the journal has every turn that an exported checkpoint speaks of, also in Postgres.
        return dump_thread(connection, serde, game), _journal_lines(connection, game=game)

    checkpoints, journal = await library.database.read(read)
    manifest = Manifest(
        game=game,
        settings=json.loads(str(journal[GAMES.name][0]["settings"])),
        lines={name: len(rows) for name, rows in journal.items()} | {_CHECKPOINTS: len(checkpoints)},
    )
    with translated(str(path), noun="file"):
        await asyncio.to_thread(_write_file, path, Archive(manifest, journal, checkpoints))


async def import_game(library: Library, path: Path, *, game: str | None = None) -> str:
    """Enter the game of a file, under its own id or this one, and return the id; it is not trusted.

    Raises ImportRefused, NewerSchema and StoreUnavailable, and then the store is as it was.
    """
    with translated(str(path), noun="file"):
        archive = await asyncio.to_thread(_read_file, path)
    target = game or archive.manifest.game
    if not is_id(target):
        raise ImportRefused("The file names its game as no game can be called; nothing was imported.")
    serde = library.saver.serde
    checkpoints = await asyncio.to_thread(_unpacked, archive, serde)

    def enter(connection: Connection, number: int) -> None:
        with _refused("A checkpoint"):
            load_thread(connection, serde, target, checkpoints)
        _enter(connection, number, journal=archive.journal, game=target)

    await library.enter(target, 1 + sum(len(archive.journal[table.name]) for table in NUMBERED), enter)
    return target


def _unpacked(archive: Archive, serde: SerializerProtocol) -> list[Unpacked]:
    with _refused("A checkpoint"):
        checkpoints = [unpacked(line, serde) for line in archive.checkpoints]
        for one in checkpoints:
            check_checkpoint(one)
        return checkpoints


@contextmanager
def _refused(what: str) -> Generator[None]:
    """Whatever reading a part of the file raises as ImportRefused."""
    try:
        yield
    except _DAMAGE as error:
        told = f"{error.table} {error.row}: {error.what}" if isinstance(error, DamagedRow) else error
        raise ImportRefused(f"{what} cannot be read ({told}); nothing was imported.") from error


def _journal_lines(connection: Connection, *, game: str) -> dict[str, list[Line]]:
    _settings(game_row(connection, game=game))
    read = {table.name: _lines(connection, table, game) for table in _TABLES}
    try:
        journal = _placed(read)
    except ValueError as error:
        raise DamagedRow(game, GAMES.name, game, str(error)) from error
    # Ordered by what they are: databases sort text each in its own way.
    return {name: sorted(lines, key=_json) for name, lines in journal.items()}


@read_by(GAMES)
def _settings(row: Row[Any]) -> JsonValue:
    return json.loads(row.settings)


def _lines(connection: Connection, table: Table, game: str) -> list[Line]:
    def line(row: Row[Any]) -> Line:
        check_types(table, row)
        return {column.name: getattr(row, column.name) for column in table.columns if column.name != "game"}

    return [line(row) for row in connection.execute(select(table).where(table.c.game == game))]


def _placed(journal: dict[str, list[Line]]) -> dict[str, list[Line]]:
    """The rows with the places that they have among the game's own, from 1; 0 is that of the game's row.

    Raises ValueError for what is no place or time.
    """
    numbers = sorted(_number(line) for table in NUMBERED for line in journal[table.name])
    places: dict[int, JsonValue] = {number: place for place, number in enumerate(numbers, 1)}
    if len(places) < len(numbers):
        raise ValueError("two commits have one number")
    placed = {
        table.name: [line | {"sequence": places[_number(line)]} for line in journal[table.name]]
        for table in NUMBERED
    }
    return journal | placed | {GAMES.name: [line | {"sequence": 0} for line in journal[GAMES.name]]}


def _number(line: Line) -> int:
    number = line["sequence"]
    if not isinstance(number, int):
        raise ValueError(f"a commit has the number {number!r}")
    return number


def _json(line: Line) -> str:
    return json.dumps(line, ensure_ascii=False)


def _write_file(path: Path, archive: Archive) -> None:
    partial_path = path.with_name(f".{path.name}.partial")
    try:
        make_new_file(partial_path)
        with zipfile.ZipFile(partial_path, "w") as file:
            _write_member(file, _MANIFEST, [archive.manifest.model_dump_json(indent=2)])
            for name, rows in archive.journal.items():
                _write_member(file, f"{name}.jsonl", map(_json, rows))
            checkpoints = (line.model_dump_json() for line in archive.checkpoints)
            _write_member(file, f"{_CHECKPOINTS}.jsonl", checkpoints)
        partial_path.replace(path)
    finally:
        partial_path.unlink(missing_ok=True)


def _write_member(file: zipfile.ZipFile, name: str, lines: Iterable[str]) -> None:
    # ZipInfo is dated 1980 unless it is told otherwise, so equal games are equal files.
    text = "".join(f"{line}\n" for line in lines)
    file.writestr(zipfile.ZipInfo(name), text.encode(), compress_type=zipfile.ZIP_DEFLATED)


def _read_file(path: Path) -> Archive:
    try:
        with zipfile.ZipFile(path) as file:
            check_size(file)
            manifest = _read_manifest(file)
            journal = _read_journal(file, manifest)
            lines = _read_lines(file, _CHECKPOINTS, manifest)
            return Archive(manifest, journal, [CheckpointLine.model_validate_json(line) for line in lines])
    except _DAMAGE as error:
        raise ImportRefused(
            f"{path} is damaged, or no game of ours ({error}); nothing was imported."
        ) from error


def _read_manifest(file: zipfile.ZipFile) -> Manifest:
    data = json.loads(read_member(file, _MANIFEST))
    # Looked at first: what else a newer file says may be anything.
    format_version, schema_version = int(data["format_version"]), int(data["schema_version"])
    if format_version > FORMAT_VERSION or schema_version > SCHEMA_VERSION:
        raise NewerSchema(
            f"The file has format {format_version} and schema version {schema_version}, and this entente knows up to"
            f" {FORMAT_VERSION} and {SCHEMA_VERSION}; nothing was imported, please use a newer entente."
        )
    return Manifest.model_validate(data)


def _read_journal(file: zipfile.ZipFile, manifest: Manifest) -> dict[str, list[Line]]:
    journal = {table.name: _read_rows(file, table, manifest) for table in _TABLES}
    if manifest.schema_version < _ORDERED_SINCE:
        old = number_old_rows(journal[SEGMENTS.name], journal[TURNS.name], journal[PHASES.name])
        journal |= {TURNS.name: old.turns, PHASES.name: old.phases}
    if manifest.schema_version < _WAKES_SINCE:
        turns, messages = with_wakes(journal[TURNS.name], journal[MESSAGES.name])
        journal |= {TURNS.name: turns, MESSAGES.name: messages}
    check_rows(_TABLES, journal)
    return _placed(journal)


def _read_rows(file: zipfile.ZipFile, table: Table, manifest: Manifest) -> list[Line]:
    empty: Line = {column.name: None for column in table.columns if column.nullable}
    if "sequence" in table.c and manifest.schema_version < _ORDERED_SINCE:
        empty["sequence"] = 0
    names = {column.name for column in table.columns} - {"game"}
    rows = [empty | cast("Line", _loaded(line)) for line in _read_lines(file, table.name, manifest)]
    if any(row.keys() != names for row in rows):
        raise ValueError(f"{table.name} has other columns than {', '.join(sorted(names))}")
    return rows


def _read_lines(file: zipfile.ZipFile, name: str, manifest: Manifest) -> list[str]:
    if manifest.schema_version < _SINCE.get(name, 0):
        return []
    lines = read_member(file, f"{name}.jsonl").decode().split("\n")[:-1]
    if len(lines) != manifest.lines[name]:
        raise ValueError(f"{name} has {len(lines)} lines instead of {manifest.lines[name]}")
    return lines


def _enter(connection: Connection, number: int, *, journal: dict[str, list[Line]], game: str) -> None:
    for table in _TABLES:
        if rows := [_moved(row, game, number) for row in journal[table.name]]:
            connection.execute(insert(table), rows)
    connection.execute(insert(UNTRUSTED).values(game=game))
    with _refused("The journal in the file"):
        _read_back(connection, game)


def _moved(row: Line, game: str, number: int) -> Line:
    """The row of a game, with its place behind `number` if it has one."""
    place = row.get("sequence")
    return {**row, "game": game} | ({"sequence": place + number} if isinstance(place, int) else {})


def _read_back(connection: Connection, game: str) -> None:
    """Read every record once, within the transaction that entered them, so that what is unreadable never stays."""
    rows: dict[str, Sequence[Row[Any]]] = {
        table.name: connection.execute(select(table).where(table.c.game == game)).all() for table in _TABLES
    }
    check_records(
        turn_records(rows[TURNS.name], rows[MESSAGES.name]),
        [segment_record(row) for row in rows[SEGMENTS.name]],
        [phase_record(row) for row in rows[PHASES.name]],
        [words_record(row) for row in rows[WORDS.name]],
    )
    phases = {row.id: row for row in rows[PHASES.name]}
    for id_ in phases:
        chain(game, phases, id_)
    [row] = rows[GAMES.name]
    _loaded(row.settings)
    game_settings(row)


def _loaded(text: str) -> Any:
    return json.loads(text, parse_int=_integer)


def _integer(digits: str) -> int:
    """The number, which a database and a checkpoint can take; raises ValueError."""
    number = int(digits)
    if number.bit_length() > _INTEGER_BITS:
        raise ValueError(f"it has a number of {len(digits)} digits")
    return number
