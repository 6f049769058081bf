"""Whoever runs the server begins games, hands seats over and forks games in a browser."""

import re

import yaml

from checkpoints.store import Store
from tests.support.leaders import RENARD
from tests.web.browsing import FilePayload, barriers, chromium, errors_of, expect, shot, wants_chromium
from tests.web.served import served

pytestmark = wants_chromium


async def test_the_operator_begins_a_game_by_the_form_hands_a_seat_over_and_forks_the_game(
    memory_store: Store,
) -> None:
    async with served(memory_store) as server, chromium() as browser:
        made = await server.link("", "OPERATOR")
        page = await browser.new_page(viewport={"width": 1300, "height": 900})
        wrong = errors_of(page)
        await page.goto(f"{server.address}/at/{made.link.id}#{made.token}")
        await expect(page.get_by_label("Floor")).to_be_visible()  # there is no game yet
        await shot(page, "begin")
        assert await barriers(page) == []
        await page.get_by_label("Floor").select_option("gunboat")
        await expect(page.get_by_label("Rounds of press")).to_be_hidden()
        await page.get_by_label("Who plays all other powers").fill("hold")
        await page.get_by_label("FRANCE").fill("humam")
        await page.get_by_label("Last game year").fill("1901")
        await page.get_by_role("button", name="Make the game").click()
        await expect(page.get_by_role("alert").filter(has_text="did you mean human?")).to_be_visible()
        await expect(page.get_by_label("FRANCE")).to_be_focused()
        await shot(page, "begin-refused")
        assert wrong.pop().startswith("Failed to load resource")  # the browser's word for the refusal
        await page.get_by_label("FRANCE").fill("human")
        text = yaml.safe_dump(RENARD).encode()
        leader = FilePayload(name="france.yaml", mimeType="text/yaml", buffer=text)
        await page.get_by_label("Leaders").set_input_files([leader, leader])
        await page.get_by_role("button", name="Make the game").click()
        await expect(page.locator("#new-leaders-problem")).to_contain_text("FRANCE has a leader already")
        await expect(page.get_by_label("Leaders")).to_be_focused()
        assert wrong.pop().startswith("Failed to load resource")
        await page.get_by_label("Leaders").set_input_files([leader])
        await page.get_by_label("ITALY").fill("human")
        await page.get_by_role("button", name="Make the game").click()
        link = page.get_by_label("Link for FRANCE")
        await expect(link).to_have_value(re.compile(f"^{server.address}/at/[0-9a-f]{{12}}#."))
        address = await link.input_value()
        await expect(page.get_by_text("Marguerite Renard leads FRANCE.")).to_be_visible()
        italy = await page.get_by_label("Link for ITALY").input_value()
        await shot(page, "begun")
        assert await barriers(page) == []
        await page.get_by_role("button", name="Play it").click()
        await expect(page.locator("#now")).to_contain_text("S1901M · Waiting for FRANCE")
        seat = await browser.new_page(viewport={"width": 1300, "height": 900})
        await seat.goto(address)
        await expect(seat.locator("#now")).to_contain_text("FRANCE, your orders are wanted")
        await expect(seat.locator("#leader")).to_contain_text("Marguerite Renard, FRANCE")
        await expect(seat.locator("#forking")).to_be_hidden()
        await expect(seat.locator("#who")).to_have_text("FRANCE")
        await expect(page.locator("#who")).to_have_text("Whoever runs the game")
        await page.get_by_text("Seats", exact=True).click()
        await expect(page.get_by_role("row", name="FRANCE")).to_contain_text("human")
        await page.get_by_role("button", name="FRANCE: Is away").click()
        await expect(page.get_by_role("row", name="FRANCE")).to_contain_text("away: dumbbot plays")
        await expect(seat.locator("#away")).to_contain_text("dumbbot plays FRANCE while you are away.")
        await expect(seat.locator("#now")).to_contain_text("waiting for other players")
        await shot(page, "away")
        await shot(seat, "away-seat")
        assert await barriers(page) == []
        assert await barriers(seat) == []
        await seat.get_by_role("button", name="I am back").click()
        await expect(seat.locator("#away")).to_be_hidden()
        await expect(page.get_by_role("row", name="FRANCE")).to_contain_text("dumbbot stood in")
        other = await browser.new_page(viewport={"width": 1300, "height": 900})
        await other.goto(italy)
        typed = other.get_by_label("Type orders")
        await expect(typed).to_have_attribute("placeholder", re.compile("^[AF] (NAP|ROM|VEN) - "))
        await other.get_by_role("button", name="Send").click()
        await expect(seat.locator("#now")).to_contain_text("F1901M · FRANCE, your orders are wanted")
        await expect(page.locator("#now")).to_contain_text("F1901M")
        await page.locator("#now").click()
        await page.keyboard.press("ArrowLeft")
        await page.get_by_text("Fork", exact=True).click()
        await page.get_by_label("Seat").select_option("TURKEY")
        await shot(page, "fork")
        assert await barriers(page) == []
        await page.get_by_role("button", name="Fork from S1901M").click()
        await expect(page.get_by_label("Link for FRANCE")).to_be_visible()
        await expect(page.get_by_label("Link for TURKEY")).to_be_visible()
        await shot(page, "forked")
        await page.get_by_role("button", name="Play it").click()
        await expect(page.locator("#now")).to_contain_text("S1901M · Waiting for FRANCE")
        await page.get_by_text("Two futures").click()
        beside = page.locator("#beside")
        await expect(beside.get_by_role("img", name="This game, S1901M")).to_be_visible()
        await expect(beside.get_by_role("img", name="The other, S1901M")).to_be_visible()
        # What both have alike ends with the phase from which the game was forked.
        await expect(beside.get_by_role("row")).to_contain_text(["Phase", "S1901M", "F1901M"])
        await expect(beside.get_by_role("row", name="F1901M")).to_contain_text("– | 3")
        await page.set_viewport_size({"width": 360, "height": 740})
        assert await page.evaluate("document.documentElement.scrollWidth") <= 360
        await shot(page, "futures-360")
        await page.set_viewport_size({"width": 1300, "height": 900})
        await expect(seat.locator("#futures")).to_be_hidden()
        await shot(page, "futures")
        assert await barriers(page) == []
        assert wrong == []
    older, newer = await memory_store.library.games()
    assert newer.forked_from == older.id
