"""What the README shows is what the program prints."""

import re
from pathlib import Path

import pytest
from typer.testing import CliRunner

from entente.cli.main import app

README = (Path(__file__).parent.parent / "README.md").read_text()
_CLOCK = re.compile(r"\d{4}-\d\d-\d\d \d\d:\d\d:\d\d")
_ENDLESS = re.compile(r"\$ entente (?:serve|.*mock)")
"""Servers, and a game that needs one; tests/web and tests/e2e/test_models.py run them."""
_BLOCK = re.compile(r"```console\n(.*?)```", re.DOTALL)


def shown() -> list[tuple[str, list[str]]]:
    """Each command of the README, with the lines printed under it; `…` stands for lines left out."""
    examples: list[tuple[str, list[str]]] = []
    for block in _BLOCK.findall(README):
        for line in block.splitlines():
            if _ENDLESS.match(line):
                continue
            if line.startswith("$ entente "):
                examples.append((line.removeprefix("$ entente "), []))
            elif line != "…":
                examples[-1][1].append(line.rstrip())
    return examples


def _timeless(line: str) -> str:
    """The line without the clock's time, which is another each time."""
    return _CLOCK.sub("TIME", line)


def run(command: str, store: Path) -> str:
    result = CliRunner().invoke(app, [*command.split(), "--store", str(store)])
    assert result.exit_code in (0, 6), result.output
    return result.stdout


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("readme") / "store"


def test_every_command_of_the_readme_runs_and_prints_what_it_says(store: Path) -> None:
    finished: list[str] = []
    for command, expected in shown():
        # GAME is the latest that was finished.
        printed = run(command.replace("GAME", finished[-1] if finished else ""), store)
        lines = [_timeless(line).rstrip() for line in printed.splitlines()]
        assert [line for line in map(_timeless, expected) if line not in lines] == []
        finished += [path.stem for path in (store / "maps").iterdir() if path.stem not in finished]


def test_every_make_target_of_the_readme_exists() -> None:
    makefile = (Path(__file__).parent.parent / "Makefile").read_text()
    targets = re.findall(r"`?make ([a-z-]+)", README)
    assert targets
    assert [target for target in targets if f"\n{target}:" not in makefile] == []
