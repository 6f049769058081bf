"""Whoever runs the server begins, forks and plays games over the page, and nobody else does."""

from typing import Any

import httpx
import pytest
import yaml

from checkpoints.lease import Leases
from checkpoints.process import this_process
from checkpoints.store import Store
from entente.commentary.leader import parse_leader
from entente.games.runner import GameMaster
from entente.players.bundle import Bundle
from entente.players.protocol import Player, Reply
from entente.players.roster import make_player
from entente.players.seating import Chair
from entente.web.new_games import OFFERED
from graph.context import GameSettings, parse_settings
from tests.support.canaries import FREE
from tests.support.leaders import RENARD
from tests.support.patience import PATIENCE
from tests.web.served import Page, Visit, served

SETTINGS: dict[str, Any] = {"everyone": "hold", "seats": {"FRANCE": "human", "ITALY": "human"}, "rounds": 0}


async def _begin(visit: Visit, settings: dict[str, Any], *leaders: str) -> httpx.Response:
    headers = {"x-csrf-token": visit.csrf}
    files = [{"name": f"{number}.yaml", "text": text} for number, text in enumerate(leaders)]
    body = {"settings": settings, "leaders": files}
    return await visit.client.post(f"{visit.base}/games", json=body, headers=headers)


async def _seat_opened_by(page: Page, address: str) -> str:
    """The power whose seat the address opens, which has a question."""
    path, _, token = address.partition("#")
    async with httpx.AsyncClient(verify=False, timeout=PATIENCE) as client:
        assert (await client.post(f"{page.address}{path}/enter", json={"token": token})).status_code == 204
        me = (await client.get(f"{page.address}{path}/me")).json()
        asked = await client.get(f"{page.address}{path}/games/{me['game']}/seat")
        assert asked.json()["view"]["power"] == me["role"]
        return me["role"]


async def test_the_operator_begins_a_game_and_its_players_come_by_links_that_are_shown_once(
    memory_store: Store,
) -> None:
    async with served(memory_store) as page, page.visit("", "OPERATOR") as visit:
        form = (await visit.client.get(f"{visit.base}/form")).json()
        assert tuple(form["settings"]) == OFFERED
        assert form["settings"]["seed"]["default"] == 42
        assert "rounds" in form["without_effect"]["gunboat"]
        assert {"human", "dumbbot"} <= {*form["players"]}
        made = await _begin(visit, {**SETTINGS, "seed": 7, "max_year": 1901, "on_failure": "hold"})
        assert made.status_code == 201, made.text
        begun = made.json()
        assert ["on_failure" in note for note in begun["notes"]] == [True]
        settings = await memory_store.library.settings(begun["game"])
        assert (settings.seed, settings.max_year, settings.seats["FRANCE"]) == (7, 1901, "human")
        game = f"{visit.base}/games/{begun['game']}"
        ran = await visit.client.post(f"{game}/run", json={}, headers={"x-csrf-token": visit.csrf})
        assert ran.status_code == 204
        assert {await _seat_opened_by(page, each["address"]) for each in begun["links"]} == {
            "FRANCE",
            "ITALY",
        }
        shown = [
            await visit.client.get(address) for address in (f"{visit.base}/games", game, f"{game}/seats")
        ]
        tokens = [each["address"].partition("#")[2] for each in begun["links"]]
        assert not [token for token in tokens for answer in shown if token in answer.text]


REFUSED: list[tuple[dict[str, Any], list[str], str]] = [
    ({"rounds": "many"}, ["rounds"], "it takes an integer from 0 to 20"),
    ({"floor": "attic"}, ["floor"], "rounds, conductor or gunboat"),
    ({"floor": "gunboat", "rounds": 2}, ["rounds"], "has no effect on the floor gunboat"),
    ({"map_name": "moon"}, [], "standard"),
    ({"max_year": 1900}, ["max_year"], "1901 or later"),
    ({"seats": {"FRANCE": "dumbott"}}, ["seats", "FRANCE"], "did you mean dumbbot?"),
    ({"seats": {"SPAIN": "hold"}}, ["seats", "SPAIN"], "AUSTRIA"),
    ({"seats": {"FRANCE": "exec:sh"}}, ["seats", "FRANCE"], "at the command line alone"),
    ({"everyone": "os:system"}, ["everyone"], "at the command line alone"),
    ({"prompts": "/etc"}, ["prompts"], "A setting of the page's form was wanted"),
    ({"models": {"key_variable": "HOME"}}, ["models"], "A setting of the page's form was wanted"),
]


async def test_a_setting_that_cannot_be_used_is_refused_with_its_place_and_a_sentence(
    memory_store: Store,
) -> None:
    async with served(memory_store) as page, page.visit("", "OPERATOR") as visit:
        for settings, place, said in REFUSED:
            refused = await _begin(visit, settings)
            assert (refused.status_code, refused.json().get("setting", [])) == (422, place), refused.text
            assert said in refused.json()["error"]
    assert await memory_store.library.games() == []


