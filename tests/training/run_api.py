"""The real queue of Atropos in a process of its own, and a trainer at it."""

import asyncio
import subprocess
import sys
import time
from asyncio import Task, sleep
from collections.abc import AsyncGenerator, Callable, Generator
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path
from typing import Any

import httpx2
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from entente.loopback import embedded
from tests.support.patience import PATIENCE
from tests.support.ports import free_port


@contextmanager
def run_api() -> Generator[str]:
    """The server's address; `make test` has installed it (tests/training/run_api.txt)."""
    port = free_port()
    command = [str(Path(sys.executable).with_name("run-api")), "--host", "127.0.0.1", "--port", str(port)]
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    address = f"http://127.0.0.1:{port}"
    try:
        _wait_for(address, process)
        yield address
    finally:
        process.kill()
        process.wait()


def _wait_for(address: str, process: subprocess.Popen[bytes]) -> None:
    until = time.monotonic() + PATIENCE
    while time.monotonic() < until:
        assert process.poll() is None, "run-api has ended"
        try:
            httpx2.get(address)
        except httpx2.TransportError:
            time.sleep(0.05)
        else:
            return
    raise AssertionError("run-api did not answer")


@asynccontextmanager
async def in_front_of(address: str, meddle: Callable[[str, bool], int | None]) -> AsyncGenerator[str]:
    """A gateway to the address, asked before each request is handed on and after it was answered, by its path.

    A status that `meddle` returns is answered instead, and before that nothing is handed on.
    """

    async def answer(request: Request) -> Response:
        path = request.url.path
        if status := meddle(path, False):
            return Response(status_code=status)
        as_json = {"Content-Type": "application/json"}
        async with httpx2.AsyncClient(base_url=address, timeout=PATIENCE) as behind:
            said = await behind.request(request.method, path, content=await request.body(), headers=as_json)
        return Response(said.content, meddle(path, True) or said.status_code)

    app = Starlette(routes=[Route("/{path:path}", answer, methods=["GET", "POST"])])
    async with embedded(app, asyncio.Event()) as gateway:
        yield gateway


class Trainer:
    """Takes batches, as the reference trainer does: it registers, and then asks for the next one."""

    def __init__(self, http: httpx2.AsyncClient) -> None:
        self._http = http

    async def register(self, batch_size: int, max_token_len: int = 1_000_000) -> None:
        """Begin anew with batches of so many sequences; sources may join once the first one was asked for."""
        await self._http.get("/reset_data")
        about = {"wandb_group": "g", "wandb_project": "p", "checkpoint_dir": "c", "num_steps": 10}
        sizes = {"batch_size": batch_size, "max_token_len": max_token_len}
        steps = {"save_checkpoint_interval": 0, "starting_step": 0}
        (await self._http.post("/register", json={**about, **sizes, **steps})).raise_for_status()

    async def begin(self, batch_size: int, max_token_len: int = 1_000_000) -> None:
        """Register, and ask for a first batch, of which there is none."""
        await self.register(batch_size, max_token_len)
        assert await self.batch() is None

    async def batch(self) -> list[dict[str, Any]] | None:
        """The next batch, a list of groups; None while there is none."""
        return (await self._http.get("/batch")).raise_for_status().json()["batch"]

    async def take_while(self, pushing: Task[Any]) -> list[dict[str, Any]]:
        """The groups of all batches until the push is over, in the order in which they were taken."""
        taken: list[dict[str, Any]] = []
        while not pushing.done():
            batch = await self.batch()
            taken += batch or []
            if batch is None:
                await sleep(0.02)  # or it would keep the queue busy with itself
        while batch := await self.batch():
            taken += batch
        return taken

    async def waiting(self) -> int:
        """How many groups nobody has taken."""
        return (await self._http.get("/status")).json()["queue_size"]
