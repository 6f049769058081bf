"""The work of `repair`: a game after the other, and a sentence for each."""

from checkpoints.commit_order import mend_numbers
from checkpoints.damage import is_text
from checkpoints.selfcheck import check_rows
from checkpoints.store import Store
from entente.cli.options import existing_store, find_game
from entente.cli.output import say, tell
from entente.cli.store_option import command_for
from entente.errors import CheckpointError
from entente.games.repair import left_over, repair_game


async def repair_store(location: str, name: str | None) -> bool:
    """Repair one game or all, and say what was done; False when something is still wrong."""
    async with existing_store(location) as store:
        if await store.library.database.write(mend_numbers):
            tell("The number of the last commit was set behind all that was committed.")
        games = [summary.id for summary in await store.library.games() if is_text(summary.id)]
        chosen = games if name is None else [await find_game(store, name)]
        is_well = [await _repair(store, game) for game in chosen]
        return all(is_well) and (name is not None or await _is_rest_well(store, games))


async def _repair(store: Store, game: str) -> bool:
    try:
        phase = await repair_game(store, game)
        wrong = await left_over(store, game)
    except CheckpointError as error:
        tell(str(error), whole=True)
        return False
    for error in wrong:
        tell(str(error), whole=True)
    if phase is not None:
        goes_on = command_for(store.location, f"resume {game}")
        tell(
            f"Game {game} was repaired and stands in {phase}; it goes on with: {goes_on}",
            whole=True,
        )
    elif not wrong:
        say(f"Game {game} needs no repair.")
    return not wrong


async def _is_rest_well(store: Store, games: list[str]) -> bool:
    """Tell of what belongs to none of the games: checkpoints without a journal, for one."""
    found = await store.library.database.read(lambda connection: check_rows(connection, store.leases))
    rest = [error for error in found if error.game not in games]
    for error in rest:
        tell(str(error), whole=True)
    return not rest
