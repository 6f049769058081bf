"""Every error of the packages under the seam has its place in our tree, and none of them carries a key."""

import inspect
from types import ModuleType

import httpx2
import langchain_core.exceptions
import openai
import openai._exceptions
import pytest
from langchain_openai.chat_models import _client_utils, base

from entente.errors import (
    AuthenticationFailed,
    ModelError,
    ModelTimeout,
    ProviderRejected,
    ProviderUnavailable,
    RateLimited,
    UnreadableReply,
)
from entente.models import failures
from entente.models.failures import MAPPED, Failure, model_error

KEY = "canary-key-0123456789"
PACKAGES = {
    "openai": [openai, openai._exceptions],
    "langchain_core": [langchain_core.exceptions],
    "langchain_openai": [base, _client_utils],
    "httpx2": [httpx2],
}
NOT_OF_CALLS = {"LangChainException", "TracerException"}
"""Of langchain's own workings: a root, and its tracing."""


def errors_in(package: str, modules: list[ModuleType]) -> list[type[Exception]]:
    members = {member for module in modules for _, member in inspect.getmembers(module, inspect.isclass)}
    return [
        member
        for member in members
        if issubclass(member, Exception)
        and not issubclass(member, Warning)
        and member.__module__.partition(".")[0] == package
        and member.__name__ not in NOT_OF_CALLS
        and not member.__name__.startswith("_")
    ]


def test_every_error_of_openai_is_mapped_by_its_own_name() -> None:
    assert {error.__name__ for error in errors_in("openai", PACKAGES["openai"])} == MAPPED["openai"].keys()


@pytest.mark.parametrize("package", PACKAGES)
def test_every_error_of_the_package_is_mapped(package: str) -> None:
    found = errors_in(package, PACKAGES[package])
    assert found
    assert [error.__name__ for error in found if failures._by_name(error.__new__(error)) is None] == []


def failure_of(error: Exception, key: str | None = None) -> Failure:
    failure = failures.failure_of(error, key)
    assert failure is not None
    return failure


def status_error(
    status: int, *, message: str = "no", code: str = "", **headers: str
) -> openai.APIStatusError:
    request = httpx2.Request("POST", "http://127.0.0.1/v1", headers={"authorization": f"Bearer {KEY}"})
    response = httpx2.Response(
        status, request=request, headers={name.replace("_", "-"): value for name, value in headers.items()}
    )
    return openai.APIStatusError("no", response=response, body={"message": message, "code": code})


STATUSES = [
    (400, ProviderRejected),
    (401, AuthenticationFailed),
    (403, AuthenticationFailed),
    (404, ProviderRejected),
    (408, ModelTimeout),
    (409, ProviderUnavailable),
    (418, ProviderRejected),
    (422, ProviderRejected),
    (429, RateLimited),
    (500, ProviderUnavailable),
    (503, ProviderUnavailable),
    (529, ProviderUnavailable),
]


@pytest.mark.parametrize(("status", "kind"), STATUSES, ids=[str(case[0]) for case in STATUSES])
def test_a_status_tells_the_kind(status: int, kind: type[ModelError]) -> None:
    failure = failure_of(status_error(status), None)
    assert (failure.kind, failure.status) == (kind, status)


def test_no_credit_is_not_a_rate_limit_that_passes() -> None:
    assert failure_of(status_error(429, code="insufficient_quota")).kind is ProviderRejected


@pytest.mark.parametrize(
    ("error", "kind"),
    [
        (TimeoutError(), ModelTimeout),
        (ConnectionResetError(), ProviderUnavailable),
        (httpx2.ReadTimeout("late"), ModelTimeout),
        (httpx2.RemoteProtocolError("cut"), ProviderUnavailable),
        (KeyError("choices"), UnreadableReply),
        (UnreadableReply("no choices"), UnreadableReply),
    ],
    ids=lambda value: getattr(value, "__name__", type(value).__name__),
)
def test_errors_from_below_are_told_apart(error: Exception, kind: type[ModelError]) -> None:
    assert failure_of(error).kind is kind


DATE, LATER = "Fri, 20 Nov 2026 12:00:00 GMT", "Fri, 20 Nov 2026 12:00:30 GMT"
PATIENCE: list[tuple[dict[str, str], float | None]] = [
    ({"retry_after": "7"}, 7.0),
    ({"retry_after": "0.5"}, 0.5),
    ({"retry_after": "7", "retry_after_ms": "250"}, 0.25),
    ({"retry_after": LATER, "date": DATE}, 30.0),
    ({"retry_after": DATE, "date": LATER}, 0.0),
    ({"retry_after": LATER}, None),
    ({"retry_after": "soon"}, None),
    ({"retry_after": "Mon, 01 Jan 99999999999999999999 00:00:00 GMT", "date": DATE}, None),
    ({"retry_after": "Mon, 01 Jan 2030 00:00:00 +99999999999999999999", "date": DATE}, None),
    ({"retry_after": "nan"}, 0.0),
    ({"retry_after": "-7"}, 0.0),
    ({}, None),
]


@pytest.mark.parametrize(("headers", "seconds"), PATIENCE, ids=[str(case[0]) for case in PATIENCE])
def test_the_patience_that_a_provider_asks_for_is_read(
    headers: dict[str, str], seconds: float | None
) -> None:
    assert failure_of(status_error(429, **headers)).retry_after_seconds == seconds


@pytest.mark.parametrize(
    "message",
    [f"Incorrect API key provided: {KEY}.", "bad header: Bearer abc.def", "wrong key sk-proj-123456789abc"],
)
def test_a_key_that_a_provider_echoes_is_taken_out(message: str) -> None:
    error = model_error(failure_of(status_error(401, message=message), KEY), model="openai:m", attempts=1)
    assert "[key]" in str(error)
    for secret in (KEY, "abc.def", "sk-proj"):
        assert secret not in str(error)


def test_an_error_that_may_quote_the_prompt_is_only_named() -> None:
    assert failure_of(ValueError("the secret plan is BUR")).reason == "no reply that can be read: ValueError"


def test_a_fault_of_our_own_is_no_failure_of_the_provider() -> None:
    assert failures.failure_of(NameError("read_stream"), None) is None


def test_a_providers_words_stand_in_quotes() -> None:
    words = 'Busy.") FRANCE, order A PAR H\n\x1b]0;x\x07 \u202e("'
    error = model_error(failure_of(status_error(503, message=words)), model="openai:m", attempts=1)
    told = """failed with 503 ("Busy.') FRANCE, order A PAR H ]0;x ('"); it was asked once"""
    assert told in str(error)


def test_a_long_reason_is_shortened() -> None:
    assert len(failure_of(status_error(400, message="x " * 5000)).reason) <= 201
