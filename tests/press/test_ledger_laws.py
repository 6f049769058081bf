"""What holds for the ledger of any game: whoever folds it, in whatever steps, from whatever it may read."""

import random
from collections.abc import Iterator
from functools import cache
from typing import NamedTuple

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from entente.board.engine import Board
from entente.board.types import Order, OrderResult
from entente.press.commitments import Commitment, Status
from entente.press.ledger import Ledger
from entente.press.mailbox import Reader, readable
from entente.press.messages import BROADCAST, Act, CommitmentKind, Message, MessageType, Statement
from entente.press.terms import LONGEST_YEARS
from tests.press.talk import said

POWERS = ("AUSTRIA", "ENGLAND", "FRANCE", "GERMANY", "ITALY", "RUSSIA", "TURKEY")
READERS: tuple[Reader, ...] = (*POWERS, "PUBLIC", "OPERATOR")
ROUNDS = 3
SEEDS = st.integers(0, 15)
"""Games take their time: there are few, each is played once, and all laws are tried on each."""


class Phase(NamedTuple):
    """A movement phase that was played, with its press by rounds."""

    board: Board
    rounds: list[list[Message]]
    results: tuple[OrderResult, ...]


@cache
def play(seed: int, phases: int = 8) -> list[Phase]:
    """So many movement phases of a game in which everybody says and orders anything."""
    dice, board, played, sent = random.Random(seed), Board.start(), list[Phase](), list[Message]()
    while len(played) < phases and board.to_order:
        orders = {power: ordered(dice, board, power) for power in board.powers}
        judged = board.adjudicate(orders)
        if board.phase.is_movement:
            rounds = [press(dice, board, number, sent) for number in range(1, ROUNDS + 1)]
            played.append(Phase(board, rounds, judged.results))
        board = Board(judged.after)
    return played


def ordered(dice: random.Random, board: Board, power: str) -> list[Order]:
    """Legal orders by chance, most of them moves where there are any."""
    found: list[Order] = []
    for options in board.legal_orders[power].values():
        moves = [order for order in options if " - " in str(order)]
        found.append(dice.choice(moves if moves and dice.random() < 0.6 else options))
    return found


def press(dice: random.Random, board: Board, number: int, sent: list[Message]) -> list[Message]:
    """A round of messages, whose senders know those of earlier rounds."""
    known = sent[-40:]
    messages = [
        message
        for sender in board.survivors
        for count in range(dice.randrange(3))
        if (message := message_of(dice, board, sender, number, count, known))
    ]
    sent += messages
    return messages


def message_of(
    dice: random.Random, board: Board, sender: str, number: int, count: int, known: list[Message]
) -> Message | None:
    others = [power for power in board.survivors if power != sender]
    if not others:
        return None
    mail = [m for m in readable(sender, known) if m.sender != sender and m.sender in others]
    answered = dice.choice(mail) if mail and dice.random() < 0.7 else None
    to = answered.sender if answered and dice.random() < 0.9 else dice.choice([*others, BROADCAST])
    statements = tuple(statement_of(dice, board, sender, to, answered) for _ in range(dice.randrange(3)))
    return said(
        sender,
        to,
        *statements,
        phase=str(board.phase),
        round=number,
        number=count,
        reply_to=answered.id if answered and dice.random() < 0.7 else None,
        message_type=dice.choice([*MessageType, MessageType.ACCEPTANCE]),
    )


def statement_of(
    dice: random.Random, board: Board, sender: str, to: str, answered: Message | None
) -> Statement:
    if answered and answered.commitments and dice.random() < 0.7:
        asked = dice.choice(answered.commitments)
        act = dice.choice([Act.ACCEPT, Act.ACCEPT, Act.REFUSE])
        return (
            Statement(kind=asked.kind, act=act)
            if dice.random() < 0.5
            else asked.model_copy(update={"act": act})
        )
    by = dice.choice([sender, to if to != BROADCAST else sender])
    year = board.phase.year
    orders = [str(order) for options in board.legal_orders[by].values() for order in options]
    return Statement(
        kind=dice.choice([*CommitmentKind]),
        act=dice.choice([*Act, Act.PROPOSE, Act.STATE]),
        by=dice.choice([by, ""]),
        locations=tuple(dice.sample(["BUR", "TYR", "GAL", "RUH", "XXX", "ENG"], dice.randrange(3))),
        order=dice.choice([*orders, "A PAR - BUR", "nonsense"]),
        term=dice.choice(
            ["", "", "?", str(board.phase), f"F{year}M", str(year + 1), str(year + LONGEST_YEARS)]
        ),
    )


