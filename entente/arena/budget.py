"""One budget for all games of a batch: when it is spent, the batch is paused."""

from collections.abc import AsyncGenerator, Generator, Sequence
from contextlib import ExitStack, asynccontextmanager, contextmanager
from dataclasses import dataclass, replace

from langgraph.runtime import RunControl

from checkpoints.store import Store
from entente.arena.batch import Batch, BatchGame
from entente.errors import BudgetExceeded, GameHeld, NotBegun, PlayerError, UnknownGame
from entente.games.line import records_on_line
from entente.games.reading import begun_state
from entente.models.budget import Budget
from entente.players.protocol import Player
from entente.players.record import TurnRecord
from entente.players.seating import Chair, HoldsPrograms, PlayerFactory


class BatchBudget(Budget):
    """What a batch may still spend; the first call that is refused pauses all its games."""

    def __init__(self, batch: Batch, control: RunControl) -> None:
        super().__init__("the batch", batch.budget_usd, batch.budget_tokens)
        self._control = control

    @contextmanager
    def hold(self, tokens: int, cost_usd: float | None) -> Generator[None]:
        """As `Budget.hold`; raises PlayerError, since nobody stands in for a seat whose batch is paused."""
        with ExitStack() as held:
            try:
                held.enter_context(super().hold(tokens, cost_usd))
            except BudgetExceeded as error:
                self._control.request_drain("the batch's budget is spent")
                raise PlayerError(str(error)) from error
            yield


@dataclass(frozen=True, slots=True)
class Budgeted:
    """Players of another factory whose calls are held against the batch's budget as well."""

    others: PlayerFactory
    budget: Budget

    def __call__(self, chair: Chair) -> Player:
        """The player; raises what the other factory raises."""
        return self.others(replace(chair, budgets=(*chair.budgets, self.budget)))

    async def let_go(self, game: str) -> None:
        """Forget the game's programs."""
        if isinstance(self.others, HoldsPrograms):
            await self.others.let_go(game)


def budgeted(
    make_player: PlayerFactory, batch: Batch, control: RunControl
) -> tuple[PlayerFactory, BatchBudget | None]:
    """The players with the batch's budget in their chairs, and the budget; as they came where the batch has none."""
    if batch.budget_usd is None and batch.budget_tokens is None:
        return make_player, None
    budget = BatchBudget(batch, control)
    return Budgeted(make_player, budget), budget


@asynccontextmanager
async def counted_alone(store: Store, games: Sequence[BatchGame]) -> AsyncGenerator[None]:
    """Let nobody else run the batch while the block lasts: two runs would each count what they spend themselves.

    Raises GameHeld where another run counts the budget, or plays a game of the batch.
    """
    try:
        async with store.leases.hold_anew(f"{games[0].game.id}.budget"):
            held = await store.leases.holders()
            if played := next((each.game.id for each in games if each.game.id in held), None):
                raise GameHeld(f"Game {played} is being played by {held[played].command!r}.")
            yield
    except GameHeld as error:
        raise GameHeld(
            f"A batch with a budget was wanted to itself and another run plays of it ({error}) Two at a time would "
            "spend the budget twice: wait until it is over, or give each game a budget of its own "
            "(game.models.budget_usd, budget_tokens). Nothing was played."
        ) from error


async def charge(budget: Budget, store: Store, games: Sequence[BatchGame]) -> None:
    """Charge the budget with what these games have cost, as far as the store has them."""
    for each in games:
        try:
            state = await begun_state(store, each.game.id)
        except (UnknownGame, NotBegun):
            continue
        for record in await records_on_line(store.journal, each.game.id, state):
            for call in record.calls if isinstance(record, TurnRecord) else ():
                budget.charge(call)
