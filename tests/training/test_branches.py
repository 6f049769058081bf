"""Continuations of one moment: they begin alike, go on by themselves, and are compared with each other."""

from collections.abc import AsyncGenerator
from pathlib import Path
from typing import Any

import pytest

from checkpoints.store import Store
from entente.errors import EntenteError, SettingsError, UnknownMoment
from entente.games.line import records_on_line
from entente.games.reading import begun_state
from entente.games.runner import RunEnd
from entente.players.moments import moment_of
from entente.players.record import TurnRecord
from entente.players.roster import make_player
from entente.training.config import DiplomacyConfig, parse_config
from entente.training.environment import DiplomacyEnvironment
from entente.training.groups import grouped
from entente.training.policy import PlayerPolicy
from entente.training.record_check import read_records
from entente.training.rewards import SUM_TO_ONE
from entente.training.token_rows import LocalTokenizer
from tests.support.canaries import POWERS, foreign
from tests.support.copied import copy_of, fill
from tests.training.policies import make_tokenizer, telling_server

TRAINED = ("FRANCE", "ITALY")
NOBODY = "http://127.0.0.1:9"
"""An address at which no policy answers."""


def config(url: str, size: int = 2, **game: Any) -> DiplomacyConfig:
    powers = [{"name": power, "model": "policy-v1" if power in TRAINED else "hold"} for power in POWERS]
    return parse_config(
        {
            "game_settings": {"max_turns": 3, "rounds": 1, "powers": powers, **game},
            "server_config": {"url": url, "timeout": 60},
            "training": {"episodes_per_batch": size, "group_size": size, "save_replays": False},
        }
    )


@pytest.fixture(scope="module")
def tokenizer(tmp_path_factory: pytest.TempPathFactory) -> LocalTokenizer:
    return make_tokenizer(tmp_path_factory.mktemp("tokenizer"))


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory, tokenizer: LocalTokenizer) -> Path:
    """A store with the episode `whole`, which is played once and copied for each test."""
    folder = tmp_path_factory.mktemp("episode") / "store"

    async def play(store: Store) -> None:
        async with (
            telling_server(tokenizer) as url,
            DiplomacyEnvironment(config(url), store) as environment,
        ):
            await environment.run_episode("whole")

    fill(folder, play)
    return folder


@pytest.fixture
async def episode(played: Path, tmp_path: Path) -> AsyncGenerator[Store]:
    """A store in which `whole` is over."""
    async with copy_of(played, tmp_path / "store") as store:
        yield store


async def half_a_fork(store: Store, game: str, fork: str) -> None:
    """What is left of a fork whose process was killed while it was made."""
    state = await begun_state(store, game)
    await store.library.fork_rows(game, fork, head=state["history"], settings=state["settings"])


async def test_continuations_begin_alike_and_are_a_group_of_their_own(
    memory_store: Store, tokenizer: LocalTokenizer
) -> None:
    idle, player = "whole-s1902m-0", PlayerPolicy(make_player("dumbbot"))
    async with (
        telling_server(tokenizer, has_secrets=True, idle=idle, policy=player) as url,
        DiplomacyEnvironment(config(url), memory_store) as environment,
    ):
        await environment.run_episode("whole")
        await half_a_fork(memory_store, "whole", idle)
        ends = await environment.branch("whole", "S1902M", years=1)
        assert ["is damaged" in end.reason for end in sorted(ends)] == [True, False]
        await memory_store.library.delete(idle)
        ends = await environment.branch("whole", "S1902M", years=1)
        assert [(end.end, end.reason) for end in ends] == [(RunEnd.FINISHED, "")] * 2
        records = [await environment.record(end.game.id) for end in sorted(ends)]
        again = await environment.branch("whole", "s1902m", years=1)
    assert all(end.was_over for end in again)
    assert [record.episode.episode_id for record in records] == [idle, "whole-s1902m-1"]
    for record in records:
        episode = record.episode
        assert (episode.forked_from, episode.group_id) == ("whole", "whole-s1902m")
        assert {call.phase[1:5] for call in record.calls if call.trainable} == {"1902"}
        assert {call.phase[1:5] for call in record.calls} == {"1901", "1902"}
        assert all(sum(episode.scores[name].values()) == pytest.approx(1) for name in SUM_TO_ONE)
    assert [*read_records([line for r in records for line in r.lines()], "it")] == records

    found = grouped(records, 2, {})
    assert found.left_out == []
    for seat in TRAINED:
        first = next(group for group in found.groups if (group.seat, group.place) == (seat, 0))
        left, right = first.members
        assert left.call.prompt == right.call.prompt, "continuations did not begin alike"
        assert left.call.prompt_token_ids == right.call.prompt_token_ids
        for group in found.groups:
            if group.seat == seat:
                assert all(foreign(tokenizer.text(m.tokens.ids), seat) == [] for m in group.members)
    assert any(group.teaches for group in found.groups)


