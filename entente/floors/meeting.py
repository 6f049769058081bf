"""People who are asked side by side: those who leave their question open learn that somebody else has answered.

With each answer LangGraph runs the tasks of all who were asked again, and waits for every one of them. Where an answer
is read at once, the others must not hold the game up: they are asked anew after it.
"""

import asyncio
from collections import defaultdict
from collections.abc import Generator
from contextlib import contextmanager
from typing import TypeAlias

MeetingKey: TypeAlias = tuple[str, str]
"""The game, and the checkpoint from which its people are asked."""


class Place:
    """One person's place in a meeting."""

    def __init__(self, others: "set[Place]") -> None:
        self._together = others
        self.answer: asyncio.Future[bool] = asyncio.get_running_loop().create_future()

    def decide(self, *, has_answered: bool) -> None:
        """Say whether the person's answer is kept, or there is none; what was said first stands."""
        if not self.answer.done():
            self.answer.set_result(has_answered)

    async def somebody_answered(self) -> bool:
        """True when somebody has answered, who may have left since; known once all have decided."""
        return any([await place.answer for place in [*self._together]])


class Meetings:
    """The meetings of all games of one process."""

    def __init__(self) -> None:
        self._open: defaultdict[MeetingKey, set[Place]] = defaultdict(set)

    @contextmanager
    def join(self, key: MeetingKey) -> Generator[Place]:
        """A place in the meeting for as long as the block lasts.

        It must be taken before the person's task waits for anything: then all who are asked together meet.
        """
        together = self._open[key]
        place = Place(together)
        together.add(place)
        try:
            yield place
        finally:
            place.decide(has_answered=False)
            if self._open.get(key) is together and all(each.answer.done() for each in together):
                del self._open[key]
