"""Whole games of language models on the conductor's floor, over the wire, against the scripted model's server."""

import json
import re
from collections import Counter, defaultdict
from collections.abc import AsyncGenerator, Callable, Iterable, Mapping
from contextlib import asynccontextmanager
from dataclasses import replace
from itertools import pairwise
from typing import Any

import pytest

from checkpoints.store import Store
from entente.errors import PlayerError
from entente.games.interview import interview
from entente.games.line import records_on_line
from entente.games.runner import GameMaster, RunEnd, Standing
from entente.models.client import Connections
from entente.models.mock.plan import Fault, Plan
from entente.models.mock.server import MockServer, Recorded, mock_server
from entente.models.tokens import letters_a_token
from entente.players.protocol import Player
from entente.players.record import NoticeKind, TurnRecord
from entente.players.seating import Chair, Seating
from graph.context import GameSettings

FRANCE = "france"
_PRESS = re.compile(r"<press (\S+) from ([A-Z]+) to ([A-Z]+),")
IMPATIENT = {"attempt_seconds": 0.4, "total_seconds": 0.4}


@asynccontextmanager
async def at_the_table(
    store: Store, plan: Plan | None = None
) -> AsyncGenerator[tuple[MockServer, GameMaster]]:
    async with mock_server(plan) as server, Connections() as connections:
        yield server, GameMaster(store, Seating(connections, {}))


def seven(server: MockServer, **settings: object) -> GameSettings:
    """Seven models, the one of FRANCE by a name of its own."""
    values: dict[str, object] = {
        "everyone": f"openai:mock@{server.url}",
        "seats": {"FRANCE": f"openai:{FRANCE}@{server.url}"},
        "floor": "conductor",
        "debounce_ms": 0,
        "max_wakes": 40,
        "max_year": 1901,
        "stalemate_years": 0,
    }
    return GameSettings.model_validate(values | settings)


async def turns_of(store: Store, standing: Standing) -> list[TurnRecord]:
    records = await records_on_line(store.journal, standing.game, standing.state)
    return [record for record in records if isinstance(record, TurnRecord)]


async def kept(store: Store, game: str) -> list[TurnRecord]:
    """Every turn that the journal has."""
    return await store.journal.turns(game, [segment.id for segment in await store.journal.segments(game)])


def power_of(request: Recorded) -> str:
    found = re.search(r"\nYou are (\w+)\.\n", str(request.messages[0]["content"]))
    assert found
    return found[1]


def task_of(request: Recorded) -> str:
    return str(request.messages[-1]["content"])


def is_fold(request: Recorded) -> bool:
    return task_of(request).startswith("# A new year: fold your diary")


def by_power(requests: Iterable[Recorded]) -> dict[str, list[Recorded]]:
    """Every power's turns' requests in the order in which they were made."""
    asked: defaultdict[str, list[Recorded]] = defaultdict(list)
    for request in requests:
        if not is_fold(request):
            asked[power_of(request)].append(request)
    return asked


def texts(request: Recorded, *roles: str) -> str:
    return "\n".join(str(m["content"]) for m in request.messages if m["role"] in roles)


async def test_seven_models_play_a_game_of_one_call_a_waking(memory_store: Store) -> None:
    async with at_the_table(memory_store) as (server, master):
        standing = await master.run(await master.begin(seven(server, max_year=1902)))
        turns = await turns_of(memory_store, standing)
        assert standing.end is RunEnd.FINISHED
        assert [len(turn.calls) for turn in turns] == [1] * len(turns)
        assert len(server.requests) == len(turns)
        assert not [notice for turn in turns for notice in turn.notices]
        movement = [turn for turn in turns if turn.phase.endswith("M") and turn.stage != "diary"]
        assert {turn.stage for turn in movement} == {"talk"}
        assert {turn.power for turn in movement if turn.orders} == {turn.power for turn in movement}
        assert any(turn.messages and turn.orders for turn in movement)
        folded = [(turn.phase, turn.calls[0].purpose) for turn in turns if turn.stage == "diary"]
        assert folded == [("S1902M", "diary")] * 7


