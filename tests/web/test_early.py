"""A seat of the page writes while others think, over HTTP."""

import pytest

from checkpoints.store import Store
from tests.games.test_early import thinking
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
