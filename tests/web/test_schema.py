"""Whatever is asked of the page's server, as its OpenAPI document has it or not, no request makes it fail."""

import json
import logging
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import quote

import httpx
import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from checkpoints.store import Store
from entente.games.runner import GameMaster
from entente.press.mailbox import Reader
from entente.web.new_games import form
from graph.context import GameSettings
from tests.support.patience import PATIENCE
from tests.web.served import Visit, served

BEGUN = GameSettings(everyone="hold", seats={"FRANCE": "human", "ITALY": "human"}, rounds=1, max_year=1901)
ROLES: tuple[tuple[str, Reader], ...] = (("game", "FRANCE"), ("game", "OPERATOR"), ("", "OPERATOR"))
"""Whose links ask: of one game, or of all."""
FEW, MANY = 5, 40
"""Requests of each route by each link; the rate that a link may ask at has room for them."""
OF_ADDRESSES = {307, 405}
"""Answers to an address that is no longer the route's, such as one with a slash in the game's id."""
WORDS = ("", "FRANCE", "S1901M", "W1901A", "A PAR - BUR", "hold", "openai:", "\x00", "\ud800", "é" * 300)
"""Texts that come as far as the game, and texts that few programs expect."""
TEXTS = st.sampled_from(WORDS) | st.text(max_size=30)
ANYTHING: SearchStrategy[Any] = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | TEXTS,
    lambda part: st.lists(part, max_size=3) | st.dictionaries(TEXTS, part, max_size=3),
    max_leaves=4,
)


@dataclass(frozen=True)
class Asked:
    """A request of a route."""

    path: dict[str, str] = field(default_factory=dict[str, str])
    query: dict[str, str] = field(default_factory=dict[str, str])
    header: dict[str, str] = field(default_factory=dict[str, str])
    body: Any = None


@dataclass(frozen=True)
class Document:
    """What the server says of itself, and texts by which a request gets somewhere."""

    says: Mapping[str, Any]
    known: Mapping[str, tuple[str, ...]]
    """By the name of a parameter or a field."""

    def routes(self) -> list[tuple[str, str, set[int]]]:
        """The method and the path of each, and the statuses that it says it answers."""
        return [
            (method, path, {int(status) for status in route["responses"]})
            for path, item in self.says["paths"].items()
            for method, route in item.items()
        ]

    def asked(self, method: str, path: str) -> SearchStrategy[Asked]:
        """Requests of a route, most of them as it describes them."""
        route = self.says["paths"][path][method]
        # An address without a part is another route's.
        places: dict[str, dict[str, SearchStrategy[str]]] = {"path": {}, "query": {}, "header": {}}
        for parameter in route.get("parameters", ()):
            name = parameter["name"]
            if name not in ("link", "x-csrf-token"):  # tests/web/test_access.py
                places[parameter["in"]][name] = self._text(name).filter(bool)
        content = route.get("requestBody", {"content": {}})["content"]
        schema = content.get("application/json", {"schema": {"type": "null"}})["schema"]
        parts = {place: st.fixed_dictionaries(names) for place, names in places.items()}
        return st.builds(Asked, **parts, body=self._value(schema))

    def _text(self, name: str) -> SearchStrategy[str]:
        known = self.known.get(name, ())
        return st.sampled_from(known * 3 + WORDS[:1]).flatmap(lambda text: st.just(text) if text else TEXTS)

    def _value(self, schema: Mapping[str, Any], name: str = "") -> SearchStrategy[Any]:
        return st.integers(0, 9).flatmap(lambda die: self._fit(schema, name) if die else ANYTHING)

    def _fit(self, schema: Mapping[str, Any], name: str) -> SearchStrategy[Any]:
        match schema:
            case {"$ref": str(place)}:
                kind = place.rpartition("/")[2]
                return self._value(self.says["components"]["schemas"][kind], name)
            case {"anyOf": kinds}:
                return st.one_of(*[self._value(each, name) for each in kinds])
            case {"enum": values}:
                return st.sampled_from(values)
            case {"type": "array", "items": item}:
                return st.lists(self._value(item), max_size=4)
            case {"type": "object", "properties": {"settings": _}}:
                return st.fixed_dictionaries({"settings": self._fields(form().settings, ())})
            case {"type": "object", "properties": fields}:
                return self._fields(fields, schema.get("required", ()))
            case _:
                return self._plain(schema, name)

    def _fields(self, fields: Mapping[str, Any], required: Iterable[str]) -> SearchStrategy[Any]:
        wanted = {each: self._value(known, each) for each, known in fields.items()}
        must = {each: wanted.pop(each) for each in required}
        return st.fixed_dictionaries(must, optional=wanted)

    def _plain(self, schema: Mapping[str, Any], name: str) -> SearchStrategy[Any]:
        kinds: dict[str, SearchStrategy[Any]] = {
            "object": st.dictionaries(TEXTS, TEXTS, max_size=3),
            "integer": st.integers(schema.get("minimum"), schema.get("maximum")),
            "boolean": st.booleans(),
            "null": st.none(),
            "string": self._text(name),
        }
        return kinds.get(schema.get("type", ""), ANYTHING)


