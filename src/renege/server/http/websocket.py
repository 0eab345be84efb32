"""The WebSocket of a seat or a spectator: what happens goes out, what is wanted comes in."""

import asyncio
import re
import time
from collections import Counter, deque
from contextlib import suppress
from typing import Any, TypeAlias

import structlog
from fastapi import APIRouter, WebSocket
from pydantic import BaseModel, TypeAdapter, ValidationError
from starlette.exceptions import HTTPException
from starlette.websockets import WebSocketDisconnect, WebSocketState

from renege.core.message import say
from renege.i18n import LANGUAGES, Speech
from renege.server.http.errors import form_told, in_language, trouble
from renege.server.http.middleware import objection
from renege.server.http.rate_limits import Bucket, network_of
from renege.server.http.state import TABLE_ID, ServerState, address_of, check_seat
from renege.server.logs import where
from renege.server.messages import (
    Act,
    Claim,
    Event,
    Fill,
    FromPage,
    Language,
    Next,
    Pong,
    Refusal,
    Refused,
    State,
    Undo,
)
from renege.server.people import Back, Free, Reply, WantBot
from renege.server.store.store import BrokenTable, StoreError
from renege.server.tables.history import Retelling
from renege.server.tables.registry import Declined, NoTable, Subscription, Table
from renege.server.workers.shares import Asker

log = structlog.get_logger()
router = APIRouter()

Doing: TypeAlias = Act | Undo | Claim | Next | Fill | WantBot | Free | Back | Reply  # by somebody at a seat
FROM_PAGE: TypeAdapter[FromPage] = TypeAdapter(FromPage)
EVENTS = TypeAdapter(list[Event])
GOING_AWAY, POLICY, TOO_LONG, FAILED, TRY_LATER = 1001, 1008, 1009, 1011, 1013
NOT_YOURS = 4003  # somebody else has the seat by now
MOST_REPLIES = 64  # that a page may leave unread
MOST_AT_ONCE = 100  # events that are told without leaving the loop
LAST_WORDS = 2.0  # seconds for all pages to hear that the server goes

TOO_FAST = Refusal(code="limit", text="that is too much at once; wait a little")
WATCHING = Refusal(code="seat", text="you are watching; take a seat to play")
UNKEPT = Refusal(code="limit", text="the games cannot be kept or read just now")


class Closing(Exception):
    """The connection ends, with this code."""

    def __init__(self, code: int) -> None:
        super().__init__(code)
        self.code = code


