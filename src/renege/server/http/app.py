"""The ASGI application: routes, middleware and state; tables outlive it in the store."""

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from typing import Any

from fastapi import APIRouter, FastAPI, Request
from fastapi.responses import HTMLResponse, JSONResponse, PlainTextResponse, Response
from prometheus_client import CONTENT_TYPE_LATEST, generate_latest
from starlette.exceptions import HTTPException

from renege.core.version import version
from renege.server.http import recovery_routes as recovery
from renege.server.http import review_routes as lookback
from renege.server.http import routes
from renege.server.http import websocket as sockets
from renege.server.http.errors import add_troubles, documented
from renege.server.http.manual import add_messages, write_manual
from renege.server.http.middleware import Compression, Metrics, OuterMiddleware
from renege.server.http.pages import add_pages
from renege.server.http.rate_limits import BodyLimit
from renege.server.http.reach import Forwarded, is_at_home
from renege.server.http.settings import Settings
from renege.server.http.state import ServerHere, open_server
from renege.server.http.websocket import Connections

ABOUT = """Tractor, Texas 42 and Schafkopf at a table: what a page or a program can ask.

A seat is opened by the cookie of its guest, or by its token in the header X-Seat-Token.

Over the WebSocket /api/tables/{table}/ws?seat=&after=&lang=&token= the server sends ToPage and hears FromPage."""


class _App(FastAPI):
    """Documents the messages of the WebSocket too."""

    def openapi(self) -> dict[str, Any]:
        if self.openapi_schema is None:
            self.openapi_schema = add_messages(super().openapi())
        return self.openapi_schema


def create_app(settings: Settings) -> FastAPI:
    """A server that is ready to be run; it opens its database when it starts."""
    metrics = Metrics()

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncGenerator[None, None]:
        async with open_server(settings, metrics) as server:
            app.state.server = server
            yield
            await app.state.connections.close()

    app = _App(title="Renege", version=version(), description=ABOUT, lifespan=lifespan, openapi_url=None)
    app.state.connections = Connections()
    metrics.connections.set_function(app.state.connections.__len__)
    app.include_router(routes.router)
    app.include_router(recovery.router)
    app.include_router(lookback.router)
    app.include_router(sockets.router)
    app.include_router(watch)
    add_pages(app, settings.static)
    add_troubles(app)
    # the last that is added is asked first
    app.add_middleware(BodyLimit, limits=settings.limits)
    app.add_middleware(Compression)
    app.add_middleware(OuterMiddleware, settings=settings, metrics=metrics)
    app.add_middleware(Forwarded, proxies=settings.proxies)
    return app


# -- what whoever runs the server asks

watch = APIRouter()


@watch.get("/health", responses=documented(), tags=["running it"])
async def health(server: ServerHere) -> dict[str, str]:
    """Is the server well, its database included?"""
    await server.store.ping()
    return {"status": "ok"}


@watch.get("/metrics", responses=documented(), response_class=PlainTextResponse, tags=["running it"])
async def measured(request: Request, server: ServerHere) -> Response:
    """Counters in the text format of Prometheus, for this machine unless the server was started otherwise."""
    _check_home(request, server.settings.metrics)
    return Response(generate_latest(server.metrics.registry), media_type=CONTENT_TYPE_LATEST)


@watch.get("/docs", include_in_schema=False, response_class=HTMLResponse)
async def docs(request: Request, server: ServerHere) -> str:
    _check_home(request, server.settings.docs)
    return write_manual(request.app.openapi())


@watch.get("/openapi.json", include_in_schema=False)
async def openapi(request: Request, server: ServerHere) -> JSONResponse:
    _check_home(request, server.settings.docs)
    return JSONResponse(request.app.openapi())


def _check_home(request: Request, shown: bool) -> None:
    if not shown and not is_at_home(request):
        raise HTTPException(403, "This is shown on the machine of the server alone, unless it was started otherwise.")