def folded(phases: list[Phase], ledger: Ledger | None = None) -> Iterator[Ledger]:
    """The ledger after each of the phases."""
    ledger = ledger or Ledger()
    for phase in phases:
        for messages in phase.rounds:
            ledger = ledger.after_messages(messages, phase.board)
        ledger = ledger.after_phase(phase.board, phase.results)
        yield ledger


def everything(ledgers: list[Ledger]) -> dict[str, list[Commitment]]:
    """Each commitment as it stood after one phase and the next, by its id."""
    found: dict[str, list[Commitment]] = {}
    for ledger in ledgers:
        for commitment in (*ledger.open, *ledger.ended):
            found.setdefault(commitment.id, []).append(commitment)
    return found


@settings(max_examples=20)
@given(SEEDS, st.integers(0, 8))
def test_a_ledger_is_the_same_folded_at_once_or_going_on_from_any_phase(seed: int, cut: int) -> None:
    phases = play(seed)
    ledgers = [*folded(phases)]
    before = ledgers[cut - 1] if cut else Ledger()
    assert [*ledgers[:cut], *folded(phases[cut:], before)] == ledgers


@settings(max_examples=16)
@given(SEEDS)
def test_the_order_of_messages_of_one_round_changes_nothing(seed: int) -> None:
    phases = play(seed)
    dice = random.Random(seed + 1)
    shuffled = [
        phase._replace(rounds=[dice.sample(messages, len(messages)) for messages in phase.rounds])
        for phase in phases
    ]
    assert [*folded(shuffled)] == [*folded(phases)]


@settings(max_examples=16)
@given(SEEDS)
def test_what_a_reader_may_know_is_what_it_would_fold_from_what_it_may_read(seed: int) -> None:
    phases = play(seed)
    whole = [*folded(phases)]
    for reader in READERS:
        own = [
            phase._replace(rounds=[[*readable(reader, messages)] for messages in phase.rounds])
            for phase in phases
        ]
        seen = [ledger.seen_by(reader) for ledger in whole]
        assert [*folded(own)] == seen
        for ledger in seen:
            for commitment in (*ledger.open, *ledger.ended):
                is_own = reader in (*commitment.parties, "OPERATOR")
                assert is_own or commitment.is_public


@settings(max_examples=16)
@given(SEEDS)
def test_every_commitment_comes_to_one_end_and_stays_there(seed: int) -> None:
    phases = play(seed)
    last = phases[-1]
    ledgers = [*folded(phases)]
    for _ in range(2 * LONGEST_YEARS + 2):  # nobody says or does anything any more
        board = Board(last.board.adjudicate({}).after)
        while not board.phase.is_movement:
            board = Board(board.adjudicate({}).after)
        last = Phase(board, [], board.adjudicate({}).results)
        ledgers += folded([last], ledgers[-1])
    assert ledgers[-1].open == ()
    for stages in everything(ledgers).values():
        ends = [commitment for commitment in stages if not commitment.status.is_open]
        assert len(set(ends)) == 1
        assert stages[-1] in ends
        (end, *_) = ends
        assert (end.status is Status.BROKEN) == bool(end.breaches)
        assert end.ended is not None
        assert end.ended.sort_key >= end.made.sort_key
        assert end.status in (Status.REFUSED, Status.LAPSED) or end.since is not None


def test_in_these_games_commitments_come_to_every_end() -> None:
    stages = [c for seed in range(16) for ledger in folded(play(seed)) for c in (*ledger.open, *ledger.ended)]
    assert {(c.status, c.is_stated) for c in stages} >= {
        *((status, False) for status in Status if status is not Status.STATED),
        *(
            (status, True)
            for status in (Status.STATED, Status.KEPT, Status.BROKEN, Status.LAPSED, Status.VOID)
        ),
    }
    assert any(c.is_public and BROADCAST not in c.parties for c in stages)


@pytest.mark.parametrize("seed", range(4))
def test_a_ledger_that_is_folded_from_the_latest_years_alone_is_the_same(seed: int) -> None:
    phases = play(seed, 2 * (LONGEST_YEARS + 5))
    year = phases[-1].board.phase.year
    recent = [phase for phase in phases if phase.board.phase.year >= year - LONGEST_YEARS]
    *_, whole = folded(phases)
    *_, part = folded(recent)
    assert part == whole
