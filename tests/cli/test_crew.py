"""`--crew` at the command line."""

import asyncio
import os
import signal
import threading
from collections.abc import Generator
from contextlib import contextmanager

import pytest

from tests.cli.conftest import Shelf
from tests.support.gated import Gated, gated
from tests.support.patience import PATIENCE
from tests.support.terminal import entente


@contextmanager
def beside(*words: str, is_open: bool = False) -> Generator[Gated]:
    """A model's server in a thread of its own, since the command has this one's loop."""
    running = threading.Event()
    servers: list[Gated] = []
    loops: list[tuple[asyncio.AbstractEventLoop, asyncio.Event]] = []

    async def serve() -> None:
        stopping = asyncio.Event()
        async with gated(*words, is_open=is_open) as server:
            servers.append(server)
            loops.append((asyncio.get_running_loop(), stopping))
            running.set()
            await stopping.wait()

    thread = threading.Thread(target=asyncio.run, args=(serve(),))
    thread.start()
    assert running.wait(PATIENCE)
    try:
        yield servers[0]
    finally:
        loop, stopping = loops[0]
        loop.call_soon_threadsafe(stopping.set)
        thread.join()


def test_a_phase_is_told_with_a_model_and_what_it_cost_is_said(shelf: Shelf) -> None:
    with beside("Paris [b]marches.", is_open=True) as model:
        told = entente("tell", shelf.finished, "--at", "S1901M", "--crew", model.spec, "--store", shelf.store)
    assert told.code == 0, told.err
    assert "\nNarrator: Paris [b]marches.\n" in told.out
    assert told.out.index("\nKeeper: Spring 1901: of 22 orders") < told.out.index("\nNarrator: ")
    assert "1 model call, 709 tokens; cost: unknown." in told.err


@pytest.mark.parametrize(
    ("crew", "says"),
    [("openai:gpt-5-mini", "OPENAI_API_KEY, which is not set"), ("gpt-5-mini", "was wanted")],
)
@pytest.mark.parametrize("command", ["tell", "serve"])
def test_a_crew_that_cannot_speak_is_refused_before_anything_begins(
    shelf: Shelf, monkeypatch: pytest.MonkeyPatch, command: str, crew: str, says: str
) -> None:
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    ran = entente(command, "--crew", crew, "--store", shelf.store)
    assert (ran.code, ran.out) == (2, "")
    assert says in ran.err


def test_ctrl_c_stops_the_model_that_tells_a_phase(shelf: Shelf) -> None:
    with beside() as model:
        process = os.getpid()
        model.on_first_word = lambda: os.kill(process, signal.SIGINT)
        told = entente("tell", shelf.finished, "--crew", model.spec, "--store", shelf.store)
        assert told.code == 130
        assert model.has_gone.wait(PATIENCE)
    assert model.sent == ["One"]
