"""`entente selfcheck`: what is wrong with a store, in sentences."""

import typer

from entente.cli.options import WholeStore, run_async


def selfcheck(store: WholeStore) -> None:
    """Read a whole store and say what is wrong with it, a sentence each; nothing is changed.

    It exits with 3 when something is.
    """
    from entente.cli.selfcheck_work import report, wrong_with

    checked = run_async(wrong_with(store))
    report(checked)
    if checked.damage:
        raise typer.Exit(3)
