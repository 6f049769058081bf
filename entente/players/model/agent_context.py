"""The agent context bundle that the interaction model asks for, field by field, made from a player's `Bundle`.

It is what a prompt's opening is written from, and what `entente bundle` and a program's handle give out.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Literal, NamedTuple

from pydantic import BaseModel, ConfigDict, JsonValue

from entente.board.engine import Board
from entente.board.types import Location, Phase, PhaseKind, Position, Power, Province, Unit
from entente.players.actions import Action, VoteDraw
from entente.players.bundle import Bundle, GameRules, OwnTurn, PastPress
from entente.players.model.centers import threatened_centers
from entente.players.model.quoting import Letter, clip, escape
from entente.players.model.results import result_lines
from entente.players.seat_events import SeatPhase
from entente.press.commitments import Commitment
from entente.press.ledger import Ledger
from entente.press.messages import BROADCAST, Message, MessageType, Statement

MAX_EVENTS = 20
"""Lines of the chronicle that are handed on: about two game years."""

SUMMARY_CHARS = 500
"""Of each message that stands for a conversation: longer than nearly all of them; what is cut off is told."""
_YOU, _THEY, _THEY_TO_ALL = "you", "they", "they to all"


class _Part(BaseModel):
    model_config = ConfigDict(frozen=True)


class PhaseInfo(_Part):
    """Where in the game the turn is."""

    phase_name: str
    interaction_type: str
    """`NEGOTIATION_ROUND_1`, …, or `ORDER_SUBMISSION`."""
    negotiation_rounds_total: int


class PublicGameState(_Part):
    """What everybody sees on the board."""

    units: dict[Power, list[tuple[Literal["A", "F"], Location]]]
    centers: dict[Power, list[Province]]
    influence: dict[Location, Power]
    """Who was last in each province, for programs that want it: no decision can use it (docs/decisions/0047)."""
    dislodged: dict[Power, dict[str, list[Location]]]
    """Dislodged units, `A BUR`, and where each may retreat to, of the powers that have any."""
    builds_disbands: dict[Power, int]
    """Builds, or disbands as a negative number, of the powers that have any; empty but in adjustments."""


class PastState(_Part):
    """The board of the phase before."""

    phase_name: str
    units: dict[Power, list[tuple[Literal["A", "F"], Location]]]
    centers: dict[Power, list[Province]]


class InboxMessage(_Part):
    """A message as the interaction model's communication protocol writes it."""

    id: str
    """What an answer names in `reply_to`."""
    sender: Power
    recipient: Power
    message_type: MessageType
    content: str
    turn: str
    round: int
    commitments: list[Statement]
    reply_to: str | None
    also_to: list[Power]
    """Other powers that the sender wrote the same words to with it."""


class SpokenCommitment(_Part):
    """A commitment of the power's as a prompt tells it."""

    id: str
    told: str
    """`peace between ITALY and FRANCE through F1902M: broken by ITALY in F1901M (A VEN - TRI)`."""
    parties: tuple[Power, Power]
    is_open: bool
    """True while something can still come of it."""
    messages: list[str]
    """Ids of the messages that spoke of it."""

    @classmethod
    def of(cls, commitment: Commitment) -> "SpokenCommitment":
        """The commitment as it stands."""
        return cls(
            id=commitment.id,
            told=str(commitment),
            parties=commitment.parties,
            is_open=commitment.status.is_open,
            messages=list(commitment.messages),
        )

    def other(self, power: Power) -> Power:
        """The other party of one of them: a power, or BROADCAST."""
        return self.parties[1] if power == self.parties[0] else self.parties[0]

    def __str__(self) -> str:
        return self.told


class PastTalk(_Part):
    """What the power wrote and could read in a movement phase that is over."""

    phase_name: str
    messages: list[InboxMessage]
    commitments: list[SpokenCommitment]
    """Those that were spoken of in it, or ended in it, with what had come of them after it."""


class HistorySummary(_Part):
    """What happened before this phase."""

    last_phase_state: PastState | None
    """None in the first phase."""
    retreats_and_builds: list[str]
    """All powers' orders and results of the retreats and adjustments since the latest movement phase, a line for each
    phase and power."""
    recent_events: list[str]
    talk: list[PastTalk]
    """From two game years back on, whole, oldest first; a prompt has as much of it as the seat has room for."""
    last_turn_messages_summary: dict[Power, str]
    """By the other power: where each commitment stands that was spoken of in the latest phase of press, and then the
    last words of either side, quoted as prompts quote them."""


