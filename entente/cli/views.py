"""`board`, `press` and `log`: reading a game, each as one reader may."""

from pathlib import Path
from typing import Annotated

import typer

from entente.cli.completion import complete_moment, complete_phase, complete_reader
from entente.cli.options import (
    GameOrNewest,
    JsonLinesOption,
    JsonOption,
    StoreOption,
    print_json,
    print_json_lines,
    refuse_several_forms,
    with_game,
)
from entente.cli.panels import EVENTS, RARE, READERS
from entente.cli.printing import echo

PowerOption = Annotated[
    str | None,
    typer.Option(
        "--power",
        metavar="POWER",
        autocompletion=complete_reader,
        rich_help_panel=READERS,
        help="Only what this power may see; PUBLIC for what all may.",
    ),
]
DelayOption = Annotated[
    int | None,
    typer.Option(
        "--delay",
        metavar="PHASES",
        min=1,
        rich_help_panel=RARE,
        help="Only what the public may be told so many phases later: all press, and nothing of the latest phases, the "
        "one in play among them, before the game is over.",
    ),
]
OperatorOption = Annotated[
    bool,
    typer.Option(
        "--operator",
        rich_help_panel=READERS,
        help="Everything, also while people play; see `entente log --help` for what is shown without a reader.",
    ),
]


def board(
    game: GameOrNewest = None,
    at: Annotated[
        str | None,
        typer.Option(
            "--at",
            metavar="PHASE",
            autocompletion=complete_phase,
            help="The position in which this phase was ordered.",
        ),
    ] = None,
    text: Annotated[bool, typer.Option("--text", help="Print a table (the default).")] = False,
    svg: Annotated[bool, typer.Option("--svg", help="Print a map.")] = False,
    out: Annotated[
        Path | None,
        typer.Option(
            "--out", metavar="FILE", dir_okay=False, help="Write a map to this file, .svg or .png, instead."
        ),
    ] = None,
    is_opened: Annotated[
        bool, typer.Option("--open", help="Open a map in the browser, --out FILE if given.")
    ] = False,
    as_json: JsonOption = False,
    store: StoreOption = None,
) -> None:
    """Show the board as it is, or as it was in a phase.

    An earlier phase comes with its orders and what became of them, on the map as arrows.
    """
    drawn = {"--out": True} if out is not None else {"--open": is_opened}
    refuse_several_forms({"--text": text, "--svg": svg, "--json": as_json, **drawn})
    from entente.board.render import board_svg, board_text
    from entente.cli.board_work import draw_map, look_at
    from entente.cli.output import columns_to_tell
    from entente.cli.pictures import check_map_name
    from entente.cli.situation import results_text

    if out is not None:
        check_map_name(out)
    look = with_game(store, game, lambda s, g: look_at(s, g, at))
    position, played = look.board, look.played
    if as_json:
        results = [result.model_dump(mode="json") for result in played.results] if played else []
        print_json({"board": position.snapshot(), "results": results})
    elif out is not None or is_opened:
        draw_map(look, out, is_opened=is_opened)
    elif svg:
        echo(board_svg(position, look.results))
    else:
        columns = columns_to_tell()
        echo(board_text(position, columns))
        if played:
            echo(f"\nOrders of {played.phase}:\n{results_text(played.results, columns)}")


def press(
    game: GameOrNewest = None,
    power: PowerOption = None,
    delay: DelayOption = None,
    operator: OperatorOption = False,
    as_json: JsonLinesOption = False,
    store: StoreOption = None,
) -> None:
    """Print the press of a game, oldest first.

    All of it. While people play, without --power or --operator, what the only person's seat may read, and what all may
    where several play or a link opens the seat. But for the operator, what was said in a round is told when the round
    is over.
    """
    from entente.cli.lines import message_line
    from entente.cli.output import columns_to_tell
    from entente.cli.reader_work import Asked, with_reader
    from entente.games.reading import press_for

    found = with_reader(store, game, Asked(power, delay, operator), press_for)
    if as_json:
        print_json_lines(message.model_dump(mode="json") | {"at": at} for message, at in found.messages)
        return
    if not found.messages:
        echo("There is no press to show.", err=True)
    columns = columns_to_tell()
    for message, at in found.messages:
        echo(message_line(message, found.floor.moment_of(message), at, columns=columns))


