"""Press across forks: every message of a game has a name of its own, and answers name what their writers had read."""

from collections.abc import Mapping, Sequence
from random import Random

import pytest
from pydantic import JsonValue

from checkpoints.store import Store
from entente.board.types import Power
from entente.games.forks import fork_game
from entente.games.line import records_on_line
from entente.games.runner import GameMaster, Standing
from entente.players.actions import Action
from entente.players.bundle import Bundle
from entente.players.moments import moment_of
from entente.players.record import TurnRecord
from entente.press.mailbox import may_read
from entente.press.messages import Message
from graph.context import GameSettings
from graph.state import board_of
from tests.support.players import Cast, say

TALKER = "hold"
"""A seat that is played otherwise here: a fork wants names that the roster has."""
SEATS = {"FRANCE": "human", "GERMANY": "human", "TURKEY": TALKER}
OTHERS = ("human", TALKER, "diplomat", "pushover")


def talks(bundle: Bundle) -> Sequence[Action]:
    """Two messages at each of the first wakings."""
    return (
        []
        if bundle.wants_orders or bundle.wake > 2
        else [say(to, "peace?") for to in bundle.press_allowed[:2]]
    )


def master_over(store: Store) -> GameMaster:
    return GameMaster(store, Cast(scripts={TALKER: talks}))


def answer_of(standing: Standing, power: Power) -> JsonValue:
    """Two messages, and orders from the second stretch on."""
    ordered = standing.pending[0].round > 1
    to = [other for other in board_of(standing.state).survivors if other != power][:2]
    said: dict[str, JsonValue] = {"messages": [{"to": other, "text": f"{power} greets you."} for other in to]}
    if ordered:
        said["orders"] = ["A PAR H"]
    return said


async def played_on(master: GameMaster, game: str, stops: int) -> Standing:
    """As far as so many answers lead, of one person each."""
    standing = await master.run(game)
    for _ in range(stops):
        if not standing.pending:
            break
        seat = standing.pending[0]
        standing = await master.answer(game, {seat: answer_of(standing, seat.power)})
    return standing


async def log_of(store: Store, standing: Standing) -> list[tuple[str, TurnRecord]]:
    records = await records_on_line(store.journal, standing.game, standing.state)
    turns = [record for record in records if isinstance(record, TurnRecord)]
    return [(str(moment_of(turn)), turn) for turn in turns]


def faults(turns: Sequence[TurnRecord]) -> list[str]:
    """Ids that were given before, and answers to what their writers could not have read."""
    found: list[str] = []
    said: dict[str, Message] = {}
    for turn in turns:
        for message in turn.messages:
            if message.id in said:
                found.append(f"{message.id} is given twice")
            answered = said.get(message.reply_to or "")
            if message.reply_to and not (answered and may_read(message.sender, answered)):
                found.append(f"{message.id} answers {message.reply_to}")
        said |= {message.id: message for message in turn.messages}
    return found


async def begun(store: Store, floor: str, seats: Mapping[Power, str]) -> Standing:
    master = master_over(store)
    own = {"rounds": 2} if floor == "rounds" else {"debounce_ms": 0, "max_wakes": 6}
    values = {"floor": floor, "seats": seats, "max_year": 1901} | own
    return await played_on(master, await master.begin(GameSettings.model_validate(values)), 12)


@pytest.mark.parametrize("floor", ["rounds", "conductor"])
async def test_every_message_of_every_fork_has_an_id_of_its_own(memory_store: Store, floor: str) -> None:
    rng = Random(7)
    standing = await begun(memory_store, floor, SEATS)
    log = await log_of(memory_store, standing)
    assert faults([turn for _, turn in log]) == []
    assert {turn.player for _, turn in log if turn.messages} >= {"human", TALKER, "diplomat"}
    moments = sorted({name for name, turn in log if not turn.is_note})
    for at in rng.sample(moments, 12):
        power = rng.choice([at.split(".")[2], *SEATS])
        seats = {power: rng.choice(OTHERS)}
        fork = await fork_game(memory_store, standing.game, at, seats)
        forked = await log_of(memory_store, await played_on(master_over(memory_store), fork, 2))
        assert faults([turn for _, turn in forked]) == [], (at, seats)


@pytest.mark.parametrize(("before", "after"), [(TALKER, "human"), ("human", TALKER), ("diplomat", "human")])
async def test_who_follows_at_a_seat_does_not_name_messages_as_who_sat_there_did(
    memory_store: Store, before: str, after: str
) -> None:
    standing = await begun(memory_store, "conductor", {"FRANCE": before, "GERMANY": "human"})
    log = await log_of(memory_store, standing)
    said = [name for name, turn in log if turn.power == "FRANCE" and turn.messages]
    fork = await fork_game(memory_store, standing.game, said[0], {"FRANCE": after})
    forked = await log_of(memory_store, await played_on(master_over(memory_store), fork, 3))
    assert {turn.player for _, turn in forked if turn.power == "FRANCE" and turn.messages} == {before, after}
    assert faults([turn for _, turn in forked]) == []
