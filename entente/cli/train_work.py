"""The work of `train`: records and rows of games, written or checked."""

import asyncio
import json
from collections.abc import Iterable, Sequence
from pathlib import Path

from checkpoints.failures import translated
from checkpoints.private import make_new_file
from checkpoints.store import Store
from entente.board.engine import Board
from entente.board.types import Power
from entente.cli.options import existing_store, find_game, store_at
from entente.cli.output import say
from entente.cli.players import open_players
from entente.cli.printing import echo
from entente.errors import PlayerError, SettingsError
from entente.games.runner import RunEnd
from entente.training.check import read_records
from entente.training.config import parse_config
from entente.training.environment import DiplomacyEnvironment
from entente.training.record import Record
from entente.training.recorder import Recording, record_of
from entente.training.texts import FORMS
from entente.validation import listed
from entente.value_file import read_values


async def export_games(
    location: str | None,
    games: Sequence[str],
    form: str,
    out: Path | None,
    seats: Sequence[str] | None,
    trainable: Sequence[str] | None,
) -> None:
    """Write the games in the form, one behind the other; raises SettingsError and what a store raises."""
    if form not in ("record", *FORMS):
        raise SettingsError(
            f"One of {listed(['record', *FORMS])} was wanted and {form!r} came; nothing was written."
        )
    async with existing_store(location) as store:
        records = [await _record(store, await find_game(store, game), seats, trainable) for game in games]
    for record in records:
        _tell_what_is_left_out(record)
    lines = [line for record in records for line in _lines(record, form)]
    if out is None:
        for line in lines:
            echo(
                json.dumps(json.loads(line))
            )  # in ASCII: a terminal is shown nobody's signs, a file has them
    else:
        await asyncio.to_thread(_write, out, lines)
        echo(str(out))


async def run_episodes(path: Path, name: str, out: Path | None, location: str | None) -> None:
    """Play the file's episodes; raises SettingsError with the file's line, and PlayerError when one has failed."""
    file = await asyncio.to_thread(read_values, path, "The settings of training")
    try:
        config = parse_config(file.values)
    except SettingsError as error:
        raise file.placed(error) from error
    episodes = [f"{name}-{number}" for number in range(config.training.episodes_per_batch)]
    async with (
        store_at(location) as store,
        open_players() as players,
        DiplomacyEnvironment(config, store, players) as environment,
    ):
        ends = await environment.run(episodes)
        over = sorted(each.game.id for each in ends if each.end is RunEnd.FINISHED)
        records = [await environment.record(episode) for episode in over] if out else []
    if out is not None:
        await asyncio.to_thread(_write, out, [line for record in records for line in record.lines()])
    failed = [each for each in ends if each.end is not RunEnd.FINISHED]
    for each in failed:
        say(f"{each.game.id} has failed, and nothing is learned from it: {each.reason}")
    echo(f"{len(over)} of {len(episodes)} episodes are over.")
    if failed:
        raise PlayerError(
            f"{len(failed)} of {len(episodes)} episodes have failed; the same command goes on with them."
        )


def check_file(path: Path) -> str:
    """A sentence on what the record has; raises SettingsError with the line that is wrong."""
    with translated(str(path), noun="file"), path.open(encoding="utf-8") as file:
        records = read_records(file, str(path))
    calls = [call for record in records for call in record.calls]
    learned = sum(call.trainable for call in calls)
    return f"{path}: {len(records)} games, {len(calls)} calls, {learned} of them to be learned from."


async def _record(
    store: Store, game: str, seats: Sequence[str] | None, trainable: Sequence[str] | None
) -> Record:
    board = Board.start((await store.library.settings(game)).map_name)

    def powers(names: Sequence[str] | None) -> list[Power] | None:
        return [board.check_power(name) for name in names] if names else None

    return await record_of(store, game, Recording(trainable=powers(trainable), seats=powers(seats)))


def _lines(record: Record, form: str) -> Iterable[str]:
    if form == "record":
        return record.lines()
    return (json.dumps(row, ensure_ascii=False) for row in FORMS[form](record))


def _tell_what_is_left_out(record: Record) -> None:
    episode = record.episode
    without = sum(call.prompt is None for call in record.calls)
    if episode.end_reason is None:
        say(f"Game {episode.episode_id} is not over: nothing of it is to be learned from.")
    if without or episode.calls_without_words:
        say(
            f"Game {episode.episode_id} was begun by an older entente, which kept no prompts of {without} calls and no "
            f"words of {episode.calls_without_words}: nothing of these is to be learned from."
        )


def _write(path: Path, lines: Iterable[str]) -> None:
    """The whole file or none: what was there stays until then; nobody else may read it."""
    partial = path.with_name(f".{path.name}.partial")
    with translated(str(path), noun="file"):
        try:
            make_new_file(partial)
            with partial.open("w", encoding="utf-8") as file:
                file.writelines(f"{line}\n" for line in lines)
            partial.replace(path)
        finally:
            partial.unlink(missing_ok=True)
