"""`entente prompts compare` with scripted models over HTTP: what it prints, how it stops, and how it goes on."""

import asyncio
import json
import signal
from collections.abc import Callable
from contextlib import redirect_stderr
from io import StringIO
from pathlib import Path

import pytest

from checkpoints.store import open_store
from entente.cli.main import exit_code
from entente.cli.reference import JSON_KEYS
from entente.games.spending import spending_of
from tests.e2e.test_kill_models import provider
from tests.support.terminal import entente, games_in, start

SHORT = ("--floor", "gunboat", "--max-year", "1901", "--against", "hold")
AGAIN = "To go on, give the same command again"


def command(a: str, b: str, *more: str) -> tuple[str, ...]:
    return ("prompts", "compare", a, b, *SHORT, *more)


def test_a_worse_model_is_told_with_sign_and_interval_in_a_table_that_can_be_pasted(
    serve: Callable[[str], str], tmp_path: Path
) -> None:
    good = serve('{"faults": [{"kind": "garbage", "model": "worse"}]}')
    given = command(good, good.replace("mock@", "worse@"), "--games", "3", "--store", str(tmp_path / "store"))
    ran = entente(*given)
    assert ran.code == 0, ran.err
    head, table = ran.out.split("\n\n", 1)
    assert head.splitlines() == [
        f"A: {given[2]}",
        f"B: {given[3]}",
        "3 pairs of games, seeds 42 to 44, gunboat, to 1901, hold in the other seats",
        "Interval of B - A: 95 %, Student's t over the pairs",
    ]
    rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in table.strip().splitlines()]
    assert rows[0] == ["", "A", "B", "B - A", "interval", "pairs"]
    found = {row[0]: row[1:] for row in rows[2:]}
    assert found["malformed replies"] == ["0.000", "1.000", "+1.000", "+1.000 to +1.000", "3"]
    assert found["legal orders of those written"][-1] == "0"  # B wrote none
    assert ran.err.count("Game compare-") == 6
    assert "3 of 3 pairs  seed 44  FRANCE against hold: score " in ran.err

    again = entente(*given, "--json")
    printed = json.loads(again.out)
    assert "Game " not in again.err  # nothing was played again
    assert tuple(printed) == JSON_KEYS["prompts compare"]
    rates = {row["measure"]: row for row in printed["differences"]}
    assert (rates["malformed"]["low"], rates["malformed"]["high"]) == (1, 1)
    assert rates["hold_rate"]["b"] == 1
    assert rates["hold_rate"]["low"] > 0
    assert rates["tokens"]["low"] > 0  # it was asked once more each time
    ids = {pair[side] for pair in printed["pairs"] for side in "ab"}
    assert ids == set(games_in(str(tmp_path / "store")))


def test_a_provider_that_fails_pauses_it_and_the_same_command_goes_on(
    serve: Callable[[str], str], tmp_path: Path
) -> None:
    spec = serve('{"faults": [{"kind": "401", "calls": [2]}]}')
    given = command(
        "default", "short", "--player", spec, "--games", "1", "--store", str(tmp_path / "store"), "--json"
    )
    ran = entente(*given)
    assert (ran.code, ran.out) == (4, "")
    assert "AUSTRIA" in ran.err
    assert AGAIN in ran.err.splitlines()[-1]
    ran = entente(*given, "--model-setting", "max_attempts=2")  # patience is no part of a game's id
    assert ran.code == 0
    assert len(games_in(str(tmp_path / "store"))) == 2
    assert json.loads(ran.out)["pairs"][0]["power"] == "AUSTRIA"


def calls_in(store: str) -> int:
    """The calls that all games of the store have kept."""

    async def counted() -> int:
        async with open_store(store) as opened:
            games = [game.id for game in await opened.library.games()]
            return sum([(await spending_of(opened, game)).total.calls for game in games])

    return asyncio.run(counted())