def _drawn(requests: SearchStrategy[Asked], most: int) -> list[Asked]:
    drawn: list[Asked] = []

    @settings(max_examples=most, phases=[Phase.generate], database=None)
    @given(requests)
    def keep(asked: Asked) -> None:
        drawn.append(asked)

    keep()
    return drawn


async def _status(visit: Visit, root: str, method: str, path: str, asked: Asked) -> int:
    """What is answered; of a stream, at its beginning."""
    parts = {"link": visit.made.link.id} | {
        name: quote(text.encode("utf-8", "replace"), safe="") for name, text in asked.path.items()
    }
    printed = {name: "".join(filter(str.isprintable, text)).strip() for name, text in asked.header.items()}
    headers = {b"content-type": b"application/json", b"x-csrf-token": visit.csrf.encode()} | {
        name.encode(): text.encode("utf-8", "replace") for name, text in printed.items()
    }
    query = {name: text.encode("utf-8", "replace") for name, text in asked.query.items()}
    body = None if method == "get" else json.dumps(asked.body).encode()
    address = httpx.URL(root + path.format_map(parts)).copy_merge_params(query)
    async with visit.client.stream(method.upper(), address, headers=headers, content=body) as response:
        return response.status_code


@pytest.mark.parametrize("most", [FEW, pytest.param(MANY, marks=pytest.mark.slow)])
async def test_no_request_makes_the_server_fail(
    memory_store: Store, caplog: pytest.LogCaptureFixture, most: int
) -> None:
    master = GameMaster(memory_store)
    game = (await master.run(await master.begin(BEGUN))).game
    async with served(memory_store) as page, httpx.AsyncClient(verify=False, timeout=PATIENCE) as client:
        says = (await client.get(f"{page.address}/openapi.json")).json()
        async with page.visit(game, "FRANCE") as france:
            question = (await france.get("/seat")).json()["id"]
        known = {
            "game": (game, game, await master.begin(BEGUN)),
            "question": (question,),
            "map_name": ("standard",),
            "power": ("FRANCE",),
            "at": ("S1901M",),
            "phase": ("S1901M",),
        }
        document = Document(says, known)
        reached = set[str]()
        for method, path, statuses in document.routes():
            requests = _drawn(document.asked(method, path), most)
            for scope, reader in ROLES:
                async with page.visit(scope and game, reader) as visit:
                    for asked in requests:
                        status = await _status(visit, page.address, method, path, asked)
                        assert status in (statuses | OF_ADDRESSES) - {503}, (method, path, reader, asked)
                        if status < 300:
                            reached.add(path)
        assert len(reached) > len(says["paths"]) / 2  # what is refused at the door tries nothing behind it
    assert [each.getMessage() for each in caplog.records if each.levelno >= logging.ERROR] == []
