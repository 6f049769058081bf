"""Groups: whose rewards are compared with whose."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from entente.training.config import parse_config
from entente.training.groups import grouped
from entente.training.record import Record
from entente.training.token_rows import MASKED
from tests.support.canaries import POWERS
from tests.training.calls import a_call, a_record


def a_game(number: int, calls: int, score: float = 0.1, **values: Any) -> Record:
    said = [
        a_call(
            id=f"g.{number}/{place}",
            episode_id=f"g.{number}",
            group_id="g",
            prompt_token_ids=[1, 2],
            token_ids=[10 * number, place],
            logprobs=[-0.5, -0.25],
        )
        for place in range(calls)
    ]
    scores = {"squares": {"FRANCE": score}, "share": {"FRANCE": 1 - score}}
    about: dict[str, Any] = {"episode_id": f"g.{number}", "group_id": "g", "scores": scores, **values}
    return a_record(said, None, **about)


@given(st.lists(st.tuples(st.integers(1, 5), st.floats(0, 1)), min_size=2, max_size=4))
def test_every_call_is_learned_once_with_the_reward_of_its_own_game(ways: list[tuple[int, float]]) -> None:
    games = [a_game(number, calls, score) for number, (calls, score) in enumerate(ways)]
    found = grouped(games, len(games), {})
    assert found.left_out == []
    assert len(found.groups) == max(calls for calls, _ in ways)
    learned: list[str] = []
    for group in found.groups:
        assert group.rewards == [score for _, score in ways]
        assert group.teaches is (len({score for _, score in ways}) > 1)
        assert [member.call.episode_id for member in group.members] == [g.episode.episode_id for g in games]
        for member in group.members:
            tokens = member.tokens
            assert len(tokens.ids) == len(tokens.mask) == len(tokens.logprobs or ())
            assert (set(tokens.mask) == {MASKED}) is member.is_filler
            if not member.is_filler:
                learned.append(member.call.id)
    assert sorted(learned) == sorted(call.id for game in games for call in game.calls)


LEFT_OUT = [
    ([a_game(0, 1)], "g has 1 of 2 games"),
    ([a_game(0, 1), a_game(1, 1, end_reason=None, scores={})], "g has 1 of 2 games"),
    ([a_game(0, 1), a_game(1, 1, seed=2)], "The games of g were set up in different ways"),
    (
        [a_game(0, 1), a_game(1, 1, models={"ITALY": "dumbbot"})],
        "The games of g were set up in different ways",
    ),
    ([a_game(0, 1), a_game(1, 0)], "FRANCE has nothing to learn from in a game of g"),
]


@pytest.mark.parametrize(("games", "why"), LEFT_OUT, ids=[why for _, why in LEFT_OUT])
def test_what_cannot_be_compared_is_left_out_and_told_of(games: list[Record], why: str) -> None:
    found = grouped(games, 2, {})
    assert found.groups == []
    assert len(found.left_out) == 1
    assert why in found.left_out[0]


def test_a_seat_is_rewarded_by_its_own_score_and_by_what_is_added_for_the_decision() -> None:
    games = [a_game(n, 2, 0.25, rewarded_by={"FRANCE": "share"}) for n in range(2)]
    games[1].calls[0].reward_step["validity"] = -0.5
    assert [group.rewards for group in grouped(games, 2, {}).groups] == [[0.75, 0.25], [0.75, 0.75]]


def test_a_batch_in_groups_is_named_and_seeded_by_them() -> None:
    powers = [{"name": power, "model": "policy-v1", "scorer": "share"} for power in POWERS]
    config = parse_config(
        {
            "game_settings": {"powers": powers},
            "training": {"episodes_per_batch": 4, "group_size": 2},
        }
    )
    assert config.episodes("run") == ["run-0-0", "run-0-1", "run-1-0", "run-1-1"]
    assert [config.group_of(each) for each in config.episodes("run")] == ["run-0", "run-0", "run-1", "run-1"]
    assert config.scorers == dict.fromkeys(POWERS, "share")
