from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from entente.errors import ModelTimeout, ProviderRejected, ProviderUnavailable, RateLimited
from entente.models.failures import Failure
from entente.models.retries import Retries

PATIENT = Retries(max_attempts=4, total_seconds=120)


@pytest.mark.parametrize("kind", [ProviderUnavailable, RateLimited, ModelTimeout])
def test_what_may_pass_is_tried_again_until_the_attempts_are_used_up(kind: type[RateLimited]) -> None:
    pauses = [PATIENT.pause_seconds(Failure(kind, ""), n, 0, Random(1)) for n in (1, 2, 3, 4)]
    assert [pause is None for pause in pauses] == [False, False, False, True]


def test_what_will_not_pass_is_not_tried_again() -> None:
    assert PATIENT.pause_seconds(Failure(ProviderRejected, ""), 1, 0, Random(1)) is None


@given(attempts=st.integers(1, 30), seed=st.integers(0, 99))
def test_pauses_grow_to_twenty_seconds_with_up_to_a_half_taken_off(attempts: int, seed: int) -> None:
    patience = Retries(max_attempts=99, total_seconds=1000)
    pause = patience.pause_seconds(Failure(ProviderUnavailable, ""), attempts, 0, Random(seed))
    longest = min(20, 0.5 * 2 ** (attempts - 1))
    assert pause is not None
    assert longest / 2 <= pause <= longest


def test_a_pause_is_never_shorter_than_the_provider_asks() -> None:
    asked = Failure(RateLimited, "", 429, retry_after_seconds=30)
    assert PATIENT.pause_seconds(asked, 1, 0, Random(1)) == 30


def test_a_pause_that_would_outlast_the_call_is_not_made() -> None:
    asked = Failure(RateLimited, "", 429, retry_after_seconds=30)
    assert PATIENT.pause_seconds(asked, 1, 91, Random(1)) is None