def killed_after_a_game(given: tuple[str, ...]) -> None:
    """Kill it as soon as it says that a game is over."""
    with start(*given) as process:
        told = ""
        while "1 of 2 games over" not in told:
            line = process.stderr.readline()
            assert line, f"it ended before a game was over: {told}"
            told += line
        process.kill()


def test_killed_it_goes_on_and_pays_for_no_kept_call_twice(shared_location: str, tmp_path: Path) -> None:
    with provider(tmp_path) as server:
        store, whole = shared_location, str(tmp_path / "whole")
        given = command("default", "short", "--player", f"openai:mock@{server.url}", "--games", "1", "--json")
        expected = entente(*given, "--store", whole)
        assert expected.code == 0, expected.err
        wanted = server.calls
        assert wanted == calls_in(whole)
        killed_after_a_game((*given, "--store", store))
        ran = entente(*given, "--store", store)
        asked = server.calls - wanted
    assert (ran.code, ran.out) == (0, expected.out)
    assert ran.err.count("Game compare-") <= 1  # the other may have ended in the same moment
    # One seat has one call under way when it is killed, and beside it one for its diary.
    assert wanted <= asked <= wanted + 2


class Interrupting(StringIO):
    """A terminal at which somebody presses Ctrl-C as soon as a game is played."""

    def write(self, text: str) -> int:
        if "Game " in text:
            signal.raise_signal(signal.SIGINT)
        return super().write(text)


def test_ctrl_c_pauses_it_with_the_sentence_how_to_go_on(tmp_path: Path) -> None:
    given = command("dumbbot", "hold", "--games", "1", "--store", str(tmp_path / "store"))
    with redirect_stderr(Interrupting()) as err:
        assert exit_code(given) == 5
    assert AGAIN in err.getvalue().splitlines()[-1]
    assert entente(*given).code == 0


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("default shrot --player openai:m@http://127.0.0.1:1/v1", "'shrot' came"),
        ("default short", "'default' names none"),
        ("default default --player openai:m@http://127.0.0.1:1/v1", "both are the same"),
        ("openai:gpt-5 dumbbot", "OPENAI_API_KEY"),
        ("dumbbot openai:gpt-5", "OPENAI_API_KEY"),
        ("dumbbot human", "a person came"),
        ("dumbbot hold --against human", "human came"),
        ("dumbbot hold --against hold --all", "both came"),
        ("dumbbot hold --max-year 1900", "1900 came"),
        ("dumbbot short,hold", "hold is none"),
        ("openai:m@http://127.0.0.1:1/v1 openai:m@http://127.0.0.1:1/v1,warmth=1", "'warmth'"),
        ("openai:m@http://127.0.0.1:1/v1,FRANCE.temperature=1 hold", "without a power"),
    ],
)
def test_what_cannot_be_compared_is_one_sentence_and_nothing_is_played(
    line: str, told: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    ran = entente("prompts", "compare", *line.split(), "--store", str(tmp_path / "store"))
    assert (ran.code, ran.out) == (2, "")
    assert told in ran.err
    assert ran.err.startswith("entente: ")
    assert ran.err.count("\n") == 1
    assert not (tmp_path / "store").exists() or games_in(str(tmp_path / "store")) == []


def test_players_with_settings_in_brackets_are_one_part(tmp_path: Path) -> None:
    diplomat = "diplomat(honesty=0.5, loyalty=0.9)"
    given = ("--floor", "rounds", "--rounds", "1", "--max-year", "1901", "--all", "--games", "1")
    ran = entente("prompts", "compare", diplomat, "diplomat", *given, "--store", str(tmp_path / "store"))
    assert ran.code == 0, ran.err
    assert "in all seats" in ran.out
    assert "1 of 1 pairs  seed 42  all powers\n" in ran.err
    shown = entente("games", "show", games_in(str(tmp_path / "store"))[1], "--store", str(tmp_path / "store"))
    assert diplomat in shown.out
