"""Real processes on a real terminal: a person's dialog, and signals."""

import re
import signal
from pathlib import Path

import pytest

from tests.support.patience import PATIENCE
from tests.support.piped import Piped
from tests.support.terminal import Terminal, entente, games_in, start, terminal

SEAT = ("--all", "dumbbot", "--seat", "FRANCE=human", "--rounds", "2", "--max-year", "1901")


def _is_waiting(store: str) -> bool:
    (game,) = games_in(store)
    ran = entente("resume", game, "--store", store)
    return ran.code == 6


def _say_nothing(dialog: Terminal) -> None:
    dialog.expect("FRANCE>")
    dialog.answer("/send", "round 2 of 2")


def test_a_person_writes_changes_and_sends_in_a_dialog(tmp_path: Path) -> None:
    store = str(tmp_path / "store")
    with terminal("play", *SEAT, "--store", store) as dialog:
        assert "round 1 of 2 of negotiation" in dialog.expect("FRANCE>")
        dialog.answer("NARNIA: hello", "delivered to nobody")
        shown = dialog.answer("/sned", "'/sned' came; nothing was done")
        assert "send what is written" not in shown
        dialog.answer("/help", "send what is written")
        dialog.answer("germany: I want Burgundy", "to GERMANY: I want Burgundy")
        dialog.answer("/undo", "taken back: I want Burgundy")
        dialog.answer("ALL: good luck", "to all: good luck")
        dialog.answer("", "Send? [y/N]")
        dialog.answer("n", "FRANCE>")
        dialog.answer("/show", "to all: good luck")
        shown = dialog.answer("/send", "round 2 of 2 of negotiation")
        assert "S1901M on standard" not in shown  # the board is on the screen already
        assert "I want Burgundy" not in shown
        dialog.expect("FRANCE>")
        dialog.answer("/send", "your orders are wanted")

        dialog.expect("FRANCE>")
        dialog.type("A PAR S A MAR - B\t")  # only one legal order begins so
        dialog.expect("UR")
        dialog.answer("", "A PAR S A MAR - BUR: ok")
        dialog.answer("paris to burgundy", "was read as A PAR - BUR")
        dialog.answer("A MAR - LON", "was rejected")
        dialog.answer("/draw", "a vote for ending the game in a draw")
        dialog.answer("/no-draw", "a vote against ending the game in a draw")
        shown = dialog.answer("", "Send? [y/N]")
        assert "A PAR - BUR" in shown
        assert "no order: A MAR holds" in shown
        assert "a vote against" in shown

        shown = dialog.answer("y", "It is F1901M")
        assert "Orders of S1901M:" in shown
        assert "FRANCE   A PAR - BUR" in shown
        assert "good luck" not in shown
        dialog.expect("FRANCE>")
        shown = dialog.answer("/press", "S1901M.1 FRANCE to all: good luck")
        assert re.search(r"\n  \d{4}-\d\d-\d\d \d\d:\d\d:\d\d S1901M.1 FRANCE to all: good luck$", shown)
        shown = dialog.answer("/log", "FRANCE has given its orders: A PAR - BUR")
        assert "AUSTRIA has given its orders." in shown
        dialog.expect("FRANCE>")
        dialog.type("\x04")
        dialog.expect("Nothing was sent.")
        assert dialog.exit_code() == 6
    assert _is_waiting(store)


LONG_LINE = f"ALL: {'I remember what was said. ' * 6}".strip()
"""Longer than the terminal is wide."""


