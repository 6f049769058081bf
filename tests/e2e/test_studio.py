"""Studio: the server that its page talks to, really started, and used through LangGraph's own client.

The page itself is hosted elsewhere and is not tried here.
"""

# The client leaves a type parameter of its dicts open.
# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false, reportUnknownArgumentType=false

import asyncio
import json
import pickle
import re
import signal
import stat
import subprocess
import time
from collections import Counter
from collections.abc import AsyncGenerator, Generator, Iterator
from pathlib import Path
from typing import Any, cast
from unittest.mock import ANY
from uuid import uuid4

import httpx
import pytest
from langgraph_sdk import get_client
from langgraph_sdk.client import LangGraphClient
from langgraph_sdk.errors import APIError, NotFoundError

import graph
from checkpoints.store import open_store
from entente.cli.studio_work import CONFIGURATION
from entente.games.digest import journal_digest, state_digest
from entente.games.runner import GameMaster
from entente.local_only import STUDIO_PAGES
from entente.models.mock.server import mock_server
from graph.context import GameSettings
from tests.support.canaries import OF_FLOOR, foreign
from tests.support.catcher import Catcher, catcher
from tests.support.patience import PATIENCE
from tests.support.ports import free_port
from tests.support.studio import ENTENTE, Studio, entente, running_studio
from tests.support.terminal import json_lines

ROOT = Path(graph.__file__).parent.parent
SHORT = {"everyone": "dumbbot", "max_year": 1901}
SHORT_ROUNDS = {**SHORT, "rounds": 1}
"""What a form is filled in with for a game that is soon over."""
LONG = {"everyone": "diplomat", "max_year": 1999, "rounds": 20, "stalemate_years": 0}
"""No wait of these tests is as long unless something is wrong."""


class Touching:
    """What runs a program when it is unpickled."""

    def __init__(self, file: Path) -> None:
        self.file = file

    def __reduce__(self) -> tuple[Any, ...]:
        return Path.touch, (self.file,)


@pytest.fixture(scope="module")
def langsmith() -> Generator[Catcher]:
    with catcher() as server:
        yield server


@pytest.fixture(scope="module")
def studio(tmp_path_factory: pytest.TempPathFactory, langsmith: Catcher) -> Generator[Studio]:
    """Over a store that somebody else has made; a key of LangSmith is set, and nobody asked for traces."""
    store = tmp_path_factory.mktemp("studio") / "store"
    notes = store / "studio" / ".langgraph_api"
    notes.mkdir(parents=True)
    (notes / ".langgraph_ops.pckl").write_bytes(pickle.dumps(Touching(store / "touched")))
    environment = {
        "LANGSMITH_API_KEY": "lsv2_pt_dummy",
        "LANGSMITH_ENDPOINT": langsmith.address,
        "PYTHONPATH": str(ROOT),  # where the programs of tests are
    }
    with running_studio(store, environment) as server:
        yield server


@pytest.fixture
async def client(studio: Studio) -> AsyncGenerator[LangGraphClient]:
    async with get_client(url=studio.url) as client:
        yield client


async def new_game(client: LangGraphClient) -> str:
    thread = await client.threads.create()
    return thread["thread_id"]


async def play(client: LangGraphClient, game: str, **run: Any) -> None:
    """Run the game until it stops; a run that fails raises."""
    await client.runs.wait(game, "entente", **run)


async def refusal(client: LangGraphClient, game: str, **run: Any) -> str:
    """What the server says of a run that must fail."""
    ended = cast("Any", await client.runs.wait(game, "entente", raise_error=False, **run))
    return ended["__error__"]["message"]


async def interrupts(client: LangGraphClient, game: str) -> list[dict[str, Any]]:
    state = await client.threads.get_state(game)
    return [cast("dict[str, Any]", i) for task in state["tasks"] for i in task["interrupts"]]


async def values(client: LangGraphClient, game: str) -> dict[str, Any]:
    return cast("dict[str, Any]", (await client.threads.get_state(game))["values"])


async def to_the_end(client: LangGraphClient, game: str) -> dict[str, Any]:
    """Answer whatever is asked with nothing, until the game is over."""
    while open_questions := await interrupts(client, game):
        answers = {question["id"]: {} for question in open_questions}
        await play(client, game, command={"resume": answers})
    return await values(client, game)


def an_order(question: dict[str, Any]) -> dict[str, Any]:
    """An answer with one legal order; the other units hold."""
    return {"orders": question["value"]["legal_orders"][:1]}


def is_italys(question: dict[str, Any]) -> bool:
    return question["value"]["power"] == "ITALY"


