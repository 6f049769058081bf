"""`entente train`: games as episodes to learn from."""

import importlib.util
from pathlib import Path
from typing import Annotated

import typer

from entente.cli.completion import complete_power, one_of
from entente.cli.options import StoreOption, run_async
from entente.cli.printing import echo
from entente.errors import SettingsError

FORMATS = ("record", "chat", "pairs", "sharegpt", "tokens")

FormatOption = Annotated[
    str,
    typer.Option(
        "--format",
        metavar=f"<{'|'.join(FORMATS)}>",
        autocompletion=one_of(FORMATS),
        help="The neutral record, or rows of the calls that are to be learned from.",
    ),
]

train = typer.Typer(help="Games as episodes to train on.", no_args_is_help=True)


@train.command("export")
def export(
    games: Annotated[list[str], typer.Argument(metavar="GAME…", help="Ids or names of games.")],
    form: FormatOption = "record",
    out: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            dir_okay=False,
            help="The file to write; of rows, one that ends in .parquet is Parquet. Default: standard output.",
        ),
    ] = None,
    seat: Annotated[
        list[str] | None,
        typer.Option(
            metavar="POWER", autocompletion=complete_power, help="Only this seat's calls; repeatable."
        ),
    ] = None,
    trainable: Annotated[
        list[str] | None,
        typer.Option(
            metavar="POWER",
            autocompletion=complete_power,
            help="A seat that is trained; repeatable. Default: all that language models play.",
        ),
    ] = None,
    tokenizer: Annotated[
        Path | None,
        typer.Option(
            metavar="FOLDER",
            exists=True,
            file_okay=False,
            help="The policy's tokenizer, for --format tokens where its server told no tokens.",
        ),
    ] = None,
    store: StoreOption = None,
) -> None:
    """Write what language models were asked and said in games, as lines of JSON (docs/training.md).

    It is the operator's, as `entente log --raw` is. Of a game that is not over nothing is marked to be learned from.
    """
    from entente.cli.train_work import export_games

    run_async(export_games(store, games, form, out, seat, trainable, tokenizer))


@train.command("check")
def check(
    file: Annotated[
        Path,
        typer.Argument(metavar="FILE", exists=True, dir_okay=False, help="A record, as `export` writes it."),
    ],
) -> None:
    """Check that a file is a record, line by line; ends with 2 and names the line where it is none."""
    from entente.cli.train_work import check_file

    echo(check_file(file))


@train.command("run")
def run(
    file: Annotated[
        Path,
        typer.Argument(
            metavar="FILE", exists=True, dir_okay=False, help="The YAML or JSON file of docs/training.md."
        ),
    ],
    first: Annotated[
        str,
        typer.Option("--episodes", metavar="NAME", help="What the episodes are called: NAME-0, NAME-1, …"),
    ] = "episode",
    out: Annotated[
        Path | None,
        typer.Option(metavar="FILE", dir_okay=False, help="Write all episodes there."),
    ] = None,
    form: FormatOption = "record",
    store: StoreOption = None,
) -> None:
    """Play a batch of episodes against a policy server, several at once.

    The same command goes on where it was stopped and plays no episode twice. An episode that fails does not stop the
    others, and nothing of it is written. Ends with 4 when one failed.
    """
    from entente.cli.train_work import run_episodes

    run_async(run_episodes(file, first, out, form, store))


@train.command("branch")
def branch(
    file: Annotated[
        Path,
        typer.Argument(
            metavar="FILE", exists=True, dir_okay=False, help="The YAML or JSON file of docs/training.md."
        ),
    ],
    game: Annotated[str, typer.Argument(metavar="GAME", help="An episode that was played with it.")],
    at: Annotated[
        str,
        typer.Option(
            metavar="MOMENT",
            help="A phase, a round of its press, its orders, or a turn in either: S1902M, S1902M.2, S1902M.orders, "
            "S1902M.2.FRANCE; on the conductor's floor also a waking: S1902M.1.FRANCE.2.",
        ),
    ],
    years: Annotated[
        int | None, typer.Option(min=1, help="How many game years are played. Default: to the game's end.")
    ] = None,
    out: Annotated[
        Path | None,
        typer.Option(metavar="FILE", dir_okay=False, help="Write all continuations there."),
    ] = None,
    form: FormatOption = "record",
    store: StoreOption = None,
) -> None:
    """Play a moment of an episode on several times, as a group whose rewards can be compared.

    There are as many continuations as `group_size` says. The same command goes on where it was stopped. Ends with 4
    when one has failed.
    """
    from entente.cli.train_work import run_branches

    run_async(run_branches(file, game, at, years, out, form, store))


@train.command("push")
def push(
    file: Annotated[
        Path,
        typer.Argument(
            metavar="FILE", exists=True, dir_okay=False, help="The YAML or JSON file of docs/training.md."
        ),
    ],
    records: Annotated[
        Path,
        typer.Argument(
            metavar="RECORDS", exists=True, dir_okay=False, help="What `train run --out` has written."
        ),
    ],
) -> None:
    """Push the groups of games to the trainer's queue that the file names: Atropos' `run-api`.

    Each group is pushed once, however often and wherever this is stopped. Ends with 4 when the queue fails, or its
    trainer takes nothing in time.
    """
    from entente.cli.train_work import push_file

    run_async(push_file(file, records))


@train.command("serve-policy")
def serve_policy(
    policy: Annotated[
        str,
        typer.Argument(
            metavar="POLICY",
            help="PROVIDER:MODEL, a scripted player such as dumbbot, or scripted, which calls at random.",
        ),
    ] = "scripted",
    port: Annotated[int, typer.Option(help="The server's port, on this machine only.")] = 8000,
) -> None:
    """Answer policy requests on this machine: /v1/completions and /v1/chat/completions, until Ctrl-C."""
    if importlib.util.find_spec("fastapi") is None:
        raise SettingsError(
            "A policy server wants the packages of the extra `train`, which are not installed: "
            "pip install 'entente[train]'. Nothing was started."
        )
    from entente.cli.policy_work import serve

    run_async(serve(policy, port))
