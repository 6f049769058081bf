"""Press to several powers: each of them reads who else has it, and nobody else reads anything of it."""

import pytest
from pydantic import JsonValue

from checkpoints.store import Store
from entente.events import EventKind
from entente.games.feed import events_after
from entente.games.runner import GameMaster, Standing
from entente.games.seat_at import seat_at
from entente.players.model.quoting import quote
from entente.press.mailbox import Delayed, Reader
from graph.context import GameSettings

TEXT = "We three against the east."


async def said(store: Store, *messages: dict[str, JsonValue]) -> Standing:
    """How a game stands in whose first round FRANCE has sent these."""
    master = GameMaster(store)
    settings = GameSettings(everyone="hold", seats={"FRANCE": "human"}, rounds=1, max_year=1901)
    game = (await master.run(await master.begin(settings))).game
    (seat,) = (await master.look(game)).pending
    return await master.answer(game, {seat: {"messages": [*messages]}})


async def told(store: Store, game: str, reader: Reader) -> list[str]:
    """The messages that the reader is told of so far."""
    page = await events_after(store, game, 0, reader)
    return [event.text for event in page.events if event.kind is EventKind.MESSAGE]


async def test_each_reads_who_else_has_it_and_nobody_else_reads_it(memory_store: Store) -> None:
    game = (await said(memory_store, {"to": "germany, England", "text": TEXT})).game
    to_england, to_germany = f"FRANCE to ENGLAND, GERMANY: {TEXT}", f"FRANCE to GERMANY, ENGLAND: {TEXT}"
    readers: dict[Reader, list[str]] = {
        "ENGLAND": [to_england],
        "GERMANY": [to_germany],
        "FRANCE": [to_germany, to_england],
        "OPERATOR": [to_germany, to_england],
        "ITALY": [],
        "PUBLIC": [],
        Delayed(1): [],
    }
    for reader, texts in readers.items():
        assert await told(memory_store, game, reader) == texts, reader
    for power, other in (("ENGLAND", "GERMANY"), ("GERMANY", "ENGLAND"), ("ITALY", "")):
        inbox = (await seat_at(memory_store, game, power)).bundle.inbox
        assert [message.also_to for message in inbox] == ([(other,)] if other else [])
        assert all(f", CHAT, also to {other}>{TEXT}" in quote(message) for message in inbox)


async def test_a_message_to_one_says_nothing_of_others(memory_store: Store) -> None:
    apart: list[dict[str, JsonValue]] = [{"to": to, "text": TEXT} for to in ("ENGLAND", "GERMANY", "ALL")]
    game = (await said(memory_store, *apart)).game
    texts = [f"FRANCE to {to}: {TEXT}" for to in ("ENGLAND", "GERMANY", "all")]
    assert await told(memory_store, game, "OPERATOR") == texts
    (first, *_) = (await seat_at(memory_store, game, "ENGLAND")).bundle.inbox
    assert first.also_to == ()


@pytest.mark.parametrize(
    ("to", "why"),
    [
        ("ENGLAND, GERMNY", "'GERMNY' came; the message was delivered to nobody."),
        ("ENGLAND, FRANCE", "FRANCE wrote to itself"),
        ("ENGLAND,", "'' came; the message was delivered to nobody."),
        (",".join(["ENGLAND", *map(str, range(40))]), "the message was delivered to nobody."),
    ],
)
async def test_when_one_name_cannot_be_used_the_message_goes_to_nobody(
    memory_store: Store, to: str, why: str
) -> None:
    standing = await said(memory_store, {"to": to, "text": TEXT})
    (seat,) = standing.pending
    assert why in " ".join(seat.view.verdicts)
    assert await told(memory_store, standing.game, "OPERATOR") == []
