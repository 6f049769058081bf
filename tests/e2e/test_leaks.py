"""Nobody reads what is not theirs: canaries in everything private, searched for in every view of every reader.

`test_leak_surfaces.py` runs the commands, and fails where there is a command, route, stream or tool that it does not
know; what shows a game in another way is added to `VIEWS` here in the commit that makes it.
"""

import asyncio
import json
import logging
import shutil
from collections.abc import AsyncGenerator, Awaitable, Callable
from dataclasses import asdict
from io import StringIO
from pathlib import Path
from typing import NamedTuple

import pytest
from pydantic import JsonValue
from rich.console import Console

from checkpoints.store import Store, open_store
from entente.cli.live import Progress, Screen
from entente.cli.log_work import Wanted, follow_events
from entente.cli.situation import Situation
from entente.floors.journal_ledger import after_turns, ledger_after
from entente.games.interview import interview
from entente.games.pending import PendingSeat
from entente.games.runner import GameMaster, Standing
from entente.games.spending import spending_of
from entente.players.actions import Action
from entente.players.model.player import ModelPlayer
from entente.players.model.prompt import conversation
from entente.players.model.seat import Seat
from entente.players.model.settings import SeatSettings
from entente.players.program import SeatHandle
from entente.players.projection import events_of, press_of
from entente.players.record import TurnRecord
from entente.press.commitments import Status
from entente.press.mailbox import Reader
from graph.context import GameSettings
from graph.state import board_of
from tests.support.answers import an_order
from tests.support.canaries import (
    ADVICE,
    CANARY,
    COMMITMENT,
    MODELS,
    OF_FLOOR,
    POWERS,
    READERS,
    Listener,
    a_cast,
    adjudicated,
    foreign,
    found,
    records,
    secret_lines,
)
from tests.support.patience import PATIENCE
from tests.support.players import Cast
from tests.support.terminal import start


async def log(store: Store, standing: Standing, reader: Reader) -> str:
    """What `entente log --power` and every event stream show."""
    events = [event for record in await records(store, standing) for event in events_of(record, reader)]
    return "\n".join(event.model_dump_json() for event in events)


async def press(store: Store, standing: Standing, reader: Reader) -> str:
    """What `entente press --power` shows."""
    turns = [record for record in await records(store, standing) if isinstance(record, TurnRecord)]
    return "\n".join(message.model_dump_json() for message in press_of(turns, reader))


async def commitments(store: Store, standing: Standing, reader: Reader) -> str:
    """What a reader may know of the ledger, in words and as JSON."""
    turns = [record for record in await records(store, standing) if isinstance(record, TurnRecord)]
    now = [turn for turn in turns if turn.phase == standing.state["phase"]]
    ledger = await ledger_after(store.journal, standing.game, standing.state["history"])
    known = after_turns(ledger, now, board_of(standing.state)).seen_by(reader)
    told = [*known.open, *known.ended]
    return "\n".join([*map(str, told), *(json.dumps(each.to_json()) for each in told)])


async def seats(store: Store, standing: Standing, reader: Reader) -> str:
    """What a person is asked."""
    return "\n".join(seat.view.model_dump_json() for seat in standing.pending if seat.power == reader)


async def dialog(store: Store, standing: Standing, reader: Reader) -> str:
    """What a person at a terminal is shown before it answers, and may look up."""
    situations = [Situation(store, standing, seat) for seat in standing.pending if seat.power == reader]
    shown = [
        text for each in situations for text in (await each.text(), await each.press(), await each.log())
    ]
    return "\n".join([*shown, *(str(each.view.orders_given) for each in situations)])


async def live(store: Store, standing: Standing, reader: Reader) -> str:
    """The live view, which anybody may look at over the operator's shoulder."""
    progress = await Progress.of(store, standing.game)
    for record in await records(store, standing):
        progress.take(record)
    shown = StringIO()
    Console(file=shown, width=200).print(Screen(progress))
    return "\n".join((progress.line(standing.state["phase"]), progress.summary(), shown.getvalue()))


