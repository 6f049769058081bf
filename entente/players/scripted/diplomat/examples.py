"""What a person could have written to a diplomat: shown to whoever wrote what it did not understand."""

from collections.abc import Collection, Iterator

from entente.board.spoken import place_name
from entente.board.types import Move, Power, Province, SupportMove
from entente.players.scripted.diplomat.view import View


def examples(view: View, sender: Power, about: Collection[Province] = ()) -> list[str]:
    """Texts of that power to me which are understood, on this board; of those provinces where that is possible."""
    peace = f"Peace through {view.position.phase.year + 1}?"
    shared = view.zones[view.me] & view.zones[sender] - view.land(view.me) - view.land(sender)
    best_first = sorted(shared, key=lambda province: (province not in about, province))
    zones = [f"Shall we both stay out of {view.name(place)}?" for place in best_first[:1]]
    return [peace, *_support(view, sender, about), *zones]


def example(view: View, sender: Power, about: Collection[Province] = ()) -> str:
    """One of them that names one of those provinces, where any does; otherwise another one each phase."""
    texts = examples(view, sender, about)
    names = [place_name(view.geography, place) for place in about]
    fitting = [text for text in texts if any(name in text for name in names)]
    return (fitting or texts)[view.phase_number % len(fitting or texts)]


def _support(view: View, sender: Power, about: Collection[Province]) -> list[str]:
    """A support that I could give to a move of the sender's."""
    best = max(_supports(view, sender), key=lambda order: len(_places(order) & {*about}), default=None)
    if best is None:
        return []
    places = (best.supported.province, best.to, best.unit.province)
    moved, goal, helper = (place_name(view.geography, place) for place in places)
    return [f"Can you support {moved} to {goal} from {helper}?"]


def _supports(view: View, sender: Power) -> Iterator[SupportMove]:
    """My legal supports of the sender's moves, those into my own land left out."""
    own = view.land(view.me)
    moves = {(o.unit, o.to[:3]) for o in view.legal(sender) if isinstance(o, Move) and o.to[:3] not in own}
    for order in view.legal(view.me):
        if isinstance(order, SupportMove) and (order.supported, order.to) in moves:
            yield order


def _places(order: SupportMove) -> set[Province]:
    return {order.unit.province, order.supported.province, order.to[:3]}
