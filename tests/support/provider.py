"""A scripted model's server in a process of its own: `python -m tests.support.provider TRACE PLAN`.

It says its URL, appends a line to TRACE for every request that it was sent and for every one that it has answered,
with the request's number, and ends with its input.
"""

import asyncio
import json
import os
import sys
from collections.abc import Iterable
from hashlib import blake2b
from itertools import count

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from entente.models.mock.plan import Plan
from entente.models.mock.server import MockModel, embedded


class Noted:
    """The application, with a line in the trace before and after each answer."""

    def __init__(self, app: ASGIApp, trace: int) -> None:
        self._app = app
        self._trace = trace
        self._numbers = count()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        body, number = b"", next(self._numbers)

        async def heard() -> Message:
            nonlocal body
            message = await receive()
            body += message.get("body", b"")
            if message["type"] == "http.request" and not message.get("more_body"):
                self._note("asked", number, body)
            return message

        async def said(message: Message) -> None:
            await send(message)
            whole = message["type"] == "http.response.body" and not message.get("more_body")
            if whole and body:  # a client that was killed while it asked is answered too
                self._note("answered", number, body)

        await self._app(scope, heard, said)

    def _note(self, what: str, number: int, body: bytes) -> None:
        # On the wire a message that only calls tools has no content; in a request of ours it has no words.
        said = ((message["role"], message["content"] or "") for message in json.loads(body)["messages"])
        os.write(self._trace, f"{what} {number} {digest_of(said)}\n".encode())


def digest_of(said: Iterable[tuple[str, str]]) -> str:
    """By what a request is known to the one who asks and to the one who answers; from its roles and words."""
    return blake2b(json.dumps([[role, words] for role, words in said]).encode(), digest_size=8).hexdigest()


async def serve(trace_path: str, plan: str) -> None:
    """Serve until the input ends."""
    trace = os.open(trace_path, os.O_WRONLY | os.O_CREAT | os.O_APPEND)
    model = MockModel(Plan.parse(plan))
    application = model.application()
    application.add_middleware(Noted, trace=trace)
    async with embedded(application, model.stopping) as address:
        sys.stdout.write(f"{address}/v1\n")
        sys.stdout.flush()
        await asyncio.to_thread(sys.stdin.read)


if __name__ == "__main__":
    asyncio.run(serve(*sys.argv[1:3]))
