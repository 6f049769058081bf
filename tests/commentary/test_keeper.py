"""What the keeper says of orders and results agrees with the board, whatever was ordered."""

from random import Random

import pytest

from entente.board.engine import Board, load_geography
from entente.board.types import (
    Adjudication,
    Build,
    Convoy,
    Disband,
    Hold,
    Move,
    OrderResult,
    Outcome,
    Retreat,
    Unit,
    parse_order,
)
from entente.commentary.keeper import NOT_KNOWN, answer, explain, summary
from entente.commentary.router import GamePhase
from entente.commentary.scene import Scene
from tests.commentary.played import random_game

GEOGRAPHY = load_geography("standard")
GAMES = 50


def test_what_is_said_of_every_order_of_fifty_games_is_what_became_of_it() -> None:
    explained = 0
    for seed in range(GAMES):
        for played in random_game(seed, last_year=1903):
            for result in played.results:
                told = explain(result, GEOGRAPHY)
                assert str(result.order) in told.sentence
                assert _shows(played, result, claimed=_claims_success(told.sentence)), told.sentence
                assert bool(told.rule) == (not result.succeeded or result.is_default)
                explained += 1
    assert explained > 100 * GAMES


SPRING = Board.start()
PLAYED = SPRING.adjudicate(
    {
        "FRANCE": [parse_order(order) for order in ("A PAR - BUR", "A MAR S A PAR - BUR", "F BRE - ENG")],
        "GERMANY": [parse_order(order) for order in ("A MUN - BUR", "A BER - KIE", "F KIE - DEN")],
        "ENGLAND": [parse_order(order) for order in ("F LON - ENG", "A LVP - WAL")],
    }
)
FALL = Board(PLAYED.after)
ANSWERS = (
    (
        "why did Munich bounce?",
        "A MUN - BUR (GERMANY) bounced: 1 v 2 at BUR against A PAR (FRANCE). (Standoffs)",
    ),
    (
        "what about the English Channel?",
        "F LON - ENG (ENGLAND) bounced: 1 v 1 at ENG against F BRE (FRANCE).",
    ),
    ("Berlin?", "A BER - KIE (GERMANY) moved to Kiel."),
    ("A BUR - RUH", "A BUR - RUH is a legal order now."),
    ("A BUR - MOS", "Legal is "),
    ("offer Russia peace, then roll into Ruhr", "A BUR - RUH is a legal order now."),
    ("roll into Syria", NOT_KNOWN),
    ("", "Spring 1901: of 22 orders 19 succeeded; 3 bounced."),
    ("is France lying?", "Spring 1901: of 22 orders"),
    ("do I have to retreat?", "(Retreat and Disbanding Phase)"),
    ("Can I support a unit of another power?", "(Support Order)"),
    ("what is the rule of the gas man?", NOT_KNOWN),
)


@pytest.mark.parametrize(("action", "wanted"), ANSWERS)
def test_the_keeper_answers_from_the_board(action: str, wanted: str) -> None:
    assert wanted in answer(action, Scene(FALL, GamePhase.COMBAT, (PLAYED,), "FRANCE"))


def test_before_anything_was_played_the_keeper_knows_orders_alone() -> None:
    assert answer("why did Munich disband?", Scene(SPRING, GamePhase.COMBAT)) == NOT_KNOWN
    assert "legal order now" in answer("A PAR - BUR", Scene(SPRING, GamePhase.COMBAT, power="FRANCE"))
    assert "legal" not in answer("A PAR - BUR", Scene(SPRING, GamePhase.COMBAT))


@pytest.mark.parametrize("seed", range(3))
def test_whatever_is_asked_is_answered_in_bounds(seed: int) -> None:
    chance = Random(seed)
    for action in ("x" * 100_000, "A PAR - BUR\n" * 20_000, "\x00\x1b[31m\u202e", "Paris " * 50_000):
        scene = Scene(FALL, GamePhase.COMBAT, (PLAYED,), chance.choice(("FRANCE", None)))
        assert len(answer(action, scene)) < 5000


def test_the_summary_counts_what_the_results_say() -> None:
    for played in random_game(1):
        told = summary(played)
        bounced = sum(Outcome.BOUNCED in result.outcomes for result in played.results)
        assert (f" {bounced} bounced" in told) == (bounced > 0)


def _claims_success(sentence: str) -> bool:
    """Whether the sentence says that the order did what it was to do."""
    words = (
        " moved to ",
        " held its place",
        " gave its support",
        " kept the way ",
        " retreated to ",
        " was built in ",
    )
    return any(word in sentence for word in words) or sentence.split(") ", 1)[1].startswith(
        ("disbanded", "did ")
    )


def _shows(played: Adjudication, result: OrderResult, *, claimed: bool) -> bool:
    """Whether the boards before and after bear out that the order did what it was to do, or did not."""
    before, after, order, power = played.before, played.after, result.order, result.power
    match order:
        case Move(unit=unit, to=to) | Retreat(unit=unit, to=to) if claimed:
            return Unit(unit.kind, to) in after.units[power]
        case Move(unit=unit):
            stays = unit in after.units[power] or unit in after.dislodged[power]
            return stays or Outcome.DISBANDED in result.outcomes
        case Retreat(unit=unit):
            return len(after.units[power]) < len(before.units[power]) + len(before.dislodged[power])
        case Build(unit=unit):
            return claimed == (unit in after.units[power])
        case Disband(unit=unit):
            return claimed == (unit not in after.units[power])
        case Hold(unit=unit):
            return claimed == (unit in after.units[power])
        case Convoy(unit=unit):
            return not claimed or unit in after.units[power]
        case _:  # a support leaves no trace of its own on the board
            return claimed == result.succeeded
