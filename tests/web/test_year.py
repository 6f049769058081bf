"""Three people play a whole year over the page, against powers that hold: by clicks, by typing, by keyboard alone."""

import re
from collections.abc import Callable

import pytest

from checkpoints.store import Store
from entente.games.runner import GameMaster
from graph.context import GameSettings
from tests.web.browsing import Page, Response, barriers, chromium, errors_of, expect, shot, wants_chromium
from tests.web.served import served

pytestmark = [pytest.mark.slow, wants_chromium]

A_POINT_OF = """shape => {
  const { x, y, width, height } = shape.getBoundingClientRect();
  const parts = [0.5, 0.3, 0.7, 0.4, 0.6];
  const points = parts.flatMap((right) => parts.map((down) => [x + width * right, y + height * down]));
  return points.find(([left, top]) => document.elementFromPoint(left, top) === shape);
}"""
PEOPLE = ("FRANCE", "TURKEY", "ITALY")


async def _now(page: Page, text: str) -> None:
    await expect(page.locator("#now")).to_contain_text(text)


def _has_kept(order: str) -> Callable[[Response], bool]:
    """Says whether a response is to a draft with this order."""
    return lambda answer: answer.url.endswith("/draft") and order in (answer.request.post_data or "")


async def _press(page: Page, name: str) -> None:
    await page.get_by_role("button", name=name, exact=True).click()


async def _click(page: Page, unit: str, *steps: str) -> None:
    """An order by clicks: the unit, then buttons by their names and provinces by their letters."""
    await page.locator(f"[data-unit='{unit}']").click()
    for step in steps:
        if re.fullmatch("[A-Z]{3}", step):
            await _click_province(page, step)
        else:
            await _press(page, step)


async def _click_province(page: Page, province: str) -> None:
    """Where it is: the middle of a province's frame may be a neighbor's, as Spain's is Portugal's."""
    shape = page.locator(f"[data-province='{province}'].lit").first
    await shape.scroll_into_view_if_needed()
    await page.mouse.click(*await shape.evaluate(A_POINT_OF))


async def _type(page: Page, *lines: str) -> None:
    await page.get_by_label("Type orders").fill("\n".join(lines))


async def _tab_to(page: Page, wanted: str) -> None:
    for _ in range(80):
        if await page.evaluate("wanted => document.activeElement.matches(wanted)", wanted):
            return
        await page.keyboard.press("Tab")
    raise AssertionError(f"the keyboard does not reach {wanted}")


async def _keys(page: Page, place: str, *steps: str) -> None:
    """An order by keys: the province that it begins with, then letters of verbs and provinces to go to."""
    await _tab_to(page, f"[data-province='{place}']")
    await page.keyboard.press("Enter")
    for step in steps:
        if len(step) == 3:
            await _tab_to(page, f"[data-province='{step}'].lit")
            await page.keyboard.press("Enter")
        else:
            await page.keyboard.press(step)


async def _send_by_keys(page: Page) -> None:
    await _tab_to(page, "#send")
    await page.keyboard.press("Enter")


async def _talk(france: Page, turkey: Page, italy: Page) -> None:
    """France writes to Italy; what is begun to Turkey stays there, and nothing is sent by Enter but what is added."""
    await _now(france, "FRANCE, write")
    letter, unsent = france.get_by_label("Message"), france.locator("#written")
    await france.get_by_role("tab", name="TURKEY").click()
    await letter.fill("Dear Sultan")
    await france.get_by_role("tab", name="ITALY").click()
    await expect(letter).to_have_value("")
    await letter.fill("Peace? <b>bold</b>")
    async with france.expect_response(lambda answer: answer.url.endswith("/draft")):
        await letter.press("Enter")
    await expect(unsent).to_contain_text("to ITALY, not sent: Peace? <b>bold</b>")
    await france.reload()  # the token is gone, and the cookie and the drafts are there
    await expect(unsent).to_contain_text("to ITALY, not sent")
    await france.get_by_role("tab", name="TURKEY").click()
    await expect(letter).to_have_value("Dear Sultan")
    for page in (france, turkey):
        await _press(page, "Send")
    await _send_by_keys(italy)


