"""A process whose person writes while a program thinks, and that kills itself (SIGKILL) at a chosen moment of that.

A person who comes back sees what it has sent, and sends what is missing.
"""

import asyncio
import os
import signal
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any
from unittest.mock import patch

from pydantic import JsonValue

from checkpoints.drafts import take_out
from checkpoints.early import EarlyAnswers, mark_taken
from checkpoints.journal import Journal
from checkpoints.store import Store, open_store
from entente.games.early import keep_early, question_for
from entente.games.runner import GameMaster, Standing
from entente.players.bundle import Bundle
from entente.players.protocol import Player, Reply
from entente.players.record import TurnRecord
from entente.players.roster import make_player
from entente.players.seating import Chair
from graph.context import GameSettings

THINKER = "bots:Thinker"
TEXTS = [f"letter {number}" for number in range(4)]
"""What the person has to say in the first phase, a message each."""


class Moment(StrEnum):
    """Where the process ends."""

    BEFORE_KEPT = "before the answer is kept"
    WHILE_KEPT = "in the transaction that keeps it"
    ONCE_KEPT = "once it is kept"
    WHILE_TAKEN = "in the transaction that takes it"
    ONCE_TAKEN = "once it is taken"


def _settings(floor: str) -> GameSettings:
    """France is the person's, and Italy thinks until it has written."""
    values: dict[str, object] = {
        "seats": {"FRANCE": "human", "ITALY": THINKER},
        "everyone": "hold",
        "max_year": 1901,
    }
    rounds = {"rounds": len(TEXTS)} if floor == "rounds" else {}
    return GameSettings.model_validate({**values, **rounds, "floor": floor})


@dataclass
class _Thinker:
    """Says nothing, once the person has had the time to write."""

    asked: asyncio.Queue[asyncio.Event] = field(default_factory=lambda: asyncio.Queue[asyncio.Event]())

    async def take_turn(self, bundle: Bundle, /) -> Reply:
        may_answer = asyncio.Event()
        self.asked.put_nowait(may_answer)
        await may_answer.wait()
        return Reply([])


async def begin(location: str, floor: str) -> str:
    """A game that no process plays yet."""
    async with open_store(location) as store:
        return await GameMaster(store, lambda _: _Thinker()).begin(_settings(floor))


async def play(location: str, game: str) -> None:
    """Play the game to its end; the person writes while Italy thinks."""
    thinker = _Thinker()

    def seat(chair: Chair) -> Player:
        return thinker if chair.player == THINKER else make_player(chair.player)

    async with open_store(location) as store:
        master = GameMaster(store, seat)
        writing = asyncio.create_task(_write(store, master, game, thinker))
        standing = await master.run(game)
        while standing.pending:
            standing = await master.answer(game, {standing.pending[0]: _nothing_more(standing)})
        writing.cancel()
        await asyncio.wait([writing])


async def _write(store: Store, master: GameMaster, game: str, thinker: _Thinker) -> None:
    while True:
        may_answer = await thinker.asked.get()
        await send_next(store, await master.look(game))
        may_answer.set()


async def send_next(store: Store, standing: Standing) -> None:
    """Send what the person has not sent yet, if it may write now."""
    seat = await question_for(store, standing, "FRANCE")
    left = TEXTS[len(await sent(store, standing.game)) :]
    if seat is None or seat.phase != "S1901M" or seat.ask == "orders" or not left:
        return
    answer: JsonValue = {"messages": [{"to": "ITALY", "text": left[0]}]}
    await keep_early(store, standing.game, seat, answer)


async def sent(store: Store, game: str) -> list[str]:
    """What the person is shown as sent: what the journal has, and what waits to be taken."""
    waiting: list[Any] = [each.answer for each in await store.early.waiting(game)]
    letters = [message["text"] for answer in waiting for message in answer.get("messages", ())]
    # What is taken in between stands in both.
    return [*dict.fromkeys([*await said(store, game), *letters])]


async def said(store: Store, game: str) -> list[str]:
    """What the journal has of it."""
    records = (await store.journal.records_after(game, 0)).records
    turns = [record for record in records if isinstance(record, TurnRecord)]
    return [message.content for turn in turns for message in turn.messages if message.sender == "FRANCE"]


def _nothing_more(standing: Standing) -> JsonValue:
    is_ordering = standing.pending[0].ask == "open" and "FRANCE" not in standing.state["orders"]
    return {"orders": ["A PAR H"]} if is_ordering else None


def run(location: str, game: str, moment: Moment | None) -> None:
    """Play until the moment; a process that does nothing else."""
    _die_at(moment)
    asyncio.run(play(location, game))


def run_sender(location: str, game: str, moment: Moment) -> None:
    """Send once, in a game that another process plays, until the moment."""
    _die_at(moment)

    async def send() -> None:
        async with open_store(location) as store:
            await send_next(store, await GameMaster(store).look(game))

    asyncio.run(send())


def _die_at(moment: Moment | None) -> None:
    """Patch what is done at that moment: this process ends there, and nobody else is patched."""
    keep, commit = EarlyAnswers.keep, Journal.commit_turns

    async def kept(self: EarlyAnswers, *given: Any, **more: Any) -> bool:
        _die(moment is Moment.BEFORE_KEPT)
        is_kept = await keep(self, *given, **more)
        _die(moment is Moment.ONCE_KEPT)
        return is_kept

    async def committed(self: Journal, turns: Sequence[TurnRecord], *early_answer: Any) -> list[TurnRecord]:
        done = await commit(self, turns, *early_answer)
        _die(moment is Moment.ONCE_TAKEN and any(early_answer))
        return done

    def dying(does: Callable[..., None], at: Moment) -> Callable[..., None]:
        def does_and_dies(*given: Any, **more: Any) -> None:
            does(*given, **more)
            _die(moment is at)

        return does_and_dies

    for name, dies in {
        "checkpoints.early.EarlyAnswers.keep": kept,
        "checkpoints.early.take_out": dying(take_out, Moment.WHILE_KEPT),
        "checkpoints.journal.Journal.commit_turns": committed,
        "checkpoints.journal.mark_taken": dying(mark_taken, Moment.WHILE_TAKEN),
    }.items():
        patch(name, dies).start()


def _die(is_so: bool) -> None:
    if is_so:
        os.kill(os.getpid(), signal.SIGKILL)
