"""A game is one file, and goes on in another store where it stood."""

import json
import math
import tracemalloc
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import cast

import pytest
from langgraph.checkpoint.base import Checkpoint
from pydantic import JsonValue

from checkpoints.archive import FORMAT_VERSION, export_game, import_game
from checkpoints.migrations import SCHEMA_VERSION
from checkpoints.store import Store, open_store
from entente.errors import ImportRefused, NewerSchema, StoreUnavailable, UnknownGame
from tests.checkpoints.small_graph import TURNS, answered, config, played_to_the_question, small_graph
from tests.support.postgres import Server
from tests.support.stores import a_call, a_phase, a_segment, a_telling, a_turn, an_answer, as_made

SETTINGS: dict[str, JsonValue] = {"map_name": "standard", "seats": {"FRANCE": "human"}}
GAME, OTHER = "0c1a7f04-0000-4000-8000-000000000001", "0c1a9999-0000-4000-8000-000000000002"


async def a_game(store: Store) -> None:
    """A game with press, one phase behind it, and a question to a person that is open."""
    async with store.leases.hold(GAME):
        await store.journal.create_game(GAME, settings=SETTINGS, forked_from=OTHER)
        await store.journal.open_segment(a_segment(GAME, "s1"))
        for power in ("ITALY", "FRANCE"):
            await store.journal.commit_turn(a_turn(GAME, "s1", power, says=["Hello.", "Grüß Gott\u2028!"]))
        await store.journal.commit_phase(a_phase(GAME, "p1", None, "s1"), "F1901M")
        await store.journal.set_progress(GAME, phase="F1901M", status="waiting")
    await store.words.keep(a_telling(GAME, "p1", calls=(a_call(),)))
    await store.words.keep(an_answer(GAME, "FRANCE"))
    await store.library.rename(GAME, "Summer cup")
    await store.library.annotate(GAME, "Worth\na look.")
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
    assert (summary.settings, summary.phase, summary.status) == (SETTINGS, "F1901M", "waiting")
    assert (summary.forked_from, summary.name, summary.note) == (OTHER, "Summer cup", "Worth\na look.")
    [phase] = await store.journal.phases(GAME, "p1")
    assert as_made(phase) == a_phase(GAME, "p1", None, "s1")
    assert [turn.power for turn in await store.journal.turns(GAME, ["s1"])] == ["FRANCE", "ITALY"]
    words = [a_telling(GAME, "p1", calls=(a_call(),)), an_answer(GAME, "FRANCE")]
    assert [as_made(each) for each in await store.words.of(GAME)] == words
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


def _rewrite(file: Path, member: str, change: Callable[[str], str], *, lines: int | None = None) -> None:
    """Change a member of the file; the manifest says that it has so many lines, if that is given."""
    with zipfile.ZipFile(file) as old:
        members = {name: old.read(name).decode() for name in old.namelist()}
    members[member] = change(members[member])
    if lines is not None:
        manifest = json.loads(members["manifest.json"])
        manifest["lines"][member.removesuffix(".jsonl")] = lines
        members["manifest.json"] = json.dumps(manifest)
    with zipfile.ZipFile(file, "w") as new:
        for name, text in members.items():
            new.writestr(name, text)


def _member(name: str, old: str, new: str) -> Damage:
    def change(text: str) -> str:
        assert old in text
        return text.replace(old, new)

    return lambda file: _rewrite(file, name, change)


def _game_row(**changes: object) -> Damage:
    """The game's row with these values, `nan` and all."""
    return lambda file: _rewrite(
        file, "games.jsonl", lambda text: f"{json.dumps(json.loads(text) | changes)}\n"
    )


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
    "a commit whose number is true": _member("turns.jsonl", '"sequence": 1', '"sequence": true'),
    "a game made at no time": _game_row(created_at=math.nan),
    "a game made in the year 3 * 10**12": _game_row(created_at=1e20),
    "settings of nothing": _game_row(settings="{}"),
    "settings in a list": _game_row(settings="[]"),
    "settings that are null": _game_row(settings="null"),
    "settings that no game has": _game_row(settings='{"seats": {}, "colour": "blue"}'),
    "settings that are no JSON": _game_row(settings="{"),
    "no game": lambda file: _rewrite(file, "games.jsonl", lambda _: "", lines=0),
    "two games": lambda file: _rewrite(file, "games.jsonl", lambda text: text * 2, lines=2),
    "a game of no status": _member("games.jsonl", '"waiting"', '"won"'),
    "a game in no phase": _member("games.jsonl", '"F1901M"', '"../x"'),
    "a name of two lines": _game_row(name="a\nb"),
    "a name that goes on and on": _game_row(name="x" * 61),
    "a note with an escape in it": _game_row(note="a\x1b[2J"),
    "a note that goes on and on": _game_row(note="x" * 2001),
    "a game forked from a path": _member("games.jsonl", OTHER, "../../x"),
    "a text with a zero in it": _member("segments.jsonl", '"s1"', '"s1\\u0000"'),
    "half a character": _member("segments.jsonl", '"s1"', '"s1\\ud800"'),
    "a turn of no phase": _member("turns.jsonl", "S1901M", "S1901"),
    "a phase after itself": _member("phases.jsonl", '"parent": null', '"parent": "p1"'),
    "a game's id that is a path": _member("manifest.json", GAME, "../../x"),
    "words of a voice that is none": _member("words.jsonl", "narrator", "heckler"),
    "words of no phase": _member("words.jsonl", "S1901M", "S1901"),
    "words after a phase that is not there": _member("words.jsonl", '"history": "p1"', '"history": "p2"'),
    "words that cost less than nothing": _member("words.jsonl", 'cost_usd\\":0.25', 'cost_usd\\":-9'),
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


