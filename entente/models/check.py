"""What a model at its provider can do, found out in one call where that shows it all.

Knows no game: who asks brings the tools and the task, and judges the replies.
"""

from collections.abc import Callable, Mapping
from random import Random
from typing import Literal

from pydantic import BaseModel, ConfigDict

from entente.models.client import Connections, key_for, open_model, placed_at
from entente.models.context_size import context_tokens
from entente.models.failures import Failure, model_error
from entente.models.settings import ModelSettings
from entente.models.spec import ModelSpec
from entente.models.trial import Judged, Trial, Tried, Tries, Way
from entente.models.usage import UsageSummary, summarize
from entente.models.wire import Model

LEAST_CONTEXT = 8_192
"""Tokens that the calls of a game take, at the least."""

_BOTH, _TOOLS, _JSON = Way(tools=True, json=True), Way(tools=True, json=False), Way(tools=False, json=True)
_REASONING = "reasoning"
_SCHEMA = Way(tools=False, json=False, schema=True)
"""Without a word about JSON: a server that does not hold its model to the schema is found out by its prose."""


class Finding(BaseModel):
    """One thing that a model can do, or not."""

    model_config = ConfigDict(frozen=True)

    name: str
    works: bool | None
    """None where it was not found out."""
    remark: str


class Check(BaseModel):
    """All that was found out about a model."""

    model_config = ConfigDict(frozen=True)

    model: str
    findings: tuple[Finding, ...]
    actions: Literal["tools", "schema", "json"] | None
    """How it acts best; None when it can do nothing of it."""
    context_tokens: int | None
    """What the server takes in one call, prompt and reply together; None where it does not say."""
    calls: int
    """Those that were refused are among them."""
    usage: UsageSummary
    """Of the calls that were answered."""

    @property
    def reasons(self) -> bool:
        """True for a model that was seen to think by itself before its reply."""
        return any(finding.name == _REASONING and finding.works for finding in self.findings)


async def check_model(
    spec: ModelSpec,
    settings: ModelSettings,
    trial: Trial,
    connections: Connections,
    *,
    environ: Mapping[str, str],
    offers_tools: bool = True,
) -> Check:
    """What the model can do; raises ModelError when no call is answered.

    The first call streams, offers tools and asks for JSON beside them. It is followed by simpler ones when it is
    refused, and by others when it leaves open whether the model can act. No call is tried twice.
    """

    def opened(way: Way) -> Model:
        once = settings.over({"max_attempts": 1, "first_token_seconds": _patience(settings, way)})
        return open_model(spec, once, connections, environ=environ, rng=Random())

    tries = Tries(trial, opened)
    placed = placed_at(spec, settings)
    key = key_for(placed, settings, environ)
    await _ask_until_answered(tries, spec, _BOTH if offers_tools else _JSON)
    await _ask_what_is_left_open(tries, takes_schema=placed.base_url is not None)
    context = await _context_tokens(connections, placed, key) if placed.speaks_openai else None
    return Check(
        model=str(spec),
        findings=(*_findings(tries), _context(context)),
        actions=_actions(tries),
        context_tokens=context,
        calls=len(tries.answers) + len(tries.refusals),
        usage=summarize([answer.reply.usage for answer in tries.answers]),
    )


async def _context_tokens(connections: Connections, placed: ModelSpec, key: str) -> int | None:
    with connections.pools(placed.address).one() as http:
        return await context_tokens(http, placed, key)


def _patience(settings: ModelSettings, way: Way) -> float | None:
    """Until the first token; with any at all, replies are streamed."""
    return (settings.first_token_seconds or settings.attempt_seconds) if way.streams else None


async def _ask_until_answered(tries: Tries, spec: ModelSpec, first: Way) -> None:
    for way in dict.fromkeys((first, _JSON, _plain(first), _plain(_JSON))):
        if await tries.ask(way):
            return
        if not tries.refusals[-1].may_be_the_way:
            break
    error = tries.refusals[-1].error
    failure = Failure(type(error), error.reason, error.status)
    raise model_error(failure, model=str(spec), attempts=len(tries.refusals))


async def _ask_what_is_left_open(tries: Tries, *, takes_schema: bool) -> None:
    """Whether a model that wrote calls would have called tools, and one that did not act well writes JSON.

    One whose tools do not do for a whole turn is held to a schema, at an address of its own.
    """
    (first,) = tries.answers
    if first.way.tools and not first.called.good_calls and not first.written.complaint:
        await tries.ask(_TOOLS._replace(streams=first.way.streams))
    if first.way.tools and _best_called(tries).called.complaint and first.written.complaint:
        await tries.ask(_JSON._replace(streams=first.way.streams))
    is_well = all(refusal.may_be_the_way for refusal in tries.refusals)
    if takes_schema and is_well and _best_called(tries).called.complaint:
        await tries.ask(_SCHEMA._replace(streams=first.way.streams))


def _plain(way: Way) -> Way:
    return way._replace(streams=False)


def _best_called(tries: Tries) -> Tried:
    return max(tries.answers, key=lambda answer: (not answer.called.complaint, answer.called.good_calls))


def _best_written(tries: Tries) -> Tried:
    told = [answer for answer in tries.answers if not answer.way.schema]
    return max(told, key=lambda answer: (not answer.written.complaint, not answer.way.tools))


