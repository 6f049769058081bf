"""The crew over HTTP: an action of a person, answered whole or as a stream of its characters.

The names of requests, answers and events are those of the conversation engine that clients were written for.
"""

import json
from collections.abc import AsyncGenerator
from contextlib import aclosing
from typing import Annotated
from uuid import uuid4

from fastapi import APIRouter, Query, Request
from pydantic import BaseModel, Field
from sse_starlette import EventSourceResponse, ServerSentEvent

from entente.commentary.graphemes import Graphemes
from entente.commentary.mentions import MAX_CHARACTERS
from entente.commentary.scene import Scene
from entente.commentary.session import read_action
from entente.commentary.turn import CrewEvent
from entente.display import displayable
from entente.errors import TooManyAnswers
from entente.games.crew import scene_for
from entente.games.crew_answers import Talk
from entente.web.access import Act, Read, Visitor
from entente.web.bodies import Given
from entente.web.house import Here, House
from entente.web.leaving import while_there

router = APIRouter(prefix="/at/{link}/games/{game}/action")

SessionId = Annotated[
    str, Field(max_length=100, description="Which talk goes on; a new one where it is left out.")
]
To = Annotated[str, Field(max_length=40, description="The power that is talked with in private, if one is.")]


class ActionRequest(Given):
    """What a person does or asks."""

    action: str
    session_id: SessionId = ""
    to: To = ""


class NarrativeResponse(BaseModel):
    """What the crew says to it."""

    narrative: str
    session_id: str
    choices: list[str]


@router.post("")
async def act(
    visitor: Act, game: str, given: ActionRequest, here: Here, request: Request
) -> NarrativeResponse:
    """Have the crew answer an action; nothing is written or ordered by that. Who leaves stops the voice that speaks."""
    talk, scene, action = await _asked(here, visitor, game, given)
    turn = await here.crew.turn(talk, scene, action)
    result = await while_there(request, here.crew.turns.execute(action, None, scene, *turn))
    return NarrativeResponse(
        narrative=displayable(result.narrative), session_id=talk.session, choices=result.choices
    )


@router.post("/stream", response_class=EventSourceResponse)
async def act_and_tell(visitor: Act, game: str, given: ActionRequest, here: Here) -> EventSourceResponse:
    """The same as server-sent events, a character each, as the voices speak."""
    return await _told(here, visitor, game, given)


@router.get("/stream", response_class=EventSourceResponse)
async def follow_act(
    visitor: Read,
    game: str,
    here: Here,
    action: Annotated[str, Query(max_length=MAX_CHARACTERS)],
    session_id: SessionId = "",
    to: To = "",
) -> EventSourceResponse:
    """The same for a browser's EventSource, which can only get."""
    return await _told(here, visitor, game, ActionRequest(action=action, session_id=session_id, to=to))


async def _told(here: House, visitor: Visitor, game: str, given: ActionRequest) -> EventSourceResponse:
    talk, scene, action = await _asked(here, visitor, game, given)
    try:
        turn = await here.crew.turn(talk, scene, action)
    except TooManyAnswers as error:
        return EventSourceResponse(_refusal(str(error)))  # a browser tells no page why a stream was refused
    return EventSourceResponse(_characters(here.crew.turns.stream(action, scene, *turn)))


async def _refusal(why: str) -> AsyncGenerator[ServerSentEvent]:
    """A turn in which nobody speaks."""
    yield _sent(CrewEvent("error", {"error": why}))
    yield _sent(CrewEvent("done", {}))


async def _characters(told: AsyncGenerator[CrewEvent]) -> AsyncGenerator[ServerSentEvent]:
    """The turn's events, with each piece of a voice's words cut into characters."""
    characters = Graphemes()
    agent = ""
    async with aclosing(told) as events:
        async for event in events:
            agent = event.data.get("agent", agent)
            is_chunk = event.event == "agent_chunk"
            # What comes behind a voice's words waits for its last character, which could still have got an accent.
            ready = characters.feed(displayable(event.data["chunk"])) if is_chunk else characters.end()
            for character in ready:
                yield _sent(CrewEvent("agent_chunk", {"agent": agent, "chunk": character}))
            if not is_chunk:
                yield _sent(event)


def _sent(event: CrewEvent) -> ServerSentEvent:
    return ServerSentEvent(event=event.event, data=json.dumps(dict(event.data), ensure_ascii=False))


async def _asked(here: House, visitor: Visitor, game: str, given: ActionRequest) -> tuple[Talk, Scene, str]:
    """The talk that goes on, what its listener may know now, and the action as it is read."""
    async with here.feeds.of(visitor.check_scope(game), visitor.reader) as feed:
        view = await feed.ready()
    scene = await scene_for(here.store, game, visitor.reader, view.phase, given.to)
    talk = Talk(game, visitor.reader, visitor.link.id, given.session_id or str(uuid4()))
    return talk, scene, read_action(given.action)
