"""The journal's statements, built once for a dialect; SQLAlchemy compiles each of them once."""

from functools import cache
from typing import Any

from sqlalchemy import ColumnElement, Select, Table, bindparam, func, insert, literal_column, select, update

from checkpoints.database import insert_if_new
from checkpoints.tables import GAMES, LEASES, MESSAGES, PHASES, PROMPTS, REPLIES, SEGMENTS, TURNS, UNTRUSTED

LATEST = 32
"""Segments: people of a large map, programs and diaries in one step, and a few steps more."""

LATEST_SEGMENTS = (
    select(SEGMENTS)
    .where(SEGMENTS.c.game == bindparam("game"))
    .order_by(SEGMENTS.c.position.desc(), SEGMENTS.c.id)
    .limit(bindparam("limit"))
)

FENCE_TOKEN = "fence_token"  # noqa: S105 - a parameter's name
FENCE_GAME = "fence_game"


def _fence() -> tuple[ColumnElement[bool], ...]:
    return (LEASES.c.game == bindparam(FENCE_GAME), LEASES.c.token == bindparam(FENCE_TOKEN))


class Statements:
    """Inserts that do nothing without the lease, and the reads beside them.

    A fenced insert selects its values from the lease's own row and locks it for the length of the
    transaction, so a lease can't change hands between the look and the commit. Parameters are named
    `new_` and the column, and FENCE_GAME and FENCE_TOKEN for the fence.
    """

    def __init__(self, dialect: str) -> None:
        self.turn = _fenced(dialect, TURNS)
        self.phase = _fenced(dialect, PHASES)
        self.game = _fenced(dialect, GAMES)
        self.progress = (
            update(GAMES)
            .where(GAMES.c.game == bindparam("of"))
            .values(phase=bindparam("phase"), status=bindparam("status"), sequence=bindparam("number"))
        )
        self.went_on = (
            update(GAMES).where(GAMES.c.game == bindparam("of")).values(sequence=bindparam("number"))
        )
        self.set_settings = (
            update(GAMES)
            .where(GAMES.c.game == bindparam("of"))
            .values(settings=bindparam("settings"), sequence=bindparam("number"))
        )
        self.segment = _fenced(dialect, SEGMENTS, position=_next_position())
        self.reply = _fenced(dialect, REPLIES)
        self.replies = select(REPLIES).where(
            REPLIES.c.game == bindparam("game"), REPLIES.c.segment == bindparam("segment")
        )
        self.prompt = _fenced(dialect, PROMPTS)
        self.prompts = select(PROMPTS).where(PROMPTS.c.game == bindparam("game"))
        self.messages = insert(MESSAGES)
        self.fence = _locked(select(LEASES.c.token).where(*_fence()))
        self.turn_by_key = select(TURNS).where(
            TURNS.c.game == bindparam("game"),
            TURNS.c.segment == bindparam("segment"),
            TURNS.c.power == bindparam("power"),
            TURNS.c.number == bindparam("number"),
        )
        self.messages_by_key = (
            select(MESSAGES)
            .where(
                MESSAGES.c.game == bindparam("game"),
                MESSAGES.c.segment == bindparam("segment"),
                MESSAGES.c.power == bindparam("power"),
                MESSAGES.c.number == bindparam("number"),
            )
            .order_by(MESSAGES.c.position)
        )
        self.turns = select(TURNS).where(
            TURNS.c.game == bindparam("game"), TURNS.c.segment.in_(bindparam("segments", expanding=True))
        )
        self.messages_of = (
            select(MESSAGES)
            .where(
                MESSAGES.c.game == bindparam("game"),
                MESSAGES.c.segment.in_(bindparam("segments", expanding=True)),
            )
            .order_by(MESSAGES.c.position)
        )
        self.phase_by_id = select(PHASES).where(
            PHASES.c.game == bindparam("game"), PHASES.c.id == bindparam("id")
        )
        self.phases = select(PHASES).where(PHASES.c.game == bindparam("game"))
        self.settings = (
            select(GAMES, UNTRUSTED.c.game.is_not(None).label("is_untrusted"))
            .outerjoin(UNTRUSTED, UNTRUSTED.c.game == GAMES.c.game)
            .where(GAMES.c.game == bindparam("game"))
        )
        self.untrusted = select(UNTRUSTED.c.game).where(UNTRUSTED.c.game == bindparam("game"))
        self.segments = (
            select(SEGMENTS)
            .where(SEGMENTS.c.game == bindparam("game"))
            .order_by(SEGMENTS.c.position, SEGMENTS.c.id)
        )


@cache
def statements_of(dialect: str) -> Statements:
    """The statements of this dialect, one object for all stores: to build them takes longer than to read a game."""
    return Statements(dialect)


def _fenced(dialect: str, table: Table, **computed: ColumnElement[Any]) -> Any:
    values = [
        computed.get(column.name, bindparam(f"new_{column.name}", type_=column.type))
        for column in table.columns
    ]
    source = _locked(select(*values).where(*_fence()))
    return insert_if_new(dialect, table).from_select([column.name for column in table.columns], source)


def _locked(source: Select[Any]) -> Select[Any]:
    return source.with_for_update(read=True)  # Postgres only; SQLite has a single writer


def _next_position() -> ColumnElement[int]:
    last = select(func.max(SEGMENTS.c.position)).where(SEGMENTS.c.game == bindparam(FENCE_GAME))
    return func.coalesce(last.scalar_subquery() + literal_column("1"), 0)
