"""The words that may stand behind an order: what it is for, with whom it was agreed, what speaks for it.

Closed lists, since no list of the words that speak against an order is ever long enough: a remark with any other word
makes its line none, and the order is asked for again. Words of orders, places and powers are known to `lexicon.py`.
"""

import re
from collections.abc import Iterable

_VERBS = """
aid aim anchor annoy assist back beat block bolster bottle bounce bring capture carry catch cement challenge chase
claim clear collect confine conquer consolidate contain contest control counter cover create crush cut defend deny
deploy deter develop discourage distract dominate earn encircle ensure establish expand extend face fend fill flank
follow force form fortify free frighten gain garrison get give grab guarantee guard harass harry head help hem hinder
hit honor honour hug improve increase intercept invade isolate join keep land lean leave link lock maintain make meet
menace mind neutralise neutralize occupy open outflank outnumber pave pester pin plug poke position prepare preserve
press pressure prevent probe project protect punish push put raid reach reassure recapture reclaim regain reinforce
relieve repel respect restrain retain retake safeguard save scare score screen secure seize serve set shadow shield
shore show shut slip slow sneak soften solidify split squeeze stabilise stabilize steal stiffen stop strengthen
stretch surprise surround take threaten tidy tie trap unite unlock unsettle vacate watch weaken win worry
"""
_VOUCHING = """
aggressive agreed aimed always ambitious approach arranged backed balanced balkans because bold border bridgehead
buffer calm capital caution cautious center centers centre centres classic classical confirmed consolidation convoyed
coordinated correct coverage covered covering crucial defence defense defensive deliberate designed development early
easy essential expansion exploratory eye flexible foothold gateway hedgehog home iberia insurance intended juggernaut
key lepanto lowlands maginot main modest natural neutral obvious offence offense offensive opening orthodox patient
peaceful pinning pivotal planned positional positioning promised prophylactic protected protection prudent quiet ready
reinforcement reserve route routine safe safest safety scandinavia sealion security sensible sharp simple since solid
sound stability standard start step stopgap strategic strong strongest support supported tactical textbook thematic
usual vital way
"""
_SMALL = """
a also am an and as at both by en first for good i in is it just little more most my nice of on order our pretty
purpose quite rather rationale reason reasoning simply so that the therefore these this thus us very we which why
will with
"""
_OTHERS = """
able access advantage adventure alive alliance allied anyway approaches area areas army backyard balance best better
big boat boats bottleneck bound business campaign central certain cheap clean coast coastal coasts collapse combined
comfortable coming compact convenient corner corridor country deal deep defences defended defenses directly door doors
dot dots easily east eastern edge effect efficient elbow empty entire entry escape everything exit exposed extra eyes
fast firm firmly flanks flexibility forces forward friendly friendship front frontier fronts game gap gaps gate gates
grip ground growth guaranteed hand hands hard heart heartland high hold hole holes homeland homes honest hostile house
immediate immediately incursion incursions influence initiative inland inroads interior invasion invasions island its
keeps large late lead less light line lines links locked low many mine mobile momentum mouth much mutual naval near
nearby nearer need needs neutrals new north northerly northern number numbers occupied own pact passage path peace
perimeter place plain play positions possession presence prize profit promise province provinces quick quickly quietly
range rear region reliable rich right road roads room safely sea seas secured shared shores side sides sitting
situation slowly small soft south southerly southern space spot stable staging stalemate strength stronghold success
supply supports sure task tempo territories territory there thin threat threats throat tight time top trouble
uncontested undefended unguarded unoccupied unopposed unprotected unsupported use useful vacant valuable victory
vulnerable water waters weak weight well west western wide wing within work works world worth
"""
_PARTICLES = """
about across against ahead alone along any apart are around away be been before behind being between beyond can close
closed come comes do does down each enough every from full go goes going half has have here into left now once one
ones onto out over second single solo some still than third three through toward towards two under up upper versus via
where whole whose
"""
_PEOPLE = """
allies ally another anybody anyone enemies enemy everybody everyone foe friend friends her him his neighbor neighbors
neighbour neighbours nobody opponent opponents other others player players power powers rival rivals someone their
them they you your
"""
_TIMES = """
after afterwards autumn eventually fall future later midgame next phase season soon spring then tomorrow turn turns
winter year years
"""
_STATES = "back clear cut free hit land lock make open put set shut split tie"
"""Verbs that say by themselves how something stands: `(still open)`."""
_DOUBLING = "control cut deter get grab hem hit hug pin plug put repel set shut slip stop trap win"
"""Verbs that double their last letter: `stopping`."""


def _forms(verb: str) -> tuple[str, str]:
    """`secures` and `securing`."""
    if verb.endswith("y") and verb[-2] not in "aeiou":
        return f"{verb[:-1]}ies", f"{verb}ing"
    third = f"{verb}es" if verb.endswith(("s", "ch", "sh")) else f"{verb}s"
    is_silent = verb.endswith("e") and not verb.endswith("ee")
    stem = verb[:-1] if is_silent else f"{verb}{verb[-1]}" if verb in _DOUBLING.split() else verb
    return third, f"{stem}ing"


def _letters() -> dict[str, str]:
    said = {
        "o": _OTHERS,
        "x": _PARTICLES,
        "e": _PEOPLE,
        "t": _TIMES,
        "s": _SMALL,
        "q": "to",
        "v": f"{_VERBS} {_VOUCHING}",
    }
    found = {word.upper(): letter for letter, words in said.items() for word in words.split()}
    found |= {word.upper(): "x" for word in _STATES.split()}
    return found | {form.upper(): "d" for verb in _VERBS.split() for form in _forms(verb)}


_LETTERS = _letters()
"""`d` what an order does, `v` what else speaks for it, `s` a small word, `x` one that means little by itself, `e` for
others than its own power, `t` a time, `q` a `to`, `o` any other."""
_REMARK = re.compile("s*q?s*(?:d[^t]*|d[^p]*|v[^t]*)|(?=.*[dvo])[dvosxp]{2,}")
"""Small words, what the order does or what speaks for it, and anything known behind that; or known words of which none
is about others. A time is one that the order works for (`covers Brest next turn`): `as agreed for the fall` and `takes
Burgundy in the fall` are for the fall."""


def letter_of(word: str) -> str:
    """The letter of a word, in capitals, of which remarks are made; empty for one that stands in none."""
    return _LETTERS.get(word, "")


def speaks_for_its_order(letters: Iterable[str]) -> bool:
    """True when words with these letters say only what an order is for.

    `p` stands for a place of the order, `o` for another place or a number, `m` for a word of orders, `e` for a
    power, and nothing for a word that is not known.
    """
    known = list(letters)
    return all(known) and _REMARK.fullmatch("".join(known)) is not None