@pytest.mark.parametrize("settings", [{"models": {"actions": "json"}}, {"wake": "every-event"}], ids=str)
async def test_models_play_without_tools_and_with_every_event(
    memory_store: Store, settings: dict[str, Any]
) -> None:
    async with at_the_table(memory_store) as (server, master):
        standing = await master.run(await master.begin(seven(server, **settings)))
        turns = await turns_of(memory_store, standing)
        assert standing.end is RunEnd.FINISHED
        assert len(server.requests) == sum(len(turn.calls) for turn in turns) == len(turns)
        assert not [notice for turn in turns for notice in turn.notices]


async def test_every_call_reads_in_the_journals_order_what_stood_when_it_was_made(
    memory_store: Store,
) -> None:
    async with at_the_table(memory_store) as (server, master):
        standing = await master.run(await master.begin(seven(server, max_year=1902)))
        turns = [turn for turn in await turns_of(memory_store, standing) if turn.stage != "diary"]
        place = {m.id: n for n, m in enumerate(m for turn in turns for m in turn.messages)}
        for power, asked in by_power(server.requests).items():
            own = [turn for turn in turns if turn.power == power]
            assert len(own) == len(asked)
            for request, turn in zip(asked, own, strict=True):
                shown = _PRESS.findall(texts(request, "user"))
                read = [place[id_] for id_, _, _ in shown]
                assert read == sorted(set(read))
                assert all(to in (power, "BROADCAST") for _, _, to in shown)
                assert read == reached(power, turn, turns, place)


def reached(power: str, turn: TurnRecord, turns: list[TurnRecord], place: dict[str, int]) -> list[int]:
    """The places of the messages that others had written to the power, or to all, when it was asked for the turn."""
    first = next(n for n, other in enumerate(turns) if other.phase == turn.phase)
    after = turn.waking.after if turn.waking else turns.index(turn) - first
    stood = [other for other in turns[: first + after] if other.power != power]
    return [place[m.id] for other in stood for m in other.messages if m.recipient in (power, "BROADCAST")]


async def test_the_whole_game_is_read_and_only_what_is_new_is_written_anew(memory_store: Store) -> None:
    async with at_the_table(memory_store) as (server, master):
        await master.run(await master.begin(seven(server, max_year=1902)))
        asked = by_power(server.requests)["FRANCE"]
        assert "# S1901M: BOARD_STATE" in texts(asked[-1], "user")
        assert "# PHASE_CHANGE from S1901M to F1901M" in texts(asked[-1], "user")
        own = sum(len(m.get("tool_calls") or ()) for m in asked[-1].messages)
        assert own == len([m for m in asked[-1].messages if m["role"] == "tool"])
        for before, after in pairwise(asked):
            if opening(before) == opening(after):
                assert after.messages[: len(before.messages)] == before.messages
            else:
                past = behind(before)[1:]
                assert after.messages[1 : len(past) + 1] == tuple(past)
        began = [json.dumps((r.tools, r.messages[0])) for r in asked]
        # Its limits are told anew once: after the first phase, when the server's tokens are known.
        assert sum(before != after for before, after in pairwise(began)) == 1


def opening(request: Recorded) -> str:
    """The phase's opening, which stands in one message of the conversation."""
    return next(
        t for m in request.messages if "\n# Your units and what they can do\n" in (t := str(m["content"]))
    )


def behind(request: Recorded) -> list[dict[str, Any]]:
    """What lies before the phase's opening."""
    own = opening(request)
    return list(request.messages[: next(n for n, m in enumerate(request.messages) if m["content"] == own)])


