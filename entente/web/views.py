"""What the page shows of a game to each reader, as values: cut from the house's views of events and seats alone."""

import os
import platform
from collections.abc import Sequence

from pydantic import BaseModel, JsonValue

from checkpoints.drafts import SeatDraft
from checkpoints.lease import Holder
from checkpoints.store import Store
from entente.board.types import Power
from entente.display import displayable
from entente.errors import UnknownPhase
from entente.events import Event, EventKind
from entente.floors.seat_view import SeatView
from entente.games.reading import board_at
from entente.games.runner import RunEnd, Standing, standing_of
from entente.players.record import ResultRecord
from entente.press.mailbox import Delayed, Reader
from entente.web.roles import OPERATOR, seat_of

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


class Question(BaseModel):
    """What a seat is asked."""

    id: str
    """To be sent with the answer: an answer to another question is refused."""
    view: SeatView
    draft: SeatDraft = SeatDraft()
    """What was typed for the phase and not sent."""


class Outcome(BaseModel):
    """How a game ended."""

    kind: str
    winners: list[Power]
    phase: str


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
    seats: dict[Power, str] | None = None
    """Who plays which power; the operator's to know."""
    waiting_for: list[Power] | None = None
    """People who have not answered; the operator's to know."""
    played_by: str | None = None
    """Which process plays it, in words; the operator's to know. None while nobody does."""


class BoardView(BaseModel):
    """The position in which a phase was ordered, or is."""

    board: dict[str, JsonValue]
    """`Board.snapshot()`."""
    results: list[ResultRecord] | None = None
    """All orders and what became of them; None while the phase is in play."""


async def game_view(store: Store, game: str, reader: Reader, events: Sequence[Event]) -> GameView:
    """How the game stands for the reader, who has been told these events; raises UnknownGame."""
    summary = await store.library.summary(game)
    settings = await store.library.settings(game)
    standing = await standing_of(store, game)
    phases = [event.phase for event in events if event.kind is EventKind.PHASE]
    is_over = standing.end is RunEnd.FINISHED
    view = GameView(
        game=game,
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
    if reader == OPERATOR:
        view.seats = settings.seats
        view.waiting_for = [seat.power for seat in standing.pending]
        view.played_by = holder_text(summary.held_by)
    view.question = question.id if (question := question_of(standing, reader)) else None
    return view


def holder_text(holder: Holder | None) -> str | None:
    """Which process plays a game, for whoever runs it; None for nobody."""
    if holder is None:
        return None
    if (holder.host, holder.pid) == (platform.node(), os.getpid()):
        return "this server"
    return f"{displayable(holder.command)} (process {holder.pid} on {displayable(holder.host)})"


def question_of(standing: Standing, reader: Reader) -> Question | None:
    """What the reader's seat is asked; None for who has no seat, or is asked nothing."""
    seat = standing.question_for(seat_of(reader))
    return Question(id=seat.interrupt, view=seat.view) if seat else None


async def board_view(store: Store, view: GameView, at: str | None) -> BoardView:
    """The position of a phase that the reader has been told of, or of the first after them; raises UnknownPhase."""
    wanted = view.phase if at is None else at.strip().upper()
    if wanted not in (*view.phases, view.phase):
        raise UnknownPhase(f"A phase that was told was wanted and {wanted[:20]!r} came; nothing was read.")
    board, played = await board_at(store, view.game, wanted)
    is_told = played is not None and wanted in view.phases
    return BoardView(board=board.snapshot(), results=list(played.results) if played and is_told else None)


async def _first_untold(store: Store, standing: Standing, told: Sequence[str]) -> str:
    """The first phase on the line that is not among them; the last one where all are."""
    played = [record.phase for record in await store.journal.phases(standing.game, standing.state["history"])]
    line = [*played, standing.state["phase"]]
    return next((phase for phase in line if phase not in told), line[-1])


def _status(standing: Standing, *, is_held: bool) -> str:
    if standing.end is RunEnd.PAUSED:
        return PLAYING if is_held else RunEnd.PAUSED.value
    return standing.end.value
