"""A game whose checkpoints are lost or damaged, made to go on from its journal, with no turn taken again.

The journal has the whole game: the phases tell the board, memories, costs and history; the turns of the phase in play
tell what was said and ordered in it. The state is rebuilt as it stood before the last step that programs were asked in.
Its `resumes` name the checkpoints of that step and of those after it, so that what was kept of them is found again.
"""

# LangGraph leaves a type parameter of its own methods open; what goes through them is typed by us.
# pyright: reportUnknownMemberType=false

from collections.abc import Iterable, Sequence
from itertools import groupby
from typing import Any, cast

from checkpoints.damage import missing
from checkpoints.selfcheck import check_game
from checkpoints.store import Store
from checkpoints.tables import CHECKPOINTS, PHASES, THREAD
from entente.board.engine import Board
from entente.board.types import Order, Power, parse_order
from entente.errors import DamagedRow
from entente.floors.floor import Floor, floor_of
from entente.floors.recorded import draw_votes, gives_orders
from entente.games.runner import standing_of, thread_config
from entente.games.selfcheck import check_line
from entente.players.record import PhaseRecord, Segment, TurnRecord
from graph.context import GameSettings
from graph.game import graph_over
from graph.state import GameState, board_from
from nodes.open_game import opening
from nodes.summarize import summary_of

_OF_CHECKPOINTS = {table.name for table in THREAD}
_ALL = 2**31
"""More turns and phases than a game can have."""
_LISTS = ("resumes", "segments")
_TABLES = ("orders", "votes", "memories", "spent", "learned")


async def repair_game(store: Store, game: str) -> str | None:
    """The phase from which the game goes on, rebuilt from its journal; None where there was nothing to rebuild.

    Where only the list does not know how the game stands, it is told by the game's state. If not, all its checkpoints
    are replaced by one, so that it cannot be forked at earlier moments any more. A lease that no run can have taken is
    removed. Raises GameHeld, and DamagedRow for what cannot be made good again: a journal that cannot be read.
    """
    async with store.leases.hold_anew(game, despite_damage=True):
        try:
            await standing_of(store, game)
        except DamagedRow as error:
            if error.table not in _OF_CHECKPOINTS:
                raise
        else:
            return await _listed_anew(store, game)
        state = await _rebuilt(store, game)
        await store.saver.adelete_thread(game)
        await graph_over(store.saver).aupdate_state(thread_config(game), state, as_node="summarize")
        status = "finished" if state["status"] == "finished" else "paused"
        await store.journal.set_progress(game, phase=state["phase"], status=status)
        return state["phase"]


async def _listed_anew(store: Store, game: str) -> str | None:
    """The phase in which the game stands, once its row in the list says so again; None where it has always said so."""
    try:
        await store.journal.settings(game)
    except DamagedRow:
        standing = await standing_of(store, game)
        phase = standing.state.get("phase", "")
        await store.journal.set_progress(game, phase=phase, status=standing.end.value)
        await store.journal.settings(game)  # whatever else is wrong with the row stays so
        return phase
    return None


async def left_over(store: Store, game: str) -> list[DamagedRow]:
    """What is still wrong with the game."""
    rows = await store.library.database.read(lambda connection: check_game(connection, game))
    return [*{str(error): error for error in (*rows, *await check_line(store, game))}.values()]


async def _rebuilt(store: Store, game: str) -> GameState:
    settings = await store.library.settings(game)
    records = (await store.journal.records_after(game, 0, _ALL)).records
    phases = [record for record in records if isinstance(record, PhaseRecord)]
    opened = await store.journal.segments(game)
    if not opened and not phases:
        raise missing(
            CHECKPOINTS, game, "", "nothing was played after it: the journal is empty, and the game"
        )
    line = await store.journal.phases(game, _head(phases, (await store.library.glance(game)).phase))
    state = cast("GameState", _cleared(opening(settings, Board.start(settings.map_name))))
    after = [*(board_from(record.board) for record in line[1:]), *(map(_board_after, line[-1:]))]
    for record, board in zip(line, after, strict=True):
        state = _after_phase(state, record, board, await store.journal.turns_of(record))
    adjudicated = {segment for record in phases for segment in record.segments}
    now = [each for each in opened if each.phase == state["phase"] and each.id not in adjudicated]
    done, again = _split(now)
    turns = await store.journal.turns(game, [segment.id for segment in done])
    return _in_play(state, settings, done, again, sorted(turns, key=lambda turn: turn.sequence))


