"""The board in plain words: powers, places, units, orders and seasons, as they stand in a sentence."""

from collections.abc import Callable, Sequence

from entente.board.geography import Geography, Terrain
from entente.board.types import (
    Convoy,
    Hold,
    Location,
    Move,
    Order,
    Phase,
    Season,
    SupportHold,
    SupportMove,
    Unit,
    UnitKind,
)

_SEASONS = {Season.SPRING: "spring", Season.FALL: "fall", Season.WINTER: "winter"}


def power_name(power: str) -> str:
    """The power as it is written in a sentence."""
    return power.title()


def listed(words: Sequence[str]) -> str:
    """`a`, `a and b`, `a, b and c`."""
    return " and ".join(filter(None, [", ".join(words[:-1]), *words[-1:]]))


def counted(count: int, noun: str) -> str:
    """`1 center`, `3 centers`."""
    return f"{count} {noun}{'' if count == 1 else 's'}"


def kind_name(kind: UnitKind) -> str:
    """`army` or `fleet`."""
    return "army" if kind is UnitKind.ARMY else "fleet"


def spoken_unit(unit: Unit, geography: Geography) -> str:
    """`army Paris`."""
    return (
        f"{kind_name(unit.kind)} {geography.names.get(unit.province, unit.province).replace(' Of ', ' of ')}"
    )


def place_name(geography: Geography, location: Location) -> str:
    """The full name of a province as it stands in a sentence: `Burgundy`, `the North Sea`."""
    name = geography.names.get(location[:3], location).replace(" Of ", " of ")
    return f"the {name}" if geography.terrain.get(location[:3]) is Terrain.SEA else name


def spoken(order: Order, geography: Geography, unit: Callable[[Unit], str]) -> str:
    """The order in words: `my army Paris to Burgundy`; `unit` says whose a unit is. Winter orders stay as they are."""
    match order:
        case Hold():
            return f"{unit(order.unit)} holding"
        case Move():
            return f"{unit(order.unit)} to {place_name(geography, order.to)}"
        case SupportHold():
            return f"{unit(order.unit)} supporting {unit(order.supported)}"
        case SupportMove():
            moving = f"{unit(order.supported)} to {place_name(geography, order.to)}"
            return f"{unit(order.unit)} supporting {moving}"
        case Convoy():
            return f"{unit(order.unit)} convoying {unit(order.army)} to {place_name(geography, order.to)}"
        case _:
            return str(order)


def season_name(phase: Phase) -> str:
    """`spring 1901`."""
    return f"{_SEASONS[phase.season]} {phase.year}"