async def _read(italy: Page) -> None:
    """Italy finds the letter, with its time, marks it as unread, and finds it again after a reload."""
    await _now(italy, "your orders are wanted · 0 of 3 orders drafted, not sent · 1 unread")
    for reads_on in (True, False):
        await _tab_to(italy, "#next")
        await italy.keyboard.press("Enter")
        line = italy.locator("#letters .fresh")
        await expect(line).to_contain_text("FRANCE: Peace? <b>bold</b>")
        await expect(line.locator("time")).to_have_text(re.compile(r"\d:\d\d"))
        await expect(italy.locator("#now")).not_to_contain_text("unread")
        if reads_on:
            await _tab_to(italy, "#keep")
            await italy.keyboard.press("Enter")
            await _now(italy, "1 unread")
        await italy.reload()
        await _now(italy, "your orders are wanted")
    await expect(italy.locator("#now")).not_to_contain_text("unread")


async def _spring(france: Page, turkey: Page, italy: Page, other_tab: Page) -> None:
    await _click(france, "A PAR", "Move", "BUR")
    await _click(france, "F BRE", "Move", "MAO")
    drafted, board = france.locator("#drafted"), france.locator("#map")
    await expect(drafted).to_contain_text("A MAR: no order yet")
    await expect(board.locator("[data-unit='A MAR'].todo")).to_have_count(1)
    async with france.expect_response(_has_kept("A MAR - PIE")):
        await _click(france, "A MAR", "Move", "PIE")
    await expect(board.locator(".draft .arrow")).to_have_count(3)
    await _now(france, "3 of 3 orders drafted, not sent")
    assert await barriers(france) == []
    await shot(france, "drafted")
    await other_tab.goto(france.url)
    await expect(other_tab.locator("#drafted")).to_contain_text("A MAR - PIE")
    await france.get_by_role("button", name="Send").dblclick()
    await _now(france, "Your orders are sent and ready")
    await expect(board.locator(".ready .lock")).to_have_count(3)
    await expect(other_tab.locator("#map .ready .lock")).to_have_count(3)
    await shot(france, "ready")
    await _type(turkey, "con bul", "A SMY to CON", "1. fleet Ankara → Black Sea")
    await expect(turkey.locator("#echo")).to_contain_text("con bul: read as A CON - BUL")
    await _now(turkey, "3 of 3 orders drafted")
    await shot(turkey, "typed")
    await _press(turkey, "Send")
    await _keys(italy, "ROM", "m", "TUS")
    await _keys(italy, "NAP", "m", "ION")
    await _keys(italy, "VEN", "h")
    await _send_by_keys(italy)


async def _fall(france: Page, turkey: Page, italy: Page) -> None:
    for page in (france, turkey):
        await _now(page, "F1901M")
        await _press(page, "Send")
    await _now(italy, "F1901M · ITALY, write")
    await _send_by_keys(italy)
    await _now(france, "FRANCE, your orders are wanted")
    await _click(france, "F MAO", "Move", "SPA", "F MAO - SPA/NC")
    await _click(france, "A BUR", "Support", "MUN", "Support A MUN to hold")
    await _click(france, "A PIE", "Hold")
    await expect(france.locator("#drafted")).to_contain_text("A BUR S A MUN")
    await _press(france, "Vote for a draw")
    await expect(france.locator("#vote")).to_contain_text("ends the game for all survivors")
    await _press(france, "Vote for a draw with my orders")
    await shot(france, "vote")
    await _press(france, "Send")
    await expect(france.locator("#vote")).to_have_text("You have voted for a draw in this phase.")
    await _now(turkey, "TURKEY, your orders are wanted")
    await _click(turkey, "A CON", "Move", "ANK")
    await expect(turkey.locator("#choices")).to_contain_text("A CON - ANK VIA (by convoy)")
    await _press(turkey, "Cancel")
    await _type(turkey, "f bla - rum", "bul holds", "con h")
    await _now(turkey, "3 of 3 orders drafted")
    await _press(turkey, "Send")
    await _now(italy, "ITALY, your orders are wanted")
    await _keys(italy, "TUS", "s", "VEN", "PIE")
    await _keys(italy, "VEN", "m", "PIE")
    await _keys(italy, "ION", "m", "TUN")
    await _send_by_keys(italy)


