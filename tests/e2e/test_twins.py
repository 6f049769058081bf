"""Nothing is told by its number: two games that differ in the mail of two powers alone are one game to all others."""

from collections.abc import Sequence
from typing import Any

import pytest

from checkpoints.store import open_store
from entente.board.types import Power
from entente.floors.waking import Conductor
from entente.games.feed import events_after
from entente.games.runner import GameMaster
from entente.players.actions import Action, UpdateMemory
from entente.players.bundle import Bundle
from entente.players.model.prompt import conversation
from entente.players.model.seat import Seat
from entente.players.model.settings import SeatSettings
from entente.press.mailbox import Reader
from entente.press.messages import BROADCAST
from graph.context import GameSettings
from tests.support.players import Cast, Script, say

OTHERS = ("ENGLAND", "FRANCE", "GERMANY", "RUSSIA", "TURKEY")
OF_FLOOR: dict[str, dict[str, Any]] = {
    "rounds": {"rounds": 2, "drafts": True},
    "conductor": {"debounce_ms": 0},
}


def writing(letters: int) -> Script:
    """Everybody speaks to all and to a neighbour; AUSTRIA writes so many letters to ITALY besides.

    On the conductor's floor it does so at each waking, so that ITALY is woken for that alone.
    """

    def script(bundle: Bundle) -> Sequence[Action]:
        if bundle.wants_orders:
            return []
        private = [say("ITALY", f"Letter {number}.") for number in range(letters)]
        own = [*private, UpdateMemory(key="letters", value=letters)] if bundle.power == "AUSTRIA" else []
        greetings = [
            say(BROADCAST, f"{bundle.power} greets all."),
            say(bundle.press_allowed[-1], "Good day."),
        ]
        return own if bundle.wake > 1 else [*own, *greetings]

    return script


async def played(floor: str, letters: int) -> tuple[dict[Reader, list[Any]], dict[Reader, list[Any]]]:
    """What each power's model was asked in a game with so many letters, and what each reader's log has of it."""
    cast = Cast(scripts={"openai:writer": writing(letters)})
    settings = GameSettings.model_validate(
        {"everyone": "openai:writer", "floor": floor, "max_year": 1901} | OF_FLOOR[floor]
    )
    async with open_store("memory") as store:
        master = GameMaster(store, cast)
        game = await master.begin(settings)
        await master.run(game)
        seat = Seat(SeatSettings())
        prompts: dict[Reader, list[Any]] = {
            power: [conversation(bundle, seat) for bundle in cast.asked(power)]
            for power in (*OTHERS, "ITALY")
        }
        logs: dict[Reader, list[Any]] = {}
        for reader in (*OTHERS, "PUBLIC", "ITALY"):
            events = (await events_after(store, game, 0, reader, 10_000)).events
            logs[reader] = [event.model_dump(mode="json", exclude={"sequence", "at"}) for event in events]
        return prompts, logs


@pytest.fixture(autouse=True)
def _one_at_a_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """On the conductor's floor nobody is woken while another thinks: who reads what is then no matter of chance."""
    wakeable = Conductor._wakeable

    def first_alone(floor: Conductor) -> list[Power]:
        return [] if floor._asked else wakeable(floor)[:1]

    monkeypatch.setattr(Conductor, "_wakeable", first_alone)


@pytest.mark.parametrize("floor", ["rounds", "conductor"])
async def test_nobody_else_learns_how_much_two_powers_write_to_each_other(floor: str) -> None:
    prompts, logs = await played(floor, 0)
    more_prompts, more_logs = await played(floor, 5)
    assert prompts["ITALY"] != more_prompts["ITALY"]
    assert logs["ITALY"] != more_logs["ITALY"]
    for power in OTHERS:
        assert prompts[power] == more_prompts[power], power
    for reader in (*OTHERS, "PUBLIC"):
        assert logs[reader] == more_logs[reader], reader
