"""A game is one file, and goes on in another store where it stood."""

import json
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

from checkpoints.archive import FORMAT_VERSION, export_game, import_game
from checkpoints.migrations import SCHEMA_VERSION
from checkpoints.store import Store, open_store
from entente.errors import ImportRefused, NewerSchema, StoreUnavailable, UnknownGame
from tests.checkpoints.small_graph import TURNS, answered, config, played_to_the_question, small_graph
from tests.support.postgres import Server
from tests.support.stores import a_phase, a_segment, a_turn, as_made

GAME, OTHER = "0c1a7f04-0000-4000-8000-000000000001", "0c1a9999-0000-4000-8000-000000000002"


async def a_game(store: Store) -> None:
    """A game with press, one phase behind it, and a question to a person that is open."""
    async with store.leases.hold(GAME):
        await store.journal.create_game(GAME, settings={"map": "standard"}, forked_from=OTHER)
        await store.journal.open_segment(a_segment(GAME, "s1"))
        for power in ("ITALY", "FRANCE"):
            await store.journal.commit_turn(a_turn(GAME, "s1", power, says=["Hello.", "Grüß Gott\u2028!"]))
        await store.journal.commit_phase(a_phase(GAME, "p1", None, "s1"), "F1901M")
        await store.journal.set_progress(GAME, phase="F1901M", status="waiting")
    await played_to_the_question(store.saver, GAME)


@pytest.fixture
async def file(tmp_path: Path) -> Path:
    """The file of such a game, from SQLite."""
    async with open_store(str(tmp_path / "source")) as store:
        await a_game(store)
        await export_game(store.library, GAME, tmp_path / "game.zip")
    return tmp_path / "game.zip"


def _same(*files: Path) -> bool:
    return len({file.read_bytes() for file in files}) == 1


async def test_an_imported_game_is_the_same_and_goes_on(store: Store, file: Path, tmp_path: Path) -> None:
    assert await import_game(store.library, file) == GAME
    summary = await store.library.summary(GAME)
    assert (summary.settings, summary.phase, summary.status) == ({"map": "standard"}, "F1901M", "waiting")
    assert summary.forked_from == OTHER
    [phase] = await store.journal.phases(GAME, "p1")
    assert as_made(phase) == a_phase(GAME, "p1", None, "s1")
    assert [turn.power for turn in await store.journal.turns(GAME, ["s1"])] == ["FRANCE", "ITALY"]
    await export_game(store.library, GAME, tmp_path / "again.zip")
    assert _same(tmp_path / "again.zip", file)
    graph = small_graph(store.saver)
    assert list((await graph.aget_state(config(GAME))).values["board"]) == ["ITALY", "FRANCE"]
    said = await answered(graph, GAME, "at last")
    assert said == [*TURNS, "FRANCE by itself", "at last"]


@pytest.mark.postgres
async def test_a_game_goes_to_postgres_and_back_unchanged(
    file: Path, tmp_path: Path, postgres: Server
) -> None:
    there, back = tmp_path / "there.zip", tmp_path / "back.zip"
    async with open_store(postgres.new_database()) as store:
        await import_game(store.library, file)
        await export_game(store.library, GAME, there)
    async with open_store(str(tmp_path / "back")) as store:
        await import_game(store.library, there)
        await export_game(store.library, GAME, back)
    assert _same(back, there, file)


async def test_a_game_can_be_imported_under_another_id(memory_store: Store, file: Path) -> None:
    assert await import_game(memory_store.library, file) == GAME
    assert await import_game(memory_store.library, file, game=OTHER) == OTHER
    assert (await answered(small_graph(memory_store.saver), OTHER, "twin"))[-1] == "twin"
    assert [turn.game for turn in await memory_store.journal.turns(OTHER, ["s1"])] == [OTHER, OTHER]


async def test_a_game_that_is_there_is_not_imported_over(store: Store, file: Path) -> None:
    await a_game(store)
    await answered(small_graph(store.saver), GAME, "further on")
    before = await store.saver.aget_tuple(config(GAME))
    with pytest.raises(ImportRefused, match=f"Game {GAME} is in the store at .* already; it was left alone"):
        await import_game(store.library, file)
    assert await store.saver.aget_tuple(config(GAME)) == before
    assert len(await store.journal.turns(GAME, ["s1"])) == 2


def _has_files(folder: Path) -> bool:
    return any(folder.iterdir())


async def test_an_unknown_game_is_not_exported(memory_store: Store, tmp_path: Path) -> None:
    with pytest.raises(UnknownGame):
        await export_game(memory_store.library, GAME, tmp_path / "game.zip")
    assert not _has_files(tmp_path)


