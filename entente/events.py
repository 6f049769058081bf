"""What happened in a game, as a stream that the terminal, the log and Studio show.

An event is derived from what the journal has committed, never sent ahead of it, and carries an id
that is the same however often it is derived, so that a viewer can drop repeats.
"""

from collections.abc import Mapping
from enum import StrEnum
from typing import Annotated

from pydantic import AfterValidator, BaseModel, ConfigDict, JsonValue

from entente.display import displayable, displayable_json


class EventKind(StrEnum):
    """Every kind of event; docs/events.md lists them, and a test compares."""

    MESSAGE = "message"
    """A message was delivered."""
    TALKED = "talked"
    """A power finished its turn of a round of press, or a waking, of which only itself and the operator are told."""
    ORDERED = "ordered"
    """A power handed in its orders; others learn that, never which, and nothing of what was ordered in a waking."""
    DIARY = "diary"
    """A language model's seat folded its diary; only the power itself and the operator are told."""
    THOUGHT = "thought"
    """What a language model wrote before it acted; only the power itself and the operator are told."""
    NOTICE = "notice"
    """Something was not done quite as the player said: an order repaired, rejected or defaulted, a message refused."""
    PHASE = "phase"
    """A phase was adjudicated; its orders and results are public from here on."""
    CREW = "crew"
    """A voice of the crew told all of a phase that is over, or answered a person, of which only that one is told."""


class Event(BaseModel):
    """One event, as one reader may see it."""

    model_config = ConfigDict(frozen=True)

    id: str
    sequence: int
    """Its place in the store's one order of commits. Events of one turn share it, and come together."""
    at: float | None
    """When it was committed, in seconds since 1970, UTC; None in games of before such times were kept."""
    kind: EventKind
    phase: str
    moment: str
    """The turn that it belongs to, or its phase; `entente fork --at` takes it as it is."""
    power: str | None = None
    """Whose doing it was; None for what nobody did."""
    text: Annotated[str, AfterValidator(displayable)]
    """One line for people."""
    data: Annotated[Mapping[str, JsonValue], AfterValidator(displayable_json)] = {}
    """The same for programs, displayable too; its keys depend on the kind (docs/events.md)."""
