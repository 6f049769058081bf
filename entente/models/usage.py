"""What calls of models cost together: tokens, the share that a provider had cached, money and time."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil

from pydantic import BaseModel, ConfigDict

from entente.models.wire import CallUsage


class UsageSummary(BaseModel):
    """Any number of calls, as one."""

    model_config = ConfigDict(frozen=True)

    calls: int
    attempts: int
    """More than `calls` where some were tried again."""
    malformed: int
    """Calls whose reply could not be taken as it was, mended or not."""
    prompt_tokens: int
    cached_tokens: int
    completion_tokens: int
    cost_usd: float | None
    """Of the calls whose price is known; None when that is none of them."""
    unpriced_calls: int
    """Calls whose price is not known: with any, the cost is more than `cost_usd`."""
    latency_p50_seconds: float
    latency_p95_seconds: float

    @property
    def cached_share(self) -> float:
        """The share of prompt tokens that came from a provider's cache, from 0 to 1."""
        return self.cached_tokens / self.prompt_tokens if self.prompt_tokens else 0.0


@dataclass(slots=True)
class Tally:
    """Calls counted as they come, for a view that is drawn many times while they are made."""

    calls: int = 0
    tokens: int = 0
    """Prompt and completion."""
    unpriced_calls: int = 0
    _known_usd: float = 0

    @property
    def cost_usd(self) -> float | None:
        """Of the calls whose price is known; None when that is none of them."""
        return self._known_usd if self.calls > self.unpriced_calls else None

    def add(self, call: CallUsage) -> None:
        """Count a call."""
        self.calls += 1
        self.tokens += call.prompt_tokens + call.completion_tokens
        self.unpriced_calls += call.cost_usd is None
        self._known_usd += call.cost_usd or 0


def summarize(calls: Sequence[CallUsage]) -> UsageSummary:
    """The calls as one; latencies are nearest ranks, 0 where there were no calls."""
    known = [call.cost_usd for call in calls if call.cost_usd is not None]
    latencies = sorted(call.latency_seconds for call in calls)
    return UsageSummary(
        calls=len(calls),
        attempts=sum(call.attempts for call in calls),
        malformed=sum(call.faults > 0 for call in calls),
        prompt_tokens=sum(call.prompt_tokens for call in calls),
        cached_tokens=sum(call.cached_tokens for call in calls),
        completion_tokens=sum(call.completion_tokens for call in calls),
        cost_usd=sum(known) if known else None,
        unpriced_calls=len(calls) - len(known),
        latency_p50_seconds=_rank(latencies, 0.5),
        latency_p95_seconds=_rank(latencies, 0.95),
    )


def _rank(values: Sequence[float], share: float) -> float:
    return values[ceil(share * len(values)) - 1] if values else 0.0
