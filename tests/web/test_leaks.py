"""Nobody reads over the page what is not theirs: canaries, searched for in every route and event for every role."""

import json
import logging
from collections.abc import AsyncGenerator, Mapping
from contextlib import AsyncExitStack, asynccontextmanager
from importlib import import_module
from pkgutil import iter_modules
from typing import Any, cast

import httpx
import pytest
from fastapi import APIRouter
from pydantic import JsonValue

import entente.web
from checkpoints.drafts import SeatDraft
from checkpoints.store import Store
from entente.commentary.executor import TurnExecutor
from entente.commentary.model_voices import ModelVoice
from entente.commentary.router import RoutingDecision
from entente.commentary.voices import Jester, Narrator, Voices
from entente.events import EventKind
from entente.games.commitments import commitments_for
from entente.games.crew import scene_for
from entente.games.crew_answers import Answers
from entente.games.drafts import keep_draft
from entente.games.runner import GameMaster, RunEnd, Standing
from entente.games.tellings import MakeVoices
from entente.models.wire import Hear, ModelReply, ModelRequest
from entente.press.mailbox import Delayed, Reader
from entente.web.app import page_app
from entente.web.house import House
from graph.context import GameSettings
from tests.support.canaries import (
    CANARY,
    COMMITMENT,
    EARLY,
    FREE,
    OF_FLOOR,
    POWERS,
    READERS,
    a_cast,
    adjudicated,
    foreign,
    found,
    records,
    secret_lines,
    send_early,
)
from tests.web.served import Page, Stream, Visit, served

READ = (
    "/at/{link}/me",
    "/at/{link}/games",
    "/at/{link}/games/{game}",
    "/at/{link}/games/{game}/board",
    "/at/{link}/games/{game}/board?at=S1901M",
    "/at/{link}/games/{game}/seat",
    "/at/{link}/games/{game}/seats",
    "/at/{link}/games/{game}/centers",
    "/at/{link}/games/{game}/commitments",
    "/at/{link}/maps/standard",
    "/at/{link}/form",
    "/at/{link}/games/{game}/action/stream?action=What+does+Italy+want",
)
"""What is only read; `/events` and what is posted have lines of their own."""
DRAFTED = "canary-FRANCE-draft"
POSTED: dict[str, dict[str, Any]] = {
    "/at/{link}/games/{game}/orders": {"lines": ["A PAR H", "nonsense"]},
    "/at/{link}/games/{game}/run": {},
    "/at/{link}/games/{game}/pause": {},
    "/at/{link}/games/{game}/draft": {"phase": "F1901M", "orders": ["A PAR H"], "begun": DRAFTED},
    "/at/{link}/games/{game}/answer": {"question": "of nobody", "orders": []},
    "/at/{link}/games/{game}/action": {"action": "What do Italy and France want, and Munich?"},
    "/at/{link}/games/{game}/action/stream": {"action": "What does Italy want?", "to": "ITALY"},
    "/at/{link}/games": {"settings": {}},
    "/at/{link}/games/{game}/fork": {"at": "S1901M"},
    "/at/{link}/games/{game}/away": {"power": "GERMANY"},
    "/at/{link}/games/{game}/back": {"power": "FRANCE"},
}
SHOWS_NO_GAME = {("GET", "/at/{link}"), ("POST", "/at/{link}/enter")}
ELSEWHERE = {("", "/at/{link}/socket")}
"""What tests/web/test_programs.py tries with canaries."""


async def _begun(store: Store, master: GameMaster, floor: str) -> str:
    """A game in which FRANCE has drafted what nobody else is ever shown."""
    seats = {"FRANCE": "human"}
    settings = GameSettings(
        floor=floor, everyone="openai:secretive", seats=seats, max_year=1902, crew="openai:parrot"
    )
    game = await master.begin(settings.model_copy(update=OF_FLOOR[floor]))
    draft = SeatDraft(messages=(f"ITALY: {DRAFTED}",), orders=(DRAFTED,), begun=DRAFTED)
    await keep_draft(store, game, "FRANCE", "F1901M", draft)
    return game


async def _play_on(master: GameMaster, standing: Standing, phase: str = "") -> Standing:
    """Until the phase, or the end."""
    while standing.end is not RunEnd.FINISHED and standing.state["phase"] != phase:
        assert standing.end is RunEnd.WAITING
        (seat,) = standing.pending
        words: dict[str, JsonValue] = {"messages": [{"to": "ITALY", "text": "canary-FRANCE-to-ITALY"}]}
        orders: dict[str, JsonValue] = {"orders": [*seat.view.legal_orders[:1]]}
        answer = {"talk": words, "orders": orders, "open": words | orders}[seat.ask]
        standing = await master.answer(standing.game, {seat: answer})
    return standing


