"""People who are away: a scripted player stands in at a person's seat until the person is back.

It is kept with how the game is played out, and told with every turn that it takes. The game asks the seat as before,
and the stand-in answers at once. Whoever answers an open question has come back by that.
"""

from checkpoints.store import Store
from entente.board.types import Power
from entente.errors import SettingsError
from entente.floors.setup import check_away
from entente.players.seating import spelled

STAND_IN = "dumbbot"
"""Who stands in where nobody else is named."""


async def hand_over(store: Store, game: str, power: Power, player: str = STAND_IN) -> None:
    """Have the scripted player answer for the power's person from now on, until `give_back`.

    Raises SettingsError, also for a game that is over, UnknownGame and GameHeld; then nothing was changed.
    """
    await _change(store, game, power, player)


async def give_back(store: Store, game: str, power: Power) -> None:
    """Give the seat back to its person; nothing changes for a seat where nobody stands in.

    Raises SettingsError for a seat that no person plays, UnknownGame, GameHeld.
    """
    if power in (await store.library.settings(game)).away:
        await _change(store, game, power, None)


async def _change(store: Store, game: str, power: Power, player: str | None) -> None:
    async with store.leases.hold(game):
        if (await store.library.summary(game)).status == "finished":
            raise SettingsError("The game is over and its seats stay as they were; nothing was changed.")
        settings = await store.library.settings(game)
        others = {each: name for each, name in settings.away.items() if each != power}
        away = {**others, power: spelled(player)} if player else others
        changed = settings.model_copy(update={"away": away})
        check_away(changed)
        await store.journal.set_settings(game, changed.model_dump(mode="json"))
