"""A page that is opened before its game has begun comes to life with it; press to several powers has a panel."""

from checkpoints.store import Store
from entente.games.runner import GameMaster
from graph.context import GameSettings
from tests.web.browsing import barriers, chromium, errors_of, expect, shot, wants_chromium
from tests.web.served import served

pytestmark = wants_chromium

GROUP = "ENGLAND, GERMANY"


async def test_pages_wait_for_the_game_and_press_to_several_has_a_panel_of_its_own(
    memory_store: Store,
) -> None:
    people = {"FRANCE": "human", "ENGLAND": "human"}
    game = await GameMaster(memory_store).begin(
        GameSettings(everyone="hold", seats=people, rounds=1, max_year=1901)
    )
    async with served(memory_store) as server, chromium() as browser:
        links = [await server.link(game, role) for role in ("OPERATOR", "FRANCE", "ENGLAND")]
        pages = [await browser.new_page(viewport={"width": 1300, "height": 900}) for _ in links]
        wrong = [errors_of(page) for page in pages]
        operator, france, england = pages
        for page, made in zip(pages, links, strict=True):
            await page.goto(f"{server.address}/at/{made.link.id}#{made.token}")
            await expect(page.locator("#now")).to_have_text("The game has not begun")
            await expect(page.locator("#frame")).to_be_hidden()
        await expect(france.get_by_role("button", name="Play on")).to_be_hidden()
        await shot(operator, "not-begun")
        assert await barriers(operator) == []
        await operator.get_by_role("button", name="Play on").click()
        for page in (france, england):
            await expect(page.locator("#now")).to_contain_text("write, or send to say nothing")
            await expect(page.locator("[data-unit='A PAR']")).to_be_visible()
        await expect(operator.locator("#now")).to_contain_text("Waiting for ENGLAND, FRANCE")

        await france.get_by_text("Write to several").click()
        await france.get_by_label("ENGLAND").check()
        await france.get_by_role("button", name="Open their panel").click()
        await expect(france.locator("#said")).to_have_text("Two powers or more are wanted for a group.")
        await france.get_by_label("GERMANY").check()
        await shot(france, "group-chosen")
        assert await barriers(france) == []
        await france.get_by_role("button", name="Open their panel").click()
        panel = france.get_by_role("tab", name=GROUP)
        await expect(panel).to_have_attribute("aria-selected", "true")
        await france.get_by_label("Message").fill("We three against the east.")
        unsent = france.get_by_text(f"to {GROUP}, not sent: We three against the east.")
        async with france.expect_response("**/draft"):  # kept a moment after it was written
            await france.get_by_role("button", name="Add").click()
        await expect(unsent).to_be_visible()
        await france.reload()
        await expect(unsent).to_be_visible()
        await panel.click()
        await france.get_by_role("button", name="Send", exact=True).click()
        done = france.locator("#done")
        await expect(done).to_have_text("S1901M, round 1: sent, and kept.")
        await england.get_by_role("button", name="Send", exact=True).click()
        theirs = england.get_by_role("tab", name="FRANCE, GERMANY")
        await expect(theirs.locator(".unread")).to_have_text("1")
        await expect(france.locator("#now")).to_contain_text("your orders are wanted")
        await expect(done).to_have_text(
            "S1901M, round 1: sent, and kept."
        )  # the next question takes nothing away
        letters = france.locator("#letters li")
        await expect(letters).to_contain_text(["FRANCE to ENGLAND, GERMANY: We three against the east."])
        await shot(france, "group")
        assert await barriers(france) == []
        await france.get_by_role("tab", name="GERMANY", exact=True).click()
        await expect(letters).to_have_text(["Nothing that you may read was said here yet."])

        # Each member has the same panel, and whoever reads everybody's sees once what was said in it.
        await theirs.click()
        told = england.locator("#letters li")
        await expect(told).to_contain_text(["FRANCE to ENGLAND, GERMANY: We three against the east."])
        await shot(england, "group-member")
        await operator.get_by_role("tab", name="ENGLAND, FRANCE, GERMANY").click()
        await expect(operator.locator("#letters li")).to_contain_text(
            ["FRANCE to ENGLAND, GERMANY: We three against the east."]
        )
        assert wrong == [[], [], []]