async def test_press_is_never_in_a_message_of_the_systems(memory_store: Store) -> None:
    async with at_the_table(memory_store) as (server, master):
        await master.run(await master.begin(seven(server)))
        assert any("<press " in texts(request, "user") for request in server.requests)
        for request in server.requests:
            assert [message["role"] for message in request.messages].count("system") == 1
            assert not _PRESS.search(texts(request, "system", "assistant", "tool"))


def weight(message: Mapping[str, Any]) -> int:
    """The characters of a message's words, and of its calls' names and arguments."""
    calls = [call["function"] for call in message.get("tool_calls") or ()]
    return len(str(message["content"] or "")) + sum(len(c["name"]) + len(c["arguments"]) for c in calls)


async def test_a_window_is_kept_by_every_call_of_its_seat(memory_store: Store) -> None:
    async with at_the_table(memory_store) as (server, master):
        # The phase in play is always shown whole: without a cap its length is a matter of who is woken when.
        settings = seven(server, max_year=1903, max_wakes=4, seat_models={"FRANCE": {"history_tokens": 3000}})
        standing = await master.run(await master.begin(settings))
        assert standing.end is RunEnd.FINISHED
        asked = by_power(server.requests)
        weights = [sum(map(weight, request.messages[1:])) for request in asked["FRANCE"]]
        assert max(weights) <= 3000 * letters_a_token("openai:mock")
        assert max(sum(map(weight, request.messages[1:])) for request in asked["ITALY"]) > max(weights)
        assert str(asked["FRANCE"][-1].messages[1]["content"]).startswith("(Your oldest turns, ")


async def test_a_dead_provider_pauses_the_game_and_no_turn_that_stands_is_asked_for_again(
    store: Store,
) -> None:
    refused = tuple(range(10, 14))
    async with at_the_table(store, Plan(faults=(Fault(kind="401", calls=refused),))) as (server, master):
        game = await master.begin(seven(server))
        with pytest.raises(PlayerError, match=r"failed in S1901M: .*The game is paused"):
            await master.run(game)
        stands = await kept(store, game)
        heard = [request for request in server.requests if request.fault is None]
        assert len(stands) == len(heard)
        failed = len(server.requests) - len(heard)
        before = {json.dumps(request.messages) for request in heard}
        while (await store.library.summary(game)).status == "paused":
            try:
                await master.run(game)
            except PlayerError:
                continue
        again = [request for request in server.requests[len(stands) + failed :] if request.fault is None]
        assert not before & {json.dumps(request.messages) for request in again}
        turns = await turns_of(store, await master.look(game))
        assert sum(len(turn.calls) for turn in turns) == len(turns) == len(stands) + len(again)
        assert {(t.segment, t.power, t.number) for t in stands} <= {
            (t.segment, t.power, t.number) for t in turns
        }


async def test_a_stand_in_talks_and_orders_for_a_provider_that_fails(memory_store: Store) -> None:
    plan = Plan(faults=(Fault(kind="401", model=FRANCE, calls=(1,)),))
    async with at_the_table(memory_store, plan) as (server, master):
        standing = await master.run(await master.begin(seven(server, on_failure="dumbbot")))
        french = [turn for turn in await turns_of(memory_store, standing) if turn.power == "FRANCE"]
        spring, later = french[0], [turn for turn in french if turn.phase != "S1901M"]
        assert standing.end is RunEnd.FINISHED
        assert {turn.stand_in for turn in french if turn.phase == "S1901M"} == {"dumbbot"}
        assert len(spring.orders) == 3
        assert later
        assert not any(turn.stand_in for turn in later)
        # What was done in its place is its own past.
        assert "A PAR" in json.dumps(by_power(server.requests)["FRANCE"][-1].messages[2])


async def test_a_model_that_never_answers_holds_its_phase_until_its_time_is_over(memory_store: Store) -> None:
    plan = Plan(faults=(Fault(kind="hang", model=FRANCE),))
    async with at_the_table(memory_store, plan) as (server, master):
        settings = seven(server, on_failure="hold", seat_models={"FRANCE": IMPATIENT})
        standing = await master.run(await master.begin(settings))
        turns = await turns_of(memory_store, standing)
        assert standing.end is RunEnd.FINISHED
        assert {turn.stand_in for turn in turns if turn.power == "FRANCE"} == {"hold"}
        assert not any(turn.stand_in for turn in turns if turn.power != "FRANCE")