async def test_a_file_that_cannot_be_written_or_read_is_told(memory_store: Store, tmp_path: Path) -> None:
    await a_game(memory_store)
    with pytest.raises(StoreUnavailable, match=r"The file at .* cannot be used: it is not there"):
        await export_game(memory_store.library, GAME, tmp_path / "nowhere" / "game.zip")
    with pytest.raises(StoreUnavailable, match="it is not there"):
        await import_game(memory_store.library, tmp_path / "game.zip")


Damage = Callable[[Path], object]


def _rewrite(file: Path, member: str, change: Callable[[str], str]) -> None:
    with zipfile.ZipFile(file) as old:
        members = {name: old.read(name).decode() for name in old.namelist()}
    members[member] = change(members[member])
    with zipfile.ZipFile(file, "w") as new:
        for name, text in members.items():
            new.writestr(name, text)


def _member(name: str, old: str, new: str) -> Damage:
    def change(text: str) -> str:
        assert old in text
        return text.replace(old, new)

    return lambda file: _rewrite(file, name, change)


def _without_last_line(file: Path) -> None:
    _rewrite(file, "turns.jsonl", lambda text: text[: text.rindex("\n", 0, -1) + 1])


def _truncated(file: Path) -> None:
    file.write_bytes(file.read_bytes()[:-400])


def _flipped(file: Path) -> None:
    data = bytearray(file.read_bytes())
    data[len(data) // 2] ^= 0xFF
    file.write_bytes(data)


def _without_member(file: Path) -> None:
    with zipfile.ZipFile(file, "w") as new:
        new.writestr("readme.txt", "hello")


DAMAGES: dict[str, Damage] = {
    "empty": lambda file: file.write_bytes(b""),
    "not a zip": lambda file: file.write_bytes(b"PK but not quite"),
    "cut off": _truncated,
    "a byte flipped": _flipped,
    "another zip": _without_member,
    "a line missing": _without_last_line,
    "a column renamed": _member("segments.jsonl", '"position"', '"place"'),
    "a turn that is none": _member("turns.jsonl", "send_message", "send_missile"),
    "a message that is none": _member("messages.jsonl", "PROPOSAL", "PROPOSITION"),
    "a phase that is none": _member("phases.jsonl", "succeeded", '"'),
    "manifest of another program": _member("manifest.json", "entente game", "chess game"),
    "no manifest": _member("manifest.json", "{", "["),
    "a place beyond 64 bits": _member("segments.jsonl", '"position": 0', f'"position": {10**20}'),
    "settings beyond 64 bits": _member("games.jsonl", 'standard\\"', f'standard\\", \\"seed\\": {2**63}'),
    "two commits of one number": _member("turns.jsonl", '"sequence": 2', '"sequence": 1'),
    "a commit of no number": _member("turns.jsonl", '"sequence": 1', '"sequence": "first"'),
    "a commit before 1970": _member("turns.jsonl", '"committed_at": 1', '"committed_at": -1'),
    "a commit in the year 10000": _member(
        "turns.jsonl", '"committed_at": 1', '"committed_at": 2534023008001'
    ),
    "a checkpoint of an unknown kind": _member("checkpoints.jsonl", "msgpack", "pickle"),
    "a checkpoint cut short": _member("checkpoints.jsonl", '"msgpack","', '"msgpack","3gAQ'),
}


@pytest.mark.parametrize("damage", DAMAGES.values(), ids=DAMAGES.keys())
async def test_a_damaged_file_is_refused_and_leaves_the_store_as_it_was(
    memory_store: Store, file: Path, damage: Damage
) -> None:
    damage(file)
    with pytest.raises(ImportRefused, match="nothing was imported"):
        await import_game(memory_store.library, file)
    assert await _is_empty(memory_store)


@pytest.mark.parametrize(
    ("name", "version"), [("format_version", FORMAT_VERSION + 1), ("schema_version", SCHEMA_VERSION + 1)]
)
async def test_a_newer_file_is_refused(memory_store: Store, file: Path, name: str, version: int) -> None:
    _rewrite(file, "manifest.json", lambda text: json.dumps({**json.loads(text), name: version, "new": 1}))
    with pytest.raises(NewerSchema, match="please use a newer entente"):
        await import_game(memory_store.library, file)
    assert await _is_empty(memory_store)


async def test_a_file_of_an_older_schema_is_read(memory_store: Store, file: Path) -> None:
    _rewrite(file, "manifest.json", lambda text: json.dumps({**json.loads(text), "schema_version": 1}))
    _rewrite(file, "games.jsonl", lambda text: text.replace(f', "forked_from": "{OTHER}"', ""))
    assert await import_game(memory_store.library, file) == GAME
    assert (await memory_store.library.summary(GAME)).forked_from is None


async def _is_empty(store: Store) -> bool:
    return not (
        await store.library.games()
        or await store.journal.segments(GAME)
        or await store.saver.aget_tuple(config(GAME))
        or await store.leases.holders()
    )
