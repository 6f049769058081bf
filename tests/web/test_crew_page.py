"""A person asks the crew on the page, reads its words as they are written, and picks what it offers."""

from checkpoints.store import Store
from entente.games.runner import GameMaster
from tests.web.browsing import barriers, chromium, errors_of, expect, shot, wants_chromium
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
