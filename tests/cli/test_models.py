"""`entente models check` at a scripted server: its table, its JSON, its exit code, and the line to go on with."""

import json
import signal
import socket
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path

import httpx2
import pytest
from pydantic import JsonValue

from entente.cli.game_file import read_game_file
from entente.cli.models_check import settings_found
from entente.models.check import Check
from entente.models.usage import summarize
from tests.support.patience import PATIENCE
from tests.support.terminal import entente, games_in, start


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_ends_the_scripted_server_with_0_whatever_is_under_way(number: signal.Signals) -> None:
    plan = '{"faults": [{"kind": "hang"}]}'
    with start("mock-model", "--port", "0", "--plan", plan) as server, ExitStack() as after:
        after.callback(server.kill)
        url = httpx2.URL(server.stderr.readline().split(" at ")[1].split(";")[0])
        with socket.create_connection((url.host, url.port or 0)) as asking:
            body = b'{"model": "mock", "messages": []}'
            asking.sendall(
                b"POST /v1/chat/completions HTTP/1.1\r\nHost: x\r\nContent-Length: %d\r\n\r\n%b"
                % (len(body), body)
            )
            server.send_signal(number)
            assert server.wait(PATIENCE) == 0
        assert "Traceback" not in server.stderr.read()


def test_a_model_that_can_play_is_told_with_the_line_that_seats_it(serve: Callable[[str], str]) -> None:
    spec = serve("{}")
    ran = entente("models", "check", spec)
    assert (ran.code, ran.err) == (0, "")
    assert "1 call was made." in ran.out
    assert ran.out.endswith(f"Seat it with: --seat FRANCE={spec}\n")


NO_TOOLS = '{"faults": [{"kind": "no_tools"}]}'
JSON_ALONE = '{"faults": [{"kind": "no_tools"}, {"kind": "no_schema"}]}'


@pytest.mark.parametrize(("plan", "actions"), [(NO_TOOLS, "schema"), (JSON_ALONE, "json")])
def test_a_model_without_tools_is_seated_with_json(
    serve: Callable[[str], str], plan: str, actions: str
) -> None:
    spec = serve(plan)
    ran = entente("models", "check", spec, "--model-setting", "temperature=0.3")
    assert ran.code == 0
    assert "3 calls were made." in ran.out
    assert ran.out.endswith(
        f"--seat FRANCE={spec} --model-setting temperature=0.3 --model-setting actions={actions}\n"
    )
    again = entente("models", "check", spec, "--model-setting", "actions=json", "--json")
    assert json.loads(again.out)["calls"] == 2


def test_a_model_that_can_do_neither_is_told_and_ends_with_4(serve: Callable[[str], str]) -> None:
    ran = entente("models", "check", serve('{"faults": [{"kind": "garbage"}]}'), "--json")
    assert (ran.code, json.loads(ran.out)["actions"]) == (4, None)
    assert ran.err.endswith("it cannot play.\n")
    assert ran.err.count("\n") == 1


def test_a_check_whose_trial_was_not_answered_does_not_say_that_the_model_cannot_play(
    serve: Callable[[str], str],
) -> None:
    spec = serve('{"faults": [{"kind": "garbage", "calls": [1]}, {"kind": "hang"}]}')
    ran = entente("models", "check", spec, "--model-setting", "silent_seconds=2")
    assert ran.code == 4
    assert "was not found out: a trial of JSON failed: the server gave no sign of life" in ran.err


def test_a_check_writes_the_seats_settings_into_a_games_file(
    serve: Callable[[str], str], tmp_path: Path
) -> None:
    path, spec = tmp_path / "game.yaml", serve(NO_TOOLS)
    path.write_text("rounds: 1\nseats: {ITALY: hold}\n")
    at = ("--write", str(path), "--seat", "france", "--model-setting", "temperature=0.3")
    assert entente("models", "check", spec, *at).code == 0
    assert read_game_file(path).values == {
        "rounds": 1,
        "seats": {"ITALY": "hold", "FRANCE": spec},
        "seat_models": {"FRANCE": {"temperature": 0.3, "actions": "schema"}},
    }
    assert entente("models", "check", spec, "--write", str(path)).code == 0
    assert read_game_file(path).values.items() >= {"everyone": spec, "models": {"actions": "schema"}}.items()


def test_a_model_that_was_seen_to_reason_is_not_asked_to_think_aloud(
    serve: Callable[[str], str], tmp_path: Path
) -> None:
    path, spec = tmp_path / "game.yaml", serve(f'{{"reasoning": "{"x" * 1200}"}}')
    ran = entente("models", "check", spec, "--write", str(path))
    assert "300 tokens of thought" in ran.out
    assert ran.out.splitlines()[-2] == f"Seat it with: --seat FRANCE={spec} --model-setting thinking=never"
    assert read_game_file(path).values["models"] == {"actions": "tools", "thinking": "never"}
    at = ("--write", str(path), "--model-setting", "thinking=always")
    assert entente("models", "check", spec, *at).code == 0
    assert read_game_file(path).values["models"] == {"actions": "tools", "thinking": "always"}


@pytest.mark.parametrize(
    ("told", "given", "wanted"),
    [
        (None, {}, {}),
        (8_192, {}, {"prompts": "short", "context_tokens": 8_192}),
        (131_072, {}, {"context_tokens": 131_072}),
        (131_072, {"context_tokens": 20_000}, {"context_tokens": 20_000}),
    ],
)
def test_prompts_are_held_to_the_context_that_a_server_tells(
    told: int | None, given: dict[str, JsonValue], wanted: dict[str, JsonValue]
) -> None:
    found = Check(
        model="openai:mock",
        findings=(),
        actions="tools",
        context_tokens=told,
        calls=1,
        usage=summarize([]),
    )
    assert settings_found(found, given) == {"actions": "tools", **wanted}


def test_what_a_game_cost_is_a_line_a_seat_that_fits_80_columns(
    serve: Callable[[str], str], tmp_path: Path
) -> None:
    spec, store = serve("{}"), ("--store", str(tmp_path / "store"))
    seats = ("--all", "hold", "--seat", f"FRANCE={spec}", "--seat", f"ITALY={spec}")
    assert entente("play", *seats, "--rounds", "1", "--max-year", "1901", *store).code == 0
    lines = entente("usage", *games_in(store[1]), *store).out.splitlines()
    assert lines[0] == f"Calls of {spec}:"
    assert {line.split()[0] for line in lines[4:7]} == {"FRANCE", "ITALY", "all"}
    assert max(map(len, lines)) <= 80


@pytest.mark.parametrize(
    ("line", "code", "told"),
    [
        ("gpt-5", 2, "'gpt-5' is not one"),
        ("openai:m@http://127.0.0.1:1/v1", 4, "it was asked once"),
        ("openai:m@http://127.0.0.1:1/v1 --model-setting warmth=1", 2, "'warmth'"),
        ("openai:m@http://127.0.0.1:1/v1 --model-setting FRANCE.temperature=1", 2, "one of a seat came"),
        ("openai:gpt-5", 2, "OPENAI_API_KEY"),
    ],
    ids=["no-model", "dead-address", "no-setting", "setting-of-a-seat", "no-key"],
)
def test_what_cannot_be_checked_is_one_sentence(
    line: str, code: int, told: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    ran = entente("models", "check", *line.split())
    assert (ran.code, ran.out) == (code, "")
    assert told in ran.err
    assert ran.err.startswith("entente: ")
    assert ran.err.count("\n") == 1
