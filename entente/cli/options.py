"""Options and arguments that several commands share, and the one way in which they open the store.

Nothing here, and in no module that declares commands, loads the graph, the engine or the database: they
take most of a second, which `--help` and a mistyped option should not cost. Commands load what does
their work when they run. The settings of a game, which the options are made from, take a tenth of that.
"""

import asyncio
import gc
import json
from collections.abc import AsyncGenerator, Awaitable, Callable, Coroutine, Iterable, Mapping
from contextlib import asynccontextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, TypeVar, cast

import typer

from entente.cli.completion import complete_game, complete_power
from entente.cli.panels import PLAYERS
from entente.cli.printing import echo
from entente.cli.store_option import command_for, folder_of, has_store, location_of
from entente.display import displayable_json
from entente.errors import NotBegun, SettingsError, StoreUnavailable, UnknownGame, UnknownPhase, UntrustedGame

if TYPE_CHECKING:
    from pydantic import JsonValue

    from checkpoints.store import Store

T = TypeVar("T")

StoreOption = Annotated[
    str | None,
    typer.Option(
        "--store",
        metavar="WHERE",
        help="Where games are kept: a folder, postgresql://…, or memory. "
        "Default: $ENTENTE_STORE, or else ~/.local/share/entente.",
    ),
]
WholeStore = Annotated[
    str, typer.Argument(metavar="STORE", help="Where games are kept: a folder, or postgresql://…")
]
_NAMED = "The game's id or name, or the beginning of either."
GameArgument = Annotated[str, typer.Argument(metavar="GAME", help=_NAMED, autocompletion=complete_game)]
GameOrNewest = Annotated[
    str | None,
    typer.Argument(
        metavar="GAME",
        help=f"{_NAMED} Default: the one that was begun last.",
        autocompletion=complete_game,
    ),
]
JsonOption = Annotated[bool, typer.Option("--json", help="Print JSON for programs.")]
JsonLinesOption = Annotated[bool, typer.Option("--json", help="Print JSON for programs, an object a line.")]

ConfigOption = Annotated[
    Path | None,
    typer.Option(
        "--config",
        metavar="FILE",
        exists=True,
        dir_okay=False,
        help="A YAML or JSON file of settings, as `entente games show GAME --yaml` writes one; "
        "options go over what it says.",
    ),
]

HereOption = Annotated[
    str | None,
    typer.Option(
        "--here",
        metavar="POWER",
        autocompletion=complete_power,
        rich_help_panel=PLAYERS,
        help="Ask this power alone at this terminal, for the whole game; other people have terminals of their own.",
    ),
]

QuietOption = Annotated[
    bool, typer.Option("--quiet", "-q", help="Do not say how the game goes, only how it ended.")
]
VerboseOption = Annotated[
    bool,
    typer.Option(
        "--verbose", "-v", help="Say all that happens, a line each as `log` has it; not where people play."
    ),
]

_GC_THRESHOLD = 50_000
"""New objects before garbage is looked for. Python's own, 700, is for programs with less to do at once."""


def run_async(coroutine: Coroutine[Any, Any, T]) -> T:
    """Run a command's coroutine to its end."""
    settle()
    return asyncio.run(coroutine)


def settle() -> None:
    """Look for garbage from now on, but not among what was loaded: it stays, and to look takes 6 % of a start."""
    if not gc.isenabled():
        gc.freeze()
        gc.set_threshold(_GC_THRESHOLD)
        gc.enable()


@asynccontextmanager
async def store_at(option: str | None) -> "AsyncGenerator[Store]":
    """The store that the option or the environment names, made when it is not there yet.

    What the program warns of is said as long as it is open. Raises SettingsError for what is no store's name,
    StoreUnavailable, NewerSchema.
    """
    from checkpoints.store import open_store
    from entente.cli.output import warnings_said

    with warnings_said():
        async with open_store(location_of(option)) as store:
            yield store


