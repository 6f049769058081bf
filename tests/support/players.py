"""Players for tests: scripted words behind the real seam."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from random import Random

from entente.board.types import Power
from entente.models.wire import RawReply
from entente.players.actions import Action, SendMessage, SubmitOrders, UpdateMemory
from entente.players.bundle import DIARY, Bundle, Fold
from entente.players.protocol import Player, Reply
from entente.players.roster import make_player
from entente.players.seating import Chair
from entente.press.messages import BROADCAST, Act, CommitmentKind, MessageType, Statement

Script = Callable[[Bundle], Sequence[Action]]


def say(to: Power, text: str) -> SendMessage:
    """A plain message."""
    return SendMessage(recipient=to, message_type=MessageType.CHAT, content=text)


@dataclass(frozen=True)
class Scripted:
    """Plays a function."""

    script: Script
    suggested: tuple[tuple[str, ...], ...] = ()

    async def take_turn(self, bundle: Bundle, /) -> Reply:
        if self.script is not secretive:
            return Reply(self.script(bundle), suggested=self.suggested)
        secret, thinking = f"canary-{bundle.power}-memory", f"canary-{bundle.power}-thought"
        replies = (RawReply(text=secret, reasoning=secret),)
        return Reply(self.script(bundle), suggested=self.suggested, replies=replies, thinking=thinking)


@dataclass
class Cast:
    """A player factory that remembers which bundles it was given, and can let seats fail."""

    scripts: dict[str, Script] = field(default_factory=dict[str, Script])
    """By the seat's spec; specs that are not here are the roster's."""
    seen: list[Bundle] = field(default_factory=list[Bundle])
    failing: set[Power] = field(default_factory=set[Power])
    diaries: dict[str, Callable[[Fold], str]] = field(default_factory=dict[str, Callable[[Fold], str]])
    """By the seat's spec; specs that are not here keep none."""
    folds: list[Fold] = field(default_factory=list[Fold])
    """What diaries were folded from."""
    suggested: tuple[tuple[str, ...], ...] = ()
    """What every script was advised."""

    def __call__(self, chair: Chair) -> Player:
        script = self.scripts.get(chair.player)
        player = Scripted(script, self.suggested) if script else make_player(chair.player)
        if write := self.diaries.get(chair.player):
            return _Diarist(self, player, write)
        return _Watched(self, player)

    def in_place_of_seating(self, *_given: object) -> "Cast":
        """This cast, where the command line would make a Seating."""
        return self

    def asked(self, power: Power) -> list[Bundle]:
        """The bundles that this power was given."""
        return [bundle for bundle in self.seen if bundle.power == power]


@dataclass(frozen=True)
class _Watched:
    cast: Cast
    player: Player

    async def take_turn(self, bundle: Bundle, /) -> Reply:
        self.cast.seen.append(bundle)
        if bundle.power in self.cast.failing:
            raise ConnectionError("the line is dead")
        return await self.player.take_turn(bundle)


@dataclass(frozen=True)
class _Diarist(_Watched):
    write: Callable[[Fold], str]

    async def keep_diary(self, fold: Fold, /) -> Reply:
        self.cast.folds.append(fold)
        return Reply([UpdateMemory(key=DIARY, value=self.write(fold))])


def diary_of_secrets(fold: Fold) -> str:
    """A diary with a canary in it."""
    return f"canary-{fold.bundle.power}-diary"


def secretive(bundle: Bundle) -> Sequence[Action]:
    """Puts a canary into everything that a power has: press and commitments to one, memory, orders, drafts of orders.

    Of the orders one is illegal and the others can be used: what they say is a secret until they are adjudicated.
    """
    mark = f"canary-{bundle.power}"
    orders = SubmitOrders(orders=(*secret_orders(bundle), f"{mark}-order"))
    if bundle.wants_orders:
        return [orders, UpdateMemory(key="plan", value=f"{mark}-memory")]
    friend = bundle.press_allowed[0]
    offer = say(friend, f"{mark}-to-{friend}").model_copy(
        update={
            "commitments": (
                Statement(kind=CommitmentKind.PEACE, act=Act.PROPOSE),
                Statement(kind=CommitmentKind.ORDER, act=Act.STATE, order=f"{mark}-to-{friend}-typed"),
            )
        }
    )
    return [
        offer,
        *_accepting(bundle),
        say("NOBODY", f"{mark}-misspelt"),
        say(BROADCAST, f"public-{bundle.power}"),
        UpdateMemory(key="round", value=f"{mark}-memory-{bundle.round}"),
        orders,
    ]


def secret_orders(bundle: Bundle) -> list[str]:
    """A legal order for each unit by the turn's chance, a support where there is one: texts that nobody guesses."""
    dice, found = Random(bundle.seed), list[str]()
    for options in bundle.board.legal_orders[bundle.power].values():
        texts = [str(order) for order in options]
        found.append(dice.choice([text for text in texts if " S " in text] or texts))
    return found


def _accepting(bundle: Bundle) -> list[SendMessage]:
    """A yes to each proposal that was not answered yet."""
    answered = {message.reply_to for message in bundle.sent}
    return [
        SendMessage(
            recipient=message.sender,
            message_type=MessageType.ACCEPTANCE,
            content=f"canary-{bundle.power}-to-{message.sender}",
            commitments=(Statement(kind=CommitmentKind.PEACE, act=Act.ACCEPT),),
            reply_to=message.id,
        )
        for message in bundle.inbox
        if message.id not in answered and any(s.act is Act.PROPOSE for s in message.commitments)
    ]