async def until_shown(client: LangGraphClient, game: str) -> None:
    """Wait until the server has a thread for the game."""
    deadline = time.monotonic() + PATIENCE
    while time.monotonic() < deadline:
        try:
            await client.threads.get(game)
        except NotFoundError:
            await asyncio.sleep(0.1)
        else:
            return
    raise TimeoutError(f"{game} was never shown")


def listed(studio: Studio, game: str) -> dict[str, Any]:
    """The game as `entente games list` has it."""
    games = json_lines(entente(studio.store, "games", "list", "--json").out)
    return next(row for row in games if row["game"] == game)


async def test_the_drawing_shows_every_node_and_where_each_may_lead(client: LangGraphClient) -> None:
    drawn = cast("dict[str, Any]", await client.assistants.get_graph("entente"))
    nodes = {"open_game", "negotiate", "order", "seat", "adjudicate", "summarize"}
    assert {node["id"] for node in drawn["nodes"]} == {"__start__", *nodes, "__end__"}
    ways: dict[str, set[str]] = {}
    for edge in drawn["edges"]:
        if edge.get("conditional"):
            ways.setdefault(edge["source"], set()).add(edge["target"])
    assert ways == {
        "open_game": {"negotiate", "order", "seat", "adjudicate", "__end__"},
        "negotiate": {"negotiate", "order", "seat", "adjudicate"},
        "seat": {"negotiate", "adjudicate"},
        "summarize": {"negotiate", "order", "seat", "adjudicate", "__end__"},
    }


async def test_the_crews_graph_is_drawn_beside_the_games_with_its_form(client: LangGraphClient) -> None:
    assert {each["graph_id"] for each in await client.assistants.search()} == {"entente", "crew"}
    drawn = cast("dict[str, Any]", await client.assistants.get_graph("crew"))
    ways = {(edge["source"], edge["target"], edge.get("conditional", False)) for edge in drawn["edges"]}
    assert ways == {
        ("__start__", "route", False),
        ("route", "agent", False),
        ("agent", "agent", True),
        ("agent", "choose", True),
        ("choose", "__end__", False),
    }
    (assistant,) = await client.assistants.search(graph_id="crew")
    schemas = cast("dict[str, Any]", await client.assistants.get_schemas(assistant["assistant_id"]))
    form = schemas["context_schema"]
    assert (list(form["properties"]), form["required"]) == (["game", "listener", "to"], ["game"])
    assert list(schemas["input_schema"]["properties"]) == ["action"]
    assert {"recent_agents", "current_choices", "conversation_history"} <= schemas["state_schema"][
        "properties"
    ].keys()


async def test_the_crew_is_asked_in_a_thread_of_its_own_and_streams_its_words_to_who_may_hear_them(
    client: LangGraphClient,
) -> None:
    game = await new_game(client)
    await play(client, game, input={}, context={**SHORT_ROUNDS, "seats": {"FRANCE": "human"}})
    (asked,) = await interrupts(client, game)
    words = {"messages": [{"to": "GERMANY", "text": "canary to Germany"}]}
    await play(client, game, command={"resume": {asked["id"]: words}})
    before = await values(client, game)
    heard: dict[str, str] = {}
    for listener in ("FRANCE", "PUBLIC"):
        talk, form = await new_game(client), {"game": game, "listener": listener}
        parts = [
            part
            async for part in client.runs.stream(
                talk, "crew", input={"action": "What does France want?"}, context=form,
                stream_mode=["updates", "custom"],
            )
        ]  # fmt: skip
        steps = [step for part in parts if part.event == "updates" for step in part.data]
        assert (steps[0], {*steps[1:-1]}, steps[-1]) == ("route", {"agent"}, "choose")
        told = [part.data for part in parts if part.event == "custom"]
        assert [each["event"] for each in told[:3]] == ["agent_start", "agent_chunk", "agent_end"]
        heard[listener] = json.dumps([part.data for part in parts])
        state = await values(client, talk)
        assert state["session_id"] == talk
        assert state["current_choices"] == told[-1]["data"]["choices"]
    assert "canary to Germany" in heard["FRANCE"]
    assert "canary" not in heard["PUBLIC"]
    ended = cast(
        "Any", await client.runs.wait(game, "crew", input={"action": "x"}, context=form, raise_error=False)
    )
    assert "a thread of its own" in ended["__error__"]["message"]
    await play(client, game, input={})  # the server shows a thread as the graph that was tried last
    assert await values(client, game) == before | {"resumes": ANY}
    assert "a talk with the crew" in await refusal(client, talk, input={}, context=SHORT)


