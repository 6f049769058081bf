"""Batches: games side by side, none of them twice, and none that fails in the others' way."""

import asyncio
from collections.abc import Iterator, Sequence
from itertools import count

import pytest
from langgraph.runtime import RunControl

from checkpoints.store import Store, open_store
from entente.arena import GameEnd, PlannedGame, planned, play_batch
from entente.errors import StoreUnavailable
from entente.games.digest import journal_digest
from entente.games.runner import GameMaster, RunEnd
from entente.players.actions import Action
from entente.players.bundle import Bundle
from entente.players.protocol import Player, Reply
from entente.players.roster import make_player
from entente.players.seating import Chair
from graph.context import GameSettings
from tests.support.players import Cast

YEAR = GameSettings(floor="gunboat", everyone="random", max_year=1901)


def games(number: int, base: GameSettings = YEAR) -> list[PlannedGame]:
    return [planned("test", base.model_copy(update={"seed": seed})) for seed in range(number)]


async def digests(store: Store, played: Sequence[PlannedGame]) -> list[str]:
    master = GameMaster(store)
    return [await journal_digest(store.journal, g.id, (await master.look(g.id)).state) for g in played]


async def test_games_side_by_side_are_the_games_that_are_played_one_by_one(memory_store: Store) -> None:
    press = GameSettings(everyone="diplomat", rounds=1, max_year=1901)
    batch = [*games(3), *games(2, press)]
    ends = await play_batch(memory_store, batch, parallel=5)
    assert {end.game.id: (end.end, end.reason) for end in ends} == dict.fromkeys(
        (game.id for game in batch), (RunEnd.FINISHED, "")
    )
    async with open_store("memory") as other:
        await play_batch(other, batch, parallel=1)
        assert await digests(memory_store, batch) == await digests(other, batch)


async def test_a_batch_that_is_played_again_asks_nobody_anything(memory_store: Store) -> None:
    batch = games(2)
    await play_batch(memory_store, batch, parallel=2)
    cast, told = Cast(), list[GameEnd]()

    async def note(end: GameEnd) -> None:
        told.append(end)

    more = [*batch, *games(3)[2:]]
    await play_batch(memory_store, more, parallel=1, make_player=cast, on_end=note)
    assert [(end.game, end.was_over) for end in told] == [*((game, True) for game in batch), (more[2], False)]
    assert {bundle.seed for bundle in cast.seen}


class Together:
    """Players of whom nobody answers before so many games have asked."""

    def __init__(self, number: int) -> None:
        self._meeting = asyncio.Barrier(number)
        self._have_met = set[str]()

    def __call__(self, chair: Chair) -> Player:
        meeting, have_met = self._meeting, self._have_met

        class First:
            async def take_turn(self, bundle: Bundle, /) -> Reply:
                if chair.game not in have_met:
                    have_met.add(chair.game)
                    await meeting.wait()
                return await make_player("hold").take_turn(bundle)

        return First()


async def test_a_game_that_was_killed_in_its_last_step_is_played_to_its_end(memory_store: Store) -> None:
    """The list has it as finished before the checkpoint that says so is written."""
    (game,) = games(1)
    await GameMaster(memory_store).begin(game.settings, game.id)
    async with memory_store.leases.hold(game.id):
        await memory_store.journal.set_progress(game.id, phase="W1901A", status="finished")
    (end,) = await play_batch(memory_store, [game], parallel=1)
    assert (end.end, end.was_over) == (RunEnd.FINISHED, False)
    assert (await GameMaster(memory_store).look(game.id)).end is RunEnd.FINISHED


async def test_so_many_games_are_played_at_once_and_no_more_are_begun(memory_store: Store) -> None:
    begun = list[str]()
    batch = games(6)

    async def none_beyond(end: GameEnd) -> None:
        left = begun.index(end.game.id)
        assert len(begun) <= left + 1 + 3

    ends = await play_batch(
        memory_store,
        batch,
        parallel=3,
        make_player=Together(3),
        on_begin=lambda game: begun.append(game.id),
        on_end=none_beyond,
    )
    assert [end.end for end in ends] == [RunEnd.FINISHED] * 6
    assert begun == [game.id for game in batch]


