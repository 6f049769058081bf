"""Nothing that others wrote takes control of who reads it, whichever command prints it."""

import json
import re
import shutil
import sqlite3
from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass
from itertools import takewhile
from pathlib import Path
from typing import NamedTuple

import pytest
from pydantic import JsonValue
from rich.cells import cell_len

from checkpoints.locations import JOURNAL_FILE
from checkpoints.store import open_store
from entente.cli import players
from entente.cli.lines import event_line, message_line
from entente.cli.situation import Situation
from entente.display import displayable
from entente.games.runner import GameMaster
from entente.models.wire import CallUsage, ModelReply, ModelRequest
from entente.players.actions import Action, SendMessage, SubmitOrders, UpdateMemory
from entente.players.bundle import Bundle
from entente.players.model.player import ModelPlayer
from entente.players.projection import events_of
from entente.players.protocol import Player
from entente.players.seating import Chair
from entente.press.messages import BROADCAST, Act, CommitmentKind, MessageType, Statement
from tests.support.players import Cast
from tests.support.stores import a_message, a_turn
from tests.support.terminal import entente, games_in, json_values, terminal
from tests.test_display import HOSTILE

EVIL = "\x1b]0;evil\x07\x9b31m\u202e\u200b\U000e0041\x85\u2028[/x]"
MODEL = "openai:qwen[/awq][awq]@http://127.0.0.1:9/v1"


def hostile(bundle: Bundle) -> Sequence[Action]:
    """Puts controls into everything that a player can say."""
    if bundle.wants_orders:
        return [SubmitOrders(orders=(EVIL, "A PAR H")), UpdateMemory(key="plan", value=EVIL)]
    statement = Statement(
        kind=CommitmentKind.ORDER, act=Act.STATE, by=EVIL, locations=(EVIL,), order=EVIL, term=EVIL
    )
    to_all = SendMessage(
        recipient=BROADCAST, message_type=MessageType.INFO, content=f"Hello {EVIL}", commitments=(statement,)
    )
    return [
        to_all,
        to_all.model_copy(update={"recipient": EVIL, "reply_to": EVIL}),
        UpdateMemory(key="k", value=EVIL),
    ]


class Sayer:
    """A model that answers with controls."""

    async def complete(self, request: ModelRequest, /) -> ModelReply:
        usage = CallUsage(
            purpose="interview",
            model=EVIL,
            provider=EVIL,
            latency_seconds=0,
            prompt_tokens=0,
            cached_tokens=0,
            completion_tokens=0,
            cost_usd=0,
            attempts=1,
            finish_reason=EVIL,
        )
        return ModelReply(text=EVIL, tool_calls=(), usage=usage)


@dataclass
class HostileCast(Cast):
    """Whose seats can be interviewed."""

    is_asked: bool = False

    def __call__(self, chair: Chair) -> Player:
        return ModelPlayer(Sayer()) if self.is_asked else super().__call__(chair)


class Hostile(NamedTuple):
    store: str
    game: str


@pytest.fixture(scope="module")
def shelved(tmp_path_factory: pytest.TempPathFactory) -> Hostile:
    """A game of hostile players that waits for Italy, its press in the store as an older entente took it."""
    store = str(tmp_path_factory.mktemp("hostile") / "store")
    with pytest.MonkeyPatch.context() as patch:
        cast = HostileCast(scripts={MODEL: hostile}, diaries={MODEL: lambda _: f"Dear diary {EVIL}"})
        patch.setattr(players, "Seating", cast.in_place_of_seating)
        options = ("--all", "hold", "--seat", f"FRANCE={MODEL}", "--seat", "ITALY=human", "--rounds", "1")
        assert entente("play", *options, "--max-year", "1902", "--store", store).code == 6
        (game,) = games_in(store)
        for answer in ["\n"] * 4:
            entente("turn", game, "ITALY", "--store", store, stdin=answer)
    with closing(sqlite3.connect(Path(store) / JOURNAL_FILE)) as opened, opened:
        raw = json.dumps(EVIL, ensure_ascii=False)[1:-1]
        changed = opened.execute(
            "UPDATE messages SET body = replace(body, 'Hello', ?)", (f"Hello {raw}",)
        ).rowcount
        assert changed
    return Hostile(store, game)


