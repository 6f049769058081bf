"""`train`: what it writes, where, and what it refuses."""

import json
from pathlib import Path

from tests.cli.conftest import Shelf
from tests.support.terminal import entente


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
    assert "One of record, chat, pairs or sharegpt was wanted and 'odd' came" in ran.err
    ran = entente("train", "export", shelf.waiting, "--store", shelf.store)
    assert ran.code == 0
    assert "is not over: nothing of it is to be learned from" in ran.err
    no_record = tmp_path / "odd.jsonl"
    no_record.write_text('{"kind": "call"}\n', encoding="utf-8")
    ran = entente("train", "check", str(no_record))
    assert ran.code == 2
    assert f"{no_record}, line 1: A line of a record was wanted" in ran.err
