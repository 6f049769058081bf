"""Whole games: listed, found, copied, forked, pruned and deleted."""

from pathlib import Path

import pytest
from sqlalchemy import Connection, event, func, select

from checkpoints.drafts import SeatDraft
from checkpoints.lists import outcome_rows, stand_ins
from checkpoints.store import Store, open_store
from checkpoints.tables import METADATA
from entente.errors import DamagedRow, GameHeld, SettingsError, UnknownGame
from tests.checkpoints.small_graph import answered, config, played_to_the_question
from tests.support.stores import a_phase, a_segment, a_turn, an_answer, as_made

GAME, OTHER = "0c1a7f04-0000-4000-8000-000000000001", "0c1a9999-0000-4000-8000-000000000002"
FORKED = {"map_name": "standard", "seed": "2"}


async def _a_game(store: Store, game: str = GAME) -> None:
    """Two phases of two segments each, a third under way, and one that was abandoned."""
    journal = store.journal
    async with store.leases.hold(game):
        await journal.create_game(game, settings={"map_name": "standard"})
        for name in ("s1", "s2", "s3", "s4", "s5", "lost"):
            await journal.open_segment(a_segment(game, name))
            await journal.commit_turn(a_turn(game, name, "FRANCE", says=[f"In {name}."]))
        await journal.commit_phase(a_phase(game, "p1", None, "s1", "s2"), "F1901M")
        await journal.commit_phase(a_phase(game, "p2", "p1", "s3", "s4", phase="F1901M"), "F1901M")
        await journal.commit_phase(a_phase(game, "p-lost", "p1", "lost"), "F1901M")
        await journal.set_progress(game, phase="S1902M", status="playing")
    await played_to_the_question(store.saver, game)


async def _segments(store: Store, game: str) -> list[str]:
    return [segment.id for segment in await store.journal.segments(game)]


async def test_games_are_listed_oldest_first_with_who_plays_them(store: Store) -> None:
    for game in (OTHER, GAME):
        await _a_game(store, game)
    async with store.leases.hold(GAME):
        first, second = await store.library.games()
    assert [first.id, second.id] == [OTHER, GAME]
    assert first.held_by is None
    assert second.held_by is not None
    assert (first.phase, first.status, first.settings) == ("S1902M", "playing", {"map_name": "standard"})
    assert first.created_at
    assert second.created_at
    assert first.created_at < second.created_at


async def test_a_game_is_found_by_a_beginning_that_only_it_has(store: Store) -> None:
    for game in (GAME, OTHER):
        await _a_game(store, game)
    for name in (GAME, GAME.upper(), "0c1a7", f" {GAME[:12]} "):
        assert await store.library.find(name) == GAME


@pytest.mark.parametrize("name", ["0c2", "", " ", "ffff", "%"])
async def test_an_unknown_name_is_refused(store: Store, name: str) -> None:
    await _a_game(store)
    with pytest.raises(UnknownGame, match="no game answers"):
        await store.library.find(name)


async def test_a_name_of_several_games_is_refused_with_their_ids(store: Store) -> None:
    for game in (GAME, OTHER):
        await _a_game(store, game)
    with pytest.raises(UnknownGame, match=f"2 answer to '0c1a': {GAME}, {OTHER};"):
        await store.library.find("0c1a")


async def test_a_copy_is_a_whole_game_of_its_own(store: Store) -> None:
    await _a_game(store)
    copy = await store.library.copy(GAME)
    summary = await store.library.summary(copy)
    assert (summary.forked_from, summary.phase, summary.status) == (GAME, "S1902M", "paused")
    assert await _segments(store, copy) == await _segments(store, GAME)
    [turn] = await store.journal.turns(copy, ["s1"])
    assert as_made(turn) == a_turn(copy, "s1", "FRANCE", says=["In s1."])
    assert [phase.id for phase in await store.journal.phases(copy, "p2")] == ["p1", "p2"]
    graph = await played_to_the_question(store.saver, "another")
    assert (await answered(graph, copy, "copy"))[-1] == "copy"
    assert (await answered(graph, GAME, "original"))[-1] == "original"


