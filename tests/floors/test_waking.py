"""What a power that is woken reads, however much is committed while it is asked."""

from dataclasses import replace

import pytest

from checkpoints.store import Store
from entente.errors import PlayerError
from entente.floors.conductor import ConductorFloor
from entente.floors.table import lay_table
from entente.floors.waking import table_after, waking_bundle
from entente.games.runner import GameMaster
from entente.players.seat_events import SeatEventKind
from entente.press.messages import BROADCAST
from graph.context import GameSettings
from graph.state import board_of, settings_of
from tests.support.players import Cast, say


async def test_who_is_woken_reads_what_stood_then_though_others_speak_meanwhile(memory_store: Store) -> None:
    cast = Cast({"bots:Talker": lambda _: [say(BROADCAST, "Peace?")]}, failing={"TURKEY"})
    master = GameMaster(memory_store, cast)
    values = {"everyone": "bots:Talker", "floor": "conductor", "debounce_ms": 0, "max_wakes": 1}
    game = await master.begin(GameSettings.model_validate(values))
    with pytest.raises(PlayerError):
        await master.run(game)
    state = (await master.look(game)).state
    (segment,) = await memory_store.journal.segments(game)
    rules = ConductorFloor().rules(settings_of(state), board_of(state))
    table = await lay_table(memory_store.journal, state, segment, [], rules)
    turns = await memory_store.journal.turns(game, [segment.id])
    before = turns[:3]
    woken = table_after(replace(table, earlier=()), before)
    before.append(turns[3])
    bundle = waking_bundle(woken, "TURKEY", 1)
    told = [event.payload["id"] for event in bundle.history[-1].unread if event.kind is SeatEventKind.PRESS]
    assert told == [message.id for message in bundle.inbox]
    assert len(told) == 3
