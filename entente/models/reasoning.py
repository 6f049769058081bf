"""Which models reason by themselves before they answer, so that nobody need ask them to."""

import re

from entente.models.settings import ModelSettings

_REASONS = re.compile(
    r"\bo[1-9]\b|\bgpt-[5-9]|\bgpt-oss|\br1\b|\bqwq|(?<!non-)reason|think|magistral|\bgemini-(?:2\.5|[3-9])|\bgrok-4"
)
"""In the names of models, as their providers have them in 2026."""
_ANSWERS_AT_ONCE = re.compile(r"\bgpt-5[.0-9]*-chat|non-reasoning|flash-lite|non-thinking|nothink")


def reasons_by_itself(model: str, settings: ModelSettings) -> bool:
    """True for a model that is told how hard to reason, or is known by its name to reason; a name may have an address.

    >>> reasons_by_itself("openai:o4-mini", ModelSettings())
    True
    >>> reasons_by_itself("openai:gpt-4.1", ModelSettings())
    False
    """
    if settings.reasoning_effort is not None:
        return settings.reasoning_effort != "none"
    name = re.split(r"@[a-z]+://", model.lower())[0]
    return bool(_REASONS.search(name)) and not _ANSWERS_AT_ONCE.search(name)
