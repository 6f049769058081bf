"""Games as episodes of the installed verifiers: `make verifiers` runs this in an environment of its own."""

# verifiers is no part of the development environment.
# pyright: basic, reportMissingImports=false

import asyncio
import json
from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
import yaml
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from entente.loopback import embedded
from entente.training.policy import ChatRequest, DiplomacyPolicyHandler, ScriptedPolicy
from entente.training.record import Response as Reply
from tests.support.canaries import POWERS
from tests.training.calls import a_call, a_record

vf = pytest.importorskip("verifiers.v1", reason="`make verifiers` sets it up")
pytestmark = pytest.mark.slow

SESSION = "x-session-id"
"""The header by which verifiers tells a server whose rollout asks."""


@asynccontextmanager
async def model_server(answers: Callable[[Request], bool] = lambda _: True) -> AsyncGenerator[str]:
    """A scripted model that remembers a canary of whoever asks; where it does not answer it refuses."""
    handler = DiplomacyPolicyHandler(ScriptedPolicy())

    async def answer(request: Request) -> Response:
        if not answers(request):
            return Response(status_code=400)
        told = await handler.handle_chat(ChatRequest.model_validate(await request.json()))
        message = told["choices"][0]["message"]
        message["content"] = _with_a_canary(message["content"], request.headers[SESSION])
        return JSONResponse(told)

    app = Starlette(routes=[Route("/v1/chat/completions", answer, methods=["POST"])])
    async with embedded(app, asyncio.Event()) as address:
        yield f"{address}/v1"


def _with_a_canary(text: str, session: str) -> str:
    said = json.loads(text)
    remembered = {"key": "secret", "value": f"canary-{session}"}
    action = {"tool_name": "update_memory", "arguments": remembered}
    return json.dumps({**said, "actions": [*said["actions"], action]})


async def episode_of(folder: Path, url: str, seats: dict[str, dict[str, Any]], **policy: Any) -> Any:
    """An episode of a year in which the others hold; `policy` is what its agent may."""
    powers = [{"name": power, **seats.get(power, {"model": "hold"})} for power in POWERS]
    file = folder / "training.yaml"
    training = {"episodes_per_batch": 1, "save_replays": False}
    game = {"max_turns": 1, "rounds": 1, "powers": powers}
    file.write_text(yaml.safe_dump({"game_settings": game, "training": training}))
    values = {"taskset": {"id": "entente-verifiers", "file": str(file)}, "policy": policy}
    environment = vf.load_environment(vf.resolve_env_config(values))
    (task,) = environment.taskset
    client = vf.EvalClientConfig(base_url=url, api_key_var="NO_KEY_AT_ALL")
    async with environment.serving():
        return await environment.run_episode(task, vf.ModelContext("policy-v1", client))


def said_in(trace: Any) -> str:
    return "\n".join(str(node.message.content) for node in trace.nodes)


async def test_seven_seats_of_one_name_are_seven_rollouts_of_one_game(tmp_path: Path) -> None:
    async with model_server() as url:
        trained = {power: power != "ITALY" for power in POWERS}
        seats = {power: {"model": "policy-v1", "trainable": is_} for power, is_ in trained.items()}
        episode = await episode_of(tmp_path, url, seats)
    assert episode.ok, episode.errors
    traces = {trace.task.data.power: trace for trace in episode.traces}
    assert {*traces} == {*POWERS}
    assert {trace.agent.name for trace in episode.traces} == {"policy"}
    assert [power for power, trace in traces.items() if not trace.agent.trainable] == ["ITALY"]
    assert sum(trace.reward for trace in episode.traces) == pytest.approx(1)

    (record,) = {id(trace.state.record): trace.state.record for trace in episode.traces}.values()
    for power, trace in traces.items():
        assert trace.reward == record.episode.scores["squares"][power]
        calls = [call for call in record.calls if call.seat == power]
        assert sorted(call.response.content for call in calls) == sorted(
            message.content for message in trace.assistant_messages
        )
        assert [call.trainable for call in calls] == [power != "ITALY"] * len(calls)
    assert vf.WireEpisode.model_validate_json(json.dumps(episode.to_record())).id == episode.id


