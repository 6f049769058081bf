"""Prompts are kept as they were sent, each part once, and go with a game wherever it goes."""

from pathlib import Path

from pydantic import JsonValue

from checkpoints.archive import export_game, import_game
from checkpoints.selfcheck import check_game
from checkpoints.store import Store, open_store
from checkpoints.tables import PROMPTS
from entente.board.types import Power
from entente.games.forks import fork_game
from entente.games.line import records_on_line
from entente.games.runner import GameMaster
from entente.models.client import Connections
from entente.models.mock.plan import Fault, Plan
from entente.models.mock.server import MockServer, mock_server
from entente.models.sent import SentPrompt, prompt_at
from entente.models.wire import Asked
from entente.players.record import TurnRecord
from entente.players.seating import Seating
from graph.context import GameSettings

MENDED = Plan(faults=(Fault(kind="garbage", calls=(2,)),))
"""A reply that has to be mended, so that one turn has two calls."""


async def asked_in(store: Store, game: str, master: GameMaster) -> list[Asked]:
    records = await records_on_line(store.journal, game, (await master.look(game)).state)
    replies = [reply for turn in records if isinstance(turn, TurnRecord) for reply in turn.replies]
    return [reply.asked for reply in replies if reply.asked]


async def prompts_in(store: Store, game: str, master: GameMaster) -> list[SentPrompt]:
    parts = await store.journal.prompt_parts(game)
    return [prompt_at(parts, asked.prompt) for asked in await asked_in(store, game, master)]


def texts_sent(server: MockServer) -> list[list[str]]:
    return sorted([str(m.get("content") or "") for m in each.messages] for each in server.requests)


async def test_each_prompt_is_kept_as_it_was_sent_and_each_part_once(store: Store, tmp_path: Path) -> None:
    async with mock_server(MENDED) as server, Connections() as connections:
        master = GameMaster(store, seating := Seating(connections, {}))
        seats: dict[Power, str] = dict.fromkeys(["FRANCE", "ITALY"], f"openai:mock@{server.url}")
        models: dict[str, JsonValue] = {"temperature": 0.5, "extra_body": {"top_k": 20}}
        settings = GameSettings(seats=seats, everyone="hold", rounds=1, max_year=1901, models=models)
        game = (await master.run(await master.begin(settings))).game
        prompts = await prompts_in(store, game, master)
        assert sorted([m.content for m in prompt.messages] for prompt in prompts) == texts_sent(server)
        assert len(prompts) == len(server.requests)
        assert all(prompt.tools for prompt in prompts)
        parts = await store.journal.prompt_parts(game)
        assert {*parts} == {digest for prompt in prompts for digest in prompt.parts}
        assert len(parts) < sum(len(prompt.parts) for prompt in prompts)
        asked = await asked_in(store, game, master)
        assert {each.prompt_set for each in asked} == {asked[0].prompt_set}
        assert all(each.sampling["temperature"] == 0.5 and each.sampling["top_k"] == 20 for each in asked)
        assert not any(each.parts for each in asked)

        fork = await fork_game(store, game, "F1901M", {}, seating)
        forked = await store.journal.prompt_parts(fork)
        assert {*forked} == {d for prompt in await prompts_in(store, fork, master) for d in prompt.parts}
        assert 0 < len(forked) < len(parts)

        at_turn = await fork_game(store, game, "S1901M.1.FRANCE", {}, seating)
        kept = (await store.journal.records_after(at_turn, 0)).records
        replies = [reply for turn in kept if isinstance(turn, TurnRecord) for reply in turn.replies]
        (asked,) = [reply.asked for reply in replies if reply.asked]
        assert prompt_at(await store.journal.prompt_parts(at_turn), asked.prompt) in prompts

        await export_game(store.library, game, tmp_path / "game.zip")
        async with open_store("memory") as other:
            await import_game(other.library, tmp_path / "game.zip")
            assert await other.journal.prompt_parts(game) == parts


async def test_a_part_that_is_lost_is_told_of(memory_store: Store) -> None:
    async with mock_server() as server, Connections() as connections:
        master = GameMaster(memory_store, Seating(connections, {}))
        seats = {"FRANCE": f"openai:mock@{server.url}"}
        settings = GameSettings(seats=seats, everyone="hold", rounds=0, max_year=1901)
        game = (await master.run(await master.begin(settings))).game
    parts = await memory_store.journal.prompt_parts(game)
    first = next(part.digest for part in parts.values() if part.parent is None)
    lose = PROMPTS.delete().where(PROMPTS.c.digest == first)
    await memory_store.library.database.write(lambda connection: connection.execute(lose))
    told = await memory_store.library.database.read(lambda connection: check_game(connection, game))
    assert [(error.table, error.row) for error in told] == [("prompts", first)]