async def test_a_deadline_closes_the_phase_and_says_who_was_late(memory_store: Store) -> None:
    plan = Plan(faults=(Fault(kind="hang", model=FRANCE),))
    async with at_the_table(memory_store, plan) as (server, master):
        # What France orders elsewhere than on the floor is a stand-in's, since no deadline closes those phases.
        patience = {"attempt_seconds": 5, "total_seconds": 5}
        settings = seven(server, deadline_seconds=2, on_failure="hold", seat_models={"FRANCE": patience})
        standing = await master.run(await master.begin(settings))
        turns = [turn for turn in await turns_of(memory_store, standing) if turn.stage == "talk"]
        assert standing.end is RunEnd.FINISHED
        for phase in (await memory_store.journal.phases(standing.game, standing.state["history"]))[:2]:
            played = [turn for turn in turns if turn.phase == phase.phase]
            late = {t.power for t in played for notice in t.notices if notice.kind is NoticeKind.LATE}
            ordered = {turn.power for turn in played if turn.orders}
            assert "FRANCE" in late
            assert late.isdisjoint(ordered)
            assert {r.power for r in phase.results if r.is_default} == late
            assert late | ordered == {result.power for result in phase.results}


@pytest.mark.parametrize("kind", ["garbage", "bad_tool", "truncate"])
async def test_what_a_model_cannot_say_well_is_recorded_and_never_ends_the_game(
    memory_store: Store, kind: str
) -> None:
    plan = Plan.model_validate({"faults": [{"kind": kind, "every": 3}]})
    async with at_the_table(memory_store, plan) as (server, master):
        standing = await master.run(await master.begin(seven(server)))
        turns = await turns_of(memory_store, standing)
        assert standing.end is RunEnd.FINISHED
        assert max(Counter(len(turn.calls) for turn in turns)) == 2


async def test_a_seat_is_asked_with_all_that_it_has_heard(memory_store: Store) -> None:
    plan = Plan(faults=(Fault(kind="401", calls=tuple(range(18, 40))),))
    async with mock_server(plan) as server, Connections() as connections:
        seating = Seating(connections, {})
        master = GameMaster(memory_store, seating)
        game = await master.begin(seven(server))
        with pytest.raises(PlayerError):
            await master.run(game)
        heard = [turn for turn in await kept(memory_store, game) if turn.power == "ITALY"]
        before = len(server.requests)
        async with mock_server() as other:
            reply = await interview(
                memory_store, at_server(other, seating), game, "ITALY", "Whom do you trust?"
            )
            (asked,) = other.requests
        assert reply.text
        assert len(server.requests) == before
        assert task_of(asked).rstrip().endswith("Whom do you trust?")
        assert sum(m["role"] == "assistant" for m in asked.messages) == len(heard) > 0


async def test_what_came_later_is_not_known_to_a_seat_that_is_asked_of_an_earlier_moment(
    memory_store: Store,
) -> None:
    async with mock_server() as server, Connections() as connections:
        seating = Seating(connections, {})
        master = GameMaster(memory_store, seating)
        game = (await master.run(await master.begin(seven(server)))).game
        await interview(memory_store, seating, game, "ITALY", "Whom do you trust?", "F1901M")
        asked = server.requests[-1]
        assert "# F1901M, waking 1 of" in task_of(asked)
        assert "<press S1901M." in texts(asked, "user")
        assert "<press F1901M." not in texts(asked, "user")


def at_server(server: MockServer, seating: Seating) -> Callable[[Chair], Player]:
    """The same seats, their models at this server."""
    return lambda chair: seating(replace(chair, player=f"openai:mock@{server.url}"))
