"""People write while others think: what they send is kept, taken once, and read by whom it is for and nobody else."""

import asyncio
from collections.abc import AsyncGenerator, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from zipfile import ZipFile

import pytest
from langgraph.runtime import RunControl
from pydantic import JsonValue

from checkpoints.archive import export_game
from checkpoints.drafts import SeatDraft
from checkpoints.early import EarlyAnswer
from checkpoints.journal import Journal
from checkpoints.store import Store
from entente.board.types import Phase, Power
from entente.errors import NotWaiting
from entente.games.absence import hand_over
from entente.games.drafts import draft_of, forget_draft, keep_draft, unsent_before
from entente.games.early import keep_early, question_for
from entente.games.feed import events_after
from entente.games.pending import PendingSeat
from entente.games.runner import GameMaster, Standing
from entente.games.waited_for import waited_for
from entente.players.bundle import Bundle
from entente.players.protocol import Player, Reply
from entente.players.record import PhaseRecord, TurnRecord
from entente.players.roster import HUMAN, make_player
from entente.players.seating import Chair
from graph.context import GameSettings
from graph.state import board_of

SLOW = "bots:Slow"
QUICK = "bots:Quick"


@dataclass
class Thinkers:
    """Seats a player that says nothing before it is let, and one that says nothing at once."""

    may_answer: asyncio.Event = field(default_factory=asyncio.Event)
    is_asked: asyncio.Event = field(default_factory=asyncio.Event)
    read: list[str] = field(default_factory=list[str])
    """What the quick one has found in its mail."""
    has_read: asyncio.Event = field(default_factory=asyncio.Event)

    def __call__(self, chair: Chair) -> Player:
        players: dict[str, Player] = {SLOW: _Slow(self), QUICK: _Quick(self)}
        return players.get(chair.player) or make_player(chair.player)


@dataclass
class _Slow:
    all: Thinkers

    async def take_turn(self, bundle: Bundle, /) -> Reply:
        del bundle
        self.all.is_asked.set()
        await self.all.may_answer.wait()
        return Reply([])


@dataclass
class _Quick:
    all: Thinkers

    async def take_turn(self, bundle: Bundle, /) -> Reply:
        self.all.read += [message.content for message in bundle.inbox if message.content not in self.all.read]
        if self.all.read:
            self.all.has_read.set()
        return Reply([])


@dataclass
class Table:
    """A game whose Italy thinks until it is let, with people in France and England."""

    store: Store
    master: GameMaster
    thinkers: Thinkers
    game: str
    running: asyncio.Task[Standing]

    async def question(self, power: Power = "FRANCE") -> PendingSeat | None:
        return await question_for(self.store, await self.master.look(self.game), power)

    async def asked(self, power: Power = "FRANCE") -> PendingSeat:
        question = await self.question(power)
        assert question is not None
        return question

    async def send(self, *, to: Power = "", orders: Sequence[str] = (), power: Power = "FRANCE") -> None:
        answer: dict[str, JsonValue] = {"messages": [{"to": to, "text": f"{power} to {to}"}] if to else []}
        if orders:
            answer["orders"] = [*orders]
        await keep_early(self.store, self.game, await self.asked(power), answer)

    async def persons(self) -> list[TurnRecord]:
        """What people have said and the journal has."""
        records = (await self.store.journal.records_after(self.game, 0)).records
        return [each for each in records if isinstance(each, TurnRecord) and each.player == HUMAN]

    async def let_them_answer(self) -> Standing:
        self.thinkers.may_answer.set()
        return await self.running


@asynccontextmanager
async def thinking(store: Store, **settings: object) -> AsyncGenerator[Table]:
    """The table, with Italy thinking."""
    seats = {"FRANCE": HUMAN, "ENGLAND": HUMAN, "ITALY": SLOW, "GERMANY": QUICK}
    values = {"seats": seats, "everyone": "hold", "max_year": 1901, **settings}
    thinkers = Thinkers()
    master = GameMaster(store, thinkers)
    game = await master.begin(GameSettings.model_validate(values))
    running = asyncio.create_task(master.run(game))
    await thinkers.is_asked.wait()
    try:
        yield Table(store, master, thinkers, game, running)
    finally:
        running.cancel()
        await asyncio.wait([running])


async def test_in_rounds_a_message_is_sent_while_others_think_and_read_after_the_round(store: Store) -> None:
    async with thinking(store, rounds=2) as table:
        early = await table.asked()
        assert (early.is_early, early.ask, early.round, early.name) == (True, "talk", 1, "S1901M.talk.1")
        await keep_draft(store, table.game, "FRANCE", "S1901M", SeatDraft(messages=("GERMANY: a draft",)))
        await table.send(to="GERMANY")
        assert (await draft_of(store, table.game, "FRANCE", "S1901M")).is_empty
        assert await table.question() is None
        assert (await table.persons(), table.thinkers.read) == ([], [])
        standing = await table.let_them_answer()
        # FRANCE has answered its question when it would be opened: it is ENGLAND that is waited for.
        assert [(seat.power, seat.name) for seat in standing.pending] == [("ENGLAND", "S1901M.talk.0")]
        standing = await table.master.answer(table.game, {standing.pending[0]: None})
        said = [message.content for turn in await table.persons() for message in turn.messages]
        assert (said, table.thinkers.read) == (["FRANCE to GERMANY"], ["FRANCE to GERMANY"])
        assert [(seat.power, seat.round) for seat in standing.pending] == [("ENGLAND", 2), ("FRANCE", 2)]


