"""How much of an answer is read: a server that sends without end, or packs much into little, fills no memory."""

from collections.abc import AsyncIterator

import httpx
import httpx2

from entente.errors import UnreadableReply

_MOST_BYTES = 32 * 1024 * 1024
"""Of one answer: a stream of 100,000 tokens, each in a chunk of its own, has some 25 MB."""

UNPACKED = {"accept-encoding": "identity"}
"""The header by which a server is asked to pack nothing: how much a packed answer holds is known too late."""


async def bound(response: httpx.Response | httpx2.Response) -> None:
    """A client's hook: its responses are as long as they may be, and not packed. Raises UnreadableReply.

    OpenAI's client speaks through httpx2, and Google's through httpx.
    """
    if response.headers.get("content-encoding", "identity").strip().lower() != "identity":
        raise UnreadableReply(
            "the server packed its answer, which it was asked not to, and nothing of it was read"
        )
    if isinstance(response.stream, httpx.AsyncByteStream | httpx2.AsyncByteStream):
        response.stream = _Bounded(response.stream)


class _Bounded(httpx.AsyncByteStream, httpx2.AsyncByteStream):
    """A body that ends with UnreadableReply where it is too long."""

    def __init__(self, stream: httpx.AsyncByteStream | httpx2.AsyncByteStream) -> None:
        self._stream = stream

    async def __aiter__(self) -> AsyncIterator[bytes]:
        read = 0
        async for part in self._stream:
            read += len(part)
            if read > _MOST_BYTES:
                raise UnreadableReply(f"at most {_MOST_BYTES:,} bytes of an answer were wanted and more came")
            yield part

    async def aclose(self) -> None:
        await self._stream.aclose()
