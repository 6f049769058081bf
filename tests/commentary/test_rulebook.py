"""The keeper's rules: which question they answer, and that our own board plays them so."""

import json
import re
import tomllib
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from entente.board.engine import Board, load_geography
from entente.board.orders import read_orders
from entente.board.types import Adjudication, Phase, Position, Unit
from entente.board.verdicts import Verdict
from entente.board.victory import decide
from entente.commentary.rulebook import RuleAnswer, answer, rules
from tests.board.positions import judge, position_of

DATA = Path(__file__).parent / "data"
QUESTIONS: dict[str, Any] = tomllib.loads((DATA / "rules_questions.toml").read_text(encoding="utf-8"))
CASES: list[dict[str, Any]] = tomllib.loads((DATA / "rules_on_the_board.toml").read_text(encoding="utf-8"))[
    "case"
]
DATC = Path(__file__).parents[1] / "board" / "data" / "datc.jsonl"

RIGHT_AT_FIRST = {"held_out": 49, "held_out_later": 33}
"""Held-out questions that were answered rightly when they were first tried.

Of the first 57, written with the first of the others and before the matcher, 37 of 44 about rules and 12 of 13 that
have no answer. Of the later 49, in freer words, 23 of 37 (10 had no answer and 4 a wrong one) and 10 of 12.
"""


def asked(part: str) -> list[tuple[str, str | None]]:
    """Questions and the rules that answer them; None where none does."""
    sections = {name: group for name, group in QUESTIONS.items() if name != "none"}
    answered = [(q, entry) for group in sections.values() for q, entry, _ in group.get(part, ())]
    return [*answered, *((q, None) for q in QUESTIONS["none"].get(part, ()))]


def entry_for(question: str) -> str | None:
    found = answer(question)
    return found and found.entry


def test_there_are_enough_questions_and_a_fifth_are_held_out() -> None:
    held_out = [each for part in RIGHT_AT_FIRST for each in asked(part)]
    everything = asked("tuned") + held_out
    assert sum(entry is not None for _, entry in everything) >= 60
    assert sum(entry is None for _, entry in everything) >= 20
    assert 5 * len(held_out) >= len(everything)


def test_every_question_of_the_table_is_answered_by_its_rule_or_by_none() -> None:
    wrong = {q: entry_for(q) for q, entry in asked("tuned") if entry_for(q) != entry}
    assert wrong == {}
    rule = rules()["cut-own"]
    assert answer("Can I cut my own support?") == RuleAnswer("cut-own", rule.text, rule.section)


@pytest.mark.parametrize(("part", "right_at_first"), RIGHT_AT_FIRST.items())
def test_questions_that_nothing_was_tuned_on_are_answered_as_well_as_at_first(
    part: str, right_at_first: int
) -> None:
    assert sum(entry_for(q) == entry for q, entry in asked(part)) >= right_at_first


def test_an_answer_has_the_section_and_the_fact_that_was_asked_for() -> None:
    for section, group in QUESTIONS.items():
        if section == "none":
            continue
        for question, entry, fact in (each for part in group.values() for each in part):
            rule = rules()[entry]
            assert rule.section == section, question
            assert fact.casefold() in rule.text.casefold(), question
            if found := answer(question):
                assert found == RuleAnswer(
                    found.entry, rules()[found.entry].text, rules()[found.entry].section
                )


def test_every_rule_is_asked_for_in_the_table() -> None:
    assert {entry for _, entry in asked("tuned") + asked("held_out")} == {*rules(), None}


def test_each_rule_is_told_in_two_to_four_sentences_and_cites_cases_that_exist() -> None:
    numbers = {json.loads(line)["case"] for line in DATC.read_text(encoding="utf-8").splitlines()}
    for entry, rule in rules().items():
        sentences = re.findall(r"[^.]+\.(?=\s|$)", rule.text)
        assert 2 <= len(sentences) <= 4, entry
        assert set(rule.cases) <= numbers, entry


@given(
    st.text(max_size=300)
    | st.lists(st.sampled_from(["support", "cut", "A PAR", "\x1b[2J", "'"])).map(" ".join)
)
def test_any_text_has_an_answer_of_the_book_or_none_and_always_the_same(text: str) -> None:
    found = answer(text)
    assert found is None or found.text == rules()[found.entry].text
    assert answer(text) == found


def test_a_hundred_kilobytes_are_read_as_their_beginning() -> None:
    assert answer("How is support cut? " + "blah " * 20_000) == answer(
        "How is support cut? " + "blah " * 1000
    )


def adjudicated(case: dict[str, Any]) -> Adjudication:
    """The case's phase, judged by the board."""
    orders: dict[str, list[str]] = case["orders"]
    if "phase" in case:
        return judge(position_of(case["phase"], {"units": {}, **case}), orders)
    units = {power: list(idle) for power, idle in case.get("idle", {}).items()}
    standing = {unit for some in units.values() for unit in some}
    for power, texts in orders.items():
        new = dict.fromkeys(" ".join(text.split()[:2]) for text in texts)
        units.setdefault(power, []).extend(unit for unit in new if unit not in standing)
    return judge(position_of("S1905M", {"units": units}), orders)


