"""How much of a prompt a provider's prefix cache could reuse, reckoned as the providers say they do."""

LETTERS_PER_TOKEN = 4
STEP_TOKENS = 128
LEAST_TOKENS = 1024
_STEP_LETTERS = STEP_TOKENS * LETTERS_PER_TOKEN


class PrefixCache:
    """Every prompt so far, as the chain of its steps; nothing is ever forgotten."""

    def __init__(self) -> None:
        self._known: set[int] = set()

    def add(self, model: str, prompt: str) -> int:
        """The tokens that this prompt shares with an earlier one of the same model, and from now on it is one.

        Counted from the start in whole steps of 128, and 0 below 1,024.
        """
        chain = _chain(model, prompt)
        shared = next((n for n, step in enumerate(chain) if step not in self._known), len(chain))
        self._known.update(chain[shared:])
        tokens = shared * STEP_TOKENS
        return tokens if tokens >= LEAST_TOKENS else 0


def tokens(letters: int) -> int:
    """Tokens in so many letters, at four each, rounded up."""
    return -(-letters // LETTERS_PER_TOKEN)


def _chain(model: str, prompt: str) -> list[int]:
    link, chain = hash(model), list[int]()
    for start in range(0, len(prompt) - _STEP_LETTERS + 1, _STEP_LETTERS):
        link = hash((link, prompt[start : start + _STEP_LETTERS]))
        chain.append(link)
    return chain
