"""The work of `log --raw`: what language models wrote, word for word, and what was made of it."""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from checkpoints.store import Store
from entente.cli.lines import event_line, marked_line
from entente.cli.output import columns_to_tell, say
from entente.cli.printing import echo
from entente.cli.reader_work import refuse_unasked
from entente.errors import SettingsError, UnknownMoment
from entente.events import Event, EventKind
from entente.games.line import records_on_line
from entente.games.reading import begun_state
from entente.models.wire import CallUsage, RawReply
from entente.players.moments import Moment, moment_of
from entente.players.projection import events_of
from entente.players.record import TurnRecord


@dataclass(frozen=True, slots=True)
class Replied:
    """A turn in which a language model was called."""

    turn: TurnRecord

    @property
    def made_of_it(self) -> list[Event]:
        """What is on record of the turn: messages, orders, notices; its thoughts stand in the replies."""
        return [e for e in events_of(self.turn, "OPERATOR") if e.kind is not EventKind.THOUGHT]

    @property
    def replies(self) -> list[tuple[RawReply, CallUsage | None]]:
        """Each reply with its call, None where that is not known; an older entente kept no replies."""
        calls = [*self.turn.calls, *[None] * len(self.turn.replies)]
        return list(zip(self.turn.replies, calls, strict=False))

    def plain(self) -> dict[str, Any]:
        """For programs."""
        turn = self.turn
        return {
            "moment": str(moment_of(turn)),
            "power": turn.power,
            "player": turn.player,
            "stand_in": turn.stand_in,
            "replies": [
                reply.model_dump(mode="json") | {"usage": usage and usage.model_dump(mode="json")}
                for reply, usage in self.replies
            ],
            "made_of_it": [event.model_dump(mode="json") for event in self.made_of_it],
        }


def refuse_beside_raw(options: Mapping[str, object]) -> None:
    """Raise SettingsError for an option that `--raw` cannot be used with: it is the operator's, and a list of turns."""
    given = [name for name, value in options.items() if value not in (None, False, [])]
    if given:
        raise SettingsError(
            f"--raw was wanted, which is the operator's and takes --at alone, and {', '.join(given)} came beside it; "
            "nothing was printed."
        )


async def replies_for(store: Store, game: str, at: str | None, *, is_operator: bool) -> list[Replied]:
    """As `replies_of`; raises SettingsError while a person plays, unless the operator has asked by name."""
    await refuse_unasked(store, game, is_operator=is_operator)
    return await replies_of(store, game, at)


async def replies_of(store: Store, game: str, at: str | None) -> list[Replied]:
    """The turns of the game's line in which models were called, oldest first; raises UnknownMoment, NotBegun."""
    moment = None if at is None else Moment.parse(at)
    records = await records_on_line(store.journal, game, await begun_state(store, game))
    turns = [
        record for record in records if isinstance(record, TurnRecord) and (record.calls or record.replies)
    ]
    wanted = [turn for turn in turns if moment is None or moment.has(moment_of(turn))]
    if moment is not None and not wanted:
        raise UnknownMoment(
            f"Replies of a language model at {moment} were wanted and there are none; nothing was printed."
        )
    return list(map(Replied, wanted))


def print_replies(replied: Sequence[Replied]) -> None:
    """Each reply under a head of its own, and behind the last of a turn the lines of the log about it."""
    if not replied:
        say("No language model has been called in this game.")
    columns = columns_to_tell()
    for each in replied:
        for line in _lines(each, columns):
            echo(line)


def _cost(usage: CallUsage) -> str:
    ended = f", {usage.finish_reason}" if usage.finish_reason else ""
    return f"{usage.completion_tokens:,} tokens in {usage.latency_seconds:.1f} s{ended}"


def _lines(replied: Replied, columns: int | None) -> Iterator[str]:
    turn, count = replied.turn, len(replied.replies)
    moment = moment_of(turn)
    for number, (reply, usage) in enumerate(replied.replies, 1):
        cost = f": {_cost(usage)}" if usage else ""
        yield marked_line(f"{moment} ", f"{turn.player}, reply {number} of {count}{cost}", columns)
        if reply.reasoning:
            yield marked_line("  thought: ", reply.reasoning, columns)
        if reply.text or not reply.calls:
            yield marked_line("  wrote: ", reply.text or "(nothing)", columns)
        for call in reply.calls:
            yield marked_line(
                "  called: ", f"{call.name} {json.dumps(call.arguments, ensure_ascii=False)}", columns
            )
        for fault in reply.faults:
            yield marked_line("  not taken: ", fault, columns)
    if not replied.replies:
        yield marked_line(f"{moment} ", f"{turn.player}: what it wrote was not kept", columns)
    yield "  made of it:"
    for event in replied.made_of_it:
        yield event_line(event, columns=columns)
    yield ""
