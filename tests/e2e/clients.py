"""A server of our own, and people who play at it over the network without looking at the page.

`Server` runs `renege play` as a process, as a person would start it. `Person` sits in one seat with a WebSocket and
does something legal whenever it is asked; it goes by what the server sends, and by nothing else.
"""

import asyncio
import contextlib
import json
import os
import random
import signal
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx
import websockets

Json = dict[str, Any]
PATIENCE = 20.0  # seconds until something that should happen is given up
GAMES = ("texas42", "tractor", "schafkopf")


def free_port() -> int:
    with socket.socket() as listening:
        listening.bind(("127.0.0.1", 0))
        return int(listening.getsockname()[1])


@dataclass
class Server:
    """`renege play` on a port of its own; what it says goes to a file."""

    data: Path
    database: str | None = None
    seed: int | None = None
    options: tuple[str, ...] = ()
    port: int = field(default_factory=free_port)
    process: subprocess.Popen[bytes] | None = None

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    @property
    def command(self) -> list[str]:
        command = [sys.executable, "-m", "renege", "play", "--no-browser", "--port", str(self.port)]
        command += ["--data", str(self.data), *self.options]
        command += [] if self.database is None else ["--database", self.database]
        return command + ([] if self.seed is None else ["--seed", str(self.seed)])

    def start(self) -> "Server":
        self.data.mkdir(parents=True, exist_ok=True)
        with (self.data / "server.log").open("ab") as log:
            self.process = subprocess.Popen(self.command, stdout=log, stderr=log, stdin=subprocess.DEVNULL)
        until = time.monotonic() + 3 * PATIENCE
        while time.monotonic() < until:
            if self.process.poll() is not None:
                raise RuntimeError(f"the server ended: {self.log[-2000:]}")
            with contextlib.suppress(OSError), urllib.request.urlopen(f"{self.address}/health", timeout=5):
                return self
            time.sleep(0.02)
        self.kill()
        raise RuntimeError(f"the server does not answer: {self.log[-2000:]}")

    @property
    def log(self) -> str:
        return (self.data / "server.log").read_text("utf-8", errors="replace")

    def kill(self) -> None:
        """As when the power goes."""
        self._end(signal.SIGKILL)

    def stop(self) -> None:
        self._end(signal.SIGTERM)

    def _end(self, how: signal.Signals) -> None:
        if self.process is not None:
            if self.process.poll() is None:
                os.kill(self.process.pid, how)
            self.process.wait(timeout=PATIENCE)
            self.process = None

    def __enter__(self) -> "Server":
        return self.start()

    def __exit__(self, *_: object) -> None:
        self.stop()


@dataclass(frozen=True)
class Chair:
    """A seat that somebody has, with the token that opens it."""

    address: str
    table: str
    seat: int
    token: str

    @property
    def headers(self) -> dict[str, str]:
        return {"X-Seat-Token": self.token}

    def url(self, rest: str = "") -> str:
        return f"{self.address}/api/tables/{self.table}{rest}"

    def socket_url(self, after: int | None = None) -> str:
        known = "" if after is None else f"&after={after}"
        where = self.address.replace("http", "ws", 1)
        return f"{where}/api/tables/{self.table}/ws?seat={self.seat}&token={self.token}{known}"


def make_table(address: str, game: str, **more: Any) -> Chair:
    """A table with three bots that do not dawdle, unless told otherwise."""
    asked = {"game": game, "pace": 0, **more}
    answer = httpx.post(f"{address}/api/tables", json=asked, timeout=PATIENCE)
    assert answer.status_code in (200, 201), answer.text
    made = answer.json()
    return Chair(address, made["table"], made["seat"], made["token"])


def sit(chair: Chair, seat: int, name: str) -> Chair:
    """Somebody else takes another seat of the same table."""
    answer = httpx.post(chair.url(f"/seats/{seat}"), json={"name": name}, timeout=PATIENCE)
    assert answer.status_code in (200, 201), answer.text
    return Chair(chair.address, chair.table, seat, answer.json()["token"])


