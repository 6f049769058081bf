"""A language model in a seat: one call a turn, and one more when the reply cannot be taken as it is."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, TypeAlias

from pydantic import JsonValue

from entente.board.engine import Board
from entente.errors import ModelError
from entente.models.sent import parts_of, sampling_of
from entente.models.wire import Asked, ChatMessage, KeptReplies, Model, ModelReply, ModelRequest, RawReply
from entente.players.actions import Action, SendMessage, SubmitOrders, UpdateMemory
from entente.players.bundle import DIARY, Bundle, Fold
from entente.players.model.advice import seek_advice
from entente.players.model.diary import fold_prompt
from entente.players.model.layout import within
from entente.players.model.memory import memory_at_opening, not_shown
from entente.players.model.prompt import conversation
from entente.players.model.quoting import escape
from entente.players.model.replies import Desk, ReadReply, read_reply
from entente.players.model.room import letters_of, room_of
from entente.players.model.schema import orders_schema, reply_schema
from entente.players.model.seat import Said, Seat, echoed, exchange
from entente.players.model.tools import FINISH, Wanted, tools_of
from entente.players.protocol import Reply
from entente.press.messages import MessageId

_MORE_ROOM = 4
"""How much more a model may answer that is asked again since its reply was cut off."""
_MAX_COMPLAINT_CHARS = 4_000
"""Of what is told to be wrong with a reply: a runaway one has hundreds of faults."""
_MAX_ECHOED_LETTERS = 4_000
"""Of a reply that its model is shown again where prompts have a bound: the orders of 17 units and a few messages."""
_LONG = "(my calls, which were too long to be shown again)"

_Write: TypeAlias = Callable[[int], tuple[ChatMessage, ...]]


@dataclass(frozen=True, slots=True)
class ModelPlayer:
    """Decides for a power by asking a model; holds nothing between turns."""

    model: Model
    seat: Seat = field(default_factory=Seat)
    replies: KeptReplies | None = None
    """Where a reply is kept while its model is asked to mend it."""

    async def take_turn(self, bundle: Bundle, /) -> Reply:
        """The actions of a reply, mended once; raises ModelError when the provider fails.

        What of the memory did not fit into the phase's opening is noted with its first turn.
        """
        suggested = await seek_advice(bundle, self.seat)
        desk = _desk(bundle, self.seat)
        reply = await self._answer(
            lambda beside: conversation(bundle, self.seat, beside=beside),
            desk,
            bundle,
            is_asked_again=bundle.wants_orders and bool(bundle.rejected),
        )
        reply = reply._replace(suggested=suggested)
        if bundle.earlier:
            return reply
        letters = self.seat.letters_a_token(bundle)
        return reply._replace(
            cut=(*not_shown(memory_at_opening(bundle), self.seat.settings, letters), *reply.cut)
        )

    async def keep_diary(self, fold: Fold, /) -> Reply:
        """The diary folded anew; raises ModelError when the provider fails."""
        prompt = fold_prompt(fold, self.seat)
        desk = replace(_desk(fold.bundle, self.seat), stage="diary", takes_drafts=False, wants_diary=True)
        reply = await self._answer(
            lambda beside: fold_prompt(fold, self.seat, beside=beside).messages, desk, fold.bundle
        )
        return reply._replace(cut=(*prompt.cut, *reply.cut))

    async def _answer(
        self, write: _Write, desk: Desk, bundle: Bundle, *, is_asked_again: bool = False
    ) -> Reply:
        """What stands of the model's reply and of its second one, if the first could not be taken as it was.

        `write` gives the messages, with room for so many letters behind them that the second call has there.
        What the model could not mend stays among the actions where it can be said as one, for the recording layer
        to refuse, and is `unread` where it cannot. A model that is asked for rejected orders again is not asked a
        third time.
        """
        request = self._request(write(0), desk, bundle.board)
        first = await self._ask(request, desk)
        if first.is_clean or (is_asked_again and not first.is_cut_off):
            return _reply([first])
        await self._keep(request, first.reply)
        try:
            desk = _after(desk, first)
            more = _again(first, self.seat, desk.stage, is_bounded=room_of(bundle, self.seat) is not None)
            again = self._request((*write(letters_of(more)), *more), desk, bundle.board)
            second = await self._ask(again, desk)
        except ModelError as error:
            if not first.standing:
                error.calls, error.replies = (first.reply.usage,), (_raw(first),)
                raise
            # The first call is paid for and holds actions: they are kept, and the next turn meets the provider.
            return _reply([first], f"The model could not be asked to mend its reply: {error}")
        return _reply([first, second])

    def _request(self, messages: tuple[ChatMessage, ...], desk: Desk, board: Board) -> ModelRequest:
        return ModelRequest(
            messages=messages,
            tools=tools_of(desk.talk) if self.seat.calls_tools else (),
            purpose="talk" if desk.stage == "open" else desk.stage,
            max_output_tokens=desk.limits.max_output_tokens,
            reply_schema=self._schema(desk, board),
        )

    def _schema(self, desk: Desk, board: Board) -> dict[str, Any] | None:
        """What the model's server is to hold the reply to."""
        if self.seat.settings.actions != "schema":
            return None
        return reply_schema(desk, orders_schema(board, desk.power), thinks=self.seat.thinks_aloud)

    async def _ask(self, request: ModelRequest, desk: Desk) -> ReadReply:
        reply = await self.replies.find(request) if self.replies else None
        reply = reply or await self.model.complete(request)
        return replace(read_reply(reply, desk), asked=self._asked(request))

    def _asked(self, request: ModelRequest) -> Asked:
        parts = parts_of(request)
        return Asked(
            prompt=parts[-1].digest,
            prompt_set=self.seat.texts.digest,
            sampling=sampling_of(self.seat.settings, request),
            parts=parts,
        )

    async def _keep(self, request: ModelRequest, reply: ModelReply) -> None:
        """A call that is finished is never made again, whatever becomes of the next one."""
        if self.replies:
            await self.replies.keep(request, reply)


