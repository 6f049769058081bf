"""Interviews: a seat's language model is asked a question at any moment of a game, which is not changed by it."""

from typing import cast

from checkpoints.store import Store
from entente.board.types import Power
from entente.errors import SettingsError, UnknownMoment, UnknownPhase
from entente.models.wire import ModelReply
from entente.players.bundle import Bundle
from entente.players.model.interview import ask
from entente.players.model.player import ModelPlayer
from entente.players.moments import Moment
from entente.players.record import Segment
from graph.edges import rounds_left
from graph.game import compile_game
from graph.master import thread_config
from graph.moments import find_segment, state_before
from graph.state import GameState, board_of
from nodes.bundles import Table, lay_table
from nodes.conductor import table_after, turns_so_far, waking_bundle
from nodes.services import PlayerFactory, services_over


async def interview(
    store: Store, make_player: PlayerFactory, game: str, power_name: str, question: str, at: str | None = None
) -> ModelReply:
    """The seat's answer, as it stood before the round or the orders at that moment; now when `at` is None.

    Nothing is written. Raises UnknownPower, UnknownMoment, ModelError, and SettingsError for a seat that no
    language model plays.
    """
    state, segment = await _stand_at(store, game, at)
    power = board_of(state).check_power(power_name)
    kept = await store.journal.turns(game, [segment.diaries.id, segment.id])
    table = await lay_table(store.journal, state, segment, kept)
    chair = table.settings.chair(power, ())
    player = make_player(chair) if chair.is_model else None
    if not isinstance(player, ModelPlayer):
        raise SettingsError(
            f"A seat of a language model was wanted and {power} is played by {chair.player}; nothing was asked."
        )
    return await ask(player, _bundle(table, power, is_now=at is None), question)


def _bundle(table: Table, power: Power, *, is_now: bool) -> Bundle:
    """What the seat would be handed next; on the conductor's floor it knows what was said until now, too."""
    if table.settings.floor != "conductor" or table.segment.stage != "talk":
        return table.bundle(power)
    stands = table_after(table, turns_so_far(table)) if is_now else table
    woken = sum(turn.power == power for turn in stands.earlier)
    return waking_bundle(stands, power, woken + 1)


async def _stand_at(store: Store, game: str, at: str | None) -> tuple[GameState, Segment]:
    """The state, and what was or would be played from it."""
    graph = compile_game(services_over(store), store.saver)
    snapshot = await graph.aget_state(thread_config(game))
    if "status" not in snapshot.values:
        raise UnknownPhase("The game was opened and never begun; nothing was asked.")
    if at is None:
        state = cast("GameState", snapshot.values)
        return state, _next_segment(game, state, next((task.id for task in snapshot.tasks), ""))
    moment = Moment.parse(at)
    if moment.power is not None:
        raise UnknownMoment(
            f"A phase, a round or orders was wanted, such as S1903M.2, and {at} came; nothing was asked."
        )
    segment = await find_segment(store, game, snapshot, moment)
    return await state_before(store, graph, game, segment), segment


def _next_segment(game: str, state: GameState, task: str) -> Segment:
    """What will be played next, or is under way in this task."""
    talks = rounds_left(state)
    return Segment(
        game=game,
        id=task,
        checkpoint="",
        phase=state["phase"],
        stage="talk" if talks else "orders",
        round=state["round"] + 1 if talks else 0,
    )
