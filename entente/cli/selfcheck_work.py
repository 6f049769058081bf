"""The work of `selfcheck`: a store is opened for reading alone, and what is found in it is told."""

from typing import NamedTuple

from checkpoints.store import open_to_read
from entente.cli.options import existing_location
from entente.cli.output import say, tell
from entente.errors import DamagedRow
from entente.games.selfcheck import check_store


class Checked(NamedTuple):
    """A store that was read."""

    location: str
    """Fit for showing."""
    games: int
    damage: list[DamagedRow]


async def wrong_with(location: str) -> Checked:
    """What is wrong with the store; raises StoreUnavailable for one that cannot be read at all."""
    async with open_to_read(existing_location(location)) as store:
        try:
            damage = await check_store(store)
            return Checked(store.location, len(await store.library.games()), damage)
        except DamagedRow as error:  # of a row without which no other is understood
            return Checked(store.location, 0, [error])


def report(checked: Checked) -> None:
    """A sentence for each thing, and at the end how many there are."""
    for error in checked.damage:
        tell(str(error), whole=True)
    games = f"{checked.games} game{'' if checked.games == 1 else 's'}"
    if not checked.damage:
        say(f"{games} read in {checked.location}; nothing is wrong.")
        return
    say(
        f"{games} read in {checked.location}; {len(checked.damage)} things are wrong and nothing was changed."
    )
