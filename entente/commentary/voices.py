"""The three voices of the crew, as they speak without a model: from the board, and by chance."""

import re
from collections.abc import AsyncGenerator, Iterator
from dataclasses import dataclass
from random import Random
from typing import Protocol, TypeAlias, TypedDict

from entente.board.causes import sentence
from entente.board.spoken import counted, kind_name, listed, place_name, power_name, season_name
from entente.board.types import Position, Province
from entente.commentary import keeper
from entente.commentary.mentions import provinces_in
from entente.commentary.router import GamePhase, Voice
from entente.commentary.scene import Scene
from entente.commentary.session import Said
from entente.commentary.telling import Teller, jest
from entente.display import in_one_line
from entente.models.wire import CallUsage

_MOST_NAMED = 3
"""Provinces, and powers, of which something is said."""
_MOST_QUOTED = 200
"""Characters of somebody's words."""


@dataclass(frozen=True)
class Cue:
    """What a voice is handed when it is its turn to speak."""

    action: str
    """What the person said; empty for a phase that has ended."""
    phase: GamePhase
    scene: Scene
    said: tuple[str, ...]
    """What others have said to this action, in their order."""
    seed: str
    """Decides what is left to chance."""
    history: tuple[Said, ...] = ()
    """The session's lines before this action, the earliest first."""


@dataclass(frozen=True)
class Fault:
    """What went wrong with a voice, in a sentence for its listener; it may go on after it."""

    sentence: str


Spoken: TypeAlias = str | CallUsage | Fault
"""A piece of what a voice says, what a finished call of its model was and cost, or what went wrong."""


class Speaker(Protocol):
    """One of the crew's voices."""

    def speak(self, cue: Cue) -> AsyncGenerator[Spoken]:
        """What it says, a piece at a time, as it comes, together at least one character; and its model's calls."""
        ...


class Voices(TypedDict, total=False):
    """Voices that speak in place of the scripted ones. The keeper has none: rules are not made up."""

    narrator: Speaker
    jester: Speaker


class Narrator:
    """Tells the last phase, or how things stand where a person's action is about."""

    async def speak(self, cue: Cue) -> AsyncGenerator[Spoken]:
        """Some sentences, from the public record and the press that the listener may read."""
        scene = cue.scene
        told = [*_setting(cue.action, scene)]
        if not told and scene.played:
            teller = Teller(cue.seed)
            told = [teller.tell(played, scene.board.geography) for played in scene.played][-1]
        yield " ".join(told or _opening(scene))


class Keeper:
    """Says what the rules say."""

    async def speak(self, cue: Cue) -> AsyncGenerator[Spoken]:
        """An answer, or that it has none."""
        yield keeper.answer(cue.action, cue.scene)


class Jester:
    """Comments."""

    async def speak(self, cue: Cue) -> AsyncGenerator[Spoken]:
        """One remark."""
        if cue.scene.played:
            chance = Random(f"{cue.seed}:{cue.action}")
            yield jest(cue.scene.played[-1], cue.scene.board.geography, chance, cue.said)
        else:
            yield f"Seven crowns, one map, {season_name(cue.scene.board.phase)}. What could go wrong?"


def scripted_voices() -> dict[Voice, Speaker]:
    """All three, without a model."""
    return {"narrator": Narrator(), "keeper": Keeper(), "jester": Jester()}


def _opening(scene: Scene) -> Iterator[str]:
    board = scene.board
    yield f"{season_name(board.phase).capitalize()}: nothing has been played yet."
    powers = listed([power_name(power) for power in board.survivors])
    yield f"At the table sit {powers}."


def _setting(action: str, scene: Scene) -> Iterator[str]:
    """How things stand with the provinces and powers that the action names."""
    position, geography = scene.board.position, scene.board.geography
    for province in provinces_in(action, scene.board)[:_MOST_NAMED]:
        told = f"in {place_name(geography, province)} {_stands(position, province)}"
        if province in geography.centers:
            owner = next(
                (power for power, centers in position.centers.items() if province in centers), "nobody"
            )
            told += f", and the center is {power_name(owner) if owner != 'nobody' else owner}'s"
        yield sentence(told)
    for power in scene.powers_meant(action)[:_MOST_NAMED]:
        units, centers = len(position.units[power]), len(position.centers[power])
        yield f"{power_name(power)} has {counted(units, 'unit')} and {counted(centers, 'center')}."
        if letter := next((each for each in reversed(scene.press) if each.sender == power), None):
            yield f"{power_name(power)} wrote last: {_quoted(letter.content)}"


def _quoted(words: str) -> str:
    """Somebody's words, which cannot end their own quotation."""
    inside = re.sub("[“”]", "'", in_one_line(words)[:_MOST_QUOTED])
    return f"“{inside}”"


def _stands(position: Position, province: Province) -> str:
    unit = position.occupant(province)
    owner = position.owner(unit) if unit else None
    return f"{power_name(owner)}'s {kind_name(unit.kind)} stands" if unit and owner else "nobody stands"