class Link:
    """One page at one table."""

    def __init__(self, socket: WebSocket, server: ServerState, table: Table, seat: int | None, lang: Language) -> None:
        self.socket = socket
        self.server = server
        self.table = table
        self.seat = seat
        self.lang: Language = lang
        self.network = network_of(address_of(socket))
        self.guest = None if seat is None else table.owner(seat)
        self.replies: deque[str] = deque()
        self.sent: int | None = None  # the last event it was told of
        self.shown: State | None = None
        self.ended: asyncio.Future[int] = asyncio.get_running_loop().create_future()

    def end(self, code: int) -> None:
        """Let it end soon."""
        if not self.ended.done():
            self.ended.set_result(code)

    async def run(self, after: int | None) -> None:
        """Talk and listen until one of the two ends go."""
        await self.socket.accept()
        self.sent = after
        code = FAILED
        try:
            async with self.table.subscribe(self.seat) as news:
                code = await self._first_of(self._write(news), self._read(news))
        except Exception as error:
            log.error("a connection has failed", **where(error))
        finally:
            if self.socket.client_state is WebSocketState.CONNECTED:
                with suppress(Exception):
                    async with asyncio.timeout(LAST_WORDS):
                        await self.socket.close(code)

    async def _first_of(self, *talks: Any) -> int:
        """The code of what ends first: one of the two ends, or the server."""
        tasks = [asyncio.ensure_future(talk) for talk in talks]
        try:
            done, _ = await asyncio.wait([*tasks, self.ended], return_when=asyncio.FIRST_COMPLETED)
            return next(iter(done)).result()
        except Closing as closing:
            return closing.code
        except (WebSocketDisconnect, TimeoutError):
            return GOING_AWAY
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.wait(tasks)
            for task in tasks:
                if not task.cancelled():
                    task.exception()  # that of the first is told, the others ended because of it

    # -- out

    async def _write(self, news: Subscription) -> int:
        self._check_owner()  # the seat may have gone to somebody else while this was being let in
        await self._tell()
        while True:
            await news.next()
            due = len(self.replies)  # those that come meanwhile may be about what is told only the next time
            self._check_owner()
            await self._tell()
            for _ in range(due):
                await self._send(self.replies.popleft())

    async def _tell(self) -> None:
        """How things stand, with all that happened since; several changes that came at once are one message."""
        state = await self.server.shown(self.table, self.seat, self.lang)
        if state is self.shown:
            return
        told = self.table.events(self.seat, self.sent, self.lang)
        self.shown, self.sent = state, state.number
        # after a long time away there may be thousands, or past deals to play again: the loop cannot wait for that
        long = told.past or len(told) > MOST_AT_ONCE
        events = await self.server.beside(_written, told) if long else _written(told)
        text = state.text if self.seat is None else state.model_dump_json()
        await self._send(f'{{"type":"moved","now":{time.time():.3f},"events":{events},"state":{text}}}')

    async def _send(self, text: str) -> None:
        async with asyncio.timeout(self.server.settings.limits.send_seconds):
            await self.socket.send_text(text)

    def _reply(self, news: Subscription, message: BaseModel) -> None:
        if len(self.replies) >= MOST_REPLIES:
            raise Closing(POLICY)
        self.replies.append(message.model_dump_json())
        news.wake()

    def _check_owner(self) -> None:
        """A seat that was given up is no longer shown, and nothing is done for it."""
        if self.seat is not None and self.table.owner(self.seat) != self.guest:
            raise Closing(NOT_YOURS)

    # -- in

    async def _read(self, news: Subscription) -> int:
        limits = self.server.settings.limits
        pace, patience = Bucket(limits.messages), Bucket(limits.patience)
        while True:
            received = await self.socket.receive()
            if received["type"] == "websocket.disconnect":
                return GOING_AWAY
            begun = time.perf_counter()
            text = received.get("text")
            if text is not None and len(text) > limits.frame:
                raise Closing(TOO_LONG)
            answer = await self._answer(text, begun) if pace.take() else TOO_FAST
            if isinstance(answer, Refusal):
                if answer.code in ("form", "limit") and not patience.take():
                    raise Closing(POLICY)
                why = in_language(answer, Speech(self.lang, self.table.names))
                self._reply(news, Refused(why=why, number=self.table.number))
            elif answer is not None:
                self._reply(news, answer)

    async def _answer(self, text: str | None, begun: float) -> Refusal | Pong | None:
        """Do what is asked. None where all hear of it anyway."""
        try:
            message = FROM_PAGE.validate_json(text or "")
        except ValidationError as wrong:
            return Refusal(code="form", text=form_told(wrong.errors(include_input=False, include_url=False)))
        if message.type == "ping":
            return Pong()
        if message.type == "salt":
            return self._add_salt(message.deal, message.salt)
        refusal = await self._do(message)
        metrics, game = self.server.metrics, self.table.game.name
        metrics.acts.labels(game, "done" if refusal is None else refusal.code).inc()
        if refusal is None:
            metrics.act_seconds.observe(time.perf_counter() - begun)
        return refusal

    def _add_salt(self, deal: int, salt: str) -> Refusal | None:
        if self.seat is None:
            return WATCHING
        self._check_owner()
        self.table.add_salt(self.seat, deal, salt)
        return None

    async def _do(self, message: Doing) -> Refusal | None:
        table, seat = self.table, self.seat
        if seat is None:
            return WATCHING
        self._check_owner()
        try:
            await _done(table, seat, message)
        except Declined as no:
            return no.refusal
        except StoreError as wrong:
            log.error("an act could not be kept", table=table.id, **where(wrong))
            return UNKEPT
        return None


async def _done(table: Table, seat: int, message: Doing) -> None:
    match message:
        case Act(what=what, at=at):
            await table.act(seat, what, at)
        case Undo(at=at):
            await table.undo(seat, at)
        case Claim(at=at):
            await table.claim(seat, at)
        case Next(at=at):
            await table.next(seat, at)
        case Fill(at=at):
            await table.fill(at)
        case WantBot(seat=other):
            await table.want_bot(seat, other)
        case Free(seat=other):
            await table.free(seat, other)
        case Back():
            await table.come_back(seat)
        case Reply(to=to, yes=yes):
            await table.reply(seat, to, yes)


