"""What the crew remembers of its talk with one listener, as its graph keeps it."""

from pydantic import BaseModel, Field
from typing_extensions import TypedDict  # pydantic wants this one until Python 3.12

from entente.commentary.mentions import MAX_CHARACTERS
from entente.commentary.router import GamePhase, Voice
from entente.display import displayable
from entente.plain import storable

MOST_EXCHANGES = 20
"""What was said before is left out, the oldest first."""


class Said(TypedDict):
    """A line of the talk."""

    role: str
    """`person`, or a voice of the crew."""
    content: str


class Asked(BaseModel):
    """What a turn begins with, and all that is handed in from outside."""

    action: str = Field(
        default="",
        title="Action",
        description="What is done or asked; if not given, the last phase is told.",
    )


def read_action(action: str) -> str:
    """As much of an action as is read, as it can be kept and shown."""
    return displayable(storable(action[:MAX_CHARACTERS]))


class Session(BaseModel):
    """The graph's state: its fields are those that the conversation engine names, and those of the turn in play."""

    session_id: str = ""
    phase: GamePhase = GamePhase.EXPLORATION
    recent_agents: list[Voice] = []
    """The last five that spoke, the latest last."""
    turns_since_jester: int = 0
    conversation_history: list[Said] = []
    current_choices: list[str] = []
    character_description: str = ""
    """Of the leader whom the listener plays; empty for none."""
    character_sheet: dict[str, str] = {}
    """Its traits."""
    health_current: int = 0
    """Supply centers held; 0 for who only watches."""
    health_max: int = 0
    """Supply centers that win."""
    turns: int = 0
    """How many were played; decides, with the seed, what is left to chance."""

    action: str = ""
    """Of the turn in play."""
    agents: list[Voice] = []
    """Who answers it; given, or decided by the router."""
    responses: list[Said] = []
    """What they have said so far."""