async def test_a_game_is_copied_while_it_is_played(store: Store) -> None:
    await _a_game(store)
    async with store.leases.hold(GAME):
        assert await store.library.find(await store.library.copy(GAME))


async def test_a_fork_has_the_phases_before_it_and_the_segments_that_it_names(store: Store) -> None:
    await _a_game(store)
    await store.library.fork_rows(GAME, OTHER, settings=FORKED, head="p1", segments=["s3"])
    assert await _segments(store, OTHER) == ["s1", "s2", "s3"]
    assert [turn.segment for turn in await store.journal.turns(OTHER, ["s1", "s3", "s5"])] == ["s1", "s3"]
    assert [phase.game for phase in await store.journal.phases(OTHER, "p1")] == [OTHER]
    assert await store.journal.phase(OTHER, "p2") is None
    summary = await store.library.summary(OTHER)
    assert (summary.forked_from, summary.phase, summary.status) == (GAME, "S1901M", "paused")
    assert summary.settings == FORKED


async def test_a_fork_at_the_very_beginning_has_no_past(store: Store) -> None:
    await _a_game(store)
    await store.library.fork_rows(GAME, OTHER, settings=FORKED, head=None)
    assert await _segments(store, OTHER) == []


async def test_a_fork_that_cannot_be_leaves_nothing(store: Store) -> None:
    await _a_game(store)
    with pytest.raises(DamagedRow):
        await store.library.fork_rows(GAME, OTHER, settings=FORKED, head="p9")
    with pytest.raises(UnknownGame):
        await store.library.fork_rows("0c1a-unknown", OTHER, settings=FORKED, head=None)
    assert [game.id for game in await store.library.games()] == [GAME]


async def test_a_deleted_game_is_gone_with_its_checkpoints(store: Store) -> None:
    for game in (GAME, OTHER):
        await _a_game(store, game)
    await store.library.delete(GAME)
    assert [game.id for game in await store.library.games()] == [OTHER]
    assert await store.journal.segments(GAME) == []
    assert await store.saver.aget_tuple(config(GAME)) is None
    assert await store.saver.aget_tuple(config(OTHER)) is not None


async def test_pruning_keeps_the_journal(store: Store) -> None:
    await _a_game(store)
    await store.library.prune(GAME)
    assert len([found async for found in store.saver.alist(config(GAME))]) == 1
    assert len(await store.journal.phases(GAME, "p2")) == 2


async def test_a_game_that_is_played_is_neither_deleted_nor_pruned(store: Store) -> None:
    await _a_game(store)
    async with store.leases.hold(GAME):
        for change in (store.library.delete, store.library.prune):
            with pytest.raises(GameHeld, match=GAME):
                await change(GAME)
    assert len(await _segments(store, GAME)) == 6


async def test_a_game_that_another_process_plays_is_neither_deleted_nor_pruned(shared_location: str) -> None:
    async with open_store(shared_location) as store, open_store(shared_location) as another:
        await _a_game(store)
        async with another.leases.hold(GAME):
            for change in (store.library.delete, store.library.prune):
                with pytest.raises(GameHeld, match=GAME):
                    await change(GAME)


@pytest.mark.parametrize("change", ["delete", "prune", "copy", "summary"])
async def test_what_is_not_there_cannot_be_changed(store: Store, change: str) -> None:
    with pytest.raises(UnknownGame):
        await getattr(store.library, change)(GAME)


async def test_a_game_is_found_by_its_name_or_a_beginning_of_any_length(store: Store) -> None:
    for game, name in ((GAME, "Summer  cup"), (OTHER, "Summer cup 2")):
        await _a_game(store, game)
        await store.library.rename(game, name)
    for name in ("summer cup", GAME, GAME[:6]):
        assert await store.library.find(name) == GAME
    assert await store.library.find("SUMMER CUP 2") == OTHER
    for name in ("summer", "0"):
        with pytest.raises(UnknownGame, match="2 answer"):
            await store.library.find(name)
    await store.library.rename(OTHER, GAME[:6])  # a name takes no other game's place
    with pytest.raises(UnknownGame, match="2 answer"):
        await store.library.find(GAME[:6])
    assert await store.library.find(GAME) == GAME


