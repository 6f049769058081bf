"""What was said in phases that are over: whole with those with whom something is open, in short with all others.

A phase's text is made of what stood when it was adjudicated, and each phase has a share of the seat's budget. So the
text of a game year only grows; what lies further back is folded when the next year begins, together with the diary.
"""

from collections.abc import Container, Iterable, Iterator, Sequence
from itertools import zip_longest

from entente.board.types import Phase, Power
from entente.players.model.agent_context import PastTalk, SeatContext, SpokenCommitment, summaries
from entente.players.model.layout import said_text
from entente.players.model.quoting import Letter, quote
from entente.players.model.seat import Seat
from entente.press.messages import BROADCAST

_SHARES = 4
"""Of the budget: three movement phases at most are told at length, and all before them share the fourth."""
_SHORT_CHARS = 160
"""Of each side's last words, where they are told in short."""


def talk_section(context: SeatContext, seat: Seat, room: int | None = None) -> str:
    """The talk of earlier phases under its heading; empty where there was none, or the seat has no room for it.

    What the seat's settings allow, or so many characters where that is less.
    """
    chars = seat.settings.max_past_press_chars(seat.letters_a_token(context))
    if room is not None:
        chars = min(chars, room - len(seat.texts.load("model_past_talk")))
    share = chars // _SHARES
    year, power, talk = context.phase.year, context.power_name, context.history_summary.talk
    before = [past for past in talk if _phase(past).year < year]
    told = [
        *_folded(power, before[:-1], share, before[-1:]),
        *(_phase_text(power, past, share) for past in [*before[-1:], *talk[len(before) :]]),
    ]
    return _section(told, seat)


def folded_section(context: SeatContext, seat: Seat, last: Phase, chars: int) -> str:
    """The talk up to the `last` phase folded into so many characters, under the same heading; empty where none fits."""
    said = [past for past in context.history_summary.talk if _phase(past).sort_key <= last.sort_key]
    return _section(_folded(context.power_name, said, chars - len(seat.texts.load("model_past_talk"))), seat)


def _phase(past: PastTalk) -> Phase:
    return Phase.parse(past.phase_name)


def _section(told: Iterable[str], seat: Seat) -> str:
    talk = "\n\n".join(filter(None, told))
    return seat.texts.fill("model_past_talk", talk=talk) if talk else ""


def talk_text(
    power: Power,
    messages: Sequence[Letter],
    commitments: Sequence[SpokenCommitment],
    chars: int,
    partners: Container[Power] | None = None,
) -> str:
    """A phase's talk within so many characters; of the `partners` alone, or of everybody for None, messages are whole.

    They come in the order of what is open with them. Where no more fits, the rest is told in short, and where even
    that does not fit, the terms alone.
    """
    text = _written(power, messages, commitments, ())
    if len(text) > chars:
        return _terms(commitments, chars)
    room = chars - len(text)
    quoted = list[str]()
    for message in _in_order(power, messages, commitments, partners):
        if (room := room - len(quote(message, power)) - 1) < 0:
            break
        quoted.append(message.id)
    # Of a talk that is quoted in part, other words are told in short, which may be longer.
    while len(text := _written(power, messages, commitments, quoted)) > chars:
        quoted.pop()
    return text


def _in_order(
    power: Power,
    messages: Sequence[Letter],
    commitments: Sequence[SpokenCommitment],
    partners: Container[Power] | None,
) -> Iterator[Letter]:
    """The partners' messages, those that matter most first.

    With whom something is open come before all others; of each the latest, then of each the one before it.
    """
    open_ = _open_partners(power, commitments)
    told = [o for o in _by_what_is_open(power, messages, open_) if partners is None or o in partners]
    for group in ([o for o in told if o in open_], [o for o in told if o not in open_]):
        latest_first = [reversed([m for m in messages if _partner(power, m) == other]) for other in group]
        for each in zip_longest(*latest_first):
            yield from filter(None, each)


def _written(
    power: Power, messages: Sequence[Letter], commitments: Sequence[SpokenCommitment], quoted: Container[str]
) -> str:
    whole = [quote(message, power) for message in messages if message.id in quoted]
    rest = [message for message in messages if message.id not in quoted]
    short = said_text(summaries(power, rest, commitments, _SHORT_CHARS))
    return "\n".join([*whole, *(["In short:", short] if short else [])])


def _terms(commitments: Iterable[SpokenCommitment], chars: int) -> str:
    """The latest commitments that fit, a line each."""
    lines = [f"- {commitment}" for commitment in commitments]
    while lines and sum(map(len, lines)) + len(lines) > chars:
        del lines[0]
    return "\n".join(lines)


def _folded(
    power: Power, before: Sequence[PastTalk], chars: int, after: Sequence[PastTalk] = ()
) -> list[str]:
    """The phases before, oldest first, with what came of their commitments up to those after.

    Whole is the last talk with those with whom something is open still; the oldest phases are left out where there is
    no room.
    """
    latest = {commitment.id: commitment for past in (*before, *after) for commitment in past.commitments}
    open_ = _open_partners(power, latest.values())
    told: list[str] = []
    for place, past in reversed([*enumerate(before)]):
        later = (*before[place + 1 :], *after)
        spoken = {_partner(power, message) for each in later for message in each.messages}
        known = [latest[commitment.id] for commitment in past.commitments]
        now = past.model_copy(update={"commitments": known})
        text = _phase_text(power, now, chars, open_ - spoken)
        chars -= len(text)
        told.insert(0, text)
    return told


def _phase_text(power: Power, past: PastTalk, chars: int, partners: Container[Power] | None = None) -> str:
    """Under a heading of its own, which is counted; empty where nothing was said or fits."""
    heading = f"## {past.phase_name}\n"
    text = talk_text(power, past.messages, past.commitments, chars - len(heading), partners)
    return f"{heading}{text}" if text else ""


def _partner(power: Power, message: Letter) -> Power:
    """With whom a talk is: another power, or BROADCAST."""
    is_own = message.sender == power and message.recipient != BROADCAST
    return message.recipient if is_own or message.recipient == BROADCAST else message.sender


def _open_partners(power: Power, commitments: Iterable[SpokenCommitment]) -> set[Power]:
    return {commitment.other(power) for commitment in commitments if commitment.is_open}


def _by_what_is_open(power: Power, messages: Sequence[Letter], open_: Container[Power]) -> list[Power]:
    """First whom something is open with, then with whom both sides spoke; what was said to all comes last."""
    speakers = dict[Power, set[Power]]()
    for message in messages:
        speakers.setdefault(_partner(power, message), set()).add(message.sender)
    return sorted(
        speakers, key=lambda other: (other == BROADCAST, other not in open_, -len(speakers[other]), other)
    )