async def test_on_the_conductors_floor_a_message_is_read_while_others_think(store: Store) -> None:
    async with thinking(store, floor="conductor") as table:
        assert (await table.asked()).name == "S1901M.open.0"
        await table.send(to="GERMANY")
        await table.thinkers.has_read.wait()
        assert not table.running.done()
        await table.send(to="ENGLAND", orders=["A PAR - BUR"])
        standing = await table.let_them_answer()
        assert standing.state["orders"]["FRANCE"] == ["A PAR - BUR"]
        (asked,) = standing.pending
        assert (asked.power, [message.content for message in asked.view.press]) == (
            "ENGLAND",
            ["FRANCE to ENGLAND"],
        )
        assert len([turn for turn in await table.persons() if turn.power == "FRANCE"]) == 2


@pytest.mark.parametrize("floor", ["rounds", "conductor"])
async def test_two_tabs_send_one_answer(store: Store, floor: str) -> None:
    async with thinking(store, floor=floor) as table:
        tabs = [await table.asked(), await table.asked()]
        answer: JsonValue = {"messages": [{"to": "GERMANY", "text": "once"}]}
        await keep_early(store, table.game, tabs[0], answer)
        with pytest.raises(NotWaiting, match=r"FRANCE's answer for S1901M .* nothing of it was taken"):
            await keep_early(store, table.game, tabs[1], answer)
        await table.let_them_answer()
        assert [len(turn.messages) for turn in await table.persons()] == [1]


class Killed(BaseException):
    """What a test kills a run with."""


@pytest.mark.parametrize("is_committed", [True, False], ids=["after-its-turn", "before-its-turn"])
@pytest.mark.parametrize("floor", ["rounds", "conductor"])
async def test_what_was_sent_before_a_kill_is_given_once(
    store: Store, monkeypatch: pytest.MonkeyPatch, floor: str, is_committed: bool
) -> None:
    commit = Journal.commit_turns

    async def killed(journal: Journal, turns: Sequence[TurnRecord], early: object = None) -> list[TurnRecord]:
        if early is None:
            return await commit(journal, turns)
        if is_committed:
            await commit(journal, turns, early)  # pyright: ignore[reportArgumentType]
        raise Killed

    async with thinking(store, **{"rounds": {"rounds": 1}, "conductor": {"floor": floor}}[floor]) as table:
        with monkeypatch.context() as patch:
            patch.setattr(Journal, "commit_turns", killed)
            await table.send(to="GERMANY")
            with suppress(Killed):
                await table.let_them_answer()
        assert [len(turn.messages) for turn in await table.persons()] == [1] * is_committed
        await table.master.run(table.game)
        said = [message.content for turn in await table.persons() for message in turn.messages]
        assert said == ["FRANCE to GERMANY"]
        assert (await unsent_before(store, table.game, "FRANCE", "F1901M")) == {}


async def test_who_answers_while_the_game_is_put_away_is_taken_with_the_next_run(store: Store) -> None:
    """The run that was to take the answer is killed while programs think."""
    async with thinking(store, rounds=1) as table:
        await table.send(to="GERMANY")
        table.running.cancel()
        await asyncio.wait([table.running])
        assert await table.question() is None  # nobody plays, and nothing is open
        table.thinkers.may_answer.set()
        standing = await table.master.run(table.game)
        assert [seat.power for seat in standing.pending] == ["ENGLAND"]


@pytest.mark.parametrize("floor", ["rounds", "conductor", "gunboat"])
async def test_what_was_sent_early_is_given_where_the_seat_is_handed_over_meanwhile(
    store: Store, floor: str
) -> None:
    """The stand-in answers from the next question on, until the seat is given back."""
    answer: dict[str, JsonValue] = {"messages": [{"to": "GERMANY", "text": "mine"}]}
    if floor == "gunboat":
        answer = {"orders": ["A PAR - BUR"]}
    async with thinking(store, floor=floor, **({"rounds": 2} if floor == "rounds" else {})) as table:
        seat = await table.asked()
        table.running.cancel()
        await asyncio.wait([table.running])
        number = {"game": table.game, "power": "FRANCE", "phase": seat.phase, "number": seat.number}
        early = EarlyAnswer.model_validate({**number, "ask": seat.ask, "answer": answer})
        await store.early.keep(early, has_written=True, has_ordered=True)
        await hand_over(store, table.game, "FRANCE")
        table.thinkers.may_answer.set()
        standing = await table.master.run(table.game)
        while standing.state["phase"] == "S1901M":
            (seat,) = standing.pending
            assert seat.power == "ENGLAND"
            holds: JsonValue = {"orders": ["F LON H"]} if seat.ask == "open" else None
            standing = await table.master.answer(table.game, {seat: holds})
        own, *others = [turn for turn in await table.persons() if turn.power == "FRANCE"]
        assert own.stand_in == ""
        assert [message.content for message in own.messages] == ["mine"] * ("messages" in answer)
        assert own.orders == (("A PAR - BUR",) if floor == "gunboat" else ())
        assert {turn.stand_in for turn in others} == {"dumbbot"}
        assert await store.early.waiting(table.game) == []


