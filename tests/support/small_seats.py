"""Long games of seats for small models: words that are written for them, and every prompt that they were sent."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Literal, NamedTuple
from zlib import crc32

from pydantic import JsonValue

from checkpoints.store import open_store
from entente.board.types import Power
from entente.games.runner import GameMaster
from entente.models.tokens import letters_in
from entente.models.wire import ModelReply, ModelRequest
from entente.players.actions import order_lines
from entente.players.bundle import Bundle, Fold
from entente.players.model.interview import interview_request
from entente.players.model.player import ModelPlayer
from entente.players.model.seat import Seat
from entente.players.model.settings import SeatSettings
from entente.players.protocol import Player, Reply
from entente.players.roster import make_player
from entente.players.seating import Chair
from graph.context import GameSettings
from tests.players.model.words import Call, calls, order, remember, send, text_reply

Floor = Literal["rounds", "conductor", "gunboat"]
MODEL = "openai:smollm2@http://127.0.0.1:8080/v1"
"""Nobody asks it; its name tells how many letters a token has."""

_CHATS = 3
"""So often a power talks in a phase in which it may at any time: an answer to each answer would never end."""


class Asked(NamedTuple):
    """A prompt, as a seat's model was sent it."""

    phase: str
    power: Power
    stage: str
    """`talk`, `orders`, `diary`, `interview`; behind it `again` where orders, or a whole reply, are asked for again."""
    units: int
    """What the power has on the board."""
    request: ModelRequest

    @property
    def letters(self) -> int:
        """Of messages and tools."""
        return letters_in(self.request)


@dataclass
class SmallSeats:
    """A player factory whose seats order as a scripted player does, and talk as much as they may.

    Of the replies of each, one in seven cannot be read, and two powers' orders are asked for twice.
    """

    settings: SeatSettings
    letters_a_token: float = 2.9
    """That their server counts in the first phase, as one did."""
    asked: list[Asked] = field(default_factory=list[Asked])

    def __call__(self, chair: Chair) -> Player:
        return _SmallSeat(self, Seat.of(self.settings, model=MODEL))


@dataclass
class _SmallSeat:
    all: SmallSeats
    seat: Seat
    decides: Player = field(default_factory=lambda: make_player("dumbbot"))

    async def take_turn(self, bundle: Bundle, /) -> Reply:
        alone = replace(bundle, round=0, wake=0)
        lines = order_lines((await self.decides.take_turn(alone)).actions)
        words = _Words(self, bundle, lines)
        question = interview_request(ModelPlayer(words, self.seat), bundle, "Whom do you trust?")
        words.note("interview", question)
        return await ModelPlayer(words, self.seat).take_turn(bundle)

    async def keep_diary(self, fold: Fold, /) -> Reply:
        return await ModelPlayer(_Words(self, fold.bundle, ()), self.seat).keep_diary(fold)


@dataclass
class _Words:
    """What the model of a seat says in one turn."""

    seat: _SmallSeat
    bundle: Bundle
    lines: Sequence[str]
    calls: int = 0

    async def complete(self, request: ModelRequest, /) -> ModelReply:
        self.calls += 1
        is_again = self.calls > 1 or self.bundle.rejected
        self.note(f"{request.purpose}{' again' if is_again else ''}", request)
        letters = letters_in(request)
        counted = {"prompt_letters": letters, "prompt_tokens": int(letters / self.seat.all.letters_a_token)}
        reply = self._reply(request)
        return reply.model_copy(update={"usage": reply.usage.model_copy(update=counted)})

    def note(self, stage: str, request: ModelRequest) -> None:
        at, power = self.bundle.board.position, self.bundle.power
        self.seat.all.asked.append(Asked(str(at.phase), power, stage, len(at.units[power]), request))

    def _reply(self, request: ModelRequest) -> ModelReply:
        if self.calls == 1 and self._rambles(request):
            rambling = "I think of what they said, and of what I could do. " * 30
            return calls(("think", {"of": rambling})) if request.purpose == "diary" else text_reply(rambling)
        finish = "finish_orders" if self.bundle.wants_orders else "finish_negotiation_round"
        return calls(*self._said(request), (finish, {}), text="Who can attack me? I look at my borders. " * 8)

    def _rambles(self, request: ModelRequest) -> bool:
        if request.purpose == "diary":
            return self.bundle.power == "RUSSIA"
        return crc32(f"{self.bundle.seed} {self.bundle.wake}".encode()) % 7 == 0

    def _said(self, request: ModelRequest) -> list[Call]:
        bundle = self.bundle
        if request.purpose == "diary":
            return [remember("diary", "We met in the west, they broke their word, and I fought on. " * 20)]
        kept = [
            remember(key, f"{bundle.board.phase} {key}: I go where nobody stands. " * 12) for key in "abc"
        ]
        if bundle.wants_orders:
            is_wrong = bundle.power in ("FRANCE", "ITALY") and not bundle.rejected
            return [order(*(f"{line} NOWHERE" if is_wrong else line for line in self.lines)), *kept]
        orders = [order(*self.lines)] if bundle.wake or bundle.drafts else []
        return [*self._messages(), *kept, *orders]

    def _messages(self) -> list[Call]:
        bundle = self.bundle
        if bundle.wake > _CHATS:
            return []
        at = f"{bundle.board.phase} {bundle.round}.{bundle.wake}"
        words = f"{at}: let us go on together, and leave the land between us empty until the fall. " * 2
        return [send(other, words, commitments=self._promises()) for other in bundle.press_allowed]

    def _promises(self) -> list[JsonValue]:
        power = self.bundle.power
        units = self.bundle.board.position.units[power][:2]
        return [{"kind": "order", "act": "propose", "by": power, "order": f"{unit} H"} for unit in units]


async def every_prompt(floor: Floor, actions: Literal["tools", "json"], last_year: int) -> Sequence[Asked]:
    """All that seven seats of the `short` set with no other settings were sent in a game up to this year."""
    settings: dict[str, JsonValue] = {
        "everyone": MODEL,
        "floor": floor,
        "seed": 7,
        "max_year": last_year,
        "stalemate_years": 0,
        "models": {"prompts": "short", "actions": actions},
        **({"drafts": True} if floor == "rounds" else {}),
        **({"debounce_ms": 0} if floor == "conductor" else {}),
    }
    game = GameSettings.model_validate(settings)
    seats = SmallSeats(SeatSettings(prompts="short", actions=actions))
    async with open_store("memory") as store:
        master = GameMaster(store, seats)
        await master.run(await master.begin(game))
    return seats.asked
