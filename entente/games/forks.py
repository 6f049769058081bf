"""Forks: a new game that goes on from any moment of another, which stays as it is.

At a turn (`S1903M.2.FRANCE`), that turn stands with those before it in the log, while the rest of the round is played
anew. Programs' turns are put under the step that is about to run; a person's answer ends its question, so that it is
put into the state, and those who answer later in the log are asked anew.

On the conductor's floor the log is in the order of the wakings, and a power has many: `S1903M.1.FRANCE.2` is its
second. Who is replaced by a person there has said what it said, since others have read it; it orders anew.
"""

from collections.abc import Iterable, Mapping, Sequence
from uuid import uuid4

from checkpoints.damage import missing
from checkpoints.ids import check_id
from checkpoints.store import Store
from checkpoints.tables import PROMPTS
from entente.board.types import Power
from entente.errors import NotBegun, UnknownMoment
from entente.floors.floor import floor_of
from entente.floors.keys import bound
from entente.floors.recorded import draw_votes, gives_orders, without_orders
from entente.floors.setup import resolve
from entente.games.runner import thread_config
from entente.games.segments import find_segments, state_before
from entente.games.standing import snapshot_of
from entente.models.sent import chain_at
from entente.models.wire import PromptPart, RawReply
from entente.players.moments import Moment
from entente.players.record import Segment, TurnRecord
from entente.players.roster import HUMAN
from entente.players.seating import PlayerFactory, players_of_process
from graph.context import GameSettings
from graph.game import GameGraph, graph_over
from graph.state import GameState, settings_of


async def fork_game(
    store: Store,
    game: str,
    at: str,
    seats: Mapping[Power, str],
    make_player: PlayerFactory | None = None,
    *,
    fork: str = "",
    max_year: int | None = None,
) -> str:
    """The new game's id, `fork` if that is given; it is not run. `max_year` is its last year, if that is another one.

    Raises UnknownGame, NotBegun, UnknownMoment, SettingsError, UntrustedGame, and then nothing was made.

    `make_player` knows the players of all seats, of those that are kept too. A fork is trusted if its game is.
    """
    moment = Moment.parse(at)
    make_player = make_player or players_of_process()
    graph = graph_over(store.saver)
    is_trusted = (await store.library.summary(game)).is_trusted
    snapshot = await snapshot_of(store, game)
    if "status" not in snapshot.values:
        raise NotBegun(f"Game {game} was opened and has not begun; nothing was forked.")
    segments = await find_segments(store, game, snapshot, moment)
    kept = await _turns_up_to(store, game, segments, moment) if moment.power else []
    answers = [turn for turn in kept if _is_answer(turn)]
    segment = _begin(segments, answers, moment)
    state = await state_before(store, game, segment)
    settings = _with_seats(settings_of(state), seats, make_player, is_trusted=is_trusted)
    settings = settings if max_year is None else settings.model_copy(update={"max_year": max_year})
    state = _answered(state, answers, settings)
    fork = check_id(fork) if fork else str(uuid4())
    async with store.library.creating(fork):
        await store.library.fork_rows(
            game,
            fork,
            head=state.get("history"),
            segments=state.get("segments", []),
            settings=state["settings"],
        )
        await graph.aupdate_state(thread_config(fork), state, as_node="summarize")
        stands = [turn for each in kept for turn in _as_it_stands(each, settings, state)]
        if stands:
            await _keep_turns(store, graph, fork, segment, stands)
        await store.journal.set_progress(fork, phase=state["phase"], status="paused")
    return fork


def _with_seats(
    settings: GameSettings, seats: Mapping[Power, str], make_player: PlayerFactory, *, is_trusted: bool
) -> GameSettings:
    away = {power: player for power, player in settings.away.items() if power not in seats}
    changed = bound(settings).model_copy(update={"seats": {**settings.seats, **seats}, "away": away})
    return resolve(changed, make_player, is_trusted=is_trusted)