def _head(phases: Sequence[PhaseRecord], stands_in: str) -> str | None:
    """The phase before the one in play: the latest, unless the game was taken back to one that was played before."""
    again = [record for record in phases if record.phase == stands_in]
    if again:
        return again[-1].parent
    return phases[-1].id if phases else None


def _board_after(record: PhaseRecord) -> Board:
    """The board to which the phase led; raises DamagedRow where the record does not say so."""
    orders: dict[Power, list[Order]] = {}
    for result in record.results:
        if not result.is_default:
            orders.setdefault(result.power, []).append(parse_order(result.order))
    adjudication = board_from(record.board).adjudicate(orders)
    if {(each.power, str(each.order)) for each in adjudication.results} != {
        (each.power, each.order) for each in record.results
    }:
        raise DamagedRow(record.game, PHASES.name, record.id, "its results do not follow from its orders")
    return Board(adjudication.after)


def _after_phase(
    state: GameState, played: PhaseRecord, board: Board, turns: Sequence[TurnRecord]
) -> GameState:
    """The state after the phase, from the state before it."""
    before = board_from(played.board).position
    changed = before.centers != board.position.centers
    adjudicated = cast(
        "GameState",
        {
            **state,
            "board": board.snapshot(),
            "votes": draw_votes(turns),
            "history": played.id,
            "last_change_year": before.phase.year if changed else state["last_change_year"],
        },
    )
    summary = summary_of(adjudicated, played, turns)
    for name in ("memories", "spent", "learned"):
        summary[name] = {**state[name], **summary[name]}
    return cast("GameState", _cleared({**adjudicated, **summary}))


def _cleared(values: dict[str, Any]) -> dict[str, Any]:
    """The state as its reducers leave it: what None clears is empty."""
    empty = {name: list[str]() for name in _LISTS} | {name: dict[str, Any]() for name in _TABLES}
    return values | {name: value for name, value in empty.items() if values.get(name) is None}


def _split(segments: Sequence[Segment]) -> tuple[list[Segment], list[Segment]]:
    """The segments of steps that are over, and those from the last step on in which programs were asked.

    Segments of one step have one checkpoint. People who are asked after a round have its number too.
    """
    steps = [list(step) for _, step in groupby(segments, key=lambda segment: segment.checkpoint)]
    last, rounds = 0, set[int]()
    for place, step in enumerate(steps):
        asked = [segment for segment in step if segment.stage != "diary"]
        if any(segment.stage == "orders" or segment.round not in rounds for segment in asked):
            last = place
        rounds |= {segment.round for segment in asked if segment.stage == "talk"}
    over = [segment for step in steps[:last] for segment in sorted(step, key=_diary_first)]
    return over, [segment for step in steps[last:] for segment in step]


def _diary_first(segment: Segment) -> bool:
    return segment.stage != "diary"


def _in_play(
    state: GameState,
    settings: GameSettings,
    done: Sequence[Segment],
    again: Sequence[Segment],
    turns: Iterable[TurnRecord],
) -> GameState:
    """The state with what was done in its phase so far; `turns` are those of the segments that are done."""
    floor, said = floor_of(settings), list(turns)
    ordered = (turn for turn in said if _orders_count(turn, floor))
    now = cast(
        "GameState",
        {
            **state,
            "round": max((segment.round for segment in done), default=0),
            "segments": [segment.id for segment in done],
            "orders": {turn.power: list(turn.orders) for turn in ordered},
            "votes": draw_votes(said),
            "resumes": [*dict.fromkeys(segment.checkpoint for segment in again)],
        },
    )
    if not any(segment.stage == "orders" for segment in again):
        return now
    closed: list[dict[str, Any]] = [{}, {"talk_over": True}, {"round": settings.rounds}]
    states = (cast("GameState", {**now, **each}) for each in closed)
    return next((each for each in states if not floor.is_open(each)), now)


def _orders_count(turn: TurnRecord, floor: Floor) -> bool:
    """True where the turn's orders are the state's; in talk on other floors they are drafts."""
    return turn.stage == "orders" or (floor.reads_at_once and gives_orders(turn))
