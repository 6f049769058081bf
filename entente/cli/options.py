"""Options and arguments that several commands share, and the one way in which they open the store."""

import asyncio
import json
from collections.abc import AsyncGenerator, Awaitable, Callable, Coroutine
from contextlib import asynccontextmanager
from typing import Annotated, Any, TypeVar

import typer

from checkpoints.store import Store, open_store
from entente.config import StoreSettings

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
GameArgument = Annotated[str, typer.Argument(metavar="GAME", help="The game's id, or the beginning of it.")]
JsonOption = Annotated[bool, typer.Option("--json", help="Print JSON for programs.")]


def run_async(coroutine: Coroutine[Any, Any, T]) -> T:
    """Run a command's coroutine to its end."""
    return asyncio.run(coroutine)


@asynccontextmanager
async def store_at(location: str | None) -> AsyncGenerator[Store]:
    """The store that the option or the environment names; raises StoreUnavailable, NewerSchema."""
    async with open_store(location or StoreSettings().store) as store:
        yield store


def with_game(location: str | None, game: str, work: Callable[[Store, str], Awaitable[T]]) -> T:
    """Open the store, find the game and do the work with both; raises UnknownGame."""

    async def found() -> T:
        async with store_at(location) as store:
            return await work(store, await store.library.find(game))

    return run_async(found())


def print_json(value: object) -> None:
    """JSON on stdout, indented, as it is and not escaped."""
    typer.echo(json.dumps(value, indent=2, ensure_ascii=False))
