"""A stream misses nothing and tells nothing twice, whoever plays the game; an answer is taken once."""

import asyncio
import json
import re
from collections.abc import Sequence
from contextlib import AsyncExitStack, aclosing
from functools import partial
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import JsonValue

from checkpoints.links import key_of
from checkpoints.locations import JOURNAL_FILE
from checkpoints.store import Store, open_store
from entente.games.pending import PendingSeat
from entente.games.runner import GameMaster
from entente.players.seating import players_of_process
from entente.web.access import Visitor
from entente.web.house import House
from entente.web.stream import told
from graph.context import GameSettings
from tests.support.patience import PATIENCE, until
from tests.web.served import Visit, served

SETTINGS = GameSettings(everyone="diplomat", seats={"FRANCE": "human"}, rounds=1, max_year=1901)
TALKERS = {"FRANCE": "diplomat", "ENGLAND": "diplomat"}
BOTS = GameSettings(everyone="hold", seats=TALKERS, floor="conductor", max_wakes=1, max_year=1901)
ROLES = ("FRANCE", "PUBLIC", "DELAYED-1", "OPERATOR")
EVENT = re.compile(r"id: (\S+)\s+data: (.*)")


async def _told(visit: Visit, cursor: str = "") -> list[str]:
    async with visit.stream(cursor) as stream:
        await stream.until("view")
        return [event["id"] for event in stream.told]


async def test_a_client_that_comes_again_is_told_the_rest_of_a_game_that_another_process_plays(
    shared_location: str,
) -> None:
    async with open_store(shared_location) as here, open_store(shared_location) as elsewhere:
        master = GameMaster(elsewhere)
        standing = await master.run(await master.begin(SETTINGS))
        async with served(here) as page, page.visit(standing.game, "ITALY") as italy:
            async with italy.stream() as stream:
                await stream.until("view")
                assert stream.told == []  # the round waits for FRANCE
                words: dict[PendingSeat, JsonValue] = {seat: {"messages": []} for seat in standing.pending}
                standing = await master.answer(standing.game, words)
                while not stream.told:
                    await stream.until("message")
                cursor, told = stream.cursor, [event["id"] for event in stream.told]
            all_told = await _told(italy)
            assert all_told[: len(told)] == told
            assert len(set(all_told)) == len(all_told)
            assert told + await _told(italy, cursor) == all_told
        async with served(here) as restarted, restarted.visit(standing.game, "ITALY") as italy:
            assert told + await _told(italy, cursor) == all_told
            for strange in ("1-00000000", "999-", "x", f"{cursor}0"):
                async with italy.stream(strange) as stream:
                    await stream.until("view")
                    assert "event: reset" in stream.text
                    assert [event["id"] for event in stream.told] == all_told


async def test_an_answer_that_is_sent_twice_or_late_is_taken_once(store: Store) -> None:
    master = GameMaster(store)
    settings = SETTINGS.model_copy(update={"rounds": 0, "everyone": "hold"})
    game = (await master.run(await master.begin(settings))).game
    async with served(store) as page, page.visit(game, "FRANCE") as france:
        asked = (await france.get("/seat")).json()
        answer = {"question": asked["id"], "orders": ["A PAR - BUR", "A MAR H", "F BRE H"]}
        refused = await france.post("/answer", {**answer, "orders": ["A PAR - MOS"]})
        assert (refused.status_code, "MOS" in refused.json()["error"]) == (422, True)
        sent = await asyncio.gather(*(france.post("/answer", answer) for _ in range(2)))
        assert sorted(each.status_code for each in sent) == [204, 409]
        late = await france.post("/answer", answer)
        assert (late.status_code, "no longer open" in late.json()["error"]) == (409, True)
        await until(partial(_results, france, "S1901M"))
    assert "A BUR" in (await master.look(game)).state["board"]["units"]["FRANCE"]


async def _results(visit: Visit, phase: str) -> object:
    """Of the phase's orders; None until they are adjudicated."""
    return (await visit.get("/board", at=phase)).json()["results"]


