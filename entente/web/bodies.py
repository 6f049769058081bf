"""What requests bring and answers hold, beside the views of a game."""

from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field

from entente.games.absence import STAND_IN
from entente.players.caps import MAX_MESSAGES, MAX_ORDER_LINES
from entente.players.seat_protocol import Line

_MOST_READ = 100 * MAX_MESSAGES
"""More messages than a phase can have, on any map; a number that is far larger could not be kept."""


class Given(BaseModel):
    """A body of a request; what it has no name for is refused."""

    model_config = ConfigDict(extra="forbid")


class Token(Given):
    """What opens a link."""

    token: Annotated[str, Field(max_length=200)]


class Me(BaseModel):
    """Who the visitor is."""

    role: str
    """A power, `PUBLIC`, `DELAYED-2` for the public two phases later, or `OPERATOR`."""
    game: str
    """The game of the link; empty where it opens all games."""
    csrf: str
    """To be sent as the header `X-CSRF-Token` with whatever changes something."""


class GameLine(BaseModel):
    """A game as a list has it."""

    game: str
    name: str
    """What its operator calls it, empty for nothing; empty for the delayed public."""
    created_at: str | None
    map_name: str
    phase: str | None
    """Where it stands, empty before its first phase; None for the delayed public, as is the next."""
    status: str | None
    """`playing`, `paused`, `waiting` or `finished`."""
    played_by: str | None
    """Which process plays it, in words; None for nobody, and for all but whoever runs it."""
    forked_from: str | None
    """The game that it goes on from, where the link opens that too."""


class Lines(Given):
    """Orders as they were typed."""

    lines: Annotated[list[str], Field(max_length=MAX_ORDER_LINES)]


class Draft(Given):
    """What is typed and not sent."""

    phase: Annotated[str, Field(pattern=r"^[SFW]\d{4}[MRA]$")]
    messages: Annotated[list[str], Field(max_length=100)] = []
    """A line each: `GERMANY: hello`."""
    orders: Annotated[list[str], Field(max_length=MAX_ORDER_LINES)] = []
    draw: bool | None = None
    """A vote for or against ending the game in a draw, to be cast with the orders."""
    begun: str = ""
    """A line that was begun and not entered."""


class OrdersRead(BaseModel):
    """What the order reader makes of all of them."""

    verdicts: tuple[Line, ...]
    orders: list[str]
    left: list[str]
    """What civil disorder would decide: `A PAR holds`."""


class Letter(Given):
    """A message to be sent."""

    to: Annotated[str, Field(max_length=40)]
    text: str


class Back(Given):
    """A seat that its person takes back."""

    power: Annotated[str, Field(max_length=40)]


class Away(Back):
    """A person's seat that is handed over."""

    player: Annotated[str, Field(max_length=200)] = STAND_IN
    """The scripted player that stands in."""


class Answer(Given):
    """A person's answer; what is not wanted by the question is left out."""

    question: Annotated[str, Field(max_length=100)]
    messages: list[Letter] | None = None
    orders: Annotated[list[str], Field(max_length=MAX_ORDER_LINES)] | None = None
    draw: bool | None = None
    read: Annotated[int, Field(ge=0, le=_MOST_READ)] | None = None
    """How many messages of the question's `press`, from the first, were read before this; all where it is left out."""
