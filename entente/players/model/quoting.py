"""How words that somebody else wrote are put into a prompt: as data, between marks that they cannot forge.

Angle and square brackets are what prompts' tags (`</press>`) and models' control tokens (`<|im_start|>`, `[INST]`)
are made of, so none reaches a prompt from outside: they become brackets that look alike and mean nothing. Line
breaks within a quotation are indented, so that no quoted line can look like a heading of ours.
"""

from collections.abc import Sequence
from typing import Protocol

from pydantic import JsonValue

from entente.board.types import Power
from entente.display import displayable
from entente.plain import map_texts
from entente.press.messages import MessageType, Statement, is_message_id

_HARMLESS = str.maketrans("<>[]＜＞［］﹤﹥﹇﹈", "‹›()‹›()‹›()")
"""The wide, small and upright forms are brackets too, to a model."""


def escape(text: str) -> str:
    """The displayable text without brackets that could end a quotation, its further lines indented."""
    return "\n  ".join(_harmless(text).splitlines())


def escape_json(value: JsonValue) -> JsonValue:
    """A JSON value with all its texts and keys escaped."""
    return map_texts(value, _harmless)


def _harmless(text: str) -> str:
    return displayable(text).translate(_HARMLESS)


def clip(text: str, limit: int) -> str:
    """The text, or its beginning and a mark that says how much is missing."""
    return text if len(text) <= limit else f"{text[:limit]}… ({len(text) - limit} more characters)"


class Letter(Protocol):
    """A message as it is kept, or as a context bundle has it."""

    @property
    def id(self) -> str: ...  # noqa: D102 - what each is, `Message` says
    @property
    def sender(self) -> Power: ...  # noqa: D102
    @property
    def recipient(self) -> Power: ...  # noqa: D102
    @property
    def message_type(self) -> MessageType: ...  # noqa: D102
    @property
    def content(self) -> str: ...  # noqa: D102
    @property
    def round(self) -> int: ...  # noqa: D102
    @property
    def commitments(self) -> Sequence[Statement]: ...  # noqa: D102
    @property
    def reply_to(self) -> str | None: ...  # noqa: D102
    @property
    def also_to(self) -> Sequence[Power]: ...  # noqa: D102


def quote(message: Letter, reader: Power = "") -> str:
    """A message as user content: who wrote it to whom, its id to reply to, its words and what it says it commits to.

    The reader's own stand in a tag of their own, which nobody else's words are ever put into.
    """
    tag = "own" if message.sender == reader else "press"
    head = f"{message.id} from {message.sender} to {message.recipient}, {message.message_type.value}"
    reply = f", reply to {message.reply_to}" if is_message_id(message.reply_to or "") else ""
    also = f", also to {', '.join(message.also_to)}" if message.also_to else ""
    # In tags of its own, which words cannot look like.
    stated = "".join(
        f"\n  <commitment>{statement_text(statement)}</commitment>" for statement in message.commitments
    )
    return f"<{tag} {head}{reply}{also}>{escape(message.content)}{stated}</{tag}>"


def statement_text(statement: Statement) -> str:
    """`propose support by GERMANY: A MUN S A PAR - BUR, F1901M`; its free parts are another's words too."""
    detail = " ".join([*statement.locations, statement.order]).strip()
    words = f"{statement.act.value} {statement.kind.value}{f' by {statement.by}' if statement.by else ''}"
    if detail:
        words += f": {detail}"
    if statement.term:
        words += f", {statement.term}"
    return escape(clip(words, _MAX_STATEMENT_CHARS)).replace("\n", " ")


_MAX_STATEMENT_CHARS = 120
