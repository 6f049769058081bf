"""What can be wrong with a store: a table of faults, each with what brings it in and what is said of it."""

import json
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from pydantic import JsonValue
from sqlalchemy import Connection, Table, delete, insert, select, text, update

from checkpoints.tables import (
    CHECKPOINTS,
    GAMES,
    LEASES,
    MESSAGES,
    PHASES,
    SEGMENTS,
    TURNS,
    VALUES,
    WORDS,
    WRITES,
)
from checkpoints.threads import strict_serializer

ASKED = {"text": "", "asked": {"prompt": "lost", "prompt_set": "default"}}
HURT = "0c1a7f04-0000-4000-8000-000000000001"
"""The game that faults are brought into."""
Damage = Callable[[Connection], None]


@dataclass(frozen=True)
class Fault:
    """Something that can be wrong with a store, and what is said of it."""

    id: str
    damage: Damage
    table: str
    told: str
    """Part of the sentence."""
    refused: str = "log"
    """A command on the hurt game that is refused with the sentence."""
    everywhere: bool = False
    """True where it hurts the whole store."""
    only: str = ""
    """The one database in which it can be."""


def set_to(table: Table, **values: object) -> Damage:
    """Put these values into all rows of the hurt game."""
    owner = table.c.get("game", table.c.get("thread"))
    return lambda connection: connection.execute(update(table).where(owner == HURT).values(**values)) and None


def _drop(table: Table) -> Damage:
    owner = table.c.get("game", table.c.get("thread"))
    return lambda connection: connection.execute(delete(table).where(owner == HURT)) and None


def by_sql(*statements: str) -> Damage:
    def damage(connection: Connection) -> None:
        for statement in statements:
            connection.execute(text(statement), {"game": HURT} if ":game" in statement else {})

    return damage


def _lease(expires_at: float, acquired_at: float = 0.0) -> Damage:
    row = {
        "game": HURT,
        "token": "t",
        "machine": "elsewhere",
        "host": "far",
        "pid": 7,
        "started": "",
        "command": "entente play",
        "acquired_at": acquired_at,
        "expires_at": expires_at,
    }
    return lambda connection: connection.execute(insert(LEASES).values(row)) and None


def _all(*damages: Damage) -> Damage:
    def damage(connection: Connection) -> None:
        for each in damages:
            each(connection)

    return damage


def _lose_a_message(connection: Connection) -> None:
    found = connection.execute(select(MESSAGES).where(MESSAGES.c.game == HURT).limit(1)).one()
    key = [column == getattr(found, column.name) for column in MESSAGES.primary_key]
    connection.execute(delete(MESSAGES).where(*key))


def _flip(table: Table, column: str, *, at: int = 7) -> Damage:
    """Flip the bits of a byte of all values of the hurt game, as bytes that are no text."""
    owner = table.c.get("game", table.c.get("thread"))

    def damage(connection: Connection) -> None:
        for row in connection.execute(select(table).where(owner == HURT)).all():
            value = getattr(row, column)
            data = bytearray(value.encode() if isinstance(value, str) else value)
            data[min(at, len(data) - 1)] ^= 0xFF
            new = text("CAST(:data AS TEXT)").bindparams(data=bytes(data)) if isinstance(value, str) else None
            key = [part == getattr(row, part.name) for part in table.primary_key]
            connection.execute(
                update(table).where(*key).values({column: bytes(data) if new is None else new})
            )

    return damage


def _change_json(table: Table, column: str, change: Callable[[dict[str, Any]], None]) -> Damage:
    """Change the JSON of the hurt game's first row."""

    def damage(connection: Connection) -> None:
        row = connection.execute(select(table).where(table.c.game == HURT).limit(1)).one()
        change(body := json.loads(getattr(row, column)))
        key = [part == getattr(row, part.name) for part in table.primary_key]
        connection.execute(update(table).where(*key).values({column: json.dumps(body)}))

    return damage


def _change_state(channel: str, change: Callable[[Any], None], *, earliest: bool = False) -> Damage:
    """Change a value in all states of the hurt game, or in the earliest alone."""

    def damage(connection: Connection) -> None:
        serde, here = strict_serializer(), (VALUES.c.thread == HURT, VALUES.c.channel == channel)
        rows = connection.execute(select(VALUES).where(*here).order_by(VALUES.c.version)).all()
        for row in rows[:1] if earliest else rows:
            change(value := serde.loads_typed((row.kind, row.value)))
            kind, packed = serde.dumps_typed(value)
            same = (*here, VALUES.c.version == row.version, VALUES.c.namespace == row.namespace)
            connection.execute(update(VALUES).where(*same).values(kind=kind, value=packed))

    return damage