async def test_the_form_has_every_setting_with_its_description(client: LangGraphClient) -> None:
    (assistant,) = await client.assistants.search(graph_id="entente")
    schemas = cast("dict[str, Any]", await client.assistants.get_schemas(assistant["assistant_id"]))
    fields = schemas["context_schema"]["properties"]
    assert fields.keys() == GameSettings.model_fields.keys()
    assert all(field["description"] for field in fields.values())
    assert {"standard", "ancmed", "modern", "pure"} <= set(fields["map_name"]["enum"])
    assert fields["floor"]["enum"] == ["rounds", "conductor", "gunboat"]
    assert fields["timing"]["enum"] == ["simultaneous", "sequential"]
    assert (fields["rounds"]["minimum"], fields["rounds"]["maximum"]) == (0, 20)
    assert fields["seed"]["minimum"] == 0
    assert not schemas["input_schema"]["properties"]
    assert not schemas["input_schema"].get("required")


async def test_a_form_filled_in_wrongly_is_answered_in_a_sentence(client: LangGraphClient) -> None:
    game = await new_game(client)
    assert "napoleon" in await refusal(client, game, input={}, context={"everyone": "napoleon"})


async def test_what_a_form_holds_that_may_be_a_password_is_not_kept_by_the_server(
    client: LangGraphClient, studio: Studio
) -> None:
    game = await new_game(client)
    form = {"everyone": "openai:m@http://me:hunter2canary@host/v1"}
    run = {"assistant_id": "entente", "input": {}, "context": form}
    sent = {
        f"/threads/{game}/runs": run,
        f"/threads/{game}/runs/wait": {"assistant_id": "entente", "config": {"configurable": form}},
        f"/threads/{game}/runs/stream": run,
        f"/threads/{game}/runs/crons": {**run, "schedule": "* * * * *"},
        f"/threads/{game}/commands": {"id": 1, "method": "run.start", "params": run},
        "/runs/batch": [run],
        "/assistants": {"graph_id": "entente", "context": form},
    }
    async with httpx.AsyncClient(base_url=studio.url) as visitor:
        for path, body in sent.items():
            answer = await visitor.post(path, json=body, headers={"Origin": STUDIO_PAGES[0]})
            assert answer.status_code == 422, path
            assert "password" in answer.json()["detail"]
            assert "hunter2canary" not in answer.text
            assert answer.headers["access-control-allow-origin"] == STUDIO_PAGES[0]
    assert await client.runs.list(game) == []
    assert {each["name"] for each in await client.assistants.search()} == {"entente", "crew"}


async def test_a_game_is_started_from_the_form_and_streamed_to_its_end(client: LangGraphClient) -> None:
    game = await new_game(client)
    settings = {**SHORT_ROUNDS, "everyone": "diplomat", "map_name": "ancmed", "max_year": 1}
    parts = [
        part
        async for part in client.runs.stream(
            game, "entente", input={}, context=settings, stream_mode=["updates", "custom"]
        )
    ]
    steps = [step for part in parts if part.event == "updates" for step in part.data]
    assert steps[:5] == ["open_game", "negotiate", "order", "adjudicate", "summarize"]
    told = [part.data for part in parts if part.event == "custom"]
    assert {event["kind"] for event in told} >= {"talked", "ordered", "phase"}
    assert len({event["id"] for event in told}) == len(told)
    assert (await values(client, game))["status"] == "finished"


@pytest.mark.parametrize("floor", ["rounds", "conductor"])
async def test_a_language_model_plays_with_prompts_of_ones_own(
    client: LangGraphClient, tmp_path: Path, floor: str
) -> None:
    (tmp_path / "personas").mkdir()
    (tmp_path / "personas" / "FRANCE.md").write_text("You are a poet.")
    async with mock_server() as server:
        seats = {"FRANCE": f"openai:mock@{server.url}"}
        game = await new_game(client)
        context = {**SHORT, "seats": seats, "prompts": str(tmp_path), "floor": floor}
        await play(client, game, input={}, context=context)
        assert (await values(client, game))["status"] == "finished"
        assert all("You are a poet." in str(request.messages) for request in server.requests)
        assert len(server.requests) >= 2