LED: list[tuple[list[dict[str, Any] | str], str]] = [
    (["name: ["], "0.yaml: A leader as `entente create-leader` writes one was wanted and cannot be read"),
    (["a: &a [x, x]\nb: *a"], "0.yaml: A leader as"),
    ([RENARD, RENARD], "1.yaml: FRANCE has a leader already"),
    ([RENARD | {"power": "SPAIN"}], "AUSTRIA"),
    ([RENARD | {"power": "../SPAIN"}], "0.yaml: A leader's power cannot be '../SPAIN'"),
]


async def test_a_leaders_file_seats_its_leader_and_one_that_is_none_is_refused(memory_store: Store) -> None:
    async with served(memory_store) as page, page.visit("", "OPERATOR") as visit:
        for leaders, said in LED:
            texts = [each if isinstance(each, str) else yaml.safe_dump(each) for each in leaders]
            refused = await _begin(visit, SETTINGS, *texts)
            assert (refused.status_code, refused.json()["setting"][0]) == (422, "leaders"), refused.text
            assert said in refused.json()["error"]
        assert await memory_store.library.games() == []
        made = await _begin(visit, SETTINGS, yaml.safe_dump(RENARD))
        assert made.json()["leaders"] == {"FRANCE": "Marguerite Renard"}
        leader = (await memory_store.library.settings(made.json()["game"])).leader("FRANCE")
    assert leader == parse_leader(RENARD)


async def _begun(store: Store, **changed: Any) -> str:
    master = GameMaster(store)
    settings = parse_settings({"everyone": "hold", "rounds": 0, "max_year": 1901} | changed)
    return (await master.run(await master.begin(settings))).game


async def test_the_operator_forks_a_game_with_a_person_in_one_seat(memory_store: Store) -> None:
    game = await _begun(memory_store, seats={"TURKEY": "human"}, everyone="dumbbot")
    async with served(memory_store) as page, page.visit("", "OPERATOR") as visit:
        at = f"{visit.base}/games/{game}"

        async def fork(moment: str, **seats: str) -> httpx.Response:
            body, headers = {"at": moment, "seats": seats}, {"x-csrf-token": visit.csrf}
            return await visit.client.post(f"{at}/fork", json=body, headers=headers)

        made = await fork("S1901M", FRANCE="human", TURKEY="hold")
        assert made.status_code == 201, made.text
        ran = await visit.client.post(
            f"{visit.base}/games/{made.json()['game']}/run", json={}, headers={"x-csrf-token": visit.csrf}
        )
        assert ran.status_code == 204
        assert [await _seat_opened_by(page, each["address"]) for each in made.json()["links"]] == ["FRANCE"]
        lines = {line["game"]: line for line in (await visit.client.get(f"{visit.base}/games")).json()}
        assert lines[made.json()["game"]]["forked_from"] == game
        for moment, seats, status, said in [
            ("S1999M", {}, 404, "S1901M"),
            ("soon", {}, 404, "soon"),
            ("S1901M", {"FRANCE": "dumbott"}, 422, "did you mean dumbbot?"),
            ("S1901M", {"FRANCE": "exec:sh"}, 422, "at the command line alone"),
        ]:
            refused = await fork(moment, **seats)
            assert (refused.status_code, said in refused.json()["error"]) == (status, True), refused.text
        assert len(await memory_store.library.games()) == 2
        opened = (await _begin(visit, SETTINGS)).json()["game"]
        for of, status, said in [("none", 404, "none"), (opened, 409, "has not begun")]:
            refused = await visit.client.post(
                f"{visit.base}/games/{of}/fork", json={"at": "S1901M"}, headers={"x-csrf-token": visit.csrf}
            )
            assert (refused.status_code, said in refused.json()["error"]) == (status, True), refused.text
        # The fork's list entry names the game that it is of to nobody whose link does not open that too.
        async with page.visit(made.json()["game"], "FRANCE") as france:
            (line,) = (await france.client.get(f"{france.base}/games")).json()
            assert (line["forked_from"], line["played_by"]) == (None, None)


@pytest.mark.parametrize("reader", ["FRANCE", "PUBLIC", "OPERATOR"])
async def test_a_link_to_one_game_begins_and_forks_none(memory_store: Store, reader: str) -> None:
    game = await _begun(memory_store, seats={"FRANCE": "human"})
    async with served(memory_store) as page, page.visit(game, reader) as visit:
        for answer in (
            await visit.client.get(f"{visit.base}/form"),
            await _begin(visit, SETTINGS),
            await visit.post("/fork", {"at": "S1901M"}),
        ):
            assert (answer.status_code, answer.json()["error"]) == (
                403,
                "The link of whoever runs all games was wanted and another came.",
            )
    assert len(await memory_store.library.games()) == 1