def log(
    game: GameOrNewest = None,
    power: PowerOption = None,
    delay: DelayOption = None,
    operator: OperatorOption = False,
    kind: Annotated[
        list[str] | None,
        typer.Option(
            "--kind",
            metavar="KIND",
            rich_help_panel=EVENTS,
            help="Only events of this kind; may be given several times.",
        ),
    ] = None,
    at: Annotated[
        str | None,
        typer.Option(
            "--at",
            metavar="MOMENT",
            autocompletion=complete_moment,
            rich_help_panel=EVENTS,
            help="Only what happened at this moment: a phase (S1903M), a round (S1903M.2), its orders "
            "(S1903M.orders) or a turn (S1903M.2.FRANCE).",
        ),
    ] = None,
    since: Annotated[
        str | None,
        typer.Option(
            "--since",
            metavar="WHEN",
            rich_help_panel=EVENTS,
            help="Only what was committed after the event of this number (`sequence` in --json), or at this time "
            "and later (2026-03-01T14:35, by the clock of this place unless it says otherwise).",
        ),
    ] = None,
    follow: Annotated[
        bool,
        typer.Option(
            "--follow",
            help="Go on with what is committed, whoever plays the game, until it is over or Ctrl-C is pressed.",
        ),
    ] = False,
    raw: Annotated[
        bool,
        typer.Option(
            "--raw",
            rich_help_panel=RARE,
            help="Print each reply of a language model as it came, its reasoning, and what was made of it; for the "
            "operator alone.",
        ),
    ] = False,
    as_json: JsonLinesOption = False,
    store: StoreOption = None,
) -> None:
    """Print everything that happened in a game, oldest first.

    Turns, messages, notices and phases; docs/events.md describes them. Each line has the time at which it was
    committed, by the clock of this place, and the name of its moment, as `entente fork --at` takes it. Futures that
    were abandoned are left out. Everything is shown. While people play, without --power or --operator, it is what the
    only person's seat may know; what all may where several play, since nobody can say which of them types, or where a
    link opens the seat, whose person may sit elsewhere. But for the operator, a round of press is told when it is over.
    --raw prints what language models wrote instead, above all where nothing of it could be used.
    """
    from entente.cli.lines import event_line
    from entente.cli.log_work import Wanted, print_as_it_comes, read_events
    from entente.cli.output import columns_to_tell
    from entente.cli.raw_work import print_replies, refuse_beside_raw, replies_for
    from entente.cli.reader_work import Asked, with_reader

    if raw:
        refuse_beside_raw(
            {"--power": power, "--delay": delay, "--kind": kind, "--since": since, "--follow": follow}
        )
        replied = with_game(store, game, lambda s, g: replies_for(s, g, at, is_operator=operator))
        if as_json:
            print_json_lines(turn.plain() for turn in replied)
        else:
            print_replies(replied)
        return
    asked, wanted = Asked(power, delay, operator), Wanted.of(kind or [], at, since)
    if follow:
        with_reader(store, game, asked, lambda s, g, r: print_as_it_comes(s, g, r, wanted, as_json=as_json))
        return
    events = with_reader(store, game, asked, lambda s, g, r: read_events(s, g, r, wanted))
    if as_json:
        print_json_lines(event.model_dump(mode="json") for event in events)
        return
    if not events:
        echo("There is nothing to show.", err=True)
    columns = columns_to_tell()
    for event in events:
        echo(event_line(event, columns=columns))