async def test_people_are_asked_each_by_an_interrupt_and_answered_one_by_one(client: LangGraphClient) -> None:
    game = await new_game(client)
    seats = {"FRANCE": "human", "ITALY": "human"}
    await play(client, game, input={}, context={**SHORT_ROUNDS, "seats": seats})
    assert (await client.threads.get(game))["status"] == "interrupted"
    france, italy = await interrupts(client, game)
    assert [asked["value"]["power"] for asked in (france, italy)] == ["FRANCE", "ITALY"]
    assert "messages" in france["response_schema"]["properties"]

    await play(client, game, command={"resume": {france["id"]: {"messages": []}}})
    assert [asked["id"] for asked in await interrupts(client, game)] == [italy["id"]]
    await play(client, game, command={"resume": {italy["id"]: {"messages": []}}})
    orders = await interrupts(client, game)
    assert [asked["value"]["ask"] for asked in orders] == ["orders", "orders"]
    assert "orders" in orders[0]["response_schema"]["properties"]

    stale: Any = {"resume": {france["id"]: {"orders": ["A PAR - BUR"]}}}
    await play(
        client, game, command=stale
    )  # the question is over: nobody is asked less, and nothing is taken
    assert [asked["value"] for asked in await interrupts(client, game)] == [
        asked["value"] for asked in orders
    ]
    lines = {asked["id"]: an_order(asked) for asked in await interrupts(client, game)}
    await play(client, game, command={"resume": lines})
    assert (await values(client, game))["phase"] == "F1901M"


async def test_on_the_conductors_floor_one_person_answers_and_all_others_are_asked_anew(
    client: LangGraphClient,
) -> None:
    game = await new_game(client)
    seats = {"FRANCE": "human", "ITALY": "human"}
    await play(client, game, input={}, context={**SHORT, "floor": "conductor", "seats": seats})
    france, italy = await interrupts(client, game)
    words = {"messages": [{"to": "FRANCE", "text": "shall we?"}]}
    await play(client, game, command={"resume": {italy["id"]: words}})
    assert (await client.threads.get(game))["status"] == "interrupted"
    now = {asked["value"]["power"]: asked["id"] for asked in await interrupts(client, game)}
    assert list(now) == ["FRANCE", "ITALY"]
    assert {france["id"], italy["id"]}.isdisjoint(now.values())
    await play(client, game, command={"resume": {now["FRANCE"]: {"orders": ["A PAR H"]}}})
    state = await values(client, game)
    assert "FRANCE" in state["orders"]
    assert state["phase"] == "S1901M"


async def test_custom_events_are_the_operators_and_what_a_person_is_asked_is_the_seats(
    client: LangGraphClient,
) -> None:
    """Whoever starts a run at the server runs the game, and is told what players are not told of each other."""
    game = await new_game(client)
    settings = {**SHORT_ROUNDS, "everyone": "diplomat", "seats": {"FRANCE": "human", "ITALY": "human"}}
    await play(client, game, input={}, context=settings)
    told: list[str] = []
    asked: list[str] = []
    while open_questions := await interrupts(client, game):
        asked += [json.dumps(question["value"]) for question in open_questions if is_italys(question)]
        answers: dict[str, Any] = {}
        for question in open_questions:
            secret = "canary" if not is_italys(question) else "plain"
            words = [
                {"to": "GERMANY", "text": f"{secret} to Germany"},
                {"to": "ALL", "text": "for all to read"},
            ]
            wants_talk = question["value"]["ask"] == "talk"
            answers[question["id"]] = {"messages": words} if wants_talk else an_order(question)
        command = cast("Any", {"resume": answers})
        parts = client.runs.stream(game, "entente", command=command, stream_mode="custom")
        told += [json.dumps(part.data) async for part in parts if part.event == "custom"]
    assert any("canary to Germany" in line for line in told)
    assert any("for all to read" in line for line in asked)
    assert not [line for line in asked if "canary" in line]
    memories = (await values(client, game))["memories"]
    assert memories["GERMANY"]
    assert not [line for line in asked if "memor" in line]


MODES = [
    "values",
    "updates",
    "custom",
    "messages",
    "messages-tuple",
    "debug",
    "tasks",
    "checkpoints",
    "events",
]
"""All that a run can be streamed as; with `events` the server streams all of them in another way."""


def questions_in(told: Any) -> Iterator[dict[str, Any]]:
    """What seats are asked, wherever it stands in what the server says."""
    if isinstance(told, list):
        parts = cast("list[Any]", told)
    elif isinstance(told, dict):
        if {"power", "ask", "press"} <= told.keys():
            yield cast("dict[str, Any]", told)
        parts = [*told.values()]
    else:
        return
    for part in parts:
        yield from questions_in(part)


def an_answer(question: dict[str, Any]) -> dict[str, Any]:
    """A canary for another power, or orders for who has written already."""
    view = question["value"]
    if any(message["sender"] == view["power"] for message in view["press"]):
        return {"messages": []} if view["ask"] == "talk" else an_order(question)
    friend = view["can_write_to"][0]
    return {"messages": [{"to": friend, "text": f"canary-{view['power']}-to-{friend}"}]}


