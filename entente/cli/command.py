"""A command whose `--crew` may be given without a value, which options of typer cannot."""

from collections.abc import Iterator, Sequence
from itertools import zip_longest
from typing import Any

from entente.cli.panels import Grouped
from graph.context import SCRIPTED_CREW


class Command(Grouped):
    """A command of entente: its help is in groups, and `--crew` alone means the scripted crew."""

    # typer has no public name for the context's type
    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Parse as every command does, once `--crew` has its value."""
        return super().parse_args(ctx, [*with_crew(args)])


def with_crew(args: Sequence[str]) -> Iterator[str]:
    """The arguments, with `scripted` behind each `--crew` that no value follows."""
    for argument, following in zip_longest(args, args[1:]):
        yield argument
        if argument == "--crew" and (following is None or following.startswith("-")):
            yield SCRIPTED_CREW