def fail_in_the_second(bundle: Bundle) -> Sequence[Action]:
    raise ConnectionError("the line is dead")


async def test_a_game_that_fails_is_told_of_and_goes_on_with_the_next_batch(memory_store: Store) -> None:
    failing = planned("test", YEAR.model_copy(update={"seats": {"FRANCE": "bots:Broken"}}))
    batch = [games(2)[0], failing, games(2)[1]]

    class OneFails(Cast):
        def __call__(self, chair: Chair) -> Player:
            if chair.player == "bots:Broken" and not self.scripts:
                self.scripts["bots:Broken"] = fail_in_the_second
            return super().__call__(chair)

    ends = await play_batch(memory_store, batch, parallel=1, make_player=OneFails())
    assert [end.end for end in ends] == [RunEnd.FINISHED, RunEnd.PAUSED, RunEnd.FINISHED]
    assert "FRANCE (bots:Broken) failed in S1901M" in ends[1].reason
    assert ends[1].exit_code == 4
    mended = Cast({"bots:Broken": lambda bundle: ()})
    again = await play_batch(memory_store, batch, parallel=1, make_player=mended)
    assert [(end.end, end.was_over) for end in again] == [
        (RunEnd.FINISHED, True),
        (RunEnd.FINISHED, False),
        (RunEnd.FINISHED, True),
    ]


async def test_a_defect_in_one_game_is_named_and_the_others_are_played(memory_store: Store) -> None:
    bad, good = games(2)

    class Defective(GameSettings):
        """Settings that cannot be written down."""

        def model_dump(self, **_options: object) -> dict[str, object]:
            raise ZeroDivisionError("a defect")

    batch = [bad._replace(settings=Defective(**bad.settings.model_dump())), good]
    ends = await play_batch(memory_store, batch, parallel=2)
    told = {end.game.id: (end.end, end.reason, end.exit_code) for end in ends}
    assert told[bad.id] == (RunEnd.PAUSED, "ZeroDivisionError: a defect", 1)
    assert told[good.id] == (RunEnd.FINISHED, "", 0)


async def test_games_are_taken_from_an_endless_row_until_it_is_drained(memory_store: Store) -> None:
    control, asked = RunControl(), list[int]()

    def endless() -> Iterator[PlannedGame]:
        for seed in count():
            asked.append(seed)
            yield planned("test", YEAR.model_copy(update={"seed": seed}))

    async def enough(_end: GameEnd) -> None:
        if len(asked) == 3:
            control.request_drain("enough")

    ends = await play_batch(memory_store, endless(), parallel=1, control=control, on_end=enough)
    assert [end.end for end in ends] == [RunEnd.FINISHED] * 3
    assert asked == [0, 1, 2]


async def test_a_drain_pauses_every_game_and_the_next_batch_goes_on(memory_store: Store) -> None:
    control, batch = RunControl(), games(4)

    def drain(bundle: Bundle) -> Sequence[Action]:
        control.request_drain("SIGINT")
        return ()

    slow = [planned("test", game.settings.model_copy(update={"everyone": "bots:Slow"})) for game in batch]
    ends = await play_batch(
        memory_store, slow, parallel=2, control=control, make_player=Cast({"bots:Slow": drain})
    )
    assert {end.end for end in ends} == {RunEnd.PAUSED}
    assert {end.reason for end in ends} == {""}
    assert len(ends) <= 2
    again = await play_batch(
        memory_store, slow, parallel=2, make_player=Cast({"bots:Slow": lambda bundle: ()})
    )
    assert [(end.end, end.was_over) for end in again] == [(RunEnd.FINISHED, False)] * 4


async def test_what_concerns_the_whole_store_stops_the_batch() -> None:
    async with open_store("memory") as store:
        pass
    with pytest.raises(StoreUnavailable, match="is closed"):
        await play_batch(store, games(3), parallel=2)
