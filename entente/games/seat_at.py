"""A seat at any moment of a game: what its power knew then, and who sat there. It reads alone, and asks nobody."""

from dataclasses import replace
from typing import NamedTuple, cast

from checkpoints.store import Store
from entente.errors import NotBegun, UnknownMoment
from entente.floors.floor import floor_in, floor_of
from entente.floors.seats import chairs_of
from entente.floors.table import lay_table
from entente.games.segments import find_segment, state_before
from entente.games.standing import snapshot_of
from entente.players.bundle import Bundle
from entente.players.moments import Moment
from entente.players.record import Segment
from entente.players.seating import Chair, SeatKind
from graph.context import GameSettings
from graph.state import GameState, board_of, settings_of


class SeatAt(NamedTuple):
    """A seat at one moment."""

    bundle: Bundle
    """What it was handed then, or would be handed now."""
    chair: Chair
    """Without budgets: what is asked outside the game is not held against them."""


async def seat_at(
    store: Store, game: str, power_name: str, at: str | None = None, *, as_model: bool = False
) -> SeatAt:
    """The seat before the round or the orders at that moment; now when `at` is None.

    `as_model` gives it the bundle that a language model would have there, whoever plays it. Raises UnknownPower,
    UnknownMoment, UntrustedGame, NotBegun.
    """
    state, segment = await _stand_at(store, game, at)
    power = board_of(state).check_power(power_name)
    # Before an earlier moment the seat knew nothing of what was then said at it.
    kept = [] if at else await store.journal.turns(game, [segment.diaries.id, segment.id])
    settings = settings_of(state)
    floor = floor_of(settings)
    seated = _with_model(settings, power) if as_model else settings
    table = await lay_table(store.journal, state, segment, kept, floor.rules(seated, board_of(state)))
    is_trusted = (await store.library.summary(game)).is_trusted
    chair = replace(chairs_of(settings, [power], game, is_trusted=is_trusted)[power], budgets=())
    return SeatAt(floor.bundle(table, power), chair)


def _with_model(settings: GameSettings, power: str) -> GameSettings:
    """The settings with a language model in the seat; nobody calls it."""
    if SeatKind.MODEL is Chair(power, settings.seat(power)).kind:
        return settings
    return settings.model_copy(update={"seats": {**settings.seats, power: "openai:nobody"}})


async def _stand_at(store: Store, game: str, at: str | None) -> tuple[GameState, Segment]:
    """The state, and what was or would be played from it."""
    snapshot = await snapshot_of(store, game)
    if "status" not in snapshot.values:
        raise NotBegun(f"Game {game} was opened and has not begun.")
    if at is None:
        state = cast("GameState", snapshot.values)
        return state, _next_segment(game, state, next((task.id for task in snapshot.tasks), ""))
    moment = Moment.parse(at)
    if moment.power is not None:
        raise UnknownMoment(
            f"A phase, a round or orders was wanted, such as S1903M.2, and {at} came; nothing was done."
        )
    segment = await find_segment(store, game, snapshot, moment)
    return await state_before(store, game, segment), segment


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
