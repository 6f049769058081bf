"""Each repair of the engine: the bare engine still makes the mistake, and ours does not.

When a test of the bare engine fails, the installed engine is another one: look at docs/engine.md and drop the
guard that is no longer needed.
"""

from importlib.metadata import version
from typing import Any, NamedTuple

import pytest

from entente.board import engine
from entente.board.engine import GuardedGame

BareGame = engine.diplomacy.Game
"""By way of the adapter, which mutes the warnings of the import."""


class Case(NamedTuple):
    """A movement phase, and one value of it afterwards: how it is right, and how the bare engine has it."""

    orders: dict[str, list[str]]
    look_at: str
    right: object
    bare: object


CASES = {
    "E1: retreats from a convoyed attack leave out occupied provinces": Case(
        {
            "ENGLAND": ["A LON - BEL VIA", "F ENG C A LON - BEL", "F NTH S A LON - BEL"],
            "FRANCE": ["A BEL H"],
            "GERMANY": ["A HOL H", "A RUH H"],
        },
        "retreats",
        {"A BEL": ["BUR", "PIC"]},
        {"A BEL": ["BUR", "HOL", "PIC", "RUH"]},
    ),
    "E1: retreats from a convoyed attack leave out provinces of a standoff": Case(
        {
            "ENGLAND": ["A LON - BEL VIA", "F ENG C A LON - BEL", "F NTH S A LON - BEL"],
            "FRANCE": ["A BEL H", "A PAR - PIC", "F BRE - PIC"],
        },
        "retreats",
        {"A BEL": ["BUR", "HOL", "RUH"]},
        {"A BEL": ["BUR", "HOL", "PIC", "RUH"]},
    ),
    "E1: a unit that a convoyed attack leaves nowhere to go is destroyed": Case(
        {
            "ENGLAND": ["A NAP - TUN VIA", "F TYS C A NAP - TUN", "F ION S A NAP - TUN"],
            "FRANCE": ["A TUN H", "A NAF H"],
        },
        "retreats",
        {},
        {"A TUN": ["NAF"]},
    ),
    "E1: after a convoyed attack the army's origin is open": Case(
        {
            "ENGLAND": ["A HOL - BEL VIA", "F NTH C A HOL - BEL", "F ENG S A HOL - BEL"],
            "FRANCE": ["A BEL H"],
        },
        "retreats",
        {"A BEL": ["BUR", "HOL", "PIC", "RUH"]},
        {"A BEL": ["BUR", "HOL", "PIC", "RUH"]},
    ),
    "E2: own support does not dislodge an own unit when the attack is convoyed": Case(
        {
            "ENGLAND": ["A LON - BEL VIA", "F NTH C A LON - BEL"],
            "FRANCE": ["A BEL H", "A PIC S A LON - BEL"],
        },
        "retreats",
        {},
        {"A BEL": ["BUR", "HOL", "PIC", "RUH"]},
    ),
    "E3: a convoy holds against an attack that wins only by the fleet's own power": Case(
        {
            "ENGLAND": ["A LON - NWY VIA", "F NTH C A LON - NWY", "F EDI S F SKA - NTH"],
            "GERMANY": ["F SKA - NTH"],
        },
        "units",
        ["A NWY", "F EDI", "F NTH", "F SKA"],
        ["A LON", "F EDI", "F NTH", "F SKA"],
    ),
    "E4: a convoy holds where two equal attacks on its fleet stand each other off": Case(
        {
            "ENGLAND": ["F WAL - ENG", "F PIC - ENG", "F NTH S F PIC - ENG"],
            "ITALY": ["A BEL - WAL VIA", "F ENG C A BEL - WAL", "F IRI S A BEL - WAL", "F BRE S F WAL - ENG"],
        },
        "units",
        ["A WAL", "F BRE", "F ENG", "F IRI", "F NTH", "F PIC"],
        ["A BEL", "F BRE", "F ENG", "F IRI", "F NTH", "F PIC", "F WAL"],
    ),
    "E4: a convoy holds against an equal attack although its army goes for the fleet's supporter": Case(
        {
            "TURKEY": ["A GRE - CON VIA", "F AEG C A GRE - CON", "A BUL S A GRE - CON"],
            "ITALY": ["F CON S F AEG"],
            "AUSTRIA": ["F EAS - AEG", "F SMY - CON"],
        },
        "units",
        ["A BUL", "A CON", "F AEG", "F EAS", "F SMY"],
        ["A BUL", "A GRE", "F AEG", "F CON", "F EAS", "F SMY"],
    ),
    "E6: a broken convoy with two routes through the lost fleet cuts no support": Case(
        {
            "TURKEY": [
                "A SMY - APU VIA",
                "F AEG C A SMY - APU",
                "F EAS C A SMY - APU",
                "F ION C A SMY - APU",
            ],
            "ITALY": ["F TYS - ION", "F ADR S F TYS - ION", "A APU S A NAP - ROM", "A NAP - ROM"],
            "AUSTRIA": ["A ROM H"],
        },
        "units",
        ["A APU", "A ROM", "A SMY", "F ADR", "F AEG", "F EAS", "F ION"],
        ["A APU", "A NAP", "A ROM", "A SMY", "F ADR", "F AEG", "F EAS", "F ION"],
    ),
    "E7: a convoy saved by another convoy's cut still swaps places": Case(
        {
            "ENGLAND": ["A HOL - BEL VIA", "F NTH C A HOL - BEL"],
            "FRANCE": ["A BEL - HOL"],
            "GERMANY": ["F HEL - NTH", "F DEN S F HEL - NTH"],
            "RUSSIA": ["A LVN - DEN VIA", "F BAL C A LVN - DEN"],
        },
        "owners",
        {"ENGLAND": ["A BEL", "F NTH"], "FRANCE": ["A HOL"]},
        {"ENGLAND": ["A HOL", "F NTH"], "FRANCE": ["A BEL"]},
    ),
    "E8: support by the attacker's own power defends against its attack in a head-to-head battle": Case(
        {
            "GERMANY": ["F PIE - MAR", "F TUS S F MAR - PIE"],
            "RUSSIA": ["F MAR - PIE", "A TYR S F MAR - PIE", "A BUR S F PIE - MAR"],
        },
        "units",
        ["A BUR", "A TYR", "F MAR", "F PIE", "F TUS"],
        ["A BUR", "A TYR", "F PIE", "F TUS"],
    ),
    "E8: it does so for both sides of the battle": Case(
        {
            "ENGLAND": ["A SPA - GAS", "F MAO S A SPA - GAS", "A BUR S A SPA - GAS", "F POR S F GAS - SPA"],
            "GERMANY": ["F GAS - SPA/NC", "F MAR S F GAS - SPA", "F BRE S A SPA - GAS"],
        },
        "units",
        ["A BUR", "A SPA", "F BRE", "F GAS", "F MAO", "F MAR", "F POR"],
        ["A BUR", "A GAS", "F BRE", "F MAO", "F MAR", "F POR"],
    ),
    "E9: a convoyed army cuts the support of its own fleet": Case(
        {
            "TURKEY": ["A PIC - BEL VIA"],
            "GERMANY": ["F BEL S F ENG", "F ENG C A PIC - BEL"],
        },
        "cut",
        ["F BEL"],
        [],
    ),
    "E10: an army that its own fleet was to carry next door stays when the fleet is lost": Case(
        {
            "ENGLAND": ["A LON - YOR", "F NTH C A LON - YOR"],
            "GERMANY": ["F SKA - NTH", "F DEN S F SKA - NTH"],
        },
        "units",
        ["A LON", "F DEN", "F NTH"],
        ["A YOR", "F DEN", "F NTH"],
    ),
}


