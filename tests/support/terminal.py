"""The command line for tests: called in this process, as a process of its own, and on a terminal."""

import fcntl
import json
import os
import pty
import re
import select
import struct
import sys
import termios
import time
from codecs import getincrementaldecoder
from collections.abc import Generator, Mapping, Sequence
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from io import StringIO
from multiprocessing.connection import Connection
from multiprocessing.context import ForkServerProcess
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

import pytest

from entente.cli.main import exit_code, run
from tests.support.patience import PATIENCE
from tests.support.piped import Piped
from tests.support.processes import FORKED

COMMAND = (sys.executable, "-m", "entente")
_ROWS, _COLUMNS = 50, 120
_CLEARED = "\x1b[3J"
_PARTIAL = re.compile(r"\x1b(\[[0-9;?]*)?$")
_CONTROLS = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]|\x1b[=>]|\r")


class Ran(NamedTuple):
    """What a command did."""

    code: int
    out: str
    err: str


def entente(*arguments: str, stdin: str = "") -> Ran:
    """Run a command in this process; nobody sits at its terminal."""
    out, err = StringIO(), StringIO()
    with pytest.MonkeyPatch.context() as patch, redirect_stdout(out), redirect_stderr(err):
        patch.setattr(sys, "stdin", StringIO(stdin))
        code = exit_code(arguments)
    return Ran(code, out.getvalue(), err.getvalue())


def apart(
    *arguments: str,
    cwd: Path | None = None,
    environment: Mapping[str, str] | None = None,
    stdin: bytes = b"",
    stdout: Path | None = None,
) -> Ran:
    """Run a command to its end in a process of its own; nobody sits at its terminal.

    What it prints into a file of one's own is not told.
    """
    with TemporaryDirectory() as folder:
        given, out, err = (Path(folder, name) for name in ("in", "out", "err"))
        given.write_bytes(stdin)
        out.touch()
        streams = (str(given), str(stdout or out), str(err))
        process = forked(*arguments, streams=streams, cwd=cwd, environment=environment)
        process.join(PATIENCE)
        process.kill()
        process.join()
        assert process.exitcode is not None
        return Ran(process.exitcode, out.read_text(), err.read_text())


def forked(
    *arguments: str,
    streams: tuple[str, str, str],
    cwd: Path | None = None,
    environment: Mapping[str, str] | None = None,
) -> ForkServerProcess:
    """Start a command as a process of its own, in which all is loaded; its three streams are files of these names."""
    process = FORKED.Process(
        target=_run, args=(arguments, streams, environment or {**os.environ}, cwd or Path.cwd())
    )
    process.start()
    return process


def start(*arguments: str, cwd: Path | None = None) -> Piped:
    """Start a command as a process of its own, in which all is loaded; its output comes in pipes."""
    return Piped(_run_piped, arguments, {**os.environ}, cwd or Path.cwd())


