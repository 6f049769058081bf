"""What the journal keeps: segments, turns, phases and the crew's words, as values.

The journal (`checkpoints.journal`) stores them and gives them back; nothing here knows how. It fills in `sequence`
and `at`, so that the same turn committed to another store differs in these two.
A *segment* is one execution of one graph task, named by its LangGraph task id, which stays the
same when a killed game is resumed and is new on every fork. A *turn* is what one player did when
it was asked once. A *phase* is what was adjudicated; phases form a chain through `parent`. *Words* are what one voice
of the crew said at once.
"""

from enum import StrEnum
from functools import lru_cache
from typing import Literal, Self, TypeAlias

from pydantic import BaseModel, ConfigDict, Field, JsonValue

from entente.board.types import OrderResult, Outcome, Power, parse_order
from entente.caches import GAMES
from entente.commentary.router import Voice
from entente.models.wire import CallUsage, RawReply
from entente.players.actions import Action
from entente.press.messages import Message

Stage: TypeAlias = Literal["talk", "orders", "diary"]
"""What was wanted of a turn; diaries are folded beside a round, or beside the orders."""


class NoticeKind(StrEnum):
    """Everything that was not done quite as the player said: nothing degrades silently."""

    ORDER_REPAIRED = "order_repaired"
    """A line of orders was understood although it was written otherwise."""
    ORDER_REJECTED = "order_rejected"
    """A line of orders could not be used, or a later line replaced it."""
    ORDER_DEFAULTED = "order_defaulted"
    """A unit, build or disband was left without an order, and civil disorder decides."""
    ORDER_VOID = "order_void"
    """An order that cannot work was submitted on purpose."""
    MESSAGE_REFUSED = "message_refused"
    """A message named nobody who can be written to, had no words or far too many; nobody got it."""
    STATEMENT_IGNORED = "statement_ignored"
    """What a message says of a commitment has no effect: it cannot be made out, or answers nothing that is open. The
    message was delivered."""
    ACTION_REFUSED = "action_refused"
    """Something was done at the wrong time, or could not be understood; it had no effect."""
    OVER_CAP = "over_cap"
    """More was said in a turn, or at greater length, than any seat may; what is over the cap was left out."""
    MENDED = "mended"
    """Something in a model's first reply could not be taken; it was asked again, and its second reply mended it."""
    CUT = "cut"
    """Something was longer than a setting allows, and the rest of it was cut off or left out."""
    LATE = "late"
    """A power had given no orders when the deadline closed the phase."""
    SENT_AT_DEADLINE = "sent_at_deadline"
    """A person had typed orders and not sent them when the deadline closed the phase; they were sent for it."""
    WAKES_CAPPED = "wakes_capped"
    """A power was woken as often as the settings allow; what came later it did not read in this phase."""
    STOOD_IN = "stood_in"
    """A language model's provider or a program failed, or a person is away, and a scripted player took the turn."""
    DIARY_NOT_FOLDED = "diary_not_folded"
    """A diary was not folded, since its model's provider failed or it said none; the next fold makes up for it."""


class Notice(BaseModel):
    """One such thing, with its reason."""

    model_config = ConfigDict(frozen=True)

    kind: NoticeKind
    detail: str
    """A sentence: what came, and what was done about it."""
    line: str = ""
    """The offending text, shortened."""


class Waking(BaseModel):
    """A turn's place on the conductor's floor, where powers are woken one by one."""

    model_config = ConfigDict(frozen=True)

    position: int
    """Its place among the phase's turns, from 0: the order in which everybody reads."""
    after: int
    """How many of them stood when the power was asked: what it had read."""
    at: float
    """When it was kept, in seconds since 1970, UTC."""
    wake: int
    """How often the power had been woken in the phase by then, this time included; 0 for people, who are not."""
    was_asked: bool = True
    """False for a mere note: that a power was late, or is woken no more."""
    was_rejected: bool = False
    """True when lines of its orders could not be used, so that the power is asked for them once more."""
    open_seconds: float | None = Field(default=None, exclude_if=lambda seconds: seconds is None)
    """How long the phase had been in play then, pauses left out; None where it has no deadline."""


class Advice(BaseModel):
    """What became of a search's suggestions when orders were given."""

    model_config = ConfigDict(frozen=True)

    suggested: int
    """Whole sets of orders that were suggested."""
    followed: int
    """Which of them the orders are, from 1; 0 when they are none of them."""


class Segment(BaseModel):
    """One execution of one graph task: where its turns belong, and where to fork from."""

    model_config = ConfigDict(frozen=True)

    game: str
    id: str
    """The LangGraph task id; of diaries, that of the segment they are folded beside with `.diary` behind it."""
    checkpoint: str
    """The checkpoint that the task started from."""
    phase: str
    stage: Stage
    round: int
    """The round of press, from 1, or on the conductor's floor the stretch of talk; 0 for orders and diaries."""
    langgraph: str = ""
    """The release of LangGraph that gave it its id; empty where an older entente did not note it."""

    @property
    def diaries(self) -> "Segment":
        """The segment of the diaries that are folded beside this one."""
        return self.model_copy(update={"id": diaries_beside(self.id), "stage": "diary", "round": 0})


def diaries_beside(segment: str) -> str:
    """The id of the segment of the diaries that are folded beside the one of this id."""
    return f"{segment}.diary"


