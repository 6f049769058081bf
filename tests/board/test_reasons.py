"""What is said about every order: the table in data/reasons.toml, and retreats and adjustments."""

import tomllib
from pathlib import Path
from typing import Any

import pytest

from entente.board.types import Adjudication, Outcome
from tests.board.positions import battle, judge, position_of, result_for

CASES = tomllib.loads((Path(__file__).parent / "data" / "reasons.toml").read_text())["case"]

RETREATS = {
    "units": {"FRANCE": ["A MAR"]},
    "dislodged": {"FRANCE": {"A BUR": ["PAR", "GAS"]}, "GERMANY": {"A RUH": ["BEL"], "A PIC": ["PAR"]}},
}
WINTER = {
    "units": {"FRANCE": ["A MAR"], "GERMANY": ["A MUN", "F NTH", "A RUH"], "RUSSIA": ["A MOS"]},
    "centers": {"FRANCE": ["PAR", "MAR", "BRE"], "GERMANY": ["BER"], "RUSSIA": ["STP", "MOS", "WAR"]},
}


def told(adjudication: Adjudication) -> list[list[str]]:
    """Every result that is not a plain success of an order that was given."""
    return [
        [
            result.power,
            str(result.order),
            " ".join(outcome.name for outcome in result.outcomes) + (" DEFAULT" if result.is_default else ""),
            result.reason,
        ]
        for result in adjudication.results
        if not result.succeeded or result.is_default
    ]


@pytest.mark.parametrize("case", CASES, ids=[case["id"] for case in CASES])
def test_a_battle_is_told_as_the_table_says(case: dict[str, Any]) -> None:
    assert told(battle(case["orders"], idle=case.get("idle", {}))) == case["results"]


@pytest.mark.parametrize(
    ("orders", "expected"),
    [
        (
            {"FRANCE": ["A BUR R PAR"], "GERMANY": ["A PIC R PAR", "A RUH R BEL"]},
            [
                ["FRANCE", "A BUR R PAR", "DISBANDED", "disbanded: A PIC retreated to PAR too"],
                ["GERMANY", "A PIC R PAR", "DISBANDED", "disbanded: A BUR retreated to PAR too"],
            ],
        ),
        (
            {"FRANCE": ["A BUR D"], "GERMANY": ["A RUH R BEL"]},
            [["GERMANY", "A PIC D", "SUCCEEDED DEFAULT", "civil disorder: no legal order came"]],
        ),
        (
            {"FRANCE": ["A BUR R MAR"], "GERMANY": ["A RUH D", "A PIC D"]},
            [
                [
                    "FRANCE",
                    "A BUR R MAR",
                    "DISBANDED VOID",
                    (
                        "disbanded for want of another order; void: A BUR cannot retreat to MAR: "
                        "it is not one of its open retreats (PAR, GAS)"
                    ),
                ]
            ],
        ),
        (
            {"FRANCE": ["A BUR R PAR", "A BUR R GAS", "A MAR H"], "GERMANY": ["A RUH D", "A PIC D"]},
            [
                [
                    "FRANCE",
                    "A BUR R PAR",
                    "VOID",
                    "void: A BUR R PAR was replaced by a later order: A BUR R GAS",
                ],
                ["FRANCE", "A MAR H", "VOID", "void: A MAR is not dislodged and takes no orders in S1905R"],
            ],
        ),
    ],
    ids=["a clash", "an order left out", "an impossible retreat", "another order later"],
)
def test_retreats_are_told(orders: dict[str, list[str]], expected: list[list[str]]) -> None:
    assert told(judge(position_of("S1905R", RETREATS), orders)) == expected


@pytest.mark.parametrize(
    ("power", "orders", "expected"),
    [
        ("FRANCE", ["A PAR B", "F BRE B"], []),
        ("FRANCE", ["A PAR B", "WAIVE"], []),
        ("FRANCE", ["A PAR B"], [["WAIVE", "SUCCEEDED DEFAULT", "civil disorder: no legal order came"]]),
        (
            "FRANCE",
            ["F PAR B", "A PAR B", "A PAR B", "A MAR B", "A BRE B", "WAIVE"],
            [
                [
                    "F PAR B",
                    "VOID",
                    "void: F PAR cannot be built: PAR is inland and no fleet can stand there",
                ],
                ["A PAR B", "VOID", "void: PAR was ordered twice"],
                ["A MAR B", "VOID", "void: FRANCE cannot build in MAR: A MAR stands there"],
                ["WAIVE", "VOID", "void: WAIVE is one too many: FRANCE may build or waive 2 in W1905A"],
            ],
        ),
        (
            "RUSSIA",
            ["F STP/NC B", "A STP B", "A WAR B"],
            [["A STP B", "VOID", "void: STP was ordered twice"]],
        ),
        ("GERMANY", ["A MUN D", "A RUH D"], []),
        ("GERMANY", ["A MUN D"], [["F NTH D", "SUCCEEDED DEFAULT", "civil disorder: no legal order came"]]),
        (
            "GERMANY",
            ["A RUH D", "A RUH D", "A BER D", "A BER B", "A MUN D"],
            [
                ["A RUH D", "VOID", "void: RUH was ordered twice"],
                ["A BER D", "VOID", "void: GERMANY has no unit in BER (Berlin): nobody stands there"],
                ["A BER B", "VOID", "void: GERMANY has nothing to build in W1905A"],
            ],
        ),
        ("ITALY", ["A ROM B"], [["A ROM B", "VOID", "void: ITALY has nothing to build in W1905A"]]),
    ],
)
def test_adjustments_are_told(power: str, orders: list[str], expected: list[list[str]]) -> None:
    adjudication = judge(position_of("W1905A", WINTER), {power: orders})
    assert [row[1:] for row in told(adjudication) if row[0] == power] == expected