async def test_a_rollout_has_nothing_of_another_seat(tmp_path: Path) -> None:
    async with model_server() as url:
        episode = await episode_of(tmp_path, url, {power: {"model": "policy-v1"} for power in POWERS})
    for trace in episode.traces:
        assert f"canary-{trace.id}" in said_in(trace), "the canary is never said, and the test shows nothing"
        others = [other.id for other in episode.traces if other is not trace]
        assert not [other for other in others if other in json.dumps(trace.to_record())]


async def test_one_seat_is_a_rollout_among_others(tmp_path: Path) -> None:
    async with model_server() as url:
        seats = {"FRANCE": {"model": "policy-v1", "scorer": "share"}, "ITALY": {"model": "dumbbot"}}
        episode = await episode_of(tmp_path, url, seats)
    assert episode.ok, episode.errors
    (trace,) = episode.traces
    assert trace.task.data.power == "FRANCE"
    assert trace.reward == trace.state.record.episode.scores["share"]["FRANCE"] > 0


async def test_a_game_that_fails_is_an_error_without_a_reward(tmp_path: Path) -> None:
    asked = list[str]()

    def answers(request: Request) -> bool:
        asked.append(request.headers[SESSION])
        return len(asked) < 3

    async with model_server(answers) as url:
        seats = {power: {"model": "policy-v1"} for power in ("FRANCE", "ITALY")}
        episode = await episode_of(tmp_path, url, seats)
    assert not episode.ok
    assert "nothing is learned from it" in episode.errors[-1].message
    assert not any(trace.ok or trace.reward for trace in episode.traces)


async def test_a_rollout_that_verifiers_ends_early_fails_the_game(tmp_path: Path) -> None:
    async with model_server() as url:
        seats = {power: {"model": "policy-v1"} for power in ("FRANCE", "ITALY")}
        episode = await episode_of(tmp_path, url, seats, max_turns=1)
    assert not episode.ok
    assert {trace.stop_condition for trace in episode.traces} == {"max_turns"}
    assert not any(trace.ok or trace.reward for trace in episode.traces)


async def test_nobody_waits_for_a_rollout_that_never_comes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def fail_of_france(task: Any, _trace: Any, _runtime: Any) -> None:
        if task.data.power == "FRANCE":
            raise RuntimeError("no room")

    monkeypatch.setattr("entente_verifiers.SeatTask.setup", fail_of_france)
    async with model_server() as url:
        seats = {power: {"model": "policy-v1"} for power in ("FRANCE", "ITALY")}
        episode = await episode_of(tmp_path, url, seats)
    assert not episode.ok
    assert "The rollout of FRANCE ended before the game began" in episode.errors[-1].message
    assert not any(trace.ok or trace.reward for trace in episode.traces)


def test_what_the_record_does_not_learn_is_masked() -> None:
    from entente_verifiers import leave_learned

    texts = {"offered": {}, "asked": {"role": "user", "content": "What do you do?"}}
    calls = [
        a_call(id=f"g/{reply}", prompt=["offered", "asked"], response=Reply(content=reply), trainable=learned)
        for reply, learned in (("mine", True), ("of a stand-in", False))
    ]
    record = a_record(calls, texts)
    trace = vf.Trace(
        task=vf.TraceTask(type="SeatTask", data=vf.TaskData()), agent=vf.AgentInfo(config=vf.AgentConfig())
    )
    trace.nodes = [
        vf.MessageNode(message=vf.UserMessage(content="What do you do?"), token_ids=[1], mask=[False])
    ] + [
        vf.MessageNode(
            parent=0,
            message=vf.AssistantMessage(content=reply),
            sampled=True,
            token_ids=[2, 3],
            mask=[False, True],
            logprobs=[-0.5],
        )
        for reply in ("mine", "of a stand-in", "never kept")
    ]
    leave_learned(trace, record, "FRANCE")
    assert [branch.sampled_mask for branch in trace.branches] == [
        [False, False, True],
        [False, False, False],
        [False, False, False],
    ]
    assert [branch.logprobs for branch in trace.branches] == [[0, 0, -0.5], [0, 0, 0], [0, 0, 0]]
