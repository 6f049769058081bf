"""docs/security.md names for each attack the test that holds it."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
_ROW = re.compile(r"^\|(.*)\|(.*)\|(.*)\|$", re.MULTILINE)
_TEST = re.compile(r"`(tests/[\w/]+\.py)::(test_\w+)`")
ROWS = {
    attack.strip(): held
    for attack, _, held in _ROW.findall((ROOT / "docs" / "security.md").read_text())
    if attack.strip() not in ("attack", "---")
}


@pytest.mark.parametrize("held", ROWS.values(), ids=ROWS.keys())
def test_every_attack_is_held_by_a_test_that_exists(held: str) -> None:
    named = _TEST.findall(held)
    assert named
    for file, test in named:
        assert re.search(rf"^(async )?def {test}\(", (ROOT / file).read_text(), re.MULTILINE), (
            f"{file}::{test}"
        )