async def usage(store: Store, standing: Standing, reader: Reader) -> str:
    """What `entente usage` shows: anybody may know what was spent."""
    return (await spending_of(store, standing.game)).model_dump_json()


async def public_state(store: Store, standing: Standing, reader: Reader) -> str:
    """The parts of the state that the commands print."""
    shown = ("status", "phase", "round", "board", "chronicle", "outcome", "settings")
    return json.dumps({key: standing.state[key] for key in shown})


ASKED_AT = {
    "rounds": (None, "S1901M.2", "S1901M.orders", "S1902M.2"),
    "conductor": (None, "S1901M.1", "S1901M.2", "S1902M.1"),
}


async def asked(store: Store, standing: Standing, reader: Reader) -> str:
    """What `entente ask` shows to a seat's model, now and earlier."""
    listener = Listener()
    if isinstance(reader, str) and reader in MODELS:
        for at in ASKED_AT[standing.state["settings"]["floor"]]:
            await interview(
                store, lambda _: ModelPlayer(listener), standing.game, reader, "Who is your friend?", at
            )
    return "\n".join(listener.asked)


VIEWS: dict[str, Callable[[Store, Standing, Reader], Awaitable[str]]] = {
    view.__name__: view for view in (log, press, commitments, seats, dialog, live, usage, asked, public_state)
}


class Played(NamedTuple):
    """A game of secretive powers that asks France again for its orders of the second year's second movement phase."""

    location: str
    standing: Standing
    cast: Cast


