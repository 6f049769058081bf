"""Phases told: facts in every sentence, no sentence twice in ten phases, and nothing that did not happen."""

import string
from random import Random

import pytest

from entente.board.engine import Board, load_geography
from entente.board.spoken import place_name, power_name
from entente.board.types import Adjudication, Move, Outcome
from entente.commentary.facts import FactKind, facts_of
from entente.commentary.sentences import JESTED, NARRATED
from entente.commentary.telling import REMEMBERED_PHASES, SENTENCES, Teller, jest
from tests.commentary.played import random_game

GEOGRAPHY = load_geography("standard")
NAMES = {place_name(GEOGRAPHY, each) for each in GEOGRAPHY.names} | {
    power_name(power) for power in GEOGRAPHY.powers
}
WORDS = {
    FactKind.QUIET: {"season"},
    FactKind.ADVANCED: {"power", "places"},
    FactKind.CONVOYED: {"unit", "place"},
    FactKind.REPELLED: {"units", "place"},
    FactKind.STANDOFF: {"units", "place"},
    FactKind.CUT: {"unit"},
    FactKind.STRANDED: {"unit", "place"},
    FactKind.DISLODGED: {"unit", "attacker"},
    FactKind.RETREATED: {"unit", "place"},
    FactKind.LOST: {"unit"},
    FactKind.BUILT: {"power", "units"},
    FactKind.REMOVED: {"power", "units"},
    FactKind.GAINED: {"power", "places"},
    FactKind.CAPTURED: {"power", "places", "loser"},
    FactKind.ELIMINATED: {"power"},
    FactKind.LEADER: {"power", "count", "next"},
}


@pytest.mark.parametrize("sentences", [NARRATED, JESTED], ids=["narrator", "jester"])
def test_there_are_sentences_for_every_kind_of_fact_and_each_has_words_of_it(
    sentences: dict[FactKind, tuple[str, ...]],
) -> None:
    assert sentences.keys() == WORDS.keys() == {*FactKind}
    for kind, texts in sentences.items():
        assert len({*texts}) == len(texts) > 1
        for text in texts:
            used = {name for _, name, _, _ in string.Formatter().parse(text) if name}
            assert used, text
            assert used <= WORDS[kind], text


@pytest.mark.parametrize("seed", range(8))
def test_a_game_is_told_in_new_sentences_that_each_name_what_they_are_about(seed: int) -> None:
    teller, told = Teller(str(seed)), list[list[str]]()
    for played in random_game(seed):
        sentences = teller.tell(played, GEOGRAPHY)
        assert 1 <= len(sentences) <= SENTENCES
        assert all(any(name in sentence for name in NAMES) or "1" in sentence for sentence in sentences)
        assert len({*sentences}) == len(sentences)
        assert {*sentences}.isdisjoint(each for phase in told[-REMEMBERED_PHASES:] for each in phase)
        told.append(sentences)
    again = Teller(str(seed))
    assert [again.tell(played, GEOGRAPHY) for played in random_game(seed)] == told
    other = Teller(str(seed + 1))
    assert [other.tell(played, GEOGRAPHY) for played in random_game(seed)] != told


@pytest.mark.parametrize("seed", range(8))
def test_the_facts_are_those_of_the_board(seed: int) -> None:
    for played in random_game(seed):
        facts = facts_of(played, GEOGRAPHY)
        kinds = [fact.kind for fact in facts]
        assert all(fact.words.keys() == WORDS[fact.kind] for fact in facts)
        assert kinds.count(FactKind.DISLODGED) == sum(
            Outcome.DISLODGED in result.outcomes for result in played.results
        )
        assert (FactKind.ELIMINATED in kinds) == (played.before.survivors != played.after.survivors)
        taken = [fact for fact in facts if fact.kind in {FactKind.GAINED, FactKind.CAPTURED}]
        assert bool(taken) == any(
            not {*centers} <= {*played.before.centers[power]}
            for power, centers in played.after.centers.items()
        )
        for fact in facts:
            if fact.kind is FactKind.ADVANCED:
                assert _arrived(played, fact.words["power"].upper(), fact.words["places"])


def test_a_phase_in_which_nothing_moves_has_its_sentence_and_its_joke() -> None:
    played = Board.start().adjudicate({})
    (sentence,) = Teller("1").tell(played, GEOGRAPHY)
    assert "pring 1901" in sentence
    assert "pring 1901" in jest(played, GEOGRAPHY, Random(1))


def test_a_joke_is_not_made_twice_while_another_is_left() -> None:
    played = Board.start().adjudicate({})
    made: list[str] = []
    for _ in range(3):
        made.append(jest(played, GEOGRAPHY, Random(1), made))
    assert len({*made}) == 3


def _arrived(played: Adjudication, power: str, places: str) -> bool:
    """Whether units that moved stand there now."""
    moved = [
        result.order.to
        for result in played.results
        if result.power == power and isinstance(result.order, Move) and result.succeeded
    ]
    stand = {unit.location for unit in played.after.units[power]} | {
        unit.location for unit in played.after.dislodged[power]
    }
    named = [place for place in moved if place_name(GEOGRAPHY, place) in places]
    return bool(named) and {*named} <= stand
