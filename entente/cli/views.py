"""`board`, `press` and `log`: reading a game, each as one reader may."""

from typing import Annotated

import typer

from checkpoints.store import Store
from entente.board.engine import Board
from entente.board.render import board_svg, board_text
from entente.board.types import Order, Phase, Power, parse_order
from entente.cli.options import GameArgument, JsonOption, StoreOption, print_json, with_game
from entente.errors import UnknownPhase
from entente.events import Event
from entente.players.projection import events_of, press_of
from entente.players.record import PhaseRecord, TurnRecord
from entente.press.mailbox import Reader
from entente.press.messages import BROADCAST, Message
from graph.line import records_on_line
from graph.master import GameMaster
from graph.state import GameState, board_from, board_of

PowerOption = Annotated[
    str | None,
    typer.Option("--power", metavar="POWER", help="Only what this power may see; PUBLIC for what all may."),
]


def board(
    game: GameArgument,
    at: Annotated[
        str | None,
        typer.Option("--at", metavar="PHASE", help="The position in which this phase was ordered."),
    ] = None,
    svg: Annotated[bool, typer.Option("--svg/--text", help="Print a map, or a table (the default).")] = False,
    as_json: JsonOption = False,
    store: StoreOption = None,
) -> None:
    """Show the board: now, or as it was when a phase was ordered, with its orders on the map."""
    position, played = with_game(store, game, lambda s, g: _board_at(s, g, at))
    if as_json:
        print_json({"board": position.snapshot(), "results": _results(played)})
    elif svg:
        typer.echo(board_svg(position, _orders(played)))
    else:
        typer.echo(board_text(position))
        for result in played.results if played else ():
            typer.echo(f"{result.power:<10} {result.order:<24} {result.reason or ', '.join(result.outcomes)}")


def press(
    game: GameArgument, power: PowerOption = None, as_json: JsonOption = False, store: StoreOption = None
) -> None:
    """Print the press of a game, oldest first."""
    messages = with_game(store, game, lambda s, g: _press(s, g, power))
    if as_json:
        print_json([message.model_dump(mode="json") for message in messages])
        return
    for message in messages:
        to = "all" if message.recipient == BROADCAST else message.recipient
        typer.echo(f"{message.phase}.{message.round} {message.sender} to {to}: {message.content}")


def log(
    game: GameArgument, power: PowerOption = None, as_json: JsonOption = False, store: StoreOption = None
) -> None:
    """Print everything that happened in a game, oldest first: turns, messages, notices, phases."""
    events = with_game(store, game, lambda s, g: _log(s, g, power))
    if as_json:
        print_json([event.model_dump(mode="json") for event in events])
        return
    for event in events:
        typer.echo(f"{event.phase} {event.kind.value:<8} {event.text}")


async def _board_at(store: Store, game: str, at: str | None) -> tuple[Board, PhaseRecord | None]:
    state = await _state(store, game)
    if at is None or (wanted := str(Phase.parse(at))) == state["phase"]:
        return board_of(state), None
    played = await store.journal.phases(game, state.get("history"))
    for record in played:
        if record.phase == wanted:
            return board_from(record.board), record
    first = played[0].phase if played else state["phase"]
    raise UnknownPhase(f"A phase from {first} to {state['phase']} was wanted and {wanted} was not played.")


async def _press(store: Store, game: str, power: str | None) -> list[Message]:
    state = await _state(store, game)
    reader = _reader(state, power)
    records = await records_on_line(store.journal, game, state)
    return press_of([record for record in records if isinstance(record, TurnRecord)], reader)


async def _log(store: Store, game: str, power: str | None) -> list[Event]:
    state = await _state(store, game)
    reader = _reader(state, power)
    records = await records_on_line(store.journal, game, state)
    return [event for record in records for event in events_of(record, reader)]


async def _state(store: Store, game: str) -> GameState:
    standing = await GameMaster(store).look(game)
    if not standing.has_begun:
        raise UnknownPhase("This game was opened and never begun; `entente resume` plays it.")
    return standing.state


def _reader(state: GameState, power: str | None) -> Reader:
    if power is None:
        return "OPERATOR"
    return "PUBLIC" if power.strip().upper() == "PUBLIC" else board_of(state).check_power(power)


def _orders(played: PhaseRecord | None) -> dict[Power, list[Order]] | None:
    if played is None:
        return None
    orders: dict[Power, list[Order]] = {}
    for result in played.results:
        orders.setdefault(result.power, []).append(parse_order(result.order))
    return orders


def _results(played: PhaseRecord | None) -> list[dict[str, object]]:
    return [result.model_dump(mode="json") for result in played.results] if played else []
