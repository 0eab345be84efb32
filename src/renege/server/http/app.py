"""The ASGI application: routes, middleware and state; tables outlive it in the store."""

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from typing import Any

from fastapi import FastAPI
from fastapi.responses import HTMLResponse, PlainTextResponse, Response

from renege.core.version import version
from renege.server.http import review_routes as lookback
from renege.server.http import routes
from renege.server.http import websocket as sockets
from renege.server.http.errors import add_troubles, documented
from renege.server.http.manual import add_messages, write_manual
from renege.server.http.metrics import Metrics
from renege.server.http.middleware import Compression, OuterMiddleware
from renege.server.http.pages import add_pages
from renege.server.http.rate_limits import BodyLimit
from renege.server.http.settings import Settings
from renege.server.http.state import ServerHere, open_server
from renege.server.http.websocket import Connections

ABOUT = """Tractor, Texas 42 and Schafkopf at a table: what a page or a program can ask.

A seat is opened by the cookie of its guest, or by its token in the header X-Seat-Token.

Over the WebSocket /api/tables/{table}/ws?seat=&after=&lang=&token= the server sends ToPage and hears FromPage."""


def create_app(settings: Settings) -> FastAPI:
    """A server that is ready to be run; it opens its database when it starts."""
    metrics = Metrics()

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncGenerator[None, None]:
        async with open_server(settings, metrics) as server:
            app.state.server = server
            yield
            await app.state.connections.close()

    app = FastAPI(
        title="Renege", version=version(), description=ABOUT, lifespan=lifespan, docs_url=None, redoc_url=None
    )
    app.state.connections = Connections()
    app.include_router(routes.router)
    app.include_router(lookback.router)
    app.include_router(sockets.router)
    _add_watch(app, metrics)
    _add_manual(app)
    add_pages(app, settings.static)
    add_troubles(app)
    # the last that is added is asked first
    app.add_middleware(BodyLimit, limits=settings.limits)
    app.add_middleware(Compression)
    app.add_middleware(OuterMiddleware, settings=settings, metrics=metrics)
    return app


def _add_watch(app: FastAPI, metrics: Metrics) -> None:
    """What whoever runs the server asks."""

    @app.get("/health", responses=documented(), tags=["running it"])
    async def health(server: ServerHere) -> dict[str, str]:
        """Is the server well, its database included?"""
        await server.store.ping()
        return {"status": "ok"}

    @app.get("/metrics", response_class=PlainTextResponse, tags=["running it"])
    async def measured() -> Response:
        """Counters in the text format of Prometheus."""
        return Response(metrics.text(), media_type=metrics.content_type)

    _ = health, measured


def _add_manual(app: FastAPI) -> None:
    plain = app.openapi

    def openapi() -> dict[str, Any]:
        if app.openapi_schema is None:
            app.openapi_schema = add_messages(plain())
        return app.openapi_schema

    app.openapi = openapi

    @app.get("/docs", include_in_schema=False, response_class=HTMLResponse)
    async def docs() -> str:
        return write_manual(app.openapi())

    _ = docs
