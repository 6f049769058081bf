"""Seats whose server holds replies to a schema: a scripted provider that does so over real HTTP, in whole games."""

import json
from typing import Any

import jsonschema_rs
import pytest

from checkpoints.store import Store
from entente.errors import SettingsError
from entente.games.line import records_on_line
from entente.games.runner import GameMaster, RunEnd
from entente.models.client import Connections
from entente.models.mock.plan import Fault, Plan
from entente.models.mock.replies import scripted_reply
from entente.models.mock.request import ChatRequest
from entente.models.mock.server import Recorded, mock_server
from entente.players.record import NoticeKind, TurnRecord
from entente.players.seating import Seating
from graph.context import parse_settings

GAME = {"max_year": 1901, "models": {"actions": "schema", "prompts": "short"}}


async def played(store: Store, plan: Plan, **settings: Any) -> tuple[list[Recorded], list[TurnRecord]]:
    """A year of seven models: what their server was asked, and their turns."""
    async with mock_server(plan) as server, Connections() as connections:
        master = GameMaster(store, Seating(connections, {}))
        chosen = parse_settings({"everyone": f"openai:mock@{server.url}", **GAME, **settings})
        standing = await master.run(await master.begin(chosen))
        assert standing.end is RunEnd.FINISHED
        asked = server.requests
    records = await records_on_line(store.journal, standing.game, standing.state)
    return asked, [record for record in records if isinstance(record, TurnRecord)]


def said(request: Recorded) -> str:
    """What the scripted model says to this: the same request gets the same reply."""
    asked = ChatRequest(request.model, request.messages, (), False, False, request.schema)
    return scripted_reply(asked).content or ""


@pytest.mark.parametrize(
    "floor", [{"floor": "rounds", "rounds": 1}, {"floor": "gunboat"}, {"floor": "conductor"}], ids=str
)
async def test_each_reply_keeps_its_schema_and_is_taken_as_it_is(
    memory_store: Store, floor: dict[str, Any]
) -> None:
    asked, turns = await played(memory_store, Plan(), **floor)
    for request in asked:
        assert request.schema is not None
        assert not request.tools
        jsonschema_rs.validate(request.schema, json.loads(said(request)))
    assert any(turn.orders for turn in turns)
    assert [notice for turn in turns for notice in turn.notices] == []
    assert sum(call.faults for turn in turns for call in turn.calls) == 0


async def test_a_reply_that_is_cut_off_all_the_same_is_asked_for_again(memory_store: Store) -> None:
    plan = Plan(faults=(Fault(kind="truncate", calls=(1,)),))
    asked, turns = await played(memory_store, plan, floor="gunboat")
    (again,) = (request for request in asked if "breaks off" in str(request.messages[-1]))
    assert again.schema in [request.schema for request in asked if request is not again]
    assert NoticeKind.MENDED in {notice.kind for turn in turns for notice in turn.notices}


async def test_a_model_at_its_providers_own_address_has_no_schema(memory_store: Store) -> None:
    async with Connections() as connections:
        master = GameMaster(memory_store, Seating(connections, {"OPENAI_API_KEY": "sk-canary"}))
        with pytest.raises(SettingsError, match="address of its own was wanted for actions=schema"):
            await master.begin(parse_settings({"everyone": "openai:gpt-5-mini", **GAME}))
