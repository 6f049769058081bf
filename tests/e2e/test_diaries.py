"""Diaries of language models in whole games: folded once a year beside the round, found again, and nobody else's."""

import asyncio
import json
import re
from collections import Counter
from collections.abc import AsyncGenerator, Sequence
from contextlib import asynccontextmanager
from itertools import pairwise
from typing import NamedTuple

import pytest

from checkpoints.store import Store, open_store
from entente.errors import PlayerError
from entente.events import EventKind
from entente.games.digest import journal_digest
from entente.games.forks import fork_game
from entente.games.line import records_on_line
from entente.games.runner import GameMaster, RunEnd, Standing
from entente.models.client import Connections
from entente.models.mock.plan import Fault, Plan
from entente.models.mock.server import MockServer, Recorded, mock_server
from entente.players.actions import UpdateMemory
from entente.players.bundle import DIARY, Bundle, Fold
from entente.players.projection import events_of
from entente.players.protocol import Reply
from entente.players.record import NoticeKind, TurnRecord
from entente.players.roster import make_player
from entente.players.seating import Seating
from graph.context import GameSettings
from tests.support.floors import settings_for
from tests.support.patience import PATIENCE

MODELS = ("FRANCE", "ITALY")


@asynccontextmanager
async def at_the_table(
    store: Store, plan: Plan | None = None
) -> AsyncGenerator[tuple[MockServer, GameMaster]]:
    async with mock_server(plan) as server, Connections() as connections:
        yield server, GameMaster(store, Seating(connections, {}))


def seats(server: MockServer, **settings: object) -> GameSettings:
    """A short game, of diplomats if not otherwise said, with models in the seats of FRANCE and ITALY."""
    models = {power: f"openai:{power.lower()}@{server.url}" for power in MODELS}
    values = {"everyone": "diplomat", "seats": models, "rounds": 2, "max_year": 1902, "stalemate_years": 0}
    return settings_for(values, settings)


async def turns_of(store: Store, standing: Standing) -> list[TurnRecord]:
    records = await records_on_line(store.journal, standing.game, standing.state)
    return [record for record in records if isinstance(record, TurnRecord)]


async def diaries_of(store: Store, standing: Standing) -> list[TurnRecord]:
    return [turn for turn in await turns_of(store, standing) if turn.stage == "diary"]


class Played(NamedTuple):
    """What came of a game that was played to its end."""

    requests: Sequence[Recorded]
    """What its models were asked."""
    diaries: Sequence[TurnRecord]


@pytest.fixture(scope="module")
def played() -> Played:
    """Two years in rounds, played once for all tests that look at what became of them."""

    async def play() -> Played:
        async with open_store("memory") as store, at_the_table(store) as (server, master):
            standing = await master.run(await master.begin(seats(server)))
            return Played([*server.requests], await diaries_of(store, standing))

    return asyncio.run(play())


def text_of(turn: TurnRecord) -> str:
    return next((str(a.value) for a in turn.actions if a.tool == "update_memory" and a.key == DIARY), "")


def task_of(request: Recorded) -> str:
    return str(request.messages[-1]["content"])


def is_fold(request: Recorded) -> bool:
    return task_of(request).startswith("# A new year: fold your diary")


async def test_each_models_diary_is_folded_once_a_year_beside_the_first_round(memory_store: Store) -> None:
    async with at_the_table(memory_store) as (server, master):
        standing = await master.run(await master.begin(seats(server, everyone="hold", max_year=1903)))
        turns = await diaries_of(memory_store, standing)
        assert [(t.phase, t.power) for t in turns] == [(y, p) for y in ("S1902M", "S1903M") for p in MODELS]
        assert [[call.purpose for call in turn.calls] for turn in turns] == [["diary"]] * 4
        talk = [t for t in await turns_of(memory_store, standing) if t.stage == "talk" and t.calls]
        assert sum(turn.phase == "S1902M" for turn in talk) == 4
        # The two powers' folds are under way at once, and reach the server in either order.
        first, second = (task_of(r) for r in server.requests if is_fold(r) and r.model == "france")
        assert "# Your diary until now" not in first
        assert "# S1901M" in first
        assert f"# Your diary until now\n<memory>{text_of(turns[0])}</memory>" in second
        assert "# S1902M" in second
        assert "# F1901M" not in second
        assert standing.state["memories"]["FRANCE"][DIARY] == text_of(turns[2])


class Meeting:
    """A player whose first turn of 1902 and whose fold both wait until the other has begun."""

    def __init__(self) -> None:
        self.has_begun = {"turn": asyncio.Event(), "fold": asyncio.Event()}

    async def take_turn(self, bundle: Bundle, /) -> Reply:
        if (str(bundle.board.phase), bundle.round) == ("S1902M", 1):
            await self._meet("turn", "fold")
        return Reply()

    async def keep_diary(self, fold: Fold, /) -> Reply:
        await self._meet("fold", "turn")
        return Reply([UpdateMemory(key=DIARY, value="We met.")])

    async def _meet(self, mine: str, other: str) -> None:
        self.has_begun[mine].set()
        await asyncio.wait_for(self.has_begun[other].wait(), timeout=PATIENCE)


async def test_the_fold_and_the_round_are_under_way_at_once(memory_store: Store) -> None:
    meeting = Meeting()
    master = GameMaster(
        memory_store, lambda chair: meeting if chair.power == "FRANCE" else make_player(chair.player)
    )
    standing = await master.run(await master.begin(GameSettings(everyone="hold", rounds=2, max_year=1902)))
    assert standing.state["memories"]["FRANCE"] == {DIARY: "We met."}