class TurnRecord(BaseModel):
    """One turn: what a player did when it was asked once."""

    model_config = ConfigDict(frozen=True)

    game: str
    segment: str
    power: Power
    number: int
    """From 0; order turns may have a second, when the player was asked once more."""
    phase: str
    stage: Stage
    round: int
    """Its segment's."""
    player: str
    """Whose seat it is, as it was specified: `diplomat`, `human`, `openai:gpt-5-mini`, `bots:Scout`."""
    stand_in: str = ""
    """Who decided in its place, since it failed; empty when nobody did."""
    read_up_to: int | None
    """How many messages of this phase the player had in its inbox. For a person, who looks when it likes, how many of
    the phase's press it had read, its own among it; None where that was not said, and it counts as having read all."""
    actions: tuple[Action, ...]
    """What the player said, as it said it."""
    messages: tuple[Message, ...] = ()
    """What was delivered of it."""
    orders: tuple[str, ...] = ()
    """The canonical orders that were read from it."""
    drafts: tuple[str, ...] = ()
    """In talk, what the power would order now, in canonical orders; nobody else's to know, ever."""
    notices: tuple[Notice, ...] = ()
    waking: Waking | None = None
    """None on other floors, and for people, who look when they like."""
    calls: tuple[CallUsage, ...] = ()
    """What the calls of a language model were and cost; empty for players that make none."""
    thinking: str = Field(default="", exclude_if=lambda thinking: not thinking)
    """What a language model wrote before its calls: its own power's and the operator's, nobody else's ever."""
    advice: Advice | None = Field(default=None, exclude_if=lambda advice: advice is None)
    """None where nothing was suggested or ordered; for whoever runs the game and nobody else."""
    replies: tuple[RawReply, ...] = Field(default=(), exclude_if=lambda replies: not replies)
    """What came of each of these calls, word for word: the operator's alone. Empty in games of an older entente."""
    sequence: int = 0
    """Its number in the store's one order of commits, from 1; 0 until it is committed."""
    at: float | None = None
    """When it was committed, in seconds since 1970, UTC, in the game that it was played in, also where a fork has it;
    None until then, and where an older entente noted no time."""

    @property
    def key(self) -> tuple[str, str, Power, int]:
        """What makes a turn unique."""
        return (self.game, self.segment, self.power, self.number)

    @property
    def is_note(self) -> bool:
        """True where the power did nothing, and was not asked: it is only told about."""
        return self.waking is not None and not self.waking.was_asked and not self.actions


class ResultRecord(BaseModel):
    """An order's result in words and letters, `entente.board.types.OrderResult` for keeping."""

    model_config = ConfigDict(frozen=True)

    power: Power
    order: str
    outcomes: tuple[str, ...]
    reason: str = ""
    is_default: bool = False

    @classmethod
    def of(cls, result: OrderResult) -> Self:
        """The record of a result."""
        return cls(
            power=result.power,
            order=str(result.order),
            outcomes=tuple(outcome.value for outcome in result.outcomes),
            reason=result.reason,
            is_default=result.is_default,
        )

    def result(self) -> OrderResult:
        """The result as the board knows it."""
        outcomes = tuple(map(Outcome, self.outcomes))
        return OrderResult(self.power, parse_order(self.order), outcomes, self.reason, self.is_default)

    @property
    def succeeded(self) -> bool:
        """True when the order did what it said."""
        return self.outcomes == ("succeeded",)


class PhaseRecord(BaseModel):
    """A phase that was adjudicated."""

    model_config = ConfigDict(frozen=True)

    game: str
    id: str
    """The task id of its adjudication."""
    parent: str | None
    """The phase before; None for the first of a game."""
    phase: str
    segments: tuple[str, ...]
    """Every segment of the phase, talk first, in the order they were played."""
    board: dict[str, JsonValue]
    """The snapshot of the position in which the orders were given."""
    results: tuple[ResultRecord, ...]
    sequence: int = 0
    """As a turn's."""
    at: float | None = None
    """As a turn's."""


class Words(BaseModel):
    """What one voice of the crew said: of a phase that is over, to all, or to a person's action, to that person."""

    model_config = ConfigDict(frozen=True)

    game: str
    id: str
    """Unique in its game; of a phase that is told, always the same for each voice."""
    history: str | None
    """The record of the last phase that was over when it was said; of a phase that is told, its own. None: of none."""
    session: str = ""
    """The talk that it is part of; empty where a phase is told."""
    phase: str
    """The phase that is told, or in which the person acted."""
    listener: str
    """Who is told of it beside whoever runs the game: `PUBLIC` for all, a power, or `OPERATOR` for nobody else."""
    voice: Voice
    content: str
    action: str = ""
    """What the person said."""
    calls: tuple[CallUsage, ...] = ()
    """What the voice's model was asked and cost; empty for one that speaks without."""
    sequence: int = 0
    """As a turn's."""
    at: float | None = None
    """As a turn's."""


Record: TypeAlias = TurnRecord | PhaseRecord | Words
"""What has a place in the order of commits."""


def results_of(record: PhaseRecord) -> tuple[OrderResult, ...]:
    """The phase's orders and results as the board knows them; read once, since each round asks for them again."""
    return _read_results(record.results)


@lru_cache(maxsize=4 * GAMES)
def _read_results(results: tuple[ResultRecord, ...]) -> tuple[OrderResult, ...]:
    return tuple(result.result() for result in results)
