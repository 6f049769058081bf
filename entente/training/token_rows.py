"""Calls as tokens with a mask: what the trained policy has sampled can be learned from, and nothing else.

What the policy's server said of its tokens is taken as it is. Only where it said nothing are texts made into tokens, by
a tokenizer that lies in a local folder: nothing is fetched, and none is guessed from a model's name.
"""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from pydantic import JsonValue

from entente.board.types import Power
from entente.errors import SettingsError
from entente.models.wire import ChatMessage
from entente.training.completions import POLICY, prompt_text
from entente.training.record import Call, Record
from entente.training.texts import Row, about, learned

TOKENS = "tokens"
"""The form's name, beside those of `entente.training.texts`."""
MASKED = -100
"""In a mask: not to be learned from. Elsewhere a mask has the token itself, as PyTorch's losses and Atropos read it."""
NOT_SAMPLED = 1.0
"""In place of a logprob, which is never above 0, where nothing was sampled."""


class LocalTokenizer:
    """The tokenizer of a local folder."""

    def __init__(self, folder: Path) -> None:
        """Raises SettingsError where the folder has none, or the library is not installed."""
        self._tokenizer = _loaded(folder)

    def prompt_ids(self, text: str) -> list[int]:
        """The tokens of a prompt, as a server makes them of it: the marks of ChatML are special tokens."""
        self._tokenizer.encode_special_tokens = False
        return self._tokenizer.encode(text).ids

    def reply_ids(self, text: str) -> list[int] | None:
        """The tokens of a reply, in which nothing is special; None where they do not read as the reply."""
        self._tokenizer.encode_special_tokens = True
        ids: list[int] = self._tokenizer.encode(text, add_special_tokens=False).ids
        return ids if self.text(ids) == text else None

    def text(self, ids: list[int]) -> str:
        """What the tokens read."""
        return self._tokenizer.decode(ids, skip_special_tokens=False)


class Tokens(NamedTuple):
    """A call, prompt and reply, as one sequence; all three lists are of one length."""

    ids: list[int]
    mask: list[int]
    """The token where it is to be learned from, MASKED elsewhere."""
    logprobs: list[float] | None
    """NOT_SAMPLED in the prompt; None where the server did not say with what probability it sampled."""
    is_retokenised: bool
    """True where the reply's tokens are the tokenizer's, and not those that were sampled."""


def tokens_of(record: Record, call: Call, tokenizer: LocalTokenizer | None = None) -> Tokens:
    """The call's tokens; all are masked unless it is trainable.

    A reply that the tokenizer does not give back word for word is masked too. Raises SettingsError where tokens are
    missing and there is no tokenizer to make them.
    """
    prompt = call.prompt_token_ids or _needed(call, tokenizer).prompt_ids(_sent(record, call))
    sampled = call.token_ids
    reply = sampled if sampled is not None else _needed(call, tokenizer).reply_ids(call.response.content)
    said = reply or []
    is_learned = call.trainable and reply is not None
    has_logprobs = sampled is not None and call.logprobs is not None and len(call.logprobs) == len(sampled)
    return Tokens(
        ids=[*prompt, *said],
        mask=[MASKED] * len(prompt) + (said if is_learned else [MASKED] * len(said)),
        logprobs=[NOT_SAMPLED] * len(prompt) + (call.logprobs or []) if has_logprobs else None,
        is_retokenised=sampled is None,
    )


def token_rows(record: Record, tokenizers: Mapping[Power, LocalTokenizer]) -> Iterator[Row]:
    """A row for each call that is to be learned from: `input_ids` and `labels`, as causal language models take them.

    Raises SettingsError as `tokens_of` does.
    """
    for call in learned(record):
        tokens = tokens_of(record, call, tokenizers.get(call.seat))
        ids: list[JsonValue] = [*tokens.ids]
        labels: list[JsonValue] = [*tokens.mask]
        logprobs: list[JsonValue] | None = None if tokens.logprobs is None else [*tokens.logprobs]
        said: Row = {
            "input_ids": ids,
            "labels": labels,
            "logprobs": logprobs,
            "retokenised": tokens.is_retokenised,
        }
        yield {**said, **about(record, call)}


def open_tokenizers(folders: Mapping[Power, str]) -> dict[Power, LocalTokenizer]:
    """The tokenizers of these seats, each folder read once; raises SettingsError."""
    opened = {folder: LocalTokenizer(Path(folder)) for folder in sorted(set(folders.values()))}
    return {power: opened[folder] for power, folder in folders.items()}


def _sent(record: Record, call: Call) -> str:
    return prompt_text([ChatMessage.model_validate(message) for message in record.messages(call)])


def _needed(call: Call, tokenizer: LocalTokenizer | None) -> LocalTokenizer:
    """The tokenizer, for a call whose prompt was sent as one text: that of another is in its provider's form."""
    provider = str((call.usage or {}).get("provider"))
    if provider.partition("@")[0] != POLICY:
        raise SettingsError(
            f"Tokens of the call {call.id} were wanted; its provider gave none and has put its prompt into a form of "
            "its own, which no tokenizer can follow. Nothing was written."
        )
    if tokenizer is None:
        raise SettingsError(
            f"Tokens of the call {call.id} were wanted; its server gave none, and {call.seat} has no tokenizer: the "
            "folder of one is wanted. Nothing was written."
        )
    return tokenizer


def _loaded(folder: Path) -> Any:
    path = folder / "tokenizer.json"
    if not path.is_file():
        raise SettingsError(
            f"A folder with a tokenizer.json was wanted and {folder} has none; nothing was written or fetched."
        )
    try:
        from tokenizers import Tokenizer
    except ImportError:
        raise SettingsError(
            "A tokenizer wants the packages of the extra `train`, which are not installed: "
            "pip install 'entente[train]'. Nothing was written."
        ) from None
    try:
        return Tokenizer.from_file(str(path))
    except Exception as error:  # the library raises nothing narrower
        raise SettingsError(
            f"{path} is no tokenizer that can be read ({error}); nothing was written."
        ) from error
