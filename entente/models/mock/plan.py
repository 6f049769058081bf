"""What a scripted server does wrong and how slow it is, as a small plan in JSON."""

from collections import Counter
from pathlib import Path
from typing import Literal, TypeAlias

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from entente.errors import SettingsError
from entente.models.mock.request import ChatRequest

FaultKind: TypeAlias = Literal[
    "400",
    "401",
    "429",
    "500",
    "hang",
    "trickle",
    "truncate",
    "garbage",
    "html",
    "empty",
    "refusal",
    "null_content",
    "bad_tool",
    "disconnect",
    "no_tools",
    "no_stream",
    "ignore_tools",
    "one_call",
    "no_schema",
    "ignore_schema",
]
"""The wire's faults: `hang` says nothing, `trickle` never ends, `disconnect` ends too soon, `html` is a proxy's page.

And the model's: `truncate` is cut off, `garbage` means nothing, `bad_tool` calls what nobody offered. What a lesser
server cannot do strikes only requests that want it: `no_tools`, `no_schema` and `no_stream` refuse them with 400,
`ignore_tools` and `ignore_schema` answer as if there were none, `one_call` calls one a reply.
"""


class Fault(BaseModel):
    """One fault and when it happens; at every call when neither `every` nor `calls` is given."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    kind: FaultKind
    every: int | None = Field(default=None, ge=1)
    """At each n-th call."""
    calls: tuple[int, ...] = ()
    """At these calls, from 1."""
    model: str | None = None
    """Only for this model's calls, which are then the ones counted."""
    retry_after_seconds: float = 1.0
    """What a 429 asks for."""

    def concerns(self, request: ChatRequest) -> bool:
        """True for a request that the fault can strike at all."""
        match self.kind:
            case "no_tools" | "ignore_tools" | "one_call":
                wants_it = bool(request.tools)
            case "no_schema" | "ignore_schema":
                wants_it = request.schema is not None
            case "no_stream":
                wants_it = request.is_stream
            case _:
                wants_it = True
        return wants_it and self.model in (None, request.model)

    def happens_at(self, call: int) -> bool:
        """True when the fault strikes the call of this number, from 1."""
        if self.every is None and not self.calls:
            return True
        return call in self.calls or (self.every is not None and call % self.every == 0)


class Plan(BaseModel):
    """A server's behaviour."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    latency_ms: float = Field(default=0, ge=0)
    jitter_ms: float = Field(default=0, ge=0)
    """Up to this much more, the same for the same request."""
    reasoning: str = ""
    """What the model thinks before each reply; its usage tells of it, and the wire has it beside the reply."""
    faults: tuple[Fault, ...] = ()
    """The first that strikes a call decides."""
    models: tuple[str, ...] = ("mock",)
    """What `/v1/models` lists; every name is answered."""

    @classmethod
    def parse(cls, text: str) -> "Plan":
        """The plan in a JSON text, or in the file of that name; raises SettingsError."""
        try:
            return cls.model_validate_json(text if _is_json(text) else Path(text).read_bytes())
        except (OSError, ValueError) as error:
            raise SettingsError(
                "A plan for the scripted model was wanted, as JSON or as a file of it, and "
                f"{text[:80]!r} is none ({_reason(error)}); no server was started."
            ) from error


class FaultCounter:
    """Counts calls, and tells which fault strikes each."""

    def __init__(self, plan: Plan) -> None:
        self._faults = plan.faults
        self._calls: Counter[str | None] = Counter()

    def next(self, request: ChatRequest) -> Fault | None:
        """The fault that strikes this request, the next one, or None."""
        self._calls.update((None, request.model))
        struck = (
            fault
            for fault in self._faults
            if fault.concerns(request) and fault.happens_at(self._calls[fault.model])
        )
        return next(struck, None)


def _is_json(text: str) -> bool:
    """True for what is meant as a plan itself, and not as the name of its file."""
    return text.lstrip().startswith("{")


def _reason(error: OSError | ValueError) -> str:
    if isinstance(error, ValidationError):
        first = error.errors()[0]
        return ": ".join([*filter(None, [".".join(map(str, first["loc"]))]), first["msg"]])
    reason = error.strerror if isinstance(error, OSError) else str(error)
    return f"as a file: {reason}; and a plan as JSON begins with a brace"
