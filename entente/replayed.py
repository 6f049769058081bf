"""A request whose body was read by what stands before a route, and is read there once more."""

from starlette.types import Message, Receive


def replayed(body: bytes, receive: Receive) -> Receive:
    """Gives the body that was read, and then what comes behind it, such as that the client has gone."""
    waiting: list[Message] = [{"type": "http.request", "body": body, "more_body": False}]

    async def give() -> Message:
        return waiting.pop() if waiting else await receive()

    return give