@asynccontextmanager
async def existing_store(option: str | None) -> "AsyncGenerator[Store]":
    """As `store_at`, for commands that want a game of it: a folder that is not there is not made."""
    async with store_at(existing_location(option)) as store:
        yield store


def existing_location(option: str | None) -> str | None:
    """What the option or the environment names; raises StoreUnavailable for a folder without a store."""
    if not has_store(option):
        folder = str(folder_of(option))
        raise StoreUnavailable(
            f"There is no store at {folder}, and none was made; "
            f"give another --store, or begin one with `{command_for(folder, 'play')}`."
        )
    return location_of(option)


def with_game(option: str | None, game: str | None, work: "Callable[[Store, str], Awaitable[T]]") -> T:
    """Open the store, find the game, the newest for None, and do the work with both; raises UnknownGame."""

    async def found() -> T:
        async with existing_store(option) as store:
            id_ = await find_game(store, game)
            return await _with_hint(store, id_, work)

    return run_async(found())


async def _with_hint(store: "Store", game: str, work: "Callable[[Store, str], Awaitable[T]]") -> T:
    """What the work returns; an error about a phase or about trust also names the command that helps."""
    try:
        async with trust_hint(store, game):
            return await work(store, game)
    except NotBegun as error:
        raise NotBegun(f"{error} `{command_for(store.location, f'resume {game}')}` plays it.") from error
    except UnknownPhase as error:
        log = command_for(store.location, f"log {game}")
        raise UnknownPhase(f"{error} `{log}` lists the phases.") from error


@asynccontextmanager
async def trust_hint(store: "Store", game: str) -> AsyncGenerator[None]:
    """An error about what nobody has confirmed also names the command that confirms it."""
    try:
        yield
    except UntrustedGame as error:
        trust = command_for(store.location, f"resume {game} --trust")
        raise UntrustedGame(f"{error} `{trust}` confirms it.") from error


async def find_game(store: "Store", name: str | None) -> str:
    """The id of the game that the name means, or of the newest for None; raises UnknownGame."""
    if name is None:
        newest = await _newest(store)
        echo(f"The newest game: {newest}", err=True)
        return newest
    try:
        return await store.library.find(name)
    except UnknownGame as error:
        every = command_for(store.location, "games list")
        raise UnknownGame(f"{error} `{every}` shows all.") from error


async def _newest(store: "Store") -> str:
    game = await store.library.newest()
    if game is None:
        begin = command_for(store.location, "play")
        raise UnknownGame(
            f"A game was wanted and the store at {store.location} has none; `{begin}` begins one."
        )
    return game


def newest_unless_named(game: str | None, **rest: str | None) -> tuple[str | None, list[str]]:
    """The game and what follows it on the command line, where the game may be left out: None for the newest then.

    Raises SettingsError, by its name in the usage, for the first that is missing beside it.
    """
    given = [each for each in (game, *rest.values()) if each is not None]
    if len(given) < len(rest):
        missing = list(rest)[len(given)]
        raise SettingsError(f"Missing argument {missing!r}; nothing was done.")
    return (game, given[1:]) if len(given) > len(rest) else (None, given)


def refuse_several_forms(options: Mapping[str, bool]) -> None:
    """Raise SettingsError when more than one form of printing is wanted."""
    given = [name for name, is_given in options.items() if is_given]
    if len(given) > 1:
        raise SettingsError(
            f"One of {', '.join(options)} was wanted and {' and '.join(given)} came; nothing was printed."
        )


def print_json(value: object) -> None:
    """JSON on stdout, indented; its texts are displayable, and not escaped."""
    echo(json.dumps(displayable_json(cast("JsonValue", value)), indent=2, ensure_ascii=False))


def print_json_lines(values: Iterable[object]) -> None:
    """As `print_json`, an object a line: what is a list is printed so, whether or not more of it is to come."""
    for value in values:
        echo(json.dumps(displayable_json(cast("JsonValue", value)), ensure_ascii=False))
