"""A seat of the page writes while others think, over HTTP."""

import pytest

from checkpoints.store import Store
from entente.games.runner import GameMaster
from entente.players.roster import HUMAN
from graph.context import parse_settings
from tests.games.test_early import SLOW, Thinkers, thinking
from tests.web.served import served


@pytest.mark.parametrize("floor", ["rounds", "conductor"])
async def test_an_answer_is_taken_while_another_process_plays(store: Store, floor: str) -> None:
    async with thinking(store, floor=floor) as table, served(store) as page:
        async with page.visit(table.game, "FRANCE") as france, france.stream() as stream:
            await stream.until("view")
            asked = (await france.get("/seat")).json()
            first = {"rounds": "S1901M.talk.1", "conductor": "S1901M.open.0"}[floor]
            assert (asked["id"], asked["is_early"], stream.view["question"]) == (first, True, first)
            answer = {"question": first, "messages": [{"to": "GERMANY", "text": "hello"}]}
            assert (await france.post("/answer", answer)).status_code == 204
            again = await france.post("/answer", answer)
            assert (again.status_code, "nothing of it was taken" in again.json()["error"]) == (409, True)
            if floor == "rounds":
                assert (await france.get("/seat")).json() is None
            else:
                await table.thinkers.has_read.wait()
                assert (await france.get("/seat")).json()["id"] == "S1901M.open.1"
            await table.let_them_answer()
        said = [message.content for turn in await table.persons() for message in turn.messages]
        assert said == ["hello"]


async def test_who_comes_back_without_having_been_away_holds_nobody_up(memory_store: Store) -> None:
    seats = {"FRANCE": HUMAN, "ENGLAND": HUMAN, "ITALY": SLOW}
    settings = parse_settings({"everyone": "hold", "seats": seats, "rounds": 1, "max_year": 1901})
    thinkers = Thinkers()
    game = await GameMaster(memory_store, thinkers).begin(settings)
    async with (
        served(memory_store, thinkers) as page,
        page.visit(game, "OPERATOR") as operator,
        page.visit(game, "FRANCE") as france,
        page.visit(game, "ENGLAND") as england,
    ):
        assert (await operator.post("/run", {})).status_code == 204
        await thinkers.is_asked.wait()
        try:
            assert (await france.post("/back", {"power": "FRANCE"})).status_code == 204
            asked = (await england.get("/seat")).json()
            answer = await england.post("/answer", {"question": asked["id"], "messages": []})
            assert (asked["is_early"], answer.status_code) == (True, 204)
        finally:
            thinkers.may_answer.set()
