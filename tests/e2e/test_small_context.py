"""A small model's prompts have room for its reply in 8,192 tokens: on every floor, at every stage, in every year."""

from typing import Literal, get_args

import pytest

from entente.models.tokens import letters_in
from entente.training.told import read_turn
from tests.players.model.crowded import CONTEXT
from tests.support.small_seats import Asked, Floor, every_prompt

REPLY = 500
FEWEST_LETTERS = 2.37
"""A token's, in the worst of some 10,000 prompts of such games, by SmolLM2's own tokenizer: `make small-context`."""
AROUND = 5
"""Tokens that a server writes around a message."""
ORDERS = {"orders", "orders again", "interview"}
DIARY = {"diary", "diary again"}
TALK = {"talk", "talk again"}
STAGES: dict[Floor, set[str]] = {
    "gunboat": ORDERS | DIARY,
    "rounds": TALK | ORDERS | DIARY,
    "conductor": TALK | {"interview"} | DIARY,
}
"""In movement phases; orders alone are wanted in retreats and adjustments, everywhere."""


@pytest.mark.parametrize(
    ("floor", "actions", "last_year"),
    [
        ("gunboat", "tools", 1903),
        ("rounds", "json", 1903),
        ("conductor", "tools", 1903),
        *(
            pytest.param(floor, actions, 1915, marks=pytest.mark.slow)
            for floor in get_args(Floor)
            for actions in ("tools", "json")
        ),
    ],
)
async def test_every_prompt_of_a_game_leaves_room_for_its_reply(
    floor: Floor, actions: Literal["tools", "json"], last_year: int
) -> None:
    asked = await every_prompt(floor, actions, last_year)
    for each in asked:
        if each.stage not in DIARY:
            turn = read_turn(each.request.messages).bundle
            assert (str(turn.board.phase), turn.power) == (each.phase, each.power), each.request.messages[-1]
    longest = max(asked, key=tokens)
    assert tokens(longest) + REPLY <= CONTEXT, longest[:4]
    assert max(each.phase[1:5] for each in asked) == str(last_year)
    assert {each.stage for each in asked if each.phase.endswith("M")} == STAGES[floor]
    for kind in "RA":
        assert {each.stage for each in asked if each.phase.endswith(kind)} >= {"orders", "interview"}


def tokens(asked: Asked) -> float:
    """Of the prompt, at the most."""
    return letters_in(asked.request) / FEWEST_LETTERS + AROUND * len(asked.request.messages)
