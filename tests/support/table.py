"""A table without a graph: bundles, and whole games played straight over the board.

The rule of the mail is the game's own: what is sent in a round is read from the next round on,
and what is sent in the last one is read before orders are given. Whoever breaks the protocol
(an illegal order, a message in gunboat) is refused here and counted in `Game.faults`.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from pydantic import JsonValue

from entente.board.engine import Board, load_geography
from entente.board.types import Adjudication, Order, OrderResult, Phase, Power
from entente.floors.past_press import PhasePress
from entente.players.actions import Action, SendMessage, SubmitOrders, UpdateMemory, VoteDraw
from entente.players.bundle import Bundle, GameRules, JudgedPhase, PastPress
from entente.players.protocol import Player
from entente.press.ledger import Ledger
from entente.press.messages import Message
from tests.support.turns import own_turn

MAX_PHASES = 400


@dataclass
class Game:
    """A game while it is played, and what remains of it."""

    board: Board
    seed: str
    memories: dict[Power, dict[str, JsonValue]]
    messages: list[Message] = field(default_factory=list[Message])
    adjudications: list[Adjudication] = field(default_factory=list[Adjudication])
    faults: list[str] = field(default_factory=list[str])
    votes: dict[Power, bool] = field(default_factory=dict[Power, bool])
    actions: list[tuple[str, int, Power, tuple[Action, ...]]] = field(
        default_factory=list[tuple[str, int, Power, tuple[Action, ...]]]
    )
    """Every turn: phase, round, power and what it did."""
    phase_memories: dict[Power, dict[str, JsonValue]] = field(
        default_factory=dict[Power, dict[str, JsonValue]]
    )
    """The memories as they stood when the phase began."""
    ledger: Ledger = field(default_factory=Ledger)
    """Everybody's commitments when the phase began."""
    press: list[PhasePress] = field(default_factory=list[PhasePress])
    """What was said in each movement phase that was judged."""

    @property
    def last_movement(self) -> Adjudication | None:
        """The latest movement phase that was judged."""
        return next((a for a in reversed(self.adjudications) if a.before.phase.is_movement), None)

    @property
    def soloist(self) -> Power | None:
        """The power that owns enough centers to win alone."""
        needed = self.board.geography.victory_centers
        return next((p for p, c in self.board.position.centers.items() if len(c) >= needed), None)

    @property
    def is_drawn(self) -> bool:
        """True when all who are still in the game have voted to end it."""
        return all(self.votes.get(power, False) for power in self.board.survivors)

    def phase_mail(self) -> list[Message]:
        """The current phase's messages, oldest first."""
        now = str(self.board.phase)
        return [m for m in self.messages if m.phase == now]


def new_game(map_name: str = "standard", seed: str = "test") -> Game:
    """A game at its start."""
    board = Board.start(map_name)
    return Game(board, seed, {power: {} for power in board.powers})


def board_at(
    phase: str,
    units: Mapping[Power, Sequence[str]],
    centers: Mapping[Power, Sequence[str]] | None = None,
    dislodged: Mapping[Power, Mapping[str, Sequence[str]]] | None = None,
    map_name: str = "standard",
) -> Board:
    """A position made by hand; powers that are left out have nothing."""
    powers = load_geography(map_name).powers
    return Board.restore(
        {
            "map": map_name,
            "phase": phase,
            "units": {p: list(units.get(p, ())) for p in powers},
            "dislodged": {p: {u: list(to) for u, to in d.items()} for p, d in (dislodged or {}).items()},
            "centers": {p: list((centers or {}).get(p, ())) for p in powers},
            "influence": {p: [] for p in powers},
        }
    )