@pytest.mark.parametrize(("floor", "modes"), [("rounds", MODES[:-1]), ("conductor", MODES)])
async def test_a_seats_question_has_nothing_of_others_wherever_the_server_shows_it(
    client: LangGraphClient, floor: str, modes: list[Any]
) -> None:
    game = await new_game(client)
    seats = {"AUSTRIA": "human", "ENGLAND": "human"}  # to whom the others write
    settings = {"everyone": "tests.support.spies:Spy", "seats": seats, "floor": floor, **OF_FLOOR[floor]}
    run: Any = {"input": {}, "context": settings}
    shown: dict[str, list[dict[str, Any]]] = {}
    for _ in range(6):
        async for part in client.runs.stream(
            game, "entente", stream_mode=modes, stream_subgraphs=True, **run
        ):
            shown.setdefault(part.event, []).extend(questions_in(part.data))
        (latest, *_) = await client.runs.list(game)
        async for part in client.runs.join_stream(game, latest["run_id"], stream_mode=modes):
            shown.setdefault(part.event, []).extend(questions_in(part.data))
        asked = await interrupts(client, game)
        if asked[0]["value"]["phase"] != "S1901M":
            break
        run = {"command": {"resume": {question["id"]: an_answer(question) for question in asked}}}
    assert (await values(client, game))["phase"] == "F1901M"
    for told in (await client.threads.get_history(game), await client.threads.get(game)):
        shown.setdefault("kept", []).extend(questions_in(told))
    assert {name for name, questions in shown.items() if questions} >= {"kept", "updates", "debug", "tasks"}
    assert not [name for name in ("custom", "messages") if shown.get(name)]
    views = [view for questions in shown.values() for view in questions]
    assert any(f"-to-{view['power']}" in json.dumps(view["press"]) for view in views)
    assert [found for view in views if (found := foreign(json.dumps(view), view["power"]))] == []
    talks = [view for view in views if view["ask"] == "talk"]
    assert not [view for view in talks if any(said["round"] >= view["round"] for said in view["press"])]


async def test_what_a_game_cannot_be_played_through_is_not_offered(client: LangGraphClient) -> None:
    for path in ("/mcp/", "/a2a/entente", "/.well-known/agent-card.json"):
        with pytest.raises(NotFoundError):
            await client.http.post(path, json={"jsonrpc": "2.0", "id": 1, "method": "tools/list"})


@pytest.mark.parametrize("path", ["/deploy", "/deploy/", "/internal/debug/thread/x", "/internal/truncate"])
def test_nobody_has_the_server_deployed_or_emptied(studio: Studio, path: str) -> None:
    """`/deploy` would send what the server keeps to LangSmith, under the key that is set here for something else."""
    for method in ("GET", "POST"):
        answer = httpx.request(method, f"{studio.url}{path}", headers={"Origin": PAGE}, json={})
        assert (answer.status_code, answer.text) == (404, "This is not offered here. Nothing was done.\n")
    assert httpx.post(f"{studio.url}/assistants/search", json={}).json()


async def test_a_run_that_is_cancelled_and_rolled_back_leaves_the_game_whole(
    studio: Studio, client: LangGraphClient
) -> None:
    game = await new_game(client)
    await play(client, game, input={}, context=LONG, interrupt_before=["adjudicate"])
    before = await values(client, game)
    run = await client.runs.create(game, "entente", input={})
    deadline = time.monotonic() + PATIENCE
    while (await values(client, game))["phase"] == "S1901M":
        assert time.monotonic() < deadline
        await asyncio.sleep(0.1)
    await client.runs.cancel(game, run["run_id"], wait=True, action="rollback")
    while await values(client, game) != before:  # it is taken back a moment after the run has ended
        assert time.monotonic() < deadline
        await asyncio.sleep(0.1)
    assert entente(studio.store, "games", "show", game).code == 0
    row = listed(studio, game)
    assert (row["phase"], row["status"]) == ("S1901M", "paused")
    await play(client, game, input={}, interrupt_after=["summarize"])
    assert (await values(client, game))["phase"] == "F1901M"


