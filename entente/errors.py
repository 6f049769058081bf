"""Every error that entente raises on purpose, in one tree.

    EntenteError
    ├── SettingsError            a setting, seat, map or option that cannot be used
    │   ├── MissingKey           no key is set for a provider that wants one
    │   └── GameOver             other settings came for a game that is over
    ├── BoardError
    │   ├── UnknownMap           a map that does not exist or must not be loaded
    │   ├── UnknownPower         a power that is not on this map
    │   ├── UnknownPhase         a phase that is misspelt or was never played
    │   │   └── NotBegun             the game has none yet
    │   ├── BadSnapshot          a stored position that cannot be restored
    │   └── OrderError           one line of orders that cannot be used
    │       ├── OrderSyntaxError     it is not an order
    │       ├── IllegalOrderError    it is an order, but not a legal one here
    │       └── AmbiguousOrderError  it could be several orders
    ├── PressError               a message that cannot be delivered
    ├── ModelError               a language model gave no reply
    │   ├── ProviderUnavailable  its provider cannot be reached or fails
    │   ├── ProviderRejected     its provider refuses this request
    │   ├── AuthenticationFailed its provider refuses the key
    │   ├── RateLimited          its provider asks for patience
    │   ├── ModelTimeout         no reply came in time
    │   ├── UnreadableReply      something came that is no reply
    │   └── BudgetExceeded       the call could cost more than may be spent
    ├── ServerStopping           a request that waited when a server of ours ended
    ├── BadRequest               a request that a server of ours cannot answer
    │   ├── NotARequest          no chat completion request
    │   └── NotAPrompt           a text that does not tell a seat's turn
    ├── PlayerError              a player broke the protocol or failed
    ├── TrainerError             a trainer's queue failed, or takes nothing
    └── CheckpointError
        ├── StoreUnavailable     the store cannot be opened, read or written
        │   └── StoreLocked          another process keeps it from being written
        ├── NewerSchema          the store was written by a newer entente
        ├── DamagedRow           a row of the store cannot be read, or is missing
        ├── UnknownGame          no game, or more than one, answers to this name
        ├── UnknownLink          no link to the page has this id
        ├── GameHeld             another run is playing this game
        ├── LeaseLost            this run was taken for dead and replaced
        ├── ClockBehind          the game was played by a clock that was ahead of this one
        ├── UntrustedGame        an imported game would use what nobody has confirmed
        ├── NotWaiting           a seat was answered that nobody is asking
        ├── UnknownMoment        a moment that this game has not played, or does not keep
        └── ImportRefused        a file that is no game, or whose game is here already

A message says what was wanted, what came, and what happened next, in one sentence.
What a model or a person can mend (a bad order line) is a value fed back to them, and
carries one of these as its reason.
"""

import logging

_log = logging.getLogger(__name__)


class EntenteError(Exception):
    """The root: whatever is caught as this was foreseen, and its text is fit for a person."""

    exit_code = 2


class SettingsError(EntenteError):
    """Raised for a setting, a seat, a map or an option that cannot be used.

    `setting` is where the settings have it, `("seats", "FRANCE")`; empty for what is no setting of a game.
    """

    def __init__(self, message: str, *, setting: tuple[str, ...] = ()) -> None:
        super().__init__(message)
        self.setting = setting


class MissingKey(SettingsError):
    """Raised before anything is sent to a provider that wants a key, when its variable is not set."""


class GameOver(SettingsError):
    """Raised when other settings come for a game that is over, and nobody will play by them."""


class BoardError(EntenteError):
    """Raised for whatever concerns the board alone."""


class UnknownMap(BoardError):
    """Raised for a map that does not exist, or that takes the engine minutes to load."""


class UnknownPower(BoardError):
    """Raised for a power that is not on the map."""


class UnknownPhase(BoardError):
    """Raised for a phase that is misspelt, or that the game has not played."""


class NotBegun(UnknownPhase):
    """Raised when something is asked of a game that was opened and has not begun."""


class BadSnapshot(BoardError):
    """Raised when a stored position cannot be restored."""


class OrderError(BoardError):
    """Raised for one line of orders that cannot be used; `line` is the text as it came."""

    def __init__(self, message: str, *, line: str = "", nearest: str | None = None) -> None:
        super().__init__(message)
        self.line = line
        self.nearest = nearest


class OrderSyntaxError(OrderError):
    """Raised when a line is not an order in any notation that the reader knows."""


class IllegalOrderError(OrderError):
    """Raised when a line is an order, but not one that this power may give here and now."""


class AmbiguousOrderError(OrderError):
    """Raised when a line could be several legal orders, a coast left open for one."""


class PressError(EntenteError):
    """Raised for a message that cannot be delivered; it is refused, never sent elsewhere."""


