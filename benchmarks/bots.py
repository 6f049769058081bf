"""How strong the scripted players are: one seat against six others, rotated over the powers, and kind against kind.

    python -m benchmarks.bots [--games N] [--seed TEXT] [--talk-games N] [--pairs N] [--write FILE]

Every game runs straight over the board, without the graph, for eight game years; its seed is
printed with the figures. Scores are sum-of-squares: a solo takes 1, otherwise a power's centers
squared over the sum of all squares. The error is the standard error of the mean.

In a pair of games two kinds of player share the board: three powers, drawn by the pair's seed, are one kind's in the
first game, and the other four are in the second, so that each kind has every power once. A kind's score is that of
its powers together, the mean of both games: one half when the two are equally strong. The error is that of the pairs.
"""

import argparse
import asyncio
import math
import random
import statistics
import time
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from rich.console import Console
from rich.table import Table

from entente.board.engine import load_geography
from entente.board.types import Phase, PhaseKind, Power, Season
from entente.board.victory import score
from entente.players.protocol import Player
from entente.players.roster import make_player
from tests.support.table import Game, new_game, play

YEARS = 8
POWERS = load_geography("standard").powers
UNOWNED_AT = Phase(Season.SPRING, 1903, PhaseKind.MOVEMENT)


@dataclass(frozen=True, slots=True)
class Match:
    """One kind of game to play: a player against six of another kind."""

    one: str
    six: str
    rounds: int = 0
    games: int = 42


@dataclass(frozen=True, slots=True)
class Row:
    """What came of a match, from the one seat's side."""

    match: Match
    games: int
    score: float
    score_error: float
    solo_share: float
    illegal: int
    unowned: float
    """Centers of nobody at the start of 1903, mean."""
    messages: float
    """Messages a game, of all powers."""
    seconds: float
    """A game, on this machine."""


def unowned_centers(game: Game, phase: Phase) -> int | None:
    """Centers of nobody when that phase began; None when the game had ended."""
    for judged in game.adjudications:
        if judged.before.phase == phase:
            return len(game.board.geography.centers) - sum(map(len, judged.before.centers.values()))
    return None


def run_match(match: Match, seed: str) -> Row:
    """Play the match, seat after seat; game i has the seed `seed:i`."""
    started = time.perf_counter()
    games = [(POWERS[i % 7], _play_one(match, POWERS[i % 7], f"{seed}:{i}")) for i in range(match.games)]
    scores = [score(game.board.position, [seat]) for seat, game in games]
    unowned = [n for _, game in games if (n := unowned_centers(game, UNOWNED_AT)) is not None]
    return Row(
        match=match,
        games=len(games),
        score=statistics.mean(scores),
        score_error=_error(scores),
        solo_share=statistics.mean(game.soloist == seat for seat, game in games),
        illegal=sum(len(game.faults) for _, game in games),
        unowned=statistics.mean(unowned) if unowned else math.nan,
        messages=statistics.mean(len(game.messages) for _, game in games),
        seconds=(time.perf_counter() - started) / len(games),
    )


def _play_one(match: Match, seat: Power, seed: str) -> Game:
    return _play_shared(match.one, match.six, [seat], seed, match.rounds)


def _play_shared(one: str, other: str, seats: Collection[Power], seed: str, rounds: int = 0) -> Game:
    players: Mapping[Power, Player] = {p: make_player(one if p in seats else other) for p in POWERS}
    return asyncio.run(play(new_game("standard", seed), players, years=YEARS, rounds=rounds))


@dataclass(frozen=True, slots=True)
class PairedRow:
    """What came of pairs of games between two kinds of player, from the first one's side."""

    one: str
    other: str
    pairs: int
    score: float
    score_error: float
    lowest: float
    """Of the pairs' scores."""
    highest: float
    illegal: int
    seconds: float
    """A game, on this machine."""


def run_pairs(one: str, other: str, pairs: int, seed: str) -> PairedRow:
    """Play the pairs; both games of pair i have the seed `seed:i`."""
    started = time.perf_counter()
    scores: list[float] = []
    illegal = 0
    for i in range(pairs):
        dealt = random.Random(f"{seed}:{i}").sample(POWERS, len(POWERS))
        games = [(seats, _play_shared(one, other, seats, f"{seed}:{i}")) for seats in (dealt[:3], dealt[3:])]
        scores.append(statistics.mean(score(game.board.position, seats) for seats, game in games))
        illegal += sum(len(game.faults) for _, game in games)
    return PairedRow(
        one=one,
        other=other,
        pairs=pairs,
        score=statistics.mean(scores),
        score_error=_error(scores),
        lowest=min(scores),
        highest=max(scores),
        illegal=illegal,
        seconds=(time.perf_counter() - started) / (2 * pairs),
    )


