"""The work of `studio`: LangGraph's own server, run over a store of ours until somebody stops it.

The server keeps notes of its own, threads and runs, in the folder it is started in, as pickles: whoever can write them
makes it run what he likes. So they lie among the user's own files, never in the store, which may come from somebody
else, nor in this project, which may be installed where nobody can write. What it does not know of by itself, the games
that the command line begins, it is told of while it runs.
"""

import asyncio
import json
import os
import signal
import socket
import sys
from asyncio.subprocess import Process
from collections.abc import AsyncGenerator, Generator
from contextlib import asynccontextmanager, contextmanager, suppress
from hashlib import sha256
from pathlib import Path
from tempfile import TemporaryDirectory

import httpx
from langgraph_sdk import get_client
from langgraph_sdk.client import LangGraphClient

from checkpoints.failures import translated
from checkpoints.locations import JOURNAL_FILE
from checkpoints.private import make_folder
from checkpoints.store import Store
from entente.cli.options import store_at
from entente.cli.tracing import TRACING
from entente.errors import GameHeld, SettingsError, StoreUnavailable
from entente.local_only import STUDIO_PAGES

HOST = "127.0.0.1"
GRAPH = "entente"
CONFIGURATION = {
    "$schema": "https://langgra.ph/schema.json",
    "python_version": "3.11",
    "dependencies": ["."],
    "graphs": {GRAPH: "entente.games.server:game_graph", "crew": "entente.games.crew_server:crew_graph"},
    "checkpointer": {"path": "checkpoints.shared.checkpointer"},
    "http": {
        "app": "entente.games.server_door:http_app",
        "cors": {
            "allow_origins": list(STUDIO_PAGES),
            "allow_methods": ["*"],
            "allow_headers": ["*"],
            "allow_credentials": True,
            "expose_headers": ["x-pagination-total", "x-pagination-next", "content-location"],
        },
        # A run would send its game to any address.
        "disable_webhooks": True,
        # Both begin runs that are not kept, and so no games.
        "disable_mcp": True,
        "disable_a2a": True,
    },
}
"""What `langgraph.json` says too, which is not there when entente is installed without its source."""

_SECONDS_BETWEEN_LOOKS = 1.0
_GAMES_AT_ONCE = 10
"""The server's default is 1: a game in which a model thinks would stop all others."""


async def serve_studio(location: str | None, port: int, *, browser: bool) -> int:
    """Serve until a signal comes; the exit code. Raises SettingsError for the port, StoreUnavailable, GameHeld."""
    _check_port(port)
    async with store_at(location) as store, workplace(store) as folder:
        server = await asyncio.create_subprocess_exec(
            *_command(folder, port, browser=browser), cwd=folder, env=_environment(store, location)
        )
        with _stopped_by_signals(server) as stops:
            async with asyncio.TaskGroup() as group:
                showing = group.create_task(_show_games(store, f"http://{HOST}:{port}"))
                code = await server.wait()
                showing.cancel()
        return 0 if stops else int(code != 0)


def _check_port(port: int) -> None:
    # The server would take another port without being asked, and be looked for at this one.
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((HOST, port))
        except (OSError, OverflowError) as error:
            raise SettingsError(
                f"Studio's server wants a free port and {port} cannot be used ({error}); nothing was started."
            ) from error


@asynccontextmanager
async def workplace(store: Store) -> AsyncGenerator[Path]:
    """Where the server is started and keeps its notes; raises GameHeld while another server keeps its own there."""
    folder = _folder(store)
    if folder is None:
        with TemporaryDirectory(prefix="entente-studio-") as temporary:
            yield Path(temporary)
        return
    async with _alone(store):
        notes = notes_folder(folder)
        with translated(str(notes), noun="folder of Studio's notes"):
            make_folder(notes)
            notes.chmod(0o700)
        yield notes


def notes_folder(store: Path) -> Path:
    """Where the server's notes about a store lie: in the XDG state folder, `~/.local/state` unless that is set."""
    state = Path(os.environ.get("XDG_STATE_HOME", ""))
    state = state if state.is_absolute() else Path.home() / ".local" / "state"
    return state / "entente" / "studio" / sha256(bytes(store.resolve())).hexdigest()[:16]


@asynccontextmanager
async def _alone(store: Store) -> AsyncGenerator[None]:
    """Two servers with the same notes would each go on with the other's runs."""
    lease = store.leases.hold("studio")
    try:
        await lease.__aenter__()
    except GameHeld as error:
        raise GameHeld(
            f"Studio is open over the store at {store.location} already; please use or stop that one."
        ) from error
    try:
        yield
    finally:
        await lease.__aexit__(None, None, None)


def _folder(store: Store) -> Path | None:
    """The store's folder; None for one that is no folder."""
    folder = Path(store.location)
    return folder.resolve() if (folder / JOURNAL_FILE).is_file() else None


def _command(folder: Path, port: int, *, browser: bool) -> list[str]:
    configuration = folder / "langgraph.json"
    configuration.write_text(json.dumps(CONFIGURATION), encoding="utf-8")
    command = [sys.executable, "-m", "langgraph_cli", "dev", "--config", str(configuration)]
    command += [
        "--host",
        HOST,
        "--port",
        str(port),
        "--n-jobs-per-worker",
        str(_GAMES_AT_ONCE),
        "--no-reload",
    ]
    return command if browser else [*command, "--no-browser"]


def _environment(store: Store, location: str | None) -> dict[str, str]:
    environment = os.environ | {
        # Neither usage nor questions about newer versions leave this machine.
        "LANGGRAPH_CLI_NO_ANALYTICS": "1",
        "LANGGRAPH_NO_VERSION_CHECK": "true",
        "LANGSMITH_CONTROL_PLANE_API_KEY": "",
        # All runs on one event loop, where the store is.
        "BG_JOB_ISOLATED_LOOPS": "false",
    }
    if not any(environment.get(name) for name in TRACING):
        # The server would take a key alone for the wish to send every prompt to LangSmith.
        environment["LANGSMITH_TRACING"] = "false"
    if folder := _folder(store):
        return environment | {"ENTENTE_STORE": str(folder)}
    return environment if location is None else environment | {"ENTENTE_STORE": location}


@contextmanager
def _stopped_by_signals(server: Process) -> Generator[list[signal.Signals]]:
    """The signals that came; each ends the server, and nothing of it is left when this ends."""
    loop = asyncio.get_running_loop()
    came: list[signal.Signals] = []

    def stop(received: signal.Signals) -> None:
        came.append(received)
        with suppress(ProcessLookupError):
            server.terminate()

    for each in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(each, stop, each)
    try:
        yield came
    finally:
        for each in (signal.SIGINT, signal.SIGTERM):
            loop.remove_signal_handler(each)
        with suppress(ProcessLookupError):
            server.terminate()


async def _show_games(store: Store, url: str) -> None:
    """Make each game of the store a thread of the server, the new ones as they come."""
    shown: set[str] = set()
    async with get_client(url=url) as client:
        while True:
            with suppress(StoreUnavailable):  # as long as it lasts, the games that are shown stay
                for summary in await store.library.games():
                    if summary.id not in shown and await _show(client, summary.id):
                        shown.add(summary.id)
            await asyncio.sleep(_SECONDS_BETWEEN_LOOKS)


async def _show(client: LangGraphClient, game: str) -> bool:
    """True once the server has it; False while the server is not there yet."""
    try:
        await client.threads.create(thread_id=game, graph_id=GRAPH, if_exists="do_nothing")
    except httpx.HTTPError:
        return False
    return True