def _desk(bundle: Bundle, seat: Seat) -> Desk:
    return Desk(
        stage=_stage(bundle),
        power=bundle.power,
        reachable=bundle.press_allowed,
        received=_received(bundle),
        memory=bundle.memory,
        said_chars=sum(len(message.content) for message in bundle.sent),
        limits=seat.settings,
        letters_a_token=seat.letters_a_token(bundle),
        takes_drafts=bundle.wants_draft,
        others=tuple(power for power in bundle.board.powers if power != bundle.power),
        phase=str(bundle.board.phase),
        talk=bundle.rules.talk,
    )


def _received(bundle: Bundle) -> frozenset[MessageId]:
    """What can be replied to: the phase's mail, and what was said of commitments that are still open."""
    mail = [message.id for message in bundle.inbox]
    return frozenset([*mail, *(id_ for c in bundle.ledger.open for id_ in c.messages)])


def _stage(bundle: Bundle) -> Wanted:
    if bundle.wants_orders:
        return "orders"
    return "open" if bundle.is_open else "talk"


def _after(desk: Desk, first: ReadReply) -> Desk:
    """The desk for a second reply, what stands of the first being done; one that was cut off had too little room."""
    sent = [action for action in first.standing if isinstance(action, SendMessage)]
    said = {action.key: action.value for action in first.standing if isinstance(action, UpdateMemory)}
    limit = desk.limits.max_output_tokens
    more = {"max_output_tokens": _MORE_ROOM * limit} if limit and first.is_cut_off else {}
    memory: Mapping[str, JsonValue] = {**desk.memory, **said}
    return replace(
        desk,
        memory=memory,
        limits=desk.limits.model_copy(update=more),
        said_messages=len(sent),
        said_chars=desk.said_chars + sum(len(action.content) for action in sent),
        wants_diary=desk.wants_diary and DIARY not in said,
    )


def _again(first: ReadReply, seat: Seat, stage: Wanted, *, is_bounded: bool) -> list[ChatMessage]:
    """The model's own reply and what is wrong with it; where prompts have a bound, of a long one its text alone."""
    said = [
        Said(
            call.name,
            call.arguments or {},
            f"refused: {escape(call.complaint)}" if call.complaint else "done",
        )
        for call in first.calls
    ]
    complaints = within([f"- {escape(fault)}" for fault in first.faults], _MAX_COMPLAINT_CHARS)
    words = seat.texts.fill("model_again", complaints=complaints, finish=FINISH[stage])
    text = echoed(first.reply.text)
    own = exchange(said, tag="x00", calls_tools=seat.calls_tools, text=text)
    if is_bounded and letters_of(own) > _MAX_ECHOED_LETTERS:
        own = exchange((), tag="x00", calls_tools=seat.calls_tools, text=text or _LONG)
    return [*own, ChatMessage(role="user", content=words)]


def _reply(replies: Sequence[ReadReply], *failures: str) -> Reply:
    """What stands of all replies, what the last of them mended, and what it did not."""
    # A second reply that says nothing has not mended anything: then the first one's faults are still there.
    last = next((one for one in reversed(replies) if one.calls), replies[-1])
    standing = [action for one in replies for action in one.standing]
    passed_on = [call.action for call in last.refused if call.action]
    unread = [
        *(note for one in replies for note in one.notes),
        *(call.complaint for call in last.refused if not call.action),
        *replies[-1].complaints,
        *failures,
    ]
    return Reply(
        _merged([*standing, *passed_on]),
        calls=tuple(one.reply.usage.model_copy(update={"faults": len(one.faults)}) for one in replies),
        replies=tuple(map(_raw, replies)),
        unread=tuple(unread),
        mended=tuple(
            fault for one in replies if one is not last for fault in one.faults if fault not in last.faults
        ),
        thinking="\n".join(filter(None, (one.thinking for one in replies))),
        cut=tuple(cut for one in replies for cut in (*filter(None, [one.reply.cut]), *one.cuts)),
    )


def _raw(read: ReadReply) -> RawReply:
    return RawReply.of(read.reply, read.faults, read.asked)


def _merged(actions: Iterable[Action]) -> tuple[Action, ...]:
    """The actions with all order lines in one of them, and nothing that a model said again in its second reply."""
    lines: dict[str, str] = {}
    others: dict[str, Action] = {}
    for action in actions:
        if isinstance(action, SubmitOrders):
            for line in action.orders:
                lines.pop(_key(line), None)  # said again, it stands where it was said last
                lines[_key(line)] = line
        else:
            others.pop(_subject(action), None)
            others[_subject(action)] = action
    orders = (SubmitOrders(orders=tuple(lines.values())),) if lines else ()
    return (*others.values(), *orders)


def _subject(action: Action) -> str:
    """What makes an action the same one, said again or said otherwise."""
    if isinstance(action, SendMessage):
        return f"to {action.recipient.strip().upper()} {action.content.strip()}"
    return f"memory {action.key}" if isinstance(action, UpdateMemory) else action.tool


def _key(line: str) -> str:
    return " ".join(line.upper().split())
