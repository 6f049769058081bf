"""The work of `games show`: one game as it stands, for people and for programs."""

import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any, cast

from pydantic import JsonValue

from checkpoints.store import Store
from checkpoints.summaries import GameSummary
from entente.board.types import Power
from entente.cli.ending import centers_table, result_sentence
from entente.cli.games_work import begun, plain, players, status
from entente.cli.lines import waited_text
from entente.cli.output import columns_to_tell, hanging, print_table
from entente.cli.printing import echo
from entente.display import in_one_line
from entente.errors import DamagedRow
from entente.games.digest import journal_digest, state_digest
from entente.games.line import played_by, stand_ins
from entente.games.runner import Standing, standing_of
from entente.games.trust import reaches_of
from entente.games.waited_for import Waited, waited_for
from graph.state import GameState


@dataclass(frozen=True, slots=True)
class Look:
    """A game that was looked at."""

    summary: GameSummary
    standing: Standing
    digests: dict[str, str]
    """By which equal games are known; empty before the game has begun."""
    stand_ins: dict[Power, str]
    """Who plays at the moment for which power, whose own model cannot be called."""
    credited: dict[Power, str]
    """Who has played each power, stand-ins among them; empty before the game has begun."""
    unconfirmed: list[str]
    """What the game would use beyond itself, where it was imported and nobody has confirmed it."""
    asked: list[Waited]
    """Programs that are waited for while somebody plays the game."""

    def plain(self) -> dict[str, Any]:
        """For programs."""
        waiting = [seat.power for seat in self.standing.pending]
        state = self.standing.state
        outcome = state["outcome"] if self.standing.has_begun else None
        now = {
            "waiting_for": waiting,
            "asked": [each._asdict() for each in self.asked],
            "stand_ins": self.stand_ins,
            "played_by": self.credited,
            "outcome": outcome,
            "unconfirmed": self.unconfirmed,
        }
        return plain(self.summary) | now | self.digests

    def print(self) -> None:
        """For people."""
        facts = self._facts()
        width = max(map(len, facts))
        for name, value in facts.items():
            columns = None if name in self.digests else columns_to_tell()  # digests are copied whole
            echo(hanging(f"{name:<{width}} ", in_one_line(str(value)), columns))
        for error in self.summary.damage:
            echo(f"\n{error}")
        if self.standing.has_begun:
            echo(f"\n{result_sentence(self.standing.state)}\n")
            print_table(centers_table(self.standing.state, self.credited))

    def _facts(self) -> dict[str, object]:
        summary = self.summary
        facts: dict[str, object] = {
            "game": summary.id,
            **{key: text for key in ("name", "note") if (text := getattr(summary, key))},
            "begun": begun(summary),
            "status": status(summary),
            "players": players(summary),
        }
        if summary.forked_from:
            facts["forked_from"] = summary.forked_from
        if self.standing.pending:
            facts["waiting_for"] = ", ".join(seat.power for seat in self.standing.pending)
        if self.asked:
            facts["asked"] = waited_text(self.asked, time.time())
        if self.unconfirmed:
            facts["unconfirmed"] = "; ".join(self.unconfirmed)
        if self.stand_ins:
            facts["stand_ins"] = ", ".join(f"{power} {name}" for power, name in self.stand_ins.items())
        hidden = ("seats", "everyone")  # the players, once more
        settings = {
            name: _worded(value)
            for name, value in summary.settings.items()
            if name not in hidden and value not in (None, {})
        }
        return facts | settings | self.digests


def _worded(value: JsonValue) -> JsonValue:
    """A setting as it is given on the command line; one that is on or off as yes or no."""
    match value:
        case bool():
            return "yes" if value else "no"
        case dict():
            return ", ".join(_assignments(value))
        case _:
            return value


def _assignments(values: Mapping[str, JsonValue]) -> Iterator[str]:
    """`temperature=0.7`, and of a seat `FRANCE.temperature=0.7`."""
    for name, value in values.items():
        if isinstance(value, dict):
            yield from (f"{name}.{assignment}" for assignment in _assignments(value))
        else:
            yield f"{name}={value}"


async def look(store: Store, game: str) -> Look:
    """The game as its list entry, its checkpoint and its journal have it, as far as they can be read."""
    summary = await store.library.glance(game)
    standing, digests, standing_in = Standing(game, cast("GameState", {}), (), ()), dict[str, str](), {}
    unconfirmed: list[str] = []
    credited: dict[Power, str] = {}
    asked: list[Waited] = []
    try:
        unconfirmed = [] if summary.is_trusted else await reaches_of(store, game)
        standing = await standing_of(store, game)
        if standing.has_begun:
            standing_in = await stand_ins(store.journal, game, standing.state)
            credited = await played_by(store.journal, game, standing.state)
            asked = await waited_for(store, game)
            digests = {
                "state_digest": state_digest(standing.state),
                "journal_digest": await journal_digest(store.journal, game, standing.state),
            }
    except DamagedRow as error:
        summary = replace(summary, damage=(*summary.damage, error))
    return Look(summary, standing, digests, standing_in, credited, unconfirmed, asked)
