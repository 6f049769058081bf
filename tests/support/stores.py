"""Real stores for tests, in each of the places where a store can be."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Literal, TypeAlias, TypeVar

from entente.board.engine import Board
from entente.commentary.router import Voice
from entente.models.wire import CallUsage, Purpose
from entente.players.actions import SendMessage, SubmitOrders
from entente.players.record import PhaseRecord, Record, ResultRecord, Segment, TurnRecord, Words
from entente.press.messages import Message, MessageType
from tests.support.postgres import Server

Backend: TypeAlias = Literal["memory", "sqlite", "postgres"]
BACKENDS: tuple[Backend, ...] = ("memory", "sqlite", "postgres")
SHARED_BACKENDS: tuple[Backend, ...] = ("sqlite", "postgres")
"""Those that two stores, or two processes, can have open at once."""


R = TypeVar("R", bound=Record)


def as_made(record: R) -> R:
    """The record as it was before a journal gave it a place and a time."""
    return record.model_copy(update={"sequence": 0, "at": None})


def new_location(backend: Backend, folder: Path, server: Callable[[], Server]) -> str:
    """An empty place for `open_store`; the server is only asked for where it is needed."""
    if backend == "postgres":
        return server().new_schema()
    return "memory" if backend == "memory" else str(folder / "store")


def a_segment(game: str, name: str, *, phase: str = "S1901M") -> Segment:
    """A talk segment."""
    return Segment(game=game, id=name, checkpoint=f"c-{name}", phase=phase, stage="talk", round=1)


def a_message(sender: str, recipient: str, content: str, *, number: int = 0) -> Message:
    """A message of the first round of S1901M."""
    return Message(
        id=f"S1901M.1.{sender}.{number}",
        phase="S1901M",
        round=1,
        sender=sender,
        recipient=recipient,
        message_type=MessageType.PROPOSAL,
        content=content,
    )


def a_turn(
    game: str, segment: str, power: str, number: int = 0, *, says: Sequence[str] = ("Let us be allies.",)
) -> TurnRecord:
    """A turn in which `power` says this to Germany, each a message of its own."""
    return TurnRecord(
        game=game,
        segment=segment,
        power=power,
        number=number,
        phase="S1901M",
        stage="talk",
        round=1,
        player="diplomat",
        read_up_to=3,
        actions=(
            *(
                SendMessage(recipient="GERMANY", message_type=MessageType.PROPOSAL, content=text)
                for text in says
            ),
            SubmitOrders(orders=("A PAR - BUR",)),
        ),
        messages=tuple(a_message(power, "GERMANY", text, number=place) for place, text in enumerate(says)),
        orders=("A PAR - BUR",),
        calls=(
            CallUsage(
                purpose="talk",
                model="m",
                provider="p",
                latency_seconds=0.2,
                prompt_tokens=1200,
                cached_tokens=1024,
                completion_tokens=40,
                cost_usd=None,
                attempts=1,
                finish_reason="stop",
            ),
        ),
    )


def a_call(purpose: Purpose = "crew", cost_usd: float | None = 0.25) -> CallUsage:
    """A call of 1,000 tokens and 40 more."""
    return CallUsage(
        purpose=purpose,
        model="m",
        provider="p",
        latency_seconds=0.2,
        prompt_tokens=1000,
        cached_tokens=0,
        completion_tokens=40,
        cost_usd=cost_usd,
        attempts=1,
        finish_reason="stop",
    )


def a_telling(game: str, phase: str, voice: Voice = "narrator", **values: object) -> Words:
    """What a voice tells all of the phase of this record."""
    of_a_phase = {"history": phase, "phase": "S1901M", "listener": "PUBLIC", "content": f"Of {phase}."}
    return Words.model_validate(
        {"game": game, "id": f"{phase}.{voice}", "voice": voice, **of_a_phase, **values}
    )


def an_answer(game: str, listener: str, history: str | None = None, **values: object) -> Words:
    """What the narrator answers somebody who has asked why."""
    asked = {"session": "s", "phase": "S1901M", "listener": listener, "action": "Why?"}
    key = {"id": f"answer to {listener}", "history": history}
    return Words.model_validate(
        {"game": game, "voice": "narrator", "content": "So.", **key, **asked, **values}
    )


def a_phase(game: str, name: str, parent: str | None, *segments: str, phase: str = "S1901M") -> PhaseRecord:
    """An adjudicated phase."""
    return PhaseRecord(
        game=game,
        id=name,
        parent=parent,
        phase=phase,
        segments=segments,
        board=Board.start().snapshot(),
        results=(ResultRecord(power="FRANCE", order="A PAR - BUR", outcomes=("succeeded",)),),
    )
