"""The work of `bots try`: the games, and the table of what came of them."""

import asyncio
from collections.abc import Sequence
from functools import partial
from typing import Any

from checkpoints.store import Store, open_store
from entente.arena import GameEnd, play_batch
from entente.cli.options import print_json_lines
from entente.cli.output import plain_table, print_table, say, tell
from entente.cli.players import open_players
from entente.errors import PlayerError, SettingsError
from entente.floors.setup import resolve
from entente.games.contest import Figures, Played, contest, figures, pairing, played_of
from entente.players.seating import Seating, SeatKind, kind_of, spelled
from graph.context import GameSettings, parse_settings

_PARALLEL = 8
"""Games at once: programs wait for one another, for models and for processes of their own."""


async def try_player(
    player: str, opponents: Sequence[str], games: int, values: dict[str, Any], *, as_json: bool
) -> None:
    """Play the games and print what came of them, also when they are cut short.

    Raises SettingsError before the first game, and PlayerError when the player failed in every game.
    """
    if SeatKind.HUMAN in map(kind_of, map(spelled, (player, *opponents))):
        raise SettingsError("A program was wanted for each seat and a person came; nothing was played.")
    trial = _Trial(player, opponents, games, parse_settings(values))
    async with open_store("memory") as store, open_players() as players:
        trial.check(players)
        try:
            await trial.play(store, players)
        except asyncio.CancelledError:
            say(f"Stopped after {len(trial.over)} of {games} games.")
            _print(opponents, trial.played, as_json=as_json)
            raise
    _print(opponents, trial.played, as_json=as_json)
    if all(game.failures for game in trial.played):
        raise PlayerError(f"{player} failed in every game. {trial.played[0].first_failure}")


class _Trial:
    """The games in which a player is tried, and what came of those that are over."""

    def __init__(self, player: str, opponents: Sequence[str], games: int, settings: GameSettings) -> None:
        self._opponents = len(opponents)
        self._pairings = [pairing(number, opponents) for number in range(games)]
        self._games = [
            contest(settings.model_copy(update={"seed": settings.seed + number}), player, power, against)
            for number, (power, against) in enumerate(self._pairings)
        ]
        self._numbers = {game.id: number for number, game in enumerate(self._games)}
        self.over: dict[int, Played] = {}

    @property
    def played(self) -> list[Played]:
        """In the order in which the games were begun."""
        return [self.over[number] for number in sorted(self.over)]

    def check(self, players: Seating) -> None:
        """Raise SettingsError for what cannot be played."""
        for game in self._games[: self._opponents]:
            resolve(game.settings, players)

    async def play(self, store: Store, players: Seating) -> None:
        """Play them, several at once; raises PlayerError for one that failed otherwise than by its player."""
        await play_batch(
            store, self._games, parallel=_PARALLEL, make_player=players, on_end=partial(self._note, store)
        )

    async def _note(self, store: Store, end: GameEnd) -> None:
        if end.reason:
            raise PlayerError(end.reason)
        number = self._numbers[end.game.id]
        power, against = self._pairings[number]
        self.over[number] = played = await played_of(store, end.game.id, power, against)
        say(f"{len(self.over)} of {len(self._games)}  {power} against {against}: {_ending(played)}")
        await store.library.delete(end.game.id)


def _ending(game: Played) -> str:
    failures = f", {game.failures} failures" if game.failures else ""
    return ("a solo" if game.result.is_solo else f"{game.result.centers} centers") + failures


def _print(opponents: Sequence[str], played: Sequence[Played], *, as_json: bool) -> None:
    groups = {name: [game for game in played if game.against == name] for name in opponents}
    rows = [figures(name, games) for name, games in groups.items() if games]
    rows += [figures("all", played)] if len(rows) > 1 else []
    if as_json:
        print_json_lines(row.model_dump(mode="json") for row in rows)
    elif rows:
        _print_table(rows)


def _print_table(rows: Sequence[Figures]) -> None:
    table = plain_table()
    for column in ("Against", "Games", "Solos", "Share", "Centers", "Survived", "Failures"):
        table.add_column(column, justify="left" if column == "Against" else "right")
    for row in rows:
        table.add_row(
            row.against,
            str(row.games),
            str(row.solos),
            f"{row.draw_share:.3f}",
            f"{row.centers:.1f}" + (f" ± {row.centers_error:.1f}" if row.centers_error is not None else ""),
            f"{row.survival:.0%}",
            str(row.failures),
        )
    print_table(table)
    if first := rows[-1].first_failure:
        tell(f"\nThe first failure: {first}")
