"""Forks: a new game that goes on from any moment of another, which stays as it is.

At a player's turn (`S1903M.2.FRANCE`), that turn stands with those before it in the log, while the rest of the
round is played anew. People are asked anew for the round or orders in which the fork begins.

On the conductor's floor the log is in the order of the wakings, and a power has many: `S1903M.1.FRANCE.2` is its
second. Who is replaced by a person there has said what it said, since others have read it; it orders anew.
"""

from collections.abc import Iterable, Mapping
from uuid import uuid4

from checkpoints.store import Store
from entente.board.types import Power
from entente.errors import UnknownMoment
from entente.players.record import Segment, TurnRecord
from entente.players.roster import HUMAN
from graph.context import GameSettings, resolve
from graph.game import GameGraph, compile_game
from graph.master import thread_config
from graph.moments import Moment, find_segment, state_before
from graph.state import settings_of
from nodes.recording import without_orders
from nodes.services import make_player, services_over


async def fork_game(store: Store, game: str, at: str, seats: Mapping[Power, str]) -> str:
    """The new game's id; it is not run. Raises UnknownMoment, SettingsError, and then nothing was made."""
    moment = Moment.parse(at)
    graph = compile_game(services_over(store), store.saver)
    snapshot = await graph.aget_state(thread_config(game))
    segment = await find_segment(store, game, snapshot, moment)
    kept = await _turns_up_to(store, game, segment, moment) if moment.power else []
    state = await state_before(store, graph, game, segment)
    settings = _with_seats(settings_of(state), seats)
    chosen = settings.model_dump(mode="json")
    fork = str(uuid4())
    async with store.library.creating(fork):
        await store.library.fork_rows(
            game, fork, head=state.get("history"), segments=state.get("segments", []), settings=chosen
        )
        await graph.aupdate_state(
            thread_config(fork), {**state, "settings": chosen, "waiting": []}, as_node="summarize"
        )
        stands = [turn for each in kept for turn in _as_it_stands(each, settings)]
        await _keep_turns(store, graph, fork, segment, stands)
        await store.journal.set_progress(fork, phase=state["phase"], status="paused")
    return fork


def _with_seats(settings: GameSettings, seats: Mapping[Power, str]) -> GameSettings:
    return resolve(settings.model_copy(update={"seats": {**settings.seats, **seats}}), make_player)


def _as_it_stands(turn: TurnRecord, settings: GameSettings) -> list[TurnRecord]:
    """What the fork keeps of a turn: a program's, and a diary only for the model that folded it."""
    player = settings.seat(turn.power)
    if turn.stage == "diary":
        return [turn] if player == turn.player else []
    if player != HUMAN:
        return [turn]
    return [without_orders(turn)] if turn.waking else []


async def _turns_up_to(store: Store, game: str, segment: Segment, moment: Moment) -> list[TurnRecord]:
    """The turns that the fork begins with, the moment's the last of them, behind the diaries folded beside them."""
    turns = await store.journal.turns(game, [segment.id])
    named = [
        place
        for place, turn in enumerate(turns)
        if turn.power == moment.power and moment.wake in (None, _wake_of(turn))
    ]
    if not named:
        missing = "such waking" if moment.wake else "turn of a program's"
        raise UnknownMoment(f"{moment.power} has no {missing} there, to go on after; nothing was forked.")
    diaries = await store.journal.turns(game, [segment.diaries.id])
    return [*diaries, *turns[: named[-1] + 1]]


def _wake_of(turn: TurnRecord) -> int | None:
    return turn.round if turn.waking else None


async def _keep_turns(
    store: Store, graph: GameGraph, fork: str, segment: Segment, kept: Iterable[TurnRecord]
) -> None:
    """Put the turns under the task that is about to run, which then finds them as if it had been resumed."""
    snapshot = await graph.aget_state(thread_config(fork))
    node = "order" if segment.stage == "orders" else "negotiate"
    task = next(task for task in snapshot.tasks if task.name == node)
    checkpoint = snapshot.config.get("configurable", {})["checkpoint_id"]
    here = segment.model_copy(update={"game": fork, "id": task.id, "checkpoint": checkpoint})
    await store.journal.open_segment(here)
    for turn in kept:
        if turn.stage == "diary":
            await store.journal.open_segment(here.diaries)
        place = here.diaries.id if turn.stage == "diary" else here.id
        await store.journal.commit_turn(turn.model_copy(update={"game": fork, "segment": place}))
