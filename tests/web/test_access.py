"""Nobody gets in by what is not a link of his, and nothing is changed by what a page of ours has not sent."""

import asyncio
import gc
import logging
from collections import Counter
from collections.abc import AsyncGenerator, Callable
from pathlib import Path

import httpx
import pytest
from sqlalchemy import delete, text, update
from starlette.responses import PlainTextResponse
from starlette.types import Message, Receive, Scope, Send

from checkpoints.links import key_of
from checkpoints.store import Store, open_store
from checkpoints.tables import GAMES, MESSAGES
from entente.games.runner import GameMaster, Standing
from entente.press.mailbox import Reader
from entente.web.door import MOST_AT_WORK, MOST_BYTES, Bounded
from graph.context import GameSettings
from tests.support.patience import PATIENCE
from tests.web.served import Visit, served

SETTINGS = GameSettings(everyone="hold", seats={"FRANCE": "human", "ITALY": "human"}, rounds=0)


async def _begun(store: Store) -> Standing:
    master = GameMaster(store)
    return await master.run(await master.begin(SETTINGS))


async def test_a_token_opens_its_own_link_alone_until_it_expires(memory_store: Store) -> None:
    game = (await _begun(memory_store)).game
    async with served(memory_store) as page, httpx.AsyncClient(verify=False, timeout=PATIENCE) as client:
        france, italy = [await page.link(game, power) for power in ("FRANCE", "ITALY")]
        expired = await page.link(game, "FRANCE", seconds=-1)
        for link, token in [
            (france.link.id, italy.token),
            (france.link.id, ""),
            (france.link.id, "😀"),
            (expired.link.id, expired.token),
            ("0" * 12, france.token),
        ]:
            entered = await client.post(f"{page.address}/at/{link}/enter", json={"token": token})
            assert (entered.status_code, entered.headers.get("set-cookie")) == (401, None)
        entered = await client.post(f"{page.address}/at/{france.link.id}/enter", json={"token": france.token})
        cookie = entered.headers["set-cookie"]
        assert all(part in cookie for part in ("HttpOnly", "SameSite=strict", f"Path=/at/{france.link.id}"))
        assert france.token not in cookie
        assert france.link.digest not in cookie
        await memory_store.links.make(game, "ITALY", seconds=1)  # what has expired is forgotten then
        assert [link.id for link in await memory_store.links.all()][:2] == [france.link.id, italy.link.id]


async def test_who_comes_without_a_link_is_told_so_in_a_sentence(memory_store: Store) -> None:
    async with served(memory_store) as page, httpx.AsyncClient(verify=False, timeout=PATIENCE) as client:
        shown = await client.get(page.address)
    assert (shown.status_code, shown.headers["content-type"]) == (200, "text/html; charset=utf-8")
    assert "Games are opened by links of their own, and this address has none." in shown.text


async def test_a_seats_visitor_sees_no_other_seat_and_no_other_game(memory_store: Store) -> None:
    game, other = (await _begun(memory_store)).game, (await _begun(memory_store)).game
    async with served(memory_store) as page, page.visit(game, "FRANCE") as france:
        assert [line["game"] for line in (await france.client.get(f"{france.base}/games")).json()] == [game]
        assert (await france.get("/seat")).json()["view"]["power"] == "FRANCE"
        for path in ("", "/board", "/seat", "/centers", "/commitments", "/events"):
            elsewhere = await france.client.get(f"{france.base}/games/{other}{path}")
            unknown = await france.client.get(f"{france.base}/games/{'0' * 8}{path}")
            assert (elsewhere.status_code, unknown.status_code) == (404, 404)
            assert elsewhere.text == unknown.text
        italy = await page.link(game, "ITALY")
        assert (await france.client.get(f"{page.address}/at/{italy.link.id}/me")).status_code == 401
        async with page.visit(game, "PUBLIC") as public:
            assert (await public.get("/seat")).json() is None
            asked = await public.post("/answer", {"question": "any", "orders": []})
            assert asked.status_code == 403