def play(kind: Any, case: Case) -> object:
    """The value that the case looks at, after the phase on a game of this class."""
    game = kind(rules=["IGNORE_ERRORS", "POWER_CHOICE"])
    units = {p: [" ".join(o.split()[:2]) for o in case.orders.get(p, [])] for p in game.powers}
    game.set_state({"name": "S1905M", "units": units, "centers": {p: [] for p in game.powers}})
    for power, orders in case.orders.items():
        game.set_orders(power, orders, expand=False)
    assert not game.error
    codes = game.process().results
    powers = game.powers.values()
    return {
        "units": sorted(unit for power in powers for unit in power.units),
        "owners": {p: sorted(game.powers[p].units) for p in ("ENGLAND", "FRANCE")},
        "cut": sorted(unit for unit, found in codes.items() if "cut" in [code.message for code in found]),
        "retreats": {unit: sorted(to) for power in powers for unit, to in power.retreats.items()},
    }[case.look_at]


def test_the_guards_are_written_for_the_engine_that_is_installed() -> None:
    assert version("diplomacy") == "1.1.2"


@pytest.mark.parametrize("case", CASES.values(), ids=CASES)
def test_the_guarded_engine_is_right(case: Case) -> None:
    assert play(GuardedGame, case) == case.right


@pytest.mark.parametrize("case", CASES.values(), ids=CASES)
def test_the_bare_engine_still_does_what_the_guard_is_for(case: Case) -> None:
    assert play(BareGame, case) == case.bare