async def _shown(visit: Visit) -> str:
    """All that a visitor is shown of the game."""
    shown = [(await visit.client.get(_address(visit, path))).text for path in READ]
    shown += [answer.text for answer in await _posted(visit)]
    async with visit.stream() as stream:
        await stream.until("view")
        shown.append(stream.text)
    return "\n".join([*shown, json.dumps(json.loads(shown[3])["board"])])


def _address(visit: Visit, path: str) -> str:
    root = visit.base.partition("/at/")[0]
    return root + path.format_map({"link": visit.made.link.id, "game": visit.game})


async def _posted(visit: Visit) -> list[httpx.Response]:
    headers = {"x-csrf-token": visit.csrf}
    return [
        await visit.client.post(_address(visit, path), json=body, headers=headers)
        for path, body in POSTED.items()
    ]


def test_every_route_is_tried() -> None:
    tried = {("GET", path.partition("?")[0]) for path in (*READ, "/at/{link}/games/{game}/events")}
    tried |= {("POST", path) for path in POSTED}
    known = {(method, path.replace("/maps/standard", "/maps/{map_name}")) for method, path in tried}
    there = {way for each in routers() for way in ways_in(each)}
    assert there - SHOWS_NO_GAME == known | ELSEWHERE
    # The application is asked for its routes alone; tests/e2e/test_leak_surfaces.py knows the others.
    routes = page_app(cast("House", None)).routes
    assert sum(not hasattr(route, "path") for route in routes) == len(routers())


def routers() -> list[APIRouter]:
    """All that any module of the page has."""
    modules = [import_module(f"entente.web.{module.name}") for module in iter_modules(entente.web.__path__)]
    values = [value for module in modules for value in vars(module).values()]
    return [*{id(value): value for value in values if isinstance(value, APIRouter)}.values()]


def ways_in(router: APIRouter) -> set[tuple[str, str]]:
    """The methods and paths of the routes, of whatever kind; a WebSocket has no method."""
    return {
        (method, getattr(route, "path", ""))
        for route in router.routes
        for method in getattr(route, "methods", None) or ("",)
    }