def western_war() -> Board:
    """France between Germany and Italy, on a board of its own for each call: what is found out is kept with a board."""
    return board_at(
        "F1904M",
        {
            "FRANCE": ["A BUR", "A PIC", "A GAS", "F ENG", "F MAO"],
            "GERMANY": ["A BEL", "A MUN", "A RUH", "F NTH"],
            "ITALY": ["A PIE", "F WES", "F TYS"],
        },
        {
            "FRANCE": ["PAR", "BRE", "MAR", "SPA", "POR"],
            "GERMANY": ["BEL", "HOL", "MUN", "BER"],
            "ITALY": ["ROM", "VEN", "NAP"],
        },
    )


def make_bundle(
    board: Board,
    power: Power,
    *,
    seed: str = "test",
    round: int = 0,  # noqa: A002 - the bundle's own word
    rounds_total: int = 3,
    inbox: Sequence[Message] = (),
    sent: Sequence[Message] = (),
    last_movement: Sequence[OrderResult] = (),
    last_movement_phase: str = "",
    memory: Mapping[str, JsonValue] | None = None,
    press: bool = True,
    ledger: Ledger | None = None,
) -> Bundle:
    """A bundle as the game would make it, everything left out being empty; `ledger` is from before the phase."""
    others = tuple(p for p in board.survivors if p != power)
    before = ledger or Ledger()
    return Bundle(
        power=power,
        board=board,
        seed=f"{seed}:{board.phase}:{round}:{power}",
        round=round,
        rounds_total=rounds_total if press else 0,
        inbox=tuple(inbox),
        sent=tuple(sent),
        last_movement=tuple(last_movement),
        last_movement_phase=last_movement_phase,
        ledger=ledger_with(before, [*inbox, *sent], board).seen_by(power),
        phase_ledger=before.seen_by(power),
        memory=dict(memory or {}),
        press_allowed=others if press else (),
        rules=GameRules(talk="rounds" if press else "none"),
    )


def ledger_with(ledger: Ledger, messages: Sequence[Message], board: Board) -> Ledger:
    """The ledger with what was said in these messages of the board's phase, round by round."""
    for number in sorted({message.round for message in messages}):
        ledger = ledger.after_messages([m for m in messages if m.round == number], board)
    return ledger


def game_bundle(game: Game, power: Power, *, round: int, rounds_total: int) -> Bundle:  # noqa: A002 - as above
    """The power's view of a game at a moment of its current phase."""
    past, now, said = game.last_movement, str(game.board.phase), game.phase_mail()
    mail = [m for m in said if round == 0 or m.round < round]
    bundle = make_bundle(
        game.board,
        power,
        seed=game.seed,
        round=round,
        rounds_total=rounds_total,
        inbox=[m for m in mail if m.recipient == power],
        sent=[m for m in said if m.sender == power],
        last_movement=past.results if past else (),
        last_movement_phase=str(past.before.phase) if past else "",
        memory=game.memories[power],
        press=rounds_total > 0,
        ledger=game.ledger,
    )
    return replace(
        bundle,
        phase_memory=game.phase_memories.get(power),
        earlier=tuple(
            own_turn(game.board, power, number, *actions)
            for phase, number, who, actions in game.actions
            if (phase, who) == (now, power)
        ),
        previous=game.adjudications[-1].before if game.adjudications else None,
        press=_press(game, power),
        last_movement_position=game.last_movement.before if game.last_movement else None,
        since_movement=tuple(_since_movement(game)),
    )


def _since_movement(game: Game) -> list[JudgedPhase]:
    found: list[JudgedPhase] = []
    for judged in reversed(game.adjudications):
        if judged.before.phase.is_movement:
            break
        found.insert(0, JudgedPhase(str(judged.before.phase), judged.results))
    return found


def _press(game: Game, power: Power) -> tuple[PastPress, ...]:
    first = game.board.phase.year - 2
    return tuple(past.seen_by(power) for past in game.press if past.phase.year >= first)


def past_press(*messages: Message, ledger: Ledger | None = None) -> PastPress:
    """The press of a phase whose messages, all of them its reader's to read, these are."""
    known = ledger or Ledger()
    return PastPress(Phase.parse(messages[0].phase), messages, (*known.open, *known.ended))


