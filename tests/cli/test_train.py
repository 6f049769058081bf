"""`train`: what it writes, where, and what it refuses."""

import json
import signal
from contextlib import ExitStack
from pathlib import Path

import httpx2

from tests.cli.conftest import Shelf
from tests.support.canaries import POWERS
from tests.support.patience import PATIENCE
from tests.support.terminal import entente, start
from tests.training.calls import a_call, a_record


def test_a_record_is_written_and_found_to_be_one(shelf: Shelf, tmp_path: Path) -> None:
    out = tmp_path / "record.jsonl"
    ran = entente("train", "export", shelf.finished, "--out", str(out), "--store", shelf.store)
    assert (ran.code, ran.out.strip(), ran.err) == (0, str(out), "")
    (line,) = map(json.loads, out.read_text(encoding="utf-8").splitlines())
    assert (line["kind"], line["episode_id"], line["end_reason"]) == ("episode", shelf.finished, "max_year")
    assert out.stat().st_mode & 0o077 == 0
    checked = entente("train", "check", str(out))
    assert (checked.code, checked.out.strip()) == (
        0,
        f"{out}: 1 games, 0 calls, 0 of them to be learned from.",
    )


def test_what_cannot_be_written_or_read_is_told_in_a_sentence(shelf: Shelf, tmp_path: Path) -> None:
    ran = entente("train", "export", shelf.waiting, "--format", "odd", "--store", shelf.store)
    assert (ran.code, ran.out) == (2, "")
    assert "sharegpt or tokens was wanted and 'odd' came" in ran.err
    table = tmp_path / "rows.parquet"
    ran = entente("train", "export", shelf.finished, "--out", str(table), "--store", shelf.store)
    assert (ran.code, table.exists()) == (2, False)
    assert "A form of rows was wanted" in ran.err
    ran = entente("train", "export", shelf.waiting, "--store", shelf.store)
    assert ran.code == 0
    assert "is not over: nothing of it is to be learned from" in ran.err
    no_record = tmp_path / "odd.jsonl"
    no_record.write_text('{"kind": "call"}\n', encoding="utf-8")
    ran = entente("train", "check", str(no_record))
    assert ran.code == 2
    assert f"{no_record}, line 1: A line of a record was wanted" in ran.err


def test_a_run_says_which_file_it_has_written(tmp_path: Path) -> None:
    given, out = tmp_path / "training.json", tmp_path / "episodes.jsonl"
    powers = [{"name": power, "model": "hold"} for power in POWERS]
    training = {"episodes_per_batch": 1, "save_replays": False}
    game = {"max_turns": 1, "rounds": 0, "powers": powers}
    given.write_text(json.dumps({"game_settings": game, "training": training}))
    ran = entente("train", "run", str(given), "--out", str(out), "--store", "memory")
    assert (ran.code, ran.out) == (0, "1 of 1 episodes are over.\n")
    assert f"Written to {out}.\n" in ran.err
    assert entente("train", "check", str(out)).code == 0


def test_a_push_wants_a_queue_that_is_named_and_there(tmp_path: Path) -> None:
    powers = [{"name": power, "model": "policy-v1"} for power in POWERS]
    settings = {"game_settings": {"powers": powers}, "training": {"group_size": 2}}
    given, records = tmp_path / "training.json", tmp_path / "records.jsonl"
    calls = {"token_ids": [7], "logprobs": [-0.5], "prompt_token_ids": [1], "prompt": []}
    games = [
        a_record(
            [a_call(id=f"g-{n}/0", episode_id=f"g-{n}", **calls)],
            episode_id=f"g-{n}",
            scores={"squares": {power: n if power == "FRANCE" else (1 - n) / 6 for power in POWERS}},
        )
        for n in range(2)
    ]
    records.write_text("".join(f"{line}\n" for game in games for line in game.lines()), encoding="utf-8")
    given.write_text(json.dumps(settings), encoding="utf-8")
    ran = entente("train", "push", str(given), str(records))
    assert ran.code == 2
    assert f"A trainer's queue was wanted and {given} names none; nothing was pushed." in ran.err
    queue = {"url": "http://127.0.0.1:9", "pushes": str(tmp_path / "pushes")}
    given.write_text(json.dumps({**settings, "queue": queue}), encoding="utf-8")
    ran = entente("train", "push", str(given), str(records))
    assert (ran.code, ran.out) == (4, "")
    assert "cannot be reached" in ran.err


def test_a_scripted_player_answers_for_a_policy_until_a_signal_comes() -> None:
    board = "You are FRANCE.\n\n# S1901M\nFRANCE 1 centers: PAR; units: A PAR\n\n# S1901M, orders\n"
    with start("train", "serve-policy", "dumbbot", "--port", "0") as server, ExitStack() as after:
        after.callback(server.kill)
        url = server.stdout.readline().strip()
        asked = {"prompt": board, "model": "any"}
        told = httpx2.post(f"{url}/v1/completions", json=asked, timeout=PATIENCE).json()
        assert "A PAR" in told["text"]
        server.send_signal(signal.SIGINT)
        assert server.wait(PATIENCE) == 0
