"""How many letters of our prompts a model's tokenizer puts into a token: `python -m benchmarks.letters FILE`.

FILE is a `tokenizer.json`, as models and some packages have one. The prompts are all of two movement phases of two
games, one that begins and one after five years, in the default set, and those of a seat with 17 units in the short one.
"""

import argparse
import asyncio
from statistics import median

from tokenizers import Tokenizer

from tests.players.model.crowded import crowded_prompt
from tests.players.model.test_prompt import POWERS, late_game, play_phase, seated
from tests.support.table import new_game


def main() -> None:
    """Print the fewest, the median and the most."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("file", metavar="FILE")
    tokenizer = Tokenizer.from_file(parser.parse_args().file)
    counted = [
        len(text) / len(tokenizer.encode(text, add_special_tokens=False).ids)
        for text in asyncio.run(_prompts())
    ]
    print(f"{min(counted):.2f} {median(counted):.2f} {max(counted):.2f}, {len(counted)} prompts")


async def _prompts() -> list[str]:
    texts = [crowded_prompt("tools"), crowded_prompt("json")]
    for game in (new_game(), await late_game(5)):
        model, player = seated()
        for _ in range(2):
            await play_phase(game, dict.fromkeys(POWERS, player), rounds=3)
        texts += ["\n".join(message.content for message in request.messages) for request in model.requests]
    return texts


if __name__ == "__main__":
    main()
