"""What places are called, and what misspelt names are taken for."""

import pytest

from entente.board.engine import load_geography
from entente.board.lexicon import _COAST_OF, _MEANINGS
from entente.board.maps import SAFE_MAPS
from entente.board.naming import gazetteer
from entente.board.normalise import split_words

STANDARD = gazetteer("standard")


@pytest.mark.parametrize("map_name", SAFE_MAPS)
def test_every_code_and_full_name_means_its_place(map_name: str) -> None:
    geography = load_geography(map_name)
    names = {**{code: code for code in geography.terrain}, **geography.aliases}
    for name, place in names.items():
        words = split_words(name)
        found = gazetteer(map_name).match(words, 0)
        assert found is not None, name
        assert found.length == len(words), name
        assert place in found.places, name


@pytest.mark.parametrize(
    ("name", "place"),
    [
        ("MID", "MAO"),
        ("Mid-Atlantic", "MAO"),
        ("mid atlantic ocean", "MAO"),
        ("GOB", "BOT"),
        ("GOL", "LYO"),
        ("Gulf of Lyons", "LYO"),
        ("ECH", "ENG"),
        ("wmed", "WES"),
        ("East Med", "EAS"),
        ("Romania", "RUM"),
        ("Heligoland Bight", "HEL"),
        ("Saint Petersburg", "STP"),
        ("St. Pete", "STP"),
        ("stpsc", "STP/SC"),
        ("Spain (south coast)", "SPA/SC"),
        ("Tyrol", "TYR"),
        ("Tyrrhenian", "TYS"),
    ],
)
def test_a_common_name_means_its_place(name: str, place: str) -> None:
    words = split_words(name)
    assert STANDARD.match(words, 0) == (len(words), (place,))


def test_a_code_that_two_maps_use_means_each_maps_own_place() -> None:
    assert STANDARD.match(["TYR"], 0) == (1, ("TYR",))
    assert load_geography("modern").names["TYR"] == "Tyrrhenian Sea"
    assert gazetteer("modern").match(["LYON"], 0) == (1, ("LYO",))


def test_the_longest_name_wins() -> None:
    assert STANDARD.match(["NORTH", "ATLANTIC", "OCEAN"], 0) == (3, ("NAO",))
    assert STANDARD.match(["NORTH"], 0) is None


def test_a_name_that_two_places_share_means_both() -> None:
    assert STANDARD.match(["LIV"], 0) == (1, ("LVN", "LVP"))


@pytest.mark.parametrize(
    ("spelling", "place"),
    [
        ("BURGANDI", "BUR"),
        ("BRUGUNDY", "BUR"),
        ("MUNCH", "MUN"),
        ("NORWAGIAN SEA", "NWG"),
        ("TYRHENNIAN SEA", "TYS"),
        ("CONSTANTINOPEL", "CON"),
        ("PICAR", "PIC"),
        ("LIVER", "LVP"),
        ("SPAI", "SPA"),
    ],
)
def test_a_clear_misspelling_is_corrected(spelling: str, place: str) -> None:
    assert STANDARD.correct(spelling) == place


@pytest.mark.parametrize(
    "spelling", ["", "BUG", "PAZ", "NORT", "SPOIN OF TROY", "BORGONDEE", "X" * 400, "SUPORT", "ATTAK"]
)
def test_what_is_not_clearly_one_name_is_left_alone(spelling: str) -> None:
    assert STANDARD.correct(spelling) is None


def test_no_name_of_a_place_is_near_enough_to_another_to_be_mistaken() -> None:
    for province, name in load_geography("standard").names.items():
        assert STANDARD.correct(" ".join(split_words(name.replace("-", " ")))) in (province, None)


@pytest.mark.parametrize("map_name", SAFE_MAPS)
def test_no_place_is_called_like_a_word_of_orders(map_name: str) -> None:
    for phrase in [*_MEANINGS, *_COAST_OF]:
        found = gazetteer(map_name).match(phrase, 0)
        assert found is None or found.length < len(phrase), phrase
