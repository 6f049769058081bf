"""What a person could have written to a diplomat: shown to whoever wrote what it did not understand."""

from entente.board.spoken import place_name
from entente.board.types import Move, Power, SupportMove
from entente.players.scripted.diplomat.view import View


def examples(view: View, sender: Power) -> list[str]:
    """Texts of that power to me which are understood, on this board."""
    peace = f"Peace through {view.position.phase.year + 1}?"
    shared = sorted(view.zones[view.me] & view.zones[sender] - view.land(view.me) - view.land(sender))
    zones = [f"Shall we both stay out of {view.name(place)}?" for place in shared[:1]]
    return [peace, *_support(view, sender), *zones]


def example(view: View, sender: Power) -> str:
    """One of them, another one each phase."""
    texts = examples(view, sender)
    return texts[view.phase_number % len(texts)]


def _support(view: View, sender: Power) -> list[str]:
    """A support that I could give to a move of the sender's."""
    own = view.land(view.me)
    moves = {(o.unit, o.to[:3]) for o in view.legal(sender) if isinstance(o, Move) and o.to[:3] not in own}
    for order in view.legal(view.me):
        if isinstance(order, SupportMove) and (order.supported, order.to) in moves:
            places = (order.supported.province, order.to, order.unit.province)
            moved, goal, helper = (place_name(view.geography, place) for place in places)
            return [f"Can you support {moved} to {goal} from {helper}?"]
    return []
