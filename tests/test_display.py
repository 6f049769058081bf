"""What is shown of a text is text: nothing that a terminal obeys, that turns a line around, or that hides words."""

import ast
import re
from pathlib import Path
from unicodedata import category

import pytest
from hypothesis import given
from hypothesis import strategies as st

from entente.display import displayable, displayable_json, in_one_line

HOSTILE = re.compile(
    "[\x00-\x09\x0b-\x1f\x7f-\x9f\u00ad\u034f\u061c\u180b-\u180f\u200b-\u200f\u2028-\u202e\u2060-\u206f"
    "\ufe00-\ufe0f\ufeff\ufff0-\ufffb\U000e0000-\U000e0fff\ud800-\udfff]"
)
"""Unicode 15.1: C0, C1, Bidi_Control, Default_Ignorable_Code_Point (but for Hangul's fillers), and half characters."""

CASES = {
    "colour": ("\x1b[31mred\x1b[0m", " [31mred [0m"),
    "title": ("\x1b]0;evil\x07x", " ]0;evil x"),
    "C1": ("a\x9b31mb\x9dc", "a 31mb c"),
    "bidi": ("a\u202eb\u2066c\u200fd", "abcd"),
    "zero width": ("Bur\u200bgun\ufeffdy\u2060", "Burgundy"),
    "tags": ("hi\U000e0068\U000e0069\U000e007f", "hi"),
    "variation selectors": ("a\ufe0f\U000e0100b", "ab"),
    "line separators": ("a\u2028b\x85c\x0bd\re", "a b c d e"),
    "line feed": ("a\nb", "a\nb"),
    "half a character": ("a\ud800b", "a?b"),
    "looks like a blank": ("a\u2800\u3164\xa0b", "a   b"),
    "a heap of accents": ("Z" + "\u0301\u0489" * 40 + "a\u0301", "Z" + "\u0301\u0489" * 4 + "a\u0301"),
    "a heap with joiners in it": ("Z" + "\u0301\u200d" * 40, "Z" + "\u0301" * 8),
    "accents and stacks of scripts": (
        "e\u0302\u0301 \u05e9\u05bc\u05c1\u05b8\u0594 \u0f67\u0f90\u0fb5\u0fa8\u0fb3\u0fba\u0fbc\u0fbb\u0f82",
    )
    * 2,
    "words": ("Öl für A PAR – «Бургундия» 東京 🤝", "Öl für A PAR – «Бургундия» 東京 🤝"),
}


@pytest.mark.parametrize(("text", "shown"), CASES.values(), ids=CASES)
def test_a_text_is_shown_so(text: str, shown: str) -> None:
    assert displayable(text) == shown


@given(
    st.text(
        st.characters()
        | st.sampled_from([chr(n) for n in range(0xA0)])
        | st.sampled_from("\u0301\u0489\u0e4d")
    )
)
def test_nothing_hostile_is_shown_and_what_is_shown_stays_so(text: str) -> None:
    shown = displayable(text)
    assert HOSTILE.search(shown) is None
    assert {category(c) for c in shown} & {"Cc", "Cf", "Cs", "Zl", "Zp"} <= (
        {"Cc"} if "\n" in shown else set()
    )
    assert displayable(shown) == shown
    assert not any({category(c) for c in shown[at : at + 9]} <= {"Mn", "Me"} for at in range(len(shown) - 8))
    assert "\n" not in in_one_line(text)


def test_a_value_is_shown_with_its_keys() -> None:
    assert displayable_json({"a\x1b": ["\u200b", 1, None]}) == {"a ": ["", 1, None]}


_DOORS = {"printing.py", "output.py"}
_CLI = Path(__file__).parents[1] / "entente" / "cli"


@pytest.mark.parametrize("path", sorted(_CLI.glob("*.py")), ids=lambda path: path.name)
def test_no_command_prints_past_the_doors(path: Path) -> None:
    calls = [node.func for node in ast.walk(ast.parse(path.read_text())) if isinstance(node, ast.Call)]
    names = {ast.unparse(call) for call in calls}
    past = {name for name in names if re.search(r"(^|\.)(echo|secho|print|Console)$|\.write$", name)}
    allowed = {"echo", "console.print", "self.console.print", "seen.print", "store.library.database.write"}
    assert past <= allowed or path.name in _DOORS
