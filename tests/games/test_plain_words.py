"""A person among diplomats, who writes no message id: a yes in plain words makes the peace that was proposed."""

import pytest
from pydantic import JsonValue

from checkpoints.store import Store
from entente.games.line import records_on_line
from entente.games.runner import GameMaster, Standing
from entente.players.record import TurnRecord
from entente.press.messages import Act, CommitmentKind, Message
from tests.support.floors import settings_for


async def mail_of(store: Store, standing: Standing) -> list[Message]:
    records = await records_on_line(store.journal, standing.game, standing.state)
    return [m for record in records if isinstance(record, TurnRecord) for m in record.messages]


@pytest.mark.parametrize("floor", ["rounds", "conductor"])
async def test_a_yes_in_plain_words_binds_the_diplomat_that_proposed(memory_store: Store, floor: str) -> None:
    master = GameMaster(memory_store)
    seats = {"FRANCE": "human"}
    defaults: dict[str, object] = {
        "everyone": "diplomat",
        "seats": seats,
        "floor": floor,
        "max_year": 1901,
        "seed": "881",
    }
    standing = await master.run(await master.begin(settings_for(defaults, {})))
    if floor == "rounds":
        standing = await master.answer(standing.game, {standing.pending[0]: {"messages": []}})
    offers = [
        m
        for m in await mail_of(memory_store, standing)
        if m.recipient == "FRANCE" and any(s.kind is CommitmentKind.PEACE for s in m.commitments)
    ]
    assert offers
    said: JsonValue = [{"to": offers[0].sender, "text": "Yes, agreed. Peace through 1902."}]
    standing = await master.answer(standing.game, {standing.pending[0]: {"messages": said}})
    replies = [
        m for m in await mail_of(memory_store, standing) if m.recipient == "FRANCE" and m.reply_to is not None
    ]
    (reply,) = [m for m in replies if m.sender == offers[0].sender]
    assert "peace through 1902" in reply.content
    assert [(s.act, s.kind, s.by) for s in reply.commitments] == [
        (Act.STATE, CommitmentKind.PEACE, offers[0].sender)
    ]
