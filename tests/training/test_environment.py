"""The requirement's shape: a client for each seat, episodes with their keys, and a policy behind either wire."""

import asyncio
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import httpx2
import pytest
import yaml
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from checkpoints.store import Store
from entente.errors import PlayerError, SettingsError
from entente.loopback import embedded
from entente.models.wire import ChatMessage
from entente.training.completions import prompt_text
from entente.training.config import DiplomacyConfig, parse_config
from entente.training.environment import DiplomacyEnvironment
from entente.training.policy import MOST_BYTES, CompletionRequest, DiplomacyPolicyHandler, ScriptedPolicy
from entente.training.record import Record
from entente.training.record_check import read_records
from entente.training.rewards import SUM_TO_ONE, StepRewards
from entente.value_file import read_values
from tests.support.canaries import POWERS
from tests.support.patience import PATIENCE

ONE_MODEL = "atropos-diplomacy-v1"
REQUIRED = {"episode_id", "winner", "supply_centers", "turns", "conversations", "orders"}


def config(url: str, folder: Path, **game: Any) -> DiplomacyConfig:
    powers = [{"name": power, "model": ONE_MODEL} for power in POWERS]
    return parse_config(
        {
            "game_settings": {"max_turns": 1, "rounds": 1, "powers": powers, **game},
            "server_config": {"url": url, "timeout": 60},
            "training": {"batch_size": 2, "episodes_per_batch": 2, "replay_dir": str(folder)},
        }
    )


async def test_the_files_rewards_for_decisions_are_the_records(memory_store: Store, tmp_path: Path) -> None:
    async with policy_server() as (url, _):
        shaped = config(url, tmp_path).model_copy(update={"rewards": StepRewards(shaping=1)})
        async with DiplomacyEnvironment(shaped, memory_store) as environment:
            await environment.run_episode("one")
            record = await environment.record("one")
        async with DiplomacyEnvironment(config(url, tmp_path), memory_store) as environment:
            plain = await environment.record("one")
    assert any("shaping" in call.reward_step for call in record.calls)
    assert not any("shaping" in call.reward_step for call in plain.calls)


async def test_what_the_policy_samples_with_and_its_version_are_in_the_record(
    memory_store: Store, tmp_path: Path
) -> None:
    async with policy_server() as (url, asked):
        plain = config(url, tmp_path)
        hot, elsewhere = (
            plain.model_copy(update={"server_config": plain.server_config.model_copy(update=changes)})
            for changes in (
                {"temperature": 0.7, "policy_version": "step-3"},
                {"timeout": 50, "concurrency": 4},
            )
        )
        records = list[Record]()
        for name, each in (("plain", plain), ("hot", hot), ("elsewhere", elsewhere)):
            async with DiplomacyEnvironment(each, memory_store) as environment:
                await environment.run_episode(name, 7)
                records.append(await environment.record(name))
    assert [each["temperature"] for each in asked if each["episode_id"] == "hot"].count(0.7) > 14
    hashes = [record.episode.config_hash for record in records]
    assert hashes[0] == hashes[2] != hashes[1]
    versions = [{call.policy_version for call in record.calls} for record in records]
    assert versions == [{None}, {"step-3"}, {None}]


