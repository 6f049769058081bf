"""What an imported game would use: shown before anybody confirms it."""

from checkpoints.foreign import settings_in
from checkpoints.store import Store
from checkpoints.summaries import settings_of
from entente.floors.reaches import reaches
from entente.games.runner import thread_config


async def reaches_of(store: Store, game: str) -> list[str]:
    """What the game would use beyond itself at any moment that is kept of it, a line for each; raises UnknownGame.

    A file's states and unfinished steps can seat others than its list entry says.
    """
    found = [settings_of(await store.library.summary(game))]
    async for saved in store.saver.alist(thread_config(game)):
        found += settings_in(saved.checkpoint["channel_values"])
        found += settings_in(saved.pending_writes or ())
    lines = [line for settings in found for line in reaches(settings, list(settings.seats))]
    return list(dict.fromkeys(lines))
