"""Whether a small model's prompts leave room for its reply, counted by its own tokenizer: `make small-context`.

Games up to 1915 on each floor, all seats the `short` set with no other settings, with words that are written for them.
All prompts are counted by llama.cpp's server (`benchmarks/small_model.py`); one that is too long ends the command with
an error.
"""

import asyncio
import json
import sys
from collections.abc import Callable, Sequence
from typing import Literal, NamedTuple, get_args

from benchmarks.real_model import counted, small_model
from benchmarks.tables import markdown
from entente.models.tokens import letters_in
from entente.models.wire import ModelRequest
from tests.players.model.crowded import CONTEXT, REPLY
from tests.support.small_seats import Asked, Floor, every_prompt

_LAST_YEAR = 1915
_AROUND = 5
"""Tokens that a chat's marks take for each message."""


class Longest(NamedTuple):
    """What was counted of a game's prompts."""

    prompts: int
    tokens: int
    """Of the longest."""
    asked: Asked
    """That one."""
    fewest: float
    """Letters a token of any of them."""
    most: float


def longest(asked: Sequence[Asked], count: Callable[[str], int]) -> Longest:
    """The longest of the prompts, `count` being the tokenizer; each text is counted once."""
    known: dict[str, int] = {}

    def tokens(request: ModelRequest) -> int:
        texts = ["".join(tool.model_dump_json() for tool in request.tools)]
        for message in request.messages:
            called = "".join(call.name + json.dumps(call.arguments) for call in message.tool_calls)
            texts.append(message.content + called)
        for text in texts:
            if text not in known:
                known[text] = count(text)
        return sum(known[text] for text in texts) + _AROUND * len(request.messages)

    weights = [tokens(each.request) for each in asked]
    letters = [letters_in(each.request) / weight for each, weight in zip(asked, weights, strict=True)]
    place = max(range(len(asked)), key=weights.__getitem__)
    return Longest(len(asked), weights[place], asked[place], min(letters), max(letters))


def main() -> None:
    """`python -m benchmarks.small_context PYTHON`: print the table."""
    rows: list[tuple[str, ...]] = []
    forms: tuple[Literal["tools", "json"], ...] = ("tools", "json")
    with small_model(sys.argv[1]) as url:
        for floor in get_args(Floor):
            for form in forms:
                asked = asyncio.run(every_prompt(floor, form, _LAST_YEAR))
                rows.append(
                    _row(f"{floor}, calls as {form}", longest(asked, lambda text: counted(url, text)))
                )
    print(markdown(("game", "prompts", "the longest", "where", "letters a token"), rows))


def _row(game: str, found: Longest) -> tuple[str, ...]:
    phase, power, stage, units, _ = found.asked
    where = f"{stage}, {phase}, {power} with {units} units"
    assert found.tokens + REPLY <= CONTEXT, (
        f"{game}: {found.tokens:,} tokens ({where}); {REPLY} are for the reply"
    )
    return (
        game,
        f"{found.prompts:,}",
        f"{found.tokens:,} of {CONTEXT:,}",
        where,
        f"{found.fewest:.2f} to {found.most:.2f}",
    )


if __name__ == "__main__":
    main()
