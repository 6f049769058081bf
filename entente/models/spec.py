"""A model as it is named on a seat: `openai:MODEL`, `openai:MODEL@BASE_URL`, `anthropic:MODEL`."""

import re
from dataclasses import dataclass
from typing import NoReturn
from urllib.parse import unquote, urlsplit

from entente.errors import SettingsError
from entente.validation import discreet

_ADDRESS = re.compile(r"@(?=[a-z][a-z0-9+.-]*://)", re.IGNORECASE)
_WITHOUT_SCHEME = re.compile(r"@.*[:/@]|:.*@")
"""An address whose http:// was forgotten; a model's name may hold an @, as in `model@v2`."""
_PLACE = re.compile(r"(?:[\w.-]*|\[[0-9A-Fa-f:.]+(?:%\w+)?\])(?::\d*)?")
"""A host and its port: of what stands before or behind a bracket, Python says nothing."""
_PORTS = {"http": 80, "https": 443}


@dataclass(frozen=True, slots=True)
class Provider:
    """What must be known of a provider to call it."""

    address: str
    """Where it answers when the spec gives no base URL."""
    key_variable: str
    """The environment variable that holds its key by custom."""
    extra: str | None
    """The optional dependency of ours that brings its client; None when it is always there."""
    speaks_openai: bool = False
    """True where its client speaks OpenAI's wire, and so to any address that does."""


PROVIDERS = {
    "openai": Provider("https://api.openai.com/v1", "OPENAI_API_KEY", None, speaks_openai=True),
    "anthropic": Provider("https://api.anthropic.com", "ANTHROPIC_API_KEY", "anthropic"),
    "google_genai": Provider("https://generativelanguage.googleapis.com", "GOOGLE_API_KEY", "google"),
    # Its wire is OpenAI's with the model's thoughts beside, as vLLM, llama.cpp, LM Studio and OpenRouter send them.
    "deepseek": Provider("https://api.deepseek.com/v1", "DEEPSEEK_API_KEY", "deepseek", speaks_openai=True),
}


@dataclass(frozen=True, slots=True)
class ModelSpec:
    """Which model, whose, and where."""

    provider: str
    """A key of PROVIDERS."""
    model: str
    """The provider's own name for it; may hold colons."""
    base_url: str | None = None
    """An OpenAI-compatible address, without a slash at its end; None for the provider's own."""

    @classmethod
    def parse(cls, text: str) -> "ModelSpec":
        """The spec in a text; raises SettingsError.

        >>> ModelSpec.parse("openai:llama3:8b@http://localhost:11434/v1").model
        'llama3:8b'
        """
        provider, _, rest = text.strip().partition(":")
        model, base_url = _split_address(rest)
        if _WITHOUT_SCHEME.search(model):
            raise SettingsError(
                "A model such as openai:MODEL@http://localhost:8000/v1 was wanted, and an address without http:// or "
                "https:// came; no model was opened."
            )
        if provider not in PROVIDERS:
            _refuse(text, f"whose provider is one of {', '.join(PROVIDERS)}")
        if not model or any(letter.isspace() for letter in rest):
            _refuse(text, "with a model after the colon")
        if base_url is not None:
            check_address(base_url)
            if not PROVIDERS[provider].speaks_openai:
                _refuse(text, "with an address only for openai and deepseek")
        return cls(provider, model, base_url)

    def __str__(self) -> str:
        name = f"{self.provider}:{self.model}"
        return name if self.base_url is None else f"{name}@{self.base_url}"

    @property
    def address(self) -> str:
        """Where the provider answers."""
        return self.base_url or PROVIDERS[self.provider].address

    @property
    def speaks_openai(self) -> bool:
        """True where OpenAI's wire is spoken."""
        return PROVIDERS[self.provider].speaks_openai

    @property
    def provider_name(self) -> str:
        """Who answers, as it is kept with a call: `openai`, or `openai@HOST:PORT` for an address of one's own."""
        return self.provider if self.base_url is None else f"{self.provider}@{urlsplit(self.base_url).netloc}"


def _split_address(rest: str) -> tuple[str, str | None]:
    """A model's name may hold an @ too: only one before an address counts."""
    model, *address = _ADDRESS.split(rest, maxsplit=1)
    return model, address[0].rstrip("/") if address else None


def origin_of(address: str) -> str:
    """Whom an address belongs to, the same however it is written: `https://host:443`."""
    parts = urlsplit(address)
    return f"{parts.scheme}://{parts.hostname}:{parts.port or _PORTS.get(parts.scheme)}"


def check_address(base_url: str) -> None:
    """Raise SettingsError for what cannot be called, or holds what may be a password, which is not repeated."""
    try:
        parts = urlsplit(base_url)
        is_whole = bool(parts.hostname) and parts.port != 0
    except ValueError:  # a port in letters, a bracket that is not closed
        raise SettingsError("A base URL was wanted and something else came; no model was opened.") from None
    if not _PLACE.fullmatch(parts.netloc) or not {*"@?#"}.isdisjoint(unquote(base_url)):
        raise SettingsError(
            "A base URL without a key or password in it was wanted: put the key into an environment "
            "variable and name that; no model was opened."
        )
    if parts.scheme not in ("http", "https"):
        raise SettingsError(
            f"A base URL that begins with http:// or https:// was wanted and {parts.scheme}:// came; "
            "no model was opened."
        )
    if not is_whole:
        raise SettingsError("A whole base URL was wanted and one without a host came; no model was opened.")


def _refuse(text: str, wanted: str) -> NoReturn:
    raise SettingsError(
        f"A model {wanted} was wanted, like openai:MODEL or openai:MODEL@http://localhost:8000/v1, "
        f"and {discreet(text)!r} is not one; no model was opened."
    )
