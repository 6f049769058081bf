"""A program full of secrets, for servers of other processes: they import it by its name."""

from entente.players.bundle import Bundle
from entente.players.protocol import Reply
from tests.support.players import Scripted, secretive


class Spy:
    """Plays `secretive`."""

    async def take_turn(self, bundle: Bundle, /) -> Reply:
        return await Scripted(secretive).take_turn(bundle)
