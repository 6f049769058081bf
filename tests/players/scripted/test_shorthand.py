"""Players' shorthand is put into words, and words are left as they are."""

import pytest

from entente.players.scripted.diplomat.shorthand import spelled_out


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("sup me mun from ruh plz", "support me MUN from RUH please"),
        ("s ruh-mun w sil", "support RUH-MUN with SIL"),
        ("BUR s Mun - ruh", "BUR support MUN - RUH"),
        ("dmz gol n tun?", "dmz LYO and TUN?"),
        ("u moving to pie?", "are you moving to PIE?"),
        ("i cant, im at war w rus", "i can't, i'm at war with Russia"),
        ("ally vs ger?", "ally against Germany?"),
        ("stay out of eng", "stay out of ENG"),
        ("nothing against eng", "nothing against England"),
        ("gal-war", "GAL-WAR"),
        ("2 of us r 2 many", "2 of us are to many"),
        ("A PAR S A MUN - BUR", "A PAR S A MUN - BUR"),
        ("The war in her den, a bar and a spa", "The war in her den, a bar and a spa"),
        ("Neither you nor I", "Neither you nor I"),
    ],
    ids=str,
)
def test_shorthand_is_put_into_words(text: str, words: str) -> None:
    assert spelled_out(text, "standard") == words
