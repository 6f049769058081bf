"""From the journal of a game to its record."""

import asyncio
import json
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import blake2b
from importlib.metadata import version

from pydantic import JsonValue
from pydantic_core import from_json

from checkpoints.damage import missing
from checkpoints.store import Store
from checkpoints.tables import PROMPTS
from entente.board.types import Phase, PhaseKind, Position, Power
from entente.games.line import records_on_line
from entente.games.planned import planned
from entente.games.reading import begun_state
from entente.models.sent import prompt_at
from entente.models.wire import CallUsage, PromptPart, RawReply
from entente.players.moments import moment_of
from entente.players.record import NoticeKind, PhaseRecord, TurnRecord
from entente.players.seating import SeatKind, kind_of
from entente.training.record import Call, Episode, Flaw, Record, Response, TaskType
from entente.training.rewards import SQUARES, Ended, StepRewards, scores_of, worths
from graph.context import GameSettings
from graph.state import GameState, board_from, board_of, settings_of

_CUT_OFF = ("length", "max_tokens", "max_output_tokens", "MAX_TOKENS")
_HASH_BYTES = 12
_NOT_LEARNED: frozenset[Flaw] = frozenset({"stand_in", "truncated", "cut", "inherited"})
"""Flaws of calls whose words are not, or not all, what decided; of the others the words are the policy's own."""
_TASKS: Mapping[PhaseKind, TaskType] = {
    PhaseKind.MOVEMENT: "orders",
    PhaseKind.RETREATS: "retreat",
    PhaseKind.ADJUSTMENTS: "build",
}
_FLAWS: Mapping[NoticeKind, Flaw] = {
    NoticeKind.ORDER_REPAIRED: "repaired",
    NoticeKind.ORDER_REJECTED: "rejected",
    NoticeKind.ORDER_DEFAULTED: "defaulted",
}


@dataclass(frozen=True, slots=True)
class Recording:
    """How a game is recorded."""

    trainable: Collection[Power] | None = None
    """Seats that are trained; None for all that language models play."""
    seats: Collection[Power] | None = None
    """Seats whose calls are recorded; None for all."""
    group_id: str = ""
    """Empty for a game that is compared with none."""
    scorers: Mapping[Power, str] = field(default_factory=dict[Power, str])
    """Which score is a seat's reward, where it is not `squares`."""
    steps: StepRewards = field(default_factory=StepRewards)


async def record_of(store: Store, game: str, recording: Recording | None = None) -> Record:
    """The record of the game as it stands; raises UnknownGame, NotBegun, DamagedRow."""
    recording = recording or Recording()
    state = await begun_state(store, game)
    line = await records_on_line(store.journal, game, state)
    summary = await store.library.summary(game)
    begun_at = summary.created_at.timestamp() if summary.forked_from and summary.created_at else None
    played = await asyncio.to_thread(_Played.of, game, state, line, begun_at, summary.forked_from, recording)
    return played.record(await store.journal.prompt_parts(game))


