"""What a player can do in a turn: the only words in which it speaks to the game.

Each action is also a tool that a language model is given; `tool` tells them apart in JSON.
"""

from collections.abc import Iterable
from typing import Annotated, Literal, TypeAlias

from pydantic import BaseModel, ConfigDict, Field, JsonValue

from entente.board.types import Power
from entente.press.messages import MessageId, MessageType, Statement


class _Action(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class SendMessage(_Action):
    """Send a message to one power, or to all with BROADCAST; read from the next round on."""

    tool: Literal["send_message"] = "send_message"
    recipient: Power
    message_type: MessageType
    content: str
    commitments: tuple[Statement, ...] = ()
    reply_to: MessageId | None = None
    also_to: tuple[str, ...] = ()
    """To whom the same words go in actions of their own; each is told of the others."""


class SubmitOrders(_Action):
    """Give orders, a line each, in any notation the reader knows; a later line for a unit replaces an earlier one."""

    tool: Literal["submit_orders"] = "submit_orders"
    orders: tuple[str, ...]


class UpdateMemory(_Action):
    """Keep a value in the power's private memory; None forgets the key."""

    tool: Literal["update_memory"] = "update_memory"
    key: str
    value: JsonValue


class VoteDraw(_Action):
    """Vote for or against ending the game now, shared by all who still have a unit or a center."""

    tool: Literal["vote_draw"] = "vote_draw"
    yes: bool


Action: TypeAlias = Annotated[
    SendMessage | SubmitOrders | UpdateMemory | VoteDraw, Field(discriminator="tool")
]


def order_lines(actions: Iterable[Action]) -> list[str]:
    """All order lines of the actions, in order."""
    return [line for action in actions if isinstance(action, SubmitOrders) for line in action.orders]