def files_in(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


@asynccontextmanager
async def policy_server() -> AsyncGenerator[tuple[str, list[dict[str, Any]]]]:
    """The scripted policy, with what it was asked."""
    handler, asked = DiplomacyPolicyHandler(ScriptedPolicy()), list[dict[str, Any]]()

    async def answer(request: Request) -> JSONResponse:
        body = await request.json()
        asked.append(body)
        return JSONResponse(await handler.handle_completion(CompletionRequest.model_validate(body)))

    routes = [Route("/v1/completions", answer, methods=["POST"])]
    async with embedded(Starlette(routes=routes), asyncio.Event()) as address:
        yield address, asked


async def test_seven_seats_of_one_model_in_two_games_at_once_are_fourteen(
    memory_store: Store, tmp_path: Path
) -> None:
    async with (
        policy_server() as (url, asked),
        DiplomacyEnvironment(config(url, tmp_path), memory_store) as environment,
    ):
        ends = await environment.run(["one", "two"])
        assert not any(end.reason for end in ends)
        first = await environment.run_episode("one")
        again = len(asked)
        assert await environment.run_episode("one") == first
        record = await environment.record("one")
    assert len(asked) == again, "an episode that is over was played again"
    seats = {(each["episode_id"], each["power"]) for each in asked}
    assert seats == {(episode, power) for episode in ("one", "two") for power in POWERS}
    assert all(each["power"] in each["prompt"] for each in asked)
    assert {each["metadata"]["task_type"] for each in asked} >= {"orders", "negotiation"}
    assert all(each["metadata"]["inject_random_seed"] is True for each in asked)
    assert {(each["model"], each["temperature"]) for each in asked} == {(ONE_MODEL, 0)}

    assert {*first} >= REQUIRED
    assert (first["episode_id"], first["winner"], first["end_reason"]) == ("one", None, "max_year")
    assert first["turns"] == len(first["orders"])
    assert first["conversations"]
    assert {*first["trajectories"]} == {*POWERS}
    assert all(sum(first["scores"][name].values()) == pytest.approx(1) for name in SUM_TO_ONE)
    assert sum(map(len, first["trajectories"].values())) == sum(each["episode_id"] == "one" for each in asked)
    assert [r.episode.episode_id for r in read_records(record.lines(), "it")] == ["one"]
    sent = sorted(
        prompt_text([ChatMessage.model_validate(m) for m in record.messages(c)]) for c in record.calls
    )
    assert sent == sorted(each["prompt"] for each in asked if each["episode_id"] == "one")
    assert files_in(tmp_path) == ["one.entente", "two.entente"]


async def test_an_episode_that_fails_is_told_of_and_never_learned_from(
    memory_store: Store, tmp_path: Path
) -> None:
    async def refuse(_: Request) -> Response:
        return Response(status_code=400)

    app = Starlette(routes=[Route("/v1/completions", refuse, methods=["POST"])])
    async with (
        embedded(app, asyncio.Event()) as url,
        DiplomacyEnvironment(config(url, tmp_path), memory_store) as environment,
    ):
        with pytest.raises(PlayerError, match="nothing is learned from it"):
            await environment.run_episode("one")
        record = await environment.record("one")
    assert record.episode.end_reason is None
    assert not any(call.trainable for call in record.calls)
    assert files_in(tmp_path) == []


async def test_the_policys_server_answers_both_wires_and_refuses_all_else() -> None:
    app = DiplomacyPolicyHandler(ScriptedPolicy()).application()
    async with (
        embedded(app, asyncio.Event()) as url,
        httpx2.AsyncClient(base_url=url, timeout=PATIENCE) as http,
    ):
        told = (await http.post("/v1/completions", json={"prompt": "Hi", "model": "m"})).json()
        assert told["text"] == told["choices"][0]["text"] != ""
        chat = {"model": "m", "messages": [{"role": "user", "content": "Hi"}]}
        told = (await http.post("/v1/chat/completions", json=chat)).json()
        assert told["choices"][0]["message"]["content"]
        refused = await http.post("/v1/completions", json={"model": "m"})
        assert (refused.status_code, refused.json()["error"]["message"][:7]) == (400, "prompt:")
        other_page = {"Origin": "https://elsewhere.example"}
        assert (await http.post("/v1/completions", json=chat, headers=other_page)).status_code == 403
        assert (
            await http.post("/v1/completions", json=chat, headers={"Host": "evil.example"})
        ).status_code == 403
        large = {"prompt": "x" * MOST_BYTES, "model": "m"}
        assert (await http.post("/v1/completions", json=large)).status_code == 413


AS_GIVEN = """environment:
  name: "diplomacy"
  type: "multi_agent"
game_settings:
  max_turns: 20
  deadline_seconds: 300
  powers:
    - {name: "AUSTRIA", model: "atropos-diplomacy-v1"}
    - {name: "ENGLAND", model: "atropos-diplomacy-v1"}
    - {name: "FRANCE", model: "atropos-diplomacy-v1"}
    - {name: "GERMANY", model: "atropos-diplomacy-v1"}
    - {name: "ITALY", model: "atropos-diplomacy-v1"}
    - {name: "RUSSIA", model: "atropos-diplomacy-v1"}
    - {name: "TURKEY", model: "dumbbot"}
server_config:
  url: "http://localhost:8000"
  timeout: 30
training:
  batch_size: 4
  episodes_per_batch: 100
  save_replays: true
  replay_dir: "./replays"
"""

WRONG = [
    ("max_turns: 20", "max_turns: none", "line 5: game_settings.max_turns: "),
    ('name: "ITALY"', 'name: "FRANCE"', "line 4: game_settings: each of AUSTRIA"),
    ('name: "ITALY"', 'name: "SPAIN"', "line 12: game_settings.powers.4.name: one of AUSTRIA"),
    ("batch_size: 4", "batch_size: 0", "line 19: training.batch_size: "),
    ("save_replays: true", "save_replays: odd", "line 21: training.save_replays: "),
    (
        "timeout: 30",
        "timeuot: 30",
        "line 17: server_config.timeuot: there is no such setting; did you mean timeout?",
    ),
    (
        '"dumbbot"',
        '"dumbbot", scorre: odd',
        "line 14: game_settings.powers.6.scorre: there is no such setting; did you mean scorer?",
    ),
    ("http://localhost", "http://me:secret@localhost", "line 16: server_config.url: A base URL without"),
    (
        "server_config:",
        "queue: {url: 'http://me:secret@localhost'}\nserver_config:",
        "line 15: queue.url: A base URL",
    ),
    ('"dumbbot"', '"dumbbot", scorer: odd', "line 14: game_settings.powers.6.scorer: one of squares"),
    ("timeout: 30", "extra_body: {api_key: canary}", "line 17: server_config.extra_body: "),
    ("training:", "rewards: {shaping: -1}\ntraining:", "line 18: rewards.shaping: "),
    ("save_replays: true", "group_size: 3", "line 18: training: a multiple of group_size"),
    ("max_turns: 20", "floor: ballroom", "line 5: game_settings.floor: The setting floor cannot be"),
    ("max_turns: 20", "rounds: 99", "line 5: game_settings.rounds: The setting rounds cannot be"),
    (
        "deadline_seconds: 300",
        "deadline_seconds: 0\n  floor: conductor",
        "line 6: game_settings.deadline_seconds: ",
    ),
]


def test_the_requirements_file_is_taken_as_it_is() -> None:
    taken = parse_config(yaml.safe_load(AS_GIVEN))
    settings = taken.settings(7)
    assert (settings.max_year, settings.seed, settings.seats["TURKEY"]) == (1920, 7, "dumbbot")
    assert taken.policy_models == {ONE_MODEL}
    assert (taken.rewards.validity_penalty, taken.rewards.shaping) == (0.01, 0)
    assert taken.trainable == [power for power in POWERS if power != "TURKEY"]


@pytest.mark.parametrize(("right", "wrong", "told"), WRONG, ids=[wrong for _, wrong, _ in WRONG])
def test_what_is_wrong_in_the_file_is_told_with_its_line(
    tmp_path: Path, right: str, wrong: str, told: str
) -> None:
    path = tmp_path / "training.yaml"
    path.write_text(AS_GIVEN.replace(right, wrong), encoding="utf-8")
    file = read_values(path, "The settings of training")
    with pytest.raises(SettingsError) as refused:
        parse_config(file.values)
    assert told in str(file.placed(refused.value))
