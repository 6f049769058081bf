"""What must be quick loads neither the graph nor the engine."""

import subprocess
import sys

import pytest

from tests.cli.conftest import Shelf

_GRAPH_AND_ENGINE = ("langgraph.graph", "langgraph.pregel", "diplomacy", "prompt_toolkit")


@pytest.mark.parametrize(
    ("arguments", "unwanted"),
    [
        (["--help"], (*_GRAPH_AND_ENGINE, "langgraph", "sqlalchemy")),
        (["play", "--help"], (*_GRAPH_AND_ENGINE, "langgraph", "sqlalchemy")),
        (["games", "list", "--store", "{store}"], _GRAPH_AND_ENGINE),
    ],
    ids=["help", "play-help", "games-list"],
)
def test_a_command_that_must_be_quick_loads_no_more_than_it_needs(
    shelf: Shelf, arguments: list[str], unwanted: tuple[str, ...]
) -> None:
    given = [argument.format(store=shelf.store) for argument in arguments]
    code = (
        "import sys; from entente.cli.main import exit_code; exit_code(sys.argv[1:]);"
        "print('\\n'.join(sys.modules), file=sys.stderr)"
    )
    ran = subprocess.run([sys.executable, "-c", code, *given], capture_output=True, text=True, check=True)
    assert ran.stdout
    assert not set(unwanted) & set(ran.stderr.split())


def test_a_game_loads_nothing_that_was_put_off_and_whoever_wants_it_has_it(shelf: Shelf) -> None:
    arguments = ["play", "--all", "hold", "--floor", "gunboat", "--max-year", "1901", "--store", shelf.store]
    code = """
import sys
from entente.cli.main import run
try:
    run()
except SystemExit as done:
    assert done.code == 0
heavy = {"langsmith.types.run", "langgraph_sdk.client"}
assert not heavy & sys.modules.keys(), heavy & sys.modules.keys()
from langsmith.types import Run
from langgraph_sdk import get_client
assert heavy <= sys.modules.keys()
assert Run.__module__ == "langsmith.types.run" and callable(get_client)
"""
    ran = subprocess.run([sys.executable, "-c", code, *arguments], capture_output=True, text=True)
    assert (ran.returncode, ran.stderr.count("Traceback")) == (0, 0), ran.stderr