def _error(scores: Sequence[float]) -> float:
    return statistics.stdev(scores) / math.sqrt(len(scores)) if len(scores) > 1 else math.nan


SILENT = (("dumbbot", "random"), ("dumbbot", "dumbbot"), ("random", "dumbbot"), ("hold", "dumbbot"))
PAIRED = (("tactician", "dumbbot"),)
TALKING = (
    ("diplomat", "dumbbot"),
    ("dumbbot", "diplomat"),
    ("diplomat", "diplomat"),
    ("transparent", "diplomat"),
    ("pushover", "diplomat"),
    ("honest-joe", "diplomat"),
    ("mac-the-knife", "diplomat"),
    ("tit-for-tat", "diplomat"),
    ("diplomat", "pushover"),
    ("mac-the-knife", "honest-joe"),
)
ROUNDS = 3


def ladder(games: int, talk_games: int) -> tuple[Match, ...]:
    """The matches that are run: strength without press, and for information those who talk."""
    silent = [Match(one, six, games=games) for one, six in SILENT if games]
    return (*silent, *(Match(one, six, ROUNDS, talk_games) for one, six in TALKING if talk_games))


Lines = Sequence[Sequence[str]]
"""A table: the headings, then a line of cells for each row."""


def print_table(title: str, lines: Lines) -> None:
    """The figures for people."""
    table = Table(title=title)
    for heading in lines[0]:
        table.add_column(heading, justify="left" if heading in {"one", "six", "other"} else "right")
    for line in lines[1:]:
        table.add_row(*line)
    Console(width=130).print(table)


HEADINGS = ("one", "six", "rounds", "games", "score", "solo", "refused", "unowned 1903", "messages", "s/game")


def _cells(row: Row) -> tuple[str, ...]:
    return (
        row.match.one,
        row.match.six,
        str(row.match.rounds),
        str(row.games),
        f"{row.score:.3f} ± {row.score_error:.3f}",
        f"{row.solo_share:.0%}",
        str(row.illegal),
        f"{row.unowned:.1f}",
        f"{row.messages:.0f}",
        f"{row.seconds:.2f}",
    )


PAIRED_HEADINGS = ("one", "other", "games", "score", "95 % interval", "pairs' range", "refused", "s/game")


def _paired_cells(row: PairedRow) -> tuple[str, ...]:
    margin = 1.96 * row.score_error
    return (
        row.one,
        row.other,
        str(2 * row.pairs),
        f"{row.score:.3f} ± {row.score_error:.3f}",
        f"{row.score - margin:.3f} to {row.score + margin:.3f}",
        f"{row.lowest:.2f} to {row.highest:.2f}",
        str(row.illegal),
        f"{row.seconds:.2f}",
    )


def to_markdown(lines: Lines) -> str:
    """The same figures as a Markdown table."""
    ruled = [lines[0], ("---",) * len(lines[0]), *lines[1:]]
    return "\n".join(f"| {' | '.join(line)} |" for line in ruled) + "\n"


def main() -> None:
    """Run the ladder and the pairs, print them, and write them down where asked."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--games", type=int, default=42, help="games of each match without press")
    parser.add_argument("--talk-games", type=int, default=14, help="games of each match with press")
    parser.add_argument("--pairs", type=int, default=100, help="pairs of games between two kinds of player")
    parser.add_argument("--seed", default="bots")
    parser.add_argument("--write", type=Path, help="a file for the Markdown tables")
    args = parser.parse_args()
    rows = [_cells(run_match(match, args.seed)) for match in ladder(args.games, args.talk_games)]
    paired = [
        _paired_cells(run_pairs(one, other, args.pairs, args.seed)) for one, other in PAIRED if args.pairs
    ]
    title = f"{YEARS} game years, seeds {args.seed}:0 …"
    tables = [lines for lines in ((HEADINGS, *rows), (PAIRED_HEADINGS, *paired)) if len(lines) > 1]
    for lines in tables:
        print_table(title, lines)
    markdown = "\n".join(map(to_markdown, tables))
    print(markdown)
    if args.write:
        args.write.write_text(markdown, encoding="utf-8")


if __name__ == "__main__":
    main()