@dataclass(frozen=True, slots=True)
class _Played:
    """A game, read from the journal."""

    game: str
    settings: GameSettings
    state: GameState
    turns: Sequence[TurnRecord]
    positions: Mapping[str, Position]
    """By phase, oldest first; the last is how it stands."""
    phases: int
    begun_at: float | None
    """When it was forked; None for a game that is no fork."""
    forked_from: str | None
    config_hash: str
    recording: Recording

    @classmethod
    def of(
        cls,
        game: str,
        state: GameState,
        line: Sequence[TurnRecord | PhaseRecord],
        begun_at: float | None,
        forked_from: str | None,
        recording: Recording,
    ) -> "_Played":
        """The game on this line."""
        phases = [record for record in line if isinstance(record, PhaseRecord)]
        positions = {record.phase: board_from(record.board).position for record in phases}
        seats = recording.seats
        return cls(
            game,
            settings := settings_of(state),
            state,
            [
                turn
                for turn in line
                if isinstance(turn, TurnRecord)
                and (turn.calls or turn.replies)
                and (seats is None or turn.power in seats)
            ],
            {**positions, state["phase"]: board_of(state).position},
            len(phases),
            begun_at,
            forked_from,
            _config_hash(settings, line),
            recording,
        )

    @property
    def is_over(self) -> bool:
        return self.state["outcome"] is not None

    def record(self, parts: Mapping[str, PromptPart]) -> Record:
        """The whole record; raises DamagedRow where a part of a prompt is missing."""
        calls = list(_Calls(self, parts).all())
        texts = {id_: _body(parts[id_]) for call in calls for id_ in call.prompt or ()}
        return Record(episode=self._episode(len(calls)), texts=texts, calls=calls)

    def _episode(self, recorded: int) -> Episode:
        outcome = self.state["outcome"]
        return Episode(
            episode_id=self.game,
            group_id=self.recording.group_id or self.game,
            forked_from=self.forked_from,
            seed=self.settings.seed,
            config_hash=self.config_hash,
            engine=f"diplomacy {version('diplomacy')}, entente {version('entente')}",
            end_reason=outcome and outcome["kind"],
            winners=outcome["winners"] if outcome else [],
            phases=self.phases,
            supply_centers_by_phase={
                phase: {power: len(centers) for power, centers in position.centers.items()}
                for phase, position in self.positions.items()
            },
            scores=scores_of(self._ended()) if outcome else {},
            rewarded_by={power: name for power, name in self.recording.scorers.items() if name != SQUARES},
            models={turn.power: turn.player for turn in self.turns},
            calls_without_words=max(0, sum(len(turn.calls) for turn in self.turns) - recorded),
        )

    def _ended(self) -> Ended:
        outcome = self.state["outcome"]
        return Ended(
            [*self.positions.values()],
            outcome["winners"] if outcome else (),
            is_solo=bool(outcome) and outcome["kind"] == "solo",
            year=Phase.parse(outcome["phase"] if outcome else self.state["phase"]).year,
            last_year=self.settings.max_year,
        )

    def is_trained(self, turn: TurnRecord) -> bool:
        """True for a turn of a seat that is trained."""
        if (trained := self.recording.trainable) is not None:
            return turn.power in trained
        return kind_of(turn.player) is SeatKind.MODEL

    def shaping_in(self, turn: TurnRecord) -> float:
        """What the seat's decision is given for what its phase changed."""
        names = [*self.positions]
        at = names.index(turn.phase)
        if not self.recording.steps.shaping or at + 1 >= len(names):
            return 0.0
        before, after = worths([self.positions[names[at]], self.positions[names[at + 1]]], turn.power)
        return self.recording.steps.of_shaping(before, after, is_last=self.is_over and at + 2 == len(names))


