"""kill -9 while episodes are played and while they are pushed: the queue gets each group once."""

import asyncio
import json
import os
import signal
from collections.abc import Callable
from pathlib import Path
from typing import Any

import httpx2
import pytest
import yaml

from entente.training.atropos import payload_of
from entente.training.groups import grouped
from entente.training.record_check import read_records
from tests.support.canaries import POWERS
from tests.support.patience import PATIENCE
from tests.support.terminal import forked
from tests.training.policies import make_tokenizer, telling_server
from tests.training.run_api import Trainer, in_front_of, run_api

RUN_KILLS = (3, 8, 14)
"""At which requests of a policy the run is killed, counted over all runs."""
PUSH_KILLS = ((2, True), (4, False), (6, True), (8, False))
"""At which pushes the pusher is killed, and whether the queue has got it by then."""


class Victim:
    """The command that is running, and what it asked for; it is killed at some of its requests."""

    def __init__(self, path: str, kills: Callable[[int, bool], bool]) -> None:
        self.pid = 0
        self._path, self._kills, self._count = path, kills, 0

    def meddle(self, path: str, is_answered: bool) -> int | None:
        """Kill it where that is wanted; nobody reads the answer then."""
        if path != self._path:
            return None
        self._count += not is_answered
        if self._kills(self._count, is_answered):
            os.kill(self.pid, signal.SIGKILL)
            return 502
        return None


async def run_until_done(victim: Victim, folder: Path, *arguments: str) -> tuple[int, str]:
    """Give the command again until it is not killed; how often it was, and what it printed at last."""
    kills = 0
    while True:
        streams = (os.devnull, str(folder / "out"), str(folder / "err"))
        process = forked(*arguments, streams=streams, cwd=folder)
        victim.pid = process.pid or 0
        await asyncio.to_thread(process.join, PATIENCE)
        if process.exitcode != -signal.SIGKILL:
            assert process.exitcode == 0, (folder / "err").read_text()
            return kills, (folder / "out").read_text()
        kills += 1


@pytest.mark.slow
async def test_a_killed_run_and_a_killed_push_give_the_queue_each_group_once(tmp_path: Path) -> None:
    tokenizer = make_tokenizer(tmp_path / "tokenizer")
    player = Victim("/v1/completions", lambda count, answered: not answered and count in RUN_KILLS)
    pusher = Victim("/scored_data", lambda count, answered: (count, answered) in PUSH_KILLS)
    with run_api() as address:
        async with (
            telling_server(tokenizer, idle="night-0-0") as policy,
            in_front_of(policy, player.meddle) as policy_gateway,
            in_front_of(address, pusher.meddle) as queue_gateway,
            httpx2.AsyncClient(base_url=address, timeout=PATIENCE) as http,
        ):
            settings: dict[str, Any] = {
                "game_settings": {
                    "max_turns": 1,
                    "rounds": 1,
                    "powers": [
                        {"name": power, "model": "policy-v1" if power in ("FRANCE", "TURKEY") else "hold"}
                        for power in POWERS
                    ],
                },
                "server_config": {"url": policy_gateway, "timeout": PATIENCE},
                "training": {
                    "batch_size": 2,
                    "episodes_per_batch": 2,
                    "group_size": 2,
                    "save_replays": False,
                },
                "queue": {"url": queue_gateway, "patience": PATIENCE},
            }
            (tmp_path / "training.yaml").write_text(yaml.safe_dump(settings), encoding="utf-8")
            run = (
                "run",
                "training.yaml",
                "--episodes",
                "night",
                "--store",
                "store.db",
                "--out",
                "night.jsonl",
            )
            killed, told = await run_until_done(player, tmp_path, "train", *run)
            assert (killed, told.strip()) == (len(RUN_KILLS), "2 of 2 episodes are over.")

            trainer = Trainer(http)
            await trainer.begin(batch_size=128)
            push = ("push", "training.yaml", "night.jsonl")
            killed, told = await run_until_done(pusher, tmp_path, "train", *push)
            assert killed == len(PUSH_KILLS)

            with (tmp_path / "night.jsonl").open(encoding="utf-8") as file:
                records = read_records(file, "night.jsonl")
            groups = [group for group in grouped(records, 2, {}).groups if group.teaches]
            assert len(groups) > max(count for count, _ in PUSH_KILLS)
            assert await trainer.waiting() == len(groups)
            latest = (await http.get("/latest_example")).json()
            assert latest["group_overrides"] == payload_of(groups[-1])["group_overrides"]
            await run_until_done(pusher, tmp_path, "train", *push)
            assert await trainer.waiting() == len(groups), "a group was pushed twice"
    calls = [call.id for record in records for call in record.calls]
    assert len(calls) == len(set(calls))
    assert json.loads((tmp_path / "night.jsonl").read_text().splitlines()[0])["group_id"] == "night-0"
