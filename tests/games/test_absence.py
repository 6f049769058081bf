"""A scripted player answers for a person who is away, everybody is told, and the seat is given back."""

from typing import Any

import pytest
from pydantic import JsonValue

from checkpoints.store import Store
from entente.errors import SettingsError
from entente.events import Event
from entente.games.absence import give_back, hand_over
from entente.games.feed import events_after
from entente.games.line import played_by, records_on_line, stand_ins
from entente.games.runner import GameMaster, RunEnd, Standing
from entente.players.record import NoticeKind, TurnRecord
from graph.context import parse_settings

FLOORS: dict[str, dict[str, Any]] = {
    "rounds": {"rounds": 1},
    "conductor": {"floor": "conductor"},
    "gunboat": {"floor": "gunboat"},
}
ANSWERS: dict[str, JsonValue] = {
    "talk": {"messages": []},
    "orders": {"orders": []},
    "open": {"orders": ["F NAP H"]},
}
PEOPLE = {"FRANCE": "human", "ITALY": "human"}


async def _begun(store: Store, **changed: Any) -> Standing:
    master = GameMaster(store)
    settings = parse_settings({"everyone": "hold", "seats": PEOPLE, "max_year": 1901} | changed)
    return await master.run(await master.begin(settings))


async def _turns(store: Store, standing: Standing, power: str) -> list[TurnRecord]:
    """The power's turns so far, those of the phase in play too."""
    records = await records_on_line(store.journal, standing.game, standing.state)
    return [each for each in records if isinstance(each, TurnRecord) and each.power == power]


async def _told(store: Store, game: str, reader: str) -> list[Event]:
    return (await events_after(store, game, 0, reader)).events


@pytest.mark.parametrize("floor", FLOORS)
async def test_a_stand_in_answers_and_the_person_comes_back(memory_store: Store, floor: str) -> None:
    master, game = GameMaster(memory_store), (await _begun(memory_store, **FLOORS[floor])).game
    await hand_over(memory_store, game, "FRANCE")
    standing = await master.run(game)
    while standing.state["phase"] == "S1901M":
        (seat,) = standing.pending
        assert seat.power == "ITALY"
        words = ANSWERS[seat.ask]
        standing = await master.answer(game, {seat: words})
    taken = await _turns(memory_store, standing, "FRANCE")
    assert {(turn.player, turn.stand_in) for turn in taken} == {("human", "dumbbot")}
    assert 3 in [len(turn.orders) for turn in taken if turn.phase == "S1901M"]
    assert all(
        [each.kind for each in turn.notices if each.kind is NoticeKind.STOOD_IN] == [NoticeKind.STOOD_IN]
        for turn in taken
    )
    assert "away" in taken[0].notices[-1].detail
    assert (await played_by(memory_store.journal, game, standing.state))["FRANCE"] == "dumbbot for human"
    assert (await stand_ins(memory_store.journal, game, standing.state))["FRANCE"] == "dumbbot"
    for reader in ("FRANCE", "ITALY", "PUBLIC", "OPERATOR"):
        marked = [e for e in await _told(memory_store, game, reader) if "dumbbot stands in" in e.text]
        assert marked, reader
        assert {event.power for event in marked} == {"FRANCE"}
    await give_back(memory_store, game, "FRANCE")
    while {seat.power for seat in standing.pending} == {"ITALY"}:
        (seat,) = standing.pending
        words = ANSWERS[seat.ask]
        standing = await master.answer(game, {seat: words})
    assert "FRANCE" in [seat.power for seat in standing.pending]


async def test_an_answer_to_a_question_that_is_open_gives_the_seat_back(memory_store: Store) -> None:
    master, standing = GameMaster(memory_store), await _begun(memory_store, floor="gunboat")
    await hand_over(memory_store, standing.game, "FRANCE", "Random")
    assert (await memory_store.library.settings(standing.game)).away == {"FRANCE": "random"}
    france = standing.question_for("FRANCE")
    assert france is not None
    standing = await master.answer(standing.game, {france: {"orders": ["A PAR - BUR"]}})
    (turn,) = await _turns(memory_store, standing, "FRANCE")
    assert (turn.stand_in, turn.orders) == ("", ("A PAR - BUR",))
    assert (await memory_store.library.settings(standing.game)).away == {}


async def test_a_stand_in_plays_as_its_player_would_in_a_seat_of_its_own(memory_store: Store) -> None:
    """Alone for a whole game; the record still says whose seat it was."""
    master = GameMaster(memory_store)
    common: dict[str, Any] = {"everyone": "dumbbot", "floor": "gunboat", "max_year": 1901}
    own = await _begun(memory_store, **common, seats={})
    away = await _begun(memory_store, **common, seats={"FRANCE": "human"}, away={"FRANCE": "dumbbot"})
    assert (own.end, away.end) == (RunEnd.FINISHED, RunEnd.FINISHED)
    assert away.state["board"] == own.state["board"]
    assert {turn.player for turn in await _turns(memory_store, away, "FRANCE")} == {"human"}
    assert (await master.look(away.game)).pending == ()


@pytest.mark.parametrize(
    ("power", "player", "said"),
    [
        ("GERMANY", "dumbbot", "A person's seat was wanted (FRANCE, ITALY)"),
        ("SPAIN", "dumbbot", "A person's seat was wanted (FRANCE, ITALY)"),
        ("FRANCE", "human", "A scripted player was wanted"),
        ("FRANCE", "openai:big", "A scripted player was wanted"),
        ("FRANCE", "os:system", "A scripted player was wanted"),
        ("FRANCE", "hold(x=1)", "hold has no knobs"),
    ],
)
async def test_what_cannot_stand_in_is_refused(
    memory_store: Store, power: str, player: str, said: str
) -> None:
    game = (await _begun(memory_store, floor="gunboat")).game
    with pytest.raises(SettingsError) as refused:
        await hand_over(memory_store, game, power, player)
    assert said in str(refused.value)
    assert (await memory_store.library.settings(game)).away == {}


async def test_a_game_that_is_over_keeps_its_seats(memory_store: Store) -> None:
    standing = await _begun(memory_store, floor="gunboat", away=dict.fromkeys(PEOPLE, "hold"))
    assert standing.end is RunEnd.FINISHED
    with pytest.raises(SettingsError, match="The game is over"):
        await hand_over(memory_store, standing.game, "FRANCE")
