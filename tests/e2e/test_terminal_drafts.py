"""Nothing that is typed at a terminal is lost, whatever ends the dialog; and nobody else is shown it."""

import asyncio
import signal
from pathlib import Path

import pytest

from checkpoints.drafts import SeatDraft
from checkpoints.store import open_store
from entente.games.drafts import keep_draft
from tests.e2e.test_terminal import CONDUCTED, SEAT
from tests.support.terminal import entente, games_in, terminal

SECRET = "A PAR S A MAR - BUR"


@pytest.mark.parametrize("leave", ["GERMANY: half a li\x03", signal.SIGKILL, signal.SIGHUP], ids=repr)
def test_what_was_typed_comes_back_however_the_dialog_ended(
    tmp_path: Path, leave: str | signal.Signals
) -> None:
    store = str(tmp_path / "store")
    with terminal(*CONDUCTED, "--seat", "FRANCE=human", "--store", store) as dialog:
        dialog.expect("FRANCE>")
        dialog.answer("GERMANY: canary-draft", "to GERMANY: canary-draft")
        dialog.answer(SECRET, f"{SECRET}: ok")
        dialog.answer("/draw", "a vote for")
        dialog.expect("FRANCE>")
        if isinstance(leave, str):
            dialog.type(leave)
            dialog.expect("This was not sent, and is kept for your next turn:\nGERMANY: canary-draft")
        else:
            dialog.send_signal(leave)
        dialog.exit_code()
    (game,) = games_in(store)
    shown_to_others(store, game, tmp_path)
    with terminal("turn", game, "FRANCE", "--store", store) as dialog:
        shown = dialog.expect("FRANCE>")
        assert "You had written this and not sent it" in shown
        assert all(line in shown for line in ("to GERMANY: canary-draft", SECRET, "a vote for"))
        if isinstance(leave, str) and "half" in leave:
            dialog.type("ne\r")
            dialog.expect("to GERMANY: half a line")
        else:
            dialog.answer("/undo", f"taken back: {SECRET}")
            dialog.answer(SECRET, f"{SECRET}: ok")
        dialog.type("/send\r")
        dialog.expect("F1901M")
        assert "You had written" not in dialog.expect("Waiting for FRANCE")
    assert SECRET in entente("board", game, "--at", "S1901M", "--store", store).out


def shown_to_others(store: str, game: str, folder: Path) -> None:
    """No command shows the draft, the operator's neither, and no export has it."""
    exported = folder / "game.entente"
    for line in (
        f"log {game} --operator",
        f"log {game} --power GERMANY",
        f"press {game} --operator",
        f"board {game}",
        f"games show {game}",
        f"bundle {game} GERMANY",
        f"games export {game} {exported}",
        f"games export {game} --langgraph {folder / 'game.sqlite'}",
    ):
        ran = entente(*line.split(), "--store", store)
        assert ran.code == 0, (line, ran.err)
        assert "canary-draft" not in ran.out + ran.err, line
    assert entente("games", "import", str(exported), "--store", str(folder / "other")).code == 0
    for file in (exported, folder / "game.sqlite", *(folder / "other").iterdir()):
        assert b"canary-draft" not in file.read_bytes(), file


def test_messages_and_orders_of_rounds_have_one_draft(tmp_path: Path) -> None:
    store = str(tmp_path / "store")
    with terminal("play", *SEAT, "--rounds", "1", "--store", store) as dialog:
        dialog.answer("ALL: hello", "to all: hello")
        dialog.type("/send\r")
        dialog.expect("your orders are wanted")
        dialog.answer("A PAR - BUR", "A PAR - BUR: ok")
        dialog.expect("FRANCE>")
        dialog.type("\x04")
        assert dialog.exit_code() == 6
    (game,) = games_in(store)
    with terminal("turn", game, "FRANCE", "--store", store) as dialog:
        assert "  A PAR - BUR\n" in dialog.expect("FRANCE>").replace("\r", "").partition("You had")[2]


def test_a_deadline_warns_while_a_line_is_typed(tmp_path: Path) -> None:
    late = ("--deadline-seconds", "12", "--seat", "FRANCE=human", "--store", str(tmp_path / "store"))
    with terminal(*CONDUCTED, *late) as dialog:
        dialog.expect(
            "seconds are left for S1901M; typed orders are not given unless you /send"
        )  # the rest may wrap
        dialog.expect("FRANCE>")


def test_a_line_that_is_typed_where_yes_or_no_was_wanted_is_not_lost(tmp_path: Path) -> None:
    with terminal(*CONDUCTED, "--seat", "FRANCE=human", "--store", str(tmp_path / "store")) as dialog:
        dialog.expect("FRANCE>")
        dialog.answer("A PAR - BUR", "A PAR - BUR: ok")
        dialog.type("\r")
        dialog.expect("Send?")
        dialog.answer("F BRE - MAO", "F BRE - MAO: ok")
        dialog.expect("FRANCE>")
        dialog.type("\r")
        assert "no order: A MAR holds" in dialog.expect("Send?")
        dialog.type("y\r")
        dialog.expect("It is F1901M")


async def _type(store: str, game: str) -> None:
    async with open_store(store) as opened:
        await keep_draft(opened, game, "FRANCE", "S1901M", SeatDraft(messages=("ALL: wait",), begun="A PA"))


def test_what_was_never_sent_is_told_once_the_phase_is_over(tmp_path: Path) -> None:
    store = str(tmp_path / "store")
    assert entente(*CONDUCTED, "--seat", "FRANCE=human", "--store", store).code == 6
    (game,) = games_in(store)
    asyncio.run(_type(store, game))
    assert entente("turn", game, "FRANCE", "--store", store, stdin="A PAR H\n").code == 6
    for is_told in (True, False):
        with terminal("turn", game, "FRANCE", "--store", store) as dialog:
            shown = dialog.expect("FRANCE>").replace("\r", "")
            assert ("This was typed for S1901M and never sent:\nALL: wait\nA PA\n" in shown) is is_told
            dialog.type("\x04")
            dialog.exit_code()


def test_what_has_no_order_is_said_at_once_and_a_map_has_the_draft(tmp_path: Path) -> None:
    store = tmp_path / "store"
    with terminal(*CONDUCTED, "--seat", "FRANCE=human", "--store", str(store)) as dialog:
        dialog.expect("FRANCE>")
        dialog.answer("A PAR - BUR", "no order yet: F BRE holds, A MAR holds")
        shown = dialog.answer("/map", ".FRANCE.svg")
        (game,) = games_in(str(store))
        assert "Map: " in shown
        picture = store / "maps" / f"{game}.FRANCE.svg"
        assert "OrderLayer" in picture.read_text()
        assert picture.stat().st_mode & 0o077 == 0
        dialog.answer("F BRE H; A MAR H", "A MAR H: ok")
        assert "no order yet" not in dialog.answer("/send", "It is F1901M").partition("A MAR H: ok")[2]
        dialog.expect("FRANCE>")
        dialog.type("\x04")
        dialog.exit_code()
    assert entente("games", "delete", game, "--yes", "--store", str(store)).code == 0
    assert not picture.exists()
