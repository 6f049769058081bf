"""What the page shows in a real browser, and to whom; test_year.py plays a whole year on it."""

import re

from checkpoints.store import Store
from entente.games.runner import GameMaster
from entente.press.mailbox import Delayed, Reader
from graph.context import GameSettings
from tests.support.leaders import RENARD
from tests.web.browsing import Page, barriers, chromium, errors_of, expect, shot, wants_chromium
from tests.web.served import served

pytestmark = wants_chromium

MOTION = "unit => getComputedStyle(unit).animationName"
NOTE_PHASES = """() => {
  window.phases = [];
  const note = () => phases.at(-1) !== shown.textContent && phases.push(shown.textContent);
  const shown = document.getElementById("phase");
  new MutationObserver(note).observe(shown, { childList: true });
}"""


ONLOOKERS: tuple[tuple[Reader, str, str], ...] = (
    ("PUBLIC", "Onlooker", "Waiting for players"),
    (Delayed(1), "Onlooker, 1 phase late", "The game goes on"),
)
"""Who only looks on: as whom the page says that it comes, and how it says that the game stands."""


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
        await memory_store.library.rename(older, "Tuesday night")
        made = await server.link("", "OPERATOR")
        page = await browser.new_page()
        await page.goto(f"{server.address}/at/{made.link.id}#{made.token}")
        await expect(page.locator("#now")).to_have_text("Choose a game")
        games = page.get_by_role("navigation", name="Games").get_by_role("link")
        await expect(games).to_contain_text([newer, "Tuesday night"])
        await expect(games.first).to_contain_text("S1901M, waiting")
        await expect(page.locator("main")).to_be_hidden()
        await shot(page, "games")
        assert await barriers(page) == []
        await games.last.click()
        await expect(page.locator("#now")).to_contain_text("S1901M · Waiting for FRANCE")
        assert f"?game={older}" in page.url
        await page.get_by_role("link", name="All games").click()
        await expect(games).to_have_count(2)
        await page.goto(page.url + "?game=nothing")
        await expect(page.locator("#now")).to_contain_text("no game answers to 'nothing'")
        await expect(games).to_have_count(2)


async def test_orders_over_unread_mail_are_sent_and_not_final_and_the_clock_runs(memory_store: Store) -> None:
    master = GameMaster(memory_store)
    seats = {"FRANCE": "human", "GERMANY": "human"}
    leaders = {"FRANCE": RENARD}
    settings = GameSettings(
        everyone="hold",
        seats=seats,
        floor="conductor",
        deadline_seconds=290,
        send_at_deadline=True,
        leaders=leaders,
    )
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
        await expect(page.locator("#leader")).to_contain_text("Marguerite Renard, FRANCE")
        await shot(page, "leader")
        assert "Renard" not in (await germany.get("/seat")).text
        todo = page.locator("[data-unit='A PAR'].todo")
        assert await todo.evaluate(MOTION) == "pulse"
        await page.emulate_media(reduced_motion="reduce")
        assert await todo.evaluate(MOTION) == "none"
        await expect(page.locator("#clock")).to_have_text(re.compile(r"closes in [34]:\d\d"))
        await expect(page.locator("#warning")).to_have_text(
            "Less than 5 minutes left: S1901M is closed then. Orders that are not sent by then are sent as drafted."
        )
        place = await page.locator("[data-unit='A PAR']").bounding_box()
        assert place is not None
        await page.mouse.move(place["x"] + 2, place["y"] + 5)
        await page.mouse.down()
        await page.mouse.move(place["x"] + 22, place["y"] + 5)
        await page.mouse.up()
        await expect(page.locator("#hint")).to_have_text("Choose one of your units on the map.")
        arrows = page.locator("#map")
        await page.locator("[data-unit='A PAR']").dblclick()  # a second tap commits to nothing
        await expect(page.locator("#hint")).to_have_text("A PAR: what shall it do?")
        await expect(arrows.locator(".chosen")).to_have_attribute("data-unit", "A PAR")
        await page.keyboard.press("Escape")
        await expect(arrows.locator(".chosen")).to_have_count(0)
        await expect(arrows.locator(".draft")).to_have_count(0)
        await _order(page, "A PAR", "Move", target="BUR")
        await page.get_by_label("Type orders").fill("A PAR - PIC")
        await expect(drafted).to_contain_text("A PAR - BUR: replaced by A PAR - PIC, as typed")
        async with page.expect_response(lambda seen: seen.url.endswith("/orders")):
            await page.get_by_label("Type orders").fill("par pic")
        await page.reload()  # what was typed is read anew
        await expect(page.locator("#echo")).to_have_text("par pic: read as A PAR - PIC")
        await expect(drafted).to_contain_text("A PAR - BUR: replaced by A PAR - PIC, as typed")
        await page.get_by_label("Type orders").fill("")
        await expect(drafted).not_to_contain_text("replaced")
        await page.get_by_text("Seats", exact=True).click()
        await expect(page.get_by_role("row", name="GERMANY")).to_have_text("GERMANYnobody")
        await expect(arrows.locator(".draft .arrow")).to_have_count(1)
        asked = (await germany.get("/seat")).json()
        letter = {"to": "FRANCE", "text": "Burgundy stays empty, please."}
        async with page.expect_response(lambda seen: seen.url.endswith("/seat")):  # mail asks anew
            answer = await germany.post("/answer", {"question": asked["id"], "messages": [letter]})
        assert answer.status_code == 204, answer.text
        await expect(now).to_contain_text(re.compile("write and order as you like.* 1 unread"))
        await expect(drafted).to_contain_text("A PAR - BUR")
        await page.get_by_role("button", name="Send").click()
        await expect(now).to_contain_text("your orders are not final")
        await expect(page.locator("#warning")).to_contain_text(
            "Orders that are not sent by then are not given."
        )
        await expect(drafted).to_contain_text("A PAR - BUR")
        await expect(now).to_contain_text("1 of 3 orders sent, not final")
        await expect(arrows.locator(".sent .arrow")).to_have_count(1)
        await expect(arrows.locator(".lock")).to_have_count(0)
        for width in (1300, 768, 360):
            await page.set_viewport_size({"width": width, "height": 900})
            await page.reload()
            await expect(page.locator("[data-unit='A PAR']")).to_be_in_viewport()
            await shot(page, f"unread-{width}")
            assert await page.evaluate("document.documentElement.scrollWidth") <= width
        assert await barriers(page) == []
        await page.set_viewport_size({"width": 1300, "height": 1000})
        await page.get_by_role("tab", name="GERMANY").click()
        await expect(page.locator("#letters")).to_contain_text("Burgundy stays empty, please.")
        await expect(now).not_to_contain_text("unread")
        await page.get_by_role("button", name="Send").click()
        await expect(now).to_contain_text("your orders are in; write or order anew if you like")
        await expect(now).to_contain_text("1 of 3 orders sent and ready")
        await expect(arrows.locator(".ready .lock")).to_have_count(1)
        await _order(page, "A MAR", "Move", target="SPA")
        await expect(now).to_contain_text("2 of 3 orders drafted, not sent")
        await expect(arrows.locator(".draft .arrow")).to_have_count(1)
        for reader, who, stands in ONLOOKERS:
            made = await server.link(game, reader)
            await page.goto(f"{server.address}/at/{made.link.id}#{made.token}")
            await expect(page.locator("#who")).to_have_text(who)
            await expect(now).to_have_text(f"S1901M · {stands}")
            await expect(page.locator("#ordering, #send, #write, #forking")).to_have_count(4)
            await expect(page.locator(":is(#ordering, #send, #write, #forking):visible")).to_have_count(0)
    assert (await master.look(game)).state["orders"]["FRANCE"] == ["A PAR - BUR"]


