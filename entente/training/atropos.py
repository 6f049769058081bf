"""Groups to the queue of Atropos (`run-api` of atroposlib 0.4), which a trainer takes its batches from.

The queue takes whatever comes, and a wrong group can starve it for ever or lose a trainer its batch: all is checked
here before it is sent. It has no keys of its own for pushes, so that each is entered in a file.
"""

import asyncio
import json
from collections.abc import AsyncGenerator, Awaitable, Callable, Mapping, Sequence
from contextlib import asynccontextmanager, suppress
from hashlib import blake2b
from math import isfinite
from time import monotonic
from typing import Any, NamedTuple, cast

import httpx2

from entente.errors import SettingsError, TrainerError
from entente.models.certificates import trusted
from entente.training.groups import Group
from entente.training.pushes import Pushes, State

_ATTEMPTS = 3
_PAUSE_SECONDS = 0.1
"""Between attempts, and between two looks at a queue that is waited for."""
_ANSWER_SECONDS = 30.0
_NAME = "push"
"""Where a group has its key, among its overrides: other fields the queue drops."""


class Queue(NamedTuple):
    """Where groups are pushed, and how long its trainer is waited for."""

    url: str
    name: str = "diplomacy"
    """What the trainer calls the groups' source."""
    patience_seconds: float = 600.0
    """For the trainer's first batch, and for each time that it has a whole batch waiting."""


class Pushed(NamedTuple):
    """What became of groups."""

    received: int
    """Now."""
    before: int
    """By an earlier push."""
    equal: int
    """Not pushed: all rewards are the same, so that they teach nothing."""
    left_out: list[str]
    """A sentence for each group that was not pushed for another reason."""


async def push_groups(queue: Queue, groups: Sequence[Group], size: int, pushes: Pushes) -> Pushed:
    """Push the groups, of so many members each, in their order, each once however often this is called.

    It never has more than a batch waiting: of several, the queue would give the newest first. Raises SettingsError for
    groups that the trainer's batches cannot be made of, and TrainerError when the queue fails or its trainer takes
    nothing in time; what was pushed until then is entered there.
    """
    teaching = [group for group in groups if group.teaches]
    for group in teaching:
        _check(group)
    received = before = 0
    left_out: list[str] = []
    if not teaching:
        return Pushed(received, before, len(groups), left_out)
    async with _joined(queue, size, max(map(_longest, teaching))) as joined:
        await joined.settle(pushes)
        for group in teaching:
            payload = payload_of(group)
            state = pushes.state(payload["group_overrides"][_NAME])
            if state == "received":
                before += 1
            elif why := _unfit(group, joined.max_token_len, state):
                left_out.append(f"{group.group_id}, {group.seat}, call {group.place}: {why}")
            else:
                await joined.push(payload, pushes)
                received += 1
    return Pushed(received, before, len(groups) - len(teaching), left_out)


def payload_of(group: Group) -> dict[str, Any]:
    """The group as the queue takes it, with a key: the same for the same tokens, rewards and calls."""
    said = [member.tokens for member in group.members]
    payload: dict[str, Any] = {
        "tokens": [tokens.ids for tokens in said],
        "masks": [tokens.mask for tokens in said],
        "scores": group.rewards,
        "inference_logprobs": [tokens.logprobs for tokens in said],
        "overrides": [
            {
                "episode_id": member.call.episode_id,
                "seat": member.call.seat,
                "phase": member.call.phase,
                "task_type": member.call.task_type,
                "call": member.call.id,
                "policy_version": member.call.policy_version,
                "set_advantage_to_zero": member.is_filler,
            }
            for member in group.members
        ],
        "generation_params": {
            name: value
            for name, value in group.members[0].call.sampling.items()
            if name in ("temperature", "top_p")
        },
    }
    about = {"group_id": group.group_id, "seed": group.seed, "group_size": len(said)}
    whole = json.dumps([payload, about], sort_keys=True, allow_nan=False)
    key = blake2b(whole.encode(), digest_size=16).hexdigest()
    return {**payload, "group_overrides": {**about, _NAME: key}}


