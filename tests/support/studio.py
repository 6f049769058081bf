"""The real server beneath Studio, as `entente studio` starts it."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Generator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

import httpx

from tests.support.patience import PATIENCE
from tests.support.ports import free_port
from tests.support.terminal import Ran, apart

ENTENTE = str(Path(sys.executable).with_name("entente"))


class Studio(NamedTuple):
    """A server that is up."""

    url: str
    store: Path
    log: Path
    state: Path
    """The user's state folder."""
    process: subprocess.Popen[bytes]

    def kill(self) -> None:
        """kill -9, the server and the command that started it."""
        os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait(PATIENCE)


def entente(store: Path, *arguments: str) -> Ran:
    """A command of ours over this store, run to its end in a process of its own."""
    return apart(*arguments, "--store", str(store))


@contextmanager
def running_studio(store: Path, environment: Mapping[str, str] | None = None) -> Generator[Studio]:
    """A server over this store, with this environment too; what it has said is shown when the body fails."""
    port, state = free_port(), store.parent / "state"
    log = store.parent / f"studio-{port}.log"
    command = [ENTENTE, "studio", "--no-browser", "--port", str(port), "--store", str(store)]
    with (
        log.open("wb") as said,
        # In a group of its own, so that nothing of it is left.
        subprocess.Popen(
            command,
            stdout=said,
            stderr=said,
            start_new_session=True,
            env={**os.environ, "XDG_STATE_HOME": str(state), **(environment or {})},
        ) as process,
    ):
        studio = Studio(f"http://127.0.0.1:{port}", store, log, state, process)
        try:
            _wait_until_up(studio)
            yield studio
        except BaseException:
            sys.stderr.write(log.read_text(errors="replace"))
            raise
        finally:
            _end(studio)


def _wait_until_up(studio: Studio) -> None:
    deadline = time.monotonic() + PATIENCE
    # Nothing is encrypted here, and certificates take a while to be loaded.
    with httpx.Client(timeout=5, verify=False) as client:
        while time.monotonic() < deadline:
            assert studio.process.poll() is None, "the server ended by itself"
            try:
                client.get(f"{studio.url}/ok").raise_for_status()
                return
            except httpx.HTTPError:
                time.sleep(0.1)
    raise TimeoutError(f"no server within {PATIENCE} s")


def _end(studio: Studio) -> None:
    if studio.process.poll() is None:
        studio.process.send_signal(signal.SIGTERM)
        try:
            studio.process.wait(PATIENCE)
        except subprocess.TimeoutExpired:
            studio.kill()
            raise
