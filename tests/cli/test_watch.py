"""`entente watch`: a phase of a game on the screen, live and as it was."""

from pathlib import Path

from tests.cli.conftest import Shelf
from tests.support.terminal import entente, games_in, terminal


def test_where_nothing_moves_the_game_is_printed_as_it_stands(shelf: Shelf) -> None:
    ran = entente("watch", shelf.finished, "--store", shelf.store)
    assert (ran.code, ran.err) == (0, "")
    title, end, *rest = ran.out.splitlines()
    assert (title.startswith(shelf.finished[:8]), title.endswith("as OPERATOR sees it")) == (True, True)
    assert end.startswith("The last year is over")
    assert sum("diplomat" in line and "█" in line for line in rest) == 7
    ran = entente("watch", shelf.waiting, "--store", shelf.store)
    assert (
        "S1901M (1 of 1)  as FRANCE sees it\nwaiting for people's answers, your seat's among them\n"
        in ran.out
    )
    assert "diplomat" not in ran.out
    assert "A person plays FRANCE" in ran.err
    assert "log" in ran.err
    ran = entente("watch", shelf.waiting, "--operator", "--store", shelf.store)
    assert "\nwaiting for FRANCE (human, " in ran.out
    assert "Orders" not in ran.out
    assert "AUSTRIA to GERMANY: " in ran.out
    ran = entente("watch", shelf.waiting, "--operator", "--power", "FRANCE", "--store", shelf.store)
    assert (ran.code, "One reader was wanted" in ran.err) == (2, True)


def test_who_has_given_orders_is_one_line(own_shelf: Shelf) -> None:
    asked = (own_shelf.waiting, "--store", own_shelf.store)
    assert entente("turn", *asked[:1], "FRANCE", *asked[1:], stdin="\n").code == 6
    told = "\nOrders are in from AUSTRIA, ENGLAND, GERMANY, ITALY, RUSSIA, TURKEY\n"
    assert told in entente("watch", *asked).out
    assert f"{told}TURKEY  " in entente("watch", *asked, "--power", "TURKEY").out


def test_keys_lead_through_the_phases_and_the_screen_follows_the_game(own_shelf: Shelf) -> None:
    with terminal("watch", own_shelf.finished, "--store", own_shelf.store) as screen:
        screen.expect("leave")
        screen.type("\x1b[H")
        shown = screen.expect("Press")
        assert ("Orders" in shown, "SER" in shown) == (True, True)
        screen.type("q")
        assert screen.exit_code() == 0
    with terminal("watch", own_shelf.waiting, "--store", own_shelf.store) as screen:
        screen.expect("leave")
        ran = entente(
            "turn", own_shelf.waiting, "FRANCE", "--store", own_shelf.store, stdin="ALL: canary-live\n"
        )
        assert ran.code == 6
        screen.expect("canary-live")
        screen.type("\x03")
        assert screen.exit_code() == 130


def test_a_phase_is_shown_as_the_crew_has_told_it(tmp_path: Path) -> None:
    store = ("--store", str(tmp_path / "store"))
    begun = entente(
        "play", "--all", "hold", "--seat", "FRANCE=human", "--floor", "gunboat", "--crew", "scripted", *store
    )
    assert begun.code == 6, begun.err
    assert "as it is told" not in entente("watch", *store).out
    (game,) = games_in(store[1])
    assert entente("turn", game, "FRANCE", *store, stdin="A PAR - BUR\n").code == 6
    shown = entente("watch", *store).out  # the phase in play has nothing to be told yet
    told = shown.partition("\nS1901M as it is told\n")[2].splitlines()
    assert [line.partition(":")[0] for line in told[:2]] == ["Keeper", "Narrator"]
    assert "Burgundy" in shown
    with terminal("watch", game, *store) as screen:
        screen.expect("leave")
        screen.type("\x1b[H")
        screen.expect("S1901M as it is told")
        screen.expect("Narrator")
        screen.type("q")
        assert screen.exit_code() == 0
