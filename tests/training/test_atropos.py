"""Groups to the real queue of Atropos: what arrives, and what each of its traps is guarded by."""

import asyncio
from collections.abc import AsyncGenerator, Callable, Generator
from math import inf, nan
from pathlib import Path
from typing import Any

import httpx2
import pytest
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse
from starlette.routing import Route

from checkpoints.store import Store
from entente.errors import SettingsError, TrainerError
from entente.loopback import embedded
from entente.training.atropos import Pushed, Queue, payload_of, push_groups
from entente.training.config import parse_config
from entente.training.environment import DiplomacyEnvironment
from entente.training.groups import Group, Member, grouped
from entente.training.pushes import open_pushes
from entente.training.token_rows import MASKED, LocalTokenizer, Tokens
from tests.support.canaries import POWERS, foreign
from tests.support.patience import PATIENCE, until
from tests.training.calls import a_call
from tests.training.policies import make_tokenizer, telling_server
from tests.training.run_api import Trainer, in_front_of, run_api


@pytest.fixture(scope="module")
def address() -> Generator[str]:
    with run_api() as started:
        yield started


@pytest.fixture
async def http(address: str) -> AsyncGenerator[httpx2.AsyncClient]:
    async with httpx2.AsyncClient(base_url=address, timeout=PATIENCE) as client:
        yield client


@pytest.fixture
def trainer(http: httpx2.AsyncClient) -> Trainer:
    return Trainer(http)


@pytest.fixture(scope="module")
def tokenizer(tmp_path_factory: pytest.TempPathFactory) -> LocalTokenizer:
    return make_tokenizer(tmp_path_factory.mktemp("tokenizer"))


def a_group(number: int, size: int = 2, rewards: tuple[float, ...] = (), length: int = 3) -> Group:
    ids = [number + 1] * length
    tokens = Tokens(ids, [MASKED, *ids[1:]], [1.0, *[-0.5] * (length - 1)], is_retokenised=False)
    scores = rewards or tuple(range(size))
    members = [
        Member(a_call(id=f"g{number}.{at}/0", episode_id=f"g{number}.{at}"), tokens, score, is_filler=False)
        for at, score in enumerate(scores)
    ]
    return Group(f"g{number}", "FRANCE", 0, 7, tuple(members))


async def push(
    address: str, groups: list[Group], pushes: Path, *, size: int = 2, patience: float = 60
) -> Pushed:
    with open_pushes(pushes) as opened:
        return await push_groups(Queue(address, patience_seconds=patience), groups, size, opened)


def names(taken: list[dict[str, Any]]) -> list[str]:
    return [group["group_overrides"]["group_id"] for group in taken]


async def test_seven_seats_in_two_games_arrive_as_they_were_sent_and_know_nothing_of_each_other(
    address: str, trainer: Trainer, memory_store: Store, tmp_path: Path, tokenizer: LocalTokenizer
) -> None:
    powers = [{"name": power, "model": "policy-v1"} for power in POWERS]
    async with telling_server(tokenizer, has_secrets=True, idle="run-0-0") as url:
        config = parse_config(
            {
                "game_settings": {"max_turns": 1, "rounds": 1, "powers": powers},
                "server_config": {"url": url, "timeout": 60},
                "training": {
                    "batch_size": 2,
                    "episodes_per_batch": 2,
                    "group_size": 2,
                    "save_replays": False,
                },
            }
        )
        async with DiplomacyEnvironment(config, memory_store) as environment:
            ends = await environment.run(config.episodes("run"))
            assert [end.reason for end in ends] == ["", ""]
            records = [await environment.record(episode) for episode in config.episodes("run")]
    assert len({record.episode.seed for record in records}) == 1
    found = grouped(records, 2, {})
    teaching = [group for group in found.groups if group.teaches]
    assert found.left_out == []

    await trainer.begin(batch_size=4)
    pushing = asyncio.create_task(push(address, found.groups, tmp_path / "pushes"))
    taken = await trainer.take_while(pushing)
    told = await pushing
    assert (told.received, told.before, told.left_out) == (len(teaching), 0, [])
    assert told.equal == len(found.groups) - len(teaching)
    assert len(taken) == len(teaching) // 2 * 2
    for group, arrived in zip(teaching, taken, strict=False):
        sent = payload_of(group)
        assert {name: arrived[name] for name in sent} == sent

    calls = {call.id: call for record in records for call in record.calls}
    seats = set[tuple[str, str]]()
    for group in taken:
        for ids, mask, about in zip(group["tokens"], group["masks"], group["overrides"], strict=True):
            call, seat = calls[about["call"]], about["seat"]
            seats.add((about["episode_id"], seat))
            words = "" if about["set_advantage_to_zero"] else call.response.content
            assert tokenizer.text([id_ for id_ in mask if id_ != MASKED]) == words
            assert foreign(tokenizer.text(ids), seat) == []
            assert f"canary-{seat}-memory" in tokenizer.text(ids)
    assert seats == {(record.episode.episode_id, power) for record in records for power in POWERS}
    assert len(seats) == 14

    again = await push(address, found.groups, tmp_path / "pushes")
    assert (again.received, again.before) == (0, len(teaching))


