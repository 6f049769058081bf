"""A reader of prompts that knows nothing of their writer: from the text alone to what it says of the board.

Everything is read as it stands, in plain texts and numbers, and nothing is imported from the house. A line that it does
not know raises, so that nothing in a section goes unread.
"""

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field

_UNIT = r"[AF] [A-Z]{3}(?:/[A-Z]{2})?"
_OWNED = re.compile(rf"({_UNIT}) ([A-Z]+)")
_POWER_LINE = re.compile(
    rf"(?P<power>[A-Z]+) (?:no centers|(?P<count>\d+) centers?: (?P<centers>[A-Z ]+)); "
    rf"(?:no units|units: (?P<units>{_UNIT}(?:, {_UNIT})*))"
)
_DISLODGED = re.compile(rf"([A-Z]+) ({_UNIT}), which can (?:only disband|retreat to ([A-Z/ ]+))")
_STAND = re.compile(
    rf"(?P<unit>{_UNIT}) \((?P<kind>inland|coast|sea)(?:, (?P<center>[^)]+))?\)"
    r"(?:; can attack it: (?P<attackers>.+))?"
)
_BEYOND = re.compile(r"(.+?) in (\d+) moves?(?: by ([A-Z ]+))?")
_PROVINCE = re.compile(r"([A-Z]{3}) ([^*:]+?)(?: \*([A-Z]*))?(?:: (.+))?")
_WAS_DISLODGED = re.compile(rf"({_UNIT}) was dislodged: ({_UNIT}) ([A-Z]+) stands there now\.")


@dataclass
class OrderLine:
    """A legal order and what is said of it; None and empty where nothing is."""

    order: str
    stands: str | None = None
    """Who stands at the goal, `empty` for nobody."""
    center: str | None = None
    """Whose center the goal is."""
    comers: list[str] = field(default_factory=list[str])
    support: list[str] = field(default_factory=list[str])
    helps: str | None = None
    """The power whose unit is supported."""
    near: list[tuple[str, int, list[str]]] = field(default_factory=list[tuple[str, int, list[str]]])


@dataclass
class Block:
    """What is said of one unit."""

    unit: str
    kind: str | None = None
    center: str | None = None
    attackers: list[str] = field(default_factory=list[str])
    orders: list[OrderLine] = field(default_factory=list[OrderLine])
    units_beyond: list[tuple[str, int, list[str]]] = field(default_factory=list[tuple[str, int, list[str]]])
    """Who, in how many moves, and the provinces on the way."""
    centers_beyond: list[tuple[str, int, list[str]]] = field(default_factory=list[tuple[str, int, list[str]]])
    dislodged_by: str | None = None


@dataclass
class Ordered:
    """An order of a past phase and the remark behind it, empty for a plain success."""

    power: str
    order: str
    remark: str
    is_default: bool = False
    """True where it is told that no legal order came; the remark has the rest."""


@dataclass
class Told:
    """All that was read in a prompt."""

    power: str = ""
    phases: set[str] = field(default_factory=set[str])
    """Every name that the prompt gives the phase in play."""
    units: dict[str, list[str]] = field(default_factory=dict[str, list[str]])
    centers: dict[str, list[str]] = field(default_factory=dict[str, list[str]])
    counts: dict[str, int] = field(default_factory=dict[str, int])
    free: list[str] = field(default_factory=list[str])
    dislodged: dict[tuple[str, str], list[str]] = field(default_factory=dict[tuple[str, str], list[str]])
    winter: dict[str, int] = field(default_factory=dict[str, int])
    past: dict[str, list[Ordered]] = field(default_factory=dict[str, list[Ordered]])
    """All orders by phase."""
    events: list[tuple[str, str]] = field(default_factory=list[tuple[str, str]])
    """Phase and sentence."""
    change: str = ""
    """When centers change hands: `fall`, `after this phase`, `after these retreats`."""
    changed: dict[str, tuple[str, str]] = field(default_factory=dict[str, tuple[str, str]])
    """By center that has changed hands since the latest movement phase: who had it, and who has it."""
    threatened: dict[str, list[str]] = field(default_factory=dict[str, list[str]])
    is_safe: bool = False
    lost: dict[str, str] = field(default_factory=dict[str, str])
    """By center of the power's own: who stands in it."""
    won: dict[str, str] = field(default_factory=dict[str, str])
    """By center under a unit of the power's: whose it is."""
    blocks: list[Block] = field(default_factory=list[Block])
    adjusts: int = 0
    """Builds, or disbands as a negative number."""
    of_units: int = 0
    """How many may be disbanded."""
    wanted: list[str] = field(default_factory=list[str])
    """The units that orders are wanted for."""
    borders: dict[tuple[str, str], set[str]] = field(default_factory=dict[tuple[str, str], set[str]])
    """By kind of unit and location, where it can go."""
    homes: dict[str, str | None] = field(default_factory=dict[str, str | None])
    """By supply center, whose home it is."""
    names: dict[str, str] = field(default_factory=dict[str, str])
    victory: int = 0
    all_centers: int = 0
    quiet_since: int | None = None
    last_year: int | None = None
    stalemate_years: int = 0


