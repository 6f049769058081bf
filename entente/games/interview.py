"""Interviews: a seat's language model is asked a question at any moment of a game, which is not changed by it."""

from dataclasses import replace
from typing import cast

from checkpoints.store import Store
from entente.errors import SettingsError, UnknownMoment, UnknownPhase
from entente.floors.floor import floor_in, floor_of
from entente.floors.seats import chairs_of
from entente.floors.services import services_over
from entente.floors.table import lay_table
from entente.games.runner import thread_config
from entente.games.segments import find_segment, state_before
from entente.models.wire import ModelReply
from entente.players.model.interview import ask
from entente.players.model.player import ModelPlayer
from entente.players.moments import Moment
from entente.players.record import Segment
from entente.players.seating import PlayerFactory, SeatKind
from graph.game import compile_game
from graph.state import GameState, board_of, settings_of


async def interview(
    store: Store, make_player: PlayerFactory, game: str, power_name: str, question: str, at: str | None = None
) -> ModelReply:
    """The seat's answer, as it stood before the round or the orders at that moment; now when `at` is None.

    Nothing is written. Raises UnknownPower, UnknownMoment, ModelError, UntrustedGame, and SettingsError for a seat that
    no language model plays.
    """
    state, segment = await _stand_at(store, make_player, game, at)
    power = board_of(state).check_power(power_name)
    # Before an earlier moment the seat knew nothing of what was then said at it.
    kept = [] if at else await store.journal.turns(game, [segment.diaries.id, segment.id])
    settings = settings_of(state)
    floor = floor_of(settings)
    table = await lay_table(store.journal, state, segment, kept, floor.rules(settings, board_of(state)))
    is_trusted = (await store.library.summary(game)).is_trusted
    chair = replace(chairs_of(settings, [power], game, is_trusted=is_trusted)[power], budgets=())
    player = make_player(chair) if chair.kind is SeatKind.MODEL else None
    if not isinstance(player, ModelPlayer):
        raise SettingsError(
            f"A seat of a language model was wanted and {power} is played by {chair.player}; nothing was asked."
        )
    return await ask(player, floor.bundle(table, power), question)


async def _stand_at(
    store: Store, make_player: PlayerFactory, game: str, at: str | None
) -> tuple[GameState, Segment]:
    """The state, and what was or would be played from it."""
    graph = compile_game(services_over(store, make_player), store.saver)
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
    talks = floor_in(state).is_open(state)
    return Segment(
        game=game,
        id=task,
        checkpoint="",
        phase=state["phase"],
        stage="talk" if talks else "orders",
        round=state["round"] + 1 if talks else 0,
    )
