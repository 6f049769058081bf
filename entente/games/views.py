"""What each reader is shown of a game, as values: cut from the house's views of events and seats alone."""

import os
import platform
from collections.abc import Sequence

from pydantic import BaseModel, JsonValue, computed_field

from checkpoints.drafts import SeatDraft
from checkpoints.lease import Holder
from checkpoints.store import Store
from entente.board.types import Power
from entente.display import displayable
from entente.errors import UnknownPhase
from entente.events import Event, EventKind
from entente.floors.recorded import draw_votes, gives_orders
from entente.floors.seat_view import SeatView
from entente.games.early import question_for
from entente.games.endings import end_sentence
from entente.games.horizon import Seen
from entente.games.line import phases_on_line
from entente.games.reading import begun_state, board_at
from entente.games.roles import OPERATOR, seat_of
from entente.games.runner import RunEnd, Standing
from entente.players.record import ResultRecord, TurnRecord
from entente.press.commitments import Commitment, Status
from entente.press.mailbox import Delayed, Reader
from graph.state import board_from, board_of

PLAYING = "playing"


class Told(BaseModel):
    """One event as a stream tells it: the house's, without its number in the order of commits."""

    id: str
    at: float | None
    kind: EventKind
    phase: str
    moment: str
    power: Power | None
    text: str
    data: dict[str, JsonValue]

    @classmethod
    def of(cls, event: Event) -> "Told":
        """The event as its reader is told it."""
        return cls.model_validate(event.model_dump(exclude={"sequence"}))


class Given(BaseModel):
    """What the reader's seat has sent for the phase in play."""

    orders: list[str] | None = None
    """Canonical; None while it has sent none."""
    draw: bool | None = None
    """Its latest vote on ending the game in a draw; None while it has cast none."""


class Question(BaseModel):
    """What a seat is asked."""

    id: str
    """To be sent with the answer: an answer to another question is refused."""
    is_early: bool = False
    """True while others think: an answer is kept, and taken as soon as the game can."""
    view: SeatView
    draft: SeatDraft = SeatDraft()
    """What was typed for the phase and not sent."""


class Outcome(BaseModel):
    """How a game ended."""

    kind: str
    winners: list[Power]
    phase: str

    @computed_field
    @property
    def text(self) -> str:
        """All of it in a sentence."""
        return end_sentence(self.kind, self.winners, self.phase)


class GameView(BaseModel):
    """How a game stands, as far as the reader may know."""

    game: str
    map_name: str
    phase: str
    """The phase in play, or the first of which the reader is not told yet; empty before the game has begun."""
    phases: list[str]
    """Those that the reader has been told of, oldest first."""
    status: str
    """`playing`, `waiting` for people, `paused` or `finished`; the delayed public is told `playing` until the end."""
    outcome: Outcome | None = None
    closes_at: float | None = None
    """When the phase is closed without those who have not ordered, in seconds since 1970, UTC."""
    question: str | None = None
    """The id of what the reader's seat is asked; None while it is asked nothing."""
    given: Given | None = None
    """None for who has no seat, and when the game is over."""
    seats: dict[Power, str] | None = None
    """Who plays which power; the operator's to know."""
    waiting_for: list[Power] | None = None
    """People who have not answered; the operator's to know."""
    away: dict[Power, str] | None = None
    """Who stands in for people who are away: of all seats for the operator, of its own for a seat; None for others."""
    played_by: str | None = None
    """Which process plays it, in words; the operator's to know. None while nobody does."""


class BoardView(BaseModel):
    """The position in which a phase was ordered, or is."""

    board: dict[str, JsonValue]
    """`Board.snapshot()`."""
    results: list[ResultRecord] | None = None
    """All orders and what became of them; None while the phase is in play."""


class CenterCount(BaseModel):
    """How many supply centers each power had when a phase began."""

    phase: str
    centers: dict[Power, int]


class CommitmentLine(BaseModel):
    """A commitment as its reader may know of it (docs/commitments.md)."""

    parties: tuple[Power, Power]
    """Who spoke of it first, and to whom: a power, or `BROADCAST`."""
    what: str
    """`support by GERMANY to FRANCE in F1901M, A MUN S A PAR - BUR`."""
    status: Status
    outcome: str
    """`broken by ITALY in F1901M (A VEN - TRI)`."""
    made: str
    """The phase in which it was first spoken of."""
    ended: str | None
    """The phase in which it ended; None while it is open."""

    @classmethod
    def of(cls, commitment: Commitment) -> "CommitmentLine":
        """The commitment as it is told; the id of the message to answer, which models are told, is left out."""
        is_proposed = commitment.status is Status.PROPOSED
        by = " and ".join(commitment.proposers)
        return cls(
            parties=commitment.parties,
            what=commitment.what,
            status=commitment.status,
            outcome=f"proposed by {by}" if is_proposed else commitment.outcome,
            made=str(commitment.made),
            ended=str(commitment.ended) if commitment.ended else None,
        )


