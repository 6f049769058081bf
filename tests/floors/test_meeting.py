"""People who are asked side by side learn of each other's answers, whoever is the quicker."""

import asyncio

from entente.floors.meeting import Meetings

GAME = ("a game", "a checkpoint")


async def test_an_answer_counts_when_its_person_has_left_before_the_others_look() -> None:
    meetings = Meetings()
    with meetings.join(GAME) as slow:
        with meetings.join(GAME) as quick:
            quick.decide(has_answered=True)
        slow.decide(has_answered=False)
        assert await slow.somebody_answered()


async def test_who_is_slow_is_waited_for() -> None:
    meetings = Meetings()
    with meetings.join(GAME) as quick, meetings.join(GAME) as slow:
        quick.decide(has_answered=False)
        told = asyncio.ensure_future(quick.somebody_answered())
        await asyncio.sleep(0)
        assert not told.done()
        slow.decide(has_answered=True)
        assert await told


async def test_nobody_has_answered_where_all_have_left_their_questions_open() -> None:
    meetings = Meetings()
    with meetings.join(GAME) as one:
        with meetings.join(GAME):
            pass
        one.decide(has_answered=False)
        assert not await one.somebody_answered()


async def test_the_next_meeting_knows_nothing_of_the_one_before() -> None:
    meetings = Meetings()
    with meetings.join(GAME) as earlier:
        earlier.decide(has_answered=True)
    with meetings.join(GAME) as later:
        later.decide(has_answered=False)
        assert not await later.somebody_answered()
