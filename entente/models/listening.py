"""A reply piece by piece, while it comes."""

import asyncio
from collections.abc import AsyncGenerator

from entente.models.wire import AudibleModel, ModelReply, ModelRequest


async def pieces_of(model: AudibleModel, request: ModelRequest) -> AsyncGenerator[str | ModelReply]:
    """The reply's text, a piece at a time, and the whole reply last; raises what the call raises.

    Closed or cancelled, it ends the call. A reply that had come whole by then is still given: it is paid for.
    """
    heard: asyncio.Queue[str | None] = asyncio.Queue()
    # A task of its own: a deadline within a generator would end whatever its reader does between two pieces.
    asking = asyncio.create_task(model.complete(request, heard.put_nowait))
    asking.add_done_callback(lambda _: heard.put_nowait(None))
    try:
        while (piece := await heard.get()) is not None:
            yield piece
        yield await asking
    except asyncio.CancelledError:
        if asking.done() and not asking.cancelled() and not asking.exception():
            yield asking.result()
        raise
    finally:
        asking.cancel()
        await asyncio.gather(asking, return_exceptions=True)