class ModelError(EntenteError):
    """Raised when a language model gave no reply, `attempts` counting the tries; its text never holds a key.

    `reason` is the provider's part of the text.
    """

    exit_code = 4
    is_retryable = False
    calls: tuple[object, ...] = ()
    """What calls of the same turn had cost before this one failed, as `entente.models.wire.CallUsage`."""
    replies: tuple[object, ...] = ()
    """What they had said, as `entente.models.wire.RawReply`."""

    def __init__(
        self, message: str, *, model: str = "", status: int | None = None, attempts: int = 0, reason: str = ""
    ) -> None:
        super().__init__(message)
        self.model = model
        self.reason = reason
        self.status = status
        self.attempts = attempts


class ProviderUnavailable(ModelError):
    """Raised when a provider cannot be reached, hangs up or fails (HTTP 5xx)."""

    is_retryable = True


class ProviderRejected(ModelError):
    """Raised when a provider will not take a request, however often it is asked (HTTP 400, 404, no credit)."""


class AuthenticationFailed(ModelError):
    """Raised when a provider refuses the key (HTTP 401, 403)."""


class RateLimited(ModelError):
    """Raised when a provider has asked for more patience than there is (HTTP 429)."""

    is_retryable = True


class ModelTimeout(ModelError):
    """Raised when no connection, no first word or no whole reply came in time."""

    is_retryable = True


class UnreadableReply(ModelError):
    """Raised when what came is no reply in the provider's own form; odd words in a reply are no error."""

    is_retryable = True


class BudgetExceeded(ModelError):
    """Raised before a call that could cost more than a game or a seat may still spend."""


class ServerStopping(EntenteError):
    """Raised for a request that is not answered, since the server ends."""


class BadRequest(EntenteError):
    """Raised for a request that the scripted model or a policy server cannot answer; who sent it is told, with 400."""


class NotARequest(BadRequest):
    """Raised for a body that no chat completion server would take."""


class NotAPrompt(BadRequest):
    """Raised for a text that does not tell a seat's turn as our prompts do."""


class PlayerError(EntenteError):
    """Raised when a player fails or breaks the protocol; the game pauses and can be resumed."""

    exit_code = 4


class TooManyAnswers(EntenteError):
    """Raised when a listener wants more answers of the crew than it can have in a phase."""

    exit_code = 2


class TrainerError(EntenteError):
    """Raised when a trainer's queue cannot be reached, fails, or takes nothing in time."""

    exit_code = 4


class CheckpointError(EntenteError):
    """Raised for whatever concerns the store of games."""

    exit_code = 3


class StoreUnavailable(CheckpointError):
    """Raised when the store cannot be opened, read or written; nothing was changed."""


class StoreLocked(StoreUnavailable):
    """Raised when another process has kept the store locked for as long as a write waits."""


class NewerSchema(CheckpointError):
    """Raised when the store, or a file to import, was written by a newer entente."""


class DamagedRow(CheckpointError):
    """Raised for a row of the store that cannot be read, or that is missing where another needs it.

    `what` is what is wrong with it, as in `it holds bytes that are no text`. `game` is empty for a row of the whole
    store.
    """

    def __init__(self, game: str, table: str, row: str, what: str) -> None:
        self.game = game
        self.table = table
        self.row = row
        self.what = what
        place = f"the row {row} of {table}" if row else f"the table {table}"
        super().__init__(
            f"Game {game} is damaged in {place}: {what}; nothing was done with it, and all other games can be used."
            if game
            else f"The store is damaged in {place}: {what}; nothing was changed."
        )


class UnknownGame(CheckpointError):
    """Raised when no game, or more than one, answers to a name."""

    exit_code = 2


class UnknownLink(CheckpointError):
    """Raised when no link to the page's server has an id."""

    exit_code = 2


class GameHeld(CheckpointError):
    """Raised when another run is playing the game, in this process or in another one that lives."""


class LeaseLost(CheckpointError):
    """Raised in a run that was taken for dead, or that another has gone past, when it comes back and wants to write."""


class ClockBehind(CheckpointError):
    """Raised for a checkpoint that would come before the one that it goes on from, since a clock was set back."""


class UntrustedGame(CheckpointError):
    """Raised when an imported game, or its fork, would use models, programs or prompts that nobody has confirmed."""

    exit_code = 2


class NotWaiting(CheckpointError):
    """Raised when an answer comes for a seat that is not being asked, or was answered already."""

    exit_code = 2


class UnknownMoment(CheckpointError):
    """Raised for a moment that the game has not played, or whose checkpoint has been pruned."""

    exit_code = 2


class ImportRefused(CheckpointError):
    """Raised for a file to import that is damaged or no game of ours, or whose game is in the store already."""

    exit_code = 2


def told_outside(error: EntenteError) -> str:
    """The error's sentence for who comes over a network; what is kept from him is logged.

    Which row is damaged may count somebody's private messages, and where the store is concerns its owner alone.
    """
    if isinstance(error, DamagedRow):
        _log.warning("%s", error)
        whose = f"Game {error.game}" if error.game else "The store"
        return f"{whose} is damaged and nothing was done; `entente selfcheck` tells whoever runs it what is wrong."
    if isinstance(error, StoreUnavailable):
        _log.warning("%s", error)
        return "The store cannot be used now and nothing was done: the log says why. Please try again."
    return str(error)
