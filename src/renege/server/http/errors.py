"""HTTP errors: every refusal is a `Trouble` with a sentence for a person, and no error shows internals."""

import re
from collections.abc import Iterable, Mapping
from http import HTTPStatus
from typing import Any

import structlog
from fastapi import FastAPI
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from renege.core.notation import NotationError
from renege.i18n import LANGUAGES, Speech
from renege.server.http.pages import lost_page
from renege.server.logs import where
from renege.server.messages import Refusal, Trouble
from renege.server.store.store import BrokenTable, NumberTaken, StoreError
from renege.server.tables.refusals import stale
from renege.server.tables.registry import Declined, NoTable

log = structlog.get_logger()

STATUS = {"limit": 429, "form": 422, "notation": 422}  # of a refusal by its code; 409 for what the table forbids
SAYS = {
    400: "The request cannot be read.",
    403: "That is not open to the one who asks.",
    404: "There is no such thing.",
    405: "That cannot be done here.",
    408: "The request did not come to its end.",
    409: "The table does not allow it now.",
    413: "The request is too long.",
    415: "The body is not JSON.",
    422: "The request is not in its form.",
    429: "Too much was asked at once.",
    503: "The games cannot be kept or read just now.",
}

ANYWHERE = (400, 403, 422, 429, 503)  # what any request can meet with


def documented(*statuses: int) -> dict[int | str, dict[str, Any]]:
    """These statuses for the documentation of a request, besides those that any can meet with."""
    # not by `model`, which would be told as text where the good answer is text
    content = {"application/json": {"schema": {"$ref": "#/components/schemas/Trouble"}}}
    return {status: {"content": content, "description": SAYS[status]} for status in sorted({*ANYWHERE, *statuses})}


def trouble(status: int, detail: str, why: Refusal | None = None, headers: Any = None) -> JSONResponse:
    """What is wrong, as the page expects it."""
    said = Trouble(detail=_speakable(detail), why=why).model_dump(exclude_none=True)
    return JSONResponse(said, status, headers)


def add_troubles(app: FastAPI) -> None:
    """Let each kind of error be told in its way."""
    app.add_exception_handler(HTTPException, _http)
    app.add_exception_handler(RequestValidationError, _form)
    app.add_exception_handler(Declined, _declined)
    app.add_exception_handler(NotationError, _notation)
    app.add_exception_handler(NoTable, _no_table)
    app.add_exception_handler(StoreError, _store)
    app.add_exception_handler(BrokenTable, _broken_table)
    app.add_exception_handler(NumberTaken, _taken)


async def _http(request: Request, error: Any) -> Response:
    if error.status_code == 404 and (page := lost_page(request)) is not None:
        return page
    usual = error.detail == HTTPStatus(error.status_code).phrase  # by the framework, in its English
    plain = error.detail if isinstance(error.detail, str) and not usual else ""
    headers = _allowed(request) or error.headers if error.status_code == 405 else error.headers
    said = _speech(request).say(plain or SAYS.get(error.status_code, "That is refused."))
    return trouble(error.status_code, said, None, headers)


def _allowed(request: Request) -> dict[str, str] | None:
    """All methods of an address; a router tells those of the first route that fits."""
    for path, methods in request.app.openapi()["paths"].items():
        if re.fullmatch(re.sub(r"\{\w+\}", "[^/]+", path), request.url.path):
            return {"Allow": ", ".join(sorted(method.upper() for method in methods))}
    return None


async def _form(request: Request, error: Any) -> JSONResponse:
    return trouble(422, form_told(error.errors()))


def form_told(errors: Iterable[Mapping[str, Any]]) -> str:
    """The first thing that is wrong with the form of a message, and where; what was sent is not repeated."""
    first = next(iter(errors))
    where = ".".join(str(part) for part in first.get("loc", ()) if part != "body")
    said = str(first.get("msg", "")) or SAYS[422]
    return f"{where[:80]}: {said}" if where else said


async def _declined(request: Request, error: Any) -> JSONResponse:
    why = in_language(error.refusal, _speech(request))
    return trouble(STATUS.get(why.code, 409), why.text, why)


async def _notation(request: Request, error: Any) -> JSONResponse:
    return trouble(422, _speech(request).say(str(error)))


async def _no_table(request: Request, error: Any) -> JSONResponse:
    return trouble(404, _speech(request).say("there is no such table"))


async def _store(request: Request, error: Any) -> JSONResponse:
    log.error("the database fails", **where(error))
    return trouble(503, _speech(request).say("the games cannot be kept or read just now"))


async def _broken_table(request: Request, error: Any) -> JSONResponse:
    log.error("a table cannot be read", reason=str(error), **where(error))
    return trouble(503, _speech(request).say(str(error)))


async def _taken(request: Request, error: Any) -> JSONResponse:
    return await _declined(request, stale())


def in_language(refusal: Refusal, speech: Speech) -> Refusal:
    """A refusal in the language of the one who is refused."""
    return refusal.model_copy(
        update={"text": speech.say(refusal.text), "sentence": refusal.sentence and speech.say(refusal.sentence)}
    )


def _speech(request: Request) -> Speech:
    wanted = request.query_params.get("lang", "en")
    return Speech(wanted if wanted in LANGUAGES else "en")


def _speakable(text: str) -> str:
    """Text that can be sent: half a character, as JSON can smuggle in, cannot."""
    return text.encode("utf-8", "replace").decode()