def read(text: str) -> Told:
    """All of a prompt, system message and all."""
    told = Told()
    for heading, lines in _sections(text):
        _section(told, heading, lines)
    return told


def _sections(text: str) -> Iterator[tuple[str, list[str]]]:
    heading, lines = "", list[str]()
    for line in text.splitlines():
        if line.startswith("# "):
            yield heading, lines
            heading, lines = line[2:], []
        elif line:
            lines.append(line)
    yield heading, lines


def _section(told: Told, heading: str, lines: list[str]) -> None:
    name = next((name for name in _READERS if heading.startswith(name)), None)
    phase = re.match(r"[SFW]\d{4}[MRA]", heading)
    if name:
        _READERS[name](told, heading, lines)
    elif phase and heading in (phase[0], f"{phase[0]}: BOARD_STATE"):
        _board(told, phase[0], lines)
    elif phase:
        told.phases.add(phase[0])
        _task(told, lines)


def _you(told: Told, _: str, lines: list[str]) -> None:
    told.power = lines[0].removeprefix("You are ").removesuffix(".")


def _events(told: Told, _: str, lines: list[str]) -> None:
    told.events = [(phase, sentence) for phase, _, sentence in (line.partition(": ") for line in lines)]


def _last_phase(told: Told, heading: str, lines: list[str]) -> None:
    told.past[_matched(re.compile(r"\D+ of (\S+) .*"), heading)[1]] = _results(lines)


def _change(told: Told, heading: str, lines: list[str]) -> None:
    told.past[_matched(re.compile(r"PHASE_CHANGE from (\S+) to .*"), heading)[1]] = _results(lines)


def _nothing(_: Told, __: str, ___: list[str]) -> None:
    """Memory and diary are no facts of the board."""


def _since(told: Told, _: str, lines: list[str]) -> None:
    for line in lines:
        name, rest = line.split(" ", 1)
        told.past.setdefault(name, []).extend(_results([rest]))


def _aim(told: Told, _: str, lines: list[str]) -> None:
    text = "\n".join(lines)
    if found := re.search(r"(\d+) of (?:the )?(\d+) supply centers", text):
        told.victory, told.all_centers = int(found[1]), int(found[2])
    if found := re.search(r"The game ends after (\d+), or sooner", text):
        told.last_year = int(found[1])
    if found := re.search(r"no center has changed hands for (\d+) years", text):
        told.stalemate_years = int(found[1])


def _map(told: Told, _: str, lines: list[str]) -> None:
    entries = lines[1].split(", ") if len(lines) == 2 else lines[1:]
    for entry in entries:
        code, name, home, goals = _matched(_PROVINCE, entry).groups()
        told.names[code] = name
        if "*" in entry:
            told.homes[code] = home or None
        for part in goals.split("; ") if goals else ():
            kind, *there = part.split(" ")
            told.borders[kind[0], code + kind[1:]] = set(there)


def _board(told: Told, phase: str, lines: list[str]) -> None:
    told.phases = {phase}
    told.units, told.centers, told.counts = {}, {}, {}
    told.free, told.dislodged, told.winter = [], {}, {}
    for line in lines:
        head, _, rest = line.partition(": ")
        if line.startswith("You can write to "):
            continue
        if head == "Centers of nobody":
            told.free = rest.split()
        elif head == "Dislodged":
            for part in rest.split("; "):
                power, unit, goals = _matched(_DISLODGED, part).groups()
                told.dislodged[power, unit] = (goals or "").split()
        elif head == "Winter":
            for part in rest.split(", "):
                power, verb, number = part.split()
                told.winter[power] = int(number) * {"builds": 1, "disbands": -1}[verb]
        else:
            found = _matched(_POWER_LINE, line)
            told.units[found["power"]] = (found["units"] or "").split(", ") if found["units"] else []
            told.centers[found["power"]] = (found["centers"] or "").split()
            told.counts[found["power"]] = int(found["count"] or 0)


def _results(lines: list[str]) -> list[Ordered]:
    """Orders are parted by semicolons, and so are the clauses of a remark, which stands in brackets."""
    found: list[Ordered] = []
    for line in lines:
        power, _, rest = line.partition(": ")
        for part in _outside_brackets(rest):
            order, _, remark = part.partition(" (")
            *clauses, last = remark.removesuffix(")").split("; ")
            is_default = last == "no legal order"
            found.append(
                Ordered(power, order, "; ".join(clauses if is_default else [*clauses, last]), is_default)
            )
    return found


def _outside_brackets(text: str) -> Iterator[str]:
    depth, since = 0, 0
    for place, letter in enumerate(text):
        depth += {"(": 1, ")": -1}.get(letter, 0)
        if text.startswith("; ", place) and not depth:
            yield text[since:place]
            since = place + 2
    yield text[since:]


