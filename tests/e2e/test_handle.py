"""Programs that play a power through a seat's handle: woken by what reaches the seat, heard at once."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field, fields

import pytest

from checkpoints.store import Store
from entente.board.types import Position
from entente.board.verdicts import LineVerdict, Verdict
from entente.errors import NotWaiting, PlayerError, PressError
from entente.games.runner import GameMaster, RunEnd, Standing
from entente.players.bundle import Bundle
from entente.players.program import AgentPlayer, SeatHandle
from entente.players.protocol import Player
from entente.players.seat_events import SeatEvent, SeatEventKind
from entente.players.seating import Chair
from graph.context import GameSettings
from tests.e2e.test_conductor import conducted, once, turns_of
from tests.support.patience import PATIENCE
from tests.support.players import Cast, say

AGENT = "agent:scout"


@dataclass
class Scout:
    """Plays FRANCE by a function, and remembers what it was woken with."""

    play: Callable[[SeatHandle], Awaitable[None]]
    woken: list[tuple[SeatHandle, Sequence[SeatEvent]]] = field(
        default_factory=list[tuple[SeatHandle, Sequence[SeatEvent]]]
    )

    async def wake(self, handle: SeatHandle, events: Sequence[SeatEvent], /) -> None:
        self.woken.append((handle, events))
        await self.play(handle)

    def of(self, phase: str) -> list[Sequence[SeatEvent]]:
        return [events for handle, events in self.woken if handle.phase == phase]


async def play(store: Store, scout: Scout, cast: Cast | None = None, **settings: object) -> Standing:
    master = GameMaster(store, seated(scout, cast or Cast(scripts={"quiet": once()})))
    return await asyncio.wait_for(master.run(await master.begin(with_scout(**settings))), PATIENCE)


def with_scout(**settings: object) -> GameSettings:
    values: dict[str, object] = {"everyone": "quiet", "seats": {"FRANCE": AGENT}} | settings
    return conducted(**(values if "floor" in settings else values | {"debounce_ms": 0}))


def seated(scout: Scout, cast: Cast) -> Callable[[Chair], Player]:
    return lambda chair: AgentPlayer(scout) if chair.player == AGENT else cast(chair)


async def holds(handle: SeatHandle) -> None:
    await handle.submit_orders(options[0] for options in handle.my_possible_orders().values())


async def test_an_agent_sends_press_orders_and_overwrites_its_orders(store: Store) -> None:
    verdicts: list[tuple[LineVerdict, ...]] = []

    async def scout(handle: SeatHandle) -> None:
        if handle.phase != "S1901M":
            return await holds(handle)
        assert handle.board_state().phase.year == 1901
        if not verdicts:
            await handle.send_press("Italy", "Shall we leave Piedmont empty?")
            verdicts.append(await handle.submit_orders(["A PAR - PIC", "Marseilles to Spain", "A MUN - BUR"]))
            burgundy = next(o for o in handle.my_possible_orders()["PAR"] if str(o) == "A PAR - BUR")
            verdicts.append(await handle.submit_orders([burgundy, "A MAR - SPA"]))
        return None

    agent = Scout(scout)
    standing = await play(store, agent)
    assert standing.end is RunEnd.FINISHED
    assert [v.verdict for v in verdicts[0]] == [Verdict.OK, Verdict.REPAIRED, Verdict.REJECTED]
    assert [v.verdict for v in verdicts[1]] == [Verdict.OK, Verdict.OK]
    spring = (await store.journal.phases(standing.game, standing.state["history"]))[0]
    orders = [result.order for result in spring.results if result.power == "FRANCE" and not result.is_default]
    assert sorted(orders) == ["A MAR - SPA", "A PAR - BUR"]
    own = [t for t in await turns_of(store, standing) if (t.power, t.phase) == ("FRANCE", "S1901M")]
    # Two orders and a message, each in its place, and the turn that the waking ends with.
    assert [(len(t.messages), len(t.orders), t.waking and t.waking.was_asked) for t in own] == [
        (1, 0, False),
        (0, 2, False),
        (0, 2, False),
        (0, 0, True),
    ]


async def test_an_agent_is_woken_with_what_has_reached_its_seat_since(memory_store: Store) -> None:
    cast = Cast(scripts={"quiet": once(), "herald": once(say("FRANCE", "hello"))})
    agent = Scout(holds)
    await play(memory_store, agent, cast, seats={"FRANCE": AGENT, "TURKEY": "herald"}, debounce_ms=0)
    events = [event for events in agent.of("S1901M") for event in events]
    assert events[0].kind is SeatEventKind.BOARD_STATE
    press = [event.payload["content"] for event in events if event.kind is SeatEventKind.PRESS]
    assert press == ["hello"]
    opening = agent.of("F1901M")[0]
    assert SeatEventKind.PHASE_CHANGE in [event.kind for event in opening]


async def test_what_an_agent_does_is_read_while_it_is_still_awake(memory_store: Store) -> None:
    answered = asyncio.Event()

    def echo(bundle: Bundle):
        if bundle.inbox:
            answered.set()
        return once()(bundle)

    async def scout(handle: SeatHandle) -> None:
        if handle.phase == "S1901M" and not answered.is_set():
            await handle.send_press("ITALY", "are you there?")
            await answered.wait()
        await holds(handle)

    cast = Cast(scripts={"quiet": once(), "echo": echo})
    standing = await play(memory_store, Scout(scout), cast, seats={"FRANCE": AGENT, "ITALY": "echo"})
    assert standing.end is RunEnd.FINISHED


@pytest.mark.parametrize("to", ["ITALIA", "FRANCE", ""])
async def test_press_that_nobody_can_get_raises_and_is_published_to_nobody(
    memory_store: Store, to: str
) -> None:
    async def scout(handle: SeatHandle) -> None:
        if not handle.bundle.wants_orders:
            with pytest.raises(PressError):
                await handle.send_press(to, "our secret")
        await holds(handle)

    standing = await play(memory_store, Scout(scout))
    turns = await turns_of(memory_store, standing)
    assert "our secret" not in "".join(turn.model_dump_json() for turn in turns)


async def test_what_comes_when_the_phase_is_closed_is_refused_and_reaches_no_later_phase(
    memory_store: Store,
) -> None:
    refused: list[str] = []
    handles: list[SeatHandle] = []

    async def scout(handle: SeatHandle) -> None:
        for old in handles:
            if old.phase != handle.phase:
                with pytest.raises(NotWaiting) as error:
                    await old.submit_orders(["A PAR - BUR"])
                refused.append(str(error.value))
                with pytest.raises(NotWaiting):
                    await old.send_press("ALL", "too late")
        handles.append(handle)
        await holds(handle)

    standing = await play(memory_store, Scout(scout))
    assert refused[0] == "What FRANCE did in S1901M came when the floor was closed; nothing was changed."
    assert "too late" not in "".join(t.model_dump_json() for t in await turns_of(memory_store, standing))
    played = await memory_store.journal.phases(standing.game, standing.state["history"])
    assert "A PAR - BUR" not in {result.order for phase in played for result in phase.results}


async def test_an_agent_that_fails_pauses_the_game_and_what_it_did_stands(store: Store) -> None:
    fails = [True]

    async def scout(handle: SeatHandle) -> None:
        if not handle.bundle.sent and not handle.bundle.wants_orders:
            await handle.send_press("ITALY", "first")
        if fails:
            fails.clear()
            raise ConnectionError("the line is dead")
        if len(handle.bundle.sent) == 1:
            await handle.send_press("ITALY", "second")
        await holds(handle)

    agent = Scout(scout)
    master = GameMaster(store, seated(agent, Cast(scripts={"quiet": once()})))
    game = await master.begin(with_scout())
    with pytest.raises(PlayerError, match="FRANCE"):
        await master.run(game)
    standing = await master.run(game)
    assert standing.end is RunEnd.FINISHED
    # The same events again, and what it had said is in its bundle.
    assert [e.kind for e in agent.woken[0][1]] == [e.kind for e in agent.woken[1][1]][
        : len(agent.woken[0][1])
    ]
    said = [m for t in await turns_of(store, standing) if t.phase == "S1901M" for m in t.messages]
    assert [message.content for message in said] == ["first", "second"]
    assert len({message.id for message in said}) == 2


async def test_an_agent_plays_on_other_floors_one_turn_at_a_time(memory_store: Store) -> None:
    late: list[SeatHandle] = []

    async def scout(handle: SeatHandle) -> None:
        late.append(handle)
        if handle.bundle.wants_orders:
            return await holds(handle)
        with pytest.raises(NotWaiting, match="while press was wanted"):
            await handle.submit_orders(["A PAR H"])
        return await handle.send_press("ALL", f"round {handle.bundle.round}")

    standing = await play(memory_store, Scout(scout), floor="rounds", rounds=2)
    assert standing.end is RunEnd.FINISHED
    said = [
        m.content for t in await turns_of(memory_store, standing) if t.phase == "S1901M" for m in t.messages
    ]
    assert said == ["round 1", "round 2"]
    with pytest.raises(NotWaiting, match="turn was over"):
        await late[0].send_press("ALL", "too late")


def test_the_board_state_holds_nothing_private() -> None:
    assert {each.name for each in fields(Position)} == {
        "map_name",
        "phase",
        "units",
        "dislodged",
        "centers",
        "influence",
    }
