"""The work of `train serve-policy`: a policy behind its wire, until a signal comes."""

import asyncio
import os

from entente.cli.output import say
from entente.cli.printing import echo
from entente.loopback import LOOPBACK, serve_until_signal
from entente.models.client import Connections
from entente.models.spec import ModelSpec
from entente.players.roster import is_scripted, make_player
from entente.training.policy import (
    SCRIPTED,
    DiplomacyPolicyHandler,
    ModelPolicy,
    PlayerPolicy,
    Policy,
    ScriptedPolicy,
)


async def serve(policy: str, port: int) -> None:
    """Serve until SIGINT or SIGTERM; prints the address. Raises SettingsError for the port and the model's name."""
    async with Connections() as connections:
        speaking = _policy(policy, connections)

        def tell(address: str) -> None:
            echo(address)
            say(f"{policy} answers here. Ctrl-C stops it.")

        application = DiplomacyPolicyHandler(speaking).application()
        await serve_until_signal(application, asyncio.Event(), LOOPBACK, port, on_ready=tell)


def _policy(policy: str, connections: Connections) -> Policy:
    if policy == SCRIPTED:
        return ScriptedPolicy()
    if is_scripted(policy):
        return PlayerPolicy(make_player(policy))
    return ModelPolicy(ModelSpec.parse(policy), connections, os.environ)
