"""Whether a failed call is tried again, and after how long."""

from dataclasses import dataclass
from random import Random

from entente.models.failures import Failure
from entente.models.settings import ModelSettings

_FIRST_SECONDS = 0.5
_MOST_SECONDS = 20.0


@dataclass(frozen=True, slots=True)
class Retries:
    """One seat's patience."""

    max_attempts: int
    total_seconds: float

    @classmethod
    def of(cls, settings: ModelSettings) -> "Retries":
        """The patience in the settings."""
        return cls(settings.max_attempts, settings.total_seconds)

    def pause_seconds(
        self, failure: Failure, attempts: int, spent_seconds: float, rng: Random
    ) -> float | None:
        """How long to wait before the next attempt; None when there is none.

        Doubles from half a second to twenty, less up to a half of it at random, so that seats
        which failed together do not come back together; never shorter than the provider asks.
        """
        if not failure.kind.is_retryable or attempts >= self.max_attempts:
            return None
        backoff = min(_MOST_SECONDS, _FIRST_SECONDS * 2 ** (attempts - 1)) * (1 - rng.random() / 2)
        pause = max(backoff, failure.retry_after_seconds or 0)
        return pause if spent_seconds + pause < self.total_seconds else None
