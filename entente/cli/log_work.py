"""The work of `log`: which events of a game are wanted, read once or followed as they come."""

from collections.abc import AsyncGenerator, Sequence
from contextlib import aclosing, suppress
from dataclasses import dataclass

from checkpoints.store import Store
from entente.cli.given import time_given
from entente.cli.lines import event_line
from entente.cli.options import print_json_lines
from entente.cli.output import columns_to_tell, ended_with_its_reader
from entente.cli.printing import echo
from entente.cli.store_option import command_for
from entente.errors import SettingsError, UnknownMoment
from entente.events import Event, EventKind
from entente.games.feed import events_on_line, follow
from entente.games.line import line_to
from entente.games.reading import begun_state
from entente.players.moments import Moment
from entente.press.mailbox import Reader

_LAST_NUMBER = 2**63 - 1
"""The highest that a database can hold."""


@dataclass(frozen=True, slots=True)
class Wanted:
    """What was asked for."""

    kinds: frozenset[EventKind]
    """Empty for all."""
    at: Moment | None
    sequence: int
    """Events after this number in the order of commits."""
    since: float | None
    """Events at this time and later, in seconds since 1970; those of unknown time are left out then."""

    @classmethod
    def of(cls, kinds: Sequence[str], at: str | None, since: str | None) -> "Wanted":
        """What the options say; raises SettingsError, UnknownMoment."""
        sequence, time = (0, None) if since is None else _since(since)
        return cls(frozenset(map(_kind, kinds)), None if at is None else Moment.parse(at), sequence, time)

    def takes(self, event: Event) -> bool:
        """True when the event is wanted, wherever it is in the order of commits."""
        return (
            (not self.kinds or event.kind in self.kinds)
            and (self.since is None or (event.at is not None and event.at >= self.since))
            and self.is_at(event)
        )

    def is_at(self, event: Event) -> bool:
        """True when the event is at the moment that was asked for, if any was."""
        return self.at is None or self.at.has(Moment.parse(event.moment))


def _kind(name: str) -> EventKind:
    try:
        return EventKind(name.strip().lower())
    except ValueError as error:
        kinds = ", ".join(EventKind)
        raise SettingsError(
            f"A kind of event was wanted ({kinds}) and {name!r} came; nothing was printed."
        ) from error


def _since(text: str) -> tuple[int, float | None]:
    with suppress(ValueError):
        if not text.strip().isdecimal():
            return 0, time_given(text)
        if (number := int(text)) <= _LAST_NUMBER:
            return number, None
    raise SettingsError(
        "The number of an event (`sequence` in `log --json`), or a time such as 2026-03-01T14:35, was wanted and "
        f"{text!r} came; nothing was printed."
    )


async def read_events(store: Store, game: str, reader: Reader, wanted: Wanted) -> list[Event]:
    """What the reader may know by now of what led to the game's present state, oldest first.

    Raises UnknownMoment, NotBegun.
    """
    state = await begun_state(store, game)
    line = await line_to(store.journal, game, state)
    events = await events_on_line(store, game, reader, line, wanted.sequence)
    if wanted.at is not None and not any(map(wanted.is_at, events)):
        every = command_for(store.location, f"log {game}")
        raise UnknownMoment(
            f"Something that happened at {wanted.at} was wanted and there is nothing to be shown of it; "
            f"`{every}` names every moment."
        )
    return [*filter(wanted.takes, events)]


async def follow_events(store: Store, game: str, reader: Reader, wanted: Wanted) -> AsyncGenerator[Event]:
    """As `read_events`, and then what is committed, as it comes, until the game is over."""
    async with aclosing(follow(store, game, reader, wanted.sequence)) as events:
        async for event in events:
            if wanted.takes(event):
                yield event


async def print_as_it_comes(
    store: Store, game: str, reader: Reader, wanted: Wanted, *, as_json: bool
) -> None:
    """Print what `follow_events` gives, each event when it comes: a line for people, or a line of JSON."""
    async with ended_with_its_reader(), aclosing(follow_events(store, game, reader, wanted)) as events:
        async for event in events:
            if as_json:
                print_json_lines([event.model_dump(mode="json")])
            else:
                echo(event_line(event, columns=columns_to_tell()))
