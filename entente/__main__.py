"""`python -m entente` is the `entente` command."""

from entente.cli.main import run

run()
