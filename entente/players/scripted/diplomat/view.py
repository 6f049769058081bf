"""Everything a turn knows, read from its bundle once."""

import random
from collections.abc import Iterable, Mapping
from functools import cached_property, lru_cache

from entente.board.engine import Board, load_geography
from entente.board.spoken import place_name
from entente.board.types import Location, Order, Phase, Power, Province, Season, Unit
from entente.caches import GAMES
from entente.players.bundle import Bundle
from entente.players.scripted.diplomat.grammar import Heard, Sense, hear, is_plain
from entente.players.scripted.diplomat.memory import Memory, read_memory
from entente.players.scripted.diplomat.personality import Personality
from entente.players.scripted.diplomat.stance import Faith, Judgement, is_hostile, judge
from entente.players.scripted.values import Values, chart_of, value_maps
from entente.press.commitments import Commitment, Status
from entente.press.keeping import Grounds
from entente.press.messages import BROADCAST, LASTING, MUTUAL, Act, CommitmentKind, MessageId
from entente.press.terms import BY_ORDER


@lru_cache(maxsize=16)
def around(map_name: str) -> Mapping[Province, frozenset[Province]]:
    """Each province with all that border on it, by land or by sea."""
    geography = load_geography(map_name)
    zones: dict[Province, set[Province]] = {province: {province} for province in geography.terrain}
    for (_, location), goals in geography.borders.items():
        zones[location[:3]].update(goal[:3] for goal in goals)
    return {province: frozenset(zone) for province, zone in zones.items()}