async def test_who_plays_a_game_of_another_process_is_told(memory_store: Store) -> None:
    game = await _begun(memory_store, seats={"FRANCE": "human"})
    other = this_process()._replace(machine="elsewhere", host="study", pid=7, command="entente play")
    async with served(memory_store) as page, page.visit(game, "OPERATOR") as visit:
        leases = Leases(memory_store.library.database, other)
        async with leases.hold(game):
            await page.house.feeds.refresh(game)
            for answer in (
                (await visit.get()).json(),
                (await visit.client.get(f"{visit.base}/games")).json()[0],
            ):
                assert answer["played_by"] == "entente play (process 7 on study)"
            refused = await visit.post("/run", {})
            assert (refused.status_code, "process 7 on study" in refused.json()["error"]) == (409, True)
            paused = await visit.post("/pause", {})
            assert (paused.status_code, "process 7 on study" in paused.json()["error"]) == (409, True)
        assert (await visit.get()).json()["played_by"] is None


MODEL = "openai:big@http://10.0.0.1/v1"
PAID = FREE.model_copy(update={"cost_usd": 0.25, "prompt_tokens": 1200, "faults": 1})


class _Paid:
    async def take_turn(self, bundle: Bundle, /) -> Reply:
        return Reply([], calls=(PAID,))


class _Failing:
    async def take_turn(self, bundle: Bundle, /) -> Reply:
        raise ConnectionError("the line is dead")


def _players(chair: Chair) -> Player:
    others = {MODEL: _Paid(), "mine": _Failing()}
    return others.get(chair.player) or make_player(chair.player)


async def test_cost_and_players_are_for_the_operator_and_who_stands_in_is_for_all(
    memory_store: Store,
) -> None:
    settings = GameSettings(
        everyone="hold",
        seats={"TURKEY": "mine", "FRANCE": MODEL, "ITALY": "human"},
        rounds=1,
        on_failure="dumbbot",
    )
    master = GameMaster(memory_store, _players)
    game = await master.begin(settings)
    async with served(memory_store, _players) as page:
        async with page.visit(game, "OPERATOR") as visit:
            lines = (await visit.get("/seats")).json()
            assert [(line["stand_in"], line["spent"]) for line in lines] == [("", {})] * 7
        (seat,) = (await master.run(game)).pending
        await master.answer(game, {seat: {"messages": []}})
        for reader in ("OPERATOR", "FRANCE", "TURKEY", "PUBLIC"):
            async with page.visit(game, reader) as visit:
                answer = await visit.get("/seats")
                lines = {line["power"]: line for line in answer.json()}
                assert [p for p in lines if lines[p]["stand_in"]] == ["TURKEY"], reader
                assert lines["TURKEY"]["stand_in"] == "dumbbot"
                assert ("10.0.0.1" in answer.text, "mine" in answer.text) == ((reader == "OPERATOR",) * 2)
                if reader == "OPERATOR":
                    spent = lines["FRANCE"]["spent"][MODEL]
                    # One call for talk, one for orders.
                    assert (spent["calls"], spent["malformed"], spent["cost_usd"]) == (2, 2, 0.5)
                else:
                    assert {(line["player"], line["spent"]) for line in lines.values()} == {(None, None)}


async def test_a_seat_is_handed_over_while_its_person_is_away_and_taken_back_by_its_own_link(
    memory_store: Store,
) -> None:
    people = {"FRANCE": "human", "ITALY": "human"}
    game = await _begun(memory_store, seats=people)
    async with (
        served(memory_store) as page,
        page.visit(game, "OPERATOR") as operator,
        page.visit(game, "FRANCE") as france,
        page.visit(game, "ITALY") as italy,
        page.visit(game, "PUBLIC") as public,
        operator.stream() as stream,
    ):
        away, back = {"power": "FRANCE", "player": "dumbbot"}, {"power": "FRANCE"}
        for visit, path, body in [
            (france, "/away", away),
            (public, "/away", away),
            (italy, "/back", back),
            (public, "/back", back),
        ]:
            refused = await visit.post(path, body)
            assert (refused.status_code, "whoever runs the game" in refused.json()["error"]) == (403, True)
        refused = await operator.post("/away", {"power": "GERMANY"})
        assert (refused.status_code, refused.json()["setting"]) == (422, ["away", "GERMANY"])
        assert (await operator.post("/away", away)).status_code == 204
        await stream.until_view(waiting_for=["ITALY"])
        assert (await operator.get()).json()["away"] == {"FRANCE": "dumbbot"}
        assert (await france.get()).json()["away"] == {"FRANCE": "dumbbot"}
        assert (await italy.get()).json()["away"] == {}
        assert (await public.get()).json()["away"] is None
        for visit in (france, italy, public):
            stand_ins = {line["power"]: line["stand_in"] for line in (await visit.get("/seats")).json()}
            assert stand_ins["FRANCE"] == "dumbbot"
        assert (await france.get("/seat")).json() is None
        assert (await france.post("/back", back)).status_code == 204
        asked = (await italy.get("/seat")).json()
        assert (await italy.post("/answer", {"question": asked["id"], "orders": []})).status_code == 204
        await stream.until_view(waiting_for=["FRANCE", "ITALY"], phase="F1901M")
        assert (await france.get("/seat")).json()["view"]["phase"] == "F1901M"