def _bomb(method: int) -> Damage:
    """300 MiB in a member, in a few hundred KiB or less."""

    def add(file: Path) -> None:
        _rewrite(file, "replies.jsonl", lambda _: "")
        with zipfile.ZipFile(file) as old, zipfile.ZipFile(file.with_suffix(".bomb"), "w") as new:
            for name in old.namelist():
                if name != "replies.jsonl":
                    new.writestr(name, old.read(name))
            with new.open(_packed_with(method), "w", force_zip64=True) as member:
                for _ in range(300):
                    member.write(bytes(2**20))
        file.with_suffix(".bomb").replace(file)
        assert file.stat().st_size < 2**20

    return add


def _packed_with(method: int) -> zipfile.ZipInfo:
    info = zipfile.ZipInfo("replies.jsonl")
    info.compress_type = method
    return info


def _said_to_be_small(file: Path) -> None:
    """A bomb whose headers say that it holds a KiB."""
    _bomb(zipfile.ZIP_DEFLATED)(file)
    size = (300 * 2**20).to_bytes(4, "little")
    data = file.read_bytes()
    assert size in data
    file.write_bytes(data.replace(size, (1024).to_bytes(4, "little")))


BOMBS: dict[str, tuple[Damage, str]] = {
    "a zip bomb": (_bomb(zipfile.ZIP_DEFLATED), "it holds 3.* bytes, and 134,217,728 are the most"),
    "one that says it is small": (_said_to_be_small, "is damaged"),
    "one that cannot be unpacked bit by bit": (
        _bomb(zipfile.ZIP_BZIP2),
        "members are not packed as a game's",
    ),
}


@pytest.mark.parametrize(("bomb", "said"), BOMBS.values(), ids=BOMBS.keys())
async def test_a_zip_bomb_is_refused_without_the_memory(
    memory_store: Store, file: Path, bomb: Damage, said: str
) -> None:
    bomb(file)
    tracemalloc.start()
    try:
        with pytest.raises(ImportRefused, match=f"{said}.*nothing was imported"):
            await import_game(memory_store.library, file)
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert peak < 16 * 2**20
    assert await _is_empty(memory_store)


STATES: dict[str, dict[str, JsonValue]] = {
    "begun, with nothing else": {"status": "playing"},
    "settings that are none": {"settings": {"rounds": "many"}},
}


@pytest.mark.parametrize("state", STATES.values(), ids=STATES.keys())
async def test_a_checkpoint_of_no_games_state_is_refused(
    memory_store: Store, tmp_path: Path, state: dict[str, JsonValue]
) -> None:
    await a_game(memory_store)
    saved = await memory_store.saver.aget_tuple(config(GAME))
    assert saved is not None
    saved.checkpoint["channel_values"].update(state)
    versions = dict.fromkeys(state, "1")
    saved.checkpoint["channel_versions"].update(versions)
    changed = saved.checkpoint | {"id": f"{saved.checkpoint['id']}-later"}
    await memory_store.saver.aput(saved.config, cast("Checkpoint", changed), saved.metadata, dict(versions))
    await export_game(memory_store.library, GAME, tmp_path / "edited.zip")
    await memory_store.library.delete(GAME)
    with pytest.raises(ImportRefused, match="A checkpoint cannot be read"):
        await import_game(memory_store.library, tmp_path / "edited.zip")
    assert await _is_empty(memory_store)


@pytest.mark.parametrize("name", ["../../x", "/x", "..", "A", "x" * 65, "", "a\x1b[2J", "; touch x"])
async def test_a_path_is_no_games_id_at_import_and_at_look_up(
    memory_store: Store, file: Path, name: str
) -> None:
    _rewrite(file, "manifest.json", lambda text: json.dumps({**json.loads(text), "game": name}))
    with pytest.raises(ImportRefused, match="names its game as no game can be called"):
        await import_game(memory_store.library, file)
    with pytest.raises(UnknownGame):
        await memory_store.library.find(name)
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