@pytest.mark.parametrize("floor", OF_FLOOR)
async def test_nobody_is_shown_what_is_anothers_and_nothing_once_the_link_is_revoked(
    memory_store: Store, floor: str, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    for each in ("sse_starlette.sse", "httpcore.http11"):  # at that level they write what they carry
        caplog.set_level(logging.INFO, each)
    cast, parrot = a_cast(), Parrot()
    master = GameMaster(memory_store, cast, open_crew=parrot.opened)
    game = await _begun(memory_store, master, floor)
    crew = Answers(memory_store, lambda _: parrot.voices())
    async with served(memory_store, cast, crew) as page, AsyncExitStack() as open_streams:
        live = {reader: await _listen(page, game, reader, open_streams) for reader in LISTENING}
        standing = await _play_on(master, await master.run(game), "F1901M")
        await send_early(memory_store, game, "F1901M")
        line = await records(memory_store, standing)
        public = adjudicated(line)
        promises = await commitments_for(memory_store, game, "OPERATOR")
        committed = {party for promise in promises for party in promise.parties}
        assert committed
        for reader in READERS:
            secrets = secret_lines(line, standing.state["phase"], reader) - public
            assert len(secrets) > 3
            await live[reader].until_view(phase="F1901M", status="waiting")
            async with page.visit(game, reader) as visit:
                shown = await _shown(visit) + live[reader].text
                assert (foreign(shown, reader), found(secrets, shown)) == ([], set()), reader
                assert bool(CANARY.search(shown)) == (reader != "PUBLIC")
                assert (DRAFTED in shown) == (reader == "FRANCE")
                said = await _told(memory_store, game, reader, parrot)
                assert (foreign(said, reader), found(secrets, said)) == ([], set()), reader
                assert bool(CANARY.search(said)) == (reader != "PUBLIC")
                assert not any(word in shown for word in ("sequence", "openai:secretive"))
                assert bool((await visit.get("/commitments")).json()) == (reader in committed)
                await _check_revoked(page, visit)
        await _check_operator_and_delayed(page, standing)
        await _play_on(master, standing)
        await _check_tellings(memory_store, game)
        for reader, stream in live.items():
            await stream.until("end")
            if reader in READERS:
                assert foreign(stream.text, reader) == [], reader
            assert DRAFTED not in stream.text, reader
        told = {EventKind(event["kind"]) for event in live["OPERATOR"].told}
        assert told == {*EventKind}
    logged = "\n".join(record.getMessage() for record in caplog.records)
    assert (foreign(logged, "PUBLIC"), found(public, logged)) == ([], set())


class Parrot:
    """A model that says what it was asked, from its letters on."""

    def __init__(self) -> None:
        self.asked: list[str] = []

    async def complete(self, request: ModelRequest, /, hear: Hear | None = None) -> ModelReply:
        words = "\n".join(message.content for message in request.messages)
        self.asked.append(words)
        assert hear
        hear("# Letters" + words.partition("\n# Letters")[2])
        return ModelReply(text=words, tool_calls=(), usage=FREE)

    @asynccontextmanager
    async def opened(self, _crew: str, _values: Mapping[str, JsonValue]) -> AsyncGenerator[MakeVoices]:
        """For games."""
        yield lambda _: self.voices()

    def voices(self) -> Voices:
        """Narrator and jester, as they speak with it."""
        return Voices(
            narrator=ModelVoice("narrator", self, Narrator()), jester=ModelVoice("jester", self, Jester())
        )


_ASKED = "What do Italy, France and Germany want, and why did Munich bounce?"


async def _told(store: Store, game: str, reader: Reader, parrot: Parrot) -> str:
    """All that all voices say to a reader, scripted and with a model, and all that the model has been asked for it."""
    everybody = RoutingDecision(["narrator", "keeper", "jester"], True, "")
    told: list[str] = []
    for phase in ("S1901M", "F1901M"):
        scene = await scene_for(store, game, reader, phase)
        for voices in (Voices(), parrot.voices()):
            result = await TurnExecutor(**voices).execute(_ASKED, everybody, scene)
            told.append(result.narrative)
    told += parrot.asked
    parrot.asked.clear()
    return "\n".join(told)


async def _check_tellings(store: Store, game: str) -> None:
    """What the crew has told to all, by a model that says what it was asked: nothing that is anybody's own."""
    tellings = [words for words in await store.words.of(game) if not words.session]
    assert {words.voice for words in tellings} == {"keeper", "narrator"}
    assert any("# Letters" in words.content for words in tellings)
    for words in tellings:
        assert (words.listener, foreign(words.content, "PUBLIC")) == ("PUBLIC", []), words.id


LISTENING: tuple[Reader, ...] = (*READERS, "OPERATOR", Delayed(1), Delayed(2))


async def _listen(page: Page, game: str, reader: Reader, opened: AsyncExitStack) -> Stream:
    """The reader's stream, from before the game begins."""
    visit = await opened.enter_async_context(page.visit(game, reader))
    return await opened.enter_async_context(visit.stream())


async def _check_revoked(page: Page, visit: Visit) -> None:
    async with visit.stream() as stream:
        await stream.until("view")
        await page.store.links.revoke(visit.made.link.id)
        told = stream.text
        # Whatever is committed from now on wakes the stream, which looks at its link first.
        await page.house.feeds.refresh(visit.game)
        await stream.until("nothing")
        assert stream.text == told
    for path in (*READ, "/at/{link}/games/{game}/events"):
        assert (await visit.client.get(_address(visit, path))).status_code == 401
    assert {answer.status_code for answer in await _posted(visit)} == {401}


async def _check_operator_and_delayed(page: Page, standing: Standing) -> None:
    async with page.visit(standing.game, "OPERATOR") as visit:
        shown = await _shown(visit)
        assert all(f"canary-{power}-to-" in shown for power in POWERS)
        assert ("openai:secretive" in shown, DRAFTED in shown) == (True, False)
        assert EARLY not in shown
        assert (await visit.get()).json()["waiting_for"] == ["FRANCE"]
        assert COMMITMENT.search((await visit.get("/commitments")).text)
    delayed: list[tuple[Reader, str, bool]] = [(Delayed(1), "F1901M", True), (Delayed(2), "S1901M", False)]
    for reader, phase, sees in delayed:
        async with page.visit(standing.game, reader) as visit:
            shown = await _shown(visit)
            assert ("canary-AUSTRIA-to-ENGLAND" in shown) == sees
            assert {m[0] for m in CANARY.finditer(shown) if m[2] is None} == set()
            assert "F1901M." not in shown
            assert bool((await visit.get("/commitments")).json()) == sees
            assert [each["phase"] for each in (await visit.get("/centers")).json()][-1] == phase
            view = (await visit.get()).json()
            assert (view["phase"], view["status"], view["seats"]) == (phase, "playing", None)
            untold = await visit.get("/board", at="F1901M" if phase == "S1901M" else "S1902M")
            assert untold.status_code == 404
