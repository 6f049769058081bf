"""Rows for libraries: whose words they have and whose not, and that Parquet has what the lines of JSON have."""

import asyncio
import json
from collections.abc import AsyncGenerator, Callable, Iterator
from contextlib import asynccontextmanager
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import Any, cast

import pytest
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse
from starlette.routing import Route

from checkpoints.store import Store
from entente.board.types import Power
from entente.games.runner import GameMaster
from entente.loopback import embedded
from entente.models.client import Connections
from entente.models.mock.plan import Fault, Plan
from entente.models.mock.server import mock_server
from entente.players.seating import Seating
from entente.training.environment import DiplomacyEnvironment
from entente.training.parquet import write_parquet
from entente.training.record import Record
from entente.training.recorder import Recording, record_of
from entente.training.texts import FORMS, Row
from entente.training.token_rows import token_rows
from graph.context import GameSettings
from tests.support.canaries import POWERS, foreign
from tests.training.policies import make_tokenizer, telling_server
from tests.training.test_environment import config

pq: Any = import_module("pyarrow.parquet")  # it has no types

COLUMNS = {
    "chat": {"messages", "tools", "reward", "id", "group_id", "seat", "task_type"},
    "pairs": {"prompt", "completion", "tools", "reward", "id", "group_id", "seat", "task_type"},
    "sharegpt": {"conversations"},
}


async def a_record(store: Store) -> Record:
    """A game in which two models were cut off, mended and stood in for, and one of them is trained."""
    faults = (
        Fault(kind="garbage", calls=(2,)),
        Fault(kind="truncate", calls=(4, 5)),
        Fault(kind="401", calls=(8,)),
    )
    async with mock_server(Plan(faults=faults)) as server, Connections() as connections:
        seats: dict[Power, str] = dict.fromkeys(["FRANCE", "ITALY"], f"openai:mock@{server.url}")
        settings = GameSettings(
            seats=seats, everyone="hold", rounds=1, max_year=1901, on_failure="dumbbot", timing="sequential"
        )
        master = GameMaster(store, Seating(connections, {}))
        game = (await master.run(await master.begin(settings))).game
    return await record_of(store, game, Recording(trainable=["FRANCE"]))


def read_back(path: Path) -> list[Row]:
    """The rows of a Parquet file as the lines of JSON have them: without what is null, and JSON text read."""
    return [_plain(row) for row in pq.read_table(path).to_pylist()]


def _plain(value: Any, name: str = "") -> Any:
    if name in ("tools", "arguments"):
        try:
            return json.loads(value)
        except ValueError:
            return value
    if isinstance(value, list):
        return [_plain(each) for each in cast("list[Any]", value)]
    if isinstance(value, dict):
        of_names = cast("dict[str, Any]", value)
        return {key: _plain(each, key) for key, each in of_names.items() if each is not None}
    return value


async def test_only_whole_words_of_a_trained_seat_are_rows_and_parquet_has_the_same(
    memory_store: Store, tmp_path: Path
) -> None:
    record = await a_record(memory_store)
    learned = [call for call in record.calls if call.trainable]
    flaws = {flaw for call in record.calls if call.seat == "FRANCE" for flaw in call.fallback}
    assert "truncated" in flaws
    assert {call.seat for call in record.calls} == {"FRANCE", "ITALY"}
    assert 0 < len(learned) < sum(call.seat == "FRANCE" for call in record.calls)
    for form, as_rows in FORMS.items():
        rows = [*as_rows(record)]
        assert {*map(frozenset, rows)} == {frozenset(COLUMNS[form])}
        assert len(rows) == len(learned)
        said = [_last(row) for row in rows]
        assert all(call.response.content in words for call, words in zip(learned, said, strict=True))
        assert all(
            each.name in words
            for call, words in zip(learned, said, strict=True)
            for each in call.response.calls
        )
        if form != "sharegpt":
            assert [row["id"] for row in rows] == [call.id for call in learned]
            assert all(row["seat"] == "FRANCE" for row in rows)
        path = tmp_path / f"{form}.parquet"
        write_parquet(path, form, rows)
        assert read_back(path) == rows
        assert {*pq.read_schema(path).names} == COLUMNS[form]


