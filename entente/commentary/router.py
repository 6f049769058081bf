"""Which voices of the crew answer an action, and in which order.

The names and the rules are those of the conversation engine that clients were written for; its phases fall on
Diplomacy as `GamePhase` says.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from random import Random
from typing import Literal, TypeAlias

Voice: TypeAlias = Literal["narrator", "keeper", "jester"]

RECENT_AGENTS = 5
"""How many of the voices that spoke last a session remembers."""


class GamePhase(StrEnum):
    """What is going on at the table."""

    EXPLORATION = "exploration"
    """Press is open."""
    COMBAT = "combat"
    """Orders are being written, or were just adjudicated."""
    DIALOGUE = "dialogue"
    """A private talk with one power."""


@dataclass(frozen=True)
class RoutingDecision:
    """Who answers an action."""

    agents: list[Voice]
    """In the order in which they speak."""
    include_jester: bool
    reason: str
    """Why, for logs."""


class AgentRouter:
    """Routes actions to voices by what is going on, by what the action is about, and by chance."""

    JESTER_PROBABILITY = 0.15
    """In exploration."""
    JESTER_PROBABILITY_IN_DIALOGUE = 0.10
    JESTER_COOLDOWN = 3
    """So many turns without the jester lie between two with it."""

    def __init__(self, chance: Random | None = None) -> None:
        """`chance` decides about the jester; the same seed gives the same decisions."""
        self._chance = chance or Random()

    def route(self, action: str, phase: GamePhase, recent_agents: Sequence[str]) -> RoutingDecision:
        """Who answers the action; `recent_agents` are the last five that spoke, the latest last."""
        is_mechanical = asks_for_mechanics(action)
        include_jester = self.may_jest(phase, recent_agents) and self._chance.random() < self._probability(
            phase
        )
        agents = _speakers(phase, is_mechanical=is_mechanical)
        reason = f"{phase}, {'a mechanical' if is_mechanical else 'a free'} action"
        if include_jester:
            return RoutingDecision([*agents, "jester"], True, f"{reason}, and the jester by chance")
        return RoutingDecision(agents, False, reason)

    def may_jest(self, phase: GamePhase, recent_agents: Sequence[str]) -> bool:
        """True where the jester may speak, if chance has it so."""
        if not self._probability(phase):
            return False
        voices = [*recent_agents]
        if "jester" not in voices:
            return True
        since = voices[len(voices) - voices[::-1].index("jester") :]
        # The narrator speaks once in every turn, so its words count the turns.
        return since.count("narrator") >= self.JESTER_COOLDOWN

    def _probability(self, phase: GamePhase) -> float:
        match phase:
            case GamePhase.EXPLORATION:
                return self.JESTER_PROBABILITY
            case GamePhase.DIALOGUE:
                return self.JESTER_PROBABILITY_IN_DIALOGUE
            case GamePhase.COMBAT:
                return 0.0


def _speakers(phase: GamePhase, *, is_mechanical: bool) -> list[Voice]:
    if phase is GamePhase.COMBAT:
        return ["keeper", "narrator"]
    return ["narrator", "keeper"] if is_mechanical else ["narrator"]


_MECHANICAL = re.compile(
    r"""
    (?i:
      \b(?:attack|fight|roll|cast|defend|dodge|swing|shoot  # the conversation engine's own
        |support|convoy|hold|retreat|build|disband|dislodge|bounce|standoff|adjudicate|waive)
        (?:e?s|e?d|ing)?\b
      |\b(?:fought|shot|swung|held|built|dodging|dislodging|bouncing)\b
      |\b(?:orders?|ordered|rules?|rulebook|legal|illegal|coasts?|strengths?|cut|cuts|cutting|void)\b|\bstand-off
      |\bDC\s*\d|\bdifficult(?:y|ies)\b
    )
    |\b[AF]\s[A-Z]{3}\b|\b[A-Z]{3}\s*(?:-|->|→)\s*[A-Z]{3}\b  # orders: small letters are words
    """,
    re.VERBOSE,
)


def asks_for_mechanics(action: str) -> bool:
    """True where the action speaks of what the rules decide: a keyword, a difficulty, an order as it is written."""
    return _MECHANICAL.search(action) is not None
