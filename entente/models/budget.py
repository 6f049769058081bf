"""What a game or a seat may still spend on its models."""

from collections.abc import Generator, Iterable, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass

from typing_extensions import TypedDict

from entente.errors import BudgetExceeded
from entente.models.wire import CallUsage


class Spent(TypedDict):
    """What finished calls have cost together."""

    usd: float
    """Of those whose price is known."""
    tokens: int
    """Prompt and completion."""


def spent_on(calls: Iterable[CallUsage], before: Spent | None = None) -> Spent:
    """The calls' cost on top of what was spent before."""
    spent = before or Spent(usd=0, tokens=0)
    for call in calls:
        spent = Spent(
            usd=spent["usd"] + (call.cost_usd or 0),
            tokens=spent["tokens"] + call.prompt_tokens + call.completion_tokens,
        )
    return spent


@dataclass(slots=True)
class Budget:
    """What has been spent of what may be; a limit that is None is not kept.

    On a resumed game, `charge` it with the usage in the journal first.
    """

    name: str
    """Whose it is, for people: `the game`, `FRANCE`."""
    limit_usd: float | None = None
    limit_tokens: int | None = None
    spent_usd: float = 0
    """Of the calls whose price is known."""
    spent_tokens: int = 0
    _held_usd: float = 0
    _held_tokens: int = 0

    def charge(self, usage: CallUsage) -> None:
        """Count a finished call."""
        self.spent_usd += usage.cost_usd or 0
        self.spent_tokens += usage.prompt_tokens + usage.completion_tokens

    def renew(self, kept: "Budget") -> None:
        """Take the limits, and what was spent, from a budget that was read anew; what is set aside stays so."""
        self.limit_usd, self.limit_tokens = kept.limit_usd, kept.limit_tokens
        # A call that has just ended may not be kept yet.
        self.spent_usd = max(self.spent_usd, kept.spent_usd)
        self.spent_tokens = max(self.spent_tokens, kept.spent_tokens)

    @contextmanager
    def hold(self, tokens: int, cost_usd: float | None) -> Generator[None]:
        """Set about so much aside for the block; raises BudgetExceeded when it is not there.

        What other calls have set aside counts as spent: seven calls at once cannot overdraw it together.
        """
        self._check(tokens, cost_usd or 0)
        self._held_tokens += tokens
        self._held_usd += cost_usd or 0
        try:
            yield
        finally:
            self._held_tokens -= tokens
            self._held_usd -= cost_usd or 0

    def _check(self, tokens: int, cost_usd: float) -> None:
        used_tokens, used_usd = self.spent_tokens + self._held_tokens, self.spent_usd + self._held_usd
        if self.limit_tokens is not None and used_tokens + tokens > self.limit_tokens:
            self._refuse(f"{tokens:,} tokens", f"{used_tokens:,} of {self.limit_tokens:,} tokens")
        if self.limit_usd is not None and used_usd + cost_usd > self.limit_usd:
            self._refuse(f"${cost_usd:.4f}", f"${used_usd:.4f} of ${self.limit_usd:.4f}")

    def _refuse(self, wanted: str, used: str) -> None:
        raise BudgetExceeded(
            f"A call of about {wanted} was wanted and {self.name} has used {used}; no call was made."
        )


@contextmanager
def hold_all(budgets: Sequence[Budget], tokens: int, cost_usd: float | None) -> Generator[None]:
    """Set the same aside in every budget; raises BudgetExceeded for the first that has it not."""
    with ExitStack() as held:
        for budget in budgets:
            held.enter_context(budget.hold(tokens, cost_usd))
        yield