async def test_orders_are_sent_while_programs_still_order(store: Store) -> None:
    async with thinking(store, floor="gunboat") as table:
        assert (await table.asked()).ask == "orders"
        await table.send(orders=["A PAR - BUR"])
        assert await table.question() is None
        await table.send(orders=["F LON - NTH"], power="ENGLAND")
        standing = await table.let_them_answer()
        played = await store.journal.phases(table.game, standing.state["history"])
        ordered = {(result.power, result.order) for result in played[0].results}
        assert {("FRANCE", "A PAR - BUR"), ("ENGLAND", "F LON - NTH")} <= ordered


@pytest.mark.parametrize("floor", ["rounds", "conductor"])
async def test_between_two_phases_nobody_is_asked(
    memory_store: Store, monkeypatch: pytest.MonkeyPatch, floor: str
) -> None:
    """A phase that is adjudicated is asked about no more, and the next one not before its news are told."""
    control, commit = RunControl(), Journal.commit_phase

    async def stopping(journal: Journal, phase: PhaseRecord, leads_to: str) -> PhaseRecord:
        control.request_drain("the phase is adjudicated")
        return await commit(journal, phase, leads_to)

    monkeypatch.setattr(Journal, "commit_phase", stopping)
    settings = {"seats": {"FRANCE": HUMAN}, "everyone": "hold", "max_year": 1901, "floor": floor}
    master = GameMaster(memory_store)
    game = await master.begin(GameSettings.model_validate(settings))
    standing = await master.run(game)
    while standing.pending:
        orders: JsonValue = {} if standing.pending[0].ask == "talk" else {"orders": ["A PAR H"]}
        standing = await master.answer(game, {standing.pending[0]: orders}, control=control)
    assert (standing.state["phase"], board_of(standing.state).phase) == ("S1901M", Phase.parse("F1901M"))
    async with memory_store.leases.hold(game):
        assert await question_for(memory_store, standing, "FRANCE") is None
        assert await waited_for(memory_store, game) == []


async def test_what_the_game_never_took_is_told_as_unsent(store: Store) -> None:
    """As where the deadline has closed the phase while nobody looked."""
    async with thinking(store, floor="conductor") as table:
        asked = await table.asked()
        table.running.cancel()
        await asyncio.wait([table.running])
        answer: JsonValue = {"messages": [{"to": "GERMANY", "text": "too late"}], "orders": ["A PAR H"]}
        with pytest.raises(NotWaiting):  # nobody plays, and nothing is asked
            await keep_early(store, table.game, asked, answer)
        early = EarlyAnswer(
            game=table.game, power="FRANCE", phase="S1901M", ask="open", number=0, answer=answer
        )
        assert await store.early.keep(early, has_written=True, has_ordered=True)
        unsent = await unsent_before(store, table.game, "FRANCE", "F1901M")
        assert unsent["S1901M"].lines() == ["GERMANY: too late", "A PAR H"]
        assert await unsent_before(store, table.game, "ENGLAND", "F1901M") == {}
        await forget_draft(store, table.game, "FRANCE", "S1901M")
        assert await store.early.waiting(table.game) == []
        await store.early.keep(early, has_written=True, has_ordered=True)
        await store.library.delete(table.game)
        assert await store.early.waiting(table.game) == []


@pytest.mark.parametrize("floor", ["rounds", "conductor", "gunboat"])
async def test_what_was_sent_early_is_nobody_elses_before_it_is_taken(
    store: Store, tmp_path: Path, floor: str
) -> None:
    async with thinking(store, floor=floor) as table:
        seat = await table.asked()
        early = EarlyAnswer(
            game=table.game,
            power="FRANCE",
            phase=seat.phase,
            ask=seat.ask,
            number=9,
            answer={"draw": "canary"},
        )
        await store.early.keep(early, has_written=False, has_ordered=False)
        shown: list[object] = [await table.question("ENGLAND"), await table.master.look(table.game)]
        readers = ("ENGLAND", "ITALY", "PUBLIC", "OPERATOR")
        shown += [await events_after(store, table.game, 0, reader) for reader in readers]
        shown += [await store.library.games(), await store.journal.records_after(table.game, 0)]
        await export_game(store.library, table.game, tmp_path / "game.zip")
        shown.append(_texts(tmp_path / "game.zip"))
        for other in (await store.library.copy(table.game), "nobody"):
            shown.append(await store.early.waiting(other))
        assert "canary" not in repr(shown)


def _texts(archive: Path) -> list[bytes]:
    with ZipFile(archive) as file:
        return [file.read(name) for name in file.namelist()]
