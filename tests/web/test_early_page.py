"""The page in a real browser while others think: a person orders before it is asked, and the game is paused."""

import asyncio
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager

from checkpoints.store import Store
from entente.games.runner import GameMaster
from entente.players.roster import HUMAN
from graph.context import GameSettings
from tests.games.test_early import SLOW, Thinkers
from tests.web.browsing import barriers, chromium, errors_of, expect, shot, wants_chromium
from tests.web.served import served

pytestmark = wants_chromium


@asynccontextmanager
async def let_go(thinkers: Thinkers) -> AsyncGenerator[None]:
    """A server waits at its end for those who think: they answer whatever becomes of the test."""
    try:
        yield
    finally:
        thinkers.may_answer.set()


async def test_who_orders_early_is_told_and_the_game_is_paused_and_played_on(memory_store: Store) -> None:
    thinkers = Thinkers()
    settings = GameSettings(
        seats={"FRANCE": HUMAN, "ITALY": SLOW}, everyone="hold", floor="conductor", max_year=1901
    )
    game = await GameMaster(memory_store, thinkers).begin(settings)
    async with served(memory_store, thinkers) as server, chromium() as browser, let_go(thinkers):
        running = asyncio.create_task(server.house.host.run(game))
        await thinkers.is_asked.wait()
        links = [await server.link(game, role) for role in ("OPERATOR", "FRANCE")]
        operator, france = [await browser.new_page(viewport={"width": 1300, "height": 900}) for _ in links]
        wrong = [errors_of(page) for page in (operator, france)]
        for page, made in zip((operator, france), links, strict=True):
            await page.goto(f"{server.address}/at/{made.link.id}#{made.token}")
        pause, play_on = (operator.get_by_role("button", name=name) for name in ("Pause", "Play on"))
        await expect(play_on).to_be_hidden()
        await expect(france.locator("#now")).to_contain_text(
            "write and order as you like · 0 of 3 orders drafted, not sent · others are thinking, what you send is kept"
        )
        await france.get_by_label("Type orders").fill("A PAR - BUR")
        await expect(france.locator("#now")).to_contain_text("1 of 3 orders drafted")
        await shot(france, "early")
        await france.get_by_role("button", name="Send").click()
        await expect(france.locator("#now")).to_contain_text("orders sent and ready · others are thinking")
        await shot(france, "early-sent")
        assert await barriers(france) == []

        async with operator.expect_response(lambda answer: answer.url.endswith("/pause")) as asked:
            await pause.click()
        assert (await asked.value).ok  # before the step is over
        thinkers.may_answer.set()
        await expect(operator.locator("#now")).to_contain_text("S1901M · The game is paused")
        await expect(pause).to_be_hidden()
        await expect(france.locator("#now")).to_contain_text("the game is paused")
        await shot(operator, "paused")
        assert await barriers(operator) == []
        await play_on.click()
        await expect(france.locator("#now")).to_contain_text("F1901M · FRANCE, write and order")
        await expect(france.locator("[data-unit='A BUR']")).to_have_count(1)
        await expect(play_on).to_be_hidden()
        await running
        assert wrong == [[], []]
