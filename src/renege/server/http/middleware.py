"""Middleware: refuses requests from other origins, sets headers, limits rates, logs and counts for Prometheus."""

import asyncio
import re
import secrets
import time
from urllib.parse import parse_qs

import structlog
from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram
from starlette.datastructures import Headers, MutableHeaders
from starlette.middleware.gzip import GZipMiddleware
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from renege.core.message import say
from renege.server.http.errors import trouble
from renege.server.http.guests import is_own_name, is_own_page
from renege.server.http.rate_limits import RateLimiter
from renege.server.http.settings import Settings
from renege.server.logs import where

log = structlog.get_logger()

DEAL_PAGE = re.compile(r"/[tr]/[a-z0-9]+/[0-9]+/[0-9]+")
QUICK = (0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0, 2.0, 5.0)
SLOW = (0.01, 0.05, 0.1, 0.25, 0.5, 1.0, 2.0, 4.0, 8.0, 16.0)
LAG_EVERY = 0.25
READING = ("GET", "HEAD", "OPTIONS")
HEADERS = {
    # Styles of single elements are how cards get their places; scripts and sheets come from our own files alone.
    "content-security-policy": "default-src 'none'; script-src 'self'; style-src 'self'; "
    "style-src-attr 'unsafe-inline'; img-src 'self' data:; connect-src 'self'; manifest-src 'self'; base-uri 'none'; "
    "form-action 'self'; frame-ancestors 'none'",
    "x-content-type-options": "nosniff",
    "referrer-policy": "same-origin",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
}
# A finished deal may be shown inside another page: there is nothing to click that does anything.
EMBEDDED = HEADERS | {
    "content-security-policy": HEADERS["content-security-policy"].replace("frame-ancestors 'none'", "frame-ancestors *")
}


def objection(scope: Scope, settings: Settings) -> str | None:
    """Why one does not talk to whoever asks: a page from elsewhere, or one that came by a name that is not ours."""
    headers = Headers(scope=scope)
    host = headers.get("host")
    if (settings.is_local or settings.origins) and not is_own_name(host, settings.origins):
        return "This server is not reached by that name; --origin adds another."
    changes = scope["type"] == "websocket" or scope["method"] not in READING
    if changes and not is_own_page(headers.get("origin"), host, settings.origins):
        return "This comes from the page of somebody else; --origin lets it in."
    return None


class Metrics:
    """The counters of one server, in a registry of their own."""

    def __init__(self) -> None:
        own = self.registry = CollectorRegistry()
        self.tables = Gauge("renege_tables", "Tables in memory", registry=own)
        self.connections = Gauge("renege_connections", "Open WebSockets", registry=own)
        self.acts = Counter("renege_acts", "What seats sent", ("game", "outcome"), registry=own)
        self.act_seconds = Histogram(
            "renege_act_seconds", "From the receipt of an act until it is kept", registry=own, buckets=QUICK
        )
        self.bot_seconds = Histogram(
            "renege_bot_seconds", "How long bots think", ("level",), registry=own, buckets=SLOW
        )
        self.requests = Counter("renege_requests", "HTTP requests", ("route", "status"), registry=own)
        self.lag = Histogram("renege_loop_lag_seconds", "How late the event loop is", registry=own, buckets=QUICK)

    async def watch_loop(self) -> None:
        """Sleep, and see how much later than asked we wake up."""
        while True:
            start = time.perf_counter()
            await asyncio.sleep(LAG_EVERY)
            self.lag.observe(max(0.0, time.perf_counter() - start - LAG_EVERY))


class OuterMiddleware:
    """The outermost middleware: rate limit, security headers, request ids, log, metrics, and the answer to failures."""

    def __init__(self, app: ASGIApp, settings: Settings, metrics: Metrics) -> None:
        self.app = app
        self.settings = settings
        self.metrics = metrics
        self.asks = RateLimiter(settings.limits.asks)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        number, begun, status = secrets.token_hex(6), time.perf_counter(), 0
        asked = parse_qs(scope["query_string"].decode("latin-1"))
        embedded = DEAL_PAGE.fullmatch(scope["path"]) is not None and asked.get("embed") == ["1"]

        async def answer(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
                headers = MutableHeaders(scope=message)
                for name, value in (EMBEDDED if embedded else HEADERS).items():
                    headers.setdefault(name, value)
                headers["x-request-id"] = number
                if scope["path"].startswith("/api/"):
                    headers.setdefault("cache-control", "no-store")
            await send(message)

        try:
            await (self._refusal(scope) or self.app)(scope, receive, answer)
        except Exception as error:
            log.error("a request has failed", request=number, route=_route(scope), **where(error))
            if status:
                raise  # it has begun to be answered; that must end in a broken line, not in a good one
            await trouble(500, say("Something went wrong here, not with you. The log has it as {rest}.", number))(
                scope, receive, answer
            )
        finally:
            self.metrics.requests.labels(_route(scope), str(status)).inc()
            took = round(1000 * (time.perf_counter() - begun), 1)
            log.info("asked", request=number, method=scope["method"], route=_route(scope), status=status, ms=took)

    def _refusal(self, scope: Scope) -> ASGIApp | None:
        """The answer to somebody who does not get in."""
        if refused := objection(scope, self.settings):
            return trouble(403, refused)
        asker = scope["client"][0] if scope.get("client") else ""
        if scope["path"].startswith("/api/") and not self.asks.allows(asker):
            return trouble(429, "That is too much at once; wait a little.")
        return None


def _route(scope: Scope) -> str:
    """The address as its pattern: what stands in it stays out of the log, and there are few of them."""
    if not scope.get("route"):
        return "page"
    names = {str(value): f"{{{name}}}" for name, value in scope.get("path_params", {}).items()}
    parts: list[str] = scope["path"].split("/")
    return "/".join(names.get(part, part) for part in parts)


class Compression(GZipMiddleware):
    """Compression of responses, except reviews: they are streamed line by line, which compression would hold back."""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http" and scope["path"].endswith("/review"):
            await self.app(scope, receive, send)
        else:
            await super().__call__(scope, receive, send)