def test_a_fold_is_in_no_round_that_goes_on_beside_it_and_in_every_prompt_from_the_next_on(
    played: Played,
) -> None:
    diary = text_of(played.diaries[0])
    asked = [r for r in played.requests if r.model == "france" and not is_fold(r)]
    beside, *after = (json.dumps(r.messages) for r in asked if re.search("# .1902M, ", task_of(r)))
    assert diary not in beside
    assert len(after) > 3  # the spring's second round and orders, and the fall's
    assert all(diary in text for text in after)
    fall = [r for r in asked if "# F1902M" in json.dumps(r.messages)]
    assert all("# Your diary\n" in str(r.messages[1]["content"]) for r in fall)


def test_a_fold_begins_as_all_calls_of_its_seat_do(played: Played) -> None:
    for model in ("france", "italy"):
        asked = [request for request in played.requests if request.model == model]
        assert any(map(is_fold, asked))
        began = [json.dumps((request.tools, request.messages[0])) for request in asked]
        # Its limits are told anew once: after the first phase, when the server's tokens are known.
        assert sum(before != after for before, after in pairwise(began)) == 1
        assert all(began[asked.index(request)] == began[-1] for request in asked if is_fold(request))


def test_a_prompts_beginning_stays_as_it_was_within_a_phase_with_a_fold(played: Played) -> None:
    asked = [r for r in played.requests if r.model == "france" and not is_fold(r)]
    spring = [r.messages for r in asked if "# S1902M, talk, round 1" in str(r.messages[1]["content"])]
    assert len(spring) == 3
    for before, after in pairwise(spring):
        assert after[: len(before)] == before


async def test_without_talk_it_is_folded_beside_the_orders(memory_store: Store) -> None:
    async with at_the_table(memory_store) as (server, master):
        standing = await master.run(await master.begin(seats(server, floor="gunboat")))
        turns = await diaries_of(memory_store, standing)
        assert [(turn.phase, turn.power) for turn in turns] == [("S1902M", power) for power in MODELS]
        fall = [json.dumps(r.messages) for r in server.requests if "# F1902M, orders" in task_of(r)]
        assert fall
        assert all("# Your diary" in text for text in fall)


async def test_no_diary_is_kept_where_none_is_wanted(memory_store: Store) -> None:
    async with at_the_table(memory_store) as (server, master):
        settings = seats(server, everyone="hold", seat_models={"FRANCE": {"max_diary_tokens": 0}})
        standing = await master.run(await master.begin(settings))
        assert [turn.power for turn in await diaries_of(memory_store, standing)] == ["ITALY"]


async def test_resumed_after_a_failure_a_fold_that_stands_is_not_asked_for_again(
    store: Store, italys_spring: tuple[int, ...]
) -> None:
    refused = Fault(kind="401", model="italy", calls=italys_spring)
    async with at_the_table(store, Plan(faults=(refused,))) as (server, master):
        game = await master.begin(seats(server))
        with pytest.raises(PlayerError, match=r"ITALY .* failed in S1902M"):
            await master.run(game)
        standing = await master.run(game)
        assert standing.end is RunEnd.FINISHED
        assert Counter(r.model for r in server.requests if is_fold(r))["france"] == 1
        assert len(await diaries_of(store, standing)) == 2


@pytest.fixture(scope="module")
def italys_spring(played: Played) -> tuple[int, ...]:
    """Italy's two calls of the spring of 1902 that are made at once: the round and the fold."""
    italys = [request for request in played.requests if request.model == "italy"]
    return tuple(
        number
        for number, request in enumerate(italys, 1)
        if is_fold(request) or "# S1902M, talk, round 1" in task_of(request)
    )


async def test_a_fold_that_fails_where_somebody_stands_in_is_made_up_for_a_year_later(
    memory_store: Store, italys_spring: tuple[int, ...]
) -> None:
    refused = Fault(kind="401", model="italy", calls=italys_spring)
    async with at_the_table(memory_store, Plan(faults=(refused,))) as (server, master):
        settings = seats(server, on_failure="hold", max_year=1903)
        standing = await master.run(await master.begin(settings))
        missed, made_up = [t for t in await diaries_of(memory_store, standing) if t.power == "ITALY"]
        assert [notice.kind for notice in missed.notices] == [NoticeKind.DIARY_NOT_FOLDED]
        assert (text_of(missed), missed.calls) == ("", ())
        assert text_of(made_up)
        last = next(task_of(r) for r in reversed(server.requests) if is_fold(r) and r.model == "italy")
        assert "# S1901M" in last
        assert "# S1902M" in last


async def test_a_fork_at_a_turn_keeps_the_folds_beside_it_and_one_at_the_phase_folds_anew(
    memory_store: Store,
) -> None:
    async with at_the_table(memory_store) as (server, master):
        standing = await master.run(await master.begin(seats(server)))
        before = await journal_digest(memory_store.journal, standing.game, standing.state)
        for at, folds in (("S1902M.1.ENGLAND", 0), ("S1902M.2", 0), ("S1902M", 2)):
            made = len(server.requests)
            forked = await master.run(await fork_game(memory_store, standing.game, at, {}))
            assert sum(map(is_fold, server.requests[made:])) == folds
            kept = await diaries_of(memory_store, forked)
            assert [text_of(turn) for turn in kept] == [
                text_of(turn) for turn in await diaries_of(memory_store, standing)
            ]
        assert before == await journal_digest(memory_store.journal, standing.game, standing.state)


def test_only_the_owner_and_the_operator_are_told_of_a_diary(played: Played) -> None:
    (turn, _) = played.diaries
    for reader in ("FRANCE", "OPERATOR"):
        (event,) = events_of(turn, reader)
        assert (event.kind, event.data["diary"]) == (EventKind.DIARY, text_of(turn))
    assert events_of(turn, "ITALY") == events_of(turn, "PUBLIC") == []
