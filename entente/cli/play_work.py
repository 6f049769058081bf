"""The work of `play`, `resume` and `turn`: which game is run, for whom, and with what changed."""

from collections.abc import Mapping
from typing import TypeAlias

from pydantic import JsonValue

from checkpoints.store import Store
from entente.board.types import Power
from entente.cli.ending import next_command
from entente.cli.game_run import GameRun, check_somebody_sits_here, is_late, state_of
from entente.cli.live import Progress
from entente.cli.options import existing_store, find_game, store_at, trust_hint
from entente.cli.output import say
from entente.cli.person import Left, ask_person
from entente.cli.players import open_players
from entente.cli.situation import Situation
from entente.cli.verbosity import Talk
from entente.errors import NotWaiting, SettingsError
from entente.floors.effects import refuse_without_effect
from entente.games.absence import give_back
from entente.games.early import question_for
from entente.games.runner import GameMaster, PendingSeat, Standing
from entente.games.trust import reaches_of
from entente.players.roster import HUMAN
from graph.context import GameSettings
from graph.state import board_of, people

Changes: TypeAlias = tuple[
    Mapping[str, JsonValue],
    Mapping[Power, Mapping[str, JsonValue]],
    str | None,
    str | None,
    Mapping[str, JsonValue],
]
"""Model settings of the game and of seats, what becomes of a seat whose provider fails, who tells the game, and the
settings of the crew's model."""


async def play_new(
    location: str | None, settings: GameSettings, here: str | None = None, talk: Talk = Talk.USUAL
) -> None:
    """Begin a game with these settings and run it; `here`, if any, is the only power that is asked at this terminal.

    Raises typer.Exit with the exit code.
    """
    refuse_without_effect(settings, settings.model_fields_set)
    if here is not None:
        _check_is_persons(settings, here := here.strip().upper())
    _check_may_hear(talk, settings)
    async with store_at(location) as store, open_players() as players:
        master = GameMaster(store, players)
        game = await master.begin(settings)
        if talk is not Talk.NONE:
            say(f"Game {game}")
        await GameRun(store, master, await Progress.of(store, game, talk)).play(here)


async def resume_game(
    location: str | None,
    name: str | None,
    changes: Changes | None,
    *,
    trust: bool,
    here: str | None = None,
    talk: Talk = Talk.USUAL,
) -> None:
    """Go on with a game, its language models called as the changes say from now on; raises typer.Exit.

    `trust` lets an imported game use what its file names; raises SettingsError where it is not said which game.
    """
    if trust and name is None:
        raise SettingsError("The id of the game to trust was wanted and none came; nothing was done.")
    async with existing_store(location) as store, open_players() as players:
        game = await find_game(store, name)
        _check_may_hear(talk, await store.library.settings(game))
        if talk is not Talk.NONE:
            say(f"Game {game}")
        master = GameMaster(store, players)
        async with trust_hint(store, game):
            if trust:
                await _confirm(store, game)
            if changes is not None:
                await master.change(game, *changes)
        if here is not None:
            _check_is_persons(await store.library.settings(game), here := here.strip().upper())
        await GameRun(store, master, await Progress.of(store, game, talk)).play(here)


async def _confirm(store: Store, game: str) -> None:
    """Trust the game, and say what it uses from now on."""
    for line in await reaches_of(store, game):
        say(f"Confirmed: {line}", whole=True)
    await store.library.trust(game)


async def take_turn(location: str | None, name: str | None, power_name: str, *, is_staying: bool) -> None:
    """Answer for one seat, once or until the game is over, and run on; raises typer.Exit, NotWaiting."""
    async with existing_store(location) as store, open_players() as players:
        master = GameMaster(store, players)
        game = await find_game(store, name)
        standing = await master.look(game)
        await _come_back(store, game, power_name.strip().upper())
        run = GameRun(store, master, await Progress.of(store, game))
        if is_staying:
            await run.stay(_seat_of_person(standing, power_name))
        seat = await _question(store, standing, power_name)
        await run.tell_whether_asked(seat)
        written = await ask_person(Situation(store, standing, seat))
        if not isinstance(written, Left):
            standing = await run.send(seat, written)
        elif is_late(seat):
            standing = await run.advance({})
        await run.end(standing)


async def _come_back(store: Store, game: str, power: Power) -> None:
    """Give the seat back where somebody stands in, and say so: its person is here."""
    if name := (await store.library.settings(game)).away.get(power):
        await give_back(store, game, power)
        say(f"{name} has stood in for {power}, and does so no longer.")


def _seat_of_person(standing: Standing, power_name: str) -> Power:
    """The power's name; raises NotWaiting where no person plays it."""
    power = board_of(standing.state).check_power(power_name) if standing.has_begun else power_name.upper()
    if standing.has_begun and power not in people(standing.state):
        raise NotWaiting(f"A seat that a person plays was wanted and {power} is none; nothing was done.")
    return power


def _check_may_hear(talk: Talk, settings: GameSettings) -> None:
    if talk is Talk.ALL and HUMAN in (settings.everyone, *settings.seats.values()):
        raise SettingsError(
            "--verbose tells all press and orders, and a person plays in this game; nothing was done, and "
            "`entente log --follow` tells what all may know."
        )


def _check_is_persons(settings: GameSettings, power: Power) -> None:
    check_somebody_sits_here()
    if settings.seat(power) != HUMAN:
        raise SettingsError(
            f"A seat that a person plays was wanted for --here and {power} is none; nothing was done."
        )


async def _question(store: Store, standing: Standing, power_name: str) -> PendingSeat:
    power = board_of(standing.state).check_power(power_name) if standing.has_begun else power_name
    if seat := await question_for(store, standing, power):
        return seat
    raise NotWaiting(
        f"{power} is not being asked: {await state_of(store, standing)}; nothing was done. "
        f"`{next_command(store, f'turn {standing.game} {power} --stay')}` waits until it is."
    )
