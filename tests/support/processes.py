"""Processes that play one game and can be killed at any moment."""

import multiprocessing
import signal
from collections.abc import Generator
from contextlib import contextmanager
from multiprocessing.context import ForkServerProcess
from pathlib import Path

from tests.support.driver import run

# A process that is forked when all is loaded starts in a hundredth of the time; players load what models need late.
_LOADED = ("__main__", "tests.support.driver", "entente.models.langchain", "entente.players.model.player")
_PROCESSES = multiprocessing.get_context("forkserver")
_PROCESSES.set_forkserver_preload([*_LOADED])


@contextmanager
def driver(location: str, game: str, trace: Path) -> Generator[ForkServerProcess]:
    """The driver in a process of its own, which ends with the block."""
    process = _PROCESSES.Process(target=run, args=(location, game, str(trace)))
    process.start()
    try:
        yield process
    finally:
        process.kill()
        process.join()
    assert process.exitcode in (0, -signal.SIGKILL), "the driver failed"


def play(location: str, game: str, trace: Path, kill_after: float | None) -> bool:
    """Run the driver, and kill it so many seconds after its start; True when it came to its end."""
    with driver(location, game, trace) as process:
        process.join(kill_after)
    return process.exitcode == 0
