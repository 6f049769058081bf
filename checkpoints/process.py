"""Which process this is, and whether another one still lives."""

import os
import platform
import sys
from itertools import takewhile
from pathlib import Path
from typing import NamedTuple


class Process(NamedTuple):
    """A process, told apart from all others, also from a later one of the same number."""

    machine: str
    """Where process numbers mean the same: a boot and a process namespace on Linux, else the host."""
    host: str
    pid: int
    started: str
    """When it started, in the system's own words; empty where the system does not tell."""
    command: str
    """What it was started as, for people: `entente play`; no arguments, they may hold a password."""


def this_process() -> Process:
    """The process that asks."""
    pid = os.getpid()
    return Process(_machine(), platform.node(), pid, _started(pid), _command(sys.argv))


def is_alive(pid: int, started: str) -> bool:
    """Whether the process that had this number and start on this machine still lives."""
    if started:
        return _started(pid) == started
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except OSError:  # it exists and is not ours
        return True
    return True


def _machine() -> str:
    try:
        boot = Path("/proc/sys/kernel/random/boot_id").read_text(encoding="ascii").strip()
        return f"{boot}/{Path('/proc/self/ns/pid').readlink()}"
    except OSError:
        return platform.node()


def _started(pid: int) -> str:
    try:
        stat = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8", errors="replace")
    except OSError:
        return ""
    state, *rest = stat.rpartition(")")[2].split()
    # proc(5): the third field is the state, the 22nd the start in clock ticks since boot.
    return "" if state in "ZX" else rest[18]


def _command(argv: list[str]) -> str:
    if not argv or not argv[0]:
        return "python"
    words = takewhile(lambda word: word.replace("-", "_").isidentifier() and word[0] != "-", argv[1:3])
    program = Path(argv[0])
    name = program.parent.name if program.name == "__main__.py" else program.name  # python -m package
    return " ".join([name, *words])
