"""`entente games`: the games of a store, listed, looked at, removed and moved."""

from pathlib import Path
from shlex import quote
from typing import Annotated

import typer

from entente.cli.completion import STATUSES, one_of
from entente.cli.options import (
    GameArgument,
    GameOrNewest,
    JsonLinesOption,
    JsonOption,
    StoreOption,
    newest_unless_named,
    print_json,
    print_json_lines,
    refuse_several_forms,
    run_async,
    with_game,
)
from entente.cli.printing import echo
from entente.cli.store_option import command_for
from entente.errors import SettingsError
from graph.context import FLOORS

games = typer.Typer(help="List, show, name, copy, delete, prune, export, import.", no_args_is_help=True)


@games.command("list")
def list_games(
    status: Annotated[
        str | None,
        typer.Option(
            metavar=f"<{'|'.join(STATUSES)}>",
            autocompletion=one_of(STATUSES),
            help="Only games that stand so.",
        ),
    ] = None,
    floor: Annotated[
        str | None,
        typer.Option(
            metavar=f"<{'|'.join(FLOORS)}>",
            autocompletion=one_of([*FLOORS]),
            help="Only games on this floor.",
        ),
    ] = None,
    player: Annotated[
        str | None,
        typer.Option(
            metavar="PLAYER", help="Only games with a player, or a model, whose name has this in it."
        ),
    ] = None,
    name: Annotated[
        str | None, typer.Option(metavar="NAME", help="Only games whose name has this in it.")
    ] = None,
    since: Annotated[
        str | None,
        typer.Option(
            metavar="TIME",
            help="Only games that were begun at this time and later: 2026-03-01, or 2026-03-01T14:35, by the clock of "
            "this place unless it says otherwise.",
        ),
    ] = None,
    as_json: JsonLinesOption = False,
    store: StoreOption = None,
) -> None:
    """List games, newest first.

    Names, who has won and what a game was copied or forked from are columns where any game has them; a player for
    whom another one stood in is listed with it.
    """
    from entente.cli.games_work import Wanted, all_games, games_table, plain_line
    from entente.cli.output import print_table

    wanted = Wanted.of(status, floor, player, name, since)
    location, every = run_async(all_games(store))
    games = [game for game in every if wanted.takes(game)]
    if as_json:
        print_json_lines(map(plain_line, games))
    elif games:
        print_table(games_table(games))
    elif every:
        echo(f"None of the {len(every)} games in {location} is such a game.", err=True)
    else:
        echo(f"No games yet in {location}; `{command_for(location, 'play')}` begins one.", err=True)
    if any(game.summary.damage for game in games) and not as_json:
        echo(f"`entente selfcheck {quote(location)}` says what is damaged.", err=True)


@games.command()
def rename(
    game: GameOrNewest = None,
    name: Annotated[
        list[str] | None,
        typer.Argument(metavar="NAME", help="What it is to be called, in words; '' for nothing."),
    ] = None,
    store: StoreOption = None,
) -> None:
    """Give a game a name, by which commands find it as well.

    Of several words the first is the game; one, or a name in quotes, is given to the game that was begun last.
    """
    game, (called,) = newest_unless_named(game, NAME=" ".join(name) if name else None)
    with_game(store, game, lambda s, g: s.library.rename(g, called))


@games.command()
def note(
    game: GameOrNewest = None,
    text: Annotated[
        list[str] | None,
        typer.Argument(metavar="TEXT", help="What is worth knowing of it, in words; '' for nothing."),
    ] = None,
    store: StoreOption = None,
) -> None:
    """Note something of a game, in place of what was noted.

    Of several words the first is the game; one, or a text in quotes, is noted of the game that was begun last.
    """
    game, (noted,) = newest_unless_named(game, TEXT=" ".join(text) if text else None)
    with_game(store, game, lambda s, g: s.library.annotate(g, noted))


@games.command()
def show(
    game: GameOrNewest = None,
    as_json: JsonOption = False,
    as_yaml: Annotated[
        bool, typer.Option("--yaml", help="Print its settings, for `entente play --config FILE`.")
    ] = False,
    store: StoreOption = None,
) -> None:
    """Show one game: how it stands, its settings and digests.

    Equal games have equal digests, whenever and wherever they were played.
    """
    refuse_several_forms({"--json": as_json, "--yaml": as_yaml})
    if as_yaml:
        from entente.cli.game_file import game_yaml

        summary = with_game(store, game, lambda s, g: s.library.summary(g))
        echo(game_yaml(summary.settings), nl=False)
        return
    from entente.cli.show_work import look

    seen = with_game(store, game, look)
    if as_json:
        print_json(seen.plain())
    else:
        seen.print()


@games.command()
def delete(
    game: GameArgument,
    yes: Annotated[
        bool, typer.Option("--yes", help="Do not ask, which is done at a terminal alone.")
    ] = False,
    store: StoreOption = None,
) -> None:
    """Delete a game for good: its checkpoints, its press and its map."""
    from entente.cli.games_work import delete_game

    echo(f"Deleted {with_game(store, game, lambda s, g: delete_game(s, g, is_sure=yes))}.")


@games.command()
def prune(game: GameArgument, store: StoreOption = None) -> None:
    """Delete all checkpoints of a game but the latest.

    It can go on, and its press and its phases stay, but it cannot be forked at an earlier moment any more.
    """
    from entente.cli.games_work import prune_game

    echo(f"Pruned {with_game(store, game, prune_game)}.")


@games.command("copy")
def copy_game(game: GameOrNewest = None, store: StoreOption = None) -> None:
    """Copy a whole game, with its history, under a new id."""
    echo(with_game(store, game, lambda s, g: s.library.copy(g)))


@games.command("export")
def export_game(
    game: GameOrNewest = None,
    file: Annotated[
        Path | None,
        typer.Argument(
            metavar="FILE",
            help="The file to write, in place of what is there. Default: GAME.entente here; - for stdout.",
            dir_okay=False,
        ),
    ] = None,
    langgraph: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="Write the game's checkpoints into this file instead, for LangGraph's own AsyncSqliteSaver.",
            dir_okay=False,
        ),
    ] = None,
    store: StoreOption = None,
) -> None:
    """Write a whole game into one file, for another store or machine."""
    from entente.cli.games_work import write_game, write_langgraph

    if langgraph is None:
        if path := with_game(store, game, lambda s, g: write_game(s, g, file)):
            echo(path)
    elif file is None:
        echo(with_game(store, game, lambda s, g: write_langgraph(s, g, langgraph)))
    else:
        raise SettingsError(
            f"One file was wanted and two came, {file} and --langgraph {langgraph}; nothing was written."
        )


@games.command("import")
def import_game(
    file: Annotated[
        Path,
        typer.Argument(metavar="FILE", help="A file that `export` has written.", exists=True, dir_okay=False),
    ],
    store: StoreOption = None,
) -> None:
    """Read a game from a file; it keeps its id, and can be resumed.

    Models, addresses, keys' variables, programs and prompts that the file names are shown, and not used before
    `entente resume GAME --trust`.
    """
    from entente.cli.games_work import read_game
    from entente.cli.output import columns_to_say, hanging, say

    imported = run_async(read_game(store, file))
    echo(imported.game)
    if imported.reaches:
        trust = command_for(imported.location, f"resume {imported.game} --trust")
        say("This game is untrusted. Nothing of this is used before you confirm it:")
        for line in imported.reaches:
            say(hanging("  ", line, columns_to_say()), whole=True)
        say(f"To confirm all of it: {trust}", whole=True)
