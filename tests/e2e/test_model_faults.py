"""Whole games in which a language model's provider misbehaves: what is tried again, what pauses, who stands in."""

import asyncio
import json
import re
import socket
from collections.abc import AsyncGenerator, Callable, Iterable
from contextlib import AbstractAsyncContextManager, asynccontextmanager, suppress
from pathlib import Path
from typing import Any

import pytest

from checkpoints.store import Store
from entente.cli.show_work import look
from entente.errors import PlayerError
from entente.games.line import records_on_line
from entente.games.repair import repair_game
from entente.games.runner import GameMaster, RunEnd
from entente.models.client import Connections
from entente.models.mock.plan import Fault, FaultKind, Plan
from entente.models.mock.server import MockServer, Recorded, mock_server
from entente.players.projection import events_of
from entente.players.record import NoticeKind, TurnRecord
from entente.players.seating import Seating
from graph.context import GameSettings
from tests.models.support import HandClock
from tests.support.damage import lose_checkpoints
from tests.support.ports import free_port
from tests.support.terminal import apart

LATER = tuple(range(2, 1000))
"""Every call but the first: the provider answers France's first turn, and is gone before its orders."""
SLOW = ("hang", "trickle", "words", "silent")
"""Where an attempt takes all the time that it is given: no call is answered, so that a slow machine changes nothing."""
SHORT = {"max_attempts": 2, "attempt_seconds": 0.75}
PATIENT = {"max_attempts": 4, "attempt_seconds": 40}

Trouble = Callable[[int], AbstractAsyncContextManager[MockServer | None]]
"""What is at a port while France's provider is in trouble, with what it was asked where that is known."""

PLAIN_AND_STREAMED = pytest.mark.parametrize(
    "how", [{}, {"first_token_seconds": 30}], ids=["plain", "streamed"]
)


def failing(kind: FaultKind) -> Trouble:
    """A server that answers once, and fails from then on; one that is slow to fail never answers."""
    calls = () if kind in SLOW else LATER
    return lambda port: mock_server(Plan(faults=(Fault(kind=kind, calls=calls),)), port=port)


@asynccontextmanager
async def words_without_end(port: int) -> AsyncGenerator[None]:
    """A stream of words that never ends: nothing but the time for the whole attempt can end it."""
    chunk = (
        b'data: {"choices": [{"index": 0, "delta": {"content": "and so on "}, "finish_reason": null}]}\n\n'
    )

    async def talk(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"\r\n\r\n")
        writer.write(b"HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\n\r\n")
        with suppress(ConnectionError):
            while not writer.is_closing():
                writer.write(chunk)
                await writer.drain()
                await asyncio.sleep(0.01)

    async with await asyncio.start_server(talk, "127.0.0.1", port):
        yield


@asynccontextmanager
async def closed(port: int) -> AsyncGenerator[None]:
    """Nobody listens."""
    yield


@asynccontextmanager
async def silent(port: int) -> AsyncGenerator[None]:
    """Connections are made, and nobody reads them."""
    with socket.create_server(("127.0.0.1", port)):
        yield


PAUSES: dict[str, tuple[Trouble, str]] = {
    "400": (failing("400"), r'with 400 \("A planned fault: 400\."\); it was asked once'),
    "401": (failing("401"), r'with 401 \("A planned fault: 401\."\); it was asked once'),
    "429": (failing("429"), r'with 429 \("A planned fault: 429\."\); it was asked 4 times'),
    "500": (failing("500"), r'with 500 \("A planned fault: 500\."\); it was asked 4 times'),
    "disconnect": (failing("disconnect"), "it was asked 4 times"),
    "html": (failing("html"), "it was asked 4 times"),
    "hang": (failing("hang"), "it was asked 2 times"),
    "trickle": (failing("trickle"), "it was asked 2 times"),
    "words": (words_without_end, "it was asked 2 times"),
    "closed": (closed, "it was asked 4 times"),
    "silent": (silent, "it was asked 2 times"),
}


def a_game(others: MockServer, france: str, **settings: object) -> GameSettings:
    """A short game of three models, in which France's provider is not the others'."""
    seats = dict.fromkeys(("GERMANY", "ITALY"), f"openai:mock@{others.url}")
    values: dict[str, object] = {
        "everyone": "dumbbot",
        "seats": {**seats, "FRANCE": france},
        "rounds": 1,
        "max_year": 1901,
    }
    return GameSettings.model_validate(values | settings)


async def turns_of(store: Store, game: str) -> list[TurnRecord]:
    """Every turn that the journal has."""
    segments = [segment.id for segment in await store.journal.segments(game)]
    return await store.journal.turns(game, segments)


async def turns_on_line(store: Store, master: GameMaster, game: str) -> list[TurnRecord]:
    records = await records_on_line(store.journal, game, (await master.look(game)).state)
    return [record for record in records if isinstance(record, TurnRecord)]


def answered(servers: Iterable[MockServer | None]) -> list[Recorded]:
    """The requests that were replied to."""
    return [request for server in servers if server for request in server.requests if request.fault is None]