async def test_nothing_is_pushed_before_a_trainer_has_registered_and_begun(
    address: str, trainer: Trainer, http: httpx2.AsyncClient, tmp_path: Path
) -> None:
    await http.get("/reset_data")
    with pytest.raises(TrainerError, match="a trainer that has registered"):
        await push(address, [a_group(0)], tmp_path / "pushes", patience=0)
    await trainer.register(batch_size=2)
    assert (await http.get("/info")).json()["batch_size"] == 2, "what came too early keeps trainers away"
    with pytest.raises(TrainerError, match="asked for its first batch"):
        await push(address, [a_group(0)], tmp_path / "pushes", patience=0)
    assert await trainer.waiting() == 0
    assert await trainer.batch() is None
    assert (await push(address, [a_group(0)], tmp_path / "pushes")).received == 1
    assert names(await trainer.batch() or []) == ["g0"]


NOT_SENT = [
    (a_group(0, 3), 3, "Groups of 2, 4, 8"),
    (a_group(0, 8), 8, "Groups of 2, 4, 8"),
    (a_group(0, rewards=(nan, 1.0)), 2, "no number"),
    (a_group(0, rewards=(inf, 1.0)), 2, "no number"),
]


@pytest.mark.parametrize(("group", "size", "why"), NOT_SENT)
async def test_what_would_starve_the_queue_or_lose_a_batch_is_refused(
    address: str, trainer: Trainer, tmp_path: Path, group: Group, size: int, why: str
) -> None:
    await trainer.begin(batch_size=12 if size == 3 else 4)
    with pytest.raises(SettingsError, match=why):
        await push(address, [group], tmp_path / "pushes", size=size)
    assert await trainer.waiting() == 0


async def test_tokens_without_logprobs_are_refused(address: str, trainer: Trainer, tmp_path: Path) -> None:
    await trainer.begin(batch_size=2)
    members = [m._replace(tokens=m.tokens._replace(logprobs=None)) for m in a_group(0).members]
    with pytest.raises(SettingsError, match="logprobs"):
        await push(address, [a_group(0)._replace(members=tuple(members))], tmp_path / "pushes")
    assert await trainer.waiting() == 0


async def test_what_is_too_long_or_teaches_nothing_is_left_out(
    address: str, trainer: Trainer, tmp_path: Path
) -> None:
    await trainer.begin(batch_size=2, max_token_len=10)
    groups = [a_group(0, length=10), a_group(1, rewards=(0.5, 0.5)), a_group(2, length=9)]
    pushed = await push(address, groups, tmp_path / "pushes")
    assert (pushed.received, pushed.equal) == (1, 1)
    assert pushed.left_out == ["g0, FRANCE, call 0: it has 10 tokens, and the trainer takes fewer than 10."]
    assert names(await trainer.batch() or []) == ["g2"]


async def test_a_trainer_that_is_late_gets_its_batches_in_their_order(
    address: str, trainer: Trainer, tmp_path: Path
) -> None:
    await trainer.begin(batch_size=4)
    groups = [a_group(number) for number in range(6)]
    with pytest.raises(TrainerError, match="takes what is waiting"):
        await push(address, groups, tmp_path / "pushes", patience=0)
    assert await trainer.waiting() == 2, "more than a batch is waiting"
    pushing = asyncio.create_task(push(address, groups, tmp_path / "pushes"))
    assert names(await trainer.take_while(pushing)) == [f"g{number}" for number in range(6)]
    assert ((await pushing).received, (await pushing).before) == (4, 2)


