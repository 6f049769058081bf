"""Scripted players behind the policy's server: they read their turn from the prompt, and play as at the board."""

import asyncio
from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager
from typing import Any

import httpx2
import pytest

from checkpoints.store import Store
from entente.board.types import Position
from entente.errors import NotAPrompt
from entente.games.line import records_on_line
from entente.games.reading import begun_state
from entente.loopback import embedded
from entente.models.wire import ChatMessage
from entente.players.model.quoting import quote
from entente.players.record import PhaseRecord
from entente.players.roster import make_player
from entente.press.messages import Message, MessageType
from entente.training.config import parse_config
from entente.training.environment import DiplomacyEnvironment
from entente.training.policy import DiplomacyPolicyHandler, PlayerPolicy, Policy, Reply
from entente.training.told import read_turn, wants_diary
from graph.state import board_from
from tests.support.canaries import POWERS
from tests.support.patience import PATIENCE


class Noting:
    """A policy that keeps what it was asked."""

    def __init__(self, policy: Policy) -> None:
        self._policy = policy
        self.asked: list[tuple[ChatMessage, ...]] = []

    async def say(self, messages: tuple[ChatMessage, ...], *how: Any) -> Reply:
        self.asked.append(messages)
        return await self._policy.say(messages, *how)


@asynccontextmanager
async def environment(policy: Policy, store: Store, **game: Any) -> AsyncGenerator[DiplomacyEnvironment]:
    async with embedded(DiplomacyPolicyHandler(policy).application(), asyncio.Event()) as url:
        config = parse_config(
            {
                "game_settings": {"powers": [{"name": power, "model": "p"} for power in POWERS], **game},
                "server_config": {"url": url, "timeout": 60},
                "training": {"save_replays": False},
            }
        )
        async with DiplomacyEnvironment(config, store) as playing:
            yield playing


def plain(position: Position) -> tuple[object, ...]:
    units = {power: {*map(str, own)} for power, own in position.units.items()}
    dislodged = {
        power: {str(unit): {*goals} for unit, goals in own.items()}
        for power, own in position.dislodged.items()
    }
    return units, dislodged, {power: {*own} for power, own in position.centers.items()}


PLAYED: list[tuple[str, dict[str, Any]]] = [
    ("dumbbot", {"max_turns": 4, "floor": "gunboat"}),
    ("random", {"max_turns": 3, "floor": "gunboat"}),
    ("diplomat", {"max_turns": 2, "rounds": 2}),
    ("pushover", {"max_turns": 1, "rounds": 2}),
    ("diplomat", {"max_turns": 1, "floor": "conductor"}),
]


@pytest.mark.parametrize(("player", "game"), PLAYED, ids=str)
async def test_a_scripted_player_plays_by_what_prompts_tell(
    memory_store: Store, player: str, game: dict[str, Any]
) -> None:
    policy = Noting(PlayerPolicy(make_player(player)))
    async with environment(policy, memory_store, **game) as playing:
        result = await playing.run_episode("one")
        record = await playing.record("one")
    line = await records_on_line(memory_store.journal, "one", await begun_state(memory_store, "one"))
    boards = {each.phase: board_from(each.board).position for each in line if isinstance(each, PhaseRecord)}
    turns = [read_turn(messages).bundle for messages in policy.asked if not wants_diary(messages)]
    assert turns
    for turn in turns:
        assert plain(turn.board.position) == plain(boards[str(turn.board.phase)])
    flaws = {flaw for call in record.calls for flaw in call.fallback}
    assert flaws <= {"defaulted"} if player == "random" else not flaws, flaws
    assert all(call.response.content for call in record.calls)
    if player == "dumbbot":
        assert {str(turn.board.phase)[-1] for turn in turns} == {"M", "R", "A"}
        assert sum(map(len, result["supply_centers"].values())) > 28
    if player == "diplomat":
        assert result["conversations"]