READING = (
    "board {game}",
    "board {game} --json",
    "board {game} --svg",
    "board {game} --at S1901M",
    "press {game}",
    "press {game} --json",
    "log {game}",
    "log {game} --json",
    "usage {game}",
    "usage {game} --json",
    "games list",
    "games list --json",
    "games show {game}",
    "games show {game} --json",
    "games show {game} --yaml",
    "games copy {game}",
    "games prune {game}",
    "games delete {game}",
    "games export {game} {folder}/game.entente",
    "games import {folder}/game.entente",
    "fork {game} --at S1901M",
    "turn {game} ITALY",
    "resume {game}",
)
REFUSED = (
    "board \x1b]0;x\x07",
    "log {game} --at \u202e",
    "log {game} --kind \x9b31m",
    "ask {game} \x1b] hello",
)


@pytest.mark.parametrize("line", [*READING, *REFUSED])
def test_no_command_prints_what_a_terminal_obeys(
    shelved: Hostile, line: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = str(tmp_path / "store")
    shutil.copytree(shelved.store, store)
    cast = HostileCast(scripts={MODEL: hostile})
    monkeypatch.setattr(players, "Seating", cast.in_place_of_seating)
    if " import " in line:
        entente(*f"games export {shelved.game} {tmp_path}/game.entente".split(), "--store", store)
        entente("games", "delete", shelved.game, "--store", store)
    ran = entente(*line.format(game=shelved.game, folder=tmp_path).split(" "), "--store", store, stdin="\n")
    assert (ran.code == 2) == (line in REFUSED), ran
    shown = ran.out + ran.err
    assert shown
    assert HOSTILE.findall(shown) == []
    if "--json" in line:
        assert HOSTILE.findall("".join(_texts(json_values(ran.out)))) == []


def test_an_answer_is_shown_as_text(shelved: Hostile, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(players, "Seating", HostileCast(is_asked=True).in_place_of_seating)
    for form in ((), ("--json",)):
        ran = entente("ask", shelved.game, "FRANCE", "Well?", *form, "--store", shelved.store)
        assert ran.code == 0, ran
        assert "evil" in ran.out
        assert HOSTILE.findall(ran.out + ran.err + "".join(_texts(json.loads(ran.out)) if form else "")) == []


def _texts(value: JsonValue) -> list[str]:
    match value:
        case str():
            return [value]
        case list():
            return [text for part in value for text in _texts(part)]
        case dict():
            return [*value.keys(), *(text for part in value.values() for text in _texts(part))]
        case _:
            return []


@pytest.mark.parametrize("command", ["games list", "games show {game}"])
def test_brackets_in_a_models_name_are_text(shelved: Hostile, command: str) -> None:
    ran = entente(*command.format(game=shelved.game).split(), "--store", shelved.store)
    assert "openai:qwen[/awq][awq]" in (ran.out + ran.err).replace("\n", "")


def test_no_setting_of_a_game_poses_as_a_line_of_its_own(tmp_path: Path) -> None:
    posing = "be kind\nstatus over\r\nTo confirm all of it: nothing"
    prompts, config, file = tmp_path / posing, tmp_path / "game.json", tmp_path / "game.entente"
    (prompts / "personas").mkdir(parents=True)
    (prompts / "personas" / "FRANCE.md").write_text("You are kind.")
    settings = {
        "seats": {"FRANCE": "human"},
        "models": {"instructions": posing},
        "seat_models": {"ITALY": {"persona": posing}},
        "prompts": str(prompts),
    }
    config.write_text(json.dumps(settings))
    store, other = ("--store", str(tmp_path / "store")), ("--store", str(tmp_path / "other"))
    assert entente("play", "--config", str(config), *store).code == 6
    (game,) = games_in(store[1])
    shown = [entente("games", "show", game, *store)]
    shown += [
        entente("games", "export", game, str(file), *store),
        entente("games", "import", str(file), *other),
    ]
    shown += [entente("games", "show", game, *other), entente("fork", game, "--at", "S1901M", *other)]
    assert "be kind status" in shown[0].out
    lines = [line for ran in shown for line in (ran.out + ran.err).splitlines()]
    assert [line for line in lines if line.startswith(("status over", "To confirm all of it: nothing"))] == []


def test_no_setting_of_a_game_poses_as_a_row_of_its_own(tmp_path: Path) -> None:
    """A terminal of 80 columns would break the line of a long setting where its writer likes."""
    posing = {"instructions": " ".join("x" * columns + " status over" for columns in range(1, 81))}
    config, store = tmp_path / "game.json", str(tmp_path / "store")
    config.write_text(json.dumps({"seats": {"FRANCE": "human"}, "models": posing}))
    assert entente("play", "--config", str(config), "--store", store).code == 6
    (game,) = games_in(store)
    with terminal("games", "show", game, "--store", store, columns=80) as screen:
        assert screen.exit_code() == 0
    rows = screen.screen.split("\n")
    assert sum(row.count("status over") for row in rows) > 40
    assert [row for row in rows if row.startswith("status")] == [f"{'status':<16} waiting"]
    assert [row for row in rows if len(row) > 80 and "digest" not in row] == []


def test_nothing_that_an_imported_game_names_poses_as_a_row_of_its_own(tmp_path: Path) -> None:
    store, file = str(tmp_path / "store"), str(tmp_path / "game.zip")
    posing = f"exec:sleep {' '.join(['To confirm all of it: nothing'] * 14)}"
    assert entente("play", "--seat", f"FRANCE={posing}", "--store", store).code == 4
    (game,) = games_in(store)
    assert entente("games", "export", game, file, "--store", store).code == 0
    with terminal("games", "import", file, "--store", str(tmp_path / "other"), columns=80) as screen:
        assert screen.exit_code() == 0
    rows = screen.screen.split("\n")
    first = next(at for at, row in enumerate(rows) if row.startswith("This game is untrusted."))
    named = [*takewhile(lambda row: not row.startswith("To confirm all of it: entente"), rows[first + 1 :])]
    assert len(named) > 3
    assert all(row.startswith("  ") for row in named)


def test_a_name_with_controls_is_refused_and_shown_as_text(tmp_path: Path) -> None:
    ran = entente("play", "--seat", f"FRANCE=openai:{EVIL}", "--store", str(tmp_path / "store"))
    assert ran.code == 2
    assert displayable(ran.err) == ran.err


_AS_OURS = "S1901M.1 GERMANY to FRANCE: I march on Burgundy"
FORGED = f"I agree.{' ' * 200}{_AS_OURS}\n{_AS_OURS}\n{'…' * 70}{_AS_OURS}"


@pytest.mark.parametrize("columns", [None, 60, 80])
def test_a_message_cannot_pose_as_a_line_of_its_own(columns: int | None) -> None:
    message = a_message("ITALY", BROADCAST, FORGED)
    turn = a_turn("g", "s", "ITALY").model_copy(update={"messages": (message,)})
    event = events_of(turn, "OPERATOR")[0]
    for line in (message_line(message, "S1901M.1", columns=columns), event_line(event, columns=columns)):
        first, *others = line.split("\n")
        assert "ITALY" in first
        assert others
        assert all(other.startswith("    | ") for other in others)
        assert columns is None or max(map(cell_len, line.split("\n"))) <= columns
        assert not any("  S1901M" in other.removeprefix("    | ") for other in others)


async def test_neither_can_it_in_the_dialog(shelved: Hostile, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("entente.cli.situation.columns_to_say", lambda: 80)
    async with open_store(shelved.store) as store:
        standing = await GameMaster(store).look(shelved.game)
        situation = Situation(store, standing, standing.pending[0])
        told = "\n".join([await situation.press(), await situation.log()])
    assert "evil" in told
    assert HOSTILE.findall(told) == []
    assert max(map(cell_len, told.split("\n"))) <= 80


def test_a_terminal_of_80_columns_shows_a_mark_before_each_further_row(
    shelved: Hostile, tmp_path: Path
) -> None:
    store = tmp_path / "store"
    shutil.copytree(shelved.store, store)
    with closing(sqlite3.connect(store / JOURNAL_FILE)) as opened, opened:
        forged = json.dumps(FORGED)[1:-1]
        opened.execute("UPDATE messages SET body = replace(body, 'Hello', ?)", (forged,))
    with terminal("press", shelved.game, "--operator", "--store", str(store), columns=80) as screen:
        assert screen.exit_code() == 0
    rows = screen.screen.strip().split("\n")
    assert max(map(cell_len, rows)) <= 80
    ours = re.compile(r"(\d{4}-\d\d-\d\d \d\d:\d\d:\d\d )[SF]190\dM\.1 FRANCE to all: |    \| ")
    assert [row for row in rows if not ours.match(row)] == []
