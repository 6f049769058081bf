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