async def test_the_decision_on_orders_is_continued_with_all_press_as_it_was(
    episode: Store, tokenizer: LocalTokenizer
) -> None:
    async with (
        telling_server(tokenizer) as url,
        DiplomacyEnvironment(config(url), episode) as environment,
    ):
        ends = await environment.branch("whole", "S1902M.orders", years=1)
        assert [(end.end, end.reason) for end in ends] == [(RunEnd.FINISHED, "")] * 2
        records = [await environment.record(end.game.id) for end in ends]
    found = grouped(records, 2, {})
    for seat in TRAINED:
        first = next(group for group in found.groups if (group.seat, group.place) == (seat, 0))
        left, right = (member.call for member in first.members)
        assert (left.phase, left.task_type, left.prompt) == ("S1902M", "orders", right.prompt)


@pytest.mark.parametrize("game", [{}, {"floor": "conductor"}], ids=["rounds", "conductor"])
async def test_a_turn_is_gone_on_from_and_is_nobodys_to_learn_from_again(
    memory_store: Store, tokenizer: LocalTokenizer, game: dict[str, Any]
) -> None:
    """On the conductor's floor it is one of a power's wakings."""
    async with (
        telling_server(tokenizer) as url,
        DiplomacyEnvironment(config(url, **game), memory_store) as environment,
    ):
        await environment.run_episode("whole")
        line = await records_on_line(memory_store.journal, "whole", await begun_state(memory_store, "whole"))
        talks = [
            turn
            for turn in line
            if isinstance(turn, TurnRecord)
            and (turn.phase, turn.stage) == ("S1902M", "talk")
            and turn.calls
            and not turn.is_note
        ]
        last, at = talks[-1], str(moment_of(talks[0]))
        ends = await environment.branch("whole", at, years=1)
        assert [(end.end, end.reason) for end in ends] == [(RunEnd.FINISHED, "")] * 2
        records = [await environment.record(end.game.id) for end in ends]
        source = await environment.record("whole")
    assert last.power != talks[0].power
    learned = {(call.seat, call.phase, tuple(call.prompt or ())) for call in source.calls if call.trainable}
    for record in records:
        kept = [call for call in record.calls if "inherited" in call.fallback]
        assert (kept[-1].seat, kept[-1].phase) == (talks[0].power, "S1902M")
        assert {(call.seat, call.phase, tuple(call.prompt or ())) for call in kept} <= learned
        assert not any(call.trainable for call in kept)
    firsts = [group for group in grouped(records, 2, {}).groups if group.place == 0]
    at_once = [[member.call for member in group.members] for group in firsts if group.seat != talks[0].power]
    assert len(at_once) == 1
    for left, right in at_once:
        assert (left.phase, left.prompt) == ("S1902M", right.prompt)


async def test_a_continuation_that_fails_leaves_its_group_out(episode: Store) -> None:
    async with DiplomacyEnvironment(config(NOBODY), episode) as environment:
        ends = await environment.branch("whole", "F1902M")
        assert all(end.end is RunEnd.PAUSED and end.reason for end in ends)
        records = [await environment.record(end.game.id) for end in ends]
    assert not any(call.trainable for record in records for call in record.calls)
    found = grouped(records, 2, {})
    assert found.groups == []
    assert found.left_out == ["whole-f1902m has 0 of 2 games that are over."]


WRONG: list[tuple[Any, int, type[EntenteError]]] = [
    ("S1902M.2.FRANCE", 2, UnknownMoment),
    ("S1902M", 1, SettingsError),
    ("S1950M", 2, UnknownMoment),
    ("yesterday", 2, UnknownMoment),
]


@pytest.mark.parametrize(("at", "size", "wanted"), WRONG)
async def test_what_is_no_beginning_of_continuations_is_refused(
    episode: Store, at: str, size: int, wanted: type[EntenteError]
) -> None:
    async with DiplomacyEnvironment(config(NOBODY, size), episode) as environment:
        with pytest.raises(wanted):
            await environment.branch("whole", at)
    assert [each.id for each in await episode.library.games()] == ["whole"]
