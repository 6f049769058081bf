"""A person plays over the page, in a real browser, by clicks: France against players that hold."""

import re

from checkpoints.store import Store
from entente.games.runner import GameMaster
from graph.context import GameSettings
from tests.web.browsing import Page, barriers, chromium, errors_of, expect, shot, wants_chromium
from tests.web.served import served

pytestmark = wants_chromium


async def _order(page: Page, unit: str, *buttons: str, target: str) -> None:
    await page.locator(f"[data-unit='{unit}']").click()
    for button in buttons:
        await page.get_by_role("button", name=button, exact=True).click()
    await page.locator(f"[data-province='{target}'].lit").first.click()


async def test_a_link_to_several_games_asks_which_one(memory_store: Store) -> None:
    master = GameMaster(memory_store)
    people = [
        GameSettings(everyone="hold", seats={power: "human"}, rounds=1) for power in ("FRANCE", "ITALY")
    ]
    older, newer = [(await master.run(await master.begin(settings))).game for settings in people]
    async with served(memory_store) as server, chromium() as browser:
        made = await server.link("", "OPERATOR")
        page = await browser.new_page()
        await page.goto(f"{server.address}/at/{made.link.id}#{made.token}")
        await expect(page.locator("#now")).to_have_text("Choose a game")
        games = page.get_by_role("navigation", name="Games").get_by_role("link")
        await expect(games).to_contain_text([newer, older])
        await expect(games.first).to_contain_text("S1901M, waiting")
        await expect(page.locator("main")).to_be_hidden()
        await shot(page, "games")
        assert await barriers(page) == []
        await games.last.click()
        await expect(page.locator("#now")).to_contain_text("S1901M · Waiting for other players")
        assert f"?game={older}" in page.url
        await page.get_by_role("link", name="All games").click()
        await expect(games).to_have_count(2)


async def test_a_person_plays_two_phases_by_clicks(memory_store: Store) -> None:
    master = GameMaster(memory_store)
    settings = GameSettings(everyone="hold", seats={"FRANCE": "human"}, rounds=1, max_year=1901)
    game = (await master.run(await master.begin(settings))).game
    async with served(memory_store) as server, chromium() as browser:
        made = await server.link(game, "FRANCE")
        context = await browser.new_context(viewport={"width": 1300, "height": 1000})
        page = await context.new_page()
        wrong = errors_of(page)
        await page.goto(f"{server.address}/at/{made.link.id}#{made.token}")
        await expect(page.locator("#now")).to_contain_text("FRANCE, write")
        assert made.token not in page.url
        await page.get_by_role("tab", name="ITALY").click()
        await page.get_by_label("Message").fill("Peace? <b>bold</b>")
        await page.get_by_role("button", name="Add").click()
        await page.get_by_role("button", name="Send").click()
        await expect(page.locator("#now")).to_contain_text("your orders are wanted")
        await expect(page.locator("#letters")).to_contain_text("Peace? <b>bold</b>")
        await _order(page, "A PAR", "Move", target="BUR")
        await _order(page, "F BRE", "Move", target="PIC")
        await expect(page.locator("#drafted")).to_contain_text("A MAR: no order yet")
        async with page.expect_response(lambda answer: answer.url.endswith("/draft")):
            await page.get_by_label("Type orders").fill("mar s par bur")
        await expect(page.locator("#echo")).to_contain_text("A MAR S A PAR - BUR")
        await expect(page.locator("#now")).to_contain_text("3 of 3 orders drafted")
        await shot(page, "orders")
        assert await barriers(page) == []
        await page.reload()  # the token is gone, and the cookie and the draft are there
        await expect(page.locator("#now")).to_contain_text("your orders are wanted")
        await expect(page.locator("#drafted")).to_contain_text("A PAR - BUR")
        tab = await context.new_page()
        await tab.goto(page.url)
        await expect(tab.locator("#drafted")).to_contain_text("A PAR - BUR")
        await page.get_by_role("button", name="Send").dblclick()
        await expect(page.locator("#now")).to_contain_text("F1901M")
        await expect(tab.locator("#now")).to_contain_text("F1901M")
        await page.keyboard.press("Escape")
        await page.locator("#now").click()
        await page.keyboard.press("ArrowLeft")
        await expect(page.locator("#phase")).to_have_text("S1901M")
        assert page.url.endswith("#phase=S1901M")
        await expect(page.locator("#results")).to_contain_text("FRANCE A PAR - BUR")
        await shot(page, "results")
        assert await barriers(page) == []
        await page.set_viewport_size({"width": 360, "height": 740})
        assert await page.evaluate("document.documentElement.scrollWidth") <= 360
        await shot(page, "narrow")
        assert wrong == []
    board = (await master.look(game)).state["board"]
    assert set(board["units"]["FRANCE"]) == {"A BUR", "F PIC", "A MAR"}


async def _tab_to(page: Page, wanted: str) -> None:
    for _ in range(60):
        if await page.evaluate("wanted => document.activeElement.matches(wanted)", wanted):
            return
        await page.keyboard.press("Tab")
    raise AssertionError(f"the keyboard does not reach {wanted}")


async def _move_by_keys(page: Page, place: str, target: str) -> None:
    await _tab_to(page, f"[data-province='{place}']")
    await page.keyboard.press("Enter")
    await page.keyboard.press("m")
    await _tab_to(page, f"[data-province='{target}'].lit")
    await page.keyboard.press("Enter")