async def _retreat_and_build(france: Page, turkey: Page, italy: Page) -> None:
    await _now(france, "F1901R · FRANCE, your orders are wanted")
    await expect(france.locator("#drafted")).to_contain_text("A PIE: no order yet")
    await shot(france, "retreat")
    await france.locator("[data-unit='A PIE'].out").click()
    await _press(france, "Retreat")
    await _click_province(france, "MAR")
    await _press(france, "Send")
    await _now(france, "W1901A · FRANCE, your orders are wanted · 0 of 1 orders drafted")
    drafted, waive = france.locator("#drafted"), france.get_by_role("button", name="Waive a build")
    await waive.click()
    await expect(waive).to_be_hidden()
    await drafted.get_by_role("button", name="Remove").click()
    await france.locator("[data-province='PAR']").first.click()
    await shot(france, "builds")
    assert await barriers(france) == []
    await _press(france, "A PAR B")
    await expect(drafted.get_by_role("listitem")).to_contain_text(["A PAR B"])
    await _press(france, "Send")
    await _now(turkey, "0 of 2 orders drafted")
    await _type(turkey, "build army in Smyrna", "F ANK B")
    await _now(turkey, "2 of 2 orders drafted")
    await _press(turkey, "Send")
    await _now(italy, "0 of 1 orders drafted")
    await _keys(italy, "NAP")
    await _tab_to(italy, "#choices button:nth-child(2)")
    await italy.keyboard.press("Enter")
    await _send_by_keys(italy)


async def _look_back(page: Page) -> None:
    """All that a player can look at when the year is over, on a small screen too."""
    await _now(page, "S1902M · FRANCE, write")
    await page.get_by_role("heading", name="Press").click()
    await page.keyboard.press("Home")
    await expect(page.locator("#phase")).to_have_text("S1901M")
    assert page.url.endswith("#phase=S1901M")
    await page.keyboard.press("ArrowRight")
    await expect(page.locator("#results")).to_contain_text("A PIE H: dislodged")
    await expect(page.locator("#map .burst")).to_have_count(1)
    await expect(page.locator("#counts")).to_contain_text("F FRANCE 3")
    await page.keyboard.press("End")
    await expect(page.locator("#counts")).to_contain_text("F FRANCE 4")
    await page.get_by_text("Signs and colours").click()
    await page.get_by_text("Commitments").click()
    await expect(page.locator("#open")).to_have_text("None that you may know of.")
    await page.keyboard.press("ArrowLeft")
    await page.get_by_label("Colours").select_option("gray")
    await expect(page.get_by_label("Patterns")).to_be_checked()
    assert await barriers(page) == []
    await shot(page, "year")
    await page.set_viewport_size({"width": 360, "height": 740})
    assert await page.evaluate("document.documentElement.scrollWidth") <= 360
    spain = page.locator("[data-unit='F SPA/NC']")
    await spain.scroll_into_view_if_needed()
    place = await spain.bounding_box()
    assert place is not None
    assert place["width"] >= 24  # WCAG 2.5.8: a finger can hit it
    await shot(page, "narrow")


async def test_three_people_play_a_year_by_clicks_by_typing_and_by_keyboard(memory_store: Store) -> None:
    master = GameMaster(memory_store)
    settings = GameSettings(everyone="hold", seats=dict.fromkeys(PEOPLE, "human"), rounds=1, max_year=1902)
    game = (await master.run(await master.begin(settings))).game
    async with served(memory_store) as server, chromium() as browser:
        pages: list[Page] = []
        for power in PEOPLE:
            made = await server.link(game, power)
            context = await browser.new_context(viewport={"width": 1300, "height": 1000})
            pages.append(await context.new_page())
            await pages[-1].goto(f"{server.address}/at/{made.link.id}#{made.token}")
            await _now(pages[-1], f"{power}, write")
            assert made.token not in pages[-1].url
        france, turkey, italy = pages
        wrong = [errors_of(page) for page in pages]
        await _talk(france, turkey, italy)
        await _read(italy)
        await _spring(france, turkey, italy, await france.context.new_page())
        await _fall(france, turkey, italy)
        await _retreat_and_build(france, turkey, italy)
        await _look_back(france)
        assert wrong == [[], [], []]
    board = (await master.look(game)).state["board"]
    units = {power: set(board["units"][power]) for power in PEOPLE}
    assert units == {
        "FRANCE": {"A BUR", "F SPA/NC", "A MAR", "A PAR"},
        "TURKEY": {"A BUL", "A CON", "F RUM", "A SMY", "F ANK"},
        "ITALY": {"A PIE", "A TUS", "F TUN", "F NAP"},
    }