class ContextBundle(_Part):
    """All that an agent is told at its turn."""

    power_name: Power
    agent_instructions: str
    current_phase_info: PhaseInfo
    public_game_state: PublicGameState
    history_summary: HistorySummary
    communication_inbox: list[InboxMessage]
    private_memory_snippet: dict[str, JsonValue]
    threatened_centers: dict[Province, list[str]]
    """In a movement phase the power's centers that others can enter, with the units: `A LON ENGLAND by convoy`."""
    draw_vote: bool | None
    """How the power has voted in this phase; None where it has not. How others vote is secret on every floor."""


class PastOrders(_Part):
    """All powers' orders and results of the latest movement phase."""

    phase_name: str
    """Empty in the first."""
    results: list[str]
    """A line for each power: `FRANCE: A PAR - BUR; F BRE - ENG (bounced with F LON - ENG)`."""
    centers: dict[Power, list[Province]]
    """As they were owned when those orders were given; empty in the first."""


class KnownCommitments(_Part):
    """The commitments that the power knows of."""

    open: list[SpokenCommitment]
    ended: list[SpokenCommitment]
    """In the latest movement phase or since."""

    @classmethod
    def of(cls, ledger: Ledger) -> "KnownCommitments":
        """Those of a ledger that is the power's own."""
        return cls(
            open=list(map(SpokenCommitment.of, ledger.open)),
            ended=list(map(SpokenCommitment.of, ledger.ended)),
        )


class SeatContext(ContextBundle):
    """The bundle of a seat that a language model plays: all that its prompts are written from, beside their texts."""

    map_name: str
    rules: GameRules
    round: int
    """Of negotiation, from 1; 0 when orders are wanted."""
    last_change_year: int | None
    """The last game year in which a center changed hands."""
    last_movement: PastOrders
    commitments: KnownCommitments
    """As they stood when the phase began."""
    commitments_now: KnownCommitments
    memory_at_opening: dict[str, JsonValue]
    """As it stood when the phase began."""
    folded: dict[str, JsonValue]
    """What the fold of the diary has put into it since."""
    centers: str
    """When centers change hands, and which may; empty where there is nothing to say of it."""
    units_and_orders: str
    """Each of the power's units with its legal orders, and what is to be known of them."""
    wanted: str
    """What has to be ordered, a sentence."""
    to_order: list[Power]
    press_allowed: list[Power]
    sent: list[InboxMessage]
    """The power's own messages of this phase."""
    earlier: tuple[OwnTurn, ...]
    """The power's own turns of this phase."""
    lived: tuple[SeatPhase, ...]
    """On the conductor's floor the whole game as the power has lived it, the phase in play last; empty elsewhere."""
    rejected: list[str]
    """Lines of this turn's orders that could not be used, each with the reason."""
    drafts: bool
    advice: str
    """What a search suggests; empty where the seat has no advice."""
    letters_a_token: float | None
    """Of the seat's model, which its limits are made of; None while that is not known."""
    fewest_letters: float | None

    @property
    def phase(self) -> Phase:
        """The phase in play."""
        return Phase.parse(self.current_phase_info.phase_name)

    @property
    def wants_orders(self) -> bool:
        """True when orders are wanted, false when it is time to talk."""
        return self.round == 0


def context_of(bundle: Bundle, instructions: str = "") -> ContextBundle:
    """The bundle in the interaction model's words; nothing in it that is not in the bundle."""
    return ContextBundle(
        power_name=bundle.power,
        agent_instructions=instructions,
        current_phase_info=PhaseInfo(
            phase_name=str(bundle.board.phase),
            interaction_type=_interaction(bundle),
            negotiation_rounds_total=bundle.rounds_total,
        ),
        public_game_state=public_state(bundle.board),
        history_summary=HistorySummary(
            last_phase_state=_past(bundle.previous),
            retreats_and_builds=[
                f"{phase.name} {line}"
                for phase in bundle.since_movement
                for line in result_lines(phase.results)
            ],
            recent_events=list(bundle.chronicle[-MAX_EVENTS:]),
            talk=[_past_talk(past) for past in bundle.press if past.messages],
            last_turn_messages_summary=summaries(
                bundle.power,
                bundle.last_messages,
                [*map(SpokenCommitment.of, (*bundle.phase_ledger.open, *bundle.phase_ledger.ended))],
            ),
        ),
        communication_inbox=[received(message) for message in bundle.inbox],
        private_memory_snippet=dict(bundle.memory),
        threatened_centers=threatened_centers(bundle.board, bundle.power),
        draw_vote=vote_of(action for turn in bundle.earlier for action in turn.actions),
    )


def vote_of(actions: Iterable[Action]) -> bool | None:
    """The latest vote on a draw; None where there is none."""
    votes = [action.yes for action in actions if isinstance(action, VoteDraw)]
    return votes[-1] if votes else None


