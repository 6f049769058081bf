"""A question to a seat's language model outside the game: asked with all that the seat knows, answered in words."""

from entente.models.wire import ChatMessage, ModelReply, ModelRequest
from entente.players.bundle import Bundle
from entente.players.model.player import ModelPlayer
from entente.players.model.prompt import conversation
from entente.players.model.quoting import clip
from entente.players.model.tools import tools_of

_SHOWN_CHARS = 300


async def ask(player: ModelPlayer, bundle: Bundle, question: str) -> ModelReply:
    """What the model says to the question; raises ModelError when its provider fails.

    A model that calls tools all the same is taken at its word: what it called stands as the answer's text.
    """
    reply = await player.model.complete(interview_request(player, bundle, question))
    if reply.text.strip():
        return reply
    called = "; ".join(f"{call.name} {call.arguments}" for call in reply.tool_calls) or "nothing"
    return reply.model_copy(update={"text": f"(It said no word, and called {clip(called, _SHOWN_CHARS)}.)"})


def interview_request(player: ModelPlayer, bundle: Bundle, question: str) -> ModelRequest:
    """The request: the conversation of the seat's next turn, the question in its place at the end.

    Tools are offered as ever, since prompts are cached with them and since some providers refuse a conversation
    that has calls in it and comes without them.
    """
    words = player.seat.texts.fill("model_interview", question=question.strip())
    *before, last = conversation(bundle, player.seat, beside=len(words))
    return ModelRequest(
        messages=(*before, ChatMessage(role="user", content=f"{last.content}\n\n{words}")),
        tools=tools_of(bundle.rules.talk) if player.seat.calls_tools else (),
        purpose="interview",
        max_output_tokens=player.seat.settings.max_output_tokens,
    )
