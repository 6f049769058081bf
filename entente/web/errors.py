"""Errors as answers: a sentence, and the status that says which kind."""

from collections.abc import Mapping

from fastapi import Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from pydantic import BaseModel
from starlette.exceptions import HTTPException

from entente.errors import (
    BoardError,
    EntenteError,
    GameHeld,
    NotBegun,
    NotWaiting,
    PlayerError,
    PressError,
    ServerStopping,
    SettingsError,
    StoreUnavailable,
    TooManyAnswers,
    UnknownGame,
    UnknownLink,
    UnknownMoment,
    UnknownPhase,
    UntrustedGame,
    told_outside,
)
from entente.plain import map_texts, storable
from entente.web.door import log_refusal


class Refusal(BaseModel):
    """What is answered where something could not be done."""

    error: str
    """A sentence: what was wanted, what came, and what happened next."""
    setting: list[str] = []
    """Which setting of a game it is about, `["seats", "FRANCE"]`; left out where it is about none."""


class NotAllowed(EntenteError):
    """Raised for a request of somebody who may not make it."""

    def __init__(self, message: str, *, status: int = 401) -> None:
        super().__init__(message)
        self.status = status


_STATUS: Mapping[type[EntenteError], int] = {
    UnknownGame: 404,
    UnknownLink: 404,
    NotBegun: 409,
    UnknownPhase: 404,
    UnknownMoment: 404,
    NotWaiting: 409,
    GameHeld: 409,
    UntrustedGame: 409,
    PlayerError: 409,
    SettingsError: 422,
    BoardError: 422,
    PressError: 422,
    TooManyAnswers: 429,
    StoreUnavailable: 503,
    ServerStopping: 503,
}
"""The first class that fits, from the error's own upwards; all others are the server's fault."""


def status_of(error: EntenteError) -> int:
    """The HTTP status that says which kind of error it is."""
    if isinstance(error, NotAllowed):
        return error.status
    return next((_STATUS[kind] for kind in type(error).__mro__ if kind in _STATUS), 500)


async def answer_error(request: Request, error: Exception) -> JSONResponse:
    """The answer to a request that failed in a way that was foreseen."""
    setting = error.setting if isinstance(error, SettingsError) else ()
    match error:
        case EntenteError():
            status, told = status_of(error), told_outside(error)
        case RequestValidationError():
            status, told = 422, _misfit(error)
        case HTTPException():
            status, told = error.status_code, f"{error.detail}: nothing was done."
        case _:
            raise error
    log_refusal(request.method, request.url.path, status)
    refusal = Refusal(error=told, setting=[*setting]).model_dump(exclude_defaults=True)
    # It may repeat what came, such as half of a pair of surrogates, which no answer can hold.
    return JSONResponse(map_texts(refusal, storable), status)


def _misfit(error: RequestValidationError) -> str:
    """Where the request is not as it should be; what came is not repeated, a field that nothing knows among it."""
    first = error.errors()[0]
    known = first["loc"][:-1] if first["type"] == "extra_forbidden" else first["loc"]
    place = ".".join(map(str, known))
    return (
        f"A request as in /openapi.json was wanted and {place} is not so ({first['msg']}); nothing was done."
    )