class Connections:
    def __init__(self) -> None:
        self._links: dict[Link, None] = {}  # in the order in which they came
        self._closing = False

    def __len__(self) -> int:
        return len(self._links)

    def check_capacity(self, new: Link) -> None:
        """Refuse one connection too many: of this address, of this seat, or of all who watch or all who sit.

        Places at seats are kept for their owners. Where even those are full, the network that has most gives one up.
        """
        limits, watches = new.server.settings.limits, new.seat is None
        alike = [link for link in self._links if (link.seat is None) == watches]
        mine = sum(link.network == new.network for link in alike)
        if mine >= (limits.address_spectators if watches else limits.address_seated):
            raise HTTPException(429, "That is too many connections from one place.")
        there = sum(link.table.id == new.table.id and link.seat == new.seat for link in self._links)
        if new.seat is not None and there >= limits.seat_sockets:
            raise HTTPException(429, "That seat is open in too many places.")
        full = len(alike) >= (limits.spectators if watches else limits.seated)
        if self._closing or (full and (watches or not self._make_room(alike, mine))):
            raise HTTPException(503, "There is no room for another connection.")

    def _make_room(self, seated: list[Link], mine: int) -> bool:
        """Let the network with most connections at seats give up its last; False if that would be the one who asks."""
        network, most = Counter(link.network for link in seated).most_common(1)[0]
        if most <= mine + 1:
            return False
        last = next(link for link in reversed(seated) if link.network == network)
        self._links.pop(last)
        last.end(TRY_LATER)
        return True

    async def run(self, link: Link, after: int | None) -> None:
        """Count a connection while it lasts."""
        self._links[link] = None
        try:
            await link.run(after)
        finally:
            self._links.pop(link, None)

    def end_at(self, table: Table) -> None:
        """A table is no more."""
        for link in self._links:
            if link.table is table:
                link.end(NOT_YOURS)

    async def close(self) -> None:
        """Tell all pages that the server goes."""
        self._closing = True
        for link in self._links:
            link.end(GOING_AWAY)
        until = time.monotonic() + LAST_WORDS
        while self._links and time.monotonic() < until:
            await asyncio.sleep(0.02)


def _written(told: Retelling) -> str:
    return EVENTS.dump_json(told()).decode()


@router.websocket("/api/tables/{table}/ws")
async def connect(socket: WebSocket, table: str) -> None:
    """Play at a seat, or watch; `docs/table.md` says what is sent."""
    connections: Connections = socket.app.state.connections
    with suppress(WebSocketDisconnect, OSError):  # gone before it was let in
        try:
            link, after = await _admit(socket, table)
            connections.check_capacity(link)
        except HTTPException as no:
            await socket.send_denial_response(trouble(no.status_code, no.detail))
            return
        if link.guest is not None:
            link.table.charge(Asker(link.server.network(socket), link.guest))
        await connections.run(link, after)


async def _admit(socket: WebSocket, table_id: str) -> tuple[Link, int | None]:
    """Who connects, and from which event on; `HTTPException` for who may not."""
    server: ServerState = socket.app.state.server
    if refused := objection(socket.scope, server.settings):
        raise HTTPException(403, refused)
    if not server.connects.allows(address_of(socket)):
        raise HTTPException(429, "That is too many connections from one place.")
    seat, after = _number(socket, "seat", 1), _number(socket, "after", 9)
    lang = socket.query_params.get("lang", "en")
    if lang not in LANGUAGES:
        raise HTTPException(422, say("lang is one of {rest}.", " ".join(LANGUAGES)))
    try:
        table = await server.registry.find(table_id) if re.fullmatch(TABLE_ID, table_id) else None
    except NoTable:
        table = None
    except BrokenTable as wrong:
        log.error("a table cannot be read", reason=str(wrong), **where(wrong))
        raise HTTPException(503, str(wrong)) from None
    except StoreError as wrong:
        log.error("a table cannot be read", **where(wrong))
        raise HTTPException(503, "The games cannot be read just now.") from None
    if table is None:
        raise HTTPException(404, "There is no such table.")
    if seat is not None:
        check_seat(table.game, seat)
    if seat is not None and server.opener(socket, table, seat, socket.query_params.get("token")) is None:
        raise HTTPException(403, "That seat is not yours.")
    return Link(socket, server, table, seat, lang), after


def _number(socket: WebSocket, name: str, digits: int) -> int | None:
    said = socket.query_params.get(name)
    if said is None:
        return None
    if not re.fullmatch(rf"[0-9]{{1,{digits}}}", said):
        raise HTTPException(422, say("{name} is a number.", name))
    return int(said)
