"""How long a prompt may be, in letters: what the model's context has room for beside the reply."""

from collections.abc import Iterable

from entente.models.tokens import fewest_letters_a_token
from entente.models.wire import ChatMessage
from entente.players.bundle import Bundle
from entente.players.model.agent_context import SeatContext
from entente.players.model.memory import as_json
from entente.players.model.seat import Seat
from entente.players.model.tools import tools_of

AROUND = 20
"""Letters: about what a server writes around each message."""
_SURE = 0.95
"""So much of the room is used, since letters a token differ from prompt to prompt."""


def room_of(bundle: Bundle | SeatContext, seat: Seat) -> int | None:
    """The letters that the messages of a call may have, as `letters_of` counts them; None: no bound."""
    tokens = seat.settings.prompt_tokens
    if tokens is None:
        return None
    tools = tools_of(bundle.rules.talk) if seat.calls_tools else ()
    letters = tokens * _SURE * fewest_letters_a_token(seat.model, bundle.fewest_letters)
    return int(letters) - sum(len(tool.model_dump_json()) for tool in tools)


def letters_of(messages: Iterable[ChatMessage]) -> int:
    """What messages weigh, with their calls and what a server writes around them."""
    return sum(map(_letters, messages))


def _letters(message: ChatMessage) -> int:
    called = sum(len(call.name) + len(as_json(call.arguments)) for call in message.tool_calls)
    return len(message.content) + called + AROUND