@pytest.mark.parametrize("case", CASES, ids=[f"{case['entry']}: {case['says']}" for case in CASES])
def test_the_board_plays_the_rule_as_the_entry_says(case: dict[str, Any]) -> None:
    assert case["says"] in rules()[case["entry"]].text
    judged = adjudicated(case)
    after = judged.after
    assert sorted(str(unit) for units in after.units.values() for unit in units) == case["stands"]
    for unit, outcome in case.get("outcomes", {}).items():
        of_unit = [result for result in judged.results if str(result.order).startswith(f"{unit} ")]
        assert any(outcome in result.outcomes for result in of_unit), of_unit
    open_to = {str(unit): sorted(to) for some in after.dislodged.values() for unit, to in some.items()}
    assert case.get("retreats", open_to) == open_to


def test_the_map_is_as_the_entries_say() -> None:
    map_ = load_geography("standard")
    goals = {
        unit: map_.neighbours(Unit.parse(unit)) for unit in ("F SPA/NC", "A SPA", "F ROM", "A ROM", "F KIE")
    }
    assert goals["F SPA/NC"] == ("GAS", "MAO", "POR")
    assert "from Spain's north coast to the Mid-Atlantic, Gascony or Portugal" in rules()["two-coasts"].text
    assert sorted(map_.coasts) == ["BUL", "SPA", "STP"]
    assert "VEN" not in goals["F ROM"]
    assert "VEN" in goals["A ROM"]
    assert {"BAL", "HEL"} <= {*goals["F KIE"]}
    assert {"BLA", "AEG"} <= {*map_.neighbours(Unit.parse("F CON"))}
    assert "SWE" in map_.neighbours(Unit.parse("A DEN"))
    assert not {"SKA", "NTH"} & {*map_.neighbours(Unit.parse("F BAL"))}
    assert not map_.can_reach(Unit.parse("F SPA/NC"), "SPA")
    assert not any("SWI" in to for to in map_.borders.values())
    assert (map_.victory_centers, len(map_.centers), len(map_.powers)) == (18, 34, 7)
    assert {power: len(units) for power, units in map_.start_units.items() if len(units) != 3} == {
        "RUSSIA": 4
    }
    for power, fleets in {"ENGLAND": 2, "RUSSIA": 2, "FRANCE": 1, "TURKEY": 1}.items():
        assert sum(unit.kind == "F" for unit in map_.start_units[power]) == fleets


def test_a_center_is_owned_by_who_stands_there_after_a_fall() -> None:
    board = Board(position_of("S1901M", {"units": {"FRANCE": ["A BUR"]}, "centers": {"GERMANY": ["BEL"]}}))
    for orders, owners in (("A BUR - BEL", "GERMANY"), ("A BEL - BUR", "GERMANY")):
        board = Board(judge(board.position, {"FRANCE": [orders]}).after)
        assert board.position.centers[owners] == ("BEL",)
    assert "Entering in spring and leaving in fall gains nothing" in rules()["ownership"].text
    taken = position_of("F1901M", {"units": {"FRANCE": ["A BUR"]}, "centers": {"GERMANY": ["BEL"]}})
    assert judge(taken, {"FRANCE": ["A BUR - BEL"]}).after.centers["FRANCE"] == ("BEL",)


def test_the_order_reader_treats_coasts_as_the_entry_says() -> None:
    board = Board(position_of("S1905M", {"units": {"FRANCE": ["F MAO", "F GAS"]}}))
    for written in ("F GAS - SPA", "F GAS - SPA/SC"):
        assert [str(order) for order in read_orders(board, "FRANCE", written).orders] == ["F GAS - SPA/NC"]
    assert [each.verdict for each in read_orders(board, "FRANCE", "F MAO - SPA").verdicts] == [
        Verdict.REJECTED
    ]
    assert (
        "Where only one is in reach this table adds it, also in place of a wrong one"
        in rules()["name-the-coast"].text
    )


def test_a_game_ends_as_the_entries_say() -> None:
    centers = load_geography("standard").centers
    position = position_of(
        "S1910M", {"units": {}, "centers": {"FRANCE": centers[:18], "ITALY": centers[18:]}}
    )

    def ends(position: Position, votes: set[str]) -> tuple[str, tuple[str, ...]] | None:
        outcome = decide(
            position,
            decided_in=Phase.parse("F1909M"),
            votes=votes,
            max_year=None,
            last_change_year=1909,
            stalemate_years=None,
        )
        return outcome and (outcome.kind, outcome.winners)

    assert ends(position, set()) == ("solo", ("FRANCE",))
    close = position_of("S1910M", {"units": {}, "centers": {"FRANCE": centers[:17], "ITALY": centers[17:34]}})
    assert ends(close, {"FRANCE"}) is None
    assert ends(close, {"FRANCE", "ITALY"}) == ("draw", ("FRANCE", "ITALY"))
    assert "drawn when all of them want it in the same phase" in rules()["draw"].text
