"""The work of `bots try`: the games, and the table of what came of them."""

import asyncio
from collections.abc import Sequence
from typing import Any

from entente.cli.options import print_json_lines
from entente.cli.output import plain_table, print_table, say, tell
from entente.cli.players import open_players
from entente.errors import PlayerError, SettingsError
from entente.games.contest import Figures, Played, figures, pairing, play_one
from entente.players.seating import Seating, SeatKind, kind_of, spelled
from graph.context import GameSettings, parse_settings


async def try_player(
    player: str, opponents: Sequence[str], games: int, values: dict[str, Any], *, as_json: bool
) -> None:
    """Play the games and print what came of them, also when they are cut short.

    Raises SettingsError before the first game, and PlayerError when the player failed in every game.
    """
    if SeatKind.HUMAN in map(kind_of, map(spelled, (player, *opponents))):
        raise SettingsError("A program was wanted for each seat and a person came; nothing was played.")
    settings, played = parse_settings(values), list[Played]()
    async with open_players() as players:
        try:
            await _play(player, opponents, games, settings, players, played)
        except asyncio.CancelledError:
            say(f"Stopped after {len(played)} of {games} games.")
            _print(opponents, played, as_json=as_json)
            raise
    _print(opponents, played, as_json=as_json)
    if all(game.failures for game in played):
        raise PlayerError(f"{player} failed in every game. {played[0].first_failure}")


async def _play(
    player: str,
    opponents: Sequence[str],
    games: int,
    settings: GameSettings,
    players: Seating,
    played: list[Played],
) -> None:
    for number in range(games):
        power, against = pairing(number, opponents)
        seeded = settings.model_copy(update={"seed": settings.seed + number})
        played.append(await play_one(seeded, player, power, against, players))
        say(f"{number + 1} of {games}  {power} against {against}: {_ending(played[-1])}")


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