def words(requests: Iterable[Recorded]) -> set[str]:
    return {json.dumps(request.messages) for request in requests}


def calls_in(turns: Iterable[TurnRecord]) -> int:
    return sum(len(turn.calls) for turn in turns)


@PLAIN_AND_STREAMED
@pytest.mark.parametrize("trouble", PAUSES)
async def test_a_provider_that_is_gone_pauses_the_game_and_one_that_is_back_finishes_it(
    memory_store: Store, trouble: str, how: dict[str, Any]
) -> None:
    provider, told = PAUSES[trouble]
    patience: dict[str, Any] = {**how, **(SHORT if trouble in SLOW else {})}
    port, clock = free_port(), HandClock()
    france = f"openai:mock@http://127.0.0.1:{port}/v1"
    async with mock_server() as others, Connections(clock) as connections:
        master = GameMaster(memory_store, Seating(connections, {}))
        game = await master.begin(a_game(others, france, seat_models={"FRANCE": patience}))
        async with provider(port) as before:
            with pytest.raises(PlayerError) as paused:
                await master.run(game)
        sentence = (
            rf"FRANCE \({re.escape(france)}\) failed in S1901M: A reply of .*{told} and no more\. The game"
        )
        assert re.match(sentence, str(paused.value))
        assert paused.value.exit_code == 4
        assert (await memory_store.library.summary(game)).status == "paused"

        kept = await turns_of(memory_store, game)
        heard = answered([others, before])
        assert calls_in(kept) == len(heard)
        reached = "orders" if before and trouble not in SLOW else "talk"
        latest = [turn.power for turn in kept if turn.stage == reached]
        assert len(latest) == 6
        assert "FRANCE" not in latest

        others.model.requests.clear()
        if trouble in SLOW:
            await master.change(game, {}, {"FRANCE": PATIENT}, None)
        async with mock_server(port=port) as after:
            standing = await master.run(game)
        assert standing.end is RunEnd.FINISHED
        heard_again = answered([others, after])
        assert not words(heard) & words(heard_again)
        assert calls_in(await turns_on_line(memory_store, master, game)) == len(heard) + len(heard_again)


@pytest.mark.parametrize("kind", ["429", "500", "disconnect", "html"])
async def test_a_provider_that_fails_now_and_then_is_asked_again(
    memory_store: Store, kind: FaultKind
) -> None:
    clock, plan = HandClock(), Plan(faults=(Fault(kind=kind, every=5, retry_after_seconds=7),))
    async with mock_server(plan) as server, Connections(clock) as connections:
        master = GameMaster(memory_store, Seating(connections, {}))
        everyone = f"openai:mock@{server.url}"
        game = await master.begin(a_game(server, everyone, everyone=everyone))
        assert (await master.run(game)).end is RunEnd.FINISHED
        calls = [call for turn in await turns_on_line(memory_store, master, game) for call in turn.calls]
        failed = len(server.requests) - len(calls)
        assert failed == len(server.requests) // 5 > 2
        assert sum(call.attempts for call in calls) == len(server.requests)
        assert len(clock.slept) == failed
        if kind == "429":
            assert min(clock.slept) >= 7


async def test_a_provider_that_asks_for_more_patience_than_there_is_pauses_the_game_at_once(
    memory_store: Store,
) -> None:
    clock, plan = HandClock(), Plan(faults=(Fault(kind="429", calls=LATER, retry_after_seconds=3600),))
    async with mock_server() as others, mock_server(plan) as limited, Connections(clock) as connections:
        master = GameMaster(memory_store, Seating(connections, {}))
        game = await master.begin(a_game(others, f"openai:mock@{limited.url}"))
        with pytest.raises(PlayerError, match=r"with 429 .* it was asked once and no more"):
            await master.run(game)
        assert clock.slept == []


@pytest.mark.parametrize("name", ["dumbbot", "hold"])
async def test_a_stand_in_plays_for_a_provider_that_never_answers(memory_store: Store, name: str) -> None:
    plan = Plan(faults=(Fault(kind="401"),))
    async with mock_server() as others, mock_server(plan) as dead, Connections() as connections:
        master = GameMaster(memory_store, Seating(connections, {}))
        game = await master.begin(a_game(others, f"openai:mock@{dead.url}", on_failure=name))
        assert (await master.run(game)).end is RunEnd.FINISHED
        turns = await turns_on_line(memory_store, master, game)
        french = [turn for turn in turns if turn.power == "FRANCE"]
        assert {turn.power for turn in turns if turn.stand_in} == {"FRANCE"}
        assert [turn.stand_in for turn in french] == [name] * len(french)
        assert all(stood_in(turn) and is_told_to_all(turn) for turn in french)
        # The provider is tried once more with each phase, and left alone in between.
        tried = [turn for turn in french if "which failed: " in stood_in(turn)]
        assert len(tried) == len(dead.requests)
        assert {turn.phase for turn in tried} == {turn.phase for turn in french}
        assert len(tried) < len(french)
        assert calls_in(turns) == len(others.requests)
        credited = (await look(memory_store, game)).plain()["played_by"]
        assert credited["FRANCE"] == f"{name} for openai:mock@{dead.url}"
        assert credited["ITALY"] == f"openai:mock@{others.url}"


