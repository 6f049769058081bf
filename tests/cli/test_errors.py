"""What cannot be used is told in one sentence, with an exit code that says which kind, and nothing is touched."""

import os
import shutil
import sqlite3
import time
from collections.abc import Callable, Generator
from contextlib import closing, contextmanager
from itertools import product
from pathlib import Path
from typing import NamedTuple

import pytest

from checkpoints.database import _on_connect
from checkpoints.locations import JOURNAL_FILE
from entente.cli import players
from entente.players.model.settings import SeatSettings
from tests.cli.conftest import Shelf
from tests.graph.test_context import integers_of
from tests.support.players import Cast
from tests.support.terminal import Ran, apart, entente, games_in, snapshot


class Case(NamedTuple):
    """A command line that cannot be used; `{finished}` and `{waiting}` are the shelf's games."""

    id: str
    line: str
    told: str
    """Part of the sentence."""
    code: int = 2


CASES = [
    Case("power-of-a-view", "press {finished} --power NARNIA", "A power of AUSTRIA"),
    Case("power-of-a-log", "log {finished} --power NARNIA", "A power of AUSTRIA"),
    Case("power-of-a-turn", "turn {waiting} NARNIA", "A power of AUSTRIA"),
    Case("reader-of-raw-replies", "log {finished} --raw --power FRANCE", "--raw was wanted"),
    Case("raw-replies-that-follow", "log {finished} --raw --follow", "--follow came beside it"),
    Case("moment-of-raw-replies", "log {finished} --raw --at S1901M", "there are none; nothing was printed"),
    Case("power-of-a-bundle", "bundle {finished} NARNIA", "A power of AUSTRIA"),
    Case("moment-of-a-bundle", "bundle {finished} FRANCE --at S1950M", "S1950M came"),
    Case("moment-of-a-prompt", "prompts show {finished} FRANCE --at yesterday", "A moment such as S1903M"),
    Case(
        "turn-of-a-prompt",
        "prompts show {finished} FRANCE --at S1901M.1.FRANCE",
        "A phase, a round or orders",
    ),
    Case("set-of-prompts", "prompts show {finished} FRANCE --set long", "'long' is none"),
    Case("power-of-a-seat", "play --seat NARNIA=hold", "the map standard has AUSTRIA"),
    Case("seat-without-player", "play --seat FRANCE", "A seat such as FRANCE=dumbbot was wanted"),
    Case("seat-given-twice", "play --seat FRANCE=hold --seat france=random", "FRANCE was given twice"),
    Case("player-of-a-seat", "play --seat FRANCE=dumbot", "did you mean dumbbot?"),
    Case("stalemate-years", "play --stalemate-years -1", "stalemate_years cannot be '-1'"),
    Case(
        "model-without-provider",
        "play --all gpt-5",
        "'gpt-5' came (did you mean openai:gpt-5?)",
    ),
    Case("player-of-all", "play --all nobody", "'nobody' came"),
    Case("knob", "play --all diplomat(honest=1)", "honest"),
    Case(
        "model-setting-unknown",
        "play --model-setting temprature=1",
        "'temprature'; did you mean temperature?",
    ),
    Case("model-setting-value", "play --model-setting FRANCE.concurrency=0", "'concurrency'"),
    Case("model-setting-form", "play --model-setting temperature", "temperature=0.7 or FRANCE.temperature=0"),
    Case("model-setting-twice", "play --budget-usd 1 --budget-usd 2", "budget_usd was given twice"),
    Case("model-setting-power", "play --budget-tokens NARNIA=9", "the map standard has"),
    Case("budget", "play --budget-usd many", "'budget_usd'"),
    Case("prompts", "play --prompts /no/such/folder", "/no/such/folder"),
    Case("provider", "play --all nobody:model", "whose provider is one of openai"),
    Case(
        "model-without-key",
        "play --all openai:gpt-5 --model-setting key_variable=NONE_SUCH",
        "Set it, or name",
    ),
    Case("on-failure", "play --on-failure pray", "cannot be 'pray'; it takes pause, hold or dumbbot"),
    Case("map", "play --map narnia", "A map of standard"),
    Case("slow-map", "play --map world", "A map of standard"),
    Case("game", "board 01234567", "no game answers to '01234567'"),
    Case("phase-misspelt", "board {finished} --at 1901", "A phase such as S1901M was wanted"),
    Case("phase-not-played", "board {finished} --at S1950M", "from S1901M to"),
    Case("two-forms", "board {finished} --svg --json", "--svg and --json came; nothing was printed"),
    Case("table-and-map", "board {finished} --text --svg", "One of --text, --svg, --json, --open was wanted"),
    Case("told-too-early", "tell {waiting}", "has none yet"),
    Case("told-misspelt", "tell {finished} --at yesterday", "A phase such as S1901M"),
    Case("told-not-played", "tell {finished} --at S1950M", "S1950M came"),
    Case("moment-misspelt", "fork {finished} --at yesterday", "A moment such as S1903M"),
    Case("moment-not-played", "fork {finished} --at S1950M", "S1950M came"),
    Case("moment-of-nobody", "fork {finished} --at S1901M.1.NARNIA", "NARNIA has no turn"),
    Case(
        "waking-where-nobody-is-woken", "fork {finished} --at S1901M.1.FRANCE.2", "FRANCE has no such waking"
    ),
    Case("round-not-played", "fork {finished} --at S1901M.9", "no such round"),
    Case("fork-seat", "fork {finished} --at S1901M --seat NARNIA=hold", "the map standard has"),
    Case("fork-player", "fork {finished} --at S1901M --seat FRANCE=nobody", "'nobody' came"),
    Case(
        "rounds-too-few",
        "play --rounds -1",
        "The setting rounds cannot be '-1'; it takes an integer from 0 to 20",
    ),
    Case("rounds-too-many", "play --rounds 21", "The setting rounds cannot be '21'"),
    Case("rounds-no-number", "play --rounds many", "The setting rounds cannot be 'many'"),
    Case("seed", "play --seed -1", "The setting seed cannot be '-1'; it takes an integer from 0"),
    Case("max-year", "play --max-year 1800", "The last year must be 1901 or later"),
    Case("floor", "play --floor disco", "cannot be 'disco'; it takes rounds, conductor or gunboat"),
    Case("wake", "play --floor conductor --wake often", "it takes content or every-event"),
    Case("debounce", "play --debounce-ms -1", "The setting debounce_ms cannot be '-1'"),
    Case("debounce-no-number", "conductor --debounce-ms soon", "debounce_ms cannot be 'soon'"),
    Case("max-wakes", "conductor --max-wakes 0", "The setting max_wakes cannot be '0'"),
    Case(
        "deadline",
        "conductor --deadline-seconds 0",
        "deadline_seconds cannot be '0'; it takes a number above 0",
    ),
    Case("deadline-that-never-comes", "conductor --deadline-seconds inf", "The setting deadline_seconds"),
    Case("floor-of-the-conductor", "conductor --floor rounds", "No such option"),
    Case("history-tokens", "conductor --history-tokens -1", "'history_tokens'"),
    Case(
        "history-tokens-twice",
        "conductor --history-tokens 900 --model-setting history_tokens=900",
        "history_tokens was given twice",
    ),
    Case("timing", "play --timing x", "it takes simultaneous or sequential"),
    Case("command", "plai", "No such command 'plai'"),
    Case("option", "play --yeers 3", "No such option"),
    Case("missing-argument", "games delete", "Missing argument 'GAME'"),
    Case("trust-without-game", "resume --trust", "The id of the game to trust was wanted"),
    Case("missing-option", "fork {finished}", "Missing option '--at'"),
    Case("group-command", "games lost", "No such command 'lost'"),
    Case("import-of-nothing", "games import nowhere.entente", "does not exist"),
    Case("import-of-no-game", "games import {here}", "no game of ours"),
    Case("export-to-a-folder", "games export {finished} /", "is a directory"),
    Case("export-to-nowhere", "games export {finished} /no/such/folder/x", "it is not there", 3),
    Case("export-twice", "games export {finished} one --langgraph two", "One file was wanted and two came"),
    Case("turn-in-a-finished-game", "turn {finished} FRANCE", "the game is over"),
    Case("turn-of-another", "turn {waiting} ITALY", "the game waits for FRANCE"),
    Case("piped-nothing", "turn {waiting} FRANCE", "No lines came, so nothing was sent"),
    Case(
        "drafts-without-rounds",
        "play --floor gunboat --drafts",
        "The setting drafts has no effect on the floor gunboat",
    ),
    Case(
        "setting-as-it-is-by-default", "play --floor gunboat --rounds 3", "rounds has no effect on the floor"
    ),
    Case("history-on-rounds", "play --model-setting history_tokens=9", "models.history_tokens has no effect"),
    Case(
        "history-of-a-seat",
        "play --history-tokens FRANCE=9",
        "seat_models.FRANCE.history_tokens has no effect",
    ),
    Case("folder-without-prompts", "play --prompts {folder}", "has none; no game was started"),
    Case(
        "persona-of-nobody",
        "play --prompts {misspelt}",
        "FRNACE.md is the persona of no power on the map; did",
    ),
    Case("resume-of-a-finished-game", "resume {finished} --budget-usd 3", "The game is over"),
    Case("resume-setting", "resume {waiting} --model-setting temprature=1", "'temprature'"),
    Case("resume-on-failure", "resume {waiting} --on-failure pray", "it takes pause, hold or dumbbot"),
    Case("ask-a-program", "ask {finished} FRANCE why?", "A seat of a language model was wanted"),
    Case("ask-nobody", "ask {finished} NARNIA why?", "A power of AUSTRIA"),
    Case("ask-at-a-turn", "ask {finished} FRANCE why? --at S1901M.1.FRANCE", "A phase, a round or orders"),
    Case("store-of-another-kind", "play --store mysql://localhost/x", "mysql:// came"),
    Case("store-without-a-name", "play --store=", "--store came with nothing"),
]