@lru_cache(maxsize=8 * GAMES)
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
        self.voice = self.memory.voice or f"{random.Random(f'{bundle.seed}:voice').getrandbits(32):08x}"
        self.said = [(message.recipient, message.content) for message in bundle.sent]
        """What each power was told in this phase; what is said in this turn comes on top."""

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
        if self.bundle.last_movement_phase in ("", self.memory.judged):
            return Judgement(self.memory.stances, {})
        keeps = 1 - self.personality.forgiveness
        stances, results = self.memory.stances, self.bundle.last_movement
        return judge(stances, self._grounds, results, self.neighbours, self._faith, keeps)

    @cached_property
    def _grounds(self) -> Grounds:
        """What was at stake in the latest movement phase."""
        before = self.bundle.last_movement_position or self.position
        return Grounds.of(self.me, before.centers[self.me], self.bundle.last_movement)

    @cached_property
    def _stood(self) -> tuple[Commitment, ...]:
        """What bound me or another towards me in the latest movement phase."""
        if not self.bundle.last_movement_phase:
            return ()
        phase, ledger = Phase.parse(self.bundle.last_movement_phase), self.bundle.ledger
        return tuple(c for c in (*ledger.open, *ledger.ended) if self.me in c.parties and c.stood_in(phase))

    @cached_property
    def _faith(self) -> tuple[Faith, ...]:
        """Whether the others did what they had agreed with me; whoever I spared by my word alone had to spare me."""
        agreed = [c for c in self._stood if not c.is_stated and c.bound != (self.me,)]
        faith = [
            Faith(c.other(self.me), c.kind, c.other(self.me) not in {breach.power for breach in c.breaches})
            for c in agreed
        ]
        spared = {
            c.other(self.me)
            for c in self._stood
            if c.is_stated and c.kind in LASTING and c.bound == (self.me,)
        }
        agreed_peace = {c.other(self.me) for c in agreed if c.kind in LASTING}
        alone = [p for p in self.board.powers if p in {*spared, *self.memory.partners} - agreed_peace]
        return (
            *faith,
            *(Faith(power, CommitmentKind.PEACE, not self._was_attacked_by(power)) for power in alone),
        )

    def _was_attacked_by(self, power: Power) -> bool:
        orders = [result.order for result in self.bundle.last_movement if result.power == power]
        return is_hostile(orders, self._grounds)

    @cached_property
    def broken(self) -> frozenset[Power]:
        """Who broke a commitment to me in the latest movement phase."""
        return frozenset(partner for partner, _, was_kept in self._faith if not was_kept)

    def stance(self, power: Power) -> float:
        """How the power is thought of; 0 for one that did nothing yet."""
        return self.judgement.stances.get(power, 0.0)

    @property
    def phase_number(self) -> int:
        """How many movement phases with press can have been before this one."""
        first, now = self.geography.first_phase, self.position.phase
        return 2 * (now.year - first.year) + (now.season is not Season.SPRING)

    @cached_property
    def heard(self) -> tuple[Heard, ...]:
        """The incoming mail of the phase, understood; before it what came too late to be answered in the last one."""
        now = (hear(message, self.bundle.ledger, self.board, self.me) for message in self.bundle.inbox)
        return (*self._heard_late, *now)

    @property
    def _heard_late(self) -> tuple[Heard, ...]:
        """Plain words of the last phase's last round: a yes to what I proposed, and offers that still make sense."""
        if self.bundle.round != 1 or self.bundle.wake or self.bundle.sent:
            return ()
        mail = self.bundle.last_messages
        last_round = max((message.round for message in mail), default=0)
        late = [m for m in mail if m.recipient == self.me and m.round == last_round and is_plain(m)]
        heard = (hear(message, self.bundle.ledger, self.board, self.me) for message in late)
        return tuple(h for h in heard if h.accepts or any(p.kind in MUTUAL for p in h.proposals))

    @cached_property
    def commitments(self) -> tuple[Commitment, ...]:
        """What was agreed with a power that broke nothing lately, and neither did I, and binds in this phase."""
        betrayed = {
            c.other(self.me) for c in self._stood if self.me in {breach.power for breach in c.breaches}
        }
        return tuple(
            c
            for c in self.bundle.ledger.open
            if self._is_agreed(c)
            and c.term.covers(self.position.phase)
            and c.other(self.me) not in self.broken | betrayed
            and c.other(self.me) in self.board.survivors
        )

    def _is_agreed(self, commitment: Commitment) -> bool:
        """True for what both sides agreed, be it that the other one said yes in words, and for a peace of mine."""
        if self.me not in commitment.parties:
            return False
        match commitment.status:
            case Status.ACCEPTED:
                return True
            case Status.STATED:
                return commitment.bound == (self.me,) and commitment.kind not in BY_ORDER
            case _:
                return self.me in commitment.proposers and not self._accepted.isdisjoint(commitment.messages)

    @cached_property
    def _accepted(self) -> frozenset[MessageId | None]:
        """My messages that somebody has said yes to, in whatever words."""
        typed = (h.message.reply_to for h in self.heard if h.sense is Sense.ACCEPT and h.is_typed)
        said = (message for h in self.heard for accepted in h.accepts for message in accepted.messages)
        return frozenset([*typed, *said])

    @cached_property
    def stated(self) -> tuple[Commitment, ...]:
        """My own orders of this phase that I have told others."""
        return tuple(
            c
            for c in self.bundle.ledger.open
            if c.is_stated and c.parties[0] == self.me and c.order and c.term.covers(self.position.phase)
        )

    @cached_property
    def partners(self) -> tuple[Power, ...]:
        """Powers with which it has peace; with one whose word never lapses also when the term has ended."""
        agreed = {c.other(self.me) for c in self.commitments if c.kind in LASTING}
        lasting = {*self.memory.partners} - self.broken - self._ended_with
        return tuple(power for power in self.others if power in agreed | lasting)

    @cached_property
    def _ended_with(self) -> frozenset[Power]:
        """With whom either side has called a lasting commitment off in this phase, or refused one."""
        mail = [*self.bundle.inbox, *self.bundle.sent]
        return frozenset(
            message.recipient if message.sender == self.me else message.sender
            for message in mail
            if message.recipient != BROADCAST
            and any(s.act is Act.REFUSE and s.kind in LASTING for s in message.commitments)
        )

    @cached_property
    def friends(self) -> tuple[Power, ...]:
        """Powers that are not attacked: partners in peace and, for a mirror, all who did no harm lately."""
        partners = {*self.partners}
        if self.personality.is_mirror:
            partners |= {power for power in self.others if self.stance(power) >= 0}
        return tuple(power for power in self.others if power in partners)

    def agreed_with(self, partner: Power) -> frozenset[CommitmentKind]:
        """The kinds of commitment that bind me and the partner."""
        kinds = {c.kind for c in self.commitments if c.other(self.me) == partner}
        if partner in self.partners and not kinds & LASTING:
            kinds.add(CommitmentKind.PEACE)
        return frozenset(kinds)

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
        return tuple(self.board.orders_by_text[power].values())

    def units_near(self, power: Power, province: Province) -> tuple[Unit, ...]:
        """The power's units that can enter the province now."""
        reach = self.chart.reach
        return tuple(unit for unit in self.position.units[power] if province in reach.get(unit, ()))

    def name(self, location: Location) -> str:
        """The province as it stands in a sentence."""
        return place_name(self.geography, location)
