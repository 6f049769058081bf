"""Whatever a provider's client raises, in our own words: the one place that maps foreign errors.

The errors are known by name, so that nothing of langchain or openai is imported to look at one.
A text of theirs is scrubbed before it is repeated: providers echo keys.
"""

import re
from dataclasses import dataclass
from email.utils import parsedate_to_datetime
from typing import Any, cast

from entente.errors import (
    AuthenticationFailed,
    ModelError,
    ModelTimeout,
    ProviderRejected,
    ProviderUnavailable,
    RateLimited,
    UnreadableReply,
)

_OPENAI: dict[str, type[ModelError]] = {
    "OpenAIError": ProviderRejected,
    "APIError": ProviderUnavailable,
    "APIResponseValidationError": UnreadableReply,
    "APIStatusError": ProviderRejected,
    "APIConnectionError": ProviderUnavailable,
    "APITimeoutError": ModelTimeout,
    "BadRequestError": ProviderRejected,
    "AuthenticationError": AuthenticationFailed,
    "OAuthError": AuthenticationFailed,
    "SubjectTokenProviderError": AuthenticationFailed,
    "PermissionDeniedError": AuthenticationFailed,
    "NotFoundError": ProviderRejected,
    "ConflictError": ProviderUnavailable,
    "UnprocessableEntityError": ProviderRejected,
    "RateLimitError": RateLimited,
    "InternalServerError": ProviderUnavailable,
    "LengthFinishReasonError": UnreadableReply,
    "ContentFilterFinishReasonError": ProviderRejected,
    "InvalidWebhookSignatureError": UnreadableReply,
    "WebSocketConnectionClosedError": ProviderUnavailable,
    "WebSocketQueueFullError": ProviderUnavailable,
}
_LANGCHAIN_CORE: dict[str, type[ModelError]] = {
    "ModelError": ProviderRejected,
    "ModelAuthenticationError": AuthenticationFailed,
    "ModelPermissionDeniedError": AuthenticationFailed,
    "ModelInvalidRequestError": ProviderRejected,
    "ModelNotFoundError": ProviderRejected,
    "ModelRateLimitError": RateLimited,
    "ModelAPIError": ProviderUnavailable,
    "ModelConnectionError": ProviderUnavailable,
    "ModelTimeoutError": ModelTimeout,
    "ContextOverflowError": ProviderRejected,
    "OutputParserException": UnreadableReply,
}
_LANGCHAIN_OPENAI: dict[str, type[ModelError]] = {
    "OpenAIRefusalError": ProviderRejected,
    "StreamChunkTimeoutError": ModelTimeout,
}
_HTTPX: dict[str, type[ModelError]] = {
    "TimeoutException": ModelTimeout,
    "HTTPError": ProviderUnavailable,
    "TransportError": ProviderUnavailable,
    "DecodingError": UnreadableReply,
    "TooManyRedirects": ProviderRejected,
    "HTTPStatusError": ProviderUnavailable,
    "InvalidURL": ProviderRejected,
    "StreamError": ProviderUnavailable,
    "CookieConflict": UnreadableReply,
}
# What clients raise while they read a reply that is none; any other of Python's own errors is a fault of ours.
_BUILTINS: dict[str, type[ModelError]] = {
    "TimeoutError": ModelTimeout,
    "OSError": ProviderUnavailable,
    "ValueError": UnreadableReply,
    "LookupError": UnreadableReply,
    "TypeError": UnreadableReply,
    "AttributeError": UnreadableReply,
}

MAPPED: dict[str, dict[str, type[ModelError]]] = {
    "openai": _OPENAI,
    "langchain_openai": _LANGCHAIN_OPENAI,
    "langchain_core": _LANGCHAIN_CORE,
    "httpx": _HTTPX,
    "httpx2": _HTTPX,
    "builtins": _BUILTINS,
}
"""From package to its errors' names and ours; an error that is not here counts as the nearest above it that is."""

