"""Yes and no to what I have proposed, in whatever words."""

import re
from collections.abc import Sequence
from typing import NamedTuple

from entente.board.types import Province
from entente.players.scripted.diplomat import phrases
from entente.players.scripted.diplomat.cues import Topic
from entente.players.scripted.diplomat.words import Words
from entente.press.commitments import Commitment
from entente.press.messages import CommitmentKind

TOPICS = {
    CommitmentKind.PEACE: Topic.PEACE,
    CommitmentKind.ALLIANCE: Topic.ALLIANCE,
    CommitmentKind.DMZ: Topic.DMZ,
    CommitmentKind.SUPPORT: Topic.SUPPORT,
}
"""How each kind of commitment is spoken of."""


class Answer(NamedTuple):
    """What was said to my proposals."""

    is_one: bool
    """True when it says yes or no at all, be it unclear to what."""
    accepted: tuple[Commitment, ...]
    refused: tuple[Commitment, ...]


def answer(words: Words, offers: Sequence[Commitment]) -> Answer:
    """The yes and no to those offers; a yes on a condition is none."""
    accepted: list[Commitment] = []
    refused: list[Commitment] = []
    is_one, is_bound = False, not is_conditional(words)
    for clause in words.clauses:
        meant = _meant(clause, offers)
        said = _verdict(clause, meant)
        if said is None or (said and not is_bound):
            continue
        is_one = True
        if not said and _BUT.search(words.text):  # whoever says yes and no to the same has not agreed
            accepted = [c for c in accepted if c not in meant]
        (accepted if said else refused).extend(c for c in meant if c not in [*accepted, *refused])
    return Answer(is_one, tuple(accepted), tuple(refused))


def is_conditional(words: Words) -> bool:
    """True where more is asked for than that both are bound."""
    return bool(phrases.CONDITION.search(phrases.RECIPROCAL.sub("", words.text)))


def offers_nothing(clause: Words) -> bool:
    """True for what the writer will not do, has not decided, hears from others, or remembers."""
    if phrases.BYGONE.search(clause.text):
        return True
    is_question = clause.text.strip().endswith("?")
    return not is_question and bool(
        phrases.DENIED.search(clause.text) or phrases.UNDECIDED.search(clause.text)
    )


def asks_for_reasons(clause: Words) -> bool:
    """True for a question for facts or reasons, which agrees to nothing."""
    return bool(phrases.ASKS_BACK.search(clause.text))


def echoes(words: Words) -> bool:
    """True for `Peace? With you?`: what was proposed, said again in wonder."""
    if len(words.clauses) <= 1:  # none in a text without words
        return False
    first = words.clauses[0]
    return _is_question(first) and len(first.text.split()) <= _SHORT


_BUT = re.compile(r"\bbut\b")
_SHORT = 5
"""Words of a question that asks nothing."""


def parts_of(order: str) -> set[Province]:
    """The provinces of an order in notation."""
    return {word[:3] for word in order.split() if len(word) >= 3}


def _verdict(clause: Words, meant: Sequence[Commitment]) -> bool | None:
    """True for a clause that says yes, False for one that says no, None for one that says neither."""
    text = clause.text
    if phrases.RHETORICAL_YES.search(text) or (phrases.DOUBLE_NO.search(text) and not _is_question(clause)):
        return True
    if _is_question(clause):
        return None
    if phrases.UNWILLING.search(text):
        return False
    kind = meant[0].kind if len({offer.kind for offer in meant}) == 1 else None
    restraint = phrases.RESTRAINT.get(kind) if kind else None
    without = restraint.sub("", text) if restraint else text
    if phrases.NO.search(without):
        return False
    if without != text:
        return None if phrases.HEDGED.search(text) else True
    is_idle = offers_nothing(clause) or asks_for_reasons(clause) or _tells_of_others(clause)
    if phrases.YES.search(phrases.NO_CONSENT.sub("", text)):
        return None if is_idle else True
    return None if is_idle or kind is None else _verdict_by_deed(text, kind)


def _tells_of_others(clause: Words) -> bool:
    others = "|".join(p.lower() for p in clause.board.powers if p not in (clause.me, clause.sender))
    return bool(re.search(rf"\b(?:{others}) (?:\w+s|said|told|did|was|had|\w+ed)\b", clause.text))


def _is_question(clause: Words) -> bool:
    return clause.text.strip().endswith("?")


def _verdict_by_deed(text: str, kind: CommitmentKind) -> bool | None:
    """Yes or no by what the writer says that he or his units will do."""
    verdict = next((is_yes for is_yes, deed in phrases.DEEDS.get(kind, ()) if deed.search(text)), None)
    return None if verdict and phrases.HEDGED.search(text) else verdict


def _meant(clause: Words, offers: Sequence[Commitment]) -> Sequence[Commitment]:
    """Which of my proposals a clause speaks of: those it names, all where it says so, or the only one there is."""
    if len(offers) <= 1:
        return offers
    named = [c for c in offers if _names(clause, c)]
    return offers if not named and phrases.EVERYTHING.search(clause.text) else named


def _names(clause: Words, commitment: Commitment) -> bool:
    """True when the clause speaks of what the commitment is."""
    topic = TOPICS.get(commitment.kind)
    is_named = set(clause.named) & {*commitment.locations, *parts_of(commitment.order)}
    return bool(is_named or (topic and clause.score(topic)))
