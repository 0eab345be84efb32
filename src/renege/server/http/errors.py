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
from renege.server.store.store import BrokenTable, StoreError
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
    speakable = detail.encode("utf-8", "replace").decode()  # half a character, as JSON can smuggle in, cannot be sent
    return JSONResponse(Trouble(detail=speakable, why=why).model_dump(exclude_none=True), status, headers)


def add_troubles(app: FastAPI) -> None:
    """Let each kind of error be told in its way."""
    for kind in (HTTPException, RequestValidationError, Declined, NotationError, NoTable, StoreError):
        app.add_exception_handler(kind, _told)


async def _told(request: Request, error: Exception) -> Response:
    wanted = request.query_params.get("lang", "en")
    speech = Speech(wanted if wanted in LANGUAGES else "en")
    match error:
        case HTTPException():
            return _http(request, error, speech)
        case RequestValidationError():
            return trouble(422, form_told(error.errors()))
        case NotationError():
            return trouble(422, speech.say(str(error)))
        case NoTable():
            return trouble(404, speech.say("there is no such table"))
        case Declined():
            why = in_language(error.refusal, speech)
            return trouble(STATUS.get(why.code, 409), why.text, why)
        case BrokenTable():
            log.error("a table cannot be read", reason=str(error), **where(error))
            return trouble(503, speech.say(str(error)))
        case _:
            log.error("the database fails", **where(error))
            return trouble(503, speech.say("the games cannot be kept or read just now"))


def _http(request: Request, error: HTTPException, speech: Speech) -> Response:
    if error.status_code == 404 and (page := lost_page(request)) is not None:
        return page
    usual = error.detail == HTTPStatus(error.status_code).phrase  # by the framework, in its English
    headers = _allowed(request) or error.headers if error.status_code == 405 else error.headers
    plain = SAYS.get(error.status_code, "That is refused.") if usual or not error.detail else error.detail
    return trouble(error.status_code, speech.say(plain), None, headers)


def _allowed(request: Request) -> dict[str, str] | None:
    """All methods of an address; a router tells those of the first route that fits."""
    for path, methods in request.app.openapi()["paths"].items():
        if re.fullmatch(re.sub(r"\{\w+\}", "[^/]+", path), request.url.path):
            return {"Allow": ", ".join(sorted(method.upper() for method in methods))}
    return None


def form_told(errors: Iterable[Mapping[str, Any]]) -> str:
    """The first thing that is wrong with the form of a message, and where; what was sent is not repeated."""
    first = next(iter(errors))
    where = ".".join(str(part) for part in first.get("loc", ()) if part != "body")
    said = str(first.get("msg", "")) or SAYS[422]
    return f"{where[:80]}: {said}" if where else said


def in_language(refusal: Refusal, speech: Speech) -> Refusal:
    return refusal.model_copy(
        update={"text": speech.say(refusal.text), "sentence": refusal.sentence and speech.say(refusal.sentence)}
    )
