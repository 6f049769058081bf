"""What diplomats say to each other in whole games: nothing twice, no warning without a new reason, each deal once."""

import asyncio
import re
from collections import Counter, defaultdict
from collections.abc import Iterator
from itertools import pairwise
from typing import NamedTuple

import pytest

from entente.players.roster import make_player
from entente.players.scripted.diplomat.grammar import Sense, hear
from entente.players.scripted.diplomat.places import provinces_in
from entente.press.commitments import Commitment, Status
from entente.press.ledger import Ledger
from entente.press.messages import MUTUAL, Act, CommitmentKind, Message, MessageType
from tests.support.table import Game, ledger_with, new_game, play_phase

CASTS = {
    "diplomats": ("diplomat",),
    "friends": ("honest-joe", "tit-for-tat"),
    "knives": ("mac-the-knife", "diplomat(loyalty=0.2, honesty=1)", "transparent"),
}
YEARS = 8


class Talk:
    """A game with what was open in each of its rounds."""

    def __init__(self, seed: str) -> None:
        self.game: Game = new_game(seed=seed)
        self.deals: list[tuple[str, tuple[Commitment, ...]]] = []
        """Each movement phase with all commitments as they stood when its talk was over."""

    async def play(self, cast: tuple[str, ...]) -> None:
        game = self.game
        players = {p: make_player(cast[i % len(cast)]) for i, p in enumerate(game.board.powers)}
        while game.board.phase.year < game.board.geography.first_phase.year + YEARS and not game.soloist:
            phase, board, before = str(game.board.phase), game.board, game.ledger
            await play_phase(game, players, rounds=3)
            said = [message for message in game.messages if message.phase == phase]
            if said:
                after = ledger_with(before, said, board)
                self.deals.append((phase, (*after.open, *after.ended)))


@pytest.fixture(scope="module", params=CASTS)
def talk(request: pytest.FixtureRequest) -> Talk:
    played = Talk(f"talk:{request.param}")
    asyncio.run(played.play(CASTS[request.param]))
    assert len(played.game.messages) > 200
    return played


def sentences_of(message: Message) -> list[str]:
    return [part for part in re.split(r"(?<=[.?!])\s+", message.content) if part]


def test_no_sentence_stands_twice_in_a_game_from_one_power_to_another(talk: Talk) -> None:
    said = Counter((m.sender, m.recipient, s) for m in talk.game.messages for s in sentences_of(m))
    assert [each for each, times in said.items() if times > 1] == []


def test_a_warning_says_what_it_is_about_and_is_not_repeated_for_the_same(talk: Talk) -> None:
    facts: dict[tuple[str, str], list[tuple[frozenset[str], ...]]] = defaultdict(list)
    for message in talk.game.messages:
        if message.message_type is MessageType.WARNING and not message.commitments:
            places = frozenset(provinces_in(message.content, "standard"))
            units = frozenset(re.findall(r"(?:army|fleet) [A-Z]\w+", message.content))
            facts[message.sender, message.recipient].append((places, units))
    for warned in facts.values():
        assert all(len(units) >= 2 and len(places) > len(units) for places, units in warned), warned
        assert all(one != other for one, other in pairwise(warned)), warned


class Deal(NamedTuple):
    """What two powers have proposed to each other, and when."""

    phase: str
    round: int
    pair: frozenset[str]
    kind: CommitmentKind
    places: tuple[str, ...]


def crossings(talk: Talk) -> Iterator[Deal]:
    """What two have proposed to each other in one round."""
    proposers: dict[Deal, set[str]] = defaultdict(set)
    for m in talk.game.messages:
        for s in m.commitments:
            if s.act is Act.PROPOSE and s.kind in MUTUAL:
                deal = Deal(m.phase, m.round, frozenset({m.sender, m.recipient}), s.kind, s.locations)
                proposers[deal].add(m.sender)
    return (deal for deal, senders in proposers.items() if len(senders) == 2)


def test_what_both_propose_in_one_round_is_one_deal(talk: Talk) -> None:
    stood = dict(talk.deals)
    for deal in crossings(talk):
        alike = [
            c
            for c in stood[deal.phase]
            if (c.kind, frozenset(c.parties), c.locations) == (deal.kind, deal.pair, deal.places)
            and str(c.said) == deal.phase
        ]
        assert [c.status for c in alike] == [Status.ACCEPTED], (deal, [str(c) for c in alike])


def test_what_diplomats_say_beside_their_typed_words_is_taken_for_no_proposal(talk: Talk) -> None:
    for message in talk.game.messages:
        if not message.commitments:
            heard = hear(message, Ledger(), talk.game.board, message.recipient)
            assert heard.sense not in (Sense.PROPOSAL, Sense.QUESTION, Sense.LEAVE, Sense.IMPOSSIBLE), message
