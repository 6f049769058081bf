"""Processes that play one game and can be killed at any moment, or stopped and woken; all are forked."""

import multiprocessing
import os
import signal
import time
from collections.abc import Callable, Generator
from contextlib import contextmanager
from multiprocessing.context import ForkServerProcess
from pathlib import Path

from tests.support import stopping
from tests.support.driver import run
from tests.support.patience import PATIENCE

# A process that is forked when all is loaded starts in a hundredth of the time; players load what models need late.
_LOADED = (
    "__main__",
    "tests.support.driver",
    "tests.support.stopping",
    "entente.models.langchain",
    "entente.players.model.player",
    "entente.cli.main",
    "entente.cli.play_work",
    "entente.cli.person",
    "entente.cli.live",
)
FORKED = multiprocessing.get_context("forkserver")
"""Starts a process in which all of entente is loaded."""
FORKED.set_forkserver_preload([*_LOADED])


@contextmanager
def driver(location: str, game: str, trace: Path) -> Generator[ForkServerProcess]:
    """The driver in a process of its own, which ends with the block."""
    process = FORKED.Process(target=run, args=(location, game, str(trace)))
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


class Stopped:
    """A process that has stopped itself while it played a game."""

    def __init__(self, process: ForkServerProcess, report: Path) -> None:
        self._process = process
        self._report = report

    @property
    def pid(self) -> int:
        """Its number."""
        assert self._process.pid is not None
        return self._process.pid

    def kill(self) -> None:
        """End it where it stands, with SIGKILL."""
        self._process.kill()
        self._process.join()

    def wake(self) -> str:
        """Wake it, and wait for its end: the error with which its game ended."""
        os.kill(self.pid, signal.SIGCONT)
        self._process.join(PATIENCE)
        assert self._process.exitcode == 0
        return self._report.read_text().splitlines()[-1].removeprefix("ended ")


@contextmanager
def stopped(
    location: str, game: str, moment: stopping.Moment, count: int, report: Path
) -> Generator[Stopped]:
    """A process that plays the game, once it has stopped at the so-manieth moment of this kind."""
    report.touch()
    process = FORKED.Process(target=stopping.run, args=(location, game, str(moment), count, str(report)))
    process.start()
    try:
        _until(lambda: report.read_text() == f"stopped {moment}\n" and _is_stopped(process))
        yield Stopped(process, report)
    finally:
        process.kill()
        process.join()


def _is_stopped(process: ForkServerProcess) -> bool:
    """Linux's proc(5): the state is what stands behind the name."""
    stat = Path(f"/proc/{process.pid}/stat").read_text()
    return stat.rpartition(")")[2].split()[0] == "T"


def _until(is_so: Callable[[], bool]) -> None:
    deadline = time.monotonic() + PATIENCE
    while not is_so():
        assert time.monotonic() < deadline, "the process never stopped"
        time.sleep(0.01)