def _interaction(bundle: Bundle) -> str:
    return "ORDER_SUBMISSION" if bundle.wants_orders else f"NEGOTIATION_ROUND_{bundle.round}"


def public_state(board: Board) -> PublicGameState:
    """What everybody sees on the board."""
    at = board.position
    adjusting = at.phase.kind is PhaseKind.ADJUSTMENTS
    return PublicGameState(
        units=_units(at),
        centers=centers_of(at),
        influence={place: power for power, places in at.influence.items() for place in places},
        dislodged={p: _retreats(units) for p, units in at.dislodged.items() if units},
        builds_disbands={p: n for p, n in board.builds.items() if n} if adjusting else {},
    )


def _past(position: Position | None) -> PastState | None:
    if position is None:
        return None
    return PastState(phase_name=str(position.phase), units=_units(position), centers=centers_of(position))


def _units(position: Position) -> dict[Power, list[tuple[Literal["A", "F"], Location]]]:
    return {power: [(u.kind.value, u.location) for u in units] for power, units in position.units.items()}


def _retreats(units: Mapping[Unit, Sequence[Location]]) -> dict[str, list[Location]]:
    return {str(unit): list(goals) for unit, goals in units.items()}


def centers_of(position: Position) -> dict[Power, list[Province]]:
    """Who owns which centers."""
    return {power: list(centers) for power, centers in position.centers.items()}


def _past_talk(past: PastPress) -> PastTalk:
    return PastTalk(
        phase_name=str(past.phase),
        messages=list(map(received, past.messages)),
        commitments=list(map(SpokenCommitment.of, past.commitments)),
    )


def received(message: Message) -> InboxMessage:
    """The message in the words of the communication protocol."""
    return InboxMessage(
        id=message.id,
        sender=message.sender,
        recipient=message.recipient,
        message_type=message.message_type,
        content=message.content,
        turn=message.phase,
        round=message.round,
        commitments=list(message.commitments),
        reply_to=message.reply_to,
        also_to=list(message.also_to),
    )


def summaries(
    power: Power,
    messages: Iterable[Letter],
    commitments: Sequence[SpokenCommitment] = (),
    limit: int = SUMMARY_CHARS,
) -> dict[Power, str]:
    """A phase's press in short, by the other power: what was agreed of it, and the last words of either side.

    `commitments` are those that the power knows of, as they stand after the phase; empty where they are told
    elsewhere. The words of one message have `limit` characters at most.
    """
    told = tuple(messages)
    return {
        other: "; ".join([*_terms(power, other, told, commitments), *map(str, words)])
        for other, words in last_words(power, told, limit).items()
    }


def _terms(
    power: Power, other: Power, messages: Iterable[Letter], commitments: Iterable[SpokenCommitment]
) -> list[str]:
    """Where each commitment of the two stands that these messages spoke of; nobody's free text is in it."""
    ids = {message.id for message in messages}
    return [
        str(commitment)
        for commitment in commitments
        if {power, other} == set(commitment.parties) and ids & set(commitment.messages)
    ]


class LastWords(NamedTuple):
    """What one side said last."""

    speaker: str
    """`you`, `they`, or `they to all`."""
    message_type: MessageType
    words: str
    """In one line, shortened."""

    def __str__(self) -> str:
        """`they (CHAT): <press>Peace?</press>`, in a quotation that the words cannot close."""
        tag = "own" if self.speaker == _YOU else "press"
        return f"{self.speaker} ({self.message_type.value}): <{tag}>{escape(self.words)}</{tag}>"


def last_words(
    power: Power, messages: Iterable[Letter], limit: int = SUMMARY_CHARS
) -> dict[Power, tuple[LastWords, ...]]:
    """The last private words of either side, by the other power, and what it last said to all when it said no more."""
    said: dict[Power, dict[str, LastWords]] = {}
    for message in messages:
        mine = message.sender == power
        other = message.recipient if mine else message.sender
        if mine and message.recipient == BROADCAST:
            continue
        speaker = _YOU if mine else _THEY
        if message.recipient == BROADCAST:
            speaker = _THEY_TO_ALL
        words = " ".join(clip(message.content, limit).split())
        said.setdefault(other, {})[speaker] = LastWords(speaker, message.message_type, words)
    return {other: _briefly(lines) for other, lines in sorted(said.items())}


def _briefly(lines: Mapping[str, LastWords]) -> tuple[LastWords, ...]:
    private = [lines[speaker] for speaker in (_THEY, _YOU) if speaker in lines]
    return tuple(private or lines.values())