async def test_who_knows_only_the_client_plays_a_seat_by_its_questions_alone(
    studio: Studio, client: LangGraphClient
) -> None:
    """France, to the end of 1902 among diplomats: it reads every message to France and no other."""
    game = await new_game(client)
    settings = {"everyone": "diplomat", "seats": {"FRANCE": "human"}, "rounds": 2, "max_year": 1902}
    await play(client, game, input={}, context=settings)
    read: dict[str, Any] = {}
    verdicts = 0
    while open_questions := await interrupts(client, game):
        (question,) = open_questions
        view = question["value"]
        read |= {message["id"]: message for message in view["press"]}
        verdicts += len(view["verdicts"])
        answer: Any = {"messages": [{"to": "ENGLAND", "text": f"{view['phase']}: the Channel stays empty?"}]}
        if view["ask"] == "orders":
            cannot_be_used = {"orders": ["A PAR - MOS"]}
            answer = an_order(question) if view["verdicts"] else cannot_be_used
        await play(client, game, command={"resume": {question["id"]: answer}})
    state = await values(client, game)
    assert (state["status"], state["phase"]) == ("finished", "S1903M")
    wanted = json_lines(entente(studio.store, "press", game, "--power", "FRANCE", "--json").out)
    everything = json_lines(entente(studio.store, "press", game, "--json").out)
    assert read.keys() == {message["id"] for message in wanted}
    assert len(wanted) < len(everything)
    assert all("FRANCE" in (m["sender"], m["recipient"]) or m["recipient"] == "ALL" for m in read.values())
    assert verdicts >= 4


async def test_an_earlier_moment_is_edited_and_played_to_another_end(client: LangGraphClient) -> None:
    game = await new_game(client)
    await play(client, game, input={}, context={**SHORT, "floor": "gunboat"})
    history = await client.threads.get_history(game, limit=100)
    spring = next(s for s in reversed(history) if s["next"] == ["order"])
    before = cast("dict[str, Any]", spring["values"])
    seats = dict.fromkeys(before["settings"]["seats"], "hold") | {"FRANCE": "human"}
    await client.threads.update_state(
        game,
        {"settings": before["settings"] | {"seats": seats}},
        as_node="summarize",
        checkpoint=spring["checkpoint"],
    )
    await play(client, game, input=None)
    (asked,) = await interrupts(client, game)
    assert (asked["value"]["power"], asked["value"]["phase"]) == ("FRANCE", "S1901M")
    ended = await to_the_end(client, game)
    assert ended["status"] == "finished"
    assert ended["board"]["units"] == before["board"]["units"]
    assert cast("dict[str, Any]", history[0]["values"])["board"]["units"] != before["board"]["units"]


async def test_a_game_of_the_command_line_is_seen_in_studio_and_goes_on_there(
    studio: Studio, client: LangGraphClient
) -> None:
    played = entente(
        studio.store, "play", "--all", "dumbbot", "--seat", "FRANCE=human", "--floor", "gunboat",
        "--max-year", "1901",
    )  # fmt: skip
    assert played.code == 6, played.err
    game = re.search(r"Game (\S+)", played.err)
    assert game is not None
    await until_shown(client, game[1])
    (asked,) = await interrupts(client, game[1])
    assert asked["value"]["power"] == "FRANCE"
    assert (await to_the_end(client, game[1]))["status"] == "finished"
    assert listed(studio, game[1])["status"] == "finished"


async def test_a_game_of_studio_is_listed_and_goes_on_at_the_command_line(
    studio: Studio, client: LangGraphClient
) -> None:
    game = await new_game(client)
    await play(client, game, input={}, context=SHORT_ROUNDS, interrupt_before=["adjudicate"])
    assert listed(studio, game)["status"] == "paused"
    resumed = entente(studio.store, "resume", game)
    assert resumed.code == 0, resumed.err
    assert (await values(client, game))["status"] == "finished"


async def test_a_game_is_copied_and_deleted_with_its_press(studio: Studio, client: LangGraphClient) -> None:
    game = await new_game(client)
    await play(client, game, input={}, context={**SHORT_ROUNDS, "everyone": "diplomat"})
    await client.threads.copy(game)
    copies = json_lines(entente(studio.store, "games", "list", "--json").out)
    (copy,) = [row["game"] for row in copies if row["forked_from"] == game]
    press = [entente(studio.store, "press", each).out for each in (game, copy)]
    assert press[0]
    assert press[0] == press[1]
    await client.threads.delete(copy)
    assert copy not in entente(studio.store, "games", "list", "--json").out


@pytest.fixture
def played_elsewhere(studio: Studio) -> Generator[str]:
    """A game that `entente play` is playing at the moment, and goes on playing."""
    command = [ENTENTE, "play", "--rounds", "20", "--max-year", "1999", "--store", str(studio.store)]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as playing:
        assert playing.stderr is not None
        yield playing.stderr.readline().split()[-1]
        playing.send_signal(signal.SIGTERM)
        _, said = playing.communicate(timeout=PATIENCE)
    assert playing.returncode == 5, said