_BY_STATUS: dict[int, type[ModelError]] = {
    401: AuthenticationFailed,
    403: AuthenticationFailed,
    408: ModelTimeout,
    409: ProviderUnavailable,
    425: ProviderUnavailable,
    429: RateLimited,
}
_QUOTABLE = ("openai", "langchain_openai", "anthropic", "google", "httpx", "httpx2")
_NO_CREDIT = ("insufficient_quota", "billing_hard_limit_reached")
_SECRET = re.compile(r"(?i)\b(?:bearer\s+\S+|(?:sk|pk|key|AIza)[-_A-Za-z0-9*]{8,})")
_MAX_REASON = 200


@dataclass(frozen=True, slots=True)
class Failure:
    """What went wrong in one attempt."""

    kind: type[ModelError]
    reason: str
    """What the provider or its client said, shortened and without secrets."""
    status: int | None = None
    retry_after_seconds: float | None = None
    """How long the provider asks to be left alone, if it says so."""


def failure_of(error: Exception, key: str | None) -> Failure | None:
    """What a foreign error means, `key` removed from its words; None for one that no provider's client raises."""
    status: Any = getattr(error, "status_code", None)
    status = status if isinstance(status, int) else None
    if isinstance(error, ModelError):
        return Failure(type(error), _scrubbed(str(error), key))
    kind = _no_credit(error) or _by_status(status) or _by_name(error)
    return kind and Failure(kind, _reason(error, key), status, _retry_after_seconds(error))


def model_error(failure: Failure, *, model: str, attempts: int) -> ModelError:
    """Our error for a call that has failed for good."""
    status = f" with {failure.status}" if failure.status else ""
    tries = "once" if attempts == 1 else f"{attempts} times"
    return failure.kind(
        f"A reply of {model} was wanted and failed{status} ({failure.reason}); it was asked {tries} and no more.",
        model=model,
        status=failure.status,
        attempts=attempts,
        reason=failure.reason,
    )


def _no_credit(error: Exception) -> type[ModelError] | None:
    return ProviderRejected if getattr(error, "code", None) in _NO_CREDIT else None


def _by_status(status: int | None) -> type[ModelError] | None:
    if status is None or status < 400:
        return None
    return _BY_STATUS.get(status, ProviderUnavailable if status >= 500 else ProviderRejected)


def _by_name(error: Exception) -> type[ModelError] | None:
    mapped = (
        MAPPED.get(cls.__module__.partition(".")[0], {}).get(cls.__name__) for cls in type(error).__mro__
    )
    return next((kind for kind in mapped if kind is not None), None)


def _reason(error: Exception, key: str | None) -> str:
    """A provider's words are repeated; any other error's may quote a prompt, and only its name is."""
    if type(error).__module__.partition(".")[0] not in _QUOTABLE:
        return type(error).__name__
    body: object = getattr(error, "body", None)
    told = cast("dict[str, Any]", body).get("message") if isinstance(body, dict) else None
    return _scrubbed(str(told or error) or type(error).__name__, key)


def _scrubbed(text: str, key: str | None) -> str:
    if key:
        text = text.replace(key, "[key]")
    text = " ".join(_SECRET.sub("[key]", text).split())
    return text if len(text) <= _MAX_REASON else f"{text[:_MAX_REASON]}…"


def _retry_after_seconds(error: Exception) -> float | None:
    headers: Any = getattr(getattr(error, "response", None), "headers", None) or {}
    asked: str = headers.get("retry-after") or ""
    try:
        if milliseconds := headers.get("retry-after-ms"):
            return max(0.0, float(milliseconds) / 1000)
        return max(0.0, float(asked)) if asked else None
    except ValueError:
        return _until(asked, headers.get("date"))


def _until(moment: str, now: str | None) -> float | None:
    """The seconds between two dates of a response, so that our own clock need not be right."""
    try:
        until = parsedate_to_datetime(moment) - parsedate_to_datetime(now or "")
    except (TypeError, ValueError):
        return None
    return max(0.0, until.total_seconds())