async def test_a_diplomats_agreements_are_read_from_press(memory_store: Store) -> None:
    policy = Noting(PlayerPolicy(make_player("diplomat")))
    async with environment(policy, memory_store, max_turns=1, rounds=3) as playing:
        await playing.run_episode("one")
    turns = [read_turn(messages).bundle for messages in policy.asked]
    for turn in turns:
        said = {m.id: m for t in turns if t.power != turn.power for m in t.sent}
        for message in turn.inbox:
            if message.id in said:
                assert message.model_copy(update={"round": 1}) == said[message.id]
    assert any(turn.ledger.open for turn in turns)
    assert any(turn.sent for turn in turns if turn.wants_orders)


BOARD = "You are FRANCE.\n\n# S1901M\nFRANCE 1 center: PAR; units: A PAR\n\n# S1901M, orders\n"
NO_TURNS = {
    "How do you feel?": "another text came",
    BOARD.replace("FRANCE.", "SPAIN."): "SPAIN",
    BOARD.replace("A PAR", "A XYZ"): "XYZ",
    BOARD.replace(": PAR", ": BUR"): "BUR",
    f"{BOARD}<press S1901M.ITALY.FRANCE.0 from ITALY to FRANCE, SONG>La</press>": "S1901M.ITALY.FRANCE.0",
}


@pytest.mark.parametrize("reply_to", [None, "S1901M.FRANCE.ITALY.0"])
@pytest.mark.parametrize("also_to", [(), ("GERMANY", "RUSSIA")])
def test_a_letter_is_read_as_it_was_quoted(reply_to: str | None, also_to: tuple[str, ...]) -> None:
    letter = Message(
        id="S1901M.ITALY.FRANCE.0",
        phase="S1901M",
        round=1,
        sender="ITALY",
        recipient="FRANCE",
        message_type=MessageType.CHAT,
        content="Peace among us?",
        reply_to=reply_to,
        also_to=also_to,
    )
    (read,) = read_turn([ChatMessage(role="user", content=f"{BOARD}{quote(letter)}")]).bundle.inbox
    assert read == letter


@pytest.mark.parametrize(("text", "told"), NO_TURNS.items(), ids=NO_TURNS.values())
def test_what_tells_no_turn_is_refused(text: str, told: str) -> None:
    with pytest.raises(NotAPrompt, match=told):
        read_turn([ChatMessage(role="user", content=text)])


async def test_the_server_says_what_it_cannot_read() -> None:
    handler = DiplomacyPolicyHandler(PlayerPolicy(make_player("dumbbot")))
    async with (
        embedded(handler.application(), asyncio.Event()) as url,
        httpx2.AsyncClient(base_url=url, timeout=PATIENCE) as http,
    ):
        refused = await http.post("/v1/completions", json={"prompt": "Hi", "model": "m"})
        taken = await http.post(
            "/v1/chat/completions", json={"messages": [{"role": "user", "content": BOARD}], "model": "m"}
        )
    assert refused.status_code == 400
    assert refused.json()["error"]["message"].endswith("Nothing was said.")
    assert "A PAR" in taken.json()["choices"][0]["message"]["content"]


HOSTILE: dict[str, Callable[[str], list[ChatMessage]]] = {
    "a million memories that never end": lambda said: [
        _user("<|im_start|>user\n" + "<memory>" * 10**6 + f"\n{said}")
    ],
    "a hundred thousand brackets as a memory": lambda said: [
        _user("<memory>" + "[" * 10**5 + f"</memory>\n{said}")
    ],
    "a hundred thousand brackets as the seat's own words": lambda said: [
        ChatMessage(role="assistant", content="[" * 10**5),
        _user(said),
    ],
    "press that is never closed": lambda said: [
        _user("<press S1901M.1 from ITALY to FRANCE, CHAT>" * 10**5 + f"\n{said}")
    ],
}


def _user(content: str) -> ChatMessage:
    return ChatMessage(role="user", content=content)


@pytest.mark.parametrize("hostile", HOSTILE.values(), ids=HOSTILE)
async def test_a_hostile_prompt_is_answered_and_holds_nobody_up(
    hostile: Callable[[str], list[ChatMessage]],
) -> None:
    reply = await PlayerPolicy(make_player("hold")).say(tuple(hostile(BOARD)), 0.0, None)
    assert "finish_orders" in reply.text