async def test_a_finished_game_is_read_and_replayed_and_its_promises_and_centers_are_shown(
    memory_store: Store,
) -> None:
    master = GameMaster(memory_store)
    settings = GameSettings(everyone="diplomat", rounds=1, max_year=1901, seed=3)
    game = (await master.run(await master.begin(settings))).game
    async with served(memory_store) as server, chromium() as browser:
        made = await server.link(game, "OPERATOR")
        page = await browser.new_page(viewport={"width": 1300, "height": 1000})
        wrong = errors_of(page)
        await page.goto(f"{server.address}/at/{made.link.id}#{made.token}")
        now, phase = page.locator("#now"), page.locator("#phase")
        await expect(now).to_contain_text("The last year is over; ")
        await expect(page.locator("#letters, #tabs .unread")).to_have_count(1)
        await expect(now).not_to_contain_text("unread")
        await expect(page.locator("#chart .series")).to_have_count(7)
        await page.get_by_text("Commitments").click()
        await expect(page.locator("#ended li").first).to_contain_text(
            re.compile("S1901M (peace|support|dmz|alliance|order) .*(between|by)")
        )
        await expect(page.locator("#open li").first).to_have_text(re.compile("proposed by [A-Z]+$"))
        await page.get_by_text("Signs and colours").click()
        for palette in ("usual", "strong", "gray"):
            await page.get_by_label("Colours").select_option(palette)
            await shot(page, f"finished-{palette}")
            assert await barriers(page) == [], palette
        await page.get_by_label("Speed").select_option("fast")
        await page.evaluate(NOTE_PHASES)
        await page.get_by_role("button", name="Replay").click()
        await expect(phase).to_have_text("S1901M")
        await expect(page.get_by_role("button", name="Replay")).to_be_visible()
        assert await page.evaluate("phases") == ["S1901M", "F1901M", "W1901A", "S1902M"]
        await page.reload()
        await expect(page.get_by_label("Patterns")).to_be_checked()
        await page.goto(server.address)
        await expect(page.get_by_text("Games are opened by links of their own")).to_be_visible()
        assert await barriers(page) == []
        assert wrong == []
        await page.goto(f"{server.address}/at/{'0' * 12}")
        await expect(now).to_contain_text("A link that opens this was wanted and none came")
        await expect(page.locator("main")).to_be_hidden()
        assert await barriers(page) == []
