"""An imported game uses nothing that its file names before somebody has confirmed it, at whatever door."""

import sys
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import nullcontext
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from pydantic import JsonValue

from checkpoints.archive import export_game, import_game
from checkpoints.store import Store, open_store
from entente.board.types import Power
from entente.errors import UntrustedGame
from entente.floors.services import services_over
from entente.games.forks import fork_game
from entente.games.interview import interview
from entente.games.runner import GameMaster, RunEnd, thread_config
from entente.games.trust import reaches_of
from entente.models.client import Connections
from entente.models.mock.server import MockServer, mock_server
from entente.players.seating import Seating
from graph.context import GameSettings
from graph.game import compile_game
from tests.support.terminal import entente

SECRET = "canary-0123456789"
BOT = """
from pathlib import Path
Path({touched!r}).touch()
class Bot:
    async def wake(self, handle, events):
        pass
"""


class Trap(NamedTuple):
    """A file of somebody's game, and what shows that it was walked into."""

    file: Path
    server: MockServer
    touched: Path
    """Is there once the program's module was imported."""
    make_player: Seating

    def is_walked_into(self) -> bool:
        return bool(self.server.requests) or self.touched.exists()


@pytest.fixture
async def trap(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> AsyncGenerator[Trap]:
    """A game that waits for a person in S1901M, its models at an address of the one who has made it."""
    touched, prompts = tmp_path / "touched", tmp_path / "prompts"
    (tmp_path / "hostile_bots.py").write_text(BOT.format(touched=str(touched)))
    monkeypatch.setattr(sys, "path", [str(tmp_path), *sys.path])
    sys.modules.pop("hostile_bots", None)
    monkeypatch.setenv("VICTIM_SECRET", SECRET)
    prompts.mkdir()
    (prompts / "personas").mkdir()
    (prompts / "personas" / "TURKEY.md").write_text("You like the sea.")
    async with mock_server() as server, Connections() as connections:
        make_player = Seating(connections, {"VICTIM_SECRET": SECRET})
        settings = GameSettings(
            everyone=f"openai:mock@{server.url}",
            seats={"FRANCE": "hostile_bots:Bot", "ITALY": "human", "ENGLAND": "dumbbot"},
            models={"key_variable": "VICTIM_SECRET"},
            prompts=str(prompts),
            rounds=1,
            max_year=1901,
        )
        async with open_store("memory") as store:
            master = GameMaster(store, make_player)
            standing = await master.run(await master.begin(settings))
            await export_game(store.library, standing.game, tmp_path / "trap.entente")
        assert standing.end is RunEnd.WAITING
        server.model.requests.clear()
        touched.unlink()
        del sys.modules["hostile_bots"]
        yield Trap(
            tmp_path / "trap.entente", server, touched, Seating(connections, {"VICTIM_SECRET": SECRET})
        )


async def _resumed(store: Store, trap: Trap, game: str) -> None:
    master = GameMaster(store, trap.make_player)
    seats = (await master.look(game)).open
    await master.answer(game, {seat: {} for seat in seats})


async def _run_by_the_graph(store: Store, trap: Trap, game: str) -> None:
    """As LangGraph's server does, and whoever compiles the graph."""
    graph: Any = compile_game(services_over(store, trap.make_player), store.saver)
    state = (await graph.aget_state(thread_config(game))).values
    await graph.aupdate_state(thread_config(game), {"waiting": [], "round": 0}, as_node="summarize")
    assert state["status"] == "playing"
    await graph.ainvoke(None, thread_config(game), durability="sync")


async def _changed(store: Store, trap: Trap, game: str) -> None:
    await GameMaster(store, trap.make_player).change(game, {"temperature": 0.5}, {}, None)


async def _forked(store: Store, trap: Trap, game: str) -> None:
    await fork_game(store, game, "S1901M", {}, trap.make_player)


async def _asked(store: Store, trap: Trap, game: str) -> None:
    await interview(store, trap.make_player, game, "TURKEY", "Whom do you trust?")


DOORS: dict[str, Callable[[Store, Trap, str], Awaitable[None]]] = {
    "resume and answer": _resumed,
    "the graph alone": _run_by_the_graph,
    "other settings": _changed,
    "fork": _forked,
    "ask": _asked,
}


@pytest.mark.parametrize("door", DOORS.values(), ids=DOORS.keys())
async def test_an_untrusted_game_is_refused_what_its_file_names(
    memory_store: Store, trap: Trap, door: Callable[[Store, Trap, str], Awaitable[None]]
) -> None:
    game = await import_game(memory_store.library, trap.file)
    with pytest.raises(UntrustedGame, match=r"TURKEY: the model openai:mock@http://.* in VICTIM_SECRET"):
        await door(memory_store, trap, game)
    assert not trap.is_walked_into()
    await memory_store.library.trust(game)
    await door(memory_store, trap, game)
    assert trap.is_walked_into()


async def test_forks_and_copies_of_an_untrusted_game_are_untrusted(store: Store, trap: Trap) -> None:
    game = await import_game(store.library, trap.file)
    master = GameMaster(store, trap.make_player)
    copy = await store.library.copy(game)
    harmless: dict[Power, str] = dict.fromkeys(("AUSTRIA", "FRANCE", "GERMANY", "RUSSIA", "TURKEY"), "hold")
    await store.library.trust(game)
    trusted = await fork_game(store, game, "S1901M", harmless, trap.make_player)
    await store.library.delete(game)
    games = {summary.id: summary.is_trusted for summary in await store.library.games()}
    assert games == {copy: False, trusted: True}
    with pytest.raises(UntrustedGame):
        await master.change(copy, {}, {}, "hold")
    assert await import_game(store.library, trap.file) == game
    assert not (await store.library.summary(game)).is_trusted  # again: it was deleted in between


async def test_a_fork_of_an_untrusted_game_with_our_players_alone_is_played_and_stays_untrusted(
    memory_store: Store, tmp_path: Path
) -> None:
    master = GameMaster(memory_store)
    game = await master.begin(GameSettings(everyone="dumbbot", floor="gunboat", max_year=1901))
    await master.run(game)
    await export_game(memory_store.library, game, tmp_path / "game")
    await memory_store.library.delete(game)
    await import_game(memory_store.library, tmp_path / "game")
    fork = await fork_game(memory_store, game, "S1901M", {"FRANCE": "hold"})
    assert (await master.run(fork)).end is RunEnd.FINISHED
    assert not (await memory_store.library.summary(fork)).is_trusted
    assert not await reaches_of(memory_store, fork)


@pytest.mark.parametrize("is_over", [True, False])
async def test_the_crew_of_an_untrusted_game_calls_no_model(
    memory_store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, is_over: bool
) -> None:
    """Also of a game that is over, whose seats nobody fills any more, and which has phases that nobody has told."""
    master = GameMaster(memory_store)
    monkeypatch.setenv("VICTIM_SECRET", SECRET)
    seats = {} if is_over else {"FRANCE": "human"}
    settings = GameSettings(everyone="dumbbot", seats=seats, floor="gunboat", max_year=1901)
    game = await master.begin(settings)
    standing = await master.run(game)
    if not is_over:
        standing = await master.answer(game, {standing.pending[0]: {}})
    async with mock_server() as server:
        keyed: dict[str, JsonValue] = {"key_variable": "VICTIM_SECRET"}
        crew: dict[str, JsonValue] = {"crew": f"openai:mock@{server.url}", "crew_model": keyed}
        named = await memory_store.library.settings(game)
        async with memory_store.leases.hold(game):
            await memory_store.journal.set_settings(game, named.model_dump(mode="json") | crew)
        await export_game(memory_store.library, game, tmp_path / "game")
        await memory_store.library.delete(game)
        await import_game(memory_store.library, tmp_path / "game")
        line = f"the crew: the model openai:mock@{server.url} with the key in VICTIM_SECRET"
        assert await reaches_of(memory_store, game) == [line]  # as who confirms it is shown
        with nullcontext() if is_over else pytest.raises(UntrustedGame, match="the crew"):
            await master.answer(game, {seat: {} for seat in (await master.look(game)).open})
        await master.told(game)
        assert server.requests == []
        await memory_store.library.trust(game)
        await master.answer(game, {seat: {} for seat in (await master.look(game)).open})
        await master.told(game)
        assert server.requests


def test_the_commands_show_what_a_file_names_and_resume_confirms_it(
    trap: Trap, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    where = ("--store", str(tmp_path / "victim"))
    imported = entente("games", "import", str(trap.file), *where)
    game = imported.out.strip()
    reached = [
        f"AUSTRIA, GERMANY, RUSSIA, TURKEY: the model openai:mock@{trap.server.url} with the key in VICTIM_SECRET@"
        + trap.server.url.removesuffix("/v1"),
        "FRANCE: the program hostile_bots:Bot, whose code is run",
        f"prompts of the folder {tmp_path / 'prompts'}",
    ]
    assert all(line in imported.err for line in reached)
    assert f"entente resume {game} --trust" in imported.err
    assert "waiting, untrusted" in entente("games", "list", *where).out
    assert '"trusted": false' in entente("games", "list", "--json", *where).out
    assert "; ".join(reached) in entente("games", "show", game, *where).out
    for command in (
        ("resume", game, "--model-setting", "temperature=0"),
        ("fork", game, "--at", "S1901M"),
        ("ask", game, "TURKEY", "Whom do you trust?"),
        ("turn", game, "ITALY"),
    ):
        refused = entente(*command, *where, stdin="GERMANY: Hello.\n")
        assert refused.code == 2, command
        assert f"`entente resume {game} --trust --store {tmp_path / 'victim'}` confirms it" in refused.err
    assert not trap.is_walked_into()
    # The server of the trap stands still while a command runs: one second is enough to have called it.
    patience = ("--model-setting", "attempt_seconds=1", "--model-setting", "total_seconds=1")
    confirmed = entente("resume", game, "--trust", *where, *patience)
    assert all(f"Confirmed: {line}" in confirmed.err for line in reached)
    assert "untrusted" not in entente("games", "list", *where).out
