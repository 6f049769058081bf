"""A person asks the crew on the page, reads its words as they are written, and picks what it offers."""

import asyncio
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from typing import Any

import pytest

from checkpoints.store import Store
from entente.games.crew_answers import Answers
from entente.games.runner import GameMaster
from entente.games.tellings import voices_named
from entente.models.client import Connections
from entente.press.mailbox import Reader
from tests.support.gated import Gated, gated
from tests.support.patience import PATIENCE
from tests.web.browsing import Page, barriers, chromium, errors_of, expect, shot, wants_chromium
from tests.web.served import served
from tests.web.test_crew import a_game_in_fall

pytestmark = wants_chromium

NOTE_WORDS = """() => {
  window.lengths = [];
  const told = document.getElementById("told");
  new MutationObserver(() => lengths.push(told.textContent.length)).observe(told, { childList: true, subtree: true });
}"""


async def test_a_phase_is_told_a_character_at_a_time_and_what_is_picked_is_drafted(
    memory_store: Store,
) -> None:
    game = await a_game_in_fall(memory_store)
    async with served(memory_store) as server, chromium() as browser:
        made = await server.link(game, "FRANCE")
        page = await browser.new_page(viewport={"width": 1300, "height": 1000})
        errors = errors_of(page)
        await page.goto(f"{server.address}/at/{made.link.id}#{made.token}")
        told, offered = page.locator("#told"), page.locator("#offered button")
        await page.evaluate(NOTE_WORDS)
        await page.get_by_role("button", name="What happened?").click()
        await expect(told).to_have_attribute("aria-busy", "false")
        await expect(told.locator("p.narrator")).to_contain_text("Narrator: ")
        await expect(told.locator("p.narrator")).to_contain_text("Burgundy")
        lengths = await page.evaluate("lengths")
        assert len(lengths) > 20  # written bit by bit, and never less than before
        assert lengths == sorted(lengths)
        await shot(page, "crew-phase")

        await page.locator("#action").fill("offer Russia peace, then roll into Ruhr")
        await page.locator("#action").press("Enter")
        await expect(offered.filter(has_text="A BUR - RUH")).to_have_count(1)
        await page.get_by_role("button", name="A BUR - RUH", exact=True).click()
        await expect(page.locator("#echo")).to_contain_text("A BUR - RUH: ok")
        await page.get_by_role("button", name="RUSSIA: ").click()
        await expect(page.locator("#written")).to_contain_text("to RUSSIA, not sent: Shall we")
        await shot(page, "crew-choices")
        assert await barriers(page) == []
        assert (await GameMaster(memory_store).look(game)).pending  # nothing was sent
        assert errors == []


async def test_with_reduced_motion_all_is_written_at_once_and_an_onlooker_is_offered_questions(
    memory_store: Store,
) -> None:
    game = await a_game_in_fall(memory_store)
    async with served(memory_store) as server, chromium() as browser:
        made = await server.link(game, "PUBLIC")
        page = await browser.new_page(viewport={"width": 360, "height": 740}, reduced_motion="reduce")
        await page.goto(f"{server.address}/at/{made.link.id}#{made.token}")
        await page.locator("#pace").select_option("slow")
        await page.locator("#action").fill("why did Munich bounce?")
        await page.get_by_role("button", name="Ask", exact=True).click()
        told = page.locator("#told")
        await expect(told).to_have_attribute("aria-busy", "false")
        await expect(told.locator("p.keeper")).to_contain_text("A MUN - BUR (GERMANY) bounced")
        await page.locator("#offered button").first.click()
        await expect(told.locator("p.keeper")).to_contain_text("bounced")
        width = await page.evaluate("document.documentElement.scrollWidth")
        assert width <= 360
        await shot(page, "crew-small")


@asynccontextmanager
async def answered_by(store: Store, model: Gated, reader: Reader) -> AsyncGenerator[Page]:
    """The page of somebody whose crew speaks with the model, in a browser."""
    game = await a_game_in_fall(store)
    async with Connections() as connections, chromium() as browser:
        crew = Answers(store, voices_named(model.spec, {}, connections))
        async with served(store, crew=crew) as server:
            made = await server.link(game, reader)
            page = await browser.new_page(viewport={"width": 1300, "height": 1000})
            await page.goto(f"{server.address}/at/{made.link.id}#{made.token}")
            yield page


async def test_a_models_words_are_written_while_it_speaks_and_another_question_stops_it(
    memory_store: Store,
) -> None:
    words = ("Paris looks east,", " <img src=x onerror=document.title='taken'>", " and Munich looks back.")
    async with gated(*words) as model, answered_by(memory_store, model, "FRANCE") as page:
        wrong = errors_of(page)
        told = page.locator("#told")
        await page.locator("#action").fill("What does Germany want?")
        await page.locator("#action").press("Enter")
        await expect(told.locator("p.narrator")).to_have_text(
            "Narrator: Paris looks east"
        )  # the last character waits
        await expect(told).to_have_attribute("aria-busy", "true")
        assert model.sent == [words[0]]
        await shot(page, "crew-model-speaks")

        model.begin_anew()
        await page.get_by_role("button", name="What happened?").click()  # while the first voice still speaks
        async with asyncio.timeout(PATIENCE):
            await model.gone.wait()
        model.go.set()
        await expect(told).to_have_attribute("aria-busy", "false")
        await expect(told.locator("p.narrator")).to_have_count(1)
        await expect(told.locator("p.narrator")).to_have_text(f"Narrator: {''.join(words)}")
        assert await page.title() != "taken"
        assert await barriers(page) == []
        await shot(page, "crew-model-has-spoken")
        assert wrong == []


@pytest.mark.parametrize(
    ("trouble", "why"),
    [
        ({"status": 500}, "speaks without a model: its model cannot be reached"),
        ({"breaks_off": True}, "breaks off"),
    ],
)
async def test_a_voice_whose_model_fails_says_so_on_the_page(
    memory_store: Store, trouble: dict[str, Any], why: str
) -> None:
    async with gated(**trouble) as model, answered_by(memory_store, model, "PUBLIC") as page:
        await page.locator("#action").fill("What does Germany want?")
        await page.locator("#action").press("Enter")
        narrator = page.locator("#told p.narrator")
        await expect(page.locator("#told")).to_have_attribute("aria-busy", "false")
        await expect(narrator.locator("em")).to_contain_text(f"(The narrator {why}")
        await expect(narrator).to_contain_text("One (The" if "breaks" in why else "Germany has")
        assert await barriers(page) == []
        await shot(page, f"crew-model-fails-{'-'.join(trouble)}")
