import asyncio
from typing import Any

import pytest

from entente.models.limits import Limiter, Limits, Rates, TokenBucket
from tests.models.support import HandClock, StoppedClock


async def test_a_bucket_gives_a_minutes_worth_at_once_and_then_at_its_rate() -> None:
    clock = HandClock()
    bucket = TokenBucket(60, clock)
    for _ in range(60):
        await bucket.take(1)
    assert clock.slept == []
    await bucket.take(1)
    await bucket.take(3)
    assert clock.slept == pytest.approx([1.0, 3.0])


async def test_a_bucket_never_holds_more_than_a_minutes_worth() -> None:
    clock = HandClock()
    bucket = TokenBucket(60, clock)
    clock.time = 3600
    await bucket.take(60)
    await bucket.take(1)
    assert clock.slept == pytest.approx([1.0])


async def test_a_call_of_more_than_a_minutes_worth_goes_through() -> None:
    clock = HandClock()
    bucket = TokenBucket(60, clock)
    await bucket.take(1000)
    await bucket.take(1000)
    assert clock.slept == pytest.approx([60.0])


async def test_what_a_call_did_not_use_is_given_back() -> None:
    clock = HandClock()
    limiter = Limiter(Rates(1, None, 600), clock)
    for _ in range(3):
        async with limiter.permit(600) as permit:
            permit.used(100)
    assert clock.slept == pytest.approx([10.0, 20.0 - 10.0])


async def test_no_more_calls_are_under_way_than_the_address_allows() -> None:
    limiter = Limiter(Rates(2, None, None), HandClock())
    running, most = 0, 0

    async def call() -> None:
        nonlocal running, most
        async with limiter.permit(1):
            running += 1
            most = max(most, running)
            await asyncio.sleep(0)
            running -= 1

    await asyncio.gather(*(call() for _ in range(7)))
    assert most == 2


async def test_a_caller_that_is_cancelled_while_it_waits_has_taken_nothing() -> None:
    clock = StoppedClock()
    bucket = TokenBucket(60, clock)
    await bucket.take(60)
    waiting = asyncio.create_task(bucket.take(60))
    await clock.asleep.wait()
    await cancelled(waiting)
    clock.time = 60
    assert await bucket.take(60) == 60
    assert clock.slept == [60]


@pytest.mark.parametrize("rates", [Rates(1, 60, None), Rates(1, None, 60)], ids=["requests", "tokens"])
async def test_a_call_that_is_cancelled_before_it_is_made_leaves_its_share_to_others(rates: Rates) -> None:
    clock = HandClock()
    limiter = Limiter(rates, clock)
    async with limiter.permit(1):
        for _ in range(59):
            waiting = asyncio.create_task(call(limiter))
            await asyncio.sleep(0)
            await cancelled(waiting)
    for _ in range(59):
        await call(limiter)
    assert clock.slept == []


async def call(limiter: Limiter) -> None:
    async with limiter.permit(1):
        pass


async def cancelled(task: asyncio.Task[Any]) -> None:
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task


async def test_no_more_is_given_back_than_was_taken() -> None:
    clock = HandClock()
    limiter = Limiter(Rates(1, None, 60), clock)
    async with limiter.permit(1000) as permit:
        permit.used(60)
    async with limiter.permit(60):
        pass
    assert clock.slept == pytest.approx([60])


def test_all_seats_share_the_limits_of_an_address() -> None:
    limits = Limits(HandClock())
    rates = Rates(2, 60, None)
    assert limits.at("https://one.example", rates) is limits.at("https://one.example", rates)
    assert limits.at("https://one.example", rates) is not limits.at("https://two.example", rates)


def test_the_strictest_of_several_games_limits_holds_for_all_from_then_on() -> None:
    limits = Limits(HandClock())
    assert limits.at("https://one.example", Rates(16, None, None)).rates == Rates(16, None, None)
    assert limits.at("https://one.example", Rates(32, 60, 1000)).rates == Rates(16, 60, 1000)
    assert limits.at("https://one.example", Rates(4, 90, None)).rates == Rates(4, 60, 1000)
    assert limits.at("https://one.example", Rates(16, None, None)).rates == Rates(4, 60, 1000)