def _check(group: Group) -> None:
    """Raises SettingsError for what the queue would take, and a trainer fail at."""
    for call, tokens, reward, _ in group.members:
        if tokens.logprobs is None:
            raise SettingsError(
                f"The logprobs of the tokens of {call.id} were wanted, as its policy sampled them, and its server told "
                "none; nothing was pushed."
            )
        if not all(map(isfinite, (reward, *tokens.logprobs))):
            raise SettingsError(f"{call.id} has a reward or a logprob that is no number; nothing was pushed.")


def _longest(group: Group) -> int:
    return max(len(member.tokens.ids) for member in group.members)


def _unfit(group: Group, max_token_len: int, state: State | None) -> str:
    if state == "unknown":
        return "an earlier push was cut off, and nobody can say whether it arrived; it is not pushed twice."
    if (longest := _longest(group)) >= max_token_len:
        return f"it has {longest:,} tokens, and the trainer takes fewer than {max_token_len:,}."
    return ""


class _Joined:
    """The queue, as a source of groups that it knows."""

    def __init__(self, queue: Queue, http: httpx2.AsyncClient, size: int, info: Mapping[str, int]) -> None:
        self._queue, self._http, self._size, self._info = queue, http, size, info
        self.max_token_len = info["max_token_len"]
        self._env_id = -1

    async def register(self, longest: int) -> None:
        """Become a source, once the trainer has asked for its first batch."""
        body = {
            "max_token_length": longest,
            "desired_name": self._queue.name,
            "weight": 1.0,
            "group_size": self._size,
        }

        async def has_begun() -> bool:
            answer = await _post(self._queue, self._http, "/register-env", body)
            if answer.get("status") != "success":
                return False
            self._env_id = _count(self._queue, answer, "env_id")
            return True

        await _until(self._queue, "a trainer that has asked for its first batch", has_begun)

    async def leave(self) -> None:
        """Be no source any more."""
        await _post(self._queue, self._http, "/disconnect-env", {"env_id": self._env_id})

    async def settle(self, pushes: Pushes) -> None:
        """Find out what became of the push that was under way when an earlier process ended.

        The queue shows the latest group that came. Is it that one, it arrived; is it the one before, nothing came
        since. Anything else says neither.
        """
        if (push := pushes.open_push()) is None:
            return
        latest = await _get(self._queue, self._http, "/latest_example")
        about: object = latest.get("group_overrides")
        shown: object = cast("Mapping[str, Any]", about).get(_NAME) if isinstance(about, dict) else None
        if shown == push:
            pushes.enter(push, "received")
        elif not latest.get("tokens") or (shown is not None and shown == pushes.last_received()):
            pushes.strike(push)
        else:
            pushes.enter(push, "unknown")

    async def push(self, payload: Mapping[str, Any], pushes: Pushes) -> None:
        """Push one group when there is room for it."""

        async def has_room() -> bool:
            status = await _get(self._queue, self._http, "/status")
            # Asked last: a queue that was reset has room, and what it gets then keeps every trainer away.
            if await _get(self._queue, self._http, "/info") != self._info:
                raise TrainerError(
                    f"The queue at {self._queue.url} has lost its trainer, or has another one than when the push "
                    "began; nothing more was pushed. The same command goes on."
                )
            waiting = _count(self._queue, status, "queue_size")
            return waiting * self._size < self._info["batch_size"]

        await _until(self._queue, "a trainer that takes what is waiting", has_room)
        key = payload["group_overrides"][_NAME]
        pushes.enter(key, "open")
        answer = await _post(self._queue, self._http, "/scored_data", {**payload, "env_id": self._env_id})
        if answer.get("status") != "received":
            raise TrainerError(
                f"A group was pushed to {self._queue.url}, which answered {answer} instead of taking it; nothing "
                "more was pushed."
            )
        pushes.enter(key, "received")


