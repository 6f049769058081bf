"""Contests: who sits where, and what is made of the games that were played."""

from collections import Counter

import pytest

from checkpoints.store import open_store
from entente.games.contest import Played, contest, figures, half_width, pairing, played_of
from entente.games.results import SeatResult
from entente.games.runner import GameMaster
from entente.players.actions import Action
from entente.players.bundle import Bundle
from graph.context import GameSettings
from tests.support.players import Cast


def game(
    centers: int = 3,
    share: float = 1 / 7,
    *,
    is_solo: bool = False,
    has_survived: bool = True,
    failures: int = 0,
    first_failure: str = "",
) -> Played:
    result = SeatResult(
        power="FRANCE", centers=centers, score=0, share=share, is_solo=is_solo, has_survived=has_survived
    )
    return Played("hold", result, failures, first_failure)


async def play(settings: GameSettings, player: str, against: str, cast: Cast) -> Played:
    """A game of the player's as TURKEY."""
    game = contest(settings, player, "TURKEY", against)
    async with open_store("memory") as store:
        master = GameMaster(store, cast)
        await master.run(await master.begin(game.settings, game.id))
        return await played_of(store, game.id, "TURKEY", against)


def test_each_power_meets_each_opponent_as_often_as_the_others_do() -> None:
    met = Counter(pairing(number, ["dumbbot", "diplomat", "hold"]) for number in range(42))
    assert len(met) == 21
    assert set(met.values()) == {2}


@pytest.mark.parametrize(
    ("values", "expected"),
    # Student's t for 2, 4, 9 and 29 degrees of freedom: 4.303, 2.776, 2.262, 2.045.
    [([1, 2, 3], 4.303 / 3**0.5), ([1, 2, 3, 4, 5], 2.776 * 2.5**0.5 / 5**0.5), ([0, 1] * 15, 0.1899)],
)
def test_the_interval_is_students(values: list[float], expected: float) -> None:
    assert half_width(values) == pytest.approx(expected, rel=0.035)


def test_two_games_tell_no_spread() -> None:
    assert half_width([1, 2]) is None


def test_figures_are_sums_and_means_of_the_games() -> None:
    played = [
        game(18, share=1.0, is_solo=True),
        game(0, share=0.0, has_survived=False, failures=2, first_failure="FRANCE: it broke"),
        game(6, share=0.5, failures=1, first_failure="FRANCE: again"),
        game(4, share=0.5),
    ]
    found = figures("hold", played)
    assert (found.games, found.solos, found.draw_share, found.centers) == (4, 1, 0.5, 7)
    assert (found.survival, found.failures, found.failed_games) == (0.75, 3, 2)
    assert found.first_failure == "FRANCE: it broke"


async def test_a_game_is_told_from_the_seats_side() -> None:
    settings = GameSettings(floor="gunboat", max_year=1901)
    played = await play(settings, "dumbbot", "hold", Cast())
    result = played.result
    assert (result.power, played.against, played.failures, played.first_failure) == ("TURKEY", "hold", 0, "")
    assert (result.has_survived, result.is_solo, result.share) == (True, False, pytest.approx(1 / 7))
    assert result.centers > 3
    assert result.score == pytest.approx(
        result.centers**2 / sum(n * n for n in (result.centers, 3, 3, 3, 3, 3, 4))
    )


async def test_a_players_failures_are_counted_by_phase_with_the_first_as_it_is_on_record() -> None:
    def script(bundle: Bundle) -> list[Action]:
        raise RuntimeError("no idea")

    settings = GameSettings(floor="gunboat", max_year=1901)
    cast = Cast(scripts={"poor": script})
    played = await play(settings, "poor", "hold", cast)
    assert played.failures == 2
    assert played.first_failure.startswith(
        "TURKEY: hold stands in for poor, which failed: RuntimeError: no idea"
    )
    others_fail = settings.model_copy(update={"on_failure": "hold"})
    assert (await play(others_fail, "hold", "poor", cast)).failures == 0
