"""Signals while a game is played: the first pauses it, the second stops it at once."""

import asyncio
import signal
from collections.abc import Generator
from contextlib import contextmanager

from langgraph.runtime import RunControl

from entente.cli.output import say

_SIGNALS = (signal.SIGINT, signal.SIGTERM)


@contextmanager
def pausable() -> Generator[RunControl]:
    """A control that the first SIGINT or SIGTERM drains; a second one cancels the task."""
    control = RunControl()
    loop, task = asyncio.get_running_loop(), asyncio.current_task()
    assert task is not None  # noqa: S101 - a command's coroutine is run as one

    def stop(received: signal.Signals) -> None:
        if control.drain_requested:
            task.cancel()
            return
        control.request_drain(received.name)
        say("Pausing: the turns in progress finish first. Again to stop at once.")

    for each in _SIGNALS:
        loop.add_signal_handler(each, stop, each)
    try:
        yield control
    finally:
        for each in _SIGNALS:
            loop.remove_signal_handler(each)