@asynccontextmanager
async def _joined(queue: Queue, size: int, longest: int) -> AsyncGenerator[_Joined]:
    async with httpx2.AsyncClient(verify=trusted(), timeout=_ANSWER_SECONDS) as http:
        info: Mapping[str, int] = {}

        async def has_trainer() -> bool:
            nonlocal info
            info = await _get(queue, http, "/info")
            if "batch_size" not in info or _count(queue, info, "batch_size") <= 0:
                return False
            _count(queue, info, "max_token_len")
            return True

        # A group that comes before its trainer would leave the queue without one for ever.
        await _until(queue, "a trainer that has registered", has_trainer)
        if size < 2 or size & (size - 1) or info["batch_size"] % size:
            raise SettingsError(
                f"Groups of 2, 4, 8, … that the trainer's batch of {info['batch_size']} can be made of were wanted and "
                f"`group_size` is {size}; nothing was pushed."
            )
        joined = _Joined(queue, http, size, info)
        await joined.register(longest)
        try:
            yield joined
        finally:
            # The queue may be what failed; it holds nothing against a source that is gone.
            with suppress(TrainerError):
                await joined.leave()


async def _until(queue: Queue, what: str, is_so: Callable[[], Awaitable[bool]]) -> None:
    until = monotonic() + queue.patience_seconds
    while not await is_so():
        if monotonic() > until:
            raise TrainerError(
                f"There was to be {what} at {queue.url}, and for {queue.patience_seconds:g} s there was none; nothing "
                "more was pushed. The same command goes on."
            )
        await asyncio.sleep(_PAUSE_SECONDS)


async def _get(queue: Queue, http: httpx2.AsyncClient, path: str) -> Mapping[str, Any]:
    """What the queue says of itself; a connection that broke is no reason to give up at once."""
    return await _answer(queue, lambda: http.get(f"{queue.url.rstrip('/')}{path}"), httpx2.TransportError)


async def _post(
    queue: Queue, http: httpx2.AsyncClient, path: str, body: Mapping[str, Any]
) -> Mapping[str, Any]:
    """What the queue answers; only what was never sent is sent again."""
    try:
        return await _answer(
            queue, lambda: http.post(f"{queue.url.rstrip('/')}{path}", json=body), httpx2.ConnectError
        )
    except httpx2.TransportError as error:
        raise TrainerError(
            f"The queue at {queue.url} broke off while it was told something ({type(error).__name__}); nothing "
            "more was pushed. The same command finds out what arrived, and goes on."
        ) from error


async def _answer(
    queue: Queue, ask: Callable[[], Awaitable[httpx2.Response]], harmless: type[httpx2.TransportError]
) -> Mapping[str, Any]:
    """What comes of asking, which is done again after an error that is harmless."""
    failed = 0
    while True:
        try:
            return _read(await ask())
        except harmless as error:
            failed += 1
            if failed == _ATTEMPTS:
                raise _unreachable(queue, error) from error
        await asyncio.sleep(_PAUSE_SECONDS)


def _read(answer: httpx2.Response) -> Mapping[str, Any]:
    try:
        body = answer.json() if answer.is_success else None
    except (ValueError, RecursionError):
        body = None
    if not isinstance(body, dict):
        raise TrainerError(
            f"An object of JSON was wanted of {answer.request.url} and its answer was {answer.status_code} without "
            "one; nothing more was pushed."
        )
    return cast("Mapping[str, Any]", body)


def _count(queue: Queue, answer: Mapping[str, Any], name: str) -> int:
    """The number of this name in an answer; raises TrainerError for what is none."""
    value: object = answer.get(name)
    if not isinstance(value, int) or isinstance(value, bool):
        raise TrainerError(
            f"A number was wanted for {name} of the queue at {queue.url} and its answer has none; nothing more was "
            "pushed."
        )
    return value


def _unreachable(queue: Queue, error: Exception) -> TrainerError:
    return TrainerError(
        f"A queue was wanted at {queue.url}, which cannot be reached ({error}); nothing more was pushed. The same "
        "command goes on."
    )
