"""Every sentence of the diplomat can be said, and is short."""

import random
import re
import string

import pytest

from entente.board.engine import load_geography
from entente.board.spoken import listed, place_name, spoken, spoken_unit
from entente.board.types import Unit, parse_order
from entente.players.scripted.diplomat.wording import (
    MAX_CHARACTERS,
    ONCE_MORE,
    SENTENCES,
    led,
    sentence,
    sentences,
)

FIELDS = {
    "name": "Germany",
    "me": "France",
    "next_year": 1902,
    "after": 1903,
    "place": "Burgundy",
    "places": "Burgundy",
    "helper": "army Munich",
    "helped": "army Paris to Burgundy",
    "order": "my army Munich supporting your army Paris to Burgundy",
    "season": "spring 1901",
    "until": "1902",
    "deal": "peace through 1902",
    "deals": "peace through 1902, or an alliance through 1902",
    "units": "army Munich and army Ruhr",
    "named": "Burgundy",
    "third": "Russia",
    "example": "Peace through 1902?",
    "orders": "army Paris to Burgundy",
}
ALL = [(what, text) for what, texts in SENTENCES.items() for text in texts] + [*ONCE_MORE.items()]


@pytest.mark.parametrize(("what", "text"), ALL, ids=[text for _, text in ALL])
def test_each_sentence_is_short_and_names_only_known_fields(what: str, text: str) -> None:
    assert {name for _, name, _, _ in string.Formatter().parse(text) if name} <= FIELDS.keys()
    assert 2 <= len(text.split()) <= 12


@pytest.mark.parametrize("what", SENTENCES)
def test_there_are_several_ways_to_say_each_thing(what: str) -> None:
    assert len({sentence(what, random.Random(seed), **FIELDS) for seed in range(60)}) >= 3


@pytest.mark.parametrize("what", sorted(SENTENCES.keys() - {"greeting", "as_you_say"}))
def test_a_voice_says_no_sentence_in_two_phases(what: str) -> None:
    seasons = [f"{season} {year}" for year in range(1901, 1911) for season in ("spring", "fall")]
    said = [
        set(sentences(what, "voice", number, **{**FIELDS, "season": season}))
        for number, season in enumerate(seasons)
    ]
    assert all(len(texts) >= 2 for texts in said), "one to fall back on where it was said in this phase"
    assert len(set[str]().union(*said)) == sum(map(len, said))


@pytest.mark.parametrize("text", [text for _, text in ALL if "{season}" in text])
def test_of_words_that_name_the_season_each_sentence_is_of_one_phase(text: str) -> None:
    assert all("{season}" in part for part in re.split(r"(?<=[.?!])\s+", text))


@pytest.mark.parametrize("what", ONCE_MORE)
def test_an_agreement_is_confirmed_in_each_of_three_rounds_in_other_words(what: str) -> None:
    late = set(sentences(what, "voice", 20, **FIELDS))
    assert len(late) >= 3


def test_orders_and_places_are_spoken_with_full_names() -> None:
    geography = load_geography("standard")

    def unit(unit: Unit) -> str:
        return spoken_unit(unit, geography)

    convoy = parse_order("F NTH C A LON - NWY")
    assert spoken(convoy, geography, unit) == "fleet North Sea convoying army London to Norway"
    assert (
        spoken(parse_order("F MAO - ENG"), geography, unit)
        == "fleet Mid-Atlantic Ocean to the English Channel"
    )
    assert place_name(geography, "SPA/NC") == "Spain"


def test_lists_read_as_people_write_them() -> None:
    assert [listed(words) for words in ([], ["a"], ["a", "b"], ["a", "b", "c"])] == [
        "",
        "a",
        "a and b",
        "a, b and c",
    ]


def test_a_message_never_grows_too_long() -> None:
    assert len(sentence("report", random.Random(1), **{**FIELDS, "orders": "x" * 500})) == MAX_CHARACTERS
    assert led("Hello.", "x" * MAX_CHARACTERS) == "x" * MAX_CHARACTERS
    assert led("", "Peace?") == "Peace?"