def _in_checkpoints(connection: Connection, **parts: JsonValue) -> None:
    """Put these parts into each checkpoint of the hurt game."""
    serde, here = strict_serializer(), CHECKPOINTS.c.thread == HURT
    for row in connection.execute(select(CHECKPOINTS).where(here)).all():
        checkpoint = serde.loads_typed((row.kind, row.body))
        kind, body = serde.dumps_typed({**checkpoint, **parts})
        connection.execute(
            update(CHECKPOINTS).where(here, CHECKPOINTS.c.id == row.id).values(kind=kind, body=body)
        )


def _in_phases(old: str, new: str) -> Damage:
    """Put other words into the bodies of the hurt game's phases."""
    return by_sql(f"UPDATE phases SET body = replace(body, '{old}', '{new}') WHERE game = :game")


ELSEWHERE = [
    Fault(
        "a board with a center off the map", _in_phases('"VIE"', '"XYZ"'), "phases", "its board is not what"
    ),
    Fault(
        "a board with a unit off the map", _in_phases('"A VIE"', '"A XYZ"'), "phases", "its board is not what"
    ),
    Fault("a board with an army at sea", _in_phases('"F LON"', '"A NTH"'), "phases", "its board is not what"),
    Fault(
        "a board with two units in a province",
        _in_phases('"A VIE"', '"A BUD"'),
        "phases",
        "its board is not what",
    ),
    Fault(
        "a board with a power off the map",
        _in_phases('"TURKEY":["', '"ATLANTIS":["'),
        "phases",
        "its board is not what",
    ),
    Fault(
        "a board of no map", _in_phases('"map":"standard"', '"map":"tea"'), "phases", "its board is not what"
    ),
    Fault(
        "a board without centers", _in_phases('"centers":', '"centres":'), "phases", "its board is not what"
    ),
    Fault(
        "an order from off the map",
        _in_phases('"order":"A VIE', '"order":"A XYZ'),
        "phases",
        "an order that nobody can have given",
    ),
    Fault(
        "an order that is none",
        _in_phases('"order":"', '"order":"tea '),
        "phases",
        "an order in it is not what",
    ),
    Fault(
        "an order of a power off the map",
        _in_phases('"power":"TURKEY"', '"power":"ATLANTIS"'),
        "phases",
        "an order that nobody can have given",
    ),
    Fault(
        "a state with a center off the map",
        _change_state("board", lambda board: board["centers"]["FRANCE"].append("XYZ")),
        "thread_checkpoints",
        "is not what was put into it",
        "fork --at F1901M",
    ),
    Fault(
        "a state with a unit off the map",
        _change_state("board", lambda board: board["units"]["FRANCE"].append("A XYZ")),
        "thread_checkpoints",
        "is not what was put into it",
        "press",
    ),
    Fault(
        "a state with a colour off the map",
        _change_state("board", lambda board: board["influence"]["FRANCE"].append("XYZ")),
        "thread_checkpoints",
        "is not what was put into it",
        "usage",
    ),
    Fault(
        "a state that seats nobody in a power",
        _change_state("settings", lambda settings: settings["seats"].pop("TURKEY")),
        "thread_checkpoints",
        "a part of it is missing",
        "board",
    ),
    Fault(
        "settings that seat nobody in a power",
        _change_json(GAMES, "settings", lambda settings: settings["seats"].pop("TURKEY")),
        "games",
        "its settings seat nobody in TURKEY",
        "selfcheck",
    ),
    Fault(
        "settings that seat a number",
        _change_json(GAMES, "settings", lambda settings: settings["seats"].update(TURKEY=7)),
        "games",
        "is not what was put into it",
        "games prune",
    ),
    Fault(
        "an earlier state that no game can have",
        _change_state("board", lambda board: board["units"]["FRANCE"].append("A XYZ"), earliest=True),
        "thread_checkpoints",
        "is not what was put into it",
        "selfcheck",
    ),
    Fault(
        "a turn whose prompt has lost its last part",
        _change_json(TURNS, "body", lambda body: body.update(replies=[ASKED])),
        "prompts",
        "it is missing, and the turn",
        "selfcheck",
    ),
]
"""Names that are well written and that the map, the seats or another table has not."""

