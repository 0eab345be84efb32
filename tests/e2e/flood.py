"""A flood, as a program of its own: `python -m e2e.flood ADDRESS TABLES`, until it is ended.

It makes so many tables of strong bots from one address of the loopback, each by another guest; its people act as soon
as they may and ask for a hint again and again. When the tables are there it says so.
"""

import asyncio
import contextlib
import subprocess
import sys
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path
from typing import Any

import httpx
import websockets

from e2e.clients import PATIENCE, Chair, Person

FLOOD = "127.0.0.2"
STRONG = ["me", "strong", "strong", "strong"]


def web_from(address: str, server: str) -> httpx.AsyncClient:
    """Somebody at an address."""
    transport = httpx.AsyncHTTPTransport(local_address=address, limits=httpx.Limits(max_connections=20))
    return httpx.AsyncClient(base_url=server, transport=transport, timeout=3 * PATIENCE)


async def made(web: httpx.AsyncClient, server: str, **new: Any) -> Chair:
    """A table by somebody whom the server does not know yet."""
    web.cookies.clear()
    answer = await web.post("/api/tables", json={"game": "texas42", "pace": 0, "seats": STRONG, **new})
    assert answer.status_code == 201, answer.text
    seat = answer.json()
    return Chair(server, seat["table"], seat["seat"], seat["token"])


class Placed(Person):
    """A person who comes from an address of the loopback."""

    def __init__(self, chair: Chair, address: str, seed: int = 0, **more: Any) -> None:
        super().__init__(chair, seed, **more)
        self.address = address

    @asynccontextmanager
    async def sitting(self) -> AsyncIterator[websockets.ClientConnection]:
        url = self.chair.socket_url(self.number or None)
        async with websockets.connect(url, max_size=2**22, local_addr=(self.address, 0), open_timeout=PATIENCE) as line:
            await self.hear(line)
            yield line


async def insist(person: Placed) -> None:
    while True:
        with contextlib.suppress(OSError, websockets.WebSocketException, TimeoutError, AssertionError):
            await person.play(1000)
        await asyncio.sleep(0.5)


async def nag(web: httpx.AsyncClient, chair: Chair) -> None:
    while True:
        with contextlib.suppress(httpx.HTTPError):
            await web.get(chair.url(f"/seats/{chair.seat}/hint"), headers=chair.headers)
        await asyncio.sleep(0.5)


async def flood(server: str, tables: int) -> None:
    async with web_from(FLOOD, server) as web:
        chairs = [await made(web, server) for _ in range(tables)]
        print("flooded", flush=True)
        people = [insist(Placed(chair, FLOOD, seed)) for seed, chair in enumerate(chairs)]
        await asyncio.gather(*people, *(nag(web, chair) for chair in chairs))


@contextmanager
def flooded(server: str, tables: int) -> Iterator[None]:
    """The flood, for as long as the block lasts."""
    command = [sys.executable, "-m", "e2e.flood", server, str(tables)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, cwd=Path(__file__).parents[1]) as process:
        try:
            assert process.stdout is not None and process.stdout.readline() == b"flooded\n"
            yield
            assert process.poll() is None, "the flood has ended"
        finally:
            process.kill()


if __name__ == "__main__":
    asyncio.run(flood(sys.argv[1], int(sys.argv[2])))
