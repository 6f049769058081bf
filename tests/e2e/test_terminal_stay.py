"""People who stay at their seats, each at a terminal of their own."""

import re
from pathlib import Path

from tests.e2e.test_terminal import CONDUCTED
from tests.support.terminal import entente, games_in, json_lines, terminal

TWO = ("--seat", "FRANCE=human", "--seat", "GERMANY=human")


def test_two_people_play_a_year_and_read_each_other_above_the_line_that_is_typed(tmp_path: Path) -> None:
    store = str(tmp_path / "store")
    assert entente(*CONDUCTED, *TWO, "--store", store).code == 6
    (game,) = games_in(store)
    with (
        terminal("turn", game, "FRANCE", "--stay", "--store", store) as france,
        terminal("turn", game, "GERMANY", "--stay", "--store", store) as germany,
    ):
        france.expect("FRANCE>")
        france.answer("A PAR - BUR", "A PAR - BUR: ok")
        france.type("GERMANY: who is th")
        germany.expect("GERMANY>")
        germany.answer("FRANCE: knock knock", "to FRANCE: knock knock")
        germany.answer("AUSTRIA: canary-of-germany", "to AUSTRIA")
        germany.answer("A MUN - RUH", "A MUN - RUH: ok")
        germany.type("/send\r")

        assert "\a" in france.expect("GERMANY to FRANCE: knock knock")
        france.expect("FRANCE> GERMANY: who is th")
        france.answer("ere?", "to GERMANY: who is there?")
        france.answer("ITALY: canary-of-france", "to ITALY")
        shown = france.answer("/press", "S1901M GERMANY to FRANCE: knock knock")
        assert re.search(r"\* [-0-9]{10} [:0-9]{8} S1901M GERMANY to FRANCE: knock knock$", shown)
        assert " message " in france.answer("/log", "GERMANY to FRANCE: knock knock")
        france.type("/send\r")
        # What was read above the line is read; GERMANY has mail, and is asked before the phase is adjudicated.
        germany.expect("FRANCE to GERMANY: who is there?")
        germany.expect("GERMANY>")
        shown = france.expect("your orders are in")
        assert "S1901M on standard" not in shown  # the board is on the screen already
        assert "knock knock" not in shown
        france.expect("FRANCE>")
        germany.answer("/send", "F1901M on standard")
        germany.expect("GERMANY>")
        france.expect("S1901M is over: it was adjudicated.")
        france.expect("Since you last looked:")
        france.expect("FRANCE   A PAR - BUR")
        france.expect("FRANCE>")
        france.answer("A MAR - SPA", "A MAR - SPA: ok")
        france.answer("/send", "your orders are in")
        germany.answer("A RUH - HOL", "A RUH - HOL: ok")
        germany.answer("/send", "It is W1901A")
        france.expect("It is W1901A")
        france.expect("FRANCE>")
        france.answer("A PAR B", "A PAR B: ok")
        france.answer("/send", "FRANCE is not being asked: the game waits for GERMANY.")
        germany.expect("GERMANY>")
        germany.answer("A MUN B", "A MUN B: ok")
        germany.type("/send\r")
        for dialog in (france, germany):
            dialog.expect("The last year is over")
            assert dialog.exit_code() == 0
        assert "canary-of-germany" not in france.screen
        assert "canary-of-france" not in germany.screen
    said = json_lines(entente("press", game, "--json", "--store", store).out)
    of_people = [message["content"] for message in said if message["sender"] in ("FRANCE", "GERMANY")]
    assert of_people == ["knock knock", "canary-of-germany", "who is there?", "canary-of-france"]