async def test_a_model_whose_provider_is_back_plays_from_the_next_phase_on(memory_store: Store) -> None:
    plan = Plan(faults=(Fault(kind="401", calls=(1,)),))
    async with mock_server() as others, mock_server(plan) as provider, Connections() as connections:
        master = GameMaster(memory_store, Seating(connections, {}))
        game = await master.begin(a_game(others, f"openai:mock@{provider.url}", on_failure="dumbbot"))
        assert (await master.run(game)).end is RunEnd.FINISHED
        french = [turn for turn in await turns_on_line(memory_store, master, game) if turn.power == "FRANCE"]
        assert {turn.phase for turn in french if turn.stand_in} == {"S1901M"}
        later = [turn for turn in french if turn.phase != "S1901M"]
        assert later[0].stage == "talk"
        assert all(turn.calls and not turn.stand_in for turn in later)
        assert calls_in(french) == len(provider.requests) - 1


def stood_in(turn: TurnRecord) -> str:
    """The notice that somebody stood in; empty when there is none."""
    return next((notice.detail for notice in turn.notices if notice.kind is NoticeKind.STOOD_IN), "")


def is_told_to_all(turn: TurnRecord) -> bool:
    return any(f"({turn.stand_in} stands in)" in event.text for event in events_of(turn, "PUBLIC"))


async def test_the_command_exits_with_the_reason_and_resume_finishes(tmp_path: Path) -> None:
    port, at = free_port(), ["--store", str(tmp_path / "store")]
    everyone = f"openai:mock@http://127.0.0.1:{port}/v1"
    plan = Plan(faults=(Fault(kind="401", calls=tuple(range(10, 1000))),))
    async with mock_server(plan, port=port) as before:
        code, told = await entente("play", "--all", everyone, "--rounds", "1", "--max-year", "1901", *at)
    assert code == 4
    reason = (
        r"[A-Z]+ \(openai:mock@\S+\) failed in S1901M: .* failed with 401 .* To try again: entente resume"
    )
    assert re.search(reason, told)
    async with mock_server(port=port) as after:
        code, told = await entente("resume", told.split("entente resume ")[1].split()[0], *at)
    assert code == 0, told
    assert len(answered([before])) == 9
    assert not words(answered([before])) & words(answered([after]))


async def entente(*words: str) -> tuple[int, str]:
    """The command's exit code and what it said of its work."""
    ran = await asyncio.to_thread(apart, *words)
    return ran.code, ran.err


GARBLED_THEN_GONE = Plan(
    faults=(Fault(kind="garbage", calls=(2,)), Fault(kind="500", calls=tuple(range(3, 1000))))
)
"""France's orders come back garbled, and when they are to be mended the provider is gone."""


def finished(server: MockServer) -> list[Recorded]:
    """The calls that came to an end, garbled or not."""
    return [request for request in server.requests if request.fault != "500"]


@pytest.mark.parametrize("is_lost", [False, True], ids=["paused", "repaired"])
async def test_a_garbled_reply_is_not_paid_for_again_when_the_provider_fails_to_mend_it(
    store: Store, is_lost: bool
) -> None:
    port = free_port()
    async with mock_server() as others, Connections(HandClock()) as connections:
        master = GameMaster(store, Seating(connections, {}))
        async with mock_server(GARBLED_THEN_GONE, port=port) as gone:
            game = await master.begin(a_game(others, f"openai:mock@http://127.0.0.1:{port}/v1"))
            with pytest.raises(PlayerError, match=r"FRANCE .*with 500"):
                await master.run(game)
        if is_lost:
            await lose_checkpoints(store, game)
            assert await repair_game(store, game) == "S1901M"
        async with mock_server(port=port) as back:
            standing = await master.run(game)
        assert standing.end is RunEnd.FINISHED
        asked = [json.dumps(request.messages) for request in (*finished(gone), *back.requests)]
        assert len(asked) == len(set(asked))
        turns = [turn for turn in await turns_on_line(store, master, game) if turn.power == "FRANCE"]
        mended = [turn for turn in turns if turn.phase == "S1901M" and turn.stage == "orders"]
        assert [len(turn.calls) for turn in mended] == [2]


async def test_what_a_garbled_reply_has_cost_is_counted_when_a_stand_in_takes_the_turn(
    memory_store: Store,
) -> None:
    async with (
        mock_server() as others,
        mock_server(GARBLED_THEN_GONE) as gone,
        Connections(HandClock()) as connections,
    ):
        master = GameMaster(memory_store, Seating(connections, {}))
        game = await master.begin(a_game(others, f"openai:mock@{gone.url}", on_failure="hold"))
        await master.run(game)
        turns = [t for t in await turns_on_line(memory_store, master, game) if t.power == "FRANCE"]
        assert calls_in(turns) == len(finished(gone)) == 2