async def talk(game: Game, players: Mapping[Power, Player], rounds: int) -> None:
    """All rounds of negotiation of a movement phase."""
    for number in range(1, rounds + 1):
        bundles = {p: game_bundle(game, p, round=number, rounds_total=rounds) for p in game.board.survivors}
        for power, bundle in bundles.items():
            await _turn(game, power, players[power], bundle)


async def play_phase(game: Game, players: Mapping[Power, Player], rounds: int = 0) -> Adjudication:
    """Talk (in movement phases), orders and judgement of the current phase."""
    game.phase_memories = {power: dict(memory) for power, memory in game.memories.items()}
    if game.board.phase.is_movement:
        await talk(game, players, rounds)
    orders: dict[Power, Sequence[Order]] = {}
    for power in game.board.to_order:
        bundle = game_bundle(game, power, round=0, rounds_total=rounds)
        orders[power] = await _turn(game, power, players[power], bundle)
    judged = game.board.adjudicate(orders)
    if game.board.phase.is_movement:
        said = ledger_with(game.ledger, game.phase_mail(), game.board)
        game.ledger = said.after_phase(game.board, judged.results)
        game.press.append(PhasePress(game.board.phase, tuple(game.phase_mail()), game.ledger))
    game.adjudications.append(judged)
    game.board = Board(judged.after)
    return judged


async def play(game: Game, players: Mapping[Power, Player], *, years: int, rounds: int = 0) -> Game:
    """Play for so many game years, or until somebody wins alone or all vote for a draw."""
    last_year = game.board.geography.first_phase.year + years - 1
    for _ in range(MAX_PHASES):
        if game.soloist or game.is_drawn or game.board.phase.year > last_year:
            break
        await play_phase(game, players, rounds)
    return game


async def _turn(game: Game, power: Power, player: Player, bundle: Bundle) -> tuple[Order, ...]:
    actions = tuple((await player.take_turn(bundle)).actions)
    game.actions.append((str(game.board.phase), bundle.round, power, actions))
    orders: tuple[Order, ...] = ()
    for action in actions:
        match action:
            case SendMessage():
                _deliver(game, bundle, action)
            case SubmitOrders():
                orders = _read(game, bundle, action.orders)
            case UpdateMemory():
                _remember(game.memories[power], action)
            case VoteDraw():
                game.votes[power] = action.yes
    return orders


def _remember(memory: dict[str, JsonValue], action: UpdateMemory) -> None:
    if action.value is None:
        memory.pop(action.key, None)
    else:
        memory[action.key] = action.value


def _deliver(game: Game, bundle: Bundle, action: SendMessage) -> None:
    if bundle.wants_orders or action.recipient not in bundle.press_allowed:
        game.faults.append(f"{bundle.power} may not write to {action.recipient} in {bundle.board.phase}")
        return
    phase = str(bundle.board.phase)
    mine = [m for m in game.messages if (m.phase, m.round, m.sender) == (phase, bundle.round, bundle.power)]
    game.messages.append(
        Message(
            id=f"{phase}.{bundle.round}.{bundle.power}.{len(mine)}",
            phase=phase,
            round=bundle.round,
            sender=bundle.power,
            recipient=action.recipient,
            message_type=action.message_type,
            content=action.content,
            commitments=action.commitments,
            reply_to=action.reply_to,
        )
    )


def _read(game: Game, bundle: Bundle, lines: Sequence[str]) -> tuple[Order, ...]:
    legal = {str(o): o for options in bundle.board.legal_orders[bundle.power].values() for o in options}
    for line in lines:
        if not bundle.wants_orders or line not in legal:
            game.faults.append(f"{bundle.power} may not order {line} in {bundle.board.phase}")
    return tuple(legal[line] for line in lines if line in legal and bundle.wants_orders)


def without_press(bundle: Bundle) -> Bundle:
    """The same moment in a game where nobody may write."""
    return replace(bundle, press_allowed=(), rounds_total=0, inbox=(), sent=())
