"""kill -9 at random moments on the conductor's floor: no message is lost, doubled or seen before it stands."""

import asyncio
import random
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from checkpoints.store import open_store
from entente.games.line import records_on_line
from entente.games.runner import GameMaster
from entente.players.record import TurnRecord
from entente.players.roster import HUMAN
from entente.press.mailbox import may_read
from graph.context import GameSettings
from tests.e2e.test_kill import begin, end_of
from tests.support.processes import play

PROGRAMS = GameSettings(everyone="diplomat", floor="conductor", max_year=1901, stalemate_years=0)
PEOPLE = PROGRAMS.model_copy(update={"seats": {"FRANCE": HUMAN, "GERMANY": HUMAN}})
both_games = pytest.mark.parametrize("settings", [PROGRAMS, PEOPLE], ids=["programs", "two people"])
KILLS_PER_GAME = 3
IN_A_STORE = [
    pytest.param("sqlite", PROGRAMS, id="sqlite-programs"),
    pytest.param("postgres", PEOPLE, id="postgres-two people", marks=pytest.mark.postgres),
]
"""Six kills; `make prove` kills both games in each store, and oftener."""


@dataclass
class Toll:
    """What kills have done."""

    kills: int = 0
    repeated: list[str] = field(default_factory=list[str])
    """Turns that stood in the journal when the process was killed and were asked for again."""
    unkept: list[str] = field(default_factory=list[str])
    """Messages that were shown to somebody while they did not stand in the journal."""


@pytest.mark.parametrize(("shared_location", "settings"), IN_A_STORE, indirect=["shared_location"])
def test_a_killed_floor_ends_as_one_that_is_not_killed(
    shared_location: str, settings: GameSettings, tmp_path: Path
) -> None:
    kill_and_compare(shared_location, settings, tmp_path, at_least=KILLS_PER_GAME)


@pytest.mark.slow
@both_games
def test_so_it_does_over_scores_of_kills(
    shared_location: str, settings: GameSettings, tmp_path: Path
) -> None:
    kill_and_compare(shared_location, settings, tmp_path, at_least=30)


def kill_and_compare(location: str, settings: GameSettings, folder: Path, *, at_least: int) -> None:
    """Play games that are killed again and again, and compare each with one that is not."""
    unkilled = asyncio.run(begin(location, settings))
    assert play(location, unkilled, folder / "unkilled", None)
    expected = asyncio.run(end_of(location, unkilled))
    check_press(asyncio.run(turns_of(location, unkilled)), folder / "unkilled")

    toll, dice = Toll(), random.Random(f"{len(settings.seats)} {location[:8]}")
    while toll.kills < at_least:
        game = asyncio.run(begin(location, settings))
        trace = folder / game
        trace.touch()
        kill_until_it_ends(location, game, trace, toll, dice, at_least)
        assert (toll.repeated, toll.unkept) == ([], [])
        assert asyncio.run(end_of(location, game)) == expected
        check_press(asyncio.run(turns_of(location, game)), trace)


def kill_until_it_ends(
    location: str, game: str, trace: Path, toll: Toll, dice: random.Random, at_least: int
) -> None:
    """One game, killed at random moments, and what was asked again and shown too early meanwhile."""
    standing, seen, finished = set[str](), 0, False
    while not finished:
        finished = play(location, game, trace, dice.uniform(0.0, 0.6) if toll.kills < at_least else None)
        toll.kills += not finished
        notes = trace.read_text().splitlines()
        toll.repeated += [note for note in notes[seen:] if note.rpartition(" ")[0] in standing]
        toll.unkept += [note for note in notes[seen:] if note.startswith("unkept ")]
        standing, seen = asyncio.run(kept(location, game)), len(notes)


async def kept(location: str, game: str) -> set[str]:
    """The turns that the journal has, as the trace names them without its last word."""
    async with open_store(location) as store:
        segments = [segment.id for segment in await store.journal.segments(game)]
        turns = await store.journal.turns(game, segments)
        return {f"{turn.phase} {turn.round} {turn.power}" for turn in turns if turn.player != HUMAN}


async def turns_of(location: str, game: str) -> list[TurnRecord]:
    """All turns of a finished game, in their order."""
    async with open_store(location) as store:
        state = (await GameMaster(store).look(game)).state
        records = await records_on_line(store.journal, game, state)
    return [record for record in records if isinstance(record, TurnRecord)]


def check_press(turns: list[TurnRecord], trace: Path) -> None:
    """Every message has one place, its own sender, and was shown to every program that may read it."""
    order = {m.id: place for place, m in enumerate(m for turn in turns for m in turn.messages)}
    assert len(order) == sum(len(turn.messages) for turn in turns)
    for turn in turns:
        for message in turn.messages:
            assert (message.sender, message.phase) == (turn.power, turn.phase)
            assert message.reply_to is None or order[message.reply_to] < order[message.id]
    programs = {turn.power for turn in turns if turn.player != HUMAN}
    due = {
        f"shown {power} {message.id}"
        for turn in turns
        for message in turn.messages
        for power in programs - {turn.power}
        if may_read(power, message)
    }
    shown = {note for note in trace.read_text().splitlines() if note.startswith("shown ")}
    assert shown == due
