"""Who reads when `press`, `log` or `watch` names nobody: while people play, who alone plays here, or the public."""

from collections.abc import Awaitable, Callable, Sequence
from typing import NamedTuple, TypeVar

from checkpoints.store import Store
from entente.board.types import Power
from entente.cli.options import with_game
from entente.cli.output import say
from entente.errors import SettingsError
from entente.games.reading import reader_named
from entente.games.runner import RunEnd
from entente.players.roster import HUMAN
from entente.press.mailbox import Reader

T = TypeVar("T")


class Asked(NamedTuple):
    """The reader that a command's options name, if any."""

    power: str | None
    delay: int | None
    is_operator: bool


def with_reader(
    option: str | None, game: str | None, asked: Asked, work: Callable[[Store, str, Reader], Awaitable[T]]
) -> T:
    """As `with_game`, with the reader as well."""

    async def read(store: Store, game: str) -> T:
        return await work(store, game, await reader_of(store, game, asked))

    return with_game(option, game, read)


async def reader_of(store: Store, game: str, asked: Asked) -> Reader:
    """The reader that is named. Where none is and people play, the seat that `_seat_here` finds, or else the public.

    So nobody at the table is shown what is another's without having asked for it by name. Without people it is the
    operator. Raises UnknownPower; SettingsError for more than one reader.
    """
    is_named = asked.power is not None or asked.delay is not None
    if asked.is_operator:
        if is_named:
            raise SettingsError(
                "One reader was wanted and --operator came beside another; nothing was printed."
            )
        return "OPERATOR"
    if not is_named and (people := await people_in_play(store, game)):
        if seat := await _seat_here(store, game, people):
            say(f"A person plays {seat}, so this is what that seat may know; --operator shows everything.")
            return seat
        say(
            f"A person plays {' and '.join(people)}, so this is what all may know; --power {people[0]} shows what "
            "that seat may, --operator everything."
        )
        return "PUBLIC"
    return await reader_named(store, game, asked.power, asked.delay)


async def _seat_here(store: Store, game: str, people: Sequence[Power]) -> Power | None:
    """The seat of the one person who plays, when it can only sit at a terminal of this store.

    Nobody can say which of several people types, nor whether one who has a link to its seat is here or elsewhere.
    """
    if len(people) > 1:
        return None
    links = await store.links.all()
    return None if any((link.game, link.role) == (game, people[0]) for link in links) else people[0]


async def refuse_unasked(store: Store, game: str, *, is_operator: bool) -> None:
    """Raise SettingsError where what is the operator's alone was not asked for by name, and people play."""
    if not is_operator and (people := await people_in_play(store, game)):
        raise SettingsError(
            f"This shows everything while a person plays {' and '.join(people)}: --operator was wanted with it, and "
            "did not come; nothing was printed."
        )


async def people_in_play(store: Store, game: str) -> list[Power]:
    """The powers that people play, in the map's order; none once the game is over, and all of it may be read."""
    summary = await store.library.summary(game)
    if summary.status == RunEnd.FINISHED:
        return []
    seats = (await store.library.settings(game)).seats
    return [power for power, player in seats.items() if player == HUMAN]