def is_one_sentence(ran: Ran) -> bool:
    lines = [line for line in ran.err.splitlines() if not line.startswith("Game ")]
    return ran.out == "" and len(lines) == 1 and lines[0].startswith("entente: ") and len(lines[0]) < 500


@pytest.mark.parametrize(
    ("environment", "code"),
    [
        ({"LANGCHAIN_HANDLER": "langchain"}, 2),
        ({"LANGCHAIN_TRACING": "1"}, 2),
        ({"LANGCHAIN_HANDLER": "0", "LANGCHAIN_TRACING": "false"}, 0),
    ],
)
def test_a_tracer_that_langchain_no_longer_has_is_refused_before_anything_is_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, environment: dict[str, str], code: int
) -> None:
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    ran = entente("play", "--all", "hold", "--max-year", "1901", "--store", str(tmp_path / "store"))
    assert ran.code == code, ran.err
    assert ("LANGSMITH_TRACING=true, or no" in ran.err) == bool(code)
    assert (tmp_path / "store").exists() != bool(code)


@pytest.mark.parametrize("case", CASES, ids=[case.id for case in CASES])
def test_what_cannot_be_used_is_told_and_leaves_the_store_alone(
    shelf: Shelf, case: Case, tmp_path: Path
) -> None:
    before = snapshot(Path(shelf.store))
    misspelt = tmp_path / "misspelt"
    (misspelt / "personas").mkdir(parents=True)
    (misspelt / "personas" / "FRNACE.md").write_text("Be bold.")
    places = {"here": __file__, "folder": Path(__file__).parent, "misspelt": misspelt}
    arguments = case.line.format(**shelf._asdict(), **places).split()
    if "--store" not in case.line:
        arguments += [] if case.id == "command" else ["--store", shelf.store]
    ran = entente(*arguments)
    assert ran.code == case.code, ran
    assert case.told in ran.err
    assert is_one_sentence(ran), ran.err
    assert snapshot(Path(shelf.store)) == before


