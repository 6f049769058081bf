"""A person's draft in the store, while it is written at a terminal."""

from typing import Protocol

from checkpoints.drafts import SeatDraft
from checkpoints.store import Store
from entente.games.drafts import draft_of, forget_draft, keep_draft, unsent_before
from entente.games.pending import PendingSeat


class Draft(Protocol):
    """What is being written."""

    def kept(self, before: SeatDraft) -> SeatDraft:
        """The seat's draft with what is written here in place of what it was."""
        ...

    def begin_with(self, kept: SeatDraft) -> list[str]:
        """Take what was kept; why a line cannot be used any more."""
        ...

    def review(self) -> str:
        """What would be sent."""
        ...

    def as_typed(self) -> list[str]:
        """What was written, a line each."""
        ...


class KeptDraft:
    """A seat's draft, given back when its question is opened and kept with every line that is written."""

    def __init__(self, store: Store, game: str, seat: PendingSeat) -> None:
        self._store = store
        self._game = game
        self._seat = seat
        self._last = SeatDraft()
        self.begun = ""
        """A line that was begun and not entered when the seat was left."""

    async def give_back(self, draft: Draft) -> list[str]:
        """Put what was kept into the draft; what is told of it, and of what was never sent in earlier phases."""
        power, phase = self._seat.power, self._seat.phase
        told: list[str] = []
        for earlier, unsent in (await unsent_before(self._store, self._game, power, phase)).items():
            told.append("\n".join([f"This was typed for {earlier} and never sent:", *unsent.lines()]))
            await forget_draft(self._store, self._game, power, earlier)
        self._last = await draft_of(self._store, self._game, power, phase)
        self.begun = self._last.begun
        refused = draft.begin_with(self._last)
        if draft.as_typed():
            told.append(f"You had written this and not sent it; /undo takes it back:\n{draft.review()}")
        if refused:
            told.append("\n".join(["This you had written too, and it cannot be used any more:", *refused]))
        return told

    async def keep(self, draft: Draft, begun: str = "") -> None:
        """Keep the draft as it is now, and the line that was begun."""
        now = draft.kept(self._last).model_copy(update={"begun": begun})
        if now != self._last:
            await keep_draft(self._store, self._game, self._seat.power, self._seat.phase, now)
            self._last = now