FORGED: dict[str, Callable[[Visit], str]] = {
    "none": lambda visit: "",
    "of letters": lambda visit: "é" * 64,
    "the digest": lambda visit: visit.made.link.digest,
    "made from the digest": lambda visit: key_of(visit.made.link.digest),
    "the csrf token": lambda visit: visit.csrf,
    "cut short": lambda visit: _cookie(visit)[:-1],
    "longer": lambda visit: f"{_cookie(visit)}0",
}


def _cookie(visit: Visit) -> str:
    return visit.client.cookies[f"entente_{visit.made.link.id}"]


async def test_forged_cookies_and_csrf_tokens_are_refused(memory_store: Store) -> None:
    game = (await _begun(memory_store)).game
    async with served(memory_store) as page, page.visit(game, "FRANCE") as france:
        name, body = f"entente_{france.made.link.id}", {"lines": ["A PAR H"]}
        for forge in FORGED.values():
            cookie = f"{name}={forge(france)}".encode()
            async with httpx.AsyncClient(verify=False, timeout=PATIENCE) as client:
                assert (await client.get(france.at, headers={b"cookie": cookie})).status_code == 401
        assert (await france.post("/orders", body)).status_code == 200
        for token in ("", france.made.link.digest, _cookie(france), france.csrf[:-1]):
            sent = await france.client.post(f"{france.at}/orders", json=body, headers={"x-csrf-token": token})
            assert sent.status_code == 403


async def test_pages_of_elsewhere_and_what_is_no_request_of_ours_are_refused(
    memory_store: Store, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG, "entente")
    caplog.set_level(logging.DEBUG, "uvicorn")
    game = (await _begun(memory_store)).game
    async with served(memory_store) as page, page.visit(game, "FRANCE") as france:
        token = {"x-csrf-token": france.csrf}
        client, answer = france.client, {"question": "x", "orders": ["A PAR H"]}
        for headers, status in [
            ({"origin": "https://evil.example"}, 403),
            ({"origin": "null"}, 403),
            ({"origin": "http://127.0.0.1:1"}, 403),
            ({"host": "evil.example"}, 403),
            ({"content-type": "text/plain"}, 415),
            ({"origin": page.address}, 409),  # ours: the question alone is wrong
        ]:
            sent = await client.post(f"{france.at}/answer", json=answer, headers={**token, **headers})
            assert sent.status_code == status, headers
        for path, status in [
            ("/static/../../../pyproject.toml", 404),
            ("/static/%2e%2e/%2e%2e/app.py", 404),
            ("/static/%2e%2e%2fapp.py", 404),
            (f"/at/{france.made.link.id}/games/..%2f..%2fme", 404),
            ("/at/../at/x/me", 422),
            ("/at/%00/me", 422),
            ("/docs", 404),
        ]:
            assert (await client.get(httpx.URL(page.address + path))).status_code == status, path
        for body, status in [
            (b"{", 422),
            (b"[]", 422),
            (b'{"question": "x", "orders": [1]}', 422),
            (b'{"question": "x", "read": 18446744073709551616}', 422),
            (b'{"question": "x", "power": "ITALY", "orders": []}', 422),
            (b'{"question": "x", "orders": ' + b"[" * 50_000, 400),
            (b'{"question": "x", "canary-field": 1}', 422),
            (b'{"question": "\\ud800", "orders": []}', 422),
            (b" " * (MOST_BYTES + 1), 413),
        ]:
            headers = {**token, "content-type": "application/json"}
            sent = await client.post(f"{france.at}/answer", content=body, headers=headers)
            assert (sent.status_code, sent.json().keys()) == (status, {"error"}), body[:40]
            assert "canary-field" not in sent.text

        async def unmeasured() -> AsyncGenerator[bytes]:
            for _ in range(8):
                yield b" " * 65536

        sent = await client.post(f"{france.at}/answer", content=unmeasured(), headers=token)
        assert sent.status_code == 413
        for forged in ("%0aWARNING forged%1b[31m%e2%80%ae", "%c2%9b31m%e2%80%a8forged"):
            assert (await client.get(httpx.URL(f"{page.address}/at/{forged}/me"))).status_code == 422
            sent = await client.post(httpx.URL(f"{page.address}/{forged}"), content=b" " * (MOST_BYTES + 1))
            assert sent.status_code == 413
        refusals = [line for line in caplog.messages if "was refused with" in line]
        assert [line for line in refusals if not line.isprintable()] == []
        logged = caplog.text
        secrets = (france.made.token, france.made.link.digest, france.csrf, _cookie(france))
        assert [secret for secret in secrets if secret in logged] == []
        assert "was refused with 422" in logged
        assert "was refused with 413" in logged


