"""Ctrl-C on the conductor's floor: what its models have been asked is answered, kept, and never asked again."""

import asyncio
import os
import random
import signal
import sys
import time
from contextlib import suppress
from pathlib import Path

import pytest

from tests.e2e.test_kill_models import Moment, Provider, kept, provider
from tests.support.terminal import forked

FINISHED, PAUSED, INTERRUPTED = 0, 5, 130
"""Exit codes; the last is that of a process whose run is over, and which is telling of it."""


def test_no_call_is_made_again_after_a_pause(tmp_path: Path) -> None:
    pause_and_count(tmp_path, at_least=3)


@pytest.mark.slow
def test_nor_over_scores_of_pauses(tmp_path: Path) -> None:
    pause_and_count(tmp_path, at_least=40)


def pause_and_count(folder: Path, *, at_least: int) -> None:
    """Play games that are paused at random moments, and hold every call to be made once and kept."""
    dice, pauses = random.Random(at_least), 0
    with provider(folder) as server:
        while pauses < at_least:
            store, code, before = str(folder / f"{pauses}"), PAUSED, len(calls_of(folder))
            words = ["play", "--all", f"openai:mock@{server.url}", "--floor", "conductor"]
            words += ["--max-year", "1901", "--store", store]
            while code != FINISHED:
                moment = Moment(dice.randrange(1, 25), dice.uniform(0.0, 0.1)) if pauses < at_least else None
                code, game = run_until(moment, server, words, folder)
                pauses += code == PAUSED
                server.noted()  # the next moment is counted from here
                calls = calls_of(folder)[before:]
                assert len(calls) == len(set(calls))
                assert len(calls) == sum(len(turn.calls) for turn in asyncio.run(kept(store, game)))
                words = ["resume", game, "--store", store]
    sys.stdout.write(f"{pauses} pauses: {len(calls_of(folder))} calls, each made once and kept\n")


def calls_of(folder: Path) -> list[str]:
    """The digests of all calls that the provider was sent, in their order."""
    notes = [line.split() for line in (folder / "provider").read_text().splitlines()]
    return [digest for what, _, digest in notes if what == "asked"]


def run_until(moment: Moment | None, server: Provider, words: list[str], folder: Path) -> tuple[int, str]:
    """Run the command, and interrupt it at the moment; its exit code, and the game's name."""
    out, err = folder / "out", folder / "err"
    err.unlink(missing_ok=True)
    process = forked(*words, streams=(os.devnull, str(out), str(err)))
    while process.is_alive():
        if moment and server.notes() >= moment.notes:
            time.sleep(moment.seconds)
            assert process.pid is not None
            with suppress(ProcessLookupError):  # it has just ended
                os.kill(process.pid, signal.SIGINT)
            break
        time.sleep(0.002)
    process.join()
    told = err.read_text()
    assert process.exitcode in (FINISHED, PAUSED, INTERRUPTED), told
    return process.exitcode, told.split("Game ")[1].split()[0]