@pytest.mark.parametrize("leave", ["\x03", "\x04", "half a message\x03", signal.SIGTERM], ids=repr)
def test_who_leaves_the_dialog_leaves_the_game_waiting(tmp_path: Path, leave: str | signal.Signals) -> None:
    store = str(tmp_path / "store")
    with terminal("play", *SEAT, "--store", store) as dialog:
        _say_nothing(dialog)
        dialog.expect("FRANCE>")
        dialog.answer(LONG_LINE, "to all: I remember")
        dialog.expect("FRANCE>")
        if isinstance(leave, str):
            dialog.type(leave)
        else:
            dialog.send_signal(leave)
        dialog.expect(f"This was not sent, and is kept for your next turn:\n{LONG_LINE}\n")
        dialog.expect("Waiting for FRANCE: entente turn")
        dialog.expect(" FRANCE --stay")
        assert dialog.exit_code() == 6
    (game,) = games_in(store)
    assert "S1901M.1.FRANCE" in entente("log", game, "--operator", "--store", store).out
    assert _is_waiting(store)


def test_a_turn_is_answered_from_another_process_and_the_late_answer_is_refused(tmp_path: Path) -> None:
    store = str(tmp_path / "store")
    with terminal("play", *SEAT, "--store", store) as late:
        late.expect("FRANCE>")
        (game,) = games_in(store)
        with terminal("turn", game, "FRANCE", "--store", store) as quick:
            quick.expect("FRANCE>")
            quick.type("ALL: first\r/send\r")
            quick.expect("Waiting for FRANCE")
            assert quick.exit_code() == 6
        late.type("ALL: second\r/send\r")
        late.expect("no longer open")
        assert late.exit_code() == 2
    press = entente("press", game, "--operator", "--store", store).out
    assert "first" in press
    assert "second" not in press


def test_two_people_at_one_terminal_send_one_by_one(tmp_path: Path) -> None:
    store = str(tmp_path / "store")
    with terminal("play", *SEAT, "--seat", "ITALY=human", "--store", store) as dialog:
        dialog.expect("FRANCE>")
        dialog.answer("ITALY: are you there?", "to ITALY")
        dialog.type("/send\r")
        dialog.expect("ITALY, press Enter:")
        assert "are you there" not in dialog.reachable
        dialog.type("\r")
        assert "are you there" not in dialog.expect("ITALY>").split("You are ITALY")[-1]
        dialog.type("\x04")
        dialog.expect("Waiting for ITALY")
        assert dialog.exit_code() == 6
    (game,) = games_in(store)
    assert "FRANCE to ITALY: are you there?" in entente("press", game, "--operator", "--store", store).out


CONDUCTED = ("conductor", "--all", "dumbbot", "--max-year", "1901")


def test_a_person_talks_and_orders_in_one_dialog_on_the_conductors_floor(tmp_path: Path) -> None:
    store = str(tmp_path / "store")
    with terminal(*CONDUCTED, "--seat", "FRANCE=human", "--seat", "ITALY=human", "--store", store) as dialog:
        shown = dialog.expect("FRANCE>")
        assert "Orders are in from AUSTRIA, ENGLAND, GERMANY, RUSSIA, TURKEY." in shown
        dialog.answer("NARNIA: hello", "delivered to nobody")
        dialog.answer("italy: shall we?", "to ITALY: shall we?")
        dialog.type("A PAR S A MAR - B\t")
        dialog.expect("UR")
        dialog.answer("", "A PAR S A MAR - BUR: ok")
        dialog.answer("/undo", "taken back: A PAR S A MAR - BUR")
        dialog.answer("paris to burgundy", "was read as A PAR - BUR")
        shown = dialog.answer("", "Send? [y/N]")
        assert "to ITALY: shall we?" in shown
        assert "no order: A MAR holds" in shown
        assert "F ANK" not in shown

        dialog.answer("y", "ITALY, press Enter:")
        shown = dialog.answer("", "ITALY>")
        assert "FRANCE to ITALY: shall we?" in shown
        assert "Orders are in from AUSTRIA, ENGLAND, FRANCE" in shown
        assert "A PAR - BUR" not in shown.split("You are ITALY")[0].split("Press of S1901M")[1]
        assert "nothing now" in dialog.answer("", "Send? [y/N]")
        # Nobody has written to FRANCE, which has ordered, and so it is ITALY that is asked again.
        dialog.answer("y", "ITALY>")
        dialog.answer("FRANCE: we shall", "to FRANCE: we shall")
        dialog.answer("A ROM H; A VEN H; F NAP H", "F NAP H: ok")
        dialog.answer("/send", "FRANCE, press Enter:")
        shown = dialog.answer("", "FRANCE>")
        assert "S1901M on standard" in shown  # the screen was cleared
        assert "New since your last answer:" in shown
        assert "ITALY to FRANCE: we shall" in shown
        assert "Your orders so far: A PAR - BUR." in shown
        assert "your orders stay as they are:" in dialog.answer("", "Send? [y/N]")
        dialog.answer("y", "ITALY, press Enter:")  # who was asked longest ago
        assert "FRANCE   A PAR - BUR" in dialog.answer("", "It is F1901M")
        dialog.expect("ITALY>")
        dialog.type("\x04")
        dialog.expect("Waiting for FRANCE")
        assert dialog.exit_code() == 6


