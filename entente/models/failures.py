"""Whatever a provider's client raises, in our own words: the one place that maps foreign errors.

The errors are known by name, so that nothing of langchain or openai is imported to look at one.
A text of theirs is scrubbed before it is repeated: providers echo keys.
"""

from dataclasses import dataclass
from email.utils import parsedate_to_datetime
from typing import Any, cast

from entente.display import in_one_line
from entente.errors import (
    AuthenticationFailed,
    ModelError,
    ModelTimeout,
    ProviderRejected,
    ProviderUnavailable,
    RateLimited,
    UnreadableReply,
)
from entente.models.secrecy import SECRET

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
# Whatever has a status of 400 or more is told apart by that; what is left failed amid a stream that began well.
_ANTHROPIC: dict[str, type[ModelError]] = {
    "AnthropicError": ProviderRejected,
    "APIError": ProviderUnavailable,
    "APIResponseValidationError": UnreadableReply,
    "APIWebhookValidationError": UnreadableReply,
    "APITimeoutError": ModelTimeout,
    "RetryableError": ProviderUnavailable,
    "CredentialsError": AuthenticationFailed,
}
_GOOGLE: dict[str, type[ModelError]] = {
    "APIError": ProviderUnavailable,
    "ContinuationInterruptedError": ProviderUnavailable,
    "GoogleAuthError": AuthenticationFailed,
    "TransportError": ProviderUnavailable,
    "TimeoutError": ModelTimeout,
}
_LANGCHAIN_GOOGLE: dict[str, type[ModelError]] = {"GoogleGenerativeAIError": ProviderRejected}
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
    "RecursionError": UnreadableReply,
}

MAPPED: dict[str, dict[str, type[ModelError]]] = {
    "openai": _OPENAI,
    "langchain_openai": _LANGCHAIN_OPENAI,
    "langchain_core": _LANGCHAIN_CORE,
    "anthropic": _ANTHROPIC,
    "google": _GOOGLE,
    "langchain_google_genai": _LANGCHAIN_GOOGLE,
    "httpx": _HTTPX,
    "httpx2": _HTTPX,
    "builtins": _BUILTINS,
}
"""From package to its errors' names and ours; an error that is not here counts as the nearest above it that is."""

_STATUSES = range(100, 1000)
"""What can be one: an error amid a reply has whatever code its server writes."""
_BY_STATUS: dict[int, type[ModelError]] = {
    401: AuthenticationFailed,
    403: AuthenticationFailed,
    408: ModelTimeout,
    409: ProviderUnavailable,
    425: ProviderUnavailable,
    429: RateLimited,
}
_QUOTABLE = (
    "openai",
    "langchain_openai",
    "anthropic",
    "langchain_anthropic",
    "google",
    "langchain_google_genai",
    "httpx",
    "httpx2",
)
_NO_CREDIT = ("insufficient_quota", "billing_hard_limit_reached")
_BAD_KEY = "API_KEY_INVALID"
"""How Google names a wrong key, which it refuses with 400."""
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
    if ours := _ours(error):
        return Failure(type(ours), _scrubbed(str(ours), key))
    status = _status(error)
    kind = _by_code(error) or _by_status(status) or _by_name(error)
    return kind and Failure(kind, _reason(error, key), status, _retry_after_seconds(error))


def model_error(failure: Failure, *, model: str, attempts: int) -> ModelError:
    """Our error for a call that has failed for good."""
    status = f" with {failure.status}" if failure.status else ""
    tries = "once" if attempts == 1 else f"{attempts} times"
    said = failure.reason.replace('"', "'")  # a provider's words stand in quotes, which they cannot close
    return failure.kind(
        f'A reply of {model} was wanted and failed{status} ("{said}"); it was asked {tries} and no more.',
        model=model,
        status=failure.status,
        attempts=attempts,
        reason=failure.reason,
    )


def _ours(error: BaseException) -> ModelError | None:
    """What we raised ourselves while a client was reading: its own error says no more than that there was one."""
    while not isinstance(error, ModelError):
        if error.__cause__ is None:
            return None
        error = error.__cause__
    return error


def _status(error: Exception) -> int | None:
    """The HTTP status, which Google's client calls the code, and httpx keeps in the response."""
    response = getattr(error, "response", None)
    found = (_of(error, "status_code"), _of(error, "code"), getattr(response, "status_code", None))
    return next((status for status in found if isinstance(status, int) and status in _STATUSES), None)


def _by_code(error: Exception) -> type[ModelError] | None:
    if _package(error) in ("google", "langchain_google_genai") and _BAD_KEY in str(error):
        return AuthenticationFailed
    return ProviderRejected if getattr(error, "code", None) in _NO_CREDIT else None


def _by_status(status: int | None) -> type[ModelError] | None:
    if status is None or status < 300:
        return None
    return _BY_STATUS.get(status, ProviderUnavailable if status >= 500 else ProviderRejected)


def _by_name(error: Exception) -> type[ModelError] | None:
    mapped = (MAPPED.get(_root(cls), {}).get(cls.__name__) for cls in type(error).__mro__)
    return next((kind for kind in mapped if kind is not None), None)


def _package(error: Exception) -> str:
    return _root(type(error))


def _root(cls: type) -> str:
    return cls.__module__.partition(".")[0]


def _of(error: Exception, name: str) -> Any:
    """What the error keeps under a name, or its cause: langchain puts errors of its own before Google's."""
    kept = getattr(error, name, None)
    return getattr(error.__cause__, name, None) if kept is None else kept


def _reason(error: Exception, key: str | None) -> str:
    """A provider's words are repeated; any other error's may quote a prompt or a reply, and only its name is."""
    name = type(error).__name__
    if _by_name(error) is UnreadableReply:
        return f"no reply that can be read: {name}"
    if _package(error) not in _QUOTABLE:
        return name
    return _scrubbed(str(_told(error) or error) or type(error).__name__, key)


def _told(error: Exception) -> object:
    """The provider's own words: openai keeps them in the body, anthropic a level deeper, google beside it."""
    body = _object(getattr(error, "body", None))
    return body.get("message") or _object(body.get("error")).get("message") or _of(error, "message")


def _object(value: object) -> dict[str, Any]:
    return cast("dict[str, Any]", value) if isinstance(value, dict) else {}


def _scrubbed(text: str, key: str | None) -> str:
    if key:
        text = text.replace(key, "[key]")
    text = in_one_line(SECRET.sub("[key]", text))
    return text if len(text) <= _MAX_REASON else f"{text[:_MAX_REASON]}…"


def _retry_after_seconds(error: Exception) -> float | None:
    headers: Any = getattr(_of(error, "response"), "headers", None) or {}
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
    except (TypeError, ValueError, OverflowError):
        return None
    return max(0.0, until.total_seconds())