async def test_a_person_orders_by_keys_retreats_and_builds_by_clicks(memory_store: Store) -> None:
    master = GameMaster(memory_store)
    seats = {"FRANCE": "human", "GERMANY": "human"}
    settings = GameSettings(everyone="hold", seats=seats, rounds=0, max_year=1901)
    game = (await master.run(await master.begin(settings))).game
    async with (
        served(memory_store) as server,
        chromium() as browser,
        server.visit(game, "GERMANY") as germany,
    ):

        async def germany_orders(*orders: str) -> None:
            asked = (await germany.get("/seat")).json()
            answer = await germany.post("/answer", {"question": asked["id"], "orders": orders})
            assert answer.status_code == 204, answer.text

        made = await server.link(game, "FRANCE")
        page = await browser.new_page(viewport={"width": 1300, "height": 1000})
        await page.goto(f"{server.address}/at/{made.link.id}#{made.token}")
        now, drafted = page.locator("#now"), page.locator("#drafted")
        await expect(now).to_contain_text("0 of 3 orders drafted")
        for place, target in [("PAR", "BUR"), ("BRE", "MAO"), ("MAR", "SPA")]:
            await _move_by_keys(page, place, target)
        await expect(now).to_contain_text("3 of 3 orders drafted")
        await shot(page, "keys")
        await germany_orders("A MUN - RUH", "A BER - MUN")
        await _tab_to(page, "#send")
        await page.keyboard.press("Enter")
        await expect(now).to_contain_text("F1901M · FRANCE, your orders are wanted")
        await germany_orders("A MUN - BUR", "A RUH S A MUN - BUR")
        await page.get_by_role("button", name="Send").click()
        await expect(now).to_contain_text("F1901R · FRANCE, your orders are wanted")
        await expect(drafted).to_contain_text("A BUR: no order yet")
        await shot(page, "retreat")
        assert await barriers(page) == []
        await page.locator("[data-unit='A BUR'].out").click()
        await page.get_by_role("button", name="Retreat", exact=True).click()
        await page.locator("[data-province='BEL'].lit").first.click()
        await expect(drafted).to_contain_text("A BUR R BEL")
        await page.get_by_role("button", name="Send").click()
        await expect(now).to_contain_text("W1901A · FRANCE, your orders are wanted · 0 of 2 orders drafted")
        waive = page.get_by_role("button", name="Waive a build")
        await waive.click()
        await waive.click()
        await expect(now).to_contain_text("2 of 2 orders drafted")
        await expect(waive).to_be_hidden()
        await drafted.get_by_role("button", name="Remove").first.click()
        await waive.click()
        await expect(drafted.get_by_role("listitem")).to_have_count(2)
        await drafted.get_by_role("button", name="Remove").first.click()
        await page.locator("[data-province='PAR']").first.click()
        await shot(page, "builds")
        assert await barriers(page) == []
        await page.get_by_role("button", name="A PAR B", exact=True).click()
        await expect(drafted.get_by_role("listitem")).to_contain_text(["WAIVE", "A PAR B"])
        await page.get_by_role("button", name="Send").click()
        await expect(now).to_contain_text("The game is over")
    board = (await master.look(game)).state["board"]
    assert set(board["units"]["FRANCE"]) == {"A BEL", "F MAO", "A PAR", "A SPA"}


async def test_orders_over_mail_that_was_not_looked_at_are_asked_for_again(memory_store: Store) -> None:
    master = GameMaster(memory_store)
    seats = {"FRANCE": "human", "GERMANY": "human"}
    settings = GameSettings(everyone="hold", seats=seats, floor="conductor", max_year=1901)
    game = (await master.run(await master.begin(settings))).game
    async with (
        served(memory_store) as server,
        chromium() as browser,
        server.visit(game, "GERMANY") as germany,
    ):
        made = await server.link(game, "FRANCE")
        page = await browser.new_page(viewport={"width": 1300, "height": 1000})
        await page.goto(f"{server.address}/at/{made.link.id}#{made.token}")
        now, drafted = page.locator("#now"), page.locator("#drafted")
        await expect(now).to_contain_text("write and order as you like")
        await _order(page, "A PAR", "Move", target="BUR")
        asked = (await germany.get("/seat")).json()
        letter = {"to": "FRANCE", "text": "Burgundy stays empty, please."}
        answer = await germany.post("/answer", {"question": asked["id"], "messages": [letter]})
        assert answer.status_code == 204, answer.text
        await expect(now).to_contain_text(re.compile("write and order as you like.* 1 unread"))
        await expect(drafted).to_contain_text("A PAR - BUR")
        await page.get_by_role("button", name="Send").click()
        await expect(now).to_contain_text("your orders are not final")
        await expect(drafted).to_contain_text("A PAR - BUR")
        await shot(page, "unread")
        assert await barriers(page) == []
        await page.get_by_role("tab", name="GERMANY").click()
        await expect(page.locator("#letters")).to_contain_text("Burgundy stays empty, please.")
        await expect(now).not_to_contain_text("unread")
        await page.get_by_role("button", name="Send").click()
        await expect(now).to_contain_text("your orders are in; write or order anew if you like")
    assert (await master.look(game)).state["orders"]["FRANCE"] == ["A PAR - BUR"]
