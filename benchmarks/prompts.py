"""What a seat's first prompt weighs, by section and set: `python -m benchmarks.prompts`.

Tokens are estimated at four letters each, as all figures of docs/benchmarks.md that no server counted.
"""

from entente.board.engine import Board
from entente.players.bundle import Bundle, GameRules
from entente.players.model.rehearsal import rehearsed
from entente.players.model.seat import Seat
from entente.players.model.settings import SeatSettings
from graph.context import GameSettings

_LETTERS_A_TOKEN = 4.0
_GAME = GameSettings()
_SETS = {
    "default": SeatSettings(),
    "short": SeatSettings(prompts="short", actions="json"),
}


def main() -> None:
    """Print a Markdown table of France's first prompt in S1901M of a game by default, without its tools."""
    weights = {name: _weights(Seat.of(settings)) for name, settings in _SETS.items()}
    sections = dict.fromkeys(section for each in weights.values() for section in each)
    print(f"| section | {' | '.join(weights)} |\n| --- | {' | '.join('---' for _ in weights)} |")
    for section in (*sections, "all"):
        print(f"| {section} | {' | '.join(f'{_of(each, section):,}' for each in weights.values())} |")


def _weights(seat: Seat) -> dict[str, int]:
    board = Board.start()
    bundle = Bundle(
        power="FRANCE",
        board=board,
        seed="1",
        round=1,
        rounds_total=_GAME.rounds,
        rules=GameRules(last_year=_GAME.max_year, stalemate_years=_GAME.stalemate_years),
        press_allowed=tuple(power for power in board.powers if power != "FRANCE"),
        last_change_year=1900,
        letters_a_token=_LETTERS_A_TOKEN,
    )
    return {
        section.name.partition(": ")[2] or section.name: section.tokens
        for section in rehearsed(bundle, seat).sections
        if section.name != "tools"
    }


def _of(weights: dict[str, int], section: str) -> int:
    return sum(weights.values()) if section == "all" else weights.get(section, 0)


if __name__ == "__main__":
    main()