class _Calls:
    """The calls of a game, in the order of its log, with what each knows of those before."""

    def __init__(self, played: _Played, parts: Mapping[str, PromptPart]) -> None:
        self._played = played
        self._parts = parts
        self._before: dict[Power, list[Call]] = {}

    def all(self) -> Iterator[Call]:
        shaped = set[tuple[Power, str]]()
        for turn in self._played.turns:
            usages = [*turn.calls, *[None] * len(turn.replies)]
            last = len(turn.replies) - 1
            for number, (reply, usage) in enumerate(zip(turn.replies, usages, strict=False)):
                call = self._call(turn, number, reply, usage, is_last=number == last)
                decides = turn.stage == "orders" and number == last and (turn.power, turn.phase) not in shaped
                if decides and (shaping := self._played.shaping_in(turn)):
                    shaped.add((turn.power, turn.phase))
                    call.reward_step["shaping"] = shaping
                self._before.setdefault(turn.power, []).append(call)
                yield call

    def _call(
        self, turn: TurnRecord, number: int, reply: RawReply, usage: CallUsage | None, *, is_last: bool
    ) -> Call:
        played, asked, tokens = self._played, reply.asked, reply.tokens
        prompt = self._prompt(asked.prompt) if asked else None
        flaws = self._flaws(turn, reply, usage, is_last=is_last)
        lost = sum(notice.kind is NoticeKind.ORDER_REJECTED for notice in turn.notices) if is_last else 0
        validity = played.recording.steps.of_validity(max(lost, len(reply.faults)))
        return Call(
            id=f"{played.game}/{_name(turn)}.{number}",
            episode_id=played.game,
            group_id=played.recording.group_id or played.game,
            seed=played.settings.seed,
            seat=turn.power,
            phase=turn.phase,
            task_type=_task(turn),
            call_index=len(self._before.get(turn.power, ())),
            parent_call=self._parent(turn.power, prompt),
            prompt=prompt,
            response=Response(
                content=reply.text,
                calls=[*reply.calls],
                reasoning=reply.reasoning,
                finish_reason=usage.finish_reason if usage else "",
            ),
            model=usage.model if usage else turn.player,
            policy_version=(usage.version if usage else "") or None,
            prompt_set=asked.prompt_set if asked else None,
            trainable=played.is_over
            and played.is_trained(turn)
            and prompt is not None
            and not _NOT_LEARNED.intersection(flaws),
            fallback=flaws,
            sampling=dict(asked.sampling) if asked else {},
            token_ids=[*tokens.ids] if tokens and tokens.ids else None,
            logprobs=[*tokens.logprobs] if tokens and tokens.logprobs else None,
            prompt_token_ids=[*tokens.prompt_ids] if tokens and tokens.prompt_ids else None,
            reward_step={"validity": validity} if validity else {},
            visible_to=[turn.power],
            latency_seconds=usage.latency_seconds if usage else None,
            usage=usage.model_dump(mode="json") if usage else None,
        )

    def _prompt(self, head: str) -> list[str]:
        try:
            return [*prompt_at(self._parts, head).parts]
        except KeyError as error:
            raise missing(PROMPTS, self._played.game, str(error.args[0]), "a turn") from None

    def _parent(self, power: Power, prompt: list[str] | None) -> str | None:
        held = set(prompt or ())
        earlier = reversed(self._before.get(power, []))
        return next((call.id for call in earlier if call.prompt and call.prompt[-1] in held), None)

    def _flaws(
        self, turn: TurnRecord, reply: RawReply, usage: CallUsage | None, *, is_last: bool
    ) -> list[Flaw]:
        begun_at = self._played.begun_at
        found: dict[Flaw, bool] = {
            "stand_in": bool(turn.stand_in),
            "truncated": usage is not None and usage.finish_reason in _CUT_OFF,
            "cut": reply.is_shortened,
            "mended": not is_last,
            "inherited": begun_at is not None and (turn.at is None or turn.at < begun_at),
        }
        kinds = {notice.kind for notice in turn.notices} if is_last else set[NoticeKind]()
        noticed: list[Flaw] = [flaw for kind, flaw in _FLAWS.items() if kind in kinds]
        own: list[Flaw] = [flaw for flaw, has in found.items() if has]
        return own + noticed


def _config_hash(settings: GameSettings, line: Sequence[TurnRecord | PhaseRecord]) -> str:
    """Of how the game is set up, and how those sample whose settings it has not: policies, as they were asked first."""
    asked = {
        turn.power: dict(turn.replies[0].asked.sampling)
        for turn in reversed(line)
        if isinstance(turn, TurnRecord) and kind_of(turn.player) is SeatKind.PROGRAM
        if turn.replies and turn.replies[0].asked
    }
    whole = json.dumps([planned("config", settings).id, asked], sort_keys=True)
    return blake2b(whole.encode(), digest_size=_HASH_BYTES).hexdigest()


def _name(turn: TurnRecord) -> str:
    """The turn's moment and number: with the game's id it is unique, and the same after a resume."""
    return f"{moment_of(turn)}#{turn.number}"


def _task(turn: TurnRecord) -> TaskType:
    if turn.stage == "orders":
        return _TASKS[Phase.parse(turn.phase).kind]
    return "press" if turn.stage == "talk" else "diary"


def _body(part: PromptPart) -> dict[str, JsonValue]:
    return from_json(part.body)