@pytest.mark.parametrize("number", [2**63, -(2**63) - 1, 10**40], ids=["above", "below", "huge"])
@pytest.mark.parametrize(
    ("option", "name"),
    [
        ("--seed={}", "seed"),
        ("--max-year={}", "max_year"),
        ("--rounds={}", "rounds"),
        ("--max-wakes={}", "max_wakes"),
        ("--debounce-ms={}", "debounce_ms"),
        ("--history-tokens={}", "history_tokens"),
        ("--budget-tokens={}", "budget_tokens"),
        ("--budget-tokens=FRANCE={}", "budget_tokens"),
        *(
            (f"--model-setting={place}{name}={{}}", name)
            for place, name in product(("", "FRANCE."), integers_of(SeatSettings))
        ),
    ],
)
def test_an_integer_that_cannot_be_kept_begins_no_game(
    tmp_path: Path, option: str, name: str, number: int
) -> None:
    store = tmp_path / "store"
    ran = entente("play", option.format(number), "--store", str(store))
    assert (ran.code, name in ran.err, is_one_sentence(ran)) == (2, True, True), ran
    assert not store.exists()


def test_an_empty_question_is_not_asked(shelf: Shelf) -> None:
    ran = entente("ask", shelf.finished, "FRANCE", " ", "--store", shelf.store)
    assert (ran.code, "A question was wanted and none came" in ran.err) == (2, True), ran
    assert is_one_sentence(ran)


