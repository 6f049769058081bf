"""`play`, `resume` and `turn`: the commands that advance a game."""

import asyncio
import signal
from collections.abc import Generator
from contextlib import contextmanager
from typing import Annotated

import typer
from langgraph.runtime import RunControl

from checkpoints.store import Store
from entente.board.types import Power
from entente.cli.live import live_view
from entente.cli.options import GameArgument, StoreOption, run_async, store_at
from entente.cli.person import ask_person, can_ask
from entente.cli.report import report_end
from entente.errors import NotWaiting, SettingsError
from graph.context import GameSettings, parse_settings
from graph.master import GameMaster, RunEnd, Standing

_EXIT = {RunEnd.FINISHED: 0, RunEnd.PAUSED: 5, RunEnd.WAITING: 6}


def play(
    seat: Annotated[
        list[str] | None,
        typer.Option(
            "--seat", metavar="POWER=PLAYER", help="Who plays a power, such as FRANCE=human; repeatable."
        ),
    ] = None,
    everyone: Annotated[
        str, typer.Option("--all", metavar="PLAYER", help="Who plays the powers that no --seat names.")
    ] = "diplomat",
    floor: Annotated[str, typer.Option(help="rounds, or gunboat: no press at all.")] = "rounds",
    rounds: Annotated[int, typer.Option(help="Rounds of press before each movement phase.")] = 3,
    timing: Annotated[
        str, typer.Option(help="simultaneous, or sequential: one power after the other; both read alike.")
    ] = "simultaneous",
    max_year: Annotated[
        int | None, typer.Option("--max-year", help="The last game year. Default: ten years.")
    ] = None,
    map_name: Annotated[str, typer.Option("--map", help="The map to play on.")] = "standard",
    seed: Annotated[int, typer.Option(help="Where scripted players' randomness comes from.")] = 42,
    store: StoreOption = None,
) -> None:
    """Play a new game to its end, or until it is paused (Ctrl-C) or waits for a person."""
    values = {
        "everyone": everyone,
        "seats": dict(parse_seat(text) for text in seat or []),
        "floor": floor,
        "rounds": rounds,
        "timing": timing,
        "max_year": max_year,
        "map_name": map_name,
        "seed": seed,
    }
    run_async(_play_new(store, parse_settings(values)))


def resume(game: GameArgument, store: StoreOption = None) -> None:
    """Go on with a game that was paused, killed or is waiting for a person."""
    run_async(_resume(store, game))


def turn(
    game: GameArgument,
    power: Annotated[str, typer.Argument(metavar="POWER", help="The seat that answers.")],
    store: StoreOption = None,
) -> None:
    """Take a person's turn in a game that waits for it; lines come from the terminal, or piped in."""
    run_async(_turn(store, game, power))


def parse_seat(text: str) -> tuple[Power, str]:
    """The power and the player of `FRANCE=dumbbot`; raises SettingsError."""
    power, equals, player = text.partition("=")
    if not equals or not power.strip() or not player.strip():
        raise SettingsError(
            f"A seat such as FRANCE=dumbbot was wanted and {text!r} came. No game was started."
        )
    return power.strip().upper(), player.strip()


async def _play_new(location: str | None, settings: GameSettings) -> None:
    async with store_at(location) as store:
        master = GameMaster(store)
        await _go_on(store, master, await master.begin(settings))


async def _resume(location: str | None, name: str) -> None:
    async with store_at(location) as store:
        await _go_on(store, GameMaster(store), await store.library.find(name))


async def _turn(location: str | None, name: str, power_name: str) -> None:
    async with store_at(location) as store:
        master = GameMaster(store)
        game = await store.library.find(name)
        standing = await master.look(game)
        power = power_name.strip().upper()
        seat = next((seat for seat in standing.pending if seat.power == power), None)
        if seat is None:
            waiting = ", ".join(seat.power for seat in standing.pending) or "nobody"
            raise NotWaiting(
                f"{power} is not being asked in this game, which waits for {waiting}; nothing was done."
            )
        answer = await ask_person(store, standing, seat)
        with _draining() as control:
            async with live_view(store, game):
                standing = await master.answer(game, {seat: answer}, control=control)
        await _end(store, standing)


async def _go_on(store: Store, master: GameMaster, game: str) -> None:
    """Run the game; while somebody at this terminal can be asked, ask, and run on."""
    typer.echo(f"Game {game}", err=True)
    with _draining() as control:
        async with live_view(store, game):
            standing = await master.run(game, control=control)
        while standing.pending and can_ask() and not control.drain_requested:
            answers = {seat: await ask_person(store, standing, seat) for seat in standing.pending}
            async with live_view(store, game):
                standing = await master.answer(game, answers, control=control)
    await _end(store, standing)


async def _end(store: Store, standing: Standing) -> None:
    await report_end(store, standing)
    raise typer.Exit(_EXIT[standing.end])


@contextmanager
def _draining() -> Generator[RunControl]:
    """A control that the first SIGINT or SIGTERM drains; a second one stops at once."""
    control = RunControl()
    loop = asyncio.get_running_loop()
    signals = (signal.SIGINT, signal.SIGTERM)

    def drain(received: signal.Signals) -> None:
        control.request_drain(received.name)
        typer.echo("\nPausing: the turns in progress finish first. Again to stop at once.", err=True)
        for each in signals:
            loop.remove_signal_handler(each)

    for each in signals:
        loop.add_signal_handler(each, drain, each)
    try:
        yield control
    finally:
        for each in signals:
            loop.remove_signal_handler(each)
