"""Programs in seats: objects of your own, or what a seat names as MODULE:CLASS, by an installed name or as a command.

To import a module is to run its code. So that happens when a seat is filled, and never to list or to show a game.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from importlib.metadata import entry_points
from inspect import isclass, isfunction
from pathlib import PurePath
from traceback import extract_tb
from types import ModuleType
from typing import TypeAlias

from pydantic import TypeAdapter, ValidationError

from entente.display import in_one_line
from entente.errors import EntenteError, PlayerError, SettingsError
from entente.models.spec import PROVIDERS
from entente.players import roster
from entente.players.actions import Action
from entente.players.bundle import Bundle
from entente.players.outside import PREFIX, OutsideAgent, command_of
from entente.players.program import Agent, AgentPlayer
from entente.players.protocol import Player, Reply
from entente.validation import discreet

GROUP = "entente.players"
"""The group of entry points in which installed packages name their players."""

Program: TypeAlias = Player | Agent
OwnPlayer: TypeAlias = Program | Callable[[], Program]
"""A program, or what makes one: its class, or a function without arguments."""

_REFERENCE = re.compile(r"[^\W\d]\w*(\.[^\W\d]\w*)*:[^\W\d]\w*")
_ACTIONS = TypeAdapter(tuple[Action, ...])
_NEITHER = "has neither take_turn(bundle) nor wake(handle, events)"
_MODELS = f"a model whose provider is one of {', '.join(PROVIDERS)}"
_SHOWN_CHARS = 200


@dataclass(frozen=True, slots=True)
class ProgramPlayer:
    """A program that takes turns by `take_turn`; what it returns is checked."""

    program: Player

    async def take_turn(self, bundle: Bundle, /) -> Reply:
        """The program's turn; raises PlayerError for what is no reply, and whatever the program raises."""
        return _checked(await self.program.take_turn(bundle))


def load(name: str) -> Player:
    """A new player of the program that a seat's text names; raises SettingsError."""
    if name.startswith(PREFIX):
        return AgentPlayer(OutsideAgent(command_of(name)))
    return seated(name, _imported(name) if ":" in name else _installed(name))


def seated(name: str, program: object) -> Player:
    """The program as a player, a new one where its class or a function came; raises SettingsError."""
    if isclass(program) and not isinstance(program, Player | Agent):  # a class shows what its objects have
        raise _refused(name, f"the class {program.__name__} {_NEITHER}")
    made = _made(name, program) if isclass(program) or isfunction(program) else program
    if isinstance(made, Agent):
        return AgentPlayer(made)
    if isinstance(made, Player):
        return ProgramPlayer(made)
    raise _refused(name, f"a {type(made).__name__} {_NEITHER}")


def what_failed(error: Exception) -> str:
    """The error in one short line, with its place: `ValueError: no plan (bots.py, line 12).` for a program's own."""
    if isinstance(error, EntenteError):
        return str(error)
    lines = str(error).splitlines() or [""]
    said = in_one_line(lines[0][:_SHOWN_CHARS])
    frames = extract_tb(error.__traceback__)
    place = f" ({PurePath(frames[-1].filename).name}, line {frames[-1].lineno})" if frames else ""
    return f"{type(error).__name__}{': ' if said else ''}{said}{place}."


def _checked(reply: object) -> Reply:
    if not isinstance(reply, Reply):
        raise PlayerError(f"take_turn returned {type(reply).__name__} where a Reply was wanted.")
    try:
        return reply._replace(actions=_ACTIONS.validate_python(tuple(reply.actions)))
    except (TypeError, ValidationError) as error:
        raise PlayerError("take_turn returned a Reply with something else than actions in it.") from error


def _made(name: str, make: Callable[[], object]) -> object:
    try:
        return make()
    except Exception as error:
        raise _refused(name, f"it could not be made: {what_failed(error)}") from error


def _imported(name: str) -> object:
    """What a module has under a name."""
    if not _REFERENCE.fullmatch(name):
        raise _refused(name, f"that is neither MODULE:CLASS nor {_MODELS}")
    path, _, attribute = name.partition(":")
    try:
        module = import_module(path)
    except ModuleNotFoundError as error:
        if error.name is None or not f"{path}.".startswith(f"{error.name}."):
            raise _refused(name, f"its import failed: {what_failed(error)}") from error
        raise _refused(
            name,
            f"no module {error.name} is installed or in the working directory; nor is it {_MODELS}",
        ) from error
    except Exception as error:
        raise _refused(name, f"its import failed: {what_failed(error)}") from error
    if not hasattr(module, attribute):
        raise _refused(name, f"the module {path} ({_file_of(module)}) has no {attribute}")
    return getattr(module, attribute)


def _installed(name: str) -> object:
    """What an installed package has named so."""
    found = entry_points(group=GROUP)
    if name not in found.names:
        raise SettingsError(roster.unknown(name, sorted(found.names)))
    try:
        return found[name].load()
    except Exception as error:
        raise _refused(name, f"its import failed: {what_failed(error)}") from error


def _file_of(module: ModuleType) -> str:
    """Where the module is: another may have been wanted."""
    return getattr(module, "__file__", None) or "built in"


def _refused(name: str, why: str) -> SettingsError:
    return SettingsError(
        f"A program was wanted for the seat {discreet(name)!r}, and {why}; no player was made."
    )
