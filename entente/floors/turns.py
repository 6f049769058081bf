"""Turns: asking a player, making a record of its answer, and keeping that before anything else happens.

A turn that stands in the journal is never taken again: a resumed node finds it there under its own
task id. The powers of a round are asked at once; when a seat fails, the others still finish and are
kept, and only then does the node fail, so that the game pauses with nothing lost.
"""

import asyncio
from collections.abc import Awaitable, Iterable, Sequence
from dataclasses import dataclass
from typing import TypeVar

from entente.board.types import Power
from entente.floors.notices import with_advice, with_ignored_statements, with_notes, with_stand_in
from entente.floors.recorded import rejected_lines, said_by
from entente.floors.recording import order_record, talk_record
from entente.floors.seats import Seats, Taken
from entente.floors.table import Table
from entente.floors.task import Task
from entente.players.bundle import Bundle
from entente.players.record import TurnRecord

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class SegmentTurns:
    """The turns of one segment, of press or of orders."""

    task: Task
    seats: Seats

    @property
    def table(self) -> Table:
        """What stands when the turns begin."""
        return self.seats.table

    async def play(self, powers: Sequence[Power]) -> list[TurnRecord]:
        """All turns, in the order of `powers`; a power that was asked once more has two.

        Raises PlayerError for a seat that failed, after all others have finished.
        """
        turn = self._order_turns if self.table.segment.stage == "orders" else self._talk_turn
        if self.table.settings.timing == "sequential":
            taken = [await turn(power) for power in powers]
        else:
            taken = await gather_all(map(turn, powers))
        return [record for records in taken for record in records]

    async def _talk_turn(self, power: Power) -> list[TurnRecord]:
        if kept := self.table.taken.get((power, 0)):
            return [kept]
        bundle = self.table.bundle(power)
        taken = await self.seats.ask(bundle)
        record = talk_record(
            self.table.segment,
            power,
            self.table.settings.seat(power),
            taken.reply.actions,
            reachable=bundle.press_allowed,
            read_up_to=len(bundle.inbox),
            drafted_on=self.table.board if bundle.wants_draft else None,
            said=said_by(power, self.table.earlier),
            memory=bundle.memory,
        )
        return [await self._commit(with_ignored_statements(record, bundle.ledger, bundle.board), taken)]

    async def _order_turns(self, power: Power) -> list[TurnRecord]:
        """The power's orders; it is asked once more when lines were rejected."""
        kept, board = self.table.taken, self.table.board
        first = kept.get((power, 0)) or await self._give_orders(self.table.bundle(power))
        rejected = rejected_lines(board, first)
        if not rejected:
            return [first]
        again = self.table.bundle(power, rejected=rejected, first=first)
        return [first, kept.get((power, 1)) or await self._give_orders(again, first=first)]

    async def _give_orders(self, bundle: Bundle, *, first: TurnRecord | None = None) -> TurnRecord:
        taken = await self.seats.ask(bundle)
        record = order_record(
            self.table.segment,
            bundle.power,
            self.table.settings.seat(bundle.power),
            taken.reply.actions,
            board=self.table.board,
            read_up_to=len(bundle.inbox),
            first=first,
            is_asked_again=first is None,
            memory=bundle.memory,
        )
        return await self._commit(record, taken)

    async def _commit(self, record: TurnRecord, taken: Taken) -> TurnRecord:
        noted = with_advice(with_notes(record, taken.reply), taken.reply)
        return await self.task.commit_turn(with_stand_in(noted, taken.stand_in, taken.why))


async def gather_all(work: Iterable[Awaitable[T]]) -> list[T]:
    """The outcomes of all; raises the first failure after the others have finished."""
    outcomes = await asyncio.gather(*work, return_exceptions=True)
    failures = [outcome for outcome in outcomes if isinstance(outcome, BaseException)]
    if failures:
        raise failures[0]
    return [outcome for outcome in outcomes if not isinstance(outcome, BaseException)]
