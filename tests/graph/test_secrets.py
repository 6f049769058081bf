"""No password is kept with a game, wherever it was typed, and no message repeats one."""

from collections.abc import Callable
from pathlib import Path

import pytest

from entente.errors import SettingsError
from graph.context import parse_settings
from tests.support.terminal import entente

SECRET = "hunter2canary"
ADDRESSES = {
    "a password": f"http://me:{SECRET}@host/v1",
    "a name alone": f"http://{SECRET}@host/v1",
    "a query": f"http://host/v1?key={SECRET}",
    "a fragment": f"http://host/v1#{SECRET}",
    "a password in the path": f"http://host/me:{SECRET}@v1",
    "no http://": f"me:{SECRET}@host/v1",
    "another scheme": f"ftp://me:{SECRET}@host/v1",
    "no host": f"http://:{SECRET}@/v1",
    "a port in letters": f"http://host:{SECRET}/v1",
    "no @ before an address of IPv6": f"http://me:{SECRET}[::1]:8000/v1",
    "behind an address of IPv6": f"http://[::1]{SECRET}/v1",
    "an encoded @": f"http://me%3A{SECRET}%40host/v1",
    "an encoded query": f"http://host/v1%3Fkey={SECRET}",
    "an encoded fragment": f"http://host/v1%23{SECRET}",
}
PLACES: dict[str, Callable[[str], dict[str, object]]] = {
    "a seat": lambda address: {"seats": {"FRANCE": f"openai:m@{address}"}},
    "everyone": lambda address: {"everyone": f"openai:m@{address}"},
    "everyone, whom no seat uses": lambda address: {"everyone": f"anthropic:m@{address}", "seats": {"FRANCE": "hold"}},
    "a provider that is misspelt": lambda address: {"everyone": f"opneai:m@{address}"},
    "a model with a blank": lambda address: {"everyone": f"openai:m n@{address}"},
    "an address for all": lambda address: {"models": {"base_url": address}},
    "an address for a seat of no model": lambda address: {"seat_models": {"FRANCE": {"base_url": address}}},
    "the address of a key": lambda address: {"models": {"key_variable": f"K@{address}"}},
}  # fmt: skip


@pytest.mark.parametrize("address", ADDRESSES.values(), ids=ADDRESSES.keys())
@pytest.mark.parametrize("place", PLACES.values(), ids=PLACES.keys())
def test_an_address_that_may_hold_a_secret_is_refused_and_not_repeated(
    place: Callable[[str], dict[str, object]], address: str
) -> None:
    with pytest.raises(SettingsError) as refused:
        parse_settings(place(address))
    assert SECRET not in str(refused.value)


@pytest.mark.parametrize(
    "token", [f"hf_{SECRET}1A", f"sk-{SECRET}", f"sk_live_{SECRET}", f"AIza{SECRET}", f"xai-{SECRET}", f"K@{SECRET}"]
)  # fmt: skip
def test_a_token_in_place_of_its_variables_name_is_refused_and_not_repeated(token: str) -> None:
    for place in ({"models": {"key_variable": token}}, {"seat_models": {"FRANCE": {"key_variable": token}}}):
        with pytest.raises(SettingsError, match="key_variable") as refused:
            parse_settings(place)
        assert SECRET not in str(refused.value)


TYPOS = [
    f"play --all opneai:m@http://me:{SECRET}@host",
    f"play --all openai:m@me:{SECRET}@host",
    f"play --all openai:me:{SECRET}@host",
    f"play --all http://me:{SECRET}@host",
    f"play --seat openai:m@http://me:{SECRET}@host",
    f"play --seat FRANCE:openai:m@http://me:{SECRET}@host",
    f"play --model-setting http://me:{SECRET}@host",
    f"play --model-setting base_url:http://me:{SECRET}@host",
    f"play --model-setting base_url=me:{SECRET}@host",
    f"play --model-setting base_ulr=http://me:{SECRET}@host",
    f"play --max-year 1901 --rounds 0 --store me:{SECRET}@host/games",
    f"games list --store postgresql:/me:{SECRET}@host/games",
    f"games list --store postgresql//me:{SECRET}@host/games",
    f"games list --store mysql://me:{SECRET}@host/games",
    f"selfcheck me:{SECRET}@host/games",
    f"models check me:{SECRET}@host",
    f"models check openai:m@me:{SECRET}@host/v1",
]


@pytest.mark.parametrize("line", TYPOS)
def test_a_slip_of_the_keyboard_repeats_no_password(
    line: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    has_no_store = line.startswith("play") and "--store" not in line
    ran = entente(*line.split(), *(["--store", "memory"] if has_no_store else []))
    assert ran.code == 2
    assert SECRET not in ran.out + ran.err
    assert [*tmp_path.iterdir()] == []
