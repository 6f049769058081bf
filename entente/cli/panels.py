"""The help of a command: its options in groups, with what is rarely wanted in the last one."""

from collections.abc import Sequence
from contextlib import AbstractContextManager
from typing import Any, Protocol

from typer.core import TyperCommand

PLAYERS = "Players"
TALK = "Talk"
CONDUCTED = "On the conductor's floor"
MODELS = "Language models and programs"
BOARD = "Board and end"
READERS = "Who reads"
EVENTS = "Which events"
RARE = "Rarely wanted"
"""What groups are called, as an option names its own by `rich_help_panel`."""
_ARGUMENTS, _OTHERS = "Arguments", "Options"


class _Page(Protocol):
    """Where help is written to."""

    def section(self, name: str) -> AbstractContextManager[None]: ...
    def write_dl(self, rows: Sequence[tuple[str, str]]) -> None: ...


class Grouped(TyperCommand):
    """A command whose help has its options in groups."""

    def format_options(self, ctx: Any, formatter: _Page) -> None:  # typer has no public name for their types
        """Arguments, the groups in the order in which their first options come, all others, and what is rare."""
        groups: dict[str, list[tuple[str, str]]] = {_ARGUMENTS: []}
        for parameter in self.get_params(ctx):
            if line := parameter.get_help_record(ctx):
                is_argument = parameter.param_type_name == "argument"
                own = _ARGUMENTS if is_argument else getattr(parameter, "rich_help_panel", None) or _OTHERS
                groups.setdefault(own, []).append(line)
        for name in (_OTHERS, RARE):
            groups[name] = groups.pop(name, [])
        for name, lines in groups.items():
            if lines:
                with formatter.section(name):
                    formatter.write_dl(lines)
