"""`mock-model` and `usage`: a model's server for trying things out, and what models have cost."""

from typing import TYPE_CHECKING, Annotated

import typer

from entente.cli.options import GameOrNewest, JsonOption, StoreOption, print_json, settle, with_game

if TYPE_CHECKING:
    from rich.table import Table

    from entente.games.spending import FloorCounts, Spending
    from entente.models.usage import UsageSummary


def mock_model(
    port: Annotated[int, typer.Option(help="The port to listen on, on this machine only; 0 for any.")] = 8089,
    plan: Annotated[
        str, typer.Option(help='Latency and faults, as JSON or a file of it, such as {"latency_ms": 200}.')
    ] = "{}",
) -> None:
    """Serve a scripted language model on this machine.

    It speaks the OpenAI wire, costs nothing, and answers the same request alike.
    Ctrl-C and SIGTERM end it, as they end `studio`, with exit code 0.
    """
    from entente.cli.output import say
    from entente.models.mock.plan import Plan
    from entente.models.mock.server import serve

    def ready(url: str) -> None:
        say(f"A scripted model answers at {url}; Ctrl-C ends it.\nentente play --all openai:mock@{url}")

    settle()
    serve("127.0.0.1", port, Plan.parse(plan), on_ready=ready)


def usage(game: GameOrNewest = None, as_json: JsonOption = False, store: StoreOption = None) -> None:
    """Show what a game's language models have cost.

    Calls, tokens, how many of them were cached, money and latency, by seat and by phase, and by model
    where there are several; what the crew has told and answered is among it. On the conductor's floor also
    wakes and messages, whoever plays.
    """
    from entente.games.spending import spending_of

    spending = with_game(store, game, spending_of)
    if as_json:
        print_json(spending.model_dump(mode="json"))
    else:
        _print_spending(spending)


def _print_spending(spending: "Spending") -> None:
    from entente.cli.output import tell

    if spending.total.calls:
        _print_seats(spending)
        if len(spending.by_model) > 1:
            _print_costs("Model", spending.by_model, spending.total)
        for model, summary in spending.by_model.items():
            if summary.malformed:
                tell(
                    f"Of {summary.calls} replies of {model}, {summary.malformed} could not be taken as they were."
                )
        _print_costs("Phase", spending.by_phase, spending.total)
    else:
        tell("No language model has been called in this game.")
    if spending.floor:
        _print_floor(spending.floor)


def _print_seats(spending: "Spending") -> None:
    """A line a seat; who plays is said once where it is the same everywhere: an address takes half of a line."""
    from entente.cli.output import tell

    rows, players = dict(spending.by_seat), {seat.partition(" ")[2] for seat in spending.by_seat}
    if len(players) == 1:
        tell(f"Calls of {players.pop()}:\n", whole=True)
        rows = {seat.partition(" ")[0]: summary for seat, summary in rows.items()}
    if spending.crew:
        rows["crew"] = spending.crew
    _print_costs("Seat", rows, spending.total)


def _print_costs(title: str, rows: "dict[str, UsageSummary]", total: "UsageSummary") -> None:
    table = _table(title, "Calls", "Tries", "Prompt", "Cached", "Reply", "Cost", "p50", "p95")
    for name, summary in (*rows.items(), ("all", total)):
        table.add_row(name, *_cells(summary))
    _print(table)


def _print_floor(floor: "dict[str, FloorCounts]") -> None:
    table = _table("Phase", "Wakes", "Calls", "Messages")
    for phase, counts in floor.items():
        table.add_row(phase, str(counts.wakes), str(counts.calls), str(counts.messages))
    sums = [
        sum(column) for column in zip(*((c.wakes, c.calls, c.messages) for c in floor.values()), strict=True)
    ]
    table.add_row("all", *map(str, sums))
    _print(table)


def _table(title: str, *numbers: str) -> "Table":
    from entente.cli.output import plain_table

    table = plain_table()
    table.add_column(title, overflow="fold")
    for column in numbers:
        table.add_column(column, justify="right", no_wrap=True)
    return table


def _print(table: "Table") -> None:
    from entente.cli.output import print_table, tell

    print_table(table)
    tell("")


def _cells(summary: "UsageSummary") -> tuple[str, ...]:
    from entente.cli.output import cost_text

    return (
        f"{summary.calls}",
        f"{summary.attempts}",
        f"{summary.prompt_tokens:,}",
        f"{summary.cached_share:.0%}",
        f"{summary.completion_tokens:,}",
        cost_text(summary),
        f"{summary.latency_p50_seconds:.2f} s",
        f"{summary.latency_p95_seconds:.2f} s",
    )
