"""`--crew` at the command line."""

import asyncio
import os
import signal
import threading
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

import pytest

from entente.cli.command import with_crew
from tests.cli.conftest import Shelf
from tests.support.gated import Gated, gated
from tests.support.patience import PATIENCE
from tests.support.terminal import entente

WRITTEN = [
    (["--crew"], ["--crew", "scripted"]),
    (
        ["--seed", "1", "--crew", "--max-year", "1901"],
        ["--seed", "1", "--crew", "scripted", "--max-year", "1901"],
    ),
    (["--crew", "openai:m"], ["--crew", "openai:m"]),
    (["--crew=openai:m"], ["--crew=openai:m"]),
    (["--crew-setting", "temperature=1"], ["--crew-setting", "temperature=1"]),
]


@pytest.mark.parametrize(("written", "meant"), WRITTEN, ids=" ".join)
def test_crew_alone_is_the_scripted_one(written: list[str], meant: list[str]) -> None:
    assert [*with_crew(written)] == meant


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


def test_the_crews_model_is_called_with_the_settings_that_were_given(
    shelf: Shelf, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("KEY_OF_THE_CREW", "canary-key")
    setting = ("--crew-setting", "temperature=0.3", "--crew-setting", "key_variable=KEY_OF_THE_CREW")
    with beside("Paris marches.", is_open=True) as model:
        told = entente("tell", shelf.finished, "--crew", model.spec, *setting, "--store", shelf.store)
    assert told.code == 0, told.err
    assert [body["temperature"] for body in model.bodies] == [0.3]
    assert model.keys == ["Bearer canary-key"]


def test_a_phase_is_told_within_the_budget_that_was_given(shelf: Shelf) -> None:
    with beside("Paris marches.", is_open=True) as model:
        limit = ("--crew-setting", "budget_tokens=9")
        told = entente("tell", shelf.finished, "--crew", model.spec, *limit, "--store", shelf.store)
    assert "(The narrator speaks without a model: the budget of its model is used up.)" in told.out
    assert model.asked == []


@pytest.mark.parametrize(
    ("given", "says"),
    [
        (("--crew", "openai:m", "--crew-setting", "temprature=1"), "temperature"),
        (("--crew", "openai:m", "--crew-setting", "FRANCE.temperature=1"), "FRANCE"),
        (("--crew-setting", "temperature=1"), "A language model was wanted"),
        (("--crew", "openai:m", "--crew-setting", "key_variable=NOT_SET_HERE"), "NOT_SET_HERE"),
    ],
)
@pytest.mark.parametrize("command", ["tell", "serve"])
def test_a_setting_that_cannot_be_used_is_refused_before_anything_begins(
    shelf: Shelf, command: str, given: tuple[str, ...], says: str
) -> None:
    ran = entente(command, *given, "--store", shelf.store)
    assert (ran.code, ran.out) == (2, "")
    assert says in ran.err


def test_a_game_keeps_the_settings_of_its_crews_model_and_resume_changes_them(tmp_path: Path) -> None:
    store = ("--store", str(tmp_path / "store"))
    with beside("Paris marches.", is_open=True) as model:
        begun = entente(
            "play", "--all", "hold", "--seat", "FRANCE=human", "--floor", "gunboat", "--max-year", "1901",
            "--crew", model.spec, "--crew-setting", "temperature=0.3", *store,
        )  # fmt: skip
        game = begun.err.split("Game ")[1].split()[0]
        changed = entente("resume", game, "--crew-setting", "temperature=0.6", *store)
        assert (begun.code, changed.code) == (6, 6), changed.err
        shown = entente("games", "show", game, "--yaml", *store)
    assert "crew_model:\n  temperature: 0.6" in shown.out


def test_ctrl_c_stops_the_model_that_tells_a_phase(shelf: Shelf) -> None:
    with beside() as model:
        process = os.getpid()
        model.on_first_word = lambda: os.kill(process, signal.SIGINT)
        told = entente("tell", shelf.finished, "--crew", model.spec, "--store", shelf.store)
        assert told.code == 130
        assert model.has_gone.wait(PATIENCE)
    assert model.sent == ["One"]