def test_orders_that_come_late_are_refused_and_shown_to_be_copied(tmp_path: Path) -> None:
    store = str(tmp_path / "store")
    with terminal(*CONDUCTED, "--seat", "FRANCE=human", "--store", store) as late:
        late.expect("FRANCE>")
        (game,) = games_in(store)
        ran = entente("turn", game, "FRANCE", "--store", store, stdin="A PAR - BUR\n")
        assert "Waiting for FRANCE" in ran.err
        late.answer("A MAR - PIE", "A MAR - PIE: ok")
        late.answer("ALL: hello", "to all: hello")
        late.type("/send\r")
        shown = late.expect("no longer open")
        assert "This was not sent:\nALL: hello\nA MAR - PIE\n" in shown.replace("\r", "")
        assert "FRANCE's answer for S1901M" in shown
        assert late.exit_code() == 2
    assert "MAR - PIE" not in entente("log", game, "--operator", "--store", store).out


def test_an_answer_that_the_question_was_put_anew_for_is_taken(tmp_path: Path) -> None:
    store = str(tmp_path / "store")
    people = ("--seat", "FRANCE=human", "--seat", "ITALY=human")
    with terminal(*CONDUCTED, *people, "--store", store) as dialog:
        dialog.expect("FRANCE>")
        (game,) = games_in(store)
        ran = entente("turn", game, "ITALY", "--store", store, stdin="FRANCE: hello\n")
        assert ran.code == 6
        dialog.answer("A PAR - BUR", "ok")
        shown = dialog.answer("/send", "ITALY, press Enter:")
        assert "not sent" not in shown
    assert "FRANCE has spoken" in entente("log", game, "--operator", "--store", store).out


def test_who_has_ordered_writes_first_while_another_is_waited_for(tmp_path: Path) -> None:
    store = str(tmp_path / "store")
    people = ("--seat", "FRANCE=human", "--seat", "ITALY=human")
    assert entente(*CONDUCTED, *people, "--store", store).code == 6
    (game,) = games_in(store)
    ran = entente("turn", game, "FRANCE", "--store", store, stdin="A PAR H\n")
    assert f"FRANCE may write, too: entente turn {game} FRANCE" in ran.err
    with terminal("turn", game, "FRANCE", "--store", store) as dialog:
        shown = dialog.expect("FRANCE>")
        assert "your orders are in" in shown
        dialog.answer("ITALY: are you there?", "to ITALY: are you there?")
        dialog.answer("/send", "Waiting for ITALY")
        assert dialog.exit_code() == 6
    assert (
        "FRANCE to ITALY: are you there?" in entente("press", game, "--power", "ITALY", "--store", store).out
    )
    assert entente("turn", game, "ITALY", "--store", store, stdin="A VEN H\n").code == 6
    assert "A PAR H" in entente("board", game, "--at", "S1901M", "--store", store).out


