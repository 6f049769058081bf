"""The work of `train serve-policy`: a policy behind its wire, until a signal comes."""

import asyncio
import os

from entente.cli.output import say
from entente.cli.printing import echo
from entente.loopback import LOOPBACK, serve_until_signal
from entente.models.client import Connections
from entente.models.spec import ModelSpec
from entente.training.policy import SCRIPTED, DiplomacyPolicyHandler, ModelPolicy, ScriptedPolicy


async def serve(policy: str, port: int) -> None:
    """Serve until SIGINT or SIGTERM; prints the address. Raises SettingsError for the port and the model's name."""
    async with Connections() as connections:
        speaking = (
            ScriptedPolicy()
            if policy == SCRIPTED
            else ModelPolicy(ModelSpec.parse(policy), connections, os.environ)
        )

        def tell(address: str) -> None:
            echo(address)
            say(f"{policy} answers here. Ctrl-C stops it.")

        application = DiplomacyPolicyHandler(speaking).application()
        await serve_until_signal(application, asyncio.Event(), LOOPBACK, port, on_ready=tell)
