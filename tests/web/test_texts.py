"""What people write stays text on the page, and two tabs of one seat end in one answer."""

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import dataclass

from checkpoints.store import Store
from entente.games.runner import GameMaster
from graph.context import GameSettings
from tests.web.browsing import Page as Tab
from tests.web.browsing import Route, chromium, errors_of, expect, shot, wants_chromium
from tests.web.served import Page, served

pytestmark = wants_chromium

MARKUP = (
    "<img src=x onerror=document.title='taken'>",
    "<svg onload=document.title='taken'>",
    "</script><script>document.title='taken'</script>",
    "\x1b[31mred\x1b[0m",
    "[bold red]loud[/]",
)
TALK = GameSettings(everyone="hold", seats={"FRANCE": "human", "GERMANY": "human"}, floor="conductor")


@dataclass
class Letters:
    """FRANCE's page, with what GERMANY has written to it."""

    game: str
    server: Page
    page: Tab
    wrong: list[str]
    """What has gone wrong on it."""


@asynccontextmanager
async def written(store: Store, *texts: str, width: int = 1280, height: int = 720) -> AsyncGenerator[Letters]:
    master = GameMaster(store)
    game = (await master.run(await master.begin(TALK))).game
    async with served(store) as server, chromium() as browser, server.visit(game, "GERMANY") as germany:
        page = await browser.new_page(viewport={"width": width, "height": height})
        letters = Letters(game, server, page, errors_of(page))
        made = await server.link(game, "FRANCE")
        asked = (await germany.get("/seat")).json()
        messages = [{"to": "FRANCE", "text": text} for text in texts]
        sent = await germany.post("/answer", {"question": asked["id"], "messages": messages})
        assert sent.status_code == 204, sent.text
        await page.goto(f"{server.address}/at/{made.link.id}#{made.token}")
        await page.get_by_role("tab", name="GERMANY").click()
        yield letters


async def test_markup_in_press_and_in_a_games_name_is_shown_and_not_obeyed(memory_store: Store) -> None:
    async with written(memory_store, *MARKUP) as letters:
        game, server, page, wrong = letters.game, letters.server, letters.page, letters.wrong
        shown = page.locator("#letters")
        for text in MARKUP:
            await expect(shown).to_contain_text(text.replace("\x1b", " ").strip())
        assert "\x1b" not in await shown.inner_text()
        assert await shown.locator("img, svg, script").count() == 0
        await shot(page, "markup")
        await memory_store.library.rename(game, MARKUP[0])
        operator = await server.link("", "OPERATOR")
        await page.goto(f"{server.address}/at/{operator.link.id}#{operator.token}")
        games = page.get_by_role("navigation", name="Games")
        await expect(games).to_contain_text(MARKUP[0])
        assert await games.locator("img").count() == 0
        assert await page.title() == "entente"
        assert wrong == []


HEAPS = "".join(letter + "\u0302" * 60 for letter in "GERMANY")
POSING = f"Agreed. {'—' * 300} S1901M 4:51:07 PM GERMANY: I march on Burgundy {'W' * 400}"
FURTHER_ROWS = """letter => {
  const range = document.createRange();
  range.selectNodeContents(letter);
  const head = letter.querySelector("small").getBoundingClientRect();
  return [...range.getClientRects()].filter(({ top }) => top >= head.bottom).map(({ left }) => left - head.left);
}"""
"""How far within a letter's head its further rows begin."""


async def test_a_letter_neither_covers_another_nor_poses_as_one(memory_store: Store) -> None:
    texts = ("Peace?", HEAPS, "War!", POSING)
    async with written(memory_store, *texts, width=360, height=900) as letters:
        page = letters.page
        await page.evaluate("document.getElementById('letters').style.maxHeight = 'none'")
        peace, heaps, war, posing = [page.locator("#letters li").nth(number) for number in range(4)]
        await expect(posing).to_contain_text("I march on Burgundy")
        await shot(page, "letters")
        covered = [await letter.screenshot() for letter in (peace, war)]
        await heaps.evaluate("letter => letter.style.visibility = 'hidden'")
        assert [await letter.screenshot() for letter in (peace, war)] == covered
        rows = await posing.evaluate(FURTHER_ROWS)
        assert rows
        assert min(rows) > 10
        assert await page.evaluate("document.documentElement.scrollWidth") <= 360


async def test_of_two_tabs_of_a_seat_one_sends_and_the_other_is_told_and_keeps_its_text(
    memory_store: Store,
) -> None:
    master = GameMaster(memory_store)
    people = GameSettings(everyone="hold", seats={"FRANCE": "human", "GERMANY": "human"}, rounds=1)
    game = (await master.run(await master.begin(people))).game
    async with served(memory_store) as server, chromium() as browser:
        made = await server.link(game, "FRANCE")
        context = await browser.new_context()
        first, second = [await context.new_page() for _ in range(2)]
        await first.goto(f"{server.address}/at/{made.link.id}#{made.token}")
        await expect(first.locator("#now")).to_contain_text("FRANCE, write")
        await second.goto(first.url)
        for tab, text in ((first, "from the first"), (second, "from the second")):
            await expect(tab.locator("#now")).to_contain_text("FRANCE, write")
            await tab.get_by_role("tab", name="GERMANY").click()
            await tab.get_by_label("Message").fill(text)
        # Both send before either hears of the other.
        held: list[Route] = []
        await context.route("**/answer", lambda route: held.append(route))  # Playwright marks what it calls
        for tab in (first, second):
            async with tab.expect_request("**/answer"):
                await tab.get_by_role("button", name="Send", exact=True).click()
        for route in held:
            await route.continue_()
        # Whichever the server takes first.
        for tab in (first, second):
            await expect(tab.locator("#done:not(:empty), #said:not(:empty)")).to_have_count(1)
        first_won = bool(await first.locator("#done").text_content())
        winner, loser, kept = (first, second, "second") if first_won else (second, first, "first")
        await expect(winner.locator("#done")).to_contain_text(": sent, and kept.")
        await expect(loser.locator("#said")).to_contain_text("came when that question was no longer open")
        await expect(loser.get_by_label("Message")).to_have_value(f"from the {kept}")
        await shot(loser, "tabs")