FAULTS = [
    *ELSEWHERE,
    Fault("a turn that is no JSON", set_to(TURNS, body="{"), "turns", "is not what was put into it"),
    Fault("a turn that is another's", set_to(TURNS, body="{}"), "turns", "a part of it is missing"),
    Fault(
        "a turn with flipped bytes",
        _flip(TURNS, "body"),
        "turns",
        "it holds bytes that are no text",
        only="sqlite",
    ),
    Fault(
        "a turn numbered in words",
        by_sql("UPDATE turns SET sequence = 'x' || rowid WHERE game = :game"),
        "commit_order",
        "",
        "selfcheck",
        only="sqlite",
    ),
    Fault("a lost message", _lose_a_message, "turns", "messages and"),
    Fault("a message that is no JSON", set_to(MESSAGES, body="]"), "messages", "is not what was put into it"),
    Fault(
        "a message that is a number", set_to(MESSAGES, body="7"), "messages", "is not what was put into it"
    ),
    Fault(
        "a segment that is no JSON",
        set_to(SEGMENTS, body=""),
        "segments",
        "is not what was put into it",
        "resume",
    ),
    Fault("a phase that is no JSON", set_to(PHASES, body="null"), "phases", "is not what was put into it"),
    Fault("a phase that is its own parent", set_to(PHASES, parent=PHASES.c.id), "phases", "lead back to it"),
    Fault(
        "a phase whose parent is lost",
        set_to(PHASES, parent="nowhere"),
        "phases",
        "row nowhere of phases: it is missing",
    ),
    Fault("words that are no JSON", set_to(WORDS, body="{"), "words", "is not what was put into it"),
    Fault(
        "words of a phase that is lost",
        set_to(WORDS, history="nowhere"),
        "phases",
        "row nowhere of phases",
        "selfcheck",
    ),
    Fault("all phases lost", _drop(PHASES), "phases", "it is missing"),
    Fault(
        "an outcome that is none",
        by_sql(
            "UPDATE phases SET body = replace(body, '\"bounced\"', '\"won\"') WHERE game = :game",
            "UPDATE phases SET body = replace(body, 'succeeded', 'won') WHERE game = :game",
        ),
        "phases",
        "outcome",
    ),
    Fault(
        "a board with a list in a center's place",
        by_sql("UPDATE phases SET body = replace(body, '\"VIE\"', '[]') WHERE game = :game"),
        "phases",
        "board is not what was put into it",
    ),
    Fault(
        "a board with a center that is none",
        by_sql("UPDATE phases SET body = replace(body, '\"VIE\"', '\"S1901M\"') WHERE game = :game"),
        "phases",
        "board is not what was put into it",
    ),
    Fault(
        "a link whose id is bytes",
        by_sql(
            "INSERT INTO links (id, digest, game, role, created_at, expires_at) "
            "VALUES (X'FF', 'd', :game, 'FRANCE', 1, 9999999999)"
        ),
        "links",
        "its id is not what was put into it",
        "selfcheck",
        only="sqlite",
    ),
    Fault(
        "settings that are null",
        set_to(GAMES, settings="null"),
        "games",
        "is not what was put into it",
        "resume",
    ),
    Fault(
        "settings that are a list",
        set_to(GAMES, settings="[]"),
        "games",
        "is not what was put into it",
        "resume",
    ),
    Fault(
        "settings that are empty", set_to(GAMES, settings="{}"), "games", "its settings seat nobody", "resume"
    ),
    Fault(
        "settings that are no JSON",
        set_to(GAMES, settings="{'"),
        "games",
        "is not what was put into it",
        "resume",
    ),
    Fault(
        "settings with flipped bytes",
        _flip(GAMES, "settings"),
        "games",
        "it holds bytes that are no text",
        "resume",
        only="sqlite",
    ),
    Fault(
        "settings that no game can have",
        by_sql(
            "UPDATE games SET settings = replace(settings, '\"leaders\":{}', '\"leaders\":[7]') WHERE game = :game"
        ),
        "games",
        "leaders is not what was put into it",
    ),
    Fault(
        "a status that is none", set_to(GAMES, status="nonsense"), "games", "its game has no status", "resume"
    ),
    Fault(
        "a status that is empty", set_to(GAMES, status=""), "games", "its game has no status", "games show"
    ),
    Fault(
        "a status of bytes",
        by_sql("UPDATE games SET status = X'FF00' WHERE game = :game"),
        "games",
        "its status is not what was put into it",
        "resume",
        only="sqlite",
    ),
    Fault(
        "a phase that no game is in", set_to(GAMES, phase="tea"), "games", "its game is in no phase", "resume"
    ),
    Fault(
        "a game that was forked from a path",
        set_to(GAMES, forked_from="../x"),
        "games",
        "forked from",
        "resume",
    ),
    Fault(
        "a name that none may have",
        set_to(GAMES, name="a\nb"),
        "games",
        "a name that none may have",
        "resume",
    ),
    Fault(
        "a game's row whose number is a word",
        by_sql("UPDATE games SET sequence = 'many' WHERE game = :game"),
        "games",
        "its sequence is not what was put into it",
        "resume",
        only="sqlite",
    ),
    Fault(
        "a turn of a power whose name is no text",
        by_sql("UPDATE turns SET power = CAST(X'B3' || power AS TEXT) WHERE game = :game"),
        "turns",
        "it holds bytes that are no text",
        "games show",
        only="sqlite",
    ),
    Fault(
        "a part of a prompt that is not its digest's",
        by_sql("INSERT INTO prompts (game, digest, body) VALUES (:game, 'd', 'NOBODY')"),
        "prompts",
        "its digest is not that of its words",
        "train export",
    ),
    Fault(
        "a prompt that runs in a circle",
        by_sql("INSERT INTO prompts (game, digest, parent, body) VALUES (:game, 'd', 'd', '{}')"),
        "prompts",
        "its digest is not that of its words",
        "train export",
    ),
    Fault(
        "a kept reply that is none",
        by_sql(
            "INSERT INTO replies (game, segment, digest, body) SELECT :game, id, 'd', '{' FROM segments LIMIT 1"
        ),
        "replies",
        "is not what was put into it",
        "selfcheck",
    ),
    Fault(
        "a draft that is none",
        by_sql("INSERT INTO drafts (game, power, phase, body) VALUES (:game, 'FRANCE', 'F1901M', '{')"),
        "drafts",
        "is not what was put into it",
        "selfcheck",
    ),
    Fault(
        "an early answer that is none",
        by_sql(
            "INSERT INTO early_answers (game, power, phase, ask, number, body, is_taken) "
            "VALUES (:game, 'FRANCE', 'F1901M', 'orders', 0, '{', 0)"
        ),
        "early_answers",
        "is not what was put into it",
        "resume",
    ),
    Fault(
        "a link from the end of time",
        by_sql(
            "INSERT INTO links (id, digest, game, role, created_at, expires_at) "
            "VALUES ('l', 'd', :game, 'FRANCE', 1e20, 1e20)"
        ),
        "links",
        "is not what was put into it",
        "selfcheck",
    ),
    Fault(
        "a game begun after the end of time",
        set_to(GAMES, created_at=1e20),
        "games",
        "is not what was put",
        "games show",
    ),
    Fault("a lease from the year 3000", _lease(32503680000.0), "leases", "longer than any run", "resume"),
    Fault(
        "a lease of no time", _lease(float("inf"), float("inf")), "leases", "longer than any run", "resume"
    ),
    Fault(
        "a lease that ends in words",
        _all(_lease(0), by_sql("UPDATE leases SET expires_at = 'soon'")),
        "leases",
        "is not what was put into it",
        "resume",
        only="sqlite",
    ),
    Fault(
        "a checkpoint with flipped bytes",
        _flip(CHECKPOINTS, "body", at=0),
        "thread_checkpoints",
        "is not what was put",
    ),
    Fault(
        "a checkpoint that is empty",
        set_to(CHECKPOINTS, body=b""),
        "thread_checkpoints",
        "is not what was put",
    ),
    Fault(
        "a checkpoint of a version that is a word",
        lambda connection: _in_checkpoints(connection, v="XYZ"),
        "thread_checkpoints",
        "is not what was put",
        "games prune",
    ),
    Fault(
        "a checkpoint of no kind",
        set_to(CHECKPOINTS, kind=""),
        "thread_checkpoints",
        "is not what was put",
        "games prune",
    ),
    Fault(
        "metadata that are no JSON",
        set_to(CHECKPOINTS, metadata="{"),
        "thread_checkpoints",
        "is not what was put",
    ),
    Fault(
        "values with flipped bytes",
        _flip(VALUES, "value", at=0),
        "thread_checkpoints",
        "is not what was put into it",
    ),
    Fault(
        "values of another shape",
        set_to(VALUES, kind="json", value=b"7"),
        "thread_checkpoints",
        "is not what was put",
    ),
    Fault("a blob gone", _drop(VALUES), "thread_values", "it is missing"),
    Fault(
        "writes that are no values",
        set_to(WRITES, value=b"\xc1"),
        "thread_writes",
        "is not what was put into it",
    ),
    Fault(
        "a checkpoint whose parent is no text",
        by_sql("UPDATE thread_checkpoints SET parent = X'FF0080' WHERE thread = :game"),
        "thread_checkpoints",
        "is not what was put into it",
        "games export",
        only="sqlite",
    ),
    Fault(
        "metadata that are a number",
        set_to(CHECKPOINTS, metadata="7"),
        "thread_checkpoints",
        "is not what was put into it",
        "games export",
    ),
    Fault(
        "metadata that are bytes",
        by_sql("UPDATE thread_checkpoints SET metadata = X'FF0080' WHERE thread = :game"),
        "thread_checkpoints",
        "it holds bytes that are no text",
        "games prune",
        only="sqlite",
    ),
    Fault(
        "a checkpoint that names a table for a value",
        lambda connection: _in_checkpoints(connection, entente_large=[{}]),
        "thread_checkpoints",
        "is not what was put into it",
    ),
    Fault(
        "writes that stand nowhere",
        by_sql("UPDATE thread_writes SET position = 'x' || rowid WHERE thread = :game"),
        "thread_writes",
        "is not what was put into it",
        "games export",
        only="sqlite",
    ),
    Fault(
        "turns that were committed at bytes",
        by_sql("UPDATE turns SET committed_at = X'FF0080' WHERE game = :game"),
        "turns",
        "is not what was put into it",
        "games export",
        only="sqlite",
    ),
    Fault(
        "a segment whose name is bytes",
        by_sql("UPDATE segments SET id = CAST(X'FF' || id AS BLOB) WHERE game = :game"),
        "segments",
        "is not what was put into it",
        "games export",
        only="sqlite",
    ),
    Fault(
        "a message whose power is no text",
        by_sql("UPDATE messages SET power = CAST(X'B3' || power AS TEXT) WHERE game = :game"),
        "messages",
        "its power holds bytes that are no text",
        "games export",
        only="sqlite",
    ),
    Fault(
        "a turn without a number",
        by_sql("UPDATE turns SET sequence = 'x' || sequence WHERE game = :game"),
        "commit_order",
        "a commit of it has a number that is none",
        "games copy",
        only="sqlite",
    ),
    Fault(
        "settings that no file can be made of",
        set_to(GAMES, settings="{'"),
        "games",
        "is not what was put into it",
        "games export",
    ),
    Fault(
        "a game that was forked from bytes",
        by_sql("UPDATE games SET forked_from = X'FF0080' WHERE game = :game"),
        "games",
        "is not what was put into it",
        "games export",
        only="sqlite",
    ),
    Fault(
        "values whose channel is no text",
        by_sql("UPDATE thread_values SET channel = CAST(X'B3' || channel AS TEXT) WHERE thread = :game"),
        "thread_values",
        "it holds bytes that are no text",
        "games prune",
        only="sqlite",
    ),
    Fault(
        "a phase that is no text",
        by_sql("UPDATE games SET phase = CAST(X'B3' AS TEXT) WHERE game = :game"),
        "games",
        "holds bytes that are no text",
        "games copy",
        only="sqlite",
    ),
    Fault(
        "metadata of the first checkpoint that are cut off",
        by_sql(
            "UPDATE thread_checkpoints SET metadata = '{' WHERE thread = :game AND id = "
            "(SELECT min(id) FROM thread_checkpoints WHERE thread = :game)"
        ),
        "thread_checkpoints",
        "is not what was put into it",
        "games export",
    ),
    Fault("checkpoints lost", _drop(CHECKPOINTS), "thread_checkpoints", "it is missing, and the journal"),
    Fault(
        "no number of the schema",
        by_sql("DELETE FROM meta"),
        "meta",
        "number of the schema",
        "games list",
        everywhere=True,
    ),
    Fault(
        "a schema in words",
        by_sql("UPDATE meta SET value = 'six'"),
        "meta",
        "number of the schema",
        "games list",
        everywhere=True,
    ),
    Fault(
        "no number of the last commit",
        by_sql("DELETE FROM commit_order"),
        "commit_order",
        "number of the last commit",
        everywhere=True,
    ),
    Fault(
        "a last commit in words",
        by_sql("UPDATE commit_order SET last = 'many'"),
        "commit_order",
        "number of the last commit",
        everywhere=True,
        only="sqlite",
    ),
]
