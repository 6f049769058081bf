"""What ends an attempt, by a clock that only moves when it is told to."""

import asyncio
from collections.abc import Awaitable, Callable

import pytest

from entente.errors import ModelTimeout
from entente.models.deadline import Deadline, Patience, deadline
from tests.models.support import AlarmClock

WHOLE, FIRST, SILENT = 40.0, 10.0, 8.0


async def lives() -> bool:
    return True


async def is_dead() -> bool:
    return False


async def reply_after(
    *steps: float,
    first: float | None = None,
    token_at: float | None = None,
    silent: float = 2 * WHOLE,
    is_alive: Callable[[], Awaitable[bool]] = lives,
) -> Deadline:
    """An attempt whose reply has come when time has passed in these steps; raises ModelTimeout where that was late."""
    clock = AlarmClock()
    async with deadline(clock, Patience(WHOLE, first, silent), is_alive) as ends:
        for step in steps:
            clock.pass_by(step)
            if clock.time == token_at:
                ends.heard()
            for _ in range(9):  # in which a block that has ended is cancelled
                await asyncio.sleep(0)
    assert all(alarm.is_cancelled for alarm in clock.alarms)
    return ends


async def test_an_attempt_has_its_whole_time_and_no_more() -> None:
    await reply_after(WHOLE - 0.1)
    with pytest.raises(ModelTimeout):
        await reply_after(WHOLE)


async def test_a_first_token_that_is_late_ends_the_attempt_before_its_whole_time() -> None:
    with pytest.raises(ModelTimeout):
        await reply_after(FIRST, first=FIRST)


async def test_from_the_first_token_on_only_the_whole_counts() -> None:
    ends = await reply_after(FIRST - 1, WHOLE - FIRST, first=FIRST, token_at=FIRST - 1)
    assert ends.first_token_seconds == FIRST - 1
    with pytest.raises(ModelTimeout):
        await reply_after(FIRST - 1, WHOLE - FIRST, 1, first=FIRST, token_at=FIRST - 1)


async def test_a_reply_that_is_not_streamed_has_no_first_token() -> None:
    assert (await reply_after(1, token_at=1)).first_token_seconds is None


async def test_what_came_while_this_process_did_not_run_is_read_before_the_attempt_ends() -> None:
    """A laptop that slept, SIGSTOP, no free processor: the reply lies in the socket, and is paid for."""
    await reply_after(WHOLE + 3600)


async def test_an_attempt_to_which_nothing_came_while_this_process_did_not_run_ends_soon_after() -> None:
    with pytest.raises(ModelTimeout):
        await reply_after(WHOLE + 3600, 1)


async def test_a_slow_server_that_lives_has_its_whole_time_and_the_reason_names_seconds_and_setting() -> None:
    await reply_after(*[1] * (int(WHOLE) - 1), silent=SILENT)
    with pytest.raises(ModelTimeout, match=r"no whole reply came within 40 seconds \(attempt_seconds\)"):
        await reply_after(*[1] * int(WHOLE), silent=SILENT)


async def test_a_silent_server_that_does_not_say_that_it_lives_is_left_early() -> None:
    await reply_after(*[1] * (int(SILENT) - 1), silent=SILENT, is_alive=is_dead)
    with pytest.raises(ModelTimeout, match=r"no sign of life for 8 seconds \(silent_seconds\)"):
        await reply_after(*[1] * int(SILENT), silent=SILENT, is_alive=is_dead)


async def test_a_part_of_the_reply_is_a_sign_of_life() -> None:
    await reply_after(*[1] * (2 * int(SILENT) - 2), token_at=SILENT - 1, silent=SILENT, is_alive=is_dead)
    with pytest.raises(ModelTimeout, match="silent_seconds"):
        await reply_after(*[1] * 2 * int(SILENT), token_at=SILENT - 1, silent=SILENT, is_alive=is_dead)
