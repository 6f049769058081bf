"""How strong the scripted players are: one seat against six others, rotated over the powers.

    python -m benchmarks.bots [--games N] [--seed TEXT] [--talk-games N] [--write FILE]

Every game runs straight over the board, without the graph, for eight game years; its seed is
printed with the figures. Scores are sum-of-squares: a solo takes 1, otherwise a power's centers
squared over the sum of all squares. The error is the standard error of the mean.
"""

import argparse
import asyncio
import math
import statistics
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from rich.console import Console
from rich.table import Table

from entente.board.engine import load_geography
from entente.board.types import Phase, PhaseKind, Power, Season
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


def score(game: Game, power: Power) -> float:
    """The power's sum-of-squares score."""
    if game.soloist:
        return float(game.soloist == power)
    squares = {p: len(centers) ** 2 for p, centers in game.board.position.centers.items()}
    return squares[power] / sum(squares.values())


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
    scores = [score(game, seat) for seat, game in games]
    unowned = [n for _, game in games if (n := unowned_centers(game, UNOWNED_AT)) is not None]
    return Row(
        match=match,
        games=len(games),
        score=statistics.mean(scores),
        score_error=statistics.stdev(scores) / math.sqrt(len(scores)) if len(scores) > 1 else math.nan,
        solo_share=statistics.mean(game.soloist == seat for seat, game in games),
        illegal=sum(len(game.faults) for _, game in games),
        unowned=statistics.mean(unowned) if unowned else math.nan,
        messages=statistics.mean(len(game.messages) for _, game in games),
        seconds=(time.perf_counter() - started) / len(games),
    )


def _play_one(match: Match, seat: Power, seed: str) -> Game:
    players: Mapping[Power, Player] = {p: make_player(match.one if p == seat else match.six) for p in POWERS}
    return asyncio.run(play(new_game("standard", seed), players, years=YEARS, rounds=match.rounds))


SILENT = (("dumbbot", "random"), ("dumbbot", "dumbbot"), ("random", "dumbbot"), ("hold", "dumbbot"))
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
    silent = [Match(one, six, games=games) for one, six in SILENT]
    return (*silent, *(Match(one, six, ROUNDS, talk_games) for one, six in TALKING))


def print_table(rows: Sequence[Row], seed: str) -> None:
    """The figures for people."""
    table = Table(title=f"{YEARS} game years, one seat rotated over {len(POWERS)} powers, seeds {seed}:0 …")
    for heading in HEADINGS:
        table.add_column(heading, justify="left" if heading in {"one", "six"} else "right")
    for row in rows:
        table.add_row(*_cells(row))
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


def to_markdown(rows: Sequence[Row]) -> str:
    """The same figures as a Markdown table."""
    lines = [HEADINGS, ("---",) * len(HEADINGS), *(_cells(row) for row in rows)]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines) + "\n"


def main() -> None:
    """Run the ladder, print it, and write it down where asked."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--games", type=int, default=42, help="games of each match without press")
    parser.add_argument("--talk-games", type=int, default=14, help="games of each match with press")
    parser.add_argument("--seed", default="bots")
    parser.add_argument("--write", type=Path, help="a file for the Markdown table")
    args = parser.parse_args()
    rows = [run_match(match, args.seed) for match in ladder(args.games, args.talk_games)]
    print_table(rows, args.seed)
    markdown = to_markdown(rows)
    print(markdown)
    if args.write:
        args.write.write_text(markdown, encoding="utf-8")


if __name__ == "__main__":
    main()
