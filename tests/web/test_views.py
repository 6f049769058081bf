"""What the page's server shows of a game to each reader, beside what the leak test looks for."""

from checkpoints.store import Store
from entente.games.runner import GameMaster
from graph.context import GameSettings
from tests.web.served import served

MOVES = ["A BUD - SER", "A VIE - TRI", "F TRI - ALB"]


async def test_a_seat_sees_what_it_has_sent_and_all_see_how_many_centers_there_are(
    memory_store: Store,
) -> None:
    master = GameMaster(memory_store)
    people = {"AUSTRIA": "human", "ITALY": "human"}
    game = await master.begin(GameSettings(everyone="hold", seats=people, rounds=0, max_year=1901))
    await master.run(game)
    async with (
        served(memory_store) as page,
        page.visit(game, "AUSTRIA") as austria,
        page.visit(game, "ITALY") as italy,
        page.visit(game, "PUBLIC") as public,
        austria.stream() as stream,
    ):
        nothing = {"orders": None, "draw": None}
        for phase, orders in [("S1901M", MOVES), ("F1901M", ["F ALB - GRE"])]:
            await stream.until_view(phase=phase, given=nothing)
            drafted = {"orders": orders, "messages": [], "draw": True, "begun": "ITALY: sha"}
            assert (await austria.post("/draft", drafted | {"phase": phase})).status_code == 204
            asked = (await austria.get("/seat")).json()
            assert asked["draft"] == drafted
            for other in {"S1900M", "S1901M", "F1901M", "W9999A"} - {phase}:
                assert (await austria.post("/draft", drafted | {"phase": other})).status_code == 409
            answer = {"question": asked["id"], "orders": orders, "draw": True}
            assert (await austria.post("/answer", answer)).status_code == 204
            given = (await austria.get()).json()["given"]
            assert (set(orders) <= set(given["orders"]), given["draw"]) == (True, True)
            assert (await italy.get()).json()["given"] == nothing
            assert (await public.get()).json()["given"] is None
            asked = (await italy.get("/seat")).json()
            assert (await italy.post("/answer", {"question": asked["id"], "orders": []})).status_code == 204
        await stream.until_view(phase="W1901A")
        counts = (await public.get("/centers")).json()
    assert [each["phase"] for each in counts] == ["S1901M", "F1901M", "W1901A"]
    assert [each["centers"]["AUSTRIA"] for each in counts] == [3, 3, 5]