def test_who_is_not_asked_is_told_how_to_wait(tmp_path: Path) -> None:
    store = str(tmp_path / "store")
    assert entente("play", "--all", "dumbbot", *TWO, "--max-year", "1901", "--store", store).code == 6
    (game,) = games_in(store)
    assert entente("turn", game, "FRANCE", "--store", store, stdin="\n").code == 6
    refused = entente("turn", game, "FRANCE", "--store", store, stdin="\n")
    assert refused.code == 2
    assert "the game waits for GERMANY; nothing was done." in refused.err
    assert f"entente turn {game} FRANCE --stay" in refused.err
    assert "takes a terminal" in entente("turn", game, "FRANCE", "--stay", "--store", store).err
    assert "TURKEY is none" in entente("turn", game, "TURKEY", "--stay", "--store", store).err
    with terminal("turn", game, "FRANCE", "--stay", "--store", store) as dialog:
        dialog.expect("FRANCE is not being asked: the game waits for GERMANY. Ctrl-C leaves.")
        assert entente("turn", game, "GERMANY", "--store", store, stdin="ALL: hello\n").code == 6
        assert "GERMANY to all: hello" in dialog.expect("FRANCE>")
        dialog.type("\x04")
        assert dialog.exit_code() == 6


def test_one_seat_alone_is_asked_here(tmp_path: Path) -> None:
    store = str(tmp_path / "store")
    with terminal(*CONDUCTED, *TWO, "--here", "france", "--store", store) as france:
        france.expect("For GERMANY: entente turn")
        france.expect("FRANCE>")
        (game,) = games_in(store)
        france.answer("GERMANY: canary", "to GERMANY: canary")
        france.answer("A PAR - BUR", "A PAR - BUR: ok")
        france.type("/send\r")
        france.expect("your orders are in")
        france.expect("FRANCE>")
        piped = "AUSTRIA: canary-of-germany\nA MUN H\n"
        assert entente("turn", game, "GERMANY", "--store", store, stdin=piped).code == 6
        france.expect("S1901M is over: it was adjudicated.")
        france.expect("It is F1901M")
        france.expect("FRANCE>")
        assert "canary-of-germany" not in france.screen
        france.type("\x04")
        assert france.exit_code() == 6


def test_a_seat_that_is_nobodys_here_is_refused_before_a_game_begins(tmp_path: Path) -> None:
    store = str(tmp_path / "store")
    assert "takes a terminal" in entente(*CONDUCTED, *TWO, "--here", "FRANCE", "--store", store).err
    with terminal(*CONDUCTED, *TWO, "--here", "ITALY", "--store", store) as dialog:
        dialog.expect("A seat that a person plays was wanted for --here and ITALY is none")
        assert dialog.exit_code() == 2
    assert not Path(store).exists()


SLOW_BOT = """
import asyncio
from pathlib import Path
from entente.players.protocol import Reply

class Slow:
    async def take_turn(self, bundle):
        while not Path("may_answer").exists():
            await asyncio.sleep(0.02)
        return Reply([])
"""


def test_a_person_writes_while_others_think(tmp_path: Path) -> None:
    """One stays at a seat of a game that its own process plays, the other sends a line to it from a pipe."""
    store = str(tmp_path / "store")
    (tmp_path / "bots.py").write_text(SLOW_BOT)
    slow = ("--seat", "ITALY=bots:Slow", "--here", "FRANCE", "--store", store)
    with terminal(*CONDUCTED, *TWO, *slow, cwd=tmp_path) as france:
        assert "What you send is kept, and given at once." in france.expect("FRANCE>")
        (game,) = games_in(store)
        france.answer("GERMANY: are you up?", "to GERMANY: are you up?")
        france.type("/send\r")
        france.expect("Sent.")
        france.expect("FRANCE>")
        sent = entente("turn", game, "GERMANY", "--store", store, stdin="FRANCE: I am\nA MUN H\n")
        assert (sent.code, "GERMANY is not asked yet: others are thinking." in sent.err) == (0, True)
        assert "\a" in france.expect("GERMANY to FRANCE: I am")
        france.answer("A PAR - BUR", "A PAR - BUR: ok")
        france.type("/send\r")
        (tmp_path / "may_answer").touch()
        france.expect("S1901M is over: it was adjudicated.")
        france.expect("FRANCE   A PAR - BUR")
        france.expect("FRANCE>")
        france.type("\x04")
        assert france.exit_code() == 6
    said = json_lines(entente("press", game, "--power", "FRANCE", "--json", "--store", store).out)
    assert [message["content"] for message in said] == ["are you up?", "I am"]