async def test_whoever_runs_a_game_plays_it_on_and_nobody_else_does(memory_store: Store) -> None:
    settings = SETTINGS.model_copy(update={"seats": {}, "rounds": 0, "everyone": "hold"})
    game = await GameMaster(memory_store).begin(settings)
    async with served(memory_store) as page, page.visit(game, "OPERATOR") as operator:
        async with page.visit(game, "FRANCE") as france:
            for act in ("/run", "/pause"):
                assert (await france.post(act, {})).status_code == 403
        assert (await operator.post("/pause", {})).status_code == 409
        assert (await operator.post("/run", {})).status_code == 204
        async with operator.stream() as stream:
            await stream.until("end")
            assert stream.view["status"] == "finished"


@settings(max_examples=3)
@given(st.lists(st.integers(0, 12), min_size=2, max_size=8))
def test_wherever_clients_drop_off_each_is_told_every_event_of_a_live_game_once_and_in_order(
    counts: list[int],
) -> None:
    async def play() -> None:
        async with open_store("memory") as store, asyncio.timeout(PATIENCE):
            here = House.over(store, players_of_process())
            game = await GameMaster(store).begin(BOTS)
            made = [await store.links.make(game, role, seconds=3600) for role in ROLES]
            visitors = [Visitor(each.link, key_of(each.token)) for each in made]
            async with asyncio.TaskGroup() as together:
                clients = [
                    together.create_task(_told_in_parts(here, visitor, game, counts)) for visitor in visitors
                ]
                together.create_task(here.host.run(game))
            for client, visitor in zip(clients, visitors, strict=True):
                assert client.result() == await _told_in_parts(here, visitor, game) != []
                assert len(set(client.result())) == len(client.result())
            await here.close()

    with pytest.MonkeyPatch.context() as patched:
        patched.setattr("entente.web.written.MOST_UNREAD", 1)  # an event at a time
        asyncio.run(play())


async def _told_in_parts(here: House, visitor: Visitor, game: str, counts: Sequence[int] = ()) -> list[str]:
    """The ids of what a client is told that drops off after so many events, each time, and comes again."""
    came: list[str] = []
    cursor = ""
    for count in (*counts, None):
        last = None if count is None else len(came) + count
        async with aclosing(told(here, visitor, game, cursor)) as parts:
            async for part in parts:
                if len(came) == last:  # what is on its way to a client that has gone is lost
                    break
                for cursor, data in EVENT.findall(part.decode()):  # noqa: B007 - where the next visit goes on
                    came.append(json.loads(data)["id"])
    return came


async def test_a_link_has_as_many_streams_as_it_may_and_others_have_theirs(
    memory_store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("entente.web.house.MOST_STREAMS", 2)
    master = GameMaster(memory_store)
    game = (await master.run(await master.begin(SETTINGS))).game
    async with served(memory_store) as page, AsyncExitStack() as streams:
        public, france = [
            await streams.enter_async_context(page.visit(game, reader)) for reader in ("PUBLIC", "FRANCE")
        ]
        for _ in range(2):
            await (await streams.enter_async_context(public.stream())).until("view")
        refused = await public.get("/events")
        assert (refused.status_code, "streams of events of a link" in refused.text) == (429, True)
        await (await streams.enter_async_context(france.stream())).until("view")


async def test_a_stream_that_the_store_ends_is_told_in_a_line_and_taken_up_again(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    async with open_store(str(tmp_path)) as store, served(store) as page:
        master = GameMaster(store)
        game = (await master.run(await master.begin(SETTINGS))).game
        async with page.visit(game, "FRANCE") as visit:
            async with visit.stream() as stream:
                await stream.until("view")
                away = (tmp_path / JOURNAL_FILE).rename(tmp_path / "away")
                await stream.until("nothing: it ends")
            refused = await visit.get()
            away.rename(tmp_path / JOURNAL_FILE)
            assert await _told(visit, stream.cursor) == []
    assert (refused.status_code, str(tmp_path) in refused.text) == (503, False)
    ended, kept_back = (
        [each.getMessage() for each in caplog.records if each.name == name]
        for name in ("entente.web.stream", "entente.errors")
    )
    assert len(ended) == 1
    assert "A stream was ended: The store at" in ended[0]
    assert str(tmp_path) in kept_back[0]
    assert [each for each in caplog.records if each.exc_info] == []