@pytest.fixture(scope="module", params=["rounds", "conductor"])
def once_played(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Played:
    """The game, which is only read."""
    return asyncio.run(play_to_the_question(str(tmp_path_factory.mktemp("played") / "store"), request.param))


async def play_to_the_question(location: str, floor: str) -> Played:
    cast = a_cast()
    settings = GameSettings(
        everyone="openai:secretive", seats={"FRANCE": "human"}, floor=floor, max_year=1902, **OF_FLOOR[floor]
    )
    async with open_store(location) as store:
        master = GameMaster(store, cast)
        standing = await master.run(await master.begin(settings))
        while not (standing.pending[0].phase == "F1902M" and standing.pending[0].view.verdicts):
            seat = standing.pending[0]
            words: JsonValue = {"messages": [{"to": "ITALY", "text": "canary-FRANCE-to-ITALY"}]}
            cannot_be_used: JsonValue = {"orders": ["canary-FRANCE-order"]}
            orders = an_order(seat) if seat.view.verdicts else cannot_be_used
            standing = await master.answer(standing.game, {seat: orders if _has_spoken(seat) else words})
    return Played(location, standing, cast)


@pytest.fixture
def played(once_played: Played) -> tuple[Standing, Cast]:
    """How the game stands, and whom it was played with."""
    return once_played.standing, once_played.cast


@pytest.fixture
async def played_store(once_played: Played, tmp_path: Path) -> AsyncGenerator[Store]:
    """A store of the test's own, in which the game is."""
    shutil.copytree(once_played.location, tmp_path / "store")
    async with open_store(str(tmp_path / "store")) as store:
        yield store


def _has_spoken(seat: PendingSeat) -> bool:
    """True when the seat has spoken in the phase, and its orders are wanted."""
    return seat.ask == "orders" or (seat.ask == "open" and seat.round > 1)


def test_every_canary_is_planted(played: tuple[Standing, Cast]) -> None:
    kinds = {
        m[0].split("-")[2]
        for b in played[1].seen
        for m in CANARY.finditer(repr((b.memory, b.sent, b.rejected, b.earlier)))
    }
    assert kinds >= {"to", "memory", "diary", "order", "thought"}
    assert len(played[1].folds) == 6
    known = [c for b in played[1].seen for c in (*b.ledger.open, *b.ledger.ended)]
    assert {c.status for c in known} >= {Status.PROPOSED, Status.ACCEPTED}
    assert {power for c in known for power in c.parties} == {*POWERS} - {"FRANCE"}


async def test_no_reader_finds_anothers_orders_before_they_are_adjudicated(
    played_store: Store, played: tuple[Standing, Cast]
) -> None:
    line = await records(played_store, played[0])
    for reader in READERS:
        secret = secret_lines(line, played[0].state["phase"], reader) - adjudicated(line)
        assert len(secret) > 3
        for name, view in VIEWS.items():
            assert found(secret, await view(played_store, played[0], reader)) == set(), name
    secret = secret_lines(line, played[0].state["phase"], "OPERATOR") - adjudicated(line)
    told = await log(played_store, played[0], "OPERATOR")
    assert found(secret, told) == secret


async def test_no_reader_finds_what_is_anothers(played_store: Store, played: tuple[Standing, Cast]) -> None:
    for reader in READERS:
        for name, view in VIEWS.items():
            assert foreign(await view(played_store, played[0], reader), reader) == [], name


async def test_the_operator_and_the_owners_do_find_it(
    played_store: Store, played: tuple[Standing, Cast]
) -> None:
    text = await log(played_store, played[0], "OPERATOR")
    assert "canary-AUSTRIA-to-ENGLAND" in text
    assert "canary-AUSTRIA-order" in text
    assert "canary-AUSTRIA-diary" in text
    assert "canary-AUSTRIA-thought" in text
    assert ADVICE.search(text)
    assert COMMITMENT.search(await commitments(played_store, played[0], "OPERATOR"))
    assert "AUSTRIA and ENGLAND" in await commitments(played_store, played[0], "ENGLAND")
    assert "AUSTRIA and ENGLAND" in await asked(played_store, played[0], "ENGLAND")
    own = await log(played_store, played[0], "AUSTRIA")
    assert "canary-AUSTRIA-diary" in own
    assert "canary-AUSTRIA-thought" in own
    for owner in ("AUSTRIA", "ENGLAND"):
        assert "canary-AUSTRIA-to-ENGLAND" in await press(played_store, played[0], owner)


async def test_a_seat_that_is_asked_knows_its_own(played_store: Store, played: tuple[Standing, Cast]) -> None:
    assert "canary-ITALY-memory" in await asked(played_store, played[0], "ITALY")
    assert "canary-ITALY-thought" in await asked(played_store, played[0], "ITALY")
    assert "canary-FRANCE-order" in await seats(played_store, played[0], "FRANCE")  # it is asked again


async def test_no_bundle_holds_what_is_anothers(played_store: Store, played: tuple[Standing, Cast]) -> None:
    line = await records(played_store, played[0])
    for bundle in played[1].seen:
        shown = (
            bundle.inbox,
            bundle.sent,
            bundle.memory,
            bundle.folded,
            bundle.press,
            bundle.last_movement,
            bundle.chronicle,
            bundle.rejected,
            bundle.press_allowed,
            bundle.history,
            bundle.earlier,
        )
        assert foreign(repr(shown), bundle.power) == []
        for ledger in (bundle.ledger, bundle.phase_ledger):
            assert [c for c in (*ledger.open, *ledger.ended) if bundle.power not in c.parties] == []
        phase = str(bundle.board.phase)
        others = adjudicated(record for record in line if record.phase != phase)
        secret = secret_lines(line, phase, bundle.power) - others
        assert found(secret, repr(shown)) == set()


async def test_the_board_that_a_handle_shows_is_everybodys(played: tuple[Standing, Cast]) -> None:
    async def act(_: Action) -> None:
        raise AssertionError

    for bundle in played[1].seen:
        handle = SeatHandle(bundle, act)
        assert CANARY.search(repr((handle.board_state(), handle.my_possible_orders()))) is None


async def test_no_diary_is_folded_from_what_is_anothers(played: tuple[Standing, Cast]) -> None:
    for fold in played[1].folds:
        power = fold.bundle.power
        known = [(past.messages, past.events) for past in fold.past]
        assert f"canary-{power}-to-" in repr(known)
        assert foreign(repr(known), power) == []
        parties = [commitment.parties for past in fold.past for commitment in past.commitments]
        assert parties
        assert all(power in pair for pair in parties)


@pytest.fixture(scope="module")
def conducted() -> Cast:
    """A game of secretive powers on the conductor's floor, where they are told of everything there is."""
    cast = a_cast()
    settings = GameSettings(
        everyone="openai:secretive",
        floor="conductor",
        wake="every-event",
        max_wakes=3,
        debounce_ms=0,
        max_year=1902,
    )

    async def play() -> None:
        async with open_store("memory") as store:
            master = GameMaster(store, cast)
            await master.run(await master.begin(settings))

    asyncio.run(play())
    return cast


@pytest.mark.parametrize("actions", ["tools", "json"])
def test_no_conversation_on_the_conductors_floor_holds_what_is_anothers(
    conducted: Cast, actions: str
) -> None:
    seat = Seat(SeatSettings().over({"actions": actions}))
    shown: dict[Reader, str] = {}
    for bundle in conducted.seen:
        events = [asdict(event) for phase in bundle.history for event in phase.events()]
        text = f"{conversation(bundle, seat)!r} {events}"
        assert foreign(text, bundle.power) == []
        shown[bundle.power] = text
    for power in POWERS:  # what is its own is there, to the last
        own = {m[0].removeprefix(f"canary-{power}-") for m in CANARY.finditer(shown[power]) if m[1] == power}
        assert own >= {"order", "misspelt", "diary", "memory-1", "thought"}


@pytest.mark.parametrize("floor", ["rounds", "conductor"])
async def test_no_follower_reads_what_is_anothers(tmp_path: Path, floor: str) -> None:
    """`entente log --follow`: of some readers as it is run, a process each, while this one plays the game."""
    cast = a_cast()
    settings = GameSettings(everyone="openai:secretive", floor=floor, max_year=1902, **OF_FLOOR[floor])
    location, shown = str(tmp_path / "store"), dict[Reader, str]()
    async with open_store(location) as store, asyncio.TaskGroup() as group:
        master = GameMaster(store, cast)
        game = await master.begin(settings)
        command = ("log", game, "--follow", "--json", "--store", location, "--power")
        processes = {reader: start(*command, reader) for reader in ("FRANCE", "PUBLIC")}
        for reader in (*READERS, "OPERATOR"):
            group.create_task(_follow(store, game, reader, shown))
        await master.run(game)
    for reader, process in processes.items():
        out, err = await asyncio.to_thread(process.communicate, timeout=PATIENCE)
        assert (process.returncode, err) == (0, "")
        assert [json.loads(line) for line in out.splitlines()] == [
            json.loads(line) for line in shown[reader].splitlines()
        ]
    for reader in READERS:
        assert foreign(shown[reader], reader) == [], reader
    for power in POWERS:
        own = {m[0] for m in CANARY.finditer(shown["OPERATOR"]) if power in (m[1], m[2])}
        assert {m[0] for m in CANARY.finditer(shown[power])} == own
        assert {f"canary-{power}-order", f"canary-{power}-diary"} <= own


async def _follow(store: Store, game: str, reader: Reader, shown: dict[Reader, str]) -> None:
    events = follow_events(store, game, reader, Wanted.of([], None, None))
    lines = [event.model_dump_json() async for event in events]
    shown[reader] = "\n".join(lines)


async def test_orders_are_their_owners_until_the_phase_is_adjudicated(
    played_store: Store, played: tuple[Standing, Cast]
) -> None:
    standing = played[0]
    for reader in READERS:
        mine = [
            event.data["orders"]
            for record in await records(played_store, standing)
            if isinstance(record, TurnRecord) and record.phase == "F1902M" and record.power != reader
            for event in events_of(record, reader)
            if "orders" in event.data
        ]
        assert mine == []


async def test_no_log_line_tells_anything_private(
    played_store: Store, caplog: pytest.LogCaptureFixture, played: tuple[Standing, Cast]
) -> None:
    caplog.set_level(logging.DEBUG)
    master = GameMaster(played_store, a_cast())
    await master.answer(played[0].game, {played[0].pending[0]: {"orders": []}})
    assert [record.getMessage() for record in caplog.records if CANARY.search(record.getMessage())] == []
