"""The work of `train`: records and rows of games, written or checked."""

import asyncio
import json
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from functools import partial
from pathlib import Path

from checkpoints.failures import translated
from checkpoints.private import make_new_file
from checkpoints.store import Store
from entente.arena.playing import GameEnd
from entente.board.engine import Board
from entente.board.types import Power
from entente.cli.options import existing_store, find_game, store_at
from entente.cli.output import say
from entente.cli.players import open_players
from entente.cli.printing import echo
from entente.errors import PlayerError, SettingsError
from entente.games.runner import RunEnd
from entente.training.atropos import Queue, push_groups
from entente.training.config import read_config
from entente.training.environment import DiplomacyEnvironment
from entente.training.groups import grouped
from entente.training.parquet import SUFFIX, check_parquet, write_parquet
from entente.training.pushes import open_pushes
from entente.training.record import Record
from entente.training.record_check import read_records
from entente.training.recorder import Recording, record_of
from entente.training.texts import FORMS, Row
from entente.training.token_rows import TOKENS, LocalTokenizer, open_tokenizers, token_rows
from entente.validation import listed


async def export_games(
    location: str | None,
    games: Sequence[str],
    form: str,
    out: Path | None,
    seats: Sequence[str] | None,
    trainable: Sequence[str] | None,
    tokenizer: Path | None,
) -> None:
    """Write the games in the form, one behind the other; raises SettingsError and what a store raises."""
    _check_form(form, out)
    async with existing_store(location) as store:
        records = [await _record(store, await find_game(store, game), seats, trainable) for game in games]
    for record in records:
        _tell_what_is_left_out(record)
    seated = {power for record in records for power in record.episode.models}
    folders = dict.fromkeys(seated, str(tokenizer)) if tokenizer else {}
    tokenizers = await asyncio.to_thread(open_tokenizers, folders)
    if out is None:
        for line in _lines(records, form, tokenizers):
            echo(
                json.dumps(json.loads(line))
            )  # in ASCII: a terminal is shown nobody's signs, a file has them
    else:
        await asyncio.to_thread(_write, out, records, form, tokenizers)
        echo(str(out))


async def run_episodes(path: Path, name: str, out: Path | None, form: str, location: str | None) -> None:
    """Play the file's episodes; raises SettingsError with the file's line, and PlayerError when one has failed."""
    await _play(
        path, out, form, location, lambda environment: environment.run(environment.config.episodes(name))
    )


async def run_branches(
    path: Path, game: str, at: str, years: int | None, out: Path | None, form: str, location: str | None
) -> None:
    """Play continuations of a moment of the game; raises as `run_episodes`, and what forks raise."""

    async def play(environment: DiplomacyEnvironment) -> list[GameEnd]:
        return await environment.branch(await find_game(environment.store, game), at, years)

    await _play(path, out, form, location, play)


async def _play(
    path: Path,
    out: Path | None,
    form: str,
    location: str | None,
    play: Callable[[DiplomacyEnvironment], Awaitable[list[GameEnd]]],
) -> None:
    _check_form(form, out)
    config = await asyncio.to_thread(read_config, path)
    tokenizers = await asyncio.to_thread(open_tokenizers, config.tokenizers if form == TOKENS else {})
    async with (
        store_at(location) as store,
        open_players() as players,
        DiplomacyEnvironment(config, store, players, on_end=_tell_of) as environment,
    ):
        ends = await play(environment)
        over = sorted(each.game.id for each in ends if each.end is RunEnd.FINISHED)
        records = [await environment.record(episode) for episode in over] if out else []
    if out is not None:
        await asyncio.to_thread(_write, out, records, form, tokenizers)
    failed = [each for each in ends if each.end is not RunEnd.FINISHED]
    for each in failed:
        say(f"{each.game.id} has failed, and nothing is learned from it: {each.reason}")
    echo(f"{len(over)} of {len(ends)} episodes are over.")
    if out is not None:
        say(f"Written to {out}.", whole=True)
    if failed:
        raise PlayerError(
            f"{len(failed)} of {len(ends)} episodes have failed; the same command goes on with them."
        )


