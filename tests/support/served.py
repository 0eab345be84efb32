"""Real servers on loopback, each on a port of its own, and people who play there."""

import asyncio
import json
import threading
import time
from collections.abc import Callable, Generator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

import httpx
from fastapi import FastAPI
from websockets.sync.client import ClientConnection
from websockets.sync.client import connect as connect_socket

from renege.server.http.launch import Server, bind
from renege.server.http.settings import Settings

WAIT = 30.0  # seconds, on a busy machine
LANGUAGES = ("en", "de", "zh")
NOBODY = "aaaaaaaaaa"  # the id of no table


@dataclass
class Served:
    """A running server."""

    server: Server
    url: str
    clients: list[httpx.Client] = field(default_factory=list)

    @property
    def app(self) -> FastAPI:
        return self.server.app

    def client(self) -> httpx.Client:
        """Somebody with cookies of their own."""
        self.clients.append(httpx.Client(base_url=self.url, timeout=60))
        return self.clients[-1]

    def person(self, game: str = "texas42", **new: Any) -> "Person":
        """Somebody who has made a table."""
        client = self.client()
        made = client.post("/api/tables", json={"game": game, "pace": 0, **new})
        assert made.status_code == 201, made.text
        return Person(self, client, **made.json())

    def socket(self, table: str, cookie: str = "", origin: str | None = None, **query: Any) -> ClientConnection:
        """A connection to a table."""
        asked = "&".join(f"{name}={value}" for name, value in query.items())
        headers = {"Cookie": cookie} if cookie else {}
        address = f"{self.url.replace('http', 'ws', 1)}/api/tables/{table}/ws?{asked}"
        return connect_socket(address, additional_headers=headers, origin=origin, compression=None)  # type: ignore[arg-type]


@dataclass
class Person:
    """Somebody at a seat."""

    served: Served
    client: httpx.Client
    table: str
    seat: int
    token: str
    link: str

    @property
    def cookie(self) -> str:
        return f"renege_guest={self.client.cookies['renege_guest']}"

    def socket(self, **query: Any) -> ClientConnection:
        return self.served.socket(self.table, self.cookie, **{"seat": self.seat, **query})

    def get(self, path: str, **query: Any) -> httpx.Response:
        return self.client.get(f"/api/tables/{self.table}{path}", params=query)

    def play_out(self) -> list[dict[str, Any]]:
        """Play the deal to its end, the first thing that comes to mind each time; all messages that came."""
        heard: list[dict[str, Any]] = []
        state: dict[str, Any] = {}
        acted = 0
        with self.socket() as socket:
            while state.get("phase") not in ("over", "won"):
                message = hear(socket)
                heard.append(message)
                what = ""
                if message["type"] == "moved":
                    state = message["state"]
                    what = first_choice(state) if state["asked"] and state["number"] != acted else ""
                elif message["why"]["code"] == "illegal":
                    what = message["why"]["instead"]
                else:
                    assert message["why"]["code"] == "stale", message
                if what:
                    acted = state["number"]
                    socket.send(json.dumps({"type": "act", "what": what, "at": acted}))
        return heard


def hear(socket: ClientConnection) -> dict[str, Any]:
    return json.loads(socket.recv(timeout=WAIT))


def first_choice(state: dict[str, Any]) -> str:
    """Something that a seat may do: the first call that is more than a pass, or the first card."""
    if state["choose"]:
        return " ".join(
            [state["choose"]["verb"], *(held["card"] for held in state["hand"][: state["choose"]["count"]])]
        )
    if state["calls"] and not state["trick"]:
        calls = [call["what"] for call in state["calls"]]
        return next((call for call in calls if call != "pass"), "pass")
    return next(card["card"] for card in state["hand"] if card["playable"])


@contextmanager
def serve(settings: Settings) -> Generator[Served, None, None]:
    """A server in a thread, as long as the block lasts."""
    failed: list[BaseException] = []
    with bind("127.0.0.1", 0) as listening:
        url = f"http://127.0.0.1:{listening.getsockname()[1]}"
        server = Server(settings, url)

        def run() -> None:
            try:
                asyncio.run(server.stay(listening))
            except BaseException as wrong:
                failed.append(wrong)

        thread = threading.Thread(target=run)
        thread.start()
        served = Served(server, url)
        try:
            until(lambda: server.started or bool(failed))
            if failed:
                raise failed[0]
            yield served
        finally:
            for client in served.clients:
                client.close()
            server.should_exit = True
            thread.join(WAIT)
            assert not thread.is_alive()


def until(done: Callable[[], bool], seconds: float = WAIT) -> None:
    """Wait until something is so."""
    end = time.monotonic() + seconds
    while not done():
        assert time.monotonic() < end, "it has not come to that"
        time.sleep(0.02)


def refused(answer: httpx.Response, status: int, says: str = "") -> None:
    """A status, and a sentence that shows nothing of the inside."""
    assert answer.status_code == status, answer.text
    detail = answer.json()["detail"]
    assert isinstance(detail, str) and detail
    assert says in detail
    assert "Traceback" not in answer.text and ".py" not in answer.text
