"""The generated documents say what the program does, at any width of terminal."""

import json
from pathlib import Path

import pytest

from checkpoints.store import open_store
from entente.cli.arena import arena
from entente.cli.bots import bots
from entente.cli.games import games
from entente.cli.links import links
from entente.cli.main import EXIT_CODES, app
from entente.cli.models_check import models
from entente.cli.prompts import prompts
from entente.cli.reference import (
    JSON_KEYS,
    JSON_LINES,
    PAGES,
    cli_page,
    events_page,
    member_lines,
    settings_page,
)
from entente.cli.train import train
from entente.errors import EntenteError
from entente.events import EventKind
from entente.games.line import records_on_line
from entente.games.runner import GameMaster, RunEnd
from entente.players.projection import events_of
from entente.players.record import NoticeKind
from graph.context import GameSettings
from tests.cli.conftest import Shelf
from tests.support.terminal import entente, json_lines

_OF_A_SEAT = ("bundle", "prompts show")
"""Commands that take a power behind the game."""
_DOCS = Path(__file__).parents[2] / "docs"


@pytest.mark.parametrize("name", PAGES)
def test_a_generated_document_is_current(name: str) -> None:
    assert (_DOCS / name).read_text(encoding="utf-8") == PAGES[name](), "run `make docs`"


def test_the_documents_do_not_depend_on_the_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    wide = cli_page()
    monkeypatch.setenv("COLUMNS", "40")
    monkeypatch.setenv("TERMINAL_WIDTH", "40")
    assert cli_page() == wide


@pytest.mark.parametrize(
    "group", ["--help", "-h", "games -h", "models --help", "bots --help", "arena --help", "prompts --help"]
)
def test_no_command_is_cut_off_in_a_list(group: str) -> None:
    ran = entente(*group.split())
    assert ran.code == 0
    assert "..." not in ran.out.replace("[ARGS]...", "")
    assert max(map(len, ran.out.splitlines())) <= 80


def test_every_command_is_documented() -> None:
    named = {
        command.name or command.callback.__name__.replace("_", "-")
        for command in app.registered_commands
        if command.callback
    }
    groups = {
        "games": games,
        "links": links,
        "models": models,
        "bots": bots,
        "arena": arena,
        "prompts": prompts,
        "train": train,
    }
    named |= {
        f"{name} {command.name or command.callback.__name__}"
        for name, group in groups.items()
        for command in group.registered_commands
        if command.callback
    }
    documented = {
        line.removeprefix("## entente ") for line in cli_page().splitlines() if line.startswith("## entente ")
    }
    assert documented == {*groups, *named}


def test_every_setting_event_and_notice_is_documented() -> None:
    assert all(f"| `{name}` |" in settings_page() for name in GameSettings.model_fields)
    assert set(member_lines(EventKind)) == set(EventKind)
    assert set(member_lines(NoticeKind)) == set(NoticeKind)
    assert all(f"## {kind.value}\n" in events_page() for kind in EventKind)
    assert all(f"| `{kind.value}` |" in events_page() for kind in NoticeKind)


async def test_events_carry_the_documented_data(shelf: Shelf) -> None:
    async with open_store(shelf.store) as store:
        state = (await GameMaster(store).look(shelf.finished)).state
        records = await records_on_line(store.journal, shelf.finished, state)
    sections = dict(part.split("\n", 1) for part in events_page().split("\n## ")[1:])
    for event in (event for record in records for event in events_of(record, "OPERATOR")):
        documented = {line.split("`")[1] for line in sections[event.kind.value].splitlines() if "- `" in line}
        assert set(event.data) == documented


@pytest.mark.parametrize(
    "name", ["games list", "games show", "board", "tell", "press", "log", "usage", *_OF_A_SEAT]
)
def test_json_has_the_documented_keys(shelf: Shelf, name: str) -> None:
    game = () if name == "games list" else (shelf.finished, *(["FRANCE"] if name in _OF_A_SEAT else []))
    printed = entente(*name.split(), *game, "--json", "--store", shelf.store).out
    objects = json_lines(printed) if name in JSON_LINES else [json.loads(printed)]
    assert objects
    assert all(tuple(each) == JSON_KEYS[name] for each in objects)


def test_every_command_that_prints_json_is_documented() -> None:
    helps = cli_page().split("\n## entente ")[1:]
    assert {part.split("\n")[0] for part in helps if "--json" in part} == set(JSON_KEYS)


def test_every_exit_code_that_is_used_is_documented() -> None:
    from entente.cli.ending import EXITS

    used = {EXITS[end] for end in RunEnd} | {error.exit_code for error in _all_errors(EntenteError)}
    assert used | {1} == set(EXIT_CODES)


def _all_errors(root: type[EntenteError]) -> list[type[EntenteError]]:
    return [root, *(error for child in root.__subclasses__() for error in _all_errors(child))]
