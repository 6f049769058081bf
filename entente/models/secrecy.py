"""What may be a secret: by its look, or by the name that it goes under."""

import re
from collections.abc import Iterator, Mapping

from pydantic import JsonValue

from entente.errors import SettingsError

SECRET = re.compile(r"(?i)\b(?:bearer\s+\S+|(?:sk|pk|key|AIza)[-_A-Za-z0-9*]{8,})")
"""What keys of providers look like."""
_SECRET_FIELD = re.compile(
    r"(?i)^(?:key|token)$|(?:api|access|auth|private|secret)[-_]?(?:key|token)"
    r"|authorization|cookie|password|secret|credential|bearer"
)
_SECRET_HEADER = re.compile(r"(?i)key|token|auth|cookie|password|secret|credential|bearer")
_HEADER = re.compile(r"[A-Za-z0-9-]+")
_VALUE = re.compile(r"[\x20-\x7e]*")


def check_body(body: Mapping[str, JsonValue]) -> None:
    """Raise SettingsError for fields of a request that may hold a secret, which is not repeated."""
    for name, value in _fields(body):
        if _SECRET_FIELD.search(name) or (isinstance(value, str) and SECRET.search(value)):
            _refuse("extra_body", name)


def check_headers(headers: Mapping[str, str]) -> None:
    """Raise SettingsError for headers that cannot be sent, or may hold a secret, which is not repeated."""
    for name, value in headers.items():
        if not (_HEADER.fullmatch(name) and _VALUE.fullmatch(value)):
            raise SettingsError(
                "Headers of ASCII letters, digits and dashes with values in one line were wanted as extra_headers, and "
                "another came; no model was opened.",
                setting=("extra_headers",),
            )
        if _SECRET_HEADER.search(name) or SECRET.search(value):
            _refuse("extra_headers", name)


def _fields(value: JsonValue | Mapping[str, JsonValue], name: str = "") -> Iterator[tuple[str, JsonValue]]:
    """Every name and every value at any depth, with the name that it, or the list that it is in, goes under."""
    if isinstance(value, Mapping):
        for key, each in value.items():
            yield key, None
            yield from _fields(each, key)
    elif isinstance(value, list):
        for each in value:
            yield from _fields(each, name)
    else:
        yield name, value


def _refuse(setting: str, name: str) -> None:
    shown = "one" if SECRET.search(name) else repr(name)
    raise SettingsError(
        f"Values that may be kept with the game were wanted as {setting} and {shown} may hold a secret: put the key "
        "into an environment variable and name it with key_variable. No model was opened.",
        setting=(setting,),
    )
