"""The crew over HTTP: an action of a person, answered whole or as a stream of its characters.

The names of requests, answers and events are those of the conversation engine that clients were written for.
"""

import json
from collections.abc import AsyncGenerator
from contextlib import aclosing
from hashlib import sha256
from typing import Annotated
from uuid import uuid4

from fastapi import APIRouter, Query
from pydantic import BaseModel, Field
from sse_starlette import EventSourceResponse, ServerSentEvent

from checkpoints.threads import session_thread
from entente.commentary.executor import CrewEvent
from entente.commentary.graphemes import Graphemes
from entente.commentary.mentions import MAX_CHARACTERS
from entente.commentary.scene import Scene
from entente.display import displayable
from entente.games.crew import keep_answers, scene_for
from entente.plain import storable
from entente.web.access import Act, Read, Visitor
from entente.web.bodies import Given
from entente.web.house import Here, House

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
async def act(visitor: Act, game: str, given: ActionRequest, here: Here) -> NarrativeResponse:
    """Have the crew answer an action; nothing is written or ordered by that."""
    scene = await _scene(here, visitor, game, given.to)
    session, action = given.session_id or str(uuid4()), _read(given.action)
    keep = await keep_answers(here.store, game, visitor.reader, scene, _name(visitor, session), action)
    result = await here.crew.execute(action, None, scene, _thread(visitor, game, session), keep)
    return NarrativeResponse(
        narrative=displayable(result.narrative), session_id=session, choices=result.choices
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
    scene = await _scene(here, visitor, game, given.to)
    session, action = given.session_id or str(uuid4()), _read(given.action)
    keep = await keep_answers(here.store, game, visitor.reader, scene, _name(visitor, session), action)
    told = _characters(here.crew.stream(action, scene, _thread(visitor, game, session), keep))
    return EventSourceResponse(told)


async def _characters(told: AsyncGenerator[CrewEvent]) -> AsyncGenerator[ServerSentEvent]:
    """The turn's events, with each piece of a voice's words cut into characters."""
    characters = Graphemes()
    async with aclosing(told) as events:
        async for event in events:
            if event.event == "agent_chunk":
                agent = event.data["agent"]
                for character in characters.feed(displayable(event.data["chunk"])):
                    yield _sent(CrewEvent("agent_chunk", {"agent": agent, "chunk": character}))
                continue
            if event.event == "agent_end":
                for character in characters.end():
                    yield _sent(CrewEvent("agent_chunk", {"agent": event.data["agent"], "chunk": character}))
            yield _sent(event)


def _sent(event: CrewEvent) -> ServerSentEvent:
    return ServerSentEvent(event=event.event, data=json.dumps(dict(event.data), ensure_ascii=False))


def _read(action: str) -> str:
    """As much of the action as is read, as it can be kept and shown."""
    return displayable(storable(action[:MAX_CHARACTERS]))


async def _scene(here: House, visitor: Visitor, game: str, to: str) -> Scene:
    async with here.feeds.of(visitor.check_scope(game), visitor.reader) as feed:
        view = await feed.ready()
    return await scene_for(here.store, game, visitor.reader, view.phase, to)


def _thread(visitor: Visitor, game: str, session: str) -> str:
    return session_thread(game, _name(visitor, session))


def _name(visitor: Visitor, session: str) -> str:
    """Each link has talks of its own, whatever another calls its own."""
    return sha256(f"{visitor.link.id}:{session}".encode()).hexdigest()[:32]