async def test_a_target_in_absolute_form_is_answered_as_a_relative_one_of_the_host_that_it_names(
    memory_store: Store,
) -> None:
    """RFC 9112, 3.2.2: the header's host is passed over, and the target's checked in its place."""
    async with served(memory_store) as page:
        here = page.address.removeprefix("http://")

        async def answered(target: str, *headers: str) -> tuple[bytes, bytes]:
            reader, writer = await asyncio.open_connection(*here.split(":"))
            lines = [f"GET {target} HTTP/1.1", *headers, "Connection: close", "", ""]
            writer.write("\r\n".join(lines).encode())
            head, _, body = (await asyncio.wait_for(reader.read(), PATIENCE)).partition(b"\r\n\r\n")
            writer.close()
            return head.split()[1], body

        for path, status in (("/", b"200"), ("/at/0123456789ab/me?x=1", b"401"), ("/nowhere", b"404")):
            relative = await answered(path, f"Host: {here}")
            assert relative[0] == status
            assert await answered(f"http://{here}{path}", f"Host: {here}") == relative
            assert await answered(f"http://{here}{path}", "Host: evil.example") == relative
            for target in (f"http://evil.example{path}", f"http://evil.example@[{path}"):
                assert (await answered(target, f"Host: {here}"))[0] in (b"403", b"404"), target
            assert (await answered(f"http://evil.example{path}", f"Host: {here}"))[0] == b"403"
            foreign = ("Host: evil.example", "Origin: http://evil.example")
            assert (await answered(f"http://{here}{path}", *foreign))[0] == b"403"


async def test_answers_have_headers_that_hold_a_browser_to_the_page(memory_store: Store) -> None:
    async with served(memory_store) as page, httpx.AsyncClient(verify=False, timeout=PATIENCE) as client:
        for path in (
            "/at/0123456789ab",
            "/at/0123456789ab/me",
            "/static/index.html",
            "/openapi.json",
            "/none",
        ):
            headers = (await client.get(page.address + path)).headers
            policy = headers["content-security-policy"]
            assert "default-src 'none'" in policy
            assert "unsafe" not in policy
            assert (headers["x-content-type-options"], headers["cache-control"]) == ("nosniff", "no-store")


async def test_who_asks_too_often_waits_and_nobody_else_does(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO, "entente.web.door")
    now = 0.0

    async def answered(path: str) -> int:
        sent: list[Message] = []

        async def receive() -> Message:
            return {"type": "http.request", "body": b"", "more_body": False}

        async def send(message: Message) -> None:
            sent.append(message)

        await door({"type": "http", "method": "GET", "path": path, "headers": []}, receive, send)
        return sent[0]["status"]

    door = Bounded(PlainTextResponse("reached"), clock=lambda: now)
    statuses = [await answered("/at/0123456789ab/me") for _ in range(300)]
    assert (statuses[0], statuses[-1]) == (200, 429)
    assert {*caplog.messages} == {"GET /at/0123456789ab/me was refused with 429"}
    assert await answered("/at/ba9876543210/me") == 200
    now = 1.0
    assert await answered("/at/0123456789ab/me") == 200