class Terminal:
    """A command on a terminal of 50 by 120, and somebody at its keyboard."""

    def __init__(self, process: ForkServerProcess, keyboard: int) -> None:
        self._process = process
        self._keyboard = keyboard
        self.screen = ""
        """Everything that was shown, without control sequences."""
        self.reachable = ""
        """What is on the screen or can be scrolled back to."""
        self._decoder = getincrementaldecoder("utf-8")("replace")
        self._partial = ""
        """The beginning of a control sequence whose end was not read yet."""
        self._read_up_to = 0

    def expect(self, text: str) -> str:
        """Wait until the text is shown, after what was expected before; what was shown up to and with it."""
        deadline = time.monotonic() + PATIENCE
        while (found := self.screen.find(text, self._read_up_to)) < 0:
            assert time.monotonic() < deadline, f"{text!r} was not shown:\n{self.screen}"
            if not self._read(deadline):
                raise AssertionError(f"{text!r} was not shown before the end:\n{self.screen}")
        shown = self.screen[self._read_up_to : found + len(text)]
        self._read_up_to = found + len(text)
        return shown

    def type(self, keys: str) -> None:
        """Press these keys; `\\r` is Enter, `\\x03` Ctrl-C, `\\x04` Ctrl-D."""
        os.write(self._keyboard, keys.encode())

    def answer(self, line: str, shown: str) -> str:
        """Type a line and wait for what is said to it."""
        self.type(f"{line}\r")
        return self.expect(shown)

    def send_signal(self, number: int) -> None:
        """Send the process a signal."""
        assert self._process.pid is not None
        os.kill(self._process.pid, number)

    def exit_code(self) -> int:
        """Wait for the end."""
        while self._read(time.monotonic() + PATIENCE):
            pass
        self._process.join(PATIENCE)
        assert self._process.exitcode is not None, "the command did not end"
        return self._process.exitcode

    def _read(self, deadline: float) -> bool:
        """Read something more; False at the end."""
        patience = max(0, deadline - time.monotonic())
        ready, _, _ = select.select([self._keyboard, self._process.sentinel], [], [], patience)
        assert ready, f"nothing more was shown:\n{self.screen}"
        if self._keyboard not in ready:
            return False
        read = os.read(self._keyboard, 65536)
        shown = self._decoder.decode(read)  # a read may end within a character, or a control sequence
        self.reachable = (self.reachable + shown).rpartition(_CLEARED)[2]
        whole = _CONTROLS.sub("", self._partial + shown)
        cut = _PARTIAL.search(whole)
        self._partial = cut[0] if cut else ""
        self.screen += whole.removesuffix(self._partial)
        return bool(read)


@contextmanager
def terminal(*arguments: str, cwd: Path | None = None, columns: int = _COLUMNS) -> Generator[Terminal]:
    """A command on a terminal of so many columns; the process is ended with the block, if it still runs."""
    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", _ROWS, columns, 0, 0))
    # prompt_toolkit would ask the terminal where its cursor is, and nobody here answers.
    environment = os.environ | {"TERM": "xterm", "PROMPT_TOOLKIT_NO_CPR": "1"}
    for size in ("COLUMNS", "LINES"):  # pytest-xdist sets them for its workers; this terminal has its own
        environment.pop(size, None)
    streams = (os.ttyname(theirs),) * 3
    process = FORKED.Process(target=_run, args=(arguments, streams, environment, cwd or Path.cwd()))
    process.start()
    try:
        yield Terminal(process, ours)
    finally:
        process.kill()
        process.join()
        os.close(theirs)
        os.close(ours)


def _run_piped(
    out: Connection, err: Connection, arguments: Sequence[str], environment: Mapping[str, str], cwd: Path
) -> None:
    streams = (os.devnull, f"/dev/fd/{out.fileno()}", f"/dev/fd/{err.fileno()}")
    _run(arguments, streams, environment, cwd)


def _run(arguments: Sequence[str], streams: Sequence[str], environment: Mapping[str, str], cwd: Path) -> None:
    """The command, with these files as its input, output and errors."""
    os.setsid()  # the first terminal that a session opens is the one that controls it
    os.chdir(cwd)
    os.environ.clear()
    os.environ.update(environment)
    for stream, path in enumerate(streams):
        flags = os.O_WRONLY | os.O_CREAT if stream else os.O_RDONLY
        os.dup2(os.open(path, flags, 0o600), stream)
    # Buffered as the interpreter does it: output that is no terminal's is written when there is a block of it.
    sys.stdin, sys.stdout, sys.stderr = (
        os.fdopen(stream, mode, buffering, closefd=False)
        for stream, mode, buffering in ((0, "r", -1), (1, "w", -1), (2, "w", 1))
    )
    sys.argv = ["entente", *arguments]
    run()


def snapshot(folder: Path) -> dict[str, bytes]:
    """Every file beneath the folder, to see that nothing was touched."""
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def json_lines(text: str) -> list[Any]:
    """The objects that `--json` prints of a list, one a line."""
    return [json.loads(line) for line in text.splitlines()]


def json_values(text: str) -> list[Any]:
    """What `--json` prints: the objects of a list, or the one."""
    return json_lines(text) if "\n{" in text else [json.loads(text)]


def games_in(store: Sequence[str] | str) -> list[str]:
    """The ids of the games of a store, newest first."""
    ran = entente("games", "list", "--json", "--store", str(store))
    assert ran.code == 0, ran.err
    return [game["game"] for game in json_lines(ran.out)]
