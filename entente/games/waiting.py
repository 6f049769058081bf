"""Waiting beside a run: for what a game commits next, and for the turn that an answer becomes."""

import asyncio
import logging
from collections.abc import Generator
from contextlib import contextmanager
from typing import Any

from checkpoints.journal import Journal
from entente.board.types import Power
from entente.errors import NotWaiting, PlayerError
from entente.players.record import Record, TurnRecord
from entente.players.roster import HUMAN

_log = logging.getLogger(__name__)


async def commit_or_end(
    journal: Journal, game: str, sequence: int, run: asyncio.Future[Any] | None = None
) -> None:
    """Return when something of the game is committed after this number, or the run has ended, well or not.

    Raises StoreUnavailable.
    """
    commit = asyncio.ensure_future(journal.wait_after(game, sequence))
    try:
        await asyncio.wait({commit, *([run] if run else [])}, return_when=asyncio.FIRST_COMPLETED)
        if commit.done():
            commit.result()
    finally:
        commit.cancel()
        await asyncio.gather(commit, return_exceptions=True)


async def wait_until_kept(
    journal: Journal, game: str, power: Power, sequence: int, run: asyncio.Future[Any]
) -> bool:
    """True as soon as a turn of the power's person is kept that was not there at this number.

    False when the run has ended, well or not, and there is none. Raises StoreUnavailable.
    """
    while True:
        is_over = run.done()  # asked first: what the run has kept is read below then
        page = await journal.records_after(game, sequence)
        sequence = page.sequence
        if any(_is_of(record, power) for record in page.records):
            return True
        if page.has_more:
            continue
        if is_over:
            return False
        await commit_or_end(journal, game, sequence, run)


@contextmanager
def told_no_names(game: str) -> Generator[None]:
    """What a seat may be told of a run that a player has stopped: not who plays another seat, nor how it failed.

    Raises NotWaiting for PlayerError, which goes to the log.
    """
    try:
        yield
    except PlayerError as error:
        _log.warning("The game %s stopped: %s", game, error)
        raise NotWaiting(
            f"Game {game} is paused, since a player failed; whoever runs it can resume it. What was kept stands."
        ) from error


def _is_of(record: Record, power: Power) -> bool:
    return isinstance(record, TurnRecord) and (record.power, record.player) == (power, HUMAN)
