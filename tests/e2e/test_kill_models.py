"""kill -9 while seven language models play: no call that stands in the journal is ever made again."""

import asyncio
import random
import subprocess
import sys
import time
from collections import defaultdict
from collections.abc import Generator, Iterable
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

import pytest

from checkpoints.store import open_store
from entente.games.line import records_on_line
from entente.games.runner import GameMaster
from entente.players.record import TurnRecord
from graph.context import GameSettings
from tests.e2e.test_kill import begin, end_of
from tests.support.driver import drive
from tests.support.processes import driver

PLAN = '{"latency_ms": 40, "jitter_ms": 40}'
"""Calls take long enough to be killed in their midst, and no two of a round end at the same moment."""

MOST_AT_ONCE = 14
"""Calls that one kill can cost: each power has one under way, and beside it one that folds its diary."""


@dataclass
class Toll:
    """What kills have cost."""

    kills: int = 0
    kept: int = 0
    """Calls whose turns stood in the journal when the process was killed, summed over the kills."""
    repeated: int = 0
    """Those of them that were made again."""
    unanswered: int = 0
    """Calls that were under way."""
    lost: int = 0
    """Calls that had been answered to the last byte, and whose turns did not stand in the journal yet."""

    def __str__(self) -> str:
        return (
            f"{self.kills} kills: {self.repeated} of {self.kept} kept calls made again; "
            f"{self.unanswered} calls cut off, {self.lost} lost between answer and commit"
        )


class Provider:
    """The scripted model's server, which outlives every kill."""

    def __init__(self, url: str, trace: Path) -> None:
        self.url = url
        self._trace = trace
        self._read = 0

    def notes(self) -> int:
        """How many notes it has made since it was last asked for them."""
        return len(self._trace.read_bytes().splitlines()) - self._read

    @property
    def calls(self) -> int:
        """How many calls it was ever asked for."""
        return self._trace.read_text().count("asked ")

    def noted(self) -> tuple[set[str], set[str]]:
        """What it was asked since this was last asked, and what of that it has answered."""
        lines = self._trace.read_text().splitlines()
        news, self._read = [line.split() for line in lines[self._read :]], len(lines)
        asked = {number: digest for what, number, digest in news if what == "asked"}
        answered = {asked[number] for what, number, _ in news if what == "answered" and number in asked}
        return set(asked.values()), answered


@contextmanager
def provider(folder: Path) -> Generator[Provider]:
    """A server that ends with the block."""
    trace = folder / "provider"
    command = [sys.executable, "-m", "tests.support.provider", str(trace), PLAN]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        yield Provider(process.stdout.readline().strip(), trace)


def key(turn: TurnRecord) -> str:
    """What a turn is called in every game that is played alike."""
    return f"{turn.phase} {turn.stage} {turn.round} {turn.power} {turn.number}"


async def kept(location: str, game: str) -> list[TurnRecord]:
    """The turns that the journal has."""
    async with open_store(location) as store:
        segments = [segment.id for segment in await store.journal.segments(game)]
        return await store.journal.turns(game, segments)


async def turns_of_calls(location: str, game: str, trace: str) -> dict[str, str]:
    """To which turn each call of a finished game belongs, by the call's digest.

    What a power's model is asked for one purpose it is asked one after the other, as the turns stand in the journal.
    """
    async with open_store(location) as store:
        state = (await GameMaster(store).look(game)).state
        records = await records_on_line(store.journal, game, state)
    turns: dict[str, list[str]] = defaultdict(list)
    for turn in records:
        if isinstance(turn, TurnRecord):
            for call in turn.calls:
                turns[f"{turn.power} {call.purpose}"].append(key(turn))
    calls: dict[str, list[str]] = defaultdict(list)
    for line in trace.splitlines():
        made, _, digest = line.rpartition(" ")
        calls[made].append(digest)
    assert calls.keys() == turns.keys()
    return {digest: turn for made in calls for digest, turn in zip(calls[made], turns[made], strict=True)}


class Moment(NamedTuple):
    """When a process is killed: so many of the provider's notes after it began, and a little later."""

    notes: int
    seconds: float


def a_moment(dice: random.Random) -> Moment:
    """Before the first call, amidst calls, between a phase's last answer and the next phase's first call."""
    return Moment(dice.randrange(30), dice.uniform(0.0, 0.1))


def play_until(moment: Moment | None, server: Provider, location: str, game: str, trace: Path) -> bool:
    """Run the driver, and kill it at the moment; True when it came to its end."""
    with driver(location, game, trace) as process:
        while process.is_alive():
            if moment and server.notes() >= moment.notes:
                time.sleep(moment.seconds)
                break
            time.sleep(0.002)
    return process.exitcode == 0


def kill_and_count(location: str, folder: Path, *, rounds: int, at_least: int, advice: str = "none") -> Toll:
    """Play games that are killed again and again, compare each with one that is not, and count what was lost.

    FRANCE is given `advice`, which is in its prompts and on record.
    """
    toll, dice, trace = Toll(), random.Random(location[:8]), folder / "unkilled"
    with provider(folder) as server:
        settings = GameSettings.model_validate(
            {
                "everyone": f"openai:mock@{server.url}",
                "rounds": rounds,
                "max_year": 1901,
                "seat_models": {"FRANCE": {"advice": advice}},
            }
        )
        unkilled = asyncio.run(begin(location, settings))
        asyncio.run(drive(location, unkilled, str(trace)))
        expected = asyncio.run(end_of(location, unkilled))
        turn_of = asyncio.run(turns_of_calls(location, unkilled, trace.read_text()))
        while toll.kills < at_least:
            game = asyncio.run(begin(location, settings))
            standing: set[str] = set()
            finished = False
            while not finished:
                server.noted()  # leaves out what was answered to a process that was gone
                moment = a_moment(dice) if toll.kills < at_least else None
                finished = play_until(moment, server, location, game, folder / game)
                asked, answered = server.noted()
                assert asked <= turn_of.keys(), "a call was not made in the game that is not killed"
                toll.repeated += len(asked & standing)
                standing = calls_of(asyncio.run(kept(location, game)), turn_of)
                if not finished:
                    toll.kills += 1
                    assert len(asked - standing) <= MOST_AT_ONCE
                    toll.kept += len(standing)
                    toll.unanswered += len(asked - answered - standing)
                    toll.lost += len(answered - standing)
            assert standing == turn_of.keys()
            assert asyncio.run(end_of(location, game)) == expected
    return toll


def calls_of(turns: Iterable[TurnRecord], turn_of: dict[str, str]) -> set[str]:
    """The digests of all calls that these turns were made of."""
    keys = {key(turn) for turn in turns}
    return {digest for digest, turn in turn_of.items() if turn in keys}


def test_no_kept_call_is_made_again_however_often_the_process_is_killed(
    shared_location: str, tmp_path: Path
) -> None:
    toll = kill_and_count(shared_location, tmp_path, rounds=1, at_least=3)
    assert toll.repeated == 0, toll


@pytest.mark.slow
def test_nor_over_scores_of_kills(shared_location: str, tmp_path: Path) -> None:
    toll = kill_and_count(shared_location, tmp_path, rounds=2, at_least=40, advice="candidates")
    sys.stdout.write(f"{toll}\n")
    assert toll.repeated == 0, toll
