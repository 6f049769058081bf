"""A person's turn while the person is away: a scripted player answers what is asked of its seat."""

from entente.board.orders import read_orders
from entente.floors.asking import SeatTask
from entente.floors.floor import floor_of
from entente.floors.notices import with_ignored_statements, with_stand_in
from entente.floors.recorded import said_by
from entente.floors.recording import seat_record
from entente.floors.table import Table, lay_table
from entente.floors.task import Task
from entente.floors.waking import orders_bundle
from entente.players.actions import order_lines
from entente.players.record import Segment, TurnRecord
from entente.players.roster import make_player
from graph.state import board_from


async def turn_of_stand_in(task: Task, question: SeatTask, segment: Segment, name: str) -> TurnRecord:
    """What the scripted player of this name says in the person's place, not yet committed.

    It is handed what any program in that seat would be handed now; the record says who took the turn and for whom.
    """
    table, power = await _table(task, segment), question["power"]
    player, bundle = make_player(name), floor_of(table.settings).bundle(table, power)
    actions = [*(await player.take_turn(bundle)).actions]
    said = said_by(power, table.earlier)
    if bundle.is_open and power in table.board.to_order:
        # It gives orders when it is asked for them, and at no other time.
        spoken = seat_record(segment, question, actions, read_orders(table.board, power, ()), said)
        actions += (await player.take_turn(orders_bundle(table, bundle, spoken))).actions
    reading = read_orders(board_from(question["board"]), power, order_lines(actions))
    record = seat_record(segment, question, actions, reading, said)
    record = with_ignored_statements(record, bundle.ledger, bundle.board)
    return with_stand_in(record, name, f"{power}: {name} stands in for its person, who is away.")


async def _table(task: Task, segment: Segment) -> Table:
    state = await task.state()
    board = board_from(state["board"])
    rules = floor_of(task.settings).rules(task.settings, board)
    return await lay_table(task.journal, state, segment, [], rules, task.settings)
