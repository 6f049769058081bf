"""Groups: what one seat did in several games that began alike, so that their rewards can be compared.

A group has one call of each game, and each call its seat's reward of its own game. A game with fewer calls than the
others is filled up with its last one, masked: its reward is compared, and nothing of it is learned twice.
"""

from collections.abc import Iterable, Mapping, Sequence
from itertools import groupby
from typing import NamedTuple

from entente.board.types import Power
from entente.training.record import Call, Record
from entente.training.texts import learned, reward_of
from entente.training.token_rows import MASKED, LocalTokenizer, Tokens, tokens_of


class Member(NamedTuple):
    """One game's call in a group."""

    call: Call
    tokens: Tokens
    reward: float
    is_filler: bool
    """True where the game has no call of this place: the reward counts and nothing is learned."""


class Group(NamedTuple):
    """Calls that are compared with each other, one of each game, in the order of the games."""

    group_id: str
    seat: Power
    place: int
    """Which of the seat's calls they are, of those to be learned from; from 0."""
    seed: int
    members: tuple[Member, ...]

    @property
    def rewards(self) -> list[float]:
        """One for each member."""
        return [member.reward for member in self.members]

    @property
    def teaches(self) -> bool:
        """False where all rewards are the same, so that nobody did better than another."""
        return len(set(self.rewards)) > 1


class Grouped(NamedTuple):
    """What a number of records gives."""

    groups: list[Group]
    left_out: list[str]
    """A sentence for each group of games, or seat of one, that cannot be compared."""


def grouped(records: Iterable[Record], size: int, tokenizers: Mapping[Power, LocalTokenizer]) -> Grouped:
    """The groups of these games, which have so many games each.

    Games that are not over, groups with other numbers of games and games that began otherwise are left out. Raises
    SettingsError as `tokens_of` does.
    """
    found = Grouped([], [])
    by_group = sorted(records, key=lambda record: (record.episode.group_id, record.episode.episode_id))
    for group_id, alike in groupby(by_group, key=lambda record: record.episode.group_id):
        games = list(alike)
        over = [game for game in games if game.episode.end_reason is not None]
        if len(over) != size:
            found.left_out.append(f"{group_id} has {len(over)} of {size} games that are over.")
        elif len({_beginning(game) for game in over}) > 1:
            found.left_out.append(f"The games of {group_id} were set up in different ways.")
        else:
            _compare(group_id, over, tokenizers, found)
    return found


def _beginning(game: Record) -> tuple[object, ...]:
    episode = game.episode
    return episode.seed, episode.config_hash, tuple(sorted(episode.models.items()))


def _compare(
    group_id: str, games: Sequence[Record], tokenizers: Mapping[Power, LocalTokenizer], found: Grouped
) -> None:
    calls = [_by_seat(game) for game in games]
    for seat in sorted({seat for by_seat in calls for seat in by_seat}):
        ways = [by_seat.get(seat, []) for by_seat in calls]
        if not all(ways):
            found.left_out.append(f"{seat} has nothing to learn from in a game of {group_id}.")
            continue
        for place in range(max(map(len, ways))):
            members = tuple(
                _member(game, way, place, tokenizers.get(seat)) for game, way in zip(games, ways, strict=True)
            )
            found.groups.append(Group(group_id, seat, place, games[0].episode.seed, members))


def _by_seat(game: Record) -> dict[Power, list[Call]]:
    calls: dict[Power, list[Call]] = {}
    for call in learned(game):
        calls.setdefault(call.seat, []).append(call)
    return calls


def _member(game: Record, way: Sequence[Call], place: int, tokenizer: LocalTokenizer | None) -> Member:
    if place < len(way):
        call = way[place]
        return Member(call, tokens_of(game, call, tokenizer), reward_of(game, call), is_filler=False)
    call = way[-1]
    tokens = tokens_of(game, call, tokenizer)
    nothing = tokens._replace(mask=[MASKED] * len(tokens.ids))
    alone = call.model_copy(update={"reward_step": {}})
    return Member(call, nothing, reward_of(game, alone), is_filler=True)
