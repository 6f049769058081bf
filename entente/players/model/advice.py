"""What a search of the board suggests to a model: whole sets of orders, each with what it wins and risks.

It is made of the position alone, so that it is the same at every turn of the phase and after a resume.
"""

import random
from collections import Counter
from collections.abc import Iterator
from weakref import WeakKeyDictionary

from entente.board.engine import Board
from entente.board.types import Power, Province
from entente.players.bundle import Bundle
from entente.players.model.seat import Seat
from entente.players.scripted.search import REPLIES, Forecast, Search, settled

_CANDIDATES = 3

_Suggestions = tuple[Forecast, ...]
_found: WeakKeyDictionary[Board, dict[Power, _Suggestions]] = WeakKeyDictionary()


async def seek_advice(bundle: Bundle, seat: Seat) -> tuple[tuple[str, ...], ...]:
    """The order sets that the seat is shown, none where it has no advice; others run while they are searched for."""
    if _is_advised(bundle, seat) and _kept(bundle) is None:
        _keep(bundle, await settled(_search(bundle)))
    return tuple(tuple(map(str, forecast.plan.values())) for forecast in _suggestions(bundle, seat))


def advice_text(bundle: Bundle, seat: Seat) -> str:
    """The suggestions as the prompt shows them; empty where there are none."""
    found = _suggestions(bundle, seat)
    if not found:
        return ""
    return seat.texts.fill(
        "model_advice",
        what="these orders" if len(found) == 1 else f"{len(found)} sets of orders, the best first",
        replies=str(REPLIES),
        suggestions="\n".join(_suggestion(place, forecast) for place, forecast in enumerate(found, 1)),
    )


def _suggestions(bundle: Bundle, seat: Seat) -> _Suggestions:
    if not _is_advised(bundle, seat):
        return ()
    found = _kept(bundle)
    if found is None:
        *_, found = _search(bundle)
        _keep(bundle, found)
    return found[:1] if seat.settings.advice == "plan" else found


def _is_advised(bundle: Bundle, seat: Seat) -> bool:
    """True for a seat with advice, where it has units to move."""
    board = bundle.board
    moves = board.phase.is_movement and board.position.units[bundle.power]
    return seat.settings.advice != "none" and bool(moves)


def _kept(bundle: Bundle) -> _Suggestions | None:
    return _found.get(bundle.board, {}).get(bundle.power)


def _keep(bundle: Bundle, found: _Suggestions) -> None:
    _found.setdefault(bundle.board, {})[bundle.power] = found


def _search(bundle: Bundle) -> Iterator[_Suggestions]:
    rng = random.Random(f"{bundle.board.phase} {bundle.power}")
    return Search(bundle.board.position, bundle.power, rng).proposals(_CANDIDATES)


def _suggestion(place: int, forecast: Forecast) -> str:
    endings = forecast.endings
    taken = _counted(province for ending in endings for province in ending.taken)
    beating = _counted(province for ending in endings for province in ending.beating)
    invaded = _counted(province for ending in endings for province in ending.invaded)
    beaten = _counted(province for ending in endings for province in ending.beaten)
    wins = [f"you stand in {each}" for each in taken] + [
        f"you dislodge the unit in {each}" for each in beating
    ]
    risks = [f"others stand in your {each}" for each in invaded]
    risks += [f"your unit in {each} is dislodged" for each in beaten]
    orders = "; ".join(map(str, forecast.plan.values()))
    return f"{place}. {orders}\n   Wins: {', '.join(wins) or 'no center'}. Risks: {', '.join(risks) or 'none seen'}."


def _counted(provinces: Iterator[Province]) -> list[str]:
    """`BEL (4 of 6)` for each province, the likeliest first."""
    return [f"{province} ({n} of {REPLIES})" for province, n in Counter(sorted(provinces)).most_common()]