async def test_a_links_requests_wait_for_each_other_and_nobody_elses_does() -> None:
    inside, told, go_on = Counter[str](), Counter[int](), asyncio.Event()

    async def slow(scope: Scope, receive: Receive, send: Send) -> None:
        inside[scope["path"]] += 1
        await go_on.wait()
        await PlainTextResponse("reached")(scope, receive, send)
        await asyncio.Event().wait()  # as a stream does, which holds nobody up

    async def ask(path: str) -> None:
        async def receive() -> Message:
            return {"type": "http.request", "body": b"", "more_body": False}

        async def send(message: Message) -> None:
            told[message.get("status", 0)] += 1

        await door({"type": "http", "method": "GET", "path": path, "headers": []}, receive, send)

    async def settled(is_so: Callable[[], bool]) -> None:
        async with asyncio.timeout(PATIENCE):
            while not is_so():  # noqa: ASYNC110 - what is waited for tells nobody
                await asyncio.sleep(0)

    now = 0.0
    door = Bounded(slow, clock=lambda: now)
    flood, other = "/at/0123456789ab/me", "/at/ba9876543210/me"
    asking = [asyncio.create_task(ask(flood)) for _ in range(200)]
    await settled(lambda: inside[flood] == MOST_AT_WORK)
    now = 10.0
    asking += [asyncio.create_task(ask(path)) for path in (*[flood] * 20, other)]
    await settled(lambda: told[429] == 20 - MOST_AT_WORK)  # so many wait, and no more
    await settled(lambda: inside[other] == 1)
    assert inside[flood] == MOST_AT_WORK
    asking[199].cancel()
    go_on.set()
    await settled(lambda: told[200] == 200 + MOST_AT_WORK)
    for each in asking:
        each.cancel()
    await asyncio.gather(*asking, return_exceptions=True)


@pytest.mark.parametrize("reader", ["FRANCE", "PUBLIC", "OPERATOR"])
async def test_a_visitor_of_a_damaged_game_is_told_no_row_also_by_its_stream(
    memory_store: Store, reader: Reader, caplog: pytest.LogCaptureFixture
) -> None:
    """Which turn has lost a message says who wrote how many; whoever runs the server reads it in its log."""
    master = GameMaster(memory_store)
    game = (await master.run(await master.begin(GameSettings(rounds=1, max_year=1901)))).game
    await memory_store.library.database.write(lambda connection: connection.execute(delete(MESSAGES)))
    caplog.set_level(logging.WARNING)
    sentence = f"Game {game} is damaged and nothing was done; `entente selfcheck` tells whoever runs it what is wrong."
    async with served(memory_store) as page, page.visit(game, reader) as visit:
        for path in ("/events", ""):
            answer = await visit.get(path)
            assert (answer.status_code, answer.json()["error"]) == (500, sentence)
    told = [record for record in caplog.records if "of turns" in record.getMessage()]
    assert told
    assert not any(record.exc_info for record in caplog.records)


async def test_a_game_whose_row_is_no_text_leaves_the_list_of_games_as_it_is(tmp_path: Path) -> None:
    async with open_store(str(tmp_path)) as store:
        games = [(await _begun(store)).game for _ in range(2)]
        no_text = "UPDATE games SET status = CAST(X'FF' || status AS TEXT) WHERE game = :game"
        await store.library.database.write(lambda c: c.execute(text(no_text), {"game": games[0]}))
        async with served(store) as page, page.visit("", "OPERATOR") as visit:
            listed = (await visit.client.get(f"{visit.base}/games")).json()
    assert {line["game"] for line in listed} >= {*games}


async def test_a_run_that_damage_ends_is_told_in_a_sentence_alone(
    memory_store: Store, caplog: pytest.LogCaptureFixture
) -> None:
    game = (await _begun(memory_store)).game
    async with served(memory_store) as page, page.visit(game, "OPERATOR") as visit:
        await memory_store.library.database.write(lambda c: c.execute(update(GAMES).values(status="odd")))
        await visit.post("/run", {})
        gc.collect()
    assert [record for record in caplog.records if record.exc_info] == []
