"""The aim and the end of the game: said to every seat, as the game's settings have it."""

from dataclasses import replace

import pytest

from entente.board.engine import Board
from entente.board.types import Phase
from entente.board.victory import decide
from entente.errors import SettingsError
from entente.players.bundle import GameRules
from entente.players.model.aim import quiet_text
from entente.players.model.prompt import conversation
from entente.players.model.seat import Seat
from entente.players.model.settings import SeatSettings
from prompts import open_set
from tests.support.table import board_at, make_bundle

SETS = [open_set(), open_set(short=True)]


def rules_of(rules: GameRules, seat: Seat) -> str:
    return conversation(replace(make_bundle(Board.start(), "FRANCE"), rules=rules), seat)[0].content


@pytest.mark.parametrize("texts", SETS, ids=["default", "short"])
@pytest.mark.parametrize(
    ("rules", "end"),
    [
        (
            GameRules(last_year=1907, stalemate_years=5),
            "The game ends after 1907, or sooner when no center has changed hands for 5 years or when all",
        ),
        (
            GameRules(last_year=1910),
            "The game ends after 1910, or sooner when all survivors have voted for a draw (vote_draw).",
        ),
        (GameRules(), "The game ends when all survivors have voted for a draw (vote_draw)."),
    ],
    ids=["both limits", "last year", "no limit"],
)
def test_a_seat_is_told_what_counts_and_when_the_game_ends(rules: GameRules, end: str, texts: object) -> None:
    text = rules_of(rules, Seat(texts=texts))  # pyright: ignore[reportArgumentType] - a set of texts
    assert end in text
    assert "18 of " in text
    assert "1901 and 1902" in text
    assert text.index("# What counts") < text.index("# Rules") < text.index("# Map")


def test_the_year_in_which_a_quiet_game_ends_is_the_year_that_is_told() -> None:
    rules = GameRules(stalemate_years=3)
    told = [year for year in range(1905, 1912) if quiet_text(rules, 1904, year)]
    position = board_at("S1908M", {"FRANCE": ["A PAR"], "ITALY": ["A ROM"]}, {"FRANCE": ["PAR"]}).position
    ends = decide(
        position,
        decided_in=Phase.parse("F1907M"),
        votes=set(),
        max_year=None,
        last_change_year=1904,
        stalemate_years=3,
    )
    assert ends
    assert told[0] == 1907


def test_personas_have_ambition_and_no_advice_to_wait() -> None:
    for power in Board.start().powers:
        persona = open_set().persona(power)
        assert "mean to" in persona or "want" in persona, power
        assert not {"late", "patient,", "survival", "polite"} & set(persona.split()), power


@pytest.mark.parametrize(
    ("persona", "told"),
    [
        ("", open_set().persona("FRANCE")),
        ("NEUTRAL", open_set().persona("NEUTRAL")),
        ("ITALY", open_set().persona("ITALY")),
        ("You are a retired admiral who hates poets.", "You are a retired admiral who hates poets."),
    ],
    ids=["own", "neutral", "another power's", "words"],
)
def test_a_persona_can_be_replaced_by_the_settings(persona: str, told: str) -> None:
    seat = Seat(SeatSettings(persona=persona, instructions="Stay alive."))
    assert rules_of(GameRules(), seat).endswith(f"# You\nYou are FRANCE.\n{told}\nStay alive.")


def test_a_persona_that_is_named_and_not_there_is_refused() -> None:
    with pytest.raises(SettingsError, match="personas/NEUTRAAL"):
        Seat.of(SeatSettings(persona="NEUTRAAL"))


def test_a_game_that_is_about_to_end_for_want_of_change_says_so_in_its_opening() -> None:
    bundle = replace(
        make_bundle(Board.start(), "FRANCE"), rules=GameRules(stalemate_years=1), last_change_year=1900
    )
    told = [message.content for message in conversation(bundle, Seat())]
    assert "No center has changed hands since 1900: if none does this year, the game ends" in told[-1]
