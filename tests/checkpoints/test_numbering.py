"""Games from before there was an order of commits get the one that they had, as far as it can be known."""

import json
from collections.abc import Sequence

import pytest
from sqlalchemy import Connection, Table, select

from checkpoints.numbering import Line, number_old_rows
from checkpoints.old_wakings import with_wakes
from checkpoints.store import Store
from checkpoints.tables import PHASES, SEGMENTS, TURNS
from entente.games.runner import GameMaster
from tests.support.floors import settings_for


async def _rows(store: Store, table: Table) -> list[Line]:
    def read(connection: Connection) -> list[Line]:
        rows = connection.execute(select(table)).mappings()
        return [dict(row) for row in rows]

    return await store.library.database.read(read)


def _as_before(rows: Sequence[Line]) -> list[Line]:
    """The rows as they were kept before there was an order, in no order at all."""
    old = [{name: row[name] for name in row if name not in ("sequence", "committed_at")} for row in rows]
    for row in old:
        body = json.loads(row["body"])
        if body.get("waking"):
            body["round"] = body["waking"].pop("wake")
            row["body"] = json.dumps(body)
    return sorted(old, key=json.dumps)


def _in_order(*rows: Line) -> list[tuple[object, ...]]:
    placed = sorted(rows, key=lambda row: row["sequence"])
    return [(row.get("segment"), row.get("power"), row.get("number"), row.get("id")) for row in placed]


@pytest.mark.parametrize("floor", ["rounds", "conductor", "gunboat"])
async def test_a_game_of_scripted_players_gets_the_very_order_in_which_it_was_committed(
    memory_store: Store, floor: str
) -> None:
    master = GameMaster(memory_store)
    settings = settings_for({"rounds": 2, "max_year": 1902}, {"floor": floor})
    game = await master.begin(settings)
    await master.run(game)
    turns, phases = await _rows(memory_store, TURNS), await _rows(memory_store, PHASES)
    segments = await _rows(memory_store, SEGMENTS)
    numbered = number_old_rows(_as_before(segments), _as_before(turns), _as_before(phases))
    assert _in_order(*numbered.turns, *numbered.phases) == _in_order(*turns, *phases)
    places = [row["sequence"] for row in (*numbered.turns, *numbered.phases)]
    assert sorted(places) == [*range(1, len(turns) + len(phases) + 1)]
    woken, _ = with_wakes(numbered.turns, ())
    for row, kept in zip(sorted(woken, key=_key), sorted(turns, key=_key), strict=True):
        body = json.loads(row["body"])
        assert body == json.loads(kept["body"])
        assert row["committed_at"] == (body["waking"] and body["waking"]["at"])
    assert {row["committed_at"] for row in numbered.phases} == {None}


def _key(row: Line) -> tuple[str, str, int]:
    return (row["segment"], row["power"], row["number"])