def _tell_of(left: GameEnd) -> None:
    if left.end is RunEnd.FINISHED and not left.was_over:
        say(f"{left.game.id} is over.")


async def push_file(path: Path, file: Path) -> None:
    """Push the records' groups to the queue that the settings name; raises SettingsError and TrainerError."""
    config = await asyncio.to_thread(read_config, path)
    if (queue := config.queue) is None:
        raise SettingsError(f"A trainer's queue was wanted and {path} names none; nothing was pushed.")
    size = config.training.group_size
    records = await asyncio.to_thread(_read_records, file)
    tokenizers = await asyncio.to_thread(open_tokenizers, config.tokenizers)
    found = await asyncio.to_thread(grouped, records, size, tokenizers)
    with open_pushes(Path(queue.pushes)) as pushes:
        to = Queue(queue.url, queue.name, queue.patience)
        pushed = await push_groups(to, found.groups, size, pushes)
    for reason in (*found.left_out, *pushed.left_out):
        say(f"Left out: {reason}")
    echo(
        f"{pushed.received} groups of {size} were pushed, {pushed.before} had been before; {pushed.equal} have equal "
        "rewards and teach nothing."
    )


def check_file(path: Path) -> str:
    """A sentence on what the record has; raises SettingsError with the line that is wrong."""
    records = _read_records(path)
    calls = [call for record in records for call in record.calls]
    learned = sum(call.trainable for call in calls)
    return f"{path}: {len(records)} games, {len(calls)} calls, {learned} of them to be learned from."


def _read_records(path: Path) -> list[Record]:
    with translated(str(path), noun="file"), path.open(encoding="utf-8") as file:
        return read_records(file, str(path))


async def _record(
    store: Store, game: str, seats: Sequence[str] | None, trainable: Sequence[str] | None
) -> Record:
    board = Board.start((await store.library.settings(game)).map_name)

    def powers(names: Sequence[str] | None) -> list[Power] | None:
        return [board.check_power(name) for name in names] if names else None

    return await record_of(store, game, Recording(trainable=powers(trainable), seats=powers(seats)))


def _check_form(form: str, out: Path | None) -> None:
    forms = ["record", *FORMS, TOKENS]
    if form not in forms:
        raise SettingsError(f"One of {listed(forms)} was wanted and {form!r} came; nothing was written.")
    if out is not None and out.suffix == SUFFIX:
        if form == "record":
            raise SettingsError(
                f"A form of rows was wanted for {out} and the record came, whose lines are of several kinds: give "
                f"--format {listed(forms[1:])}, or a file that is no {SUFFIX}. Nothing was written."
            )
        check_parquet()


def _rows(records: Iterable[Record], form: str, tokenizers: Mapping[Power, LocalTokenizer]) -> list[Row]:
    as_rows = partial(token_rows, tokenizers=tokenizers) if form == TOKENS else FORMS[form]
    return [row for record in records for row in as_rows(record)]


def _lines(records: Iterable[Record], form: str, tokenizers: Mapping[Power, LocalTokenizer]) -> list[str]:
    if form == "record":
        return [line for record in records for line in record.lines()]
    return [json.dumps(row, ensure_ascii=False) for row in _rows(records, form, tokenizers)]


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


def _write(
    path: Path, records: Iterable[Record], form: str, tokenizers: Mapping[Power, LocalTokenizer]
) -> None:
    """The whole file or none: what was there stays until then; nobody else may read it."""
    partial_path = path.with_name(f".{path.name}.partial")
    with translated(str(path), noun="file"):
        try:
            make_new_file(partial_path)
            if path.suffix == SUFFIX:
                write_parquet(partial_path, form, _rows(records, form, tokenizers))
            else:
                lines = _lines(records, form, tokenizers)
                partial_path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
            partial_path.replace(path)
        finally:
            partial_path.unlink(missing_ok=True)
