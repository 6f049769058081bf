"""The program of docs/library.md, run as it is printed there."""

import re
import subprocess
import sys
from pathlib import Path

from entente import games
from tests.support.patience import PATIENCE
from tests.support.terminal import entente

DOCUMENT = (Path(__file__).parents[2] / "docs" / "library.md").read_text(encoding="utf-8")
(PROGRAM,) = re.findall(r"```python\n(.*?)```", DOCUMENT, re.DOTALL)


def test_the_program_of_the_document_plays_stops_resumes_and_forks(tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text(PROGRAM, encoding="utf-8")
    ran = subprocess.run(
        [sys.executable, "mine.py"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
    )
    assert (ran.returncode, ran.stderr) == (0, "")
    *told, stopped, finished, forked = ran.stdout.splitlines()
    assert (stopped, finished, forked) == ("paused", "finished", "finished")
    assert told[-1].startswith("S1901M adjudicated")
    assert set(re.findall(r" to ([A-Z]+): ", "\n".join(told))) == {"FRANCE"}
    listed = entente("games", "list", "--store", str(tmp_path / "games")).out
    assert listed.count("finished") == 2


def test_the_document_names_what_the_door_has() -> None:
    assert [name for name in games.__all__ if f"`{name}" not in DOCUMENT and name not in PROGRAM] == []
