"""Processes whose output comes through pipes, forked when all of entente is loaded."""

import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from multiprocessing.connection import Connection
from types import TracebackType
from typing import Any, TextIO

from tests.support.patience import PATIENCE
from tests.support.processes import FORKED

Target = Callable[..., None]
"""Takes the ends of the two pipes that it writes to, and what it was given beside them."""


class Piped:
    """A process as `subprocess.Popen` shows it: its output, its signals and its end."""

    def __init__(self, target: Target, *given: object) -> None:
        (out, its_out), (err, its_err) = FORKED.Pipe(duplex=False), FORKED.Pipe(duplex=False)
        with its_out, its_err:
            self._process = FORKED.Process(target=target, args=(its_out, its_err, *given))
            self._process.start()
        self.stdout, self.stderr = _reader_of(out), _reader_of(err)

    @property
    def pid(self) -> int:
        """Its number."""
        assert self._process.pid is not None
        return self._process.pid

    @property
    def returncode(self) -> int | None:
        """How it ended; a signal that has ended it is a negative number."""
        return self._process.exitcode

    def wait(self, timeout: float = PATIENCE) -> int:
        """Wait for its end."""
        self._process.join(timeout)
        assert self._process.exitcode is not None, "the process did not end"
        return self._process.exitcode

    def communicate(self, timeout: float = PATIENCE) -> tuple[str, str]:
        """What comes from its two pipes to their ends; a process that has not ended by then is killed."""
        with self.stdout, self.stderr, ThreadPoolExecutor(2) as reading:
            told = [reading.submit(stream.read) for stream in (self.stdout, self.stderr)]
            self._process.join(timeout)
            self._process.kill()
        self._process.join()
        return told[0].result(), told[1].result()

    def send_signal(self, number: int) -> None:
        """Send it a signal, if it still runs."""
        if self._process.exitcode is None:
            os.kill(self.pid, number)

    def kill(self) -> None:
        """End it at once."""
        self._process.kill()

    def terminate(self) -> None:
        """Ask it to end."""
        self._process.terminate()

    def __enter__(self) -> "Piped":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.stdout.close()
        self.stderr.close()
        self._process.join()


def _reader_of(pipe: "Connection[Any, Any]") -> TextIO:
    with pipe:
        return os.fdopen(os.dup(pipe.fileno()), encoding="utf-8")
