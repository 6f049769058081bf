"""What the crew may know of a kept game, for one who listens."""

from itertools import pairwise

from checkpoints.store import Store
from entente.board.engine import Board
from entente.board.types import Adjudication, Phase
from entente.commentary.router import GamePhase, Voice
from entente.commentary.scene import Scene
from entente.errors import UnknownPhase
from entente.floors.floor import floor_in
from entente.games.reading import begun_state, press_for
from entente.games.roles import seat_of
from entente.games.standing import thread_config
from entente.players.record import Words, results_of
from entente.press.mailbox import Reader
from graph.state import GameState, board_from, board_of, settings_of

_OF_A_TALK = "turns_since_jester"
"""In a thread's state: what talks have and games have not."""
TELLERS: tuple[Voice, ...] = ("keeper", "narrator")
"""Who tells a phase that is over, as the router has it."""


async def scene_after(store: Store, game: str, at: str | None) -> Scene:
    """The table just after the phase was adjudicated, the latest one when `at` is None: the public record alone.

    Raises NotBegun, UnknownPhase.
    """
    state = await begun_state(store, game)
    played = await _played(store, game, state)
    phases = [str(each.before.phase) for each in played]
    if not phases:
        raise UnknownPhase(f"A phase that is over was wanted and game {game} has none yet; nothing was told.")
    wanted = phases[-1] if at is None else str(Phase.parse(at))
    if wanted not in phases:
        raise UnknownPhase(
            f"A phase that is over, from {phases[0]} to {phases[-1]}, was wanted and {wanted} came; nothing was told."
        )
    told = played[: phases.index(wanted) + 1]
    return Scene(Board(told[-1].after), GamePhase.COMBAT, tuple(told), seed=str(settings_of(state).seed))


async def scene_now(store: Store, game: str, reader: Reader, to: str = "") -> Scene:
    """The table as the reader, who is told of each phase at once, may see it now; raises NotBegun, UnknownPower."""
    return await scene_for(store, game, reader, (await begun_state(store, game))["phase"], to)


async def scene_for(store: Store, game: str, reader: Reader, phase: str, to: str = "") -> Scene:
    """The table as the reader may see it in the latest phase that it has been told of; `to` is whom it talks with.

    Raises NotBegun, UnknownPhase, UnknownPower.
    """
    state = await begun_state(store, game)
    played = await _played(store, game, state)
    boards = {str(each.before.phase): Board(each.before) for each in played} | {
        state["phase"]: board_of(state)
    }
    if phase not in boards:
        raise UnknownPhase(f"A phase of the game was wanted and {phase} came; nothing was told.")
    board, power, settings = boards[phase], seat_of(reader), settings_of(state)
    before = tuple(each for each in played if each.before.phase.sort_key < board.phase.sort_key)
    # People are asked after programs have played the round, which is open for them until they have answered.
    is_open = phase == state["phase"] and (floor_in(state).is_open(state) or bool(state["waiting"]))
    talking = GamePhase.DIALOGUE if to else GamePhase.EXPLORATION
    going_on = talking if is_open else GamePhase.COMBAT
    press = (await press_for(store, game, power)).messages if power else []
    return Scene(
        board=board,
        phase=going_on,
        played=before,
        power=power,
        to=board.check_power(to) if to else None,
        seed=str(settings.seed),
        leader=settings.leader(power) if power else None,
        press=[sent.message for sent in press if sent.message.phase == phase],
    )


async def kept_telling(store: Store, game: str, phase: str) -> list[Words]:
    """What was told of a phase of the game's line, as it was; empty where it was not told to its end."""
    state = await begun_state(store, game)
    history = {each.id for each in await store.journal.phases(game, state["history"]) if each.phase == phase}
    told = [each for each in await store.words.of(game) if not each.session and each.history in history]
    return told if TELLERS[-1] in {each.voice for each in told} else []


async def is_talk(store: Store, thread: str) -> bool:
    """True for a thread in which the crew was talked with."""
    kept = await store.saver.aget_tuple(thread_config(thread))
    return kept is not None and _OF_A_TALK in kept.checkpoint["channel_values"]


async def phase_before(store: Store, game: str, scene: Scene) -> str | None:
    """The id of the last phase that was over when the scene was; None before the first. Raises NotBegun."""
    before = store.journal.phases_back(game, (await begun_state(store, game))["history"])
    now = scene.board.phase.sort_key
    return await anext((each.id async for each in before if Phase.parse(each.phase).sort_key < now), None)


async def _played(store: Store, game: str, state: GameState) -> list[Adjudication]:
    """All phases of the game's line that are over, the earliest first."""
    records = await store.journal.phases(game, state["history"])
    boards = [*(board_from(record.board) for record in records), board_of(state)]
    return [
        Adjudication(before.position, results_of(record), after.position)
        for record, (before, after) in zip(records, pairwise(boards), strict=True)
    ]
