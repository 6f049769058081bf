"""The neutral record of a game: a line of JSON for the game, for each part of a prompt, and for each call of a model.

It is derived from the journal alone, so that a game which was killed and resumed has the same record, and from the
game's own line, so that nothing of an abandoned future is in it. Exporters to trainers read it and nothing else.
"""

from collections.abc import Iterable
from typing import Annotated, Literal, TypeAlias

from pydantic import BaseModel, ConfigDict, Field, JsonValue, TypeAdapter

from entente.board.types import Power
from entente.models.wire import RawCall

SCHEMA: Literal["entente.record/1"] = "entente.record/1"
"""Which form a record has; a reader of another one refuses it."""

TaskType: TypeAlias = Literal["press", "orders", "retreat", "build", "diary"]
"""What was wanted of a call: the stage of play that asked for it says so."""

Flaw: TypeAlias = Literal[
    "stand_in", "truncated", "cut", "repaired", "rejected", "defaulted", "mended", "inherited"
]
"""What keeps a decision from being all the policy's own words.

`stand_in`: a scripted player took the turn. `truncated`: the reply reached its limit. `cut`: the record has its
beginning alone. `repaired`, `rejected`: an order line was read otherwise than it was written, or not at all.
`defaulted`: civil disorder decided for a unit. `mended`: the model was asked again, and a second reply stands in its
place. `inherited`: the call was made in the game from which this one was forked.
"""


class _Line(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False)


class Episode(_Line):
    """The game: the first line of its record."""

    kind: Literal["episode"] = "episode"
    schema_name: Literal["entente.record/1"] = Field(default=SCHEMA, alias="schema")
    episode_id: str
    """The game's id."""
    group_id: str
    """The same for games that may be compared: the same seat, seed, settings and opponents; the game's id if alone."""
    forked_from: str | None = None
    """The game that it branches off from."""
    seed: int
    config_hash: str
    """The same for games that are set up alike: with the same players, who are asked and sample alike, wherever they
    are reached."""
    engine: str
    """What adjudicated: the engine and its release, and that of entente."""
    end_reason: str | None
    """`solo`, `draw`, `max_year`, `stalemate` or `last_standing`; null for a game that is not over: nothing of it is
    to be trained on."""
    winners: list[Power]
    phases: int
    """How many were adjudicated."""
    supply_centers_by_phase: dict[str, dict[Power, int]]
    """How many each power owned when the phase began; the last entry is how the game stands."""
    scores: dict[str, dict[Power, float]]
    """By the scorer's name; empty for a game that is not over."""
    rewarded_by: dict[Power, str] = {}
    """Which of the scores is a seat's reward, where it is not `squares`."""
    models: dict[Power, str]
    """Who played, of the seats that the record has calls of."""
    calls_without_words: int = 0
    """Calls of an older entente, which kept no replies; they are not in the record."""


class PromptText(_Line):
    """A part of prompts, which stands once, before the first call that was sent it."""

    kind: Literal["text"] = "text"
    id: str
    """The digest of its text and of all that stood before it in the prompt."""
    body: dict[str, JsonValue]
    """A message (`role`, `content`, …), or of a prompt's first part what was offered (`tools`, `reply_schema`)."""


class Response(_Line):
    """A reply, as it came."""

    content: str
    calls: list[RawCall] = []
    reasoning: str = ""
    finish_reason: str = ""


class Call(_Line):
    """One call of a model."""

    kind: Literal["call"] = "call"
    id: str
    """The same however often the record is written, and unique in all records: `GAME/S1901M.1.FRANCE#0.0`."""
    episode_id: str
    group_id: str
    seed: int
    seat: Power
    phase: str
    task_type: TaskType
    call_index: int
    """Its place among the seat's calls in the game, from 0."""
    parent_call: str | None
    """The seat's latest call before, whose whole prompt is the beginning of this one's; null where there is none."""
    prompt: list[str] | None
    """Which texts were sent, in their order, the offered one first; null where an older entente kept none."""
    response: Response
    model: str
    policy_version: str | None
    """Which version of the model answered, as its server or the file of the training said at that time; null where
    neither did."""
    prompt_set: str | None
    """The digest of the texts that the prompt was written with."""
    trainable: bool
    """True where the words are to be learned from: a trained seat's own, whole, in a game that is over."""
    fallback: list[Flaw]
    sampling: dict[str, JsonValue]
    token_ids: list[int] | None
    """As the server gave them; null where it did not."""
    logprobs: list[float] | None
    prompt_token_ids: list[int] | None
    retokenised: Literal[False] = False
    """Always: token ids in a record are the server's own."""
    reward_step: dict[str, float]
    """What is added for this decision, by name; the game's score is in the first line."""
    visible_to: list[str]
    """Who may read this line while the game is played."""
    latency_seconds: float | None
    usage: dict[str, JsonValue] | None


RecordLine: TypeAlias = Annotated[Episode | PromptText | Call, Field(discriminator="kind")]
_LINE: TypeAdapter[Episode | PromptText | Call] = TypeAdapter(RecordLine)


class Record(BaseModel):
    """A game's record, read."""

    model_config = ConfigDict(frozen=True)

    episode: Episode
    texts: dict[str, dict[str, JsonValue]]
    calls: list[Call]

    def lines(self) -> Iterable[str]:
        """The lines of JSON, each text before the first call that was sent it."""
        yield self.episode.model_dump_json(by_alias=True)
        told = set[str]()
        for call in self.calls:
            for id_ in call.prompt or ():
                if id_ not in told:
                    told.add(id_)
                    yield PromptText(id=id_, body=self.texts[id_]).model_dump_json()
            yield call.model_dump_json()

    def messages(self, call: Call) -> list[dict[str, JsonValue]]:
        """What the call was sent, as chat messages; empty where that was not kept."""
        return [self.texts[id_] for id_ in (call.prompt or [])[1:]]

    def tools(self, call: Call) -> list[JsonValue]:
        """The tools that were offered with it."""
        offered = self.texts[call.prompt[0]].get("tools") if call.prompt else None
        return offered if isinstance(offered, list) else []


def parse_line(line: str) -> Episode | PromptText | Call:
    """One line, checked; raises pydantic's ValidationError."""
    return _LINE.validate_json(line)


def record_schema() -> dict[str, JsonValue]:
    """The JSON schema of a line."""
    schema = _LINE.json_schema(by_alias=True)
    return {"title": f"A line of a record, {SCHEMA}", **schema}