class Person:
    """Somebody in a seat who does something legal whenever asked."""

    def __init__(self, chair: Chair, seed: int = 0, watch: Callable[[Json], None] | None = None) -> None:
        self.chair = chair
        self.rng = random.Random(seed)
        self.number = 0  # of the last event that was heard of
        self.state: Json = {}
        self.done: dict[int, str] = {}  # what was acknowledged, by the number of its event
        self.waits: list[float] = []  # seconds from an act to its acknowledgement
        self.refused: list[Json] = []
        self.watch = watch

    @asynccontextmanager
    async def sitting(self) -> AsyncIterator[websockets.ClientConnection]:
        after = self.number or None
        async with websockets.connect(self.chair.socket_url(after), max_size=2**22) as line:
            await self.hear(line)
            yield line

    async def play(self, acts: int) -> int:
        """So many acts of one's own, deal after deal; how many there were."""
        made = 0
        async with self.sitting() as line:
            while made < acts:
                what = self.choice()
                if what is None:
                    await self.hear(line)
                    continue
                made += await self.say(line, what)
        return made

    def choice(self) -> Json | None:
        """What to send now; None to wait."""
        state = self.state
        if state["phase"] in ("over", "won"):
            return {"type": "next"}
        if not state["asked"]:
            return None
        if state["choose"]:
            held = [card["card"] for card in state["hand"]]
            cards = self.rng.sample(held, state["choose"]["count"])
            return {"type": "act", "what": f"{state['choose']['verb']} {' '.join(cards)}"}
        if parts := state["compose"]:
            ways = [f"{card} {nth + 1}" for card in parts["cards"] for nth in range(parts["copies"])]
            return {"type": "act", "what": f"{parts['verb']} {', '.join(self.rng.sample(ways, parts['count']))}"}
        if state["phase"] == "talk":
            return {"type": "act", "what": self.rng.choice(state["calls"])["what"]} if state["calls"] else None
        return {"type": "act", "what": self._cards(state)}

    def _cards(self, state: Json) -> str:
        """A card that the server calls playable; where several are owed, some of them, and its advice if they fail."""
        plays = state["trick"]["plays"] if state["trick"] else []
        size = len(plays[0]["cards"]) if plays else 1
        playable = [card["card"] for card in state["hand"] if card["playable"]]
        playable += [card["card"] for card in state["hand"] if not card["playable"]]
        if size == 1:
            return self.rng.choice([card["card"] for card in state["hand"] if card["playable"]])
        return " ".join(playable[:size])

    async def say(self, line: websockets.ClientConnection, what: Json) -> bool:
        """Send it and wait for what becomes of it: done, or refused, and then what would do."""
        begun, before = time.perf_counter(), self.number
        await line.send(json.dumps({**what, "at": self.number}))
        while True:
            frame = await self.hear(line)
            if frame["type"] == "refused":
                why = frame["why"]
                if why["code"] == "illegal" and why["instead"]:
                    return await self.say(line, {"type": "act", "what": why["instead"]})
                if why["code"] not in ("stale", "turn"):
                    self.refused.append(frame)
                    raise AssertionError(f"{what} was refused: {why}")
                if frame["number"] > self.number:  # the table has moved on, and its news are under way
                    await self.hear(line)
                return False
            for event in frame.get("events", ()):
                mine = event["kind"] == "dealt" if what["type"] == "next" else event["seat"] == self.chair.seat
                if event["number"] > before and mine:
                    self.waits.append(time.perf_counter() - begun)
                    return True

    async def hear(self, line: websockets.ClientConnection) -> Json:
        text = await asyncio.wait_for(line.recv(), PATIENCE)
        frame: Json = json.loads(text)
        if self.watch is not None:
            self.watch(frame)
        if frame["type"] == "moved":
            for event in frame["events"]:
                if event["number"] > self.number:
                    assert event["number"] == self.number + 1 or not self.state, "an event was skipped"
                    self.number = event["number"]
                    if event["kind"] == "act" and event["seat"] == self.chair.seat:
                        self.done[event["number"]] = event["what"]
            self.state = frame["state"]
            self.number = self.state["number"]
        return frame
