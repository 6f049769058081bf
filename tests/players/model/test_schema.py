"""The JSON form as a schema: what strict servers take, what is legal, and nothing that is read as a fault."""

import json
from collections.abc import Iterator
from typing import cast

import jsonschema_rs
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import JsonValue

from entente.board.engine import Board
from entente.board.types import Power
from entente.players.actions import SubmitOrders
from entente.players.bundle import Talk
from entente.players.model.replies import Desk, read_reply
from entente.players.model.schema import Schema, orders_schema, reply_schema
from entente.players.model.settings import SeatSettings
from entente.players.model.tools import Wanted
from tests.players.model.words import text_reply
from tests.support.table import board_at

BOARD = Board.start()
FRENCH = orders_schema(BOARD, "FRANCE")
TURNS: list[tuple[Wanted, Talk, bool]] = [
    ("talk", "rounds", False),
    ("talk", "rounds", True),
    ("orders", "rounds", False),
    ("open", "at once", False),
    ("orders", "at once", False),
    ("orders", "none", False),
    ("diary", "rounds", False),
]


def desk(stage: Wanted = "orders", talk: Talk = "none", takes_drafts: bool = False) -> Desk:
    return Desk(
        stage=stage,
        talk=talk,
        takes_drafts=takes_drafts,
        power="FRANCE",
        reachable=("ENGLAND", "ITALY"),
        received=frozenset(),
        memory={},
        wants_diary=stage == "diary",
        phase="S1901M",
        limits=SeatSettings(max_messages=2, max_message_chars=100),
    )


def parts(schema: Schema) -> Iterator[Schema]:
    """The schema and all that is in it."""
    yield schema
    inner = [*schema.get("properties", {}).values(), *schema.get("anyOf", ()), schema.get("items")]
    for part in filter(None, inner):
        yield from parts(cast("Schema", part))


@pytest.mark.parametrize(("stage", "talk", "takes_drafts"), TURNS)
def test_the_schema_is_one_that_strict_servers_take(stage: Wanted, talk: Talk, takes_drafts: bool) -> None:
    schema = reply_schema(desk(stage, talk, takes_drafts), FRENCH, thinks=True)
    assert next(iter(schema["properties"])) == "thinking"
    jsonschema_rs.meta.validate(schema)
    assert schema["type"] == "object"
    for part in parts(schema):
        if part.get("type") == "object":
            assert part["additionalProperties"] is False
            assert part["required"] == [*part["properties"]]
    assert sum(len(part.get("enum", ())) for part in parts(schema)) <= 1000


WINTER = board_at(
    "W1901A",
    {"FRANCE": ["A PAR"], "ITALY": ["A ROM", "F NAP"]},
    {"FRANCE": ["PAR", "BRE", "MAR"], "ITALY": ["ROM"]},
)


@pytest.mark.parametrize("board", [BOARD, WINTER], ids=["movement", "adjustments"])
@pytest.mark.parametrize("power", ["FRANCE", "ITALY"])
def test_the_orders_are_the_legal_ones(board: Board, power: Power) -> None:
    listed = [value for part in parts(orders_schema(board, power)) for value in part.get("enum", ())]
    assert listed == [str(order) for order in board.all_orders(power)]


def test_in_adjustments_no_more_orders_fit_than_are_wanted() -> None:
    assert orders_schema(WINTER, "FRANCE")["maxItems"] == 2


def test_whoever_has_nothing_to_order_may_write_any_line() -> None:
    assert orders_schema(WINTER, "RUSSIA")["items"] == {"type": "string"}


@given(
    st.fixed_dictionaries(
        {unit: st.sampled_from(part["enum"]) for unit, part in FRENCH["properties"].items()}
    )
)
def test_whatever_orders_the_schema_allows_are_read_as_they_stand(orders: dict[str, str]) -> None:
    said = {
        "actions": [{"tool_name": "submit_orders", "arguments": {"orders": orders}}],
        "finish": "finish_orders",
    }
    assert jsonschema_rs.is_valid(reply_schema(desk(), FRENCH), said)
    read = read_reply(text_reply(json.dumps(said)), desk())
    assert (read.is_clean, read.notes) == (True, ())
    assert read.standing == (SubmitOrders(orders=tuple(orders.values())),)


def test_what_may_be_left_out_is_null_and_read_as_that() -> None:
    blank = {"by": None, "locations": None, "order": None, "term": None}
    message = {
        "recipient": "ITALY",
        "message_type": "PROPOSAL",
        "content": "Peace?",
        "commitments": [{"kind": "peace", "act": "propose", **blank}],
        "reply_to": None,
    }
    calls = [("send_message", message), ("update_memory", {"key": "plan", "value": None})]
    said = {
        "actions": [{"tool_name": name, "arguments": arguments} for name, arguments in calls],
        "finish": "finish_negotiation_round",
    }
    assert jsonschema_rs.is_valid(reply_schema(desk("talk", "rounds")), said)
    read = read_reply(text_reply(json.dumps(said)), desk("talk", "rounds"))
    assert (read.is_clean, read.notes, [action.tool for action in read.standing]) == (
        True,
        (),
        ["send_message", "update_memory"],
    )


def test_nothing_else_can_be_said() -> None:
    """An order of another unit, a power that cannot be written to, a tool of another stage, a turn without its end."""
    schema = reply_schema(desk("talk", "rounds", takes_drafts=True), FRENCH)
    good: dict[str, JsonValue] = {"actions": [], "finish": "finish_negotiation_round"}
    assert jsonschema_rs.is_valid(schema, good)
    bad: list[JsonValue] = [
        {"actions": []},
        {**good, "finish": "finish_orders"},
        {**good, "actions": [{"tool_name": "fly", "arguments": {}}]},
        {**good, "actions": [{"tool_name": "submit_orders", "arguments": {"orders": ["A PAR - BUR"]}}]},
        {**good, "actions": [{"tool_name": "send_message", "arguments": {"recipient": "FRANCE"}}]},
    ]
    for said in bad:
        assert not jsonschema_rs.is_valid(schema, said)
