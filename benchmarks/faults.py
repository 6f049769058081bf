"""How `entente play` ends, with the settings it has by itself, when the provider of all seven seats is dead.

Each game is begun while the provider is in trouble, and resumed when a healthy one is at the same address.
"""

import json
import re
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Generator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from typing import NamedTuple

from benchmarks.tables import markdown

MOST_SECONDS = 60
"""Until a game whose provider is dead must be paused."""
_LOOPBACK = "127.0.0.1"
_ENTENTE = (sys.executable, "-m", "entente")

Trouble = Callable[[int], AbstractContextManager[object]]
"""What is at a port in place of a healthy provider."""


class Paused(NamedTuple):
    """A game that was begun with a dead provider, and what became of it."""

    seconds: float
    """From the start of the process to its end."""
    code: int
    told: str
    """All that was said on stderr."""
    resumed: int
    """The exit code of `resume`."""


def silent(port: int) -> AbstractContextManager[object]:
    """The system makes connections, and nobody takes them."""
    return socket.create_server((_LOOPBACK, port), backlog=64)


@contextmanager
def scripted(port: int, *faults: str) -> Generator[None]:
    """A scripted model's server with these faults at every call."""
    plan = json.dumps({"faults": [{"kind": kind} for kind in faults]})
    command = [*_ENTENTE, "mock-model", "--port", str(port), "--plan", plan]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as server:
        assert server.stderr is not None
        try:
            server.stderr.readline()  # it is ready
            yield
        finally:
            server.terminate()


TROUBLES: dict[str, Trouble] = {
    "nobody listens": lambda _: nullcontext(),
    "connects, never reads": silent,
    "reads, never answers": lambda port: scripted(port, "hang"),
    "begins an answer, never ends": lambda port: scripted(port, "trickle"),
    "500 for ever": lambda port: scripted(port, "500"),
    "429 for ever": lambda port: scripted(port, "429"),
    "401": lambda port: scripted(port, "401"),
}


def measure(trouble: Trouble) -> Paused:
    """Begin a game with the provider in trouble, and resume it without."""
    port = _free_port()
    with tempfile.TemporaryDirectory() as store:
        everyone = f"openai:mock@http://{_LOOPBACK}:{port}/v1"
        with trouble(port):
            began = time.monotonic()
            played = _entente("play", "--all", everyone, "--max-year", "1901", "--store", store)
            seconds = time.monotonic() - began
        with scripted(port):
            game = played.stderr.split("Game ")[1].split()[0]
            resumed = _entente("resume", game, "--store", store)
    return Paused(seconds, played.returncode, played.stderr, resumed.returncode)


def row(name: str, paused: Paused) -> tuple[str, ...]:
    """The game in the table."""
    tries = re.search(r"it was asked (\w+)", paused.told)
    return (
        name,
        f"{MOST_SECONDS}",
        f"{paused.seconds:.1f}",
        tries[1] if tries else "?",
        f"{paused.code}",
        "finished" if paused.resumed == 0 else f"exit {paused.resumed}",
    )


def _entente(*words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([*_ENTENTE, *words], capture_output=True, text=True, check=False)


def _free_port() -> int:
    with socket.create_server((_LOOPBACK, 0)) as listener:
        port: int = listener.getsockname()[1]
        return port


def main() -> None:
    """Print the table, and what was said."""
    games = {name: measure(trouble) for name, trouble in TROUBLES.items()}
    headings = ("provider", "bar, s", "paused after, s", "tries", "exit code", "resume")
    print(markdown(headings, [row(name, paused) for name, paused in games.items()]))
    for name, paused in games.items():
        print(f"{name}: {paused.told.strip().splitlines()[-1]}")


if __name__ == "__main__":
    main()
