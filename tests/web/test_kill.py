"""The page's server is killed while a person writes, after an answer was sent, and while orders are drafted."""

import asyncio
import os
import signal
import sys
import time
from collections.abc import AsyncGenerator, Mapping
from contextlib import AsyncExitStack, asynccontextmanager
from multiprocessing.context import ForkServerProcess
from pathlib import Path
from typing import Any

import httpx
import pytest

from checkpoints.store import Store, open_store
from entente.games.runner import GameMaster
from entente.players.seating import players_of_process
from entente.web.addresses import link_address
from graph.context import GameSettings
from tests.support.patience import PATIENCE
from tests.support.ports import free_port
from tests.support.terminal import forked
from tests.web.browsing import Page, chromium, expect, shot, wants_chromium

pytestmark = [pytest.mark.slow, wants_chromium]

THINKER = '''
import asyncio
from pathlib import Path


class Thinker:
    """Has nothing to say, and thinks about its orders until the file `go` is there."""

    async def wake(self, handle, events):
        if "orders" in handle.wants:
            while not Path("go").exists():
                await asyncio.sleep(0.02)
            await handle.submit_orders([])
'''


class Server:
    """`entente serve` on one port, in a process that is killed and started again."""

    operator = ""
    """The newest process's link for whoever runs the games."""

    def __init__(self, folder: Path) -> None:
        self.port = free_port()
        self._folder = folder
        self._process: ForkServerProcess | None = None

    def start(self) -> None:
        """Start it, and wait until it listens."""
        out = self._folder / "out"
        out.unlink(missing_ok=True)
        self._process = forked(
            *("serve", "--port", str(self.port), "--store", "store"),
            streams=(os.devnull, str(out), str(self._folder / "err")),
            cwd=self._folder,
        )
        deadline = time.monotonic() + PATIENCE
        while not (out.exists() and out.read_text().endswith("\n")):
            assert time.monotonic() < deadline, "the server never listened"
            time.sleep(0.01)
        self.operator = out.read_text().strip()

    def kill(self) -> None:
        """End it where it stands, with SIGKILL."""
        assert self._process is not None
        self._process.kill()
        self._process.join()
        assert self._process.exitcode == -signal.SIGKILL


async def post(link: str, path: str, body: Mapping[str, Any] | None = None) -> None:
    """What somebody does who comes by the link; a body of None answers the seat's question with nothing."""
    base, _, token = link.partition("#")
    async with httpx.AsyncClient(timeout=PATIENCE, verify=False) as client:
        assert (await client.post(f"{base}/enter", json={"token": token})).status_code == 204
        headers = {"x-csrf-token": (await client.get(f"{base}/me")).json()["csrf"]}
        if body is None:
            seat = (await client.get(f"{base}{path.replace('/answer', '/seat')}")).json()
            body = {"question": seat["id"], "orders" if seat["view"]["ask"] == "orders" else "messages": []}
        answer = await client.post(f"{base}{path}", json=dict(body), headers=headers)
        assert answer.status_code == 204, answer.text


async def _messages(store: Store, game: str) -> list[str]:
    """The text of every message that the journal has of the game."""
    page = await store.journal.records_after(game, 0)
    assert not page.has_more
    return [message.content for record in page.records for message in getattr(record, "messages", ())]


@asynccontextmanager
async def _drafting(page: Page) -> AsyncGenerator[None]:
    """The block drafts something, which the server has kept when it ends."""
    async with page.expect_response(lambda answer: answer.url.endswith("/draft") and answer.ok):
        yield


async def _write(page: Page, text: str) -> None:
    await page.get_by_label("Message").fill(text)
    await page.get_by_label("Message").press("Enter")


async def test_a_kill_of_the_server_loses_nothing_and_the_page_comes_back_by_itself(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "thinkers.py").write_text(THINKER)
    monkeypatch.setattr(sys, "path", [str(tmp_path), *sys.path])
    seats = {"FRANCE": "human", "GERMANY": "human", "TURKEY": "thinkers:Thinker"}
    settings = GameSettings(everyone="hold", seats=seats, rounds=1, max_year=1901)
    server = Server(tmp_path)
    async with open_store(str(tmp_path / "store")) as store, chromium() as browser, AsyncExitStack() as after:
        await asyncio.to_thread(server.start)
        after.push_async_callback(asyncio.to_thread, server.kill)
        master = GameMaster(store, players_of_process())
        game = (await master.run(await master.begin(settings))).game
        address = f"http://127.0.0.1:{server.port}"
        made = [await store.links.make(game, role, seconds=3600) for role in ("FRANCE", "GERMANY", "PUBLIC")]
        france, germany, public = (link_address(address, each) for each in made)
        at = f"/games/{game}"
        page = await browser.new_page(viewport={"width": 1300, "height": 900})
        now, unsent, lost = page.locator("#now"), page.locator("#written"), page.locator("#said")
        await page.goto(france)
        await expect(now).to_contain_text("FRANCE, write")
        await page.get_by_role("tab", name="GERMANY").click()
        async with _drafting(page):
            await _write(page, "Burgundy stays empty")

        await asyncio.to_thread(server.kill)
        await expect(lost).to_contain_text("The server does not answer")
        await _write(page, "and so does Picardy")  # while nobody can keep it
        await shot(page, "lost")
        async with _drafting(page):
            await asyncio.to_thread(server.start)
        await expect(lost).to_be_empty()
        for is_reloaded in (False, True):
            if is_reloaded:
                await page.reload()
            await expect(unsent).to_contain_text("Burgundy stays empty")
            await expect(unsent).to_contain_text("and so does Picardy")
        assert await _messages(store, game) == []

        await post(germany, f"{at}/answer")
        async with page.expect_response(lambda answer: answer.url.endswith("/answer")) as sent:
            await page.get_by_role("button", name="Send").click()
        assert (await sent.value).status == 204
        await asyncio.to_thread(server.kill)  # others are asked for their orders now, and one of them thinks
        await asyncio.to_thread(server.start)
        await post(server.operator, f"{at}/run", {})
        await expect(now).to_contain_text("your orders are wanted")
        await expect(unsent).to_be_empty()
        async with _drafting(page):
            await page.get_by_label("Type orders").fill("A PAR - BUR")
        await expect(now).to_contain_text("1 of 3 orders drafted")
        onlooker = await browser.new_page()
        await onlooker.goto(public)
        await expect(onlooker.locator("#now")).to_contain_text("S1901M")
        assert (await store.library.glance(game)).held_by  # one still thinks

        await asyncio.to_thread(server.kill)
        await store.links.revoke(made[-1].link.id)
        await expect(lost).to_contain_text("The server does not answer")
        await asyncio.to_thread(server.start)
        await expect(lost).to_be_empty()
        await expect(onlooker.locator("#said")).to_contain_text("The server tells no more of this game")
        for is_reloaded in (False, True):
            if is_reloaded:
                await page.reload()
            await expect(now).to_contain_text("1 of 3 orders drafted, not sent")
        await asyncio.to_thread((tmp_path / "go").touch)
        await post(server.operator, f"{at}/run", {})
        await page.get_by_role("button", name="Send").click()
        await expect(page.locator("#done")).to_have_text("S1901M: sent, and kept.")
        await post(germany, f"{at}/answer")
        await expect(now).to_contain_text("F1901M · FRANCE, write")
        await expect(page.locator("[data-unit='A BUR']")).to_have_count(1)
        await shot(page, "on")
        assert await _messages(store, game) == ["Burgundy stays empty", "and so does Picardy"]