def test_a_beginning_that_several_games_share_is_told_with_their_ids(own_shelf: Shelf) -> None:
    with sqlite3.connect(Path(own_shelf.store) / JOURNAL_FILE) as connection:
        for number in "12":
            connection.execute(
                "INSERT INTO games (game, created_at, settings, phase, status, forked_from, sequence)"
                " SELECT ?, created_at, settings, phase, status, forked_from, ? FROM games WHERE game = ?",
                (f"abcd0000-{number}", -int(number), own_shelf.finished),
            )
    connection.close()
    ran = entente("board", "abcd", "--store", own_shelf.store)
    assert ran.code == 2
    assert "abcd0000-1, abcd0000-2" in ran.err
    assert is_one_sentence(ran)


READING = ("games list", "board {finished}", "press {finished}", "log {finished}", "games show {finished}")
WRITING = ("play --max-year 1901", "resume {waiting}", "turn {waiting} FRANCE", "fork {finished} --at S1901M")


def _damage(name: str) -> Callable[[Path], None]:
    def damage(folder: Path) -> None:
        (folder / name).write_bytes(b"This is no database." * 500)

    return damage


def _make_newer(folder: Path) -> None:
    with sqlite3.connect(folder / JOURNAL_FILE) as connection:
        connection.execute("UPDATE meta SET value = '999' WHERE key = 'schema_version'")
    connection.close()


@pytest.mark.parametrize("line", [*READING, *WRITING])
@pytest.mark.parametrize(
    ("spoil", "told"),
    [
        (_damage(JOURNAL_FILE), "the file is damaged"),
        (_make_newer, "please use a newer entente"),
    ],
    ids=["damaged", "newer"],
)
def test_a_store_that_cannot_be_read_is_told_and_left_alone(
    own_shelf: Shelf, line: str, spoil: Callable[[Path], None], told: str
) -> None:
    folder = Path(own_shelf.store)
    spoil(folder)
    before = snapshot(folder)
    ran = entente(*line.format(**own_shelf._asdict()).split(), "--store", own_shelf.store)
    assert (ran.code, told in ran.err) == (3, True), ran
    assert is_one_sentence(ran)
    assert snapshot(folder) == before


@pytest.mark.parametrize("line", ["games list", "board 01234567", "play"])
def test_a_file_where_a_store_should_be_is_told_and_left_alone(tmp_path: Path, line: str) -> None:
    (tmp_path / "store").write_text("mine")
    ran = entente(*line.split(), "--store", str(tmp_path / "store"))
    assert (ran.code, "a file stands where a folder should" in ran.err) == (3, True), ran
    assert is_one_sentence(ran)
    assert snapshot(tmp_path) == {"store": b"mine"}


@pytest.mark.parametrize("line", ["games list", "board 01234567", "play"])
def test_a_server_that_nobody_answers_at_is_told_without_its_password(line: str) -> None:
    ran = entente(*line.split(), "--store", "postgresql://me:secret@127.0.0.1:1/games")
    assert (ran.code, "the database server cannot be reached" in ran.err) == (3, True), ran
    assert is_one_sentence(ran)
    assert "secret" not in ran.err


@pytest.mark.parametrize("line", ["board 01234567", "resume 01234567", "games delete 01234567"])
def test_reading_makes_no_store_where_there_is_none(tmp_path: Path, line: str) -> None:
    ran = entente(*line.split(), "--store", str(tmp_path / "store"))
    assert (ran.code, "There is no store at" in ran.err) == (3, True), ran
    assert f"begin one with `entente play --store {tmp_path / 'store'}`" in ran.err
    assert is_one_sentence(ran)
    assert not (tmp_path / "store").exists()


