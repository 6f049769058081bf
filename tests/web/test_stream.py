"""A stream misses nothing and tells nothing twice, whoever plays the game; an answer is taken once."""

import asyncio
from pathlib import Path

from pydantic import JsonValue

from checkpoints.store import open_store
from entente.games.pending import PendingSeat
from entente.games.runner import GameMaster
from graph.context import GameSettings
from tests.web.served import Visit, served

SETTINGS = GameSettings(everyone="diplomat", seats={"FRANCE": "human"}, rounds=1, max_year=1901)


async def _told(visit: Visit, cursor: str = "") -> list[str]:
    async with visit.stream(cursor) as stream:
        await stream.until("view")
        return [event["id"] for event in stream.told]


async def test_a_client_that_comes_again_is_told_the_rest_of_a_game_that_another_process_plays(
    tmp_path: Path,
) -> None:
    folder = str(tmp_path / "store")
    async with open_store(folder) as here, open_store(folder) as elsewhere:
        master = GameMaster(elsewhere)
        standing = await master.run(await master.begin(SETTINGS))
        async with served(here) as page, page.visit(standing.game, "ITALY") as italy:
            async with italy.stream() as stream:
                await stream.until("view")
                assert stream.told == []  # the round waits for FRANCE
                words: dict[PendingSeat, JsonValue] = {seat: {"messages": []} for seat in standing.pending}
                standing = await master.answer(standing.game, words)
                while not stream.told:
                    await stream.until("message")
                cursor, told = stream.cursor, [event["id"] for event in stream.told]
            all_told = await _told(italy)
            assert all_told[: len(told)] == told
            assert len(set(all_told)) == len(all_told)
            assert told + await _told(italy, cursor) == all_told
        async with served(here) as restarted, restarted.visit(standing.game, "ITALY") as italy:
            assert told + await _told(italy, cursor) == all_told
            for strange in ("1-00000000", "999-", "x", f"{cursor}0"):
                async with italy.stream(strange) as stream:
                    await stream.until("view")
                    assert "event: reset" in stream.text
                    assert [event["id"] for event in stream.told] == all_told


async def test_an_answer_that_is_sent_twice_or_late_is_taken_once(tmp_path: Path) -> None:
    async with open_store("memory") as store:
        master = GameMaster(store)
        settings = SETTINGS.model_copy(update={"rounds": 0, "everyone": "hold"})
        game = (await master.run(await master.begin(settings))).game
        async with served(store) as page, page.visit(game, "FRANCE") as france:
            asked = (await france.get("/seat")).json()
            answer = {"question": asked["id"], "orders": ["A PAR - BUR", "A MAR H", "F BRE H"]}
            refused = await france.post("/answer", {**answer, "orders": ["A PAR - MOS"]})
            assert (refused.status_code, "MOS" in refused.json()["error"]) == (422, True)
            sent = await asyncio.gather(*(france.post("/answer", answer) for _ in range(2)))
            assert sorted(each.status_code for each in sent) == [204, 409]
            late = await france.post("/answer", answer)
            assert (late.status_code, "no longer open" in late.json()["error"]) == (409, True)
            assert (await france.get("/board", at="S1901M")).json()["results"]
        assert "A BUR" in (await master.look(game)).state["board"]["units"]["FRANCE"]


async def test_whoever_runs_a_game_plays_it_on_and_nobody_else_does(tmp_path: Path) -> None:
    async with open_store("memory") as store:
        settings = SETTINGS.model_copy(update={"seats": {}, "rounds": 0, "everyone": "hold"})
        game = await GameMaster(store).begin(settings)
        async with served(store) as page, page.visit(game, "OPERATOR") as operator:
            async with page.visit(game, "FRANCE") as france:
                for act in ("/run", "/pause"):
                    assert (await france.post(act, {})).status_code == 403
            assert (await operator.post("/pause", {})).status_code == 409
            assert (await operator.post("/run", {})).status_code == 204
            async with operator.stream() as stream:
                await stream.until("end")
                assert stream.view["status"] == "finished"
