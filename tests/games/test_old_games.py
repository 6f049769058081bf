"""Games that an earlier entente has begun: they are read, and played to their end.

The fixtures are exports, one for each version of the state's schema; they are never made anew. When the schema
changes, a game of the version before joins them.
"""

from pathlib import Path

import pytest
from pydantic import JsonValue

from checkpoints.archive import import_game
from checkpoints.store import Store
from entente.games.line import records_on_line
from entente.games.runner import GameMaster, PendingSeat, RunEnd
from entente.players.record import TurnRecord

FIXTURES = sorted((Path(__file__).parent / "fixtures").glob("schema-*.entente"))


def test_there_is_a_game_of_every_schema() -> None:
    assert [path.stem for path in FIXTURES] == ["schema-1"]


@pytest.mark.parametrize("path", FIXTURES, ids=lambda path: path.stem)
async def test_an_old_game_is_read_and_played_to_its_end(store: Store, path: Path) -> None:
    game = await import_game(store.library, path)
    master = GameMaster(store)
    standing = await master.look(game)
    assert [(seat.power, seat.phase, seat.ask) for seat in standing.pending] == [("TURKEY", "F1901M", "talk")]
    before = await records_on_line(store.journal, game, standing.state)
    assert sum(len(record.messages) for record in before if isinstance(record, TurnRecord)) > 5
    while standing.pending:
        answers: dict[PendingSeat, JsonValue] = dict.fromkeys(standing.pending, None)
        standing = await master.answer(game, answers)
    assert standing.end is RunEnd.FINISHED
    after = await records_on_line(store.journal, game, standing.state)
    assert after[: len(before)] == before
