"""What a language model's seat is told at its turn: the context bundle with all that its prompts are written from."""

from entente.players.bundle import Bundle
from entente.players.model.agent_context import (
    KnownCommitments,
    PastOrders,
    SeatContext,
    centers_of,
    context_of,
    received,
)
from entente.players.model.aim import quiet_text
from entente.players.model.centers import centers_text
from entente.players.model.layout import rejected_lines, wanted_text
from entente.players.model.memory import memory_at_opening
from entente.players.model.results import result_lines
from entente.players.model.situation import situation


def seat_context(
    bundle: Bundle, instructions: str, *, short: bool = False, bare: bool = False, advice: str = ""
) -> SeatContext:
    """The bundle as a seat's prompts tell it; `short` and `bare` say how much of its orders, as `situation` does."""
    board, power, base = bundle.board, bundle.power, context_of(bundle, instructions)
    quiet = quiet_text(bundle.rules, bundle.last_change_year, board.phase.year)
    centers = centers_text(base.threatened_centers, board, power)
    return SeatContext(
        **dict(base),
        map_name=board.position.map_name,
        rules=bundle.rules,
        round=bundle.round,
        last_change_year=bundle.last_change_year,
        last_movement=PastOrders(
            phase_name=bundle.last_movement_phase,
            results=result_lines(bundle.last_movement),
            centers=centers_of(bundle.last_movement_position) if bundle.last_movement_position else {},
        ),
        commitments=KnownCommitments.of(bundle.phase_ledger),
        commitments_now=KnownCommitments.of(bundle.ledger),
        memory_at_opening=dict(memory_at_opening(bundle)),
        folded=dict(bundle.folded),
        centers="\n".join(filter(None, [centers, quiet])),
        units_and_orders=situation(board, power, short=short, bare=bare),
        wanted=wanted_text(board, power),
        to_order=list(board.to_order),
        press_allowed=list(bundle.press_allowed),
        sent=[received(message) for message in bundle.sent],
        earlier=bundle.earlier,
        lived=bundle.history,
        rejected=rejected_lines(bundle.rejected),
        drafts=bundle.drafts,
        advice=advice,
        letters_a_token=bundle.letters_a_token,
        fewest_letters=bundle.fewest_letters,
    )
