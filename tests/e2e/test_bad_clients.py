"""Clients that misbehave are told so, and nobody else at the server notices them.

A well-behaved table plays on in the same server all the while; in the end it has lost nothing, and the server is well.
"""

import asyncio
import contextlib
import json
import os
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest
import websockets

from e2e.clients import PATIENCE, Chair, Json, Person, Server, make_table, sit

CONNECTS = 1_000
AT_ONCE = 100


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with Server(tmp_path_factory.mktemp("data")) as server:
        yield server


async def beside_a_good_table(server: Server, mischief) -> None:
    """Somebody plays while the mischief goes on; their every act is done, in order."""
    person = Person(make_table(server.address, "texas42"), seed=7)
    at_play = asyncio.create_task(person.play(25))
    await mischief
    await asyncio.wait_for(at_play, 6 * PATIENCE)
    assert not person.refused
    async with httpx.AsyncClient() as web:
        assert (await web.get(f"{server.address}/health")).status_code == 200
    assert "Traceback" not in server.log


async def frame_of(line: websockets.ClientConnection) -> Json:
    return json.loads(await asyncio.wait_for(line.recv(), PATIENCE))


BAD_FRAMES = [
    "",
    "{",
    "null",
    "[]",
    "17",
    '"act"',
    "{}",
    '{"type": "act"}',
    '{"type": "act", "what": 5, "at": 1}',
    '{"type": "act", "what": "pass", "at": "1"}',
    '{"type": "act", "what": "pass", "at": 1e400}',
    '{"type": "act", "what": "pass", "at": 1, "seat": 2}',
    '{"type": "act", "what": "", "at": 1}',
    '{"type": "act", "what": "\\u0000", "at": 3}',
    '{"type": "act", "what": "\\ud800", "at": 3}',
    '{"type": "resign", "at": 1}',
    '{"type": "next", "at": 99999999999999999999}',
    "[" * 1500 + "]" * 1500,
    b"\xff\xfe\x00",
    json.dumps({"type": "act", "what": "6-4 " * 99, "at": 1}),
]


@pytest.mark.parametrize("frame", BAD_FRAMES, ids=range(len(BAD_FRAMES)))
def test_a_malformed_frame_is_refused_and_the_line_stays(server: Server, frame: str | bytes) -> None:
    async def scene() -> None:
        chair = make_table(server.address, "texas42", pace=5000)
        async with websockets.connect(chair.socket_url()) as line:
            first = await frame_of(line)
            await line.send(frame)
            answer = await frame_of(line)
            assert answer["type"] == "refused", answer
            assert answer["why"]["text"]
            await line.send('{"type": "ping"}')
            assert (await frame_of(line))["type"] == "pong"
            assert answer["number"] == first["state"]["number"]

    asyncio.run(scene())
    assert "Traceback" not in server.log


def test_a_frame_that_is_too_long_ends_the_line(server: Server) -> None:
    async def scene() -> None:
        chair = make_table(server.address, "texas42")
        async with websockets.connect(chair.socket_url()) as line:
            await frame_of(line)
            await line.send(json.dumps({"type": "act", "what": "6" * 1_000_000, "at": 1}))
            await asyncio.wait_for(line.wait_closed(), PATIENCE)
            assert line.close_code == 1009

    asyncio.run(beside_a_good_table(server, scene()))


def test_out_of_turn_and_against_the_rules(server: Server) -> None:
    """The talk of Texas 42 starts left of the shaker; whoever it is, the three others are refused."""

    async def scene() -> None:
        mine = make_table(server.address, "texas42", seats=["me", "open", "open", "open"])
        chairs = [mine, *(sit(mine, seat, f"guest {seat}") for seat in (1, 2, 3))]
        async with contextlib.AsyncExitStack() as stack:
            lines = [await stack.enter_async_context(websockets.connect(chair.socket_url())) for chair in chairs]
            states = [(await frame_of(line))["state"] for line in lines]
            turn, number = states[0]["turn"], states[0]["number"]
            for seat, line in enumerate(lines):
                what = "pass" if seat != turn else "29 marks"
                await line.send(json.dumps({"type": "act", "what": what, "at": number}))
                answer = await refusal(line)
                assert answer["why"]["code"] == ("turn" if seat != turn else "illegal"), answer
                assert answer["number"] == number

    asyncio.run(beside_a_good_table(server, scene()))


async def refusal(line: websockets.ClientConnection) -> Json:
    while (frame := await frame_of(line))["type"] != "refused":
        pass
    return frame


