"""Programs in processes of their own, which speak the seat protocol in JSON lines: `exec:./bot --depth 3`.

The program is started when its seat is first asked, without a shell, and asks on stdout what it is answered on stdin.
It is a guest: what it writes to stderr nobody keeps, its requests are bounded, and whatever it does that is no request
of its own seat, for the phase in play, ends it and counts as its failure. It is started anew when its seat is asked
next, and told where the game stands.
"""

import asyncio
import contextlib
import os
import shlex
import shutil
import signal
from asyncio.subprocess import DEVNULL, PIPE, Process, SubprocessStreamProtocol
from collections.abc import Sequence

from pydantic import ValidationError

from entente.display import in_one_line
from entente.errors import NotWaiting, PlayerError, PressError, SettingsError
from entente.players.program import SeatHandle
from entente.players.seat_events import SeatEvent
from entente.players.seat_protocol import (
    REQUESTS,
    Answer,
    BoardState,
    GiveOrders,
    MyPossibleOrders,
    OrdersRead,
    Refused,
    Request,
    SendPress,
    Sent,
    Told,
    WaitForEvent,
    Wanted,
    lines_of,
    possible_orders_of,
    view_of,
)

PREFIX = "exec:"
"""What a seat's text begins with that names a program to start."""
MOST_BYTES = 65_536
"""Of one line; the greatest power's orders and the longest message that a seat may send take a tenth."""
MOST_REQUESTS = 500
"""In one turn."""
TURN_SECONDS = 600.0
"""For one turn: a language model may sit behind the program."""

_GRACE_SECONDS = 1.0
"""For a program to end by itself when its input ends."""


class OutsideAgent:
    """A program that is started in a process of its own, one process a seat."""

    def __init__(self, command: Sequence[str], seconds: float = TURN_SECONDS) -> None:
        self._command = tuple(command)
        self._seconds = seconds
        self._process: Process | None = None
        self._pipes: asyncio.SubprocessTransport | None = None
        self._told = Told()
        self._is_waiting = False
        """True when it has asked for the next event and was not answered yet."""

    async def wake(self, handle: SeatHandle, _events: Sequence[SeatEvent], /) -> None:
        """One turn of the program: from the event to its next `wait_for_event`.

        Raises PlayerError when it ends, is late, or sends what is no request of its seat; then it is ended.
        """
        try:
            async with asyncio.timeout(self._seconds):
                await self._turn(handle)
        except TimeoutError as error:
            await self._kill()
            raise PlayerError(f"it did not end its turn within {self._seconds:g} s.") from error
        except BaseException:
            await self._kill()  # what it still sends would be read in another turn
            raise

    async def close(self) -> None:
        """End the program: its input ends, and a second later it is killed."""
        process = self._process
        if process is None:
            return
        if process.stdin is not None:
            process.stdin.close()
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(_GRACE_SECONDS):
                await process.wait()
        await self._kill()

    async def _turn(self, handle: SeatHandle) -> None:
        process = await self._started()
        is_told = self._is_waiting
        if is_told:
            await self._tell(process, handle)
        for _ in range(MOST_REQUESTS):
            request = await _next_request(process)
            if not isinstance(request, WaitForEvent):
                await _say(process, await _answer(handle, request))
                continue
            if request.after:
                self._told = Told(request.after)
            if is_told:
                self._is_waiting = True
                return
            await self._tell(process, handle)
            is_told = True
        raise PlayerError(f"it made more than {MOST_REQUESTS} requests in one turn.")

    async def _tell(self, process: Process, handle: SeatHandle) -> None:
        event = self._told.news(handle.bundle, wants_of(handle))
        self._is_waiting = False
        await _say(process, event)
        self._told.note(event)

    async def _started(self) -> Process:
        if self._process is None:
            try:
                self._process, self._pipes = await _start(self._command)
            except OSError as error:
                raise PlayerError(f"it could not be started: {error.strerror}.") from error
        return self._process

    async def _kill(self) -> None:
        process, self._process = self._process, None
        self._told, self._is_waiting = Told(), False
        if process is None:
            return
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        for pipe in filter(None, map(self._pipes.get_pipe_transport, (0, 1)) if self._pipes else ()):
            pipe.close()  # `wait` waits for their end too, which is never read where too much has come
        await process.wait()


async def _start(command: Sequence[str]) -> tuple[Process, asyncio.SubprocessTransport]:
    """The process, and what its pipes are closed by; as `create_subprocess_exec` does, which keeps that to itself."""
    loop = asyncio.get_running_loop()
    pipes, protocol = await loop.subprocess_exec(
        lambda: SubprocessStreamProtocol(MOST_BYTES, loop),
        *command,
        stdin=PIPE,
        stdout=PIPE,
        stderr=DEVNULL,
        # In a session of its own: Ctrl-C at our terminal pauses the game, and the turn is finished first.
        start_new_session=True,
    )
    return Process(pipes, protocol, loop), pipes


def command_of(player: str) -> tuple[str, ...]:
    """The command that a seat's text names behind `exec:`; raises SettingsError where no such program is found."""
    try:
        command = tuple(shlex.split(player.removeprefix(PREFIX)))
    except ValueError:
        command = ()
    found = shutil.which(command[0]) if command else None
    if found is None:
        raise SettingsError(
            f"A program that can be started was wanted behind {PREFIX} and {in_one_line(player)!r} came; "
            "no player was made."
        )
    return (found, *command[1:])


def wants_of(handle: SeatHandle) -> tuple[Wanted, ...]:
    """What can be done now, in a fixed order."""
    return tuple(wanted for wanted in ("press", "orders") if wanted in handle.wants)


async def _next_request(process: Process) -> Request:
    """The next line of the program; raises PlayerError, which says nothing of what it wrote."""
    assert process.stdout is not None  # noqa: S101 - it was started with a pipe
    try:
        line = await process.stdout.readline()
    except ValueError as error:
        raise PlayerError(f"it sent a line of more than {MOST_BYTES} bytes.") from error
    if not line:
        raise PlayerError("it ended in the midst of its turn.")
    try:
        return REQUESTS.validate_json(line)
    except ValidationError as error:
        raise PlayerError("it sent a line that is no request of the seat protocol.") from error


async def _say(process: Process, answer: Answer) -> None:
    assert process.stdin is not None  # noqa: S101 - it was started with a pipe
    try:
        process.stdin.write(answer.model_dump_json().encode() + b"\n")
        await process.stdin.drain()
    except ConnectionError as error:
        raise PlayerError("it ended in the midst of its turn.") from error


async def _answer(
    handle: SeatHandle, request: BoardState | MyPossibleOrders | SendPress | GiveOrders
) -> Answer:
    match request:
        case BoardState():
            return view_of(handle.bundle, wants_of(handle))
        case MyPossibleOrders():
            return possible_orders_of(handle.bundle)
        case SendPress() | GiveOrders() if request.phase != handle.phase:
            raise PlayerError(f"it acted for another phase than {handle.phase}, which was in play.")
        case SendPress():
            return await _send(handle, request)
        case GiveOrders():
            return await _order(handle, request)


async def _send(handle: SeatHandle, request: SendPress) -> Answer:
    try:
        await handle.send_press(request.to, request.text)
    except (PressError, NotWaiting) as error:
        return Refused(why=str(error))
    return Sent(to=request.to)


async def _order(handle: SeatHandle, request: GiveOrders) -> Answer:
    try:
        verdicts = await handle.submit_orders(request.orders)
    except NotWaiting as error:
        return Refused(why=str(error))
    return OrdersRead(is_taken=True, lines=lines_of(verdicts))
