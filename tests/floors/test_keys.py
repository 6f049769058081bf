"""A key goes to the address that it was given for, and to no other."""

import pytest

from checkpoints.store import Store
from entente.errors import SettingsError
from entente.floors.keys import bound, unsent
from entente.games.runner import GameMaster, RunEnd
from entente.models.client import Connections
from entente.models.mock.faults import digest_of
from entente.models.mock.server import mock_server
from entente.players.seating import Seating
from graph.context import GameSettings

KEY = "canary-0123456789"
HERE, THERE, OPENAI = "http://here:80", "https://there:443", "https://api.openai.com:443"


def _settings(**values: object) -> GameSettings:
    return GameSettings.model_validate({"seats": {"FRANCE": "hold", "ITALY": "hold"}, **values})


CASES: dict[str, tuple[dict[str, object], dict[str, object]]] = {
    "the seats' own address": (
        {"seats": {"FRANCE": "openai:m@http://here/v1", "ITALY": "openai:n@http://HERE:80/v2"}},
        {"models": {"key_variable": f"K@{HERE}"}},
    ),
    "the settings' address": (
        {"seats": {"FRANCE": "openai:m"}, "models": {"base_url": "https://there/v1"}},
        {"models": {"base_url": "https://there/v1", "key_variable": f"K@{THERE}"}},
    ),
    "the provider's address": (
        {"seats": {"FRANCE": "openai:m", "ITALY": "hold"}},
        {"models": {"key_variable": f"K@{OPENAI}"}},
    ),
    "no model yet": ({}, {"models": {"key_variable": "K"}}),
    "another address for a seat with a key of its own": (
        {
            "seats": {"FRANCE": "openai:m@http://here/v1", "ITALY": "openai:m@https://there/v1"},
            "seat_models": {"ITALY": {"key_variable": "OTHER"}},
        },
        {
            "models": {"key_variable": f"K@{HERE}"},
            "seat_models": {"ITALY": {"key_variable": f"OTHER@{THERE}"}},
        },
    ),
    "an address that was noted before": (
        {"seats": {"FRANCE": "openai:m@http://here/v1"}, "models": {"key_variable": f"K@{THERE}"}},
        {"models": {"key_variable": f"K@{THERE}"}},
    ),
}


def test_the_crews_key_is_noted_with_the_address_of_its_model_and_sent_to_no_other() -> None:
    kept = bound(_settings(crew="openai:m@http://here/v1", crew_model={"key_variable": "K"}))
    assert kept.crew_model == {"key_variable": f"K@{HERE}"}
    assert bound(kept) == kept
    assert list(unsent(kept)) == []
    (told,) = unsent(kept.model_copy(update={"crew": "openai:m@https://there/v1"}))
    assert told.startswith(f"The key in K was given for {HERE} and is not sent to {THERE}, where the crew is")
    assert bound(_settings(crew="scripted", crew_model={"key_variable": "K"})).crew_model == {
        "key_variable": "K"
    }


@pytest.mark.parametrize(("given", "noted"), CASES.values(), ids=CASES.keys())
def test_a_key_is_noted_with_its_address(given: dict[str, object], noted: dict[str, object]) -> None:
    models = {"key_variable": "K", **GameSettings.model_validate(given).models}
    found = bound(_settings(**{**given, "models": models}))
    assert found.models == noted["models"]
    assert found.seat_models == noted.get("seat_models", {})
    assert bound(found) == found


def test_one_key_for_two_addresses_is_asked_about() -> None:
    seats = {"FRANCE": "openai:m@http://here/v1", "ITALY": "openai:m@https://there/v1"}
    with pytest.raises(SettingsError, match=f"models are asked at {HERE} and {THERE}") as refused:
        bound(_settings(seats=seats, models={"key_variable": "K"}))
    assert refused.value.setting == ("models", "key_variable")


def test_who_is_not_sent_the_key_is_told() -> None:
    seats = {"FRANCE": "openai:m@http://here/v1", "ITALY": "openai:m@https://there/v1"}
    (told,) = unsent(_settings(seats=seats, models={"key_variable": f"K@{HERE}"}))
    assert told.startswith(
        f"The key in K was given for {HERE} and is not sent to {THERE}, where ITALY is asked."
    )


async def test_an_address_that_is_named_later_is_not_sent_the_key(memory_store: Store) -> None:
    async with mock_server() as one, mock_server() as other, Connections() as connections:
        master = GameMaster(memory_store, Seating(connections, {"K": KEY}))
        game = await master.begin(
            GameSettings(
                everyone="hold",
                seats={"FRANCE": "openai:mock"},
                models={"key_variable": "K", "base_url": one.url},
                floor="gunboat",
                max_year=1901,
            )
        )
        await master.change(game, {"base_url": other.url}, {}, None)
        assert (await master.run(game)).end is RunEnd.FINISHED
        assert not one.requests
        assert {request.key_digest for request in other.requests} == {digest_of(b"none")}
