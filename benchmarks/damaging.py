"""Damage at random: a value or two of one game's rows, or some bytes of the store's file.

A value is changed where it stands, in a column, in a row's JSON or in what LangGraph has packed, so that all around it
can still be read: what a bug or a hand leaves behind. Bytes are what a disk does.
"""

import json
import sqlite3
from collections.abc import Iterable
from contextlib import closing, suppress
from copy import deepcopy
from pathlib import Path
from random import Random
from typing import Any, TypeAlias, cast

from checkpoints.tables import METADATA
from checkpoints.threads import strict_serializer

Place: TypeAlias = tuple[Any, Any]
"""A list or a dict, and where in it a value stands."""

WORDS = (
    "",
    "XYZ",
    "A XYZ",
    "A XYZ - ABC",
    "A PAR - BUR",
    "F BOH",
    "PAR",
    "MAO",
    "STP/NC",
    "ATLANTIS",
    "FRANCE",
    "PUBLIC",
    "S1901M",
    "W1901A",
    "F1902R",
    "S9999M",
    "Z0000Q",
    "../../x",
    "line\nfeed",
    "\x1b[31m",
    "\ud800",
    "standard",
    "conductor",
    "human",
    "hold",
    "finished",
)
NUMBERS = (0, -1, 1, 7, 10**30, 2**63, -(2**63), 1e308, 1.5, float("nan"), float("inf"))
OTHERS: tuple[Any, ...] = (None, True, False, [], {}, [[]], {"XYZ": "XYZ"}, ["XYZ"], [None], {"": 0})
LATEST = 12
"""Rows of a table that are damaged more often than those before them, which less is read of."""
FLIPS = (1, 2, 8, 64)


def damage_rows(file: Path, game: str, random: Random) -> str:
    """Change one or two values of the game's rows; what was done, in short."""
    with closing(sqlite3.connect(file)) as connection:
        connection.text_factory = bytes
        done = [_damage_row(connection, game, random) for _ in range(random.choice((1, 1, 2)))]
        connection.commit()
    return "; ".join(done)


def damage_bytes(file: Path, random: Random) -> str:
    """Flip bytes of the file, or cut it off; what was done, in short."""
    data = bytearray(file.read_bytes())
    if random.random() < 0.1:
        size = random.randrange(len(data))
        file.write_bytes(data[:size])
        return f"cut off at {size} of {len(data)} bytes"
    places = [random.randrange(len(data)) for _ in range(random.choice(FLIPS))]
    for place in places:
        data[place] ^= random.randrange(1, 256)
    file.write_bytes(data)
    return f"bytes {places[:8]} flipped"


def _damage_row(connection: sqlite3.Connection, game: str, random: Random) -> str:
    tables = [table for table in METADATA.sorted_tables if {"game", "thread"} & {*table.c.keys()}]
    table = random.choice(tables)
    owner = "thread" if "thread" in table.c else "game"
    rows = connection.execute(f"SELECT rowid, * FROM {table.name} WHERE {owner} = ?", (game,)).fetchall()
    if not rows:
        return _damage_row(connection, game, random)
    row = random.choice(rows[-LATEST:] if random.random() < 0.6 else rows)
    if random.random() < 0.05:
        connection.execute(f"DELETE FROM {table.name} WHERE rowid = ?", (row[0],))
        return f"{table.name}: a row is gone"
    names = [*table.c.keys()]
    columns = [column for column in names if column != owner]
    bodies = [name for name in columns if name in ("body", "value", "settings", "metadata")]
    column = random.choice(bodies * 8 + columns)
    place = names.index(column)
    old = row[place + 1]
    new, how = _changed(old, random, [other[place + 1] for other in rows], _kind(names, row))
    with suppress(sqlite3.Error, OverflowError):  # what no column takes, or a key that is taken
        connection.execute(f"UPDATE {table.name} SET {column} = ? WHERE rowid = ?", (new, row[0]))
    return f"{table.name}.{column}: {how}"


def _kind(names: list[str], row: Any) -> str:
    """How LangGraph has packed the row's value; empty where it is no such row."""
    return row[names.index("kind") + 1].decode(errors="replace") if "kind" in names else ""


def _changed(old: Any, random: Random, others: list[Any], kind: str) -> tuple[Any, str]:
    dice = random.random()
    if dice < 0.06:
        return random.choice(others), "another row's"
    if dice < 0.12 and isinstance(old, bytes) and old:
        return old[: random.randrange(len(old))], "cut off"
    if dice < 0.16:
        return random.choice(
            [None, b"\xff\x00", "", *(each for each in NUMBERS if each != 10**30)]
        ), "of another kind"
    if isinstance(old, bytes) and old[:1] in b'{["' and old[:1]:
        return _json_changed(old, random)
    if kind and isinstance(old, bytes):
        return _packed_changed(old, kind, random)
    return random.choice(WORDS).encode(errors="surrogatepass"), "another word"


def _json_changed(old: bytes, random: Random) -> tuple[Any, str]:
    try:
        value, how = _value_changed(json.loads(old), random)
    except ValueError:
        return old[:-1], "cut off"
    return json.dumps(value, separators=(",", ":")), how


def _packed_changed(old: bytes, kind: str, random: Random) -> tuple[Any, str]:
    serde = strict_serializer()
    try:
        value, how = _value_changed(serde.loads_typed((kind, old)), random)
        return serde.dumps_typed(value)[1], how
    except Exception:  # noqa: BLE001 - of what is no packed value, or has no packing, the bytes are damaged
        data = bytearray(old or b"\x00")
        data[random.randrange(len(data))] ^= 0xFF
        return bytes(data), "a byte flipped"


def _value_changed(value: Any, random: Random) -> tuple[Any, str]:
    """The value with one of the values in it changed, and how."""
    holder = [deepcopy(value)]
    at, key = random.choice(_places(holder))
    path = f"{type(at).__name__}[{key!r}]"
    match random.randrange(8):
        case 0 if at is not holder:
            del at[key]
            return holder[0], f"{path} is gone"
        case 1 if isinstance(at, dict):
            named = cast("dict[Any, Any]", at)
            named[random.choice(WORDS)] = named.pop(key)
            return holder[0], f"{path} renamed"
        case 2:
            at[key] = random.choice(_places(holder))[0]
            if not _is_sound(holder):
                at[key] = None
            return holder[0], f"{path} is one from elsewhere"
        case 3 | 4:
            at[key] = random.choice(OTHERS)
        case 5:
            at[key] = random.choice(NUMBERS)
        case _:
            at[key] = random.choice(WORDS)
    return holder[0], f"{path} = {at[key]!r}"


def _places(value: Any) -> list[Place]:
    """Where all the values within it stand."""
    keys: Iterable[Any] = ()
    if isinstance(value, dict):
        keys = [*cast("dict[Any, Any]", value)]
    elif isinstance(value, list):
        keys = range(len(cast("list[Any]", value)))
    holder = cast("Any", value)
    return [place for key in keys for place in ((holder, key), *_places(holder[key]))]


def _is_sound(value: Any) -> bool:
    """False for what holds itself."""
    try:
        json.dumps(value, default=str)
    except ValueError:
        return False
    return True