async def test_while_the_command_line_plays_a_game_studio_says_who_holds_it(
    client: LangGraphClient, played_elsewhere: str
) -> None:
    await until_shown(client, played_elsewhere)
    said = await refusal(client, played_elsewhere, input=None)
    assert "is being played by 'entente play'" in said
    with pytest.raises(APIError, match="is being played by 'entente play'"):
        await client.threads.update_state(played_elsewhere, {"round": 0}, as_node="negotiate")


async def test_while_studio_plays_a_game_the_command_line_says_so_and_others_are_played_beside_it(
    studio: Studio, client: LangGraphClient
) -> None:
    game = await new_game(client)
    run = await client.runs.create(game, "entente", input={}, context=LONG)
    try:
        other = await new_game(client)
        await play(client, other, input={}, context=SHORT_ROUNDS)
        assert (await values(client, other))["status"] == "finished"
        resumed = entente(studio.store, "resume", game)
        assert resumed.code == 3
        assert "is being played by 'langgraph_cli dev'" in resumed.err
        assert (await client.runs.get(game, run["run_id"]))["status"] == "running"
    finally:
        await client.runs.cancel(game, run["run_id"], wait=True)
    assert listed(studio, game)["status"] == "paused"


async def in_play(studio: Studio, client: LangGraphClient) -> tuple[str, str]:
    """A game that the server plays at the moment, for long, and its run."""
    game = await new_game(client)
    run = await client.runs.create(game, "entente", input={}, context=LONG)
    deadline = time.monotonic() + PATIENCE
    while not (await values(client, game)).get("segments"):
        assert time.monotonic() < deadline
        await asyncio.sleep(0.1)
    return game, run["run_id"]


async def test_a_run_is_rolled_back_and_another_game_begun_in_its_thread(
    studio: Studio, client: LangGraphClient
) -> None:
    game, first = await in_play(studio, client)
    context = {**SHORT_ROUNDS, "everyone": "diplomat"}
    await play(client, game, input={}, context=context, multitask_strategy="rollback")
    state = await values(client, game)
    assert (state["status"], state["settings"]["max_year"]) == ("finished", 1901)
    assert first not in {run["run_id"] for run in await client.runs.list(game)}
    log = entente(studio.store, "log", game).out
    assert "S1901M.1.FRANCE" in log
    assert "S1901M.2.FRANCE" not in log  # the game that was rolled back had more rounds


async def test_a_thread_that_is_deleted_while_it_is_played_ends_its_run_and_leaves_nothing(
    studio: Studio, client: LangGraphClient
) -> None:
    game, _ = await in_play(studio, client)
    await client.threads.delete(game)
    assert game not in entente(studio.store, "games", "list", "--json").out
    other = await new_game(client)
    await play(client, other, input={}, context=SHORT_ROUNDS)
    assert (await values(client, other))["status"] == "finished"
    assert game not in entente(studio.store, "games", "list", "--json").out


async def test_a_game_that_is_begun_with_other_settings_than_those_passed_is_not_played(
    studio: Studio, client: LangGraphClient
) -> None:
    begun = entente(studio.store, "play", "--all", "dumbbot", "--seat", "FRANCE=human", "--max-year", "1901")
    game = re.search(r"Game (\S+)", begun.err)
    assert game is not None
    await until_shown(client, game[1])
    await play(client, game[1], input={}, context={**SHORT_ROUNDS, "max_year": 1950})
    assert (await values(client, game[1]))["settings"]["max_year"] == 1901


async def test_a_server_that_is_killed_and_started_again_finishes_the_game_and_repeats_no_turn(
    tmp_path: Path,
) -> None:
    settings = GameSettings(everyone="diplomat", rounds=2, max_year=1903, stalemate_years=0)
    game, store = str(uuid4()), tmp_path / "store"
    with running_studio(store) as first:
        async with get_client(url=first.url) as client:
            await client.threads.create(thread_id=game)
            context = settings.model_dump(mode="json")
            parts = client.runs.stream(
                game, "entente", input={}, context=context, stream_mode="custom", on_disconnect="continue"
            )
            async for part in parts:
                if part.event == "custom" and part.data["phase"] == "S1902M":
                    break
            first.kill()
    async with open_store(str(store)) as opened:
        assert (await GameMaster(opened).look(game)).state["status"] == "playing"
    with running_studio(store) as second:
        async with get_client(url=second.url) as client:
            await until_shown(client, game)
            await play(client, game, input={})
            assert (await values(client, game))["status"] == "finished"

    async with open_store(str(store)) as opened, open_store("memory") as elsewhere:
        segments = [segment.id for segment in await opened.journal.segments(game)]
        turns = await opened.journal.turns(game, segments)
        taken = Counter((turn.phase, turn.stage, turn.round, turn.power, turn.number) for turn in turns)
        assert set(taken.values()) == {1}
        here = (await GameMaster(opened).look(game)).state
        master = GameMaster(elsewhere)
        there = (await master.run(await master.begin(settings, game))).state
        assert state_digest(here) == state_digest(there)
        assert await journal_digest(opened.journal, game, here) == await journal_digest(
            elsewhere.journal, game, there
        )


