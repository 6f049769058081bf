"""The application: what stands before the routes, and what becomes of errors."""

from typing import Any

from fastapi import FastAPI
from fastapi.exceptions import RequestValidationError
from fastapi.responses import FileResponse
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.staticfiles import StaticFiles

import entente
from entente.errors import EntenteError
from entente.local_only import LocalOnly
from entente.web.crew import router as crew
from entente.web.door import Bounded, RelativeTarget, SafeHeaders
from entente.web.errors import Refusal, answer_error
from entente.web.house import House
from entente.web.operating import router as operating
from entente.web.programs import router as programs
from entente.web.programs import tools
from entente.web.routes import STATIC, router

_ERRORS: dict[int | str, dict[str, Any]] = {
    status: {"model": Refusal} for status in (401, 403, 404, 408, 409, 413, 422, 429, 503)
}


async def _closed() -> FileResponse:
    """What is shown to who comes without a link."""
    return FileResponse(str(STATIC / "closed.html"), media_type="text/html")


def page_app(house: House) -> FastAPI:
    """The application over a house, which its caller closes."""
    app = FastAPI(
        title="entente",
        version=entente.__version__,
        description="Games of Diplomacy, each as its reader may see it.",
        docs_url=None,  # its page would load scripts of elsewhere
        redoc_url=None,
        middleware=[
            Middleware(RelativeTarget),
            Middleware(SafeHeaders),
            Middleware(LocalOnly),
            Middleware(Bounded),
        ],
        responses=_ERRORS,
        separate_input_output_schemas=False,
    )
    app.state.house = house
    for kind in (EntenteError, RequestValidationError, HTTPException):
        app.add_exception_handler(kind, answer_error)
    app.add_api_route("/", _closed, include_in_schema=False, response_class=FileResponse)
    app.mount("/static", StaticFiles(directory=str(STATIC)), name="static")
    for each in (router, operating, crew, programs):
        app.include_router(each)
    app.router.routes.append(tools)
    return app
