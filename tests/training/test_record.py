"""The neutral record: from the journal, the same however often it is written, and nobody's but the seat's."""

import json

import jsonschema
import pytest
from jsonschema.protocols import Validator

from checkpoints.store import Store
from entente.board.types import Power
from entente.errors import PlayerError, SettingsError
from entente.games.forks import fork_game
from entente.games.runner import GameMaster
from entente.models.client import Connections
from entente.models.mock.plan import Fault, Plan
from entente.models.mock.server import mock_server
from entente.players.seating import Seating
from entente.training.record import Record, record_schema
from entente.training.record_check import read_records
from entente.training.recorder import Recording, record_of
from graph.context import GameSettings
from tests.support.canaries import OF_FLOOR, POWERS, a_cast, foreign

REFUSED = Plan(faults=(Fault(kind="garbage", calls=(2,)), Fault(kind="401", calls=(6,))))
"""One reply has to be mended, and then the provider fails: the game pauses in its first orders."""


def plain(record: Record) -> list[str]:
    """The lines without what a clock has drawn."""
    drawn = {"latency_seconds": None, "usage": None}
    return [json.dumps({**json.loads(line), **drawn}) for line in record.lines()]


def read(record: Record) -> Record:
    (found,) = read_records(record.lines(), "the record")
    return found


def by_the_schema() -> Validator:
    """What says whether a line is as the schema has it, which is a sound one."""
    schema = record_schema()
    jsonschema.Draft202012Validator.check_schema(schema)
    return jsonschema.Draft202012Validator(schema)


async def test_a_game_that_was_killed_and_one_that_was_not_have_the_same_record(memory_store: Store) -> None:
    kept: list[list[str]] = []
    for plan in (Plan(faults=REFUSED.faults[:1]), REFUSED):
        async with mock_server(plan) as server, Connections() as connections:
            master = GameMaster(memory_store, Seating(connections, {}))
            seats = {"FRANCE": f"openai:mock@{server.url}"}
            settings = GameSettings(
                seats=seats, everyone="hold", rounds=1, max_year=1901, timing="sequential"
            )
            game = await master.begin(settings, "episode-b" if plan is REFUSED else "episode-a")
            if plan is REFUSED:
                with pytest.raises(PlayerError):
                    await master.run(game)
                unfinished = read(await record_of(memory_store, game))
                assert unfinished.calls
                assert not any(call.trainable for call in unfinished.calls)
                assert not unfinished.episode.scores
            await master.run(game)
            record = await record_of(memory_store, game)
            assert read(record) == record
            assert plain(await record_of(memory_store, game)) == plain(record)
            same = [
                line.replace(game, "GAME").replace(server.url, "URL")
                for line in plain(replace_config(record))
            ]
            kept.append(same)
    assert kept[0] == kept[1]


def replace_config(record: Record) -> Record:
    """Two servers are two addresses, and so two set-ups."""
    return record.model_copy(update={"episode": record.episode.model_copy(update={"config_hash": ""})})


async def test_a_record_has_every_call_with_its_prompt_and_its_flaws(memory_store: Store) -> None:
    plan = Plan(faults=(Fault(kind="garbage", calls=(2,)), Fault(kind="truncate", calls=(4, 5))))
    async with mock_server(plan) as server, Connections() as connections:
        players = Seating(connections, {})
        master = GameMaster(memory_store, players)
        seats: dict[Power, str] = dict.fromkeys(["FRANCE", "ITALY"], f"openai:mock@{server.url}")
        settings = GameSettings(seats=seats, everyone="dumbbot", rounds=1, max_year=1902)
        game = (await master.run(await master.begin(settings))).game
        record = read(await record_of(memory_store, game, Recording(trainable=["FRANCE"])))
        assert len(record.calls) == len(server.requests)
        sent = sorted([str(m.get("content") or "") for m in each.messages] for each in server.requests)
        assert sorted([str(m["content"]) for m in record.messages(c)] for c in record.calls) == sent
        assert all(record.tools(call) for call in record.calls)
        assert {call.seat for call in record.calls if call.trainable} == {"FRANCE"}
        flaws = {flaw for call in record.calls for flaw in call.fallback}
        assert {"mended", "truncated"} <= flaws
        assert not any(call.trainable for call in record.calls if "truncated" in call.fallback)
        assert {call.task_type for call in record.calls} >= {"press", "orders", "diary"}
        assert any(
            call.reward_step.get("validity", 0) < 0 for call in record.calls if "mended" in call.fallback
        )
        ids = {call.id for call in record.calls}
        assert all(call.parent_call in ids for call in record.calls if call.parent_call)
        assert any(call.parent_call for call in record.calls)
        of_a_line = by_the_schema()
        for line in record.lines():
            of_a_line.validate(json.loads(line))

        alone = await record_of(memory_store, game, Recording(seats=["ITALY"]))
        assert {call.seat for call in alone.calls} == {"ITALY"} == {*alone.episode.models}

        fork = await fork_game(memory_store, game, "S1902M", {}, players)
        await master.run(fork)
        branch = read(await record_of(memory_store, fork))
        assert branch.episode.forked_from == game
        inherited = {call.phase for call in branch.calls if "inherited" in call.fallback}
        assert inherited
        assert all(phase[1:5] == "1901" for phase in inherited)
        assert {call.phase[1:5] for call in branch.calls if call.trainable} == {"1902"}


@pytest.mark.parametrize("floor", ["rounds", "conductor"])
async def test_no_seats_record_has_a_word_that_is_private_to_another(memory_store: Store, floor: str) -> None:
    values = {"everyone": "openai:secretive", "max_year": 1901, "floor": floor, **OF_FLOOR[floor]}
    master = GameMaster(memory_store, a_cast())
    game = (await master.run(await master.begin(GameSettings.model_validate(values)))).game
    for power in POWERS:
        record = await record_of(memory_store, game, Recording(seats=[power]))
        assert record.calls
        assert f"canary-{power}-memory" in "".join(record.lines())
        assert foreign("".join(record.lines()), power) == []
        assert {*record.episode.models} == {power}


WRONG = [
    ("{}", "line 1: .*tag"),
    ('{"kind": "call"}', "line 1: "),
    ('{"kind": "text", "id": "a", "body": {}}', "line 1: .*begins with its episode"),
]


@pytest.mark.parametrize(("line", "why"), WRONG, ids=[line for line, _ in WRONG])
def test_what_is_no_record_is_refused_with_its_line(line: str, why: str) -> None:
    with pytest.raises(SettingsError, match=why):
        read_records([line], "it.jsonl")
