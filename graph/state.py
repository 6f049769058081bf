"""The state of a game: what is in each checkpoint, a few KB, as large in year 20 as in year 1.

It holds plain JSON only, so that any checkpoint can be read, edited in Studio and moved between
stores. Press is not in it: `segments` and `history` refer to the journal, which has it.
"""

from collections.abc import Mapping
from functools import lru_cache
from typing import Annotated, Any, Literal, TypeAlias, TypeVar

from pydantic import JsonValue, TypeAdapter
from pydantic_core import from_json, to_json
from typing_extensions import TypedDict

from entente.board.engine import Board
from entente.board.types import Phase, Power
from entente.caches import GAMES
from entente.errors import NewerSchema
from entente.models.budget import Spent
from entente.models.tokens import Learned
from entente.players.roster import HUMAN
from graph.context import SCHEMA_VERSION, GameSettings

T = TypeVar("T")

_LATER: dict[str, Any] = {
    "talk_over": False,
    "orders": {},
    "votes": {},
    "resumes": [],
    "segments": [],
    "history": None,
    "memories": {},
    "spent": {},
    "learned": {},
    "chronicle": [],
    "waiting": [],
}
"""What states of older versions may lack."""

Status: TypeAlias = Literal["playing", "finished"]


def extend_or_clear(old: list[str], new: list[str] | None) -> list[str]:
    """Reducer: append, or start anew with None."""
    return [] if new is None else [*old, *new]


def merge_or_clear(old: dict[str, T], new: dict[str, T] | None) -> dict[str, T]:
    """Reducer: put the new keys in, or start anew with None."""
    return {} if new is None else {**old, **new}


class Outcome(TypedDict):
    """How the game ended; `entente.board.types.GameOutcome` as JSON."""

    kind: str
    winners: list[Power]
    phase: str


class GameInput(TypedDict, total=False):
    """What a run is started with: nothing, since the settings come as context."""


class GameState(TypedDict):
    """A game between two supersteps; every key is there once `open_game` has run."""

    status: Status
    """Says whether the game is over; that nothing is pending does not (a crash can leave that too)."""
    schema_version: int
    settings: dict[str, Any]
    """GameSettings, resolved: context is not checkpointed, so the game carries its own."""
    phase: str
    round: int
    """Rounds of negotiation finished in this phase."""
    talk_over: bool
    """On the conductor's floor: nobody has anything left to say or to read in this phase."""
    board: dict[str, Any]
    """`Board.snapshot()`."""
    orders: Annotated[dict[Power, list[str]], merge_or_clear]
    """Canonical orders of the powers that have given them in this phase."""
    votes: Annotated[dict[Power, bool], merge_or_clear]
    """Latest draw vote of each power in this phase."""
    resumes: Annotated[list[str], extend_or_clear]
    """Checkpoints at which this phase was in play when new input came: what was kept of their steps still counts."""
    segments: Annotated[list[str], extend_or_clear]
    """The journal's segments of this phase so far."""
    history: str | None
    """The journal's record of the phase before; those before it hang on it."""
    memories: Annotated[dict[Power, dict[str, JsonValue]], merge_or_clear]
    chronicle: list[str]
    """What the phase before changed, in words; `entente.floors.chronicle` derives earlier events from the journal."""
    spent: Annotated[dict[Power, Spent], merge_or_clear]
    """What each power's language models have cost in the phases before; powers without any are left out."""
    learned: Annotated[dict[Power, Learned], merge_or_clear]
    """How many letters a token has for each power's language model, by what its server counted in an earlier phase."""
    waiting: list[Power]
    """Seats of people that must speak before the round is over."""
    last_change_year: int
    """The latest year in which a center changed hands; the year before the first while none has."""
    outcome: Outcome | None


_STATE = TypeAdapter(GameState)


def check_state(values: Mapping[str, Any]) -> None:
    """Raise ValidationError, BoardError or KeyError for values that are no state of a game that has begun."""
    state = _STATE.validate_python(_LATER | dict(values))
    Phase.parse(state["phase"])
    seated = {*GameSettings.model_validate(state["settings"]).seats}
    powers = {*board_from(state["board"]).powers}
    named = {*state["orders"], *state["votes"], *state["memories"], *state["waiting"]}
    if wrong := (powers - seated) | (named - powers):
        raise KeyError(", ".join(sorted(wrong)))


@lru_cache(maxsize=2 * GAMES)
def _board(snapshot: bytes) -> Board:
    return Board.restore(from_json(snapshot))


def board_from(snapshot: Mapping[str, Any]) -> Board:
    """The board of a snapshot; one object for equal positions, so that its legal orders are computed once."""
    return _board(to_json(snapshot))


def board_of(state: GameState) -> Board:
    """The board in play."""
    return board_from(state["board"])


def is_between_phases(state: GameState) -> bool:
    """True when a phase has been adjudicated and the next one has not begun: nobody is asked anything."""
    return str(board_of(state).phase) != state["phase"]


def settings_of(state: GameState) -> GameSettings:
    """The game's resolved settings; raises NewerSchema for a game that a newer entente has written."""
    version = state.get("schema_version", 0)
    if version > SCHEMA_VERSION:
        raise NewerSchema(
            f"This entente reads games up to schema {SCHEMA_VERSION} and this one has {version}; it was left alone."
        )
    return GameSettings.model_construct(**state["settings"])


def people(state: GameState) -> list[Power]:
    """Powers that a person plays, in the map's order."""
    settings = settings_of(state)
    return [power for power in board_of(state).powers if settings.seat(power) == HUMAN]