async def test_a_queue_that_was_reset_gets_nothing_more_and_takes_its_next_trainer(
    address: str, trainer: Trainer, http: httpx2.AsyncClient, tmp_path: Path
) -> None:
    await trainer.begin(batch_size=2)
    pushing = asyncio.create_task(push(address, [a_group(0), a_group(1)], tmp_path / "pushes"))
    await until(trainer.waiting)
    await http.get("/reset_data")
    with pytest.raises(TrainerError, match="has lost its trainer"):
        await pushing
    await trainer.begin(batch_size=2)
    pushed = await push(address, [a_group(0), a_group(1)], tmp_path / "pushes")
    assert (pushed.received, pushed.before) == (1, 1)


def failing(push: int, when: str) -> Callable[[str, bool], int | None]:
    """Answers this push with 502, before or after it was handed on; 0 for all of them."""
    pushes = 0

    def meddle(path: str, is_answered: bool) -> int | None:
        nonlocal pushes
        if path != "/scored_data":
            return None
        pushes += not is_answered
        return 502 if push in (0, pushes) and is_answered is (when == "after") else None

    return meddle


@pytest.mark.parametrize("when", ["before", "after"])
async def test_a_push_that_broke_off_is_looked_for_and_made_once(
    address: str, trainer: Trainer, tmp_path: Path, when: str
) -> None:
    await trainer.begin(batch_size=8)
    groups = [a_group(number) for number in range(4)]
    async with in_front_of(address, failing(2, when)) as gateway:
        with pytest.raises(TrainerError, match="502"):
            await push(gateway, groups, tmp_path / "pushes")
        pushed = await push(gateway, groups, tmp_path / "pushes")
    assert (pushed.received, pushed.before, pushed.left_out) == (
        (3, 1, []) if when == "before" else (2, 2, [])
    )
    assert names(await trainer.batch() or []) == ["g0", "g1", "g2", "g3"]


async def test_a_push_of_which_nothing_can_be_found_out_is_never_made_again(
    address: str, trainer: Trainer, tmp_path: Path
) -> None:
    await trainer.begin(batch_size=8)
    groups = [a_group(number) for number in range(2)]
    async with in_front_of(address, failing(0, "after")) as gateway:
        with pytest.raises(TrainerError, match="502"):
            await push(gateway, groups, tmp_path / "pushes")
    assert (await push(address, [a_group(9)], tmp_path / "of another source")).received == 1
    for _ in range(2):
        pushed = await push(address, groups, tmp_path / "pushes")
        (why,) = pushed.left_out
        assert "nobody can say whether it arrived" in why
    assert await trainer.waiting() == 3


async def test_a_queue_that_is_not_there_is_told_of_in_a_sentence(tmp_path: Path) -> None:
    with pytest.raises(TrainerError, match="cannot be reached"):
        await push("http://127.0.0.1:9", [a_group(0)], tmp_path / "pushes")


def test_a_file_of_pushes_is_one_processs_at_a_time(tmp_path: Path) -> None:
    with (
        open_pushes(tmp_path / "pushes"),
        pytest.raises(SettingsError, match="locked"),
        open_pushes(tmp_path / "pushes"),
    ):
        pass
    (tmp_path / "odd").write_text("no pushes " * 99, encoding="utf-8")
    with pytest.raises(SettingsError, match="nothing was pushed"), open_pushes(tmp_path / "odd"):
        pass
    assert (tmp_path / "pushes").stat().st_mode & 0o077 == 0


_INFO = {"batch_size": 4, "max_token_len": 99}
LIES: dict[str, dict[str, Any]] = {
    "a batch of many": {"/info": {**_INFO, "batch_size": "many"}},
    "no longest text": {"/info": {"batch_size": 4}},
    "a source without a number": {"/info": _INFO, "/register-env": {"status": "success", "env_id": None}},
    "a queue of words": {
        "/info": _INFO,
        "/register-env": {"status": "success", "env_id": 1},
        "/status": {"queue_size": "long"},
    },
    "a list for an object": {"/info": [1]},
}


@pytest.mark.parametrize("answers", LIES.values(), ids=LIES)
async def test_a_queue_that_answers_what_is_none_is_told_of_in_a_sentence(
    answers: dict[str, Any], tmp_path: Path
) -> None:
    async def lie(request: Request) -> JSONResponse:
        return JSONResponse(answers.get(request.url.path, {}))

    app = Starlette(routes=[Route("/{path:path}", lie, methods=["GET", "POST"])])
    async with embedded(app, asyncio.Event()) as url:
        with pytest.raises(TrainerError, match="wanted"):
            await push(url, [a_group(0)], tmp_path / "pushes")