def _task(told: Told, lines: list[str]) -> None:
    for line in lines:
        if found := re.search(rf"with submit_orders: ({_UNIT}(?:, {_UNIT})*)\.", line):
            told.wanted = found[1].split(", ")


_CHANGES = {
    "Centers change hands after fall alone": "fall",
    "After this phase and its retreats each center": "after this phase",
    "After these retreats each center": "after these retreats",
}


def _centers(told: Told, _: str, lines: list[str]) -> None:
    for line in lines:
        words = next((words for words in _CHANGES if line.startswith(words)), None)
        if words:
            told.change = _CHANGES[words]
        elif found := re.match(r"No center has changed hands since (\d+): if none does this year", line):
            told.quiet_since = int(found[1])
        elif line == "Nobody else can enter one of your centers now.":
            told.is_safe = True
        elif line.startswith("Others can enter: "):
            told.threatened = {c: units.split(", ") for c, units in _bracketed(line)}
        elif line.startswith("Changed hands since "):
            whose = ((center, words.split(" to ")) for center, words in _bracketed(line))
            told.changed = {center: (old, new) for center, (old, new) in whose}
        elif line.startswith("Others stand in your "):
            told.lost = dict(_bracketed(line))
        elif line.startswith("You stand in others' "):
            told.won = {center: owner.removesuffix("'s") for center, owner in _bracketed(line)}
        else:
            raise AssertionError(line)


def _bracketed(line: str) -> list[tuple[str, str]]:
    return re.findall(r"([A-Z]{3}) \(([^)]*)\)", line)


def _units(told: Told, _: str, lines: list[str]) -> None:
    for line in lines:
        if found := re.match(r"You may build (\d+) unit", line):
            told.adjusts = int(found[1])
            told.blocks.append(Block(""))
        elif found := re.match(r"You must disband (\d+) of these (\d+)\.", line):
            told.adjusts, told.of_units = -int(found[1]), int(found[2])
            told.blocks.append(Block(""))
        elif found := _WAS_DISLODGED.fullmatch(line):
            told.blocks.append(Block(found[1], dislodged_by=f"{found[2]} {found[3]}"))
        elif re.match(r"You have no(?:thing| units)", line):
            continue
        elif found := _STAND.fullmatch(line):
            attackers = (found["attackers"] or "").split(", ") if found["attackers"] else []
            told.blocks.append(Block(found["unit"], found["kind"], _whose(found["center"]), attackers))
        elif re.fullmatch(_UNIT, line):
            told.blocks.append(Block(line))
        else:
            _in_block(told.blocks[-1], line)


def _in_block(block: Block, line: str) -> None:
    head, _, rest = line.removeprefix(" ").partition(": ")
    assert line.startswith(" "), line
    if head == "units beyond":
        block.units_beyond = _ways(rest)
    elif head == "centers beyond":
        block.centers_beyond = _ways(rest)
    else:
        block.orders.append(_order(head, rest))


def _order(order: str, rest: str) -> OrderLine:
    line = OrderLine(order)
    for fact in rest.split("; ") if rest else ():
        head, _, tail = fact.partition(": ")
        if head == "can come":
            line.comers = tail.split(", ")
        elif head == "support":
            line.support = tail.split(", ")
        elif head == "nearest units":
            line.near = _ways(tail)
        elif fact.startswith("for "):
            line.helps = fact.removeprefix("for ")
        elif fact not in ("disband it", "do without one build", "no center"):
            parts = fact.split(", ")
            line.center = _whose(next((part for part in parts if part.endswith(" center")), None))
            line.stands = next((part for part in parts if not part.endswith(" center")), None)
    return line


def _whose(center: str | None) -> str | None:
    """`your`, `nobody` or a power."""
    return center.removesuffix(" center").removesuffix("'s") if center else None


def _ways(text: str) -> list[tuple[str, int, list[str]]]:
    found = [_matched(_BEYOND, part).groups() for part in text.split(", ")]
    return [(name, int(moves), (way or "").split()) for name, moves, way in found]


def _matched(pattern: re.Pattern[str], text: str) -> re.Match[str]:
    found = pattern.fullmatch(text)
    assert found, text
    return found


def owned(text: str) -> tuple[str, str]:
    """`A MUN GERMANY` as unit and power."""
    return _matched(_OWNED, text)[1], _matched(_OWNED, text)[2]


def by_order(blocks: list[Block]) -> Mapping[str, OrderLine]:
    """All order lines by their order."""
    return {line.order: line for block in blocks for line in block.orders}


_READERS: Mapping[str, Callable[[Told, str, list[str]], None]] = {
    "What counts": _aim,
    "Map": _map,
    "So far": _events,
    "Orders and results of ": _last_phase,
    "PHASE_CHANGE ": _change,
    "Retreats, builds and disbands since": _since,
    "Centers": _centers,
    "Your units and what they can do": _units,
    "Your ": _nothing,
    "You": _you,
}
"""By how a heading begins; other sections are not of the board."""
