"""A turn for a model that is only tried: the tools, the JSON form and the reading of replies are the game's own."""

from entente.models.trial import Judged, Trial
from entente.models.wire import ModelReply
from entente.players.actions import SubmitOrders
from entente.players.model.replies import Desk, read_reply
from entente.players.model.schema import one_each, reply_schema
from entente.players.model.settings import SeatSettings
from entente.players.model.tools import FINISH_ORDERS, ORDERS, tools_in_words, tools_of
from prompts import open_set

_ORDER = "A MAR - SPA"
"""Not the order that the JSON form has for an example: it cannot be copied."""


_DESK = Desk(stage="orders", power="FRANCE", reachable=(), received=frozenset(), memory={})


def tryout(settings: SeatSettings) -> Trial:
    """One order and the end of the turn, in one reply."""
    return Trial(
        system="You play FRANCE in a game of Diplomacy.",
        task=f"Your only legal order is {_ORDER}. Give it with {ORDERS}, then call {FINISH_ORDERS}: "
        "two calls in one reply.",
        json_form=open_set().fill("model_json", tools=tools_in_words("rounds")),
        schema=reply_schema(_DESK, one_each([_ORDER])),
        tools=tools_of("rounds"),
        judge=_judge,
        max_output_tokens=settings.max_output_tokens,
    )


def _judge(reply: ModelReply) -> Judged:
    read = read_reply(reply, _DESK)
    given = [line for action in read.standing if isinstance(action, SubmitOrders) for line in action.orders]
    missing = "" if _ORDER in given else f"{_ORDER} was not ordered."
    complaints = [*(call.complaint for call in read.refused), *read.complaints, missing]
    return Judged(len(read.calls) - len(read.refused), " ".join(filter(None, complaints)))