def test_a_token_opens_its_own_seat_alone(server: Server) -> None:
    mine = make_table(server.address, "texas42", seats=["me", "open", "simple", "simple"])
    theirs = sit(mine, 1, "other")
    elsewhere = make_table(server.address, "texas42")
    forged = mine.token[:-3] + ("AAA" if not mine.token.endswith("AAA") else "BBB")
    wrong = [
        Chair(server.address, mine.table, 1, mine.token),
        Chair(server.address, mine.table, 0, theirs.token),
        Chair(server.address, mine.table, 2, mine.token),
        Chair(server.address, mine.table, 0, elsewhere.token),
        Chair(server.address, mine.table, 0, forged),
        Chair(server.address, mine.table, 0, ""),
    ]
    for chair in wrong:
        for path in (f"/state?seat={chair.seat}", f"/seats/{chair.seat}/hint?step=1", f"/seats/{chair.seat}/belief"):
            answer = httpx.get(chair.url(path), headers=chair.headers)
            assert answer.status_code in (401, 403), (path, answer.text)
        assert httpx.delete(chair.url(f"/seats/{chair.seat}"), headers=chair.headers).status_code in (401, 403)

        async def knock(chair: Chair = chair) -> None:
            with pytest.raises((websockets.InvalidStatus, websockets.ConnectionClosed)):
                async with websockets.connect(chair.socket_url()) as line:
                    await frame_of(line)

        asyncio.run(knock())


def test_a_frame_sent_twice_is_done_once(server: Server) -> None:
    async def scene() -> None:
        person = Person(make_table(server.address, "schafkopf"), seed=3)
        async with person.sitting() as line:
            while (what := person.choice()) is None:
                await person.hear(line)
            sent = json.dumps({**what, "at": person.number})
            for _ in range(5):
                await line.send(sent)
            refused, mine = 0, 0
            while refused < 4 or not mine:
                frame = await person.hear(line)
                refused += frame["type"] == "refused"
                mine = len(person.done)
            assert (refused, mine) == (4, 1)

    asyncio.run(beside_a_good_table(server, scene()))


def test_a_thousand_connects(server: Server) -> None:
    """With a seat, without one, with a token that is none; some never listen, and some slam the door."""

    async def scene() -> None:
        table = make_table(server.address, "tractor")
        gate = asyncio.Semaphore(AT_ONCE)

        async def knock(i: int) -> None:
            chair = table if i % 3 else Chair(server.address, table.table, i % 4, "none")
            url = chair.socket_url() if i % 5 else chair.socket_url().partition("?")[0]
            async with gate:
                with contextlib.suppress(OSError, websockets.WebSocketException, TimeoutError):
                    async with websockets.connect(url, open_timeout=PATIENCE) as line:
                        if i % 2:
                            await line.send("{" * (i % 50))
                        if i % 7 == 0:
                            line.transport.abort()

        await asyncio.gather(*(knock(i) for i in range(CONNECTS)))

    asyncio.run(beside_a_good_table(server, scene()))


def test_half_a_request_and_a_body_without_end(server: Server) -> None:
    async def scene() -> None:
        async def half() -> None:
            _, write = await asyncio.open_connection("127.0.0.1", server.port)
            write.write(b"POST /api/tables HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 500\r\n\r\n{")
            await write.drain()
            await asyncio.sleep(0.2)
            write.close()

        async def flood() -> None:
            async with httpx.AsyncClient() as web:
                with contextlib.suppress(httpx.TransportError):  # the server may hang up in the middle
                    answer = await web.post(f"{server.address}/api/records", content=os.urandom(8_000_000))
                    assert answer.status_code == 413

        await asyncio.gather(*(half() for _ in range(20)), *(flood() for _ in range(4)))

    asyncio.run(beside_a_good_table(server, scene()))


@pytest.mark.parametrize("path", ["/assets/../../store.py", "/assets/%2e%2e/%2e%2e/store.py", "/assets//etc/passwd"])
def test_only_the_page_is_served(server: Server, path: str) -> None:
    async def asked() -> bytes:
        read, write = await asyncio.open_connection("127.0.0.1", server.port)
        write.write(f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n".encode())
        answer = await read.read()
        write.close()
        return answer

    assert asyncio.run(asked()).split()[1] in (b"400", b"404")


def test_a_page_of_somebody_else_is_turned_away(server: Server, tmp_path: Path) -> None:
    async def scene() -> None:
        chair = make_table(server.address, "texas42")
        with pytest.raises((websockets.InvalidStatus, websockets.ConnectionClosed)):
            async with websockets.connect(chair.socket_url(), origin=websockets.Origin("http://example.org")) as line:
                await frame_of(line)
        async with httpx.AsyncClient(headers={"Origin": "http://example.org"}) as web:
            answer = await web.post(f"{server.address}/api/tables", json={"game": "texas42"})
            assert answer.status_code == 403

    asyncio.run(scene())
