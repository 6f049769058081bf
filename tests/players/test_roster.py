"""Specs of seats, read into players."""

import pytest

from entente.errors import SettingsError
from entente.players.roster import SCRIPTED, make_player
from entente.players.scripted.diplomat.personality import Personality
from entente.players.scripted.diplomat.player import DiplomatPlayer


@pytest.mark.parametrize("name", SCRIPTED)
def test_every_name_makes_a_player(name: str) -> None:
    assert callable(make_player(name).take_turn)


def test_knobs_are_set_over_the_characters_own() -> None:
    player = make_player("diplomat(honesty=0.25, loyalty=1.0,forgiveness=0, chattiness=2)")
    assert isinstance(player, DiplomatPlayer)
    assert player.personality == Personality(honesty=0.25, loyalty=1.0, forgiveness=0.0, chattiness=2)


def test_a_misspelt_name_is_answered_with_the_nearest_and_all_there_are() -> None:
    with pytest.raises(SettingsError, match=r"did you mean diplomat\?") as caught:
        make_player("diplomant")
    assert all(name in str(caught.value) for name in SCRIPTED)


@pytest.mark.parametrize(
    "spec",
    [
        "diplomat(charm=1)",
        "diplomat(honesty=2)",
        "diplomat(honesty=-1)",
        "diplomat(honesty=nan)",
        "diplomat(chattiness=1.5)",
        "diplomat(chattiness=4)",
        "diplomat(honesty)",
        "diplomat(",
        "dumbbot(honesty=1)",
        "human",
        "",
    ],
)
def test_what_cannot_be_used_is_refused_in_one_sentence(spec: str) -> None:
    with pytest.raises(SettingsError) as caught:
        make_player(spec)
    assert "\n" not in str(caught.value)
