"""A real browser for the page's tests, pictures of what it shows, and what stands in people's way there."""

import os
import shutil
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from importlib.resources import files
from pathlib import Path

import pytest

from tests.support.patience import PATIENCE

pytest.importorskip(
    "axe_playwright_python", reason="the page's tests want playwright and axe: make .venv/dev"
)

from playwright.async_api import Browser, FilePayload, Page, Response, Route, async_playwright, expect

__all__ = [
    "FilePayload",
    "Page",
    "Response",
    "Route",
    "barriers",
    "chromium",
    "errors_of",
    "expect",
    "shot",
    "wants_chromium",
]

CHROMIUM = shutil.which("chromium")
wants_chromium = pytest.mark.skipif(
    CHROMIUM is None, reason="the page's tests want Chromium on the PATH: apt-get install chromium"
)
expect.set_options(timeout=PATIENCE * 1000)
AXE = files("axe_playwright_python") / "axe.min.js"
SHOTS = os.environ.get("ENTENTE_SCREENSHOTS")
"""A folder for pictures of what the browser shows."""


@asynccontextmanager
async def chromium() -> AsyncGenerator[Browser]:
    """A browser without a window."""
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        try:
            yield browser
        finally:
            await browser.close()


async def shot(page: Page, name: str) -> None:
    """A picture of the page, where somebody wants pictures."""
    if SHOTS:
        await page.screenshot(path=str(Path(SHOTS) / f"{name}.png"), full_page=True)


async def barriers(page: Page) -> list[str]:
    """What axe finds against WCAG 2 AA, a line each."""
    # As a page of its own would load it, the page's policy refuses it: the debugger's door is not the page's.
    await page.evaluate(AXE.read_text("utf-8"))
    found = await page.evaluate("axe.run({runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa']})")
    return [f"{each['id']}: {node['target']}" for each in found["violations"] for node in each["nodes"]]


def errors_of(page: Page) -> list[str]:
    """What goes wrong in the page's scripts from now on, as it does."""
    wrong: list[str] = []
    page.on("pageerror", lambda error: wrong.append(str(error)))
    page.on("console", lambda line: wrong.append(line.text) if line.type == "error" else None)
    return wrong