def test_civil_disorder_disbands_the_farthest_units_fleets_first() -> None:
    adjudication = judge(position_of("W1905A", WINTER), {})
    germany = [str(r.order) for r in adjudication.results if r.power == "GERMANY"]
    assert germany == ["F NTH D", "A RUH D"]
    assert [str(unit) for unit in adjudication.after.units["GERMANY"]] == ["A MUN"]


def test_an_order_to_another_powers_unit_is_void_and_leaves_that_unit_alone() -> None:
    position = position_of("S1905M", {"units": {"FRANCE": ["A PAR"], "GERMANY": ["A MUN"]}})
    adjudication = judge(position, {"FRANCE": ["A MUN - BUR", "A BER H"], "GERMANY": ["A MUN - TYR"]})
    assert told(adjudication) == [
        ["FRANCE", "A PAR H", "SUCCEEDED DEFAULT", "civil disorder: no legal order came"],
        ["FRANCE", "A MUN - BUR", "VOID", "void: FRANCE has no unit in MUN (Munich): A MUN is GERMANY's"],
        ["FRANCE", "A BER H", "VOID", "void: FRANCE has no unit in BER (Berlin): nobody stands there"],
    ]
    assert [str(unit) for unit in adjudication.after.units["GERMANY"]] == ["A TYR"]


def test_a_fleet_that_names_no_coast_is_told_to() -> None:
    adjudication = battle({"FRANCE": ["F MAO - SPA"]})
    assert adjudication.results[0].reason == "void: F MAO must name a coast: SPA/NC or SPA/SC"


def test_an_army_that_no_fleet_can_carry_next_door_is_told_so() -> None:
    adjudication = battle({"FRANCE": ["A MAR - SPA VIA"]})
    assert (
        adjudication.results[0].reason
        == "void: A MAR cannot go to SPA by convoy: no fleets make a convoy possible"
    )


def test_the_last_of_several_orders_for_a_unit_is_played() -> None:
    position = position_of("S1905M", {"units": {"FRANCE": ["A PAR"]}})
    adjudication = judge(position, {"FRANCE": ["A PAR - BUR", "A PAR - PIC"]})
    assert [str(unit) for unit in adjudication.after.units["FRANCE"]] == ["A PIC"]
    assert adjudication.results[0].reason == "void: A PAR - BUR was replaced by a later order: A PAR - PIC"


def test_a_unit_holds_when_the_last_of_its_orders_is_illegal() -> None:
    position = position_of("S1905M", {"units": {"FRANCE": ["A PAR"]}})
    adjudication = judge(position, {"FRANCE": ["A PAR - BUR", "A PAR - MOS"]})
    assert [str(unit) for unit in adjudication.after.units["FRANCE"]] == ["A PAR"]
    assert [r.outcomes for r in adjudication.results] == [(Outcome.VOID,), (Outcome.VOID,)]


def test_pandins_paradox_disrupts_the_convoy_of_a_fleet_that_stays() -> None:
    """DATC 6.F.16."""
    adjudication = battle(
        {
            "ENGLAND": ["F LON S F WAL - ENG", "F WAL - ENG"],
            "FRANCE": ["A BRE - LON VIA", "F ENG C A BRE - LON"],
            "GERMANY": ["F NTH S F BEL - ENG", "F BEL - ENG"],
        }
    )
    army = result_for(adjudication, "A BRE")
    assert army.reason == "disrupted: F ENG (FRANCE) is caught in a convoy paradox"
    assert result_for(adjudication, "F ENG").outcomes == (Outcome.DISRUPTED,)


@pytest.mark.parametrize("outcome", Outcome)
def test_every_outcome_occurs_in_the_tables(outcome: Outcome) -> None:
    names = {name for case in CASES for row in case["results"] for name in row[2].split(" ")}
    assert outcome.name in names | {"SUCCEEDED"}
