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
}


def play(kind: Any, case: Case) -> object:
    """The value that the case looks at, after the phase on a game of this class."""
    game = kind(rules=["IGNORE_ERRORS", "POWER_CHOICE"])
    units = {p: [" ".join(o.split()[:2]) for o in case.orders.get(p, [])] for p in game.powers}
    game.set_state({"name": "S1905M", "units": units, "centers": {p: [] for p in game.powers}})
    for power, orders in case.orders.items():
        game.set_orders(power, orders, expand=False)
    assert not game.error
    game.process()
    powers = game.powers.values()
    return {
        "units": sorted(unit for power in powers for unit in power.units),
        "owners": {p: sorted(game.powers[p].units) for p in ("ENGLAND", "FRANCE")},
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