async def test_a_name_and_a_note_stay_with_the_game_also_while_it_is_played(store: Store) -> None:
    await _a_game(store)
    async with store.leases.hold(GAME):
        await store.library.rename(GAME, "Opening")
        await store.library.annotate(GAME, "Two lines\nof a note.")
        await store.journal.set_progress(GAME, phase="F1902M", status="playing")
    summary = await store.library.summary(GAME)
    assert (summary.name, summary.note, summary.phase) == ("Opening", "Two lines\nof a note.", "F1902M")
    copy = await store.library.summary(await store.library.copy(GAME))
    assert (copy.name, copy.note) == ("", "")
    await store.library.rename(GAME, "")
    assert (await store.library.summary(GAME)).name == ""


@pytest.mark.parametrize("name", ["x" * 61, "a\x00b", "a\u202eb", "a\udcffb"])
async def test_a_name_that_lists_could_not_show_is_refused(store: Store, name: str) -> None:
    await _a_game(store)
    with pytest.raises(SettingsError, match="nothing was changed"):
        await store.library.rename(GAME, name)
    with pytest.raises(SettingsError, match="nothing was changed"):
        await store.library.annotate(GAME, name * 40)
    with pytest.raises(UnknownGame):
        await store.library.rename(OTHER, "well")


async def test_who_stood_in_is_told_by_game_and_power(store: Store) -> None:
    for game in (GAME, OTHER):
        await _a_game(store, game)
    async with store.leases.hold(GAME):
        for number, (power, name) in enumerate((("ITALY", "hold"), ("ITALY", "dumbbot"), ("TURKEY", "hold"))):
            turn = a_turn(GAME, "s5", power, says=['"stand_in":"nobody"'])
            await store.journal.commit_turn(turn.model_copy(update={"number": number + 1, "stand_in": name}))
    found = await store.library.stand_ins()
    told = [(turn.power, turn.name, turn.segment) for turn in found.pop(GAME)]
    assert (told, found) == (
        [("ITALY", "hold", "s5"), ("ITALY", "dumbbot", "s5"), ("TURKEY", "hold", "s5")],
        {},
    )


async def test_lists_read_outcomes_and_stand_ins_by_their_indexes(tmp_path: Path) -> None:
    async with open_store(str(tmp_path)) as store:
        await _a_game(store)

        def plans(connection: Connection) -> list[str]:
            asked = list[str]()

            def note(_connection: Connection, _cursor: object, statement: str, *_: object) -> None:
                asked.append(statement)

            event.listen(connection, "before_cursor_execute", note)
            outcome_rows(connection)
            stand_ins(connection)
            return [
                str(connection.exec_driver_sql(f"EXPLAIN QUERY PLAN {each}", ("",) * each.count("?")).all())
                for each in asked[:2]
            ]

        found = await store.library.database.read(plans)
    assert ["outcomes" in found[0], "turns_of_stand_ins" in found[1]] == [True, True], found


async def test_a_deleted_game_leaves_nothing_behind(store: Store) -> None:
    await _a_game(store)
    await store.drafts.keep(GAME, "FRANCE", "S1901M", SeatDraft(orders=("A PAR - BUR",)))
    await store.links.make(GAME, "FRANCE", seconds=60)
    await store.words.keep(an_answer(GAME, "FRANCE"))
    await store.library.delete(GAME)

    def left(connection: Connection) -> dict[str, int]:
        counts = {
            table.name: connection.scalar(select(func.count()).select_from(table)) or 0
            for table in METADATA.sorted_tables
        }
        return {name: count for name, count in counts.items() if count}

    assert set(await store.library.database.read(left)) == {"meta", "commit_order"}