async def _turns_up_to(
    store: Store, game: str, segments: Sequence[Segment], moment: Moment
) -> list[TurnRecord]:
    """The turns that the fork begins with as they were committed, the moment's the last of them; diaries come first."""
    line = [name for segment in segments for name in (segment.diaries.id, segment.id)]
    turns = await store.journal.turns(game, line)
    turns.sort(key=lambda turn: (turn.stage != "diary", turn.sequence))
    named = [place for place, turn in enumerate(turns) if _is_named(turn, moment)]
    if not named:
        missing = "such waking" if moment.wake else "turn"
        raise UnknownMoment(f"{moment.power} has no {missing} there, to go on after; nothing was forked.")
    return turns[: named[-1] + 1]


def _is_named(turn: TurnRecord, moment: Moment) -> bool:
    if turn.is_note or (turn.power, turn.stage) != (moment.power, moment.stage):
        return False
    return moment.wake is None or (turn.waking is not None and turn.waking.wake == moment.wake)


def _is_answer(turn: TurnRecord) -> bool:
    """True for what a person has said; on the conductor's floor its turns alone are no wakings."""
    return turn.player == HUMAN and turn.waking is None


def _begin(segments: Sequence[Segment], answers: Sequence[TurnRecord], moment: Moment) -> Segment:
    """The segment that is played first: press is over when people answer it, and orders are given at once."""
    if answers and moment.stage == "talk":
        return next(segment for segment in segments if segment.id == answers[0].segment)
    return segments[0]


def _answered(state: GameState, answers: Sequence[TurnRecord], settings: GameSettings) -> GameState:
    """The state in which these people have answered; whoever else was waited for is asked anew."""
    given = {turn.power: [*turn.orders] for turn in answers if turn.stage == "orders" or gives_orders(turn)}
    still = [power for power in state.get("waiting", []) if settings.seat(power) == HUMAN]
    others = [power for power in still if power not in {turn.power for turn in answers}]
    return {
        **state,
        "settings": settings.model_dump(mode="json"),
        # Where an answer is read at once, whoever else was asked is asked anew after it.
        "waiting": [] if floor_of(settings).reads_at_once or not answers else others,
        "segments": [*state.get("segments", []), *(turn.segment for turn in answers)],
        "orders": {**state.get("orders", {}), **given},
        "votes": {**state.get("votes", {}), **draw_votes(answers)},
    }


def _as_it_stands(turn: TurnRecord, settings: GameSettings, state: GameState) -> list[TurnRecord]:
    """What the fork keeps of a program's turn, and of a diary only for the model that folded it."""
    if turn.segment in state.get("segments", []):
        return []  # it was kept with the state
    player = settings.seat(turn.power)
    if turn.stage == "diary":
        return [turn] if player == turn.player else []
    if player != HUMAN:
        return [turn]
    return [without_orders(turn)] if turn.waking else []


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
    parts = await store.journal.prompt_parts(segment.game)
    for turn in kept:
        if turn.stage == "diary":
            await store.journal.open_segment(here.diaries)
        place = here.diaries.id if turn.stage == "diary" else here.id
        replies = tuple(_with_prompt(reply, segment.game, parts) for reply in turn.replies)
        copied = turn.model_copy(update={"game": fork, "segment": place, "replies": replies})
        await store.journal.commit_turn(copied)


def _with_prompt(reply: RawReply, game: str, parts: Mapping[str, PromptPart]) -> RawReply:
    """The reply with what was sent for it, for another game to keep; raises DamagedRow."""
    if reply.asked is None:
        return reply
    try:
        sent = chain_at(parts, reply.asked.prompt)
    except KeyError as error:
        raise missing(PROMPTS, game, str(error.args[0]), "a turn") from error
    return reply.model_copy(update={"asked": reply.asked.model_copy(update={"parts": sent})})
