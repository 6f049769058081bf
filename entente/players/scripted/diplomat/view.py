"""Everything a turn knows, read from its bundle once."""

import random
from collections.abc import Iterable, Mapping
from functools import cached_property, lru_cache

from entente.board.engine import Board, load_geography
from entente.board.types import Location, Order, Power, Province, Unit
from entente.players.bundle import Bundle
from entente.players.scripted.diplomat.deals import Deal, agreed_this_phase, ended_this_phase, merged
from entente.players.scripted.diplomat.grammar import Heard, Sense, hear
from entente.players.scripted.diplomat.memory import Memory, read_memory
from entente.players.scripted.diplomat.personality import Personality
from entente.players.scripted.diplomat.stance import Judgement, judge
from entente.players.scripted.diplomat.wording import place_name
from entente.players.scripted.values import Values, chart_of, value_maps
from entente.press.keeping import LASTING, Grounds


@lru_cache(maxsize=16)
def around(map_name: str) -> Mapping[Province, frozenset[Province]]:
    """Each province with all that border on it, by land or by sea."""
    geography = load_geography(map_name)
    zones: dict[Province, set[Province]] = {province: {province} for province in geography.terrain}
    for (_, location), goals in geography.borders.items():
        zones[location[:3]].update(goal[:3] for goal in goals)
    return {province: frozenset(zone) for province, zone in zones.items()}


@lru_cache(maxsize=128)
def _values(board: Board, power: Power, friends: frozenset[Power]) -> Values:
    """Reckoned once, since a turn weighs many offers, and a phase has many turns on one board."""
    return value_maps(board.position, power, friends)


class View:
    """One turn of one power: the bundle, its memory read, and what follows from both."""

    def __init__(self, bundle: Bundle, personality: Personality) -> None:
        self.bundle = bundle
        self.personality = personality
        self.me = bundle.power
        self.board = bundle.board
        self.position = bundle.board.position
        self.geography = bundle.board.geography
        self.chart = chart_of(bundle.board.position.map_name)
        self.memory: Memory = read_memory(bundle.memory)
        self.rng = random.Random(bundle.seed)

    def values(self, friends: Iterable[Power] = ()) -> Values:
        """What I make of the position when I spare these."""
        return _values(self.board, self.me, frozenset(friends))

    def land(self, power: Power) -> frozenset[Province]:
        """Where the power has a center or a unit."""
        units = (unit.province for unit in self.position.units[power])
        return frozenset([*self.position.centers[power], *units])

    @cached_property
    def zones(self) -> Mapping[Power, frozenset[Province]]:
        """Each power's land and all that borders on it."""
        near, nothing = around(self.position.map_name), frozenset[Province]()
        return {power: nothing.union(*(near[p] for p in self.land(power))) for power in self.board.powers}

    @cached_property
    def neighbours(self) -> tuple[Power, ...]:
        """Surviving powers at most two moves away, in the map's order."""
        own = self.zones[self.me]
        return tuple(p for p in self.board.survivors if p != self.me and own & self.zones[p])

    @cached_property
    def judgement(self) -> Judgement:
        """Stances now, with what the latest movement phase did to them if that was not counted yet."""
        phase = self.bundle.last_movement_phase
        if phase in ("", self.memory.judged):
            return Judgement(self.memory.stances, {}, {})
        grounds = Grounds.of(self.me, self.memory.land, self.bundle.last_movement)
        keeps = 1 - self.personality.forgiveness
        return judge(
            self.memory.stances, grounds, self.bundle.last_movement, self.neighbours, self.memory.deals, keeps
        )

    def stance(self, power: Power) -> float:
        """How the power is thought of; 0 for one that did nothing yet."""
        return self.judgement.stances.get(power, 0.0)

    @cached_property
    def heard(self) -> tuple[Heard, ...]:
        """The incoming mail of the phase, understood."""
        sent = {message.id for message in self.bundle.sent}
        return tuple(hear(message, self.board, self.me, sent) for message in self.bundle.inbox)

    @cached_property
    def deals(self) -> tuple[Deal, ...]:
        """All deals that bind now: those of earlier phases, unless broken, ended or lapsed, and this phase's."""
        yes = [heard.message for heard in self.heard if heard.sense is Sense.ACCEPT]
        new = agreed_this_phase(self.bundle.sent, yes)
        ended = ended_this_phase(self.bundle.inbox, self.bundle.sent)
        forever = self.personality.loyalty >= 1
        return merged(
            deal
            for deal in (*self.memory.deals, *new)
            if deal.binds(self.position.phase, forever=forever)
            and deal.partner not in self.judgement.broken
            and deal.partner in self.board.survivors
            and (deal.kind, deal.partner) not in ended
        )

    @cached_property
    def friends(self) -> tuple[Power, ...]:
        """Powers that are not attacked: partners in peace and, for a mirror, all who did no harm lately."""
        partners = {deal.partner for deal in self.deals if deal.kind in LASTING}
        if self.personality.is_mirror:
            partners |= {power for power in self.others if self.stance(power) >= 0}
        return tuple(power for power in self.others if power in partners)

    @cached_property
    def others(self) -> tuple[Power, ...]:
        """All other powers still in the game, in the map's order."""
        return tuple(power for power in self.board.survivors if power != self.me)

    @property
    def has_only_friends(self) -> bool:
        """True when nobody is left to fight; never in the first year, when friendship costs nothing."""
        has_begun = self.position.phase.year > self.geography.first_phase.year
        return has_begun and len(self.friends) == len(self.others)

    def legal(self, power: Power) -> tuple[Order, ...]:
        """All legal orders of a power in this phase."""
        return tuple(order for options in self.board.legal_orders[power].values() for order in options)

    def units_near(self, power: Power, province: Province) -> tuple[Unit, ...]:
        """The power's units that can enter the province now."""
        reach = self.chart.reach
        return tuple(unit for unit in self.position.units[power] if province in reach.get(unit, ()))

    def name(self, location: Location) -> str:
        """The province as it stands in a sentence."""
        return place_name(self.geography, location)
