"""How much a model may say, remember and be shown, in one place."""

from dataclasses import dataclass

CHARS_PER_TOKEN = 4
"""The usual estimate for English text; what is really used is counted by the provider."""


@dataclass(frozen=True, slots=True)
class Limits:
    """Caps on a model's turn; what goes beyond one is refused or cut, and the model and the record are told."""

    max_messages: int = 12
    """Messages in one turn: two to each of six other powers. A runaway reply has fifty."""
    max_message_chars: int = 600
    """Signs in one message; people's have a median of 5 words and the best negotiating program's 9."""
    max_phase_chars: int = 6000
    """Signs in all messages of one power in one phase."""
    max_memory_tokens: int = 600
    """The private memory as a whole, as JSON text."""
    max_value_chars: int = 600
    """One remembered text; a longer one is cut."""
    max_output_tokens: int | None = 4096
    """What a call may answer, reasoning included; None leaves it to the provider."""

    @property
    def max_memory_chars(self) -> int:
        """The memory's cap in signs of JSON text."""
        return self.max_memory_tokens * CHARS_PER_TOKEN
