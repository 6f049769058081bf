"""A seat can be asked anything at any moment; the game does not notice."""

from collections.abc import AsyncGenerator, Sequence
from pathlib import Path
from typing import NamedTuple

import pytest
import pytest_asyncio

from checkpoints.store import Store, open_store
from entente.cli.prompts_work import context_at, rehearsal_at
from entente.errors import EntenteError, SettingsError, UnknownMoment, UnknownPower
from entente.games.digest import journal_digest, state_digest
from entente.games.interview import interview
from entente.games.runner import GameMaster, Standing
from entente.models.client import Connections
from entente.models.mock.server import MockServer, Recorded, mock_server
from entente.models.tokens import letters_a_token
from entente.players.seating import Seating
from graph.context import GameSettings

QUESTION = "Whom do you trust?"
pytestmark = pytest.mark.asyncio(loop_scope="module")  # of the table, whose server answers all tests


class Table(NamedTuple):
    server: MockServer
    played: Sequence[Recorded]
    """What the server was asked for the game, before anybody's interview."""
    store: Store
    seating: Seating
    standing: Standing


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def table() -> AsyncGenerator[Table]:
    """A game that was played to its end, once for all tests, with a model in the seat of FRANCE."""
    async with open_store("memory") as store, mock_server() as server, Connections() as connections:
        seating = Seating(connections, {})
        master = GameMaster(store, seating)
        seats = {"FRANCE": f"openai:mock@{server.url}"}
        settings = GameSettings(everyone="diplomat", seats=seats, rounds=2, max_year=1902)
        standing = await master.run(await master.begin(settings))
        yield Table(server, [*server.requests], store, seating, standing)


async def asked(table: Table, power: str = "FRANCE", at: str | None = None) -> str:
    """All that the model was shown for the answer."""
    reply = await interview(table.store, table.seating, table.standing.game, power, QUESTION, at)
    assert reply.text
    assert reply.usage.purpose == "interview"
    return "\n".join(str(message["content"]) for message in table.server.requests[-1].messages)


@pytest.mark.parametrize(
    ("at", "told"),
    [
        (None, "# W1902A"),
        ("S1901M", "# S1901M, talk, round 1 of 2"),
        ("S1901M.2", "# S1901M, talk, round 2 of 2"),
        ("F1901M.orders", "# F1901M, orders"),
    ],
)
async def test_a_seat_is_asked_with_what_it_knew_then(table: Table, at: str | None, told: str) -> None:
    shown = await asked(table, at=at)
    assert told in shown or at is None
    assert shown.rstrip().endswith(QUESTION)


@pytest.mark.parametrize("at", ["S1901M", "S1901M.2", "F1901M.orders", "S1902M.2"])
async def test_what_a_seat_reads_can_be_looked_at_word_for_word(table: Table, at: str) -> None:
    calls = len(table.server.requests)
    told = await rehearsal_at(table.store, table.standing.game, "France", at)
    sent = [[str(m["content"] or "") for m in request.messages] for request in table.played]
    assert [message.content for message in told.messages] in sent
    assert len(table.server.requests) == calls
    assert f"# {at[:6]}" in told.messages[-1].content
    context = await context_at(table.store, table.standing.game, "FRANCE", at)
    assert context.current_phase_info.phase_name == at[:6]
    assert context.agent_instructions in told.messages[0].content


async def test_other_texts_and_seats_without_a_model_can_be_rehearsed(table: Table, tmp_path: Path) -> None:
    game = table.standing.game
    (tmp_path / "model_interview.md").write_text("{question}")
    (tmp_path / "personas").mkdir()
    (tmp_path / "personas" / "ITALY.md").write_text("You sell ice.")
    usual = await rehearsal_at(table.store, game, "ITALY", "S1901M")
    own = await rehearsal_at(table.store, game, "ITALY", "S1901M", str(tmp_path))
    short = await rehearsal_at(table.store, game, "ITALY", "S1901M", "short")
    assert "You sell ice." in own.messages[0].content
    assert "You sell ice." not in usual.messages[0].content
    for part in ("system: Map", "1 user: Your units and what they can do"):
        assert (
            dict(short.sections)[part] < dict(usual.sections)[part] / 2
        )  # it has another form there, not only words
    chars = sum(len(message.content) for message in usual.messages)
    assert sum(tokens for name, tokens in usual.sections if name != "tools") == pytest.approx(
        chars / letters_a_token(""), abs=2 * len(usual.sections)
    )


async def test_what_came_later_is_not_known(table: Table) -> None:
    assert "# F1901M" in await asked(table, at="F1901M")
    assert "# F1901M" not in await asked(table, at="S1901M.2")
    assert "round 2 of 2" not in await asked(table, at="S1901M")


async def test_the_game_is_not_changed(table: Table) -> None:
    async def digests() -> tuple[str, str]:
        standing = await GameMaster(table.store).look(table.standing.game)
        return state_digest(standing.state), await journal_digest(
            table.store.journal, standing.game, standing.state
        )

    before = await digests()
    for at in (None, "S1901M.2", "F1902M.orders"):
        await asked(table, at=at)
    assert await digests() == before


@pytest.mark.parametrize(
    ("power", "at", "error"),
    [
        ("ITALY", None, SettingsError),
        ("NARNIA", None, UnknownPower),
        ("FRANCE", "S1950M", UnknownMoment),
        ("FRANCE", "yesterday", UnknownMoment),
        ("FRANCE", "S1901M.2.FRANCE", UnknownMoment),
    ],
)
async def test_who_or_when_cannot_be_asked_is_told(
    table: Table, power: str, at: str | None, error: type[EntenteError]
) -> None:
    calls = len(table.server.requests)
    with pytest.raises(error):
        await asked(table, power, at)
    assert len(table.server.requests) == calls
