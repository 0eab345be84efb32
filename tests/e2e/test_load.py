"""One address that asks for everything leaves the others their share: bots, hints, connections, disk.

The servers are processes of their own, and so is the flood; it comes from one address of the loopback, and the person
who plays on from another. `RENEGE_SOAK=100` floods as an attacker would, else it is a part of that. On a machine that
is busy with other things bots take their time as well when nothing is flooded; that is measured first.
"""

import asyncio
import contextlib
import time
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest
import websockets

from e2e.clients import PATIENCE, Json, Person, Server, make_table
from e2e.flood import FLOOD, Placed, flooded, made, web_from
from support.steering import SOAK

TABLES = 200 if SOAK > 1 else 50
SPECTATORS, TOO_MANY = (2000, 50) if SOAK > 1 else (300, 0)
OTHER = "127.0.0.3"
FORGED = 700
BOT_SECONDS, HINT_SECONDS = 2.0, 3.0


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Server]:
    with Server(tmp_path) as server:
        yield server


class Watch:
    """How long bots of a table take, by what its person hears."""

    def __init__(self) -> None:
        self.waits: list[float] = []
        self.hurried = False
        self._at = 0.0

    def __call__(self, frame: Json) -> None:
        now = time.perf_counter()
        if frame["type"] != "moved":
            return
        bots = [event for event in frame["events"] if event["kind"] == "act" and event["seat"] != 0]
        if bots and self._at:
            self.waits.append((now - self._at) / len(bots))
        state = frame["state"]
        self.hurried = self.hurried or bool(state["hurried"])
        self._at = now if state["turn"] not in (None, 0) else 0.0


async def evening(server: Server, address: str, acts: int) -> tuple[Watch, list[float]]:
    """Somebody plays with strong bots and asks for a hint now and then; the seconds of bots, and those of hints."""
    watch, hints = Watch(), list[float]()
    async with web_from(address, server.address) as web:
        person = Placed(await made(web, server.address), address, 1, watch=watch)
        async with person.sitting() as line:
            done = 0
            while done < acts:
                what = person.choice()
                if what is None:
                    await person.hear(line)
                    continue
                if done % 3 == 0 and what["type"] == "act":
                    begun = time.perf_counter()
                    answer = await web.get(person.chair.url("/seats/0/hint?step=2"), headers=person.chair.headers)
                    hints.append(time.perf_counter() - begun)
                    assert answer.status_code in (200, 503), answer.text
                    assert answer.status_code == 200 or "ask again" in answer.json()["detail"]
                done += await person.say(line, what)
    return watch, hints


def test_tables_of_one_address_leave_bots_and_hints_to_the_others(server: Server) -> None:
    asyncio.run(evening(server, OTHER, 1))  # the workers start when they are first asked
    alone, alone_hints = asyncio.run(evening(server, OTHER, 6))
    with flooded(server.address, TABLES):
        watch, hints = asyncio.run(evening(server, OTHER, 12))
        near, near_hints = asyncio.run(evening(server, FLOOD, 6))
    most, most_hints = max(BOT_SECONDS, 3 * max(alone.waits)), max(HINT_SECONDS, 2 * max(alone_hints))
    for told, bots, seconds in (
        ("alone", alone, alone_hints),
        ("beside a flood", watch, hints),
        ("in its midst", near, near_hints),
    ):
        print(f"{told}: bots at most {max(bots.waits):.2f} s, hints {max(seconds):.2f} s, hurried {bots.hurried}")
    assert len(watch.waits) > 5 and max(watch.waits) < most, watch.waits
    assert len(hints) > 2 and max(hints) < most_hints, hints
    assert not watch.hurried, "the bots of a table that asks for little had no time"
    # at the same address there is not enough for all: bots act without a search, in time, and the table says so
    assert max(near.waits) < most and near.hurried, near.waits
    assert "Traceback" not in server.log and "a bot has failed" not in server.log


def test_spectators_leave_the_places_of_seats(server: Server) -> None:
    """From two addresses, as many as are let in and some more; then the owner of a seat comes."""

    async def scene() -> None:
        async with web_from(OTHER, server.address) as web, contextlib.AsyncExitStack() as stack:
            chair = await made(web, server.address, seats=None)
            url = chair.socket_url().partition("?")[0]
            gate, refused = asyncio.Semaphore(50), list[int]()

            async def watch(i: int) -> None:
                address = f"127.0.0.{10 + i % 3}"
                async with gate:
                    try:
                        connected = websockets.connect(url, local_addr=(address, 0), open_timeout=2 * PATIENCE)
                        await stack.enter_async_context(connected)
                    except websockets.InvalidStatus as no:
                        refused.append(no.response.status_code)

            await asyncio.gather(*(watch(i) for i in range(SPECTATORS + TOO_MANY)))
            assert refused == [503] * TOO_MANY
            person = Placed(chair, OTHER)
            await asyncio.wait_for(person.play(3), 6 * PATIENCE)

    asyncio.run(scene())
    assert "Traceback" not in server.log


def test_forged_headers_gain_nothing(tmp_path: Path) -> None:
    """Neither with a public name nor without one has each invented address tables of its own."""

    async def scene(server: Server) -> list[int]:
        async with web_from("127.0.0.1", server.address) as web:
            return await asyncio.gather(*(forged(web, i) for i in range(FORGED)))

    for folder, options in (("bare", ()), ("named", ("--origin", "https://cards.example.org"))):
        with Server(tmp_path / folder, options=options) as server:
            begun = time.monotonic()
            made = asyncio.run(scene(server))
            most = 305 + 5 * (time.monotonic() - begun)  # what one address may have
            assert set(made) == {201, 429} and made.count(201) <= most < FORGED, (made.count(201), most)
            assert "Traceback" not in server.log


async def forged(web: httpx.AsyncClient, i: int) -> int:
    address = f"198.51.{i // 250}.{i % 250}"
    headers = {"X-Forwarded-For": address, "X-Real-IP": address, "Forwarded": f"for={address}"}
    new = {"game": "texas42", "seats": ["me", "open", "open", "open"]}
    return (await web.post("/api/tables", json=new, headers=headers)).status_code


def test_pasted_records_stop_at_the_quota(server: Server) -> None:
    """As the audit pasted them: padded with comments, as many as the rate allows; 20 MB of them are kept."""
    person = Person(make_table(server.address, "texas42"), seed=5)

    async def deal() -> None:
        async with person.sitting() as line:
            while person.state["phase"] not in ("over", "won"):
                what = person.choice()
                await (person.hear(line) if what is None else person.say(line, what))

    asyncio.run(deal())
    record = httpx.get(person.chair.url("/record")).text
    padding = "# a line that says nothing at all, over and over\n" * 7600
    answers = [
        httpx.post(f"{server.address}/api/records", json={"text": f"# {i}\n{padding}{record}"}, timeout=3 * PATIENCE)
        for i in range(60)
    ]
    kept = [answer.status_code for answer in answers].index(429)
    assert 50 < kept < 58 and {answer.status_code for answer in answers[kept:]} == {429}
    assert "from your address" in answers[kept].json()["detail"]
    assert sum(file.stat().st_size for file in server.data.iterdir()) < 60_000_000
