"""Texts that entente puts to a seat, one Markdown file each, and the loader that fills them in.

The files beside this module are the default set. `short/` replaces a few of them for small models, and a folder
of the user's replaces any of them; `personas/` has a text for each power and `NEUTRAL` for all others.
"""

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from hashlib import blake2b
from pathlib import Path

from entente.errors import SettingsError

OF_HOUSE = {"default": False, "short": True}
"""Our own sets, and whether each is the short one."""

_FIELD = re.compile(r"\{([a-z_]+)\}")
_SECTIONS = re.compile(r"\n\n(?=# )")
_TAG = re.compile(r"</?[a-z]+>")
_HERE = Path(__file__).parent
_PERSONA = re.compile(r"personas/[A-Z][A-Z_-]*")


@dataclass(frozen=True, slots=True, eq=False)
class PromptSet:
    """Texts by name, `rules` or `personas/FRANCE`; it never changes, and is compared and hashed by identity."""

    texts: Mapping[str, str]

    @property
    def digest(self) -> str:
        """The same for all sets of the same texts."""
        return _digest(self)

    def load(self, name: str) -> str:
        """The text, unfilled; raises SettingsError."""
        if name not in self.texts:
            raise SettingsError(
                f"A prompt named {name!r} was wanted and there is no such file; nothing was asked."
            )
        return self.texts[name]

    def fill(self, name: str, /, **fields: str) -> str:
        """The text with its `{fields}` filled in; one that is missing or unknown is a SettingsError.

        A section that would have nothing under its heading is left out.
        """
        text = self.load(name)
        wanted = _fields(text)
        if wanted != fields.keys():
            raise SettingsError(
                f"The prompt {name!r} wants the fields {', '.join(sorted(wanted)) or 'none'} "
                f"and got {', '.join(sorted(fields)) or 'none'}; nothing was asked."
            )
        told = (section for section in _SECTIONS.split(text) if not _is_empty(section, fields))
        return _FIELD.sub(lambda match: fields[match[1]], "\n\n".join(told))

    def persona(self, power: str) -> str:
        """Who plays the power; the neutral text for a power that has none of its own."""
        name = f"personas/{power}"
        return self.load(name if name in self.texts else "personas/NEUTRAL")


def open_set(folder: Path | None = None, *, short: bool = False) -> PromptSet:
    """The default set, or the `short` one, with the user's folder over it; read once a process.

    Raises SettingsError for a folder that is not there, and for a file in it that is no prompt of ours or has
    other fields than ours, since it would be left out in silence or leave a hole.
    """
    return _open(folder, short)


def read_ahead(folder: Path | None = None) -> None:
    """Read both sets: under a server files must not be read on the event loop. Raises SettingsError."""
    for short in (False, True):
        _open(folder, short)


@lru_cache
def _digest(texts: PromptSet) -> str:
    return blake2b(json.dumps(dict(texts.texts), sort_keys=True).encode(), digest_size=16).hexdigest()


@lru_cache
def _open(folder: Path | None, short: bool) -> PromptSet:
    texts = _read(_HERE)
    for over in ([_HERE / "short"] if short else []) + ([folder] if folder else []):
        texts |= _checked(_read(over), texts, over)
    return PromptSet(texts)


def prompts_in(folder: Path) -> list[str]:
    """The names of the texts that a folder has, `rules` or `personas/FRANCE`."""
    return [path.relative_to(folder).with_suffix("").as_posix() for path in _files(folder)]


def unread_files(folder: Path) -> list[str]:
    """The files of a user's folder, and of its `personas`, that are no texts; hidden ones are not counted."""
    read = {*_files(folder), folder / "personas"}
    found = {*folder.glob("[!.]*"), *folder.glob("personas/[!.]*")} - read
    return sorted(path.relative_to(folder).as_posix() for path in found)


def load(name: str) -> str:
    """The text of `prompts/NAME.md`, unfilled; raises SettingsError."""
    return open_set().load(name)


def fill(name: str, /, **fields: str) -> str:
    """That text with its `{fields}` filled in; one that is missing or unknown is a SettingsError."""
    return open_set().fill(name, **fields)


def _is_empty(section: str, fields: Mapping[str, str]) -> bool:
    """True when under the section's heading stand fields alone, in tags or not, and nothing fills them."""
    heading, _, body = section.partition("\n")
    has_words = _TAG.sub("", _FIELD.sub("", body)).strip()
    return heading.startswith("# ") and not has_words and not any(fields[name] for name in _fields(body))


def _fields(text: str) -> set[str]:
    return set(_FIELD.findall(text))


def _read(folder: Path) -> dict[str, str]:
    if not folder.is_dir():
        raise SettingsError(f"A folder of prompts was wanted and {str(folder)!r} is none; nothing was asked.")
    names = prompts_in(folder)
    return {name: (folder / f"{name}.md").read_text(encoding="utf-8").strip() for name in names}


def _files(folder: Path) -> list[Path]:
    return [*sorted(folder.glob("*.md")), *sorted(folder.glob("personas/*.md"))]


def _checked(texts: dict[str, str], known: Mapping[str, str], folder: Path) -> dict[str, str]:
    for name, text in texts.items():
        if name not in known and not _PERSONA.fullmatch(name):
            raise SettingsError(
                f"{folder / name}.md is no prompt; those are {', '.join(sorted(known))}. Nothing was asked."
            )
        wanted = _fields(known.get(name, ""))
        if _fields(text) != wanted:
            raise SettingsError(
                f"{folder / name}.md has the fields {', '.join(sorted(_fields(text))) or 'none'} and "
                f"{', '.join(sorted(wanted)) or 'none'} were wanted; nothing was asked."
            )
    return texts


read_ahead()