def test_a_list_of_no_games_says_how_to_begin_and_makes_no_store(tmp_path: Path) -> None:
    ran = entente("games", "list", "--store", str(tmp_path / "store"))
    assert (ran.code, ran.out) == (0, "")
    assert (
        f"No games yet in {tmp_path / 'store'}; `entente play --store {tmp_path / 'store'}` begins one."
        in ran.err
    )
    assert not (tmp_path / "store").exists()


def test_a_folder_may_be_named_from_home_where_the_shell_does_not_look(
    shelf: Shelf, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", str(Path(shelf.store).parent))
    assert shelf.finished in entente("games", "list", "--json", "--store=~/store").out


def test_a_folder_that_may_not_be_written_is_told(tmp_path: Path) -> None:
    tmp_path.chmod(0o500)
    with _as_nobody():
        ran = entente("play", "--store", str(tmp_path / "store"))
    assert (ran.code, "it may not be read or written" in ran.err) == (3, True), ran
    assert is_one_sentence(ran)


@pytest.mark.parametrize("line", ["games list", "board 01234567"])
def test_a_folder_that_may_not_be_read_is_told(tmp_path: Path, line: str) -> None:
    tmp_path.chmod(0o500)
    with _as_nobody():
        ran = entente(*line.split(), "--store", str(tmp_path / "store"))
    assert (ran.code, "it may not be read or written" in ran.err) == (3, True), ran
    assert is_one_sentence(ran)


def test_a_full_disk_stops_the_game_and_loses_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, shelf: Shelf
) -> None:
    store = str(tmp_path / "store")
    with monkeypatch.context() as patch:
        _limit(patch, _pages(shelf.store) * 5 // 6)
        ran = entente("play", "--rounds", "1", "--max-year", "1901", "--store", store)
        assert (ran.code, "the disk is full; nothing was changed" in ran.err) == (3, True), ran
        assert ran.out == ""
        assert "Traceback" not in ran.err
    (game,) = games_in(store)
    assert (
        f"All finished turns are kept. To go on from there: entente resume {game} --store {store}" in ran.err
    )
    assert entente("resume", game, "--store", store).code == 0
    assert _digests(store, game) == _digests(shelf.store, shelf.finished)


@pytest.mark.parametrize(
    ("given", "byte"),
    [(b"ENGLAND: caf\xe9\n", "0xe9"), (b"ALL: one\nALL: \xff\n", "0xff"), (b"ALL: hello\0\n", "0x00")],
    ids=["latin-1", "no character", "nul"],
)
def test_piped_bytes_that_are_no_text_are_told_and_nothing_is_sent(
    own_shelf: Shelf, given: bytes, byte: str
) -> None:
    turn = ("turn", own_shelf.waiting, "FRANCE", "--store", own_shelf.store)
    ran = apart(*turn, stdin=given)
    assert (ran.code, ran.out) == (2, "")
    assert ran.err == f"entente: Text in UTF-8 was wanted and the byte {byte} came; nothing was sent.\n"
    assert entente(*turn, stdin="\n").code == 6


def test_a_question_that_is_no_text_is_not_asked(own_shelf: Shelf) -> None:
    ran = entente("ask", own_shelf.waiting, "ENGLAND", "Who\udcff?", "--store", own_shelf.store)
    assert (ran.code, ran.err) == (
        2,
        "entente: Text in UTF-8 was wanted and the byte 0xff came; nothing was asked.\n",
    )


def test_an_answer_that_a_full_disk_met_is_not_lost(
    own_shelf: Shelf, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = f"ALL: {'x' * 3900}\n" * 6
    with monkeypatch.context() as patch:
        # Room for the answer, and not for the turn that is made of it.
        _limit(patch, _pages(own_shelf.store) + 16)
        ran = entente("turn", own_shelf.waiting, "FRANCE", "--store", own_shelf.store, stdin=text)
        assert (ran.code, "the disk is full" in ran.err) == (3, True), ran
    assert entente("resume", own_shelf.waiting, "--store", own_shelf.store).code == 6
    press = entente("press", own_shelf.waiting, "--power", "FRANCE", "--store", own_shelf.store).out
    assert press.count("FRANCE to all") == 6


def test_an_answer_that_could_not_be_kept_is_shown_again_and_asked_for_again(
    own_shelf: Shelf, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = f"ALL: {'x' * 3900}\n" * 30
    turn = ("turn", own_shelf.waiting, "FRANCE", "--store", own_shelf.store)
    with monkeypatch.context() as patch:
        _limit(patch, 1)
        patch.setattr("entente.cli.game_run.can_ask", lambda: True)
        ran = entente(*turn, stdin=text)
        assert (ran.code, "the disk is full; nothing was changed" in ran.err) == (3, True), ran
        assert f"this may not have been kept:\n{text}" in ran.err
    assert entente("resume", own_shelf.waiting, "--store", own_shelf.store).code == 6
    assert entente(*turn, stdin="ALL: short\n").code == 6
    press = entente("press", own_shelf.waiting, "--power", "FRANCE", "--store", own_shelf.store).out
    assert press.count("FRANCE to all") == 1


def test_a_game_that_another_process_holds_is_told_and_left_alone(own_shelf: Shelf) -> None:
    with sqlite3.connect(Path(own_shelf.store) / JOURNAL_FILE) as connection:
        connection.execute(
            "INSERT INTO leases VALUES (?, 'token', 'elsewhere', 'other-host', 77, '0', 'entente play', 0, ?)",
            (own_shelf.waiting, time.time() + 3600),
        )
    connection.close()
    before = snapshot(Path(own_shelf.store))
    for line in ("resume {waiting}", "games delete {waiting}", "games prune {waiting}"):
        ran = entente(*line.format(**own_shelf._asdict()).split(), "--store", own_shelf.store)
        assert (ran.code, "process 77 on other-host" in ran.err) == (3, True), ran
        assert is_one_sentence(ran)
    assert snapshot(Path(own_shelf.store)) == before


def test_a_seat_that_fails_pauses_the_game_and_says_how_to_go_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = str(tmp_path / "store")
    options = ("--rounds", "1", "--max-year", "1901", "--store", store)
    with monkeypatch.context() as patch:
        patch.setattr(players, "Seating", Cast(failing={"ITALY"}).in_place_of_seating)
        ran = entente("play", *options)
    (game,) = games_in(store)
    assert ran.code == 4
    assert "ITALY" in ran.err
    assert f"To try again: entente resume {game} --store {store}" in ran.err
    assert is_one_sentence(ran), ran.err
    assert entente("resume", game, "--store", store).code == 0


def test_a_game_imported_twice_is_refused_the_second_time(own_shelf: Shelf, tmp_path: Path) -> None:
    file = str(tmp_path / "game.entente")
    assert entente("games", "export", own_shelf.finished, file, "--store", own_shelf.store).code == 0
    before = snapshot(Path(own_shelf.store))
    ran = entente("games", "import", file, "--store", own_shelf.store)
    assert (ran.code, "already" in ran.err) == (2, True), ran
    assert is_one_sentence(ran)
    assert snapshot(Path(own_shelf.store)) == before


def test_a_map_that_cannot_be_written_is_told_and_the_game_is_finished(tmp_path: Path) -> None:
    store = tmp_path / "store"
    store.mkdir()
    (store / "maps").write_text("mine")
    ran = entente("play", "--all", "hold", "--floor", "gunboat", "--max-year", "1901", "--store", str(store))
    assert ran.code == 0
    assert "The final map could not be written" in ran.err
    assert "Final map" not in ran.out
    shutil.rmtree(store)


def _limit(patch: pytest.MonkeyPatch, pages: int) -> None:
    """A disk without room for more pages than these; SQLite takes as many as there are."""

    def limited(connection: sqlite3.Connection, record: object) -> None:
        _on_connect(connection, record)
        connection.execute(f"PRAGMA max_page_count = {pages}")

    patch.setattr("checkpoints.database._on_connect", limited)


def _pages(store: str) -> int:
    with closing(sqlite3.connect(Path(store) / JOURNAL_FILE)) as connection:
        return int(connection.execute("PRAGMA page_count").fetchone()[0])


def _digests(store: str, game: str) -> list[str]:
    shown = entente("games", "show", game, "--store", store).out
    return [line for line in shown.splitlines() if "_digest" in line]


@contextmanager
def _as_nobody() -> Generator[None]:
    """Root may write anywhere."""
    if os.geteuid() != 0:
        yield
        return
    os.seteuid(65534)
    try:
        yield
    finally:
        os.seteuid(0)