def _held(tries: Tries) -> Judged | None:
    """What came of the schema; None where no such trial was answered."""
    return next((answer.written for answer in tries.answers if answer.way.schema), None)


def _actions(tries: Tries) -> Literal["tools", "schema", "json"] | None:
    """All calls in one reply are worth more than tools, and what the server ensures more than what the model can."""
    called, written, held = _best_called(tries).called, _best_written(tries).written, _held(tries)
    if called.complaint and held and not held.complaint:
        return "schema"
    if called.complaint and not written.complaint:
        return "json"
    return "tools" if called.good_calls else None


def _findings(tries: Tries) -> tuple[Finding, ...]:
    seconds = tries.answers[0].reply.usage.latency_seconds
    return (
        Finding(name="answers", works=True, remark=f"in {seconds:.2f} s"),
        _tools(tries),
        _whole_turn(tries),
        _json(tries),
        _schema(tries),
        _streaming(tries),
        _reasoning(tries),
        _usage(tries),
        _price(tries),
    )


def _tools(tries: Tries) -> Finding:
    called = _best_called(tries).called
    if called.good_calls:
        calls = "1 call" if called.good_calls == 1 else f"{called.good_calls} calls"
        return Finding(name="tools", works=True, remark=f"{calls} in one reply")
    if failed := _failed(tries, lambda way: way.tools and not way.json):
        return Finding(name="tools", works=None, remark=failed)
    if any(answer.way.tools for answer in tries.answers):
        return Finding(name="tools", works=False, remark=called.complaint)
    refused = [refusal.remark for refusal in tries.refusals if refusal.way.tools]
    if refused:
        return Finding(name="tools", works=False, remark=refused[-1])
    return Finding(name="tools", works=None, remark="not offered")


def _whole_turn(tries: Tries) -> Finding:
    called = _best_called(tries).called
    if not called.good_calls:
        return Finding(name="whole turn", works=None, remark="no tool was called")
    remark = called.complaint or "all that was asked for came in one reply"
    return Finding(name="whole turn", works=not called.complaint, remark=remark)


def _json(tries: Tries) -> Finding:
    best = _best_written(tries)
    if not best.written.complaint:
        beside = " beside the tools" if best.way.tools else ""
        return Finding(name="JSON", works=True, remark=f"{best.written.good_calls} calls as text{beside}")
    if not best.way.tools:
        return Finding(name="JSON", works=False, remark=best.written.complaint)
    if failed := _failed(tries, lambda way: way.json and not way.tools):
        return Finding(name="JSON", works=None, remark=failed)
    return Finding(name="JSON", works=None, remark="it called tools and wrote none, which is enough")


def _schema(tries: Tries) -> Finding:
    if held := _held(tries):
        remark = "the server holds a reply to one" if not held.complaint else f"not kept: {held.complaint}"
        return Finding(name="JSON with schema", works=not held.complaint, remark=remark)
    failed = _failed(tries, lambda way: way.schema)
    return Finding(name="JSON with schema", works=None, remark=failed or "not tried")


def _failed(tries: Tries, is_meant: Callable[[Way], bool]) -> str:
    """What became of the last trial of this kind that was not answered; empty where all were."""
    return next((each.remark for each in reversed(tries.refusals) if is_meant(each.way)), "")


def _reasoning(tries: Tries) -> Finding:
    thought = max(answer.reply.usage.reasoning_tokens for answer in tries.answers)
    if thought:
        return Finding(name=_REASONING, works=True, remark=f"{thought:,} tokens of thought before a reply")
    if any("<think" in answer.reply.text for answer in tries.answers):
        return Finding(name=_REASONING, works=True, remark="it thinks in the text of its replies")
    return Finding(name=_REASONING, works=None, remark="none was told of")


def _context(tokens: int | None) -> Finding:
    if tokens is None:
        return Finding(name="context", works=None, remark="the server does not say how much it takes")
    remark = f"{tokens:,} tokens of prompt and reply"
    if tokens < LEAST_CONTEXT:
        return Finding(name="context", works=False, remark=f"{remark}; a game wants {LEAST_CONTEXT:,}")
    return Finding(name="context", works=True, remark=remark)


def _streaming(tries: Tries) -> Finding:
    for answer in tries.answers:
        if answer.reply.first_token_seconds is not None:
            remark = f"first token after {answer.reply.first_token_seconds:.2f} s"
            return Finding(name="streaming", works=True, remark=remark)
    refused = [refusal.remark for refusal in tries.refusals if refusal.way.streams]
    return Finding(name="streaming", works=False, remark=refused[-1])


def _usage(tries: Tries) -> Finding:
    usage = tries.answers[0].reply.usage
    if not usage.prompt_tokens:
        return Finding(name="usage", works=False, remark="no tokens are reported: no budget can be kept")
    remark = (
        f"{usage.prompt_tokens:,} tokens of prompt, {usage.cached_tokens:,} of them cached, "
        f"{usage.completion_tokens:,} of reply"
    )
    return Finding(name="usage", works=True, remark=remark)


def _price(tries: Tries) -> Finding:
    cost = summarize([answer.reply.usage for answer in tries.answers]).cost_usd
    if cost is None:
        return Finding(name="price", works=None, remark="not known: a budget must be one of tokens")
    return Finding(name="price", works=True, remark=f"${cost:.4f} for this check")