def test_the_project_is_served_alike_with_its_source_tree_and_without() -> None:
    assert json.loads((ROOT / "langgraph.json").read_text()) == CONFIGURATION


def test_a_second_server_over_the_same_store_is_refused(studio: Studio) -> None:
    refused = entente(studio.store, "studio", "--no-browser", "--port", str(free_port()))
    assert refused.code == 3
    assert refused.err.count("\n") == 1
    assert "open over the store" in refused.err


@pytest.mark.parametrize("port", ["taken", "70000"])
def test_a_port_that_cannot_be_used_is_told_in_a_sentence(studio: Studio, tmp_path: Path, port: str) -> None:
    taken = studio.url.rpartition(":")[2]
    refused = entente(
        tmp_path / "other", "studio", "--no-browser", "--port", taken if port == "taken" else port
    )
    assert refused.code == 2
    assert refused.err.count("\n") == 1
    assert "cannot be used" in refused.err


PAGE = "https://smith.langchain.com"
REFUSED: dict[str, tuple[dict[str, str], int]] = {
    "another page": ({"Origin": "https://evil.example"}, 403),
    "a page of no name": ({"Origin": "null"}, 403),
    "a page of another server of this machine": ({"Origin": "http://localhost:3000"}, 403),
    "a name that points here": ({"Host": "evil.example:2024"}, 403),
    "a name that points here, and its page": (
        {"Host": "evil.example", "Origin": "http://evil.example"},
        403,
    ),
    "an image of another page": ({"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "no-cors"}, 403),
    "a blind post": ({"Content-Type": "text/plain"}, 415),
    "a form": ({"Content-Type": "application/x-www-form-urlencoded"}, 415),
}


@pytest.mark.parametrize(("headers", "status"), REFUSED.values(), ids=REFUSED.keys())
def test_no_page_of_elsewhere_drives_the_server(studio: Studio, headers: dict[str, str], status: int) -> None:
    thread = str(uuid4())
    headers = {"Content-Type": "application/json", **headers}
    post = httpx.post(f"{studio.url}/threads", headers=headers, content=json.dumps({"thread_id": thread}))
    assert post.status_code == status, post.text
    assert "Nothing was done" in post.text
    assert "access-control-allow-origin" not in post.headers
    assert httpx.get(f"{studio.url}/threads/{thread}").status_code == 404
    if status == 403:
        for path in ("/ok", "/docs", "/assistants/search", "/assistants/crew/graph", "/nothing"):
            assert httpx.get(f"{studio.url}{path}", headers=headers).status_code == 403
        asking = {**headers, "Access-Control-Request-Method": "POST"}
        assert httpx.options(f"{studio.url}/threads", headers=asking).status_code == 403


def test_the_page_of_studio_drives_the_server(studio: Studio) -> None:
    asking = {
        "Origin": PAGE,
        "Access-Control-Request-Method": "POST",
        "Access-Control-Request-Headers": "content-type,x-auth-scheme",
    }
    asked = httpx.options(f"{studio.url}/threads/search", headers=asking)
    assert asked.status_code == 200, asked.text
    assert asked.headers["access-control-allow-origin"] == PAGE
    found = httpx.post(f"{studio.url}/threads/search", headers={"Origin": PAGE}, json={})
    assert found.status_code == 200
    assert found.headers["access-control-allow-origin"] == PAGE
    assert httpx.get(f"{studio.url}/ok", headers={"Host": "localhost:8080"}).status_code == 200
    link = {"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "navigate"}
    assert httpx.get(f"{studio.url}/docs", headers=link).status_code == 200


def test_the_server_writes_into_its_own_folder_only_and_blocks_nowhere(
    studio: Studio, langsmith: Catcher
) -> None:
    """The last test: after all that the server has done in the others."""
    (notes,) = (studio.state / "entente" / "studio").iterdir()
    assert (notes / ".langgraph_api").is_dir()
    assert stat.S_IMODE(notes.stat().st_mode) == 0o700
    assert not (studio.store / "touched").exists()
    assert not (ROOT / ".langgraph_api").exists()
    assert not langsmith.asked
    assert "BlockingError" not in studio.log.read_text(errors="replace")