async def game_view(
    store: Store, seen: Seen, reader: Reader, phases: list[str], own: Sequence[TurnRecord]
) -> GameView:
    """How a game that was seen stands for the reader, who has been told of these phases.

    `own` are the turns of the reader's seat, as they were committed; none for who has no seat.
    """
    summary, settings, standing = seen.summary, seen.settings, seen.standing
    is_over = standing.end is RunEnd.FINISHED
    view = GameView(
        game=standing.game,
        map_name=settings.map_name,
        phase=await _first_untold(store, standing, phases) if standing.has_begun else "",
        phases=phases,
        status=_status(standing, is_held=summary.held_by is not None),
    )
    if is_over:
        view.outcome = Outcome.model_validate(standing.state["outcome"])
    if isinstance(reader, Delayed):
        view.status = RunEnd.FINISHED.value if is_over else PLAYING
        return view
    view.closes_at = standing.until
    if power := seat_of(reader):
        view.away = {each: name for each, name in settings.away.items() if each == power}
    if reader == OPERATOR:
        view.away = settings.away
        view.seats = settings.seats
        view.waiting_for = [seat.power for seat in standing.pending]
        view.played_by = holder_text(summary.held_by)
    if (power := seat_of(reader)) and not is_over:
        view.given = _given(standing, power, own)
    view.question = question.id if (question := await question_of(store, standing, reader)) else None
    return view


def holder_text(holder: Holder | None) -> str | None:
    """Which process plays a game, for whoever runs it; None for nobody."""
    if holder is None:
        return None
    if (holder.host, holder.pid) == (platform.node(), os.getpid()):
        return "this server"
    return f"{displayable(holder.command)} (process {holder.pid} on {displayable(holder.host)})"


async def question_of(store: Store, standing: Standing, reader: Reader) -> Question | None:
    """What the reader's seat is asked; None for who has no seat, or is asked nothing."""
    seat = await question_for(store, standing, seat_of(reader))
    if seat is None:
        return None
    return Question(id=seat.interrupt or seat.name, is_early=seat.is_early, view=seat.view)


async def board_view(store: Store, view: GameView, at: str | None) -> BoardView:
    """The position of a phase that the reader has been told of, or of the first after them; raises UnknownPhase."""
    wanted = view.phase if at is None else at.strip().upper()
    if wanted not in (*view.phases, view.phase):
        raise UnknownPhase(f"A phase that was told was wanted and {wanted[:20]!r} came; nothing was read.")
    board, played = await board_at(store, view.game, wanted)
    is_told = played is not None and wanted in view.phases
    return BoardView(board=board.snapshot(), results=list(played.results) if played and is_told else None)


async def center_counts(store: Store, view: GameView) -> list[CenterCount]:
    """Of each phase that the reader has been told of, and of the first after them, oldest first."""
    state = await begun_state(store, view.game)
    counts: list[CenterCount] = []
    for played in await phases_on_line(store.journal, view.game, state):
        if played.phase in (*view.phases, view.phase):
            board = board_from(played.record.board) if played.record else board_of(state)
            owned = {power: len(places) for power, places in board.position.centers.items()}
            counts.append(CenterCount(phase=played.phase, centers=owned))
    return counts


def _given(standing: Standing, power: Power, own: Sequence[TurnRecord]) -> Given:
    segments = {*standing.state.get("segments", []), *standing.tasks}
    sent = [turn for turn in own if turn.segment in segments]
    orders = [turn.orders for turn in sent if turn.stage == "orders" or gives_orders(turn)]
    return Given(orders=list(orders[-1]) if orders else None, draw=draw_votes(sent).get(power))


async def _first_untold(store: Store, standing: Standing, told: Sequence[str]) -> str:
    """The first phase on the line that is not among them; the last one where all are."""
    first, known = standing.state["phase"], set(told)
    async for record in store.journal.phases_back(standing.game, standing.state["history"]):
        if record.phase in known:
            break
        first = record.phase
    return first


def _status(standing: Standing, *, is_held: bool) -> str:
    if standing.end is RunEnd.PAUSED:
        return PLAYING if is_held else RunEnd.PAUSED.value
    return standing.end.value
