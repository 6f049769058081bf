"""A finished phase told in sentences: each has facts of the phase, and none was said in the ten phases before."""

from collections import deque
from collections.abc import Collection, Iterator, Mapping
from random import Random

from entente.board.geography import Geography
from entente.board.spoken import season_name
from entente.board.types import Adjudication, Phase
from entente.commentary.facts import Fact, FactKind, facts_of
from entente.commentary.sentences import JESTED, NARRATED

SENTENCES = 7
"""At most, of one phase."""
REMEMBERED_PHASES = 10
_OF_A_KIND = 3
_WEIGHTS = [*FactKind]


class Teller:
    """The narrator's telling of a game, phase by phase; the same seed tells the same game the same way."""

    def __init__(self, seed: str) -> None:
        self._seed = seed
        self._said: deque[list[str]] = deque(maxlen=REMEMBERED_PHASES)

    def tell(self, played: Adjudication, geography: Geography) -> list[str]:
        """The phase, in the order in which things happen; one sentence at least."""
        chance = Random(f"{self._seed}:{played.before.phase}")
        said = {sentence for phase in self._said for sentence in phase}
        told: list[str] = []
        for fact in _gravest(facts_of(played, geography)):
            told.append(_said_anew(fact, NARRATED, played.before.phase, said | {*told}, chance))
        self._said.append(told)
        return told


def statements(played: Adjudication, geography: Geography) -> list[str]:
    """All that the phase changed, each fact in the same plain words as ever."""
    return [_filled(NARRATED[fact.kind][0], fact) for fact in facts_of(played, geography)]


def jest(played: Adjudication, geography: Geography, chance: Random, said: Collection[str] = ()) -> str:
    """One remark on something that happened in the phase."""
    fact = chance.choice(facts_of(played, geography))
    return _said_anew(fact, JESTED, played.before.phase, said, chance)


def _gravest(facts: list[Fact]) -> Iterator[Fact]:
    """As many as are told, those of most weight, a few of each kind, in the order in which they happened."""
    heaviest = sorted(facts, key=lambda fact: _WEIGHTS.index(fact.kind), reverse=True)
    kept: list[Fact] = []
    for fact in heaviest:
        if sum(each.kind is fact.kind for each in kept) < _OF_A_KIND and len(kept) < SENTENCES:
            kept.append(fact)
    return (fact for fact in facts if fact in kept)


def _said_anew(
    fact: Fact,
    sentences: Mapping[FactKind, tuple[str, ...]],
    phase: Phase,
    said: Collection[str],
    chance: Random,
) -> str:
    """A sentence about the fact that was not said lately; one that names the season where all were."""
    texts = [_filled(text, fact) for text in chance.sample(sentences[fact.kind], len(sentences[fact.kind]))]
    return next(
        (text for text in texts if text not in said), f"{season_name(phase).capitalize()}: {texts[0]}"
    )


def _filled(text: str, fact: Fact) -> str:
    filled = text.format(**fact.words)
    return filled[:1].upper() + filled[1:]