def _last(row: Row) -> str:
    """What the row would have a model learn to say."""
    if "completion" in row:
        return json.dumps(row["completion"], ensure_ascii=False)
    said = row.get("messages") or row["conversations"]
    assert isinstance(said, list)
    last = said[-1]
    assert isinstance(last, dict)
    assert last.get("role", last.get("from")) in ("assistant", "gpt")
    return str(last["value"]) if "value" in last else json.dumps(last, ensure_ascii=False)


async def test_no_row_has_a_word_that_is_private_to_another(memory_store: Store, tmp_path: Path) -> None:
    async with (
        secretive_server() as url,
        DiplomacyEnvironment(config(url, tmp_path, rounds=2), memory_store) as environment,
    ):
        await environment.run_episode("one")
        record = await environment.record("one")
    seats = [call.seat for call in record.calls if call.trainable]
    assert {*seats} == {*POWERS}
    for form, as_rows in FORMS.items():
        path = tmp_path / f"{form}.parquet"
        write_parquet(path, form, as_rows(record))
        rows = [json.dumps(row) for row in read_back(path)]
        assert [foreign(row, seat) for seat, row in zip(seats, rows, strict=True)] == [[]] * len(rows)
        for power in POWERS:
            own = [row for seat, row in zip(seats, rows, strict=True) if seat == power]
            assert own[-1].count(f"canary-{power}-memory") > 1, (
                "its memory is in the prompt, and in the reply"
            )
            assert any(f"-to-{power}" in row for row in own)


@asynccontextmanager
async def secretive_server() -> AsyncGenerator[str]:
    """A policy whose every turn keeps a canary of its seat's and tells another one to a neighbour."""

    async def answer(request: Request) -> JSONResponse:
        body = await request.json()
        power = body["power"]
        friend = POWERS[(POWERS.index(power) + 1) % len(POWERS)]
        kept = {"key": "plan", "value": f"canary-{power}-memory"}
        told = {"recipient": friend, "message_type": "CHAT", "content": f"canary-{power}-to-{friend}"}
        talks = body["metadata"]["task_type"] == "negotiation"
        actions = [{"tool_name": "update_memory", "arguments": kept}]
        actions += [{"tool_name": "send_message", "arguments": told}] if talks else []
        finish = "finish_negotiation_round" if talks else "finish_orders"
        return JSONResponse({"text": json.dumps({"actions": actions, "finish": finish})})

    app = Starlette(routes=[Route("/v1/completions", answer, methods=["POST"])])
    async with embedded(app, asyncio.Event()) as address:
        yield address


async def test_tokens_and_their_mask_are_the_same_in_parquet(memory_store: Store, tmp_path: Path) -> None:
    tokenizer = make_tokenizer(tmp_path / "tokenizer")
    async with (
        telling_server(tokenizer) as url,
        DiplomacyEnvironment(config(url, tmp_path, rounds=0), memory_store) as environment,
    ):
        await environment.run_episode("one")
        record = await environment.record("one")
    as_rows: Callable[[Record], Iterator[Row]] = partial(token_rows, tokenizers={})
    rows = [*as_rows(record)]
    assert rows
    write_parquet(tmp_path / "rows.parquet", "tokens", rows)
    assert read_back(tmp_path / "rows.parquet") == rows


@pytest.mark.parametrize("form", [*FORMS, "tokens"])
def test_a_game_without_rows_is_a_file_with_columns(tmp_path: Path, form: str) -> None:
    write_parquet(tmp_path / "rows.parquet", form, [])
    assert pq.read_table(tmp_path / "rows.parquet").num_rows == 0
    assert pq.read_schema(tmp_path / "rows.parquet").names
