"""Rendered prompts kept as files, so that a change of a word is seen in review."""

import os
from collections.abc import Sequence
from pathlib import Path

from entente.models.wire import ChatMessage

FOLDER = Path(__file__).parent / "snapshots"


def check(name: str, text: str) -> None:
    """Compare with the file, or write it when UPDATE_SNAPSHOTS is set."""
    path = FOLDER / f"{name}.txt"
    if os.environ.get("UPDATE_SNAPSHOTS"):
        path.parent.mkdir(exist_ok=True)
        path.write_text(text + "\n", encoding="utf-8")
    assert path.read_text(encoding="utf-8") == text + "\n", f"{path.name} has changed: see UPDATE_SNAPSHOTS"


def conversation_text(messages: Sequence[ChatMessage]) -> str:
    """A conversation as a person reads it."""
    return "\n".join(map(_message, messages))


def _message(message: ChatMessage) -> str:
    calls = [f"{call.id} {call.name} {call.arguments}" for call in message.tool_calls]
    answers = f" to {message.tool_call_id}" if message.tool_call_id else ""
    return "\n".join([f"=== {message.role}{answers}", *filter(None, [message.content]), *calls])
