"""What a seat plays for: what a win is worth in this game, when the game ends, and how many centers are many."""

from entente.board.geography import Geography
from entente.players.bundle import GameRules
from prompts import PromptSet

_FIFTH_YEAR = 4
"""Years after the first one."""


def aim_text(rules: GameRules, geography: Geography, texts: PromptSet) -> str:
    """The same for all powers in all phases of a game."""
    first, victory = geography.first_phase.year, geography.victory_centers
    return texts.fill(
        "model_aim",
        victory=str(victory),
        centers=str(len(geography.centers)),
        end=_end(rules),
        first=str(first),
        second=str(first + 1),
        fifth=str(first + _FIFTH_YEAR),
        good=str(round(victory / 3)),
        strong=str(round(victory / 2)),
    )


def quiet_text(rules: GameRules, quiet_since: int | None, year: int) -> str:
    """How near the game is to ending because no center changes hands; empty while that is far off, or is no rule."""
    if not rules.stalemate_years or quiet_since is None or year - quiet_since < rules.stalemate_years:
        return ""
    return f"No center has changed hands since {quiet_since}: if none does this year, the game ends and is shared."


def _end(rules: GameRules) -> str:
    sooner = ["when all survivors have voted for a draw (vote_draw)"]
    if rules.stalemate_years:
        sooner.insert(0, f"when no center has changed hands for {rules.stalemate_years} years")
    if rules.last_year is None:
        return " or ".join(sooner)
    return f"after {rules.last_year}, or sooner {' or '.join(sooner)}"
