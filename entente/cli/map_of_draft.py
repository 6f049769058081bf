"""`/map`: the board with the orders that are being written, drawn for whoever writes them."""

import asyncio
from pathlib import Path

from entente.board.orders import read_orders
from entente.board.render import board_svg
from entente.board.types import OrderResult, Outcome
from entente.cli.drafts import Messages, MessagesAndOrders, Orders
from entente.cli.pictures import map_of_seat, show_picture, write_picture
from entente.cli.situation import Situation


async def draw_map(situation: Situation, draft: Messages | Orders | MessagesAndOrders) -> str:
    """Write the picture to the seat's own file and open it where there is a screen; where it is, in a sentence."""
    power, board = situation.seat.power, situation.board
    reading = read_orders(board, power, _lines(draft))
    drawn = [OrderResult(power, order, (Outcome.SUCCEEDED,), "") for order in reading.orders]
    path = map_of_seat(situation.store.location, situation.standing.game, power)
    try:
        await asyncio.to_thread(_draw, path, board_svg(board, drawn))
    except OSError as error:
        return f"  The map could not be written to {path} ({error.strerror})."
    return f"  Map: {path}"


def _lines(draft: Messages | Orders | MessagesAndOrders) -> list[str]:
    match draft:
        case Messages():
            return []
        case Orders(lines=lines):
            return lines
        case MessagesAndOrders(orders=orders, given=given):
            return orders.lines or [*(given or ())]


def _draw(path: Path, svg: str) -> None:
    write_picture(path, svg)
    show_picture(path)
