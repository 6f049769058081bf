"""The game that `make real-model` plays, with the scripted model in the real one's place: its figures hold together."""

import asyncio
from pathlib import Path

import pytest
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse
from starlette.routing import Route

from benchmarks.real_model import play, report, room
from entente.models.mock.plan import Fault, Plan
from entente.models.mock.server import embedded, mock_server


async def test_the_year_is_played_and_its_malformed_replies_are_counted(tmp_path: Path) -> None:
    plan = Plan(faults=(Fault(kind="garbage", every=5),))
    async with mock_server(plan) as server:
        _, turns, phases = await play(server.url, str(tmp_path), "gunboat")
        garbled = sum(request.fault == "garbage" for request in server.requests)
    figures = dict(report(turns, phases))
    assert figures["calls, tries"] == f"{len(server.requests)}, {len(server.requests)}"
    assert figures["replies that could not be taken as they were"] == f"{garbled}"
    assert all(turn.notices for turn in turns if any(call.faults for call in turn.calls))


async def test_a_prompt_that_leaves_no_room_for_its_reply_fails() -> None:
    letters_a_token = 2.5

    async def tokenize(request: Request) -> JSONResponse:
        content = (await request.json())["content"]
        return JSONResponse({"tokens": [0] * int(len(content) / letters_a_token)})

    routes = [Route("/tokenize", tokenize, methods=["POST"])]
    async with embedded(Starlette(routes=routes), asyncio.Event()) as address:
        rows = await asyncio.to_thread(room, f"{address}/v1")
        assert [measured.endswith("of 8,192, 2.50 letters each") for _, measured in rows] == [True, True]
        letters_a_token = 2.2
        with pytest.raises(AssertionError, match="17 units, calls as tools"):
            await asyncio.to_thread(room, f"{address}/v1")