@pytest.mark.parametrize("lines", ["GERMANY: hello\nA PAR - NARNIA", "NARNIA: hello\nA PAR - BUR"])
def test_piped_messages_and_orders_are_sent_whole_or_not_at_all(tmp_path: Path, lines: str) -> None:
    store = str(tmp_path / "store")
    assert entente(*CONDUCTED, "--seat", "FRANCE=human", "--store", store).code == 6
    (game,) = games_in(store)
    ran = entente("turn", game, "FRANCE", "--store", store, stdin=lines)
    assert (ran.code, "1 of the lines cannot be used, so nothing was sent" in ran.err) == (2, True), ran
    ran = entente("turn", game, "FRANCE", "--store", store, stdin="GERMANY: hello\nA PAR - BUR\n")
    assert ran.code == 6
    assert "FRANCE to GERMANY: hello" in entente("press", game, "--operator", "--store", store).out
    assert "A PAR - BUR" in entente("board", game, "--at", "S1901M", "--store", store).out


def test_the_live_board_moves_on_a_terminal_and_leaves_the_result(tmp_path: Path) -> None:
    with terminal(
        "play", "--max-year", "1903", "--rounds", "1", "--store", str(tmp_path / "store")
    ) as screen:
        assert screen.exit_code() == 0
    assert "/3 years, to 1903" in screen.screen
    after = screen.screen[screen.screen.rindex("The last year is over") :]
    assert "Final map: " in after
    assert "This run: " in after


def test_a_game_whose_listener_leaves_stops_quietly_and_can_be_resumed(tmp_path: Path) -> None:
    store = str(tmp_path / "store")
    with start("play", "--max-year", "1903", "--store", store) as process:
        process.stderr.readline()
        process.stderr.close()
        process.stdout.close()
        assert process.wait(PATIENCE) == 141
    assert entente("resume", *games_in(store), "--store", store).code == 0


LONG = ("--all", "diplomat", "--rounds", "3", "--max-year", "1999")


def _playing(store: str) -> Piped:
    process = start("play", *LONG, "--store", store)
    while not process.stderr.readline().startswith("S1901M"):
        assert process.returncode is None
    return process


@pytest.mark.parametrize("received", [signal.SIGINT, signal.SIGTERM], ids=["sigint", "sigterm"])
def test_a_signal_pauses_a_game_which_can_be_resumed(tmp_path: Path, received: signal.Signals) -> None:
    store = str(tmp_path / "store")
    with _playing(store) as process:
        process.send_signal(received)
        out, err = process.communicate(timeout=PATIENCE)
    (game,) = games_in(store)
    assert (process.returncode, out) == (5, "")
    assert "Pausing: the turns in progress finish first" in err
    assert f"entente resume {game} --store {store}\n" in err
    assert "Traceback" not in err
    assert " paused " in entente("games", "list", "--store", store).out


def test_a_second_signal_stops_at_once_and_the_game_can_be_resumed(tmp_path: Path) -> None:
    store = str(tmp_path / "store")
    with _playing(store) as process:
        process.send_signal(signal.SIGSTOP)  # so that both are there when it looks
        process.send_signal(signal.SIGINT)
        process.send_signal(signal.SIGTERM)
        process.send_signal(signal.SIGCONT)
        out, err = process.communicate(timeout=PATIENCE)
    (game,) = games_in(store)
    assert (process.returncode, out) == (5, "")
    assert f"Stopped. To take the unfinished turns again: entente resume {game} --store {store}\n" in err
    assert "Traceback" not in err
    with start("resume", game, "--store", store) as again:
        assert again.stderr.readline() == f"Game {game}\n"
        assert again.stderr.readline().split()[0].endswith(("M", "R", "A"))
        again.send_signal(signal.SIGINT)
        again.communicate(timeout=PATIENCE)
    assert again.returncode == 5
