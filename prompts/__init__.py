"""Texts that entente puts to a seat, one Markdown file each, and the loader that fills them in."""

import re
from functools import lru_cache
from importlib.resources import files

from entente.errors import SettingsError

_FIELD = re.compile(r"\{([a-z_]+)\}")


@lru_cache
def load(name: str) -> str:
    """The text of `prompts/NAME.md`, unfilled; raises SettingsError."""
    path = files("prompts") / f"{name}.md"
    if not path.is_file():
        raise SettingsError(
            f"A prompt named {name!r} was wanted and there is no such file; nothing was asked."
        )
    return path.read_text(encoding="utf-8").strip()


def fill(name: str, /, **fields: str) -> str:
    """The text with its `{fields}` filled in; one that is missing or unknown is a SettingsError."""
    text = load(name)
    wanted = set(_FIELD.findall(text))
    if wanted != fields.keys():
        raise SettingsError(
            f"The prompt {name!r} wants the fields {', '.join(sorted(wanted)) or 'none'} "
            f"and got {', '.join(sorted(fields)) or 'none'}; nothing was asked."
        )
    return _FIELD.sub(lambda match: fields[match[1]], text)
