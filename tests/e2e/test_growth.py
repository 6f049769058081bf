"""A game costs the same bytes in its last years as in its first."""

import asyncio
import statistics

import pytest

from graph.context import GameSettings
from tests.support.growth import Growth, mean_growth, play_on_the_scale

GUNBOAT = GameSettings(everyone="dumbbot", floor="gunboat", max_year=1913, stalemate_years=0)
PRESS = GameSettings(everyone="diplomat", rounds=2, max_year=1909, stalemate_years=0)
MAY_GROW = 1.2
ON_POSTGRES = (pytest.mark.slow, pytest.mark.postgres)


def together(growth: Growth) -> float:
    return growth.checkpoints + growth.journal


@pytest.mark.parametrize(
    ("shared_location", "settings", "since"),
    # In 1901 the powers have not yet much to say to each other.
    [
        pytest.param("sqlite", PRESS, 1902, id="sqlite-press"),
        *(
            pytest.param(backend, settings, since, id=f"{backend}-{name}", marks=marks)
            for backend, settings, since, name, marks in (
                ("postgres", PRESS, 1902, "press", ON_POSTGRES),
                ("sqlite", GUNBOAT, 1901, "gunboat", pytest.mark.slow),
                ("postgres", GUNBOAT, 1901, "gunboat", ON_POSTGRES),
            )
        ),
    ],
    indirect=["shared_location"],
)
def test_a_late_movement_phase_adds_no_more_bytes_than_an_early_one(
    shared_location: str, settings: GameSettings, since: int
) -> None:
    last = settings.max_year
    assert last is not None
    grown = asyncio.run(play_on_the_scale(shared_location, settings))
    first, early, late = (
        mean_growth(grown, years)
        for years in (range(since, since + 1), range(1903, 1906), range(last - 2, last + 1))
    )
    assert early.checkpoints > 0
    assert early.journal > 0
    assert late.checkpoints < MAY_GROW * early.checkpoints
    assert late.journal < MAY_GROW * early.journal
    assert together(late) < MAY_GROW * together(first)
    years = [together(mean_growth(grown, range(year, year + 1))) for year in range(1901, last + 1)]
    mean = statistics.mean(years)
    assert max(abs(year - mean) for year in years) < (MAY_GROW - 1) * mean
