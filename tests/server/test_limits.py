"""Allowances that run out and fill again, and bodies that are too long or never end."""

import asyncio
import time
from typing import Any

import pytest
from starlette.exceptions import HTTPException

from renege.server.http.rate_limits import BodyLimit, Bucket, Rate, RateLimiter, RequestQueue, ServerLimits, network_of


def test_a_bucket_runs_out_and_fills_again():
    bucket = Bucket(Rate(second=20, burst=3))
    assert [bucket.take() for _ in range(4)] == [True, True, True, False]
    time.sleep(0.12)
    assert [bucket.take() for _ in range(3)] == [True, True, False]


def test_a_turnstile_counts_each_address():
    gate = RateLimiter(Rate(second=0, burst=1), known=2)
    assert [gate.allows("10.0.0.1"), gate.allows("10.0.0.1"), gate.allows("10.0.0.2")] == [True, False, True]
    assert gate.allows("10.0.0.3")  # and now the first is forgotten
    assert gate.allows("10.0.0.1")


def test_one_house_is_one_address():
    assert network_of("2001:db8::1") == network_of("2001:db8::ffff:2") != network_of("2001:db8:0:1::1")
    assert network_of("10.0.0.1") != network_of("10.0.0.2")
    assert network_of("::ffff:10.0.0.1") == network_of("10.0.0.1") != network_of("::ffff:10.0.0.2")
    assert network_of("testclient") == "testclient"


def test_a_desk_answers_one_at_a_time_and_lets_few_wait():
    async def scene() -> tuple[int, int]:
        queue, at_once, most, refused = RequestQueue(waiting=2), 0, 0, 0

        async def ask() -> None:
            nonlocal at_once, most, refused
            try:
                async with queue.turn("anna"):
                    at_once += 1
                    most = max(most, at_once)
                    await asyncio.sleep(0.01)
                    at_once -= 1
            except HTTPException as no:
                refused += no.status_code == 429

        await asyncio.gather(*(ask() for _ in range(5)))
        await ask()  # the line is gone
        return most, refused

    assert asyncio.run(scene()) == (1, 2)


def read_through(
    limits: ServerLimits,
    parts: list[bytes],
    headers: dict[str, str] | None = None,
    end: bool = True,
    pause: float = 0.0,
) -> bytes:
    """What an application reads of a body behind the limit."""
    told = [{"type": "http.request", "body": part, "more_body": True} for part in parts]
    if end:
        told[-1]["more_body"] = False
    read = b""

    async def receive() -> dict[str, Any]:
        if told:
            await asyncio.sleep(pause)
            return told.pop(0)
        await asyncio.sleep(60)
        raise AssertionError

    async def app(scope: Any, receive: Any, send: Any) -> None:
        nonlocal read
        more = True
        while more:
            message = await receive()
            read += message["body"]
            more = message["more_body"]

    async def send(message: Any) -> None: ...

    scope = {"type": "http", "headers": [(k.encode(), v.encode()) for k, v in (headers or {}).items()]}
    asyncio.run(BodyLimit(app, limits)(scope, receive, send))
    return read


def test_a_body_within_the_limit_is_read():
    assert read_through(ServerLimits(body=10), [b"12345", b"67890"]) == b"1234567890"


@pytest.mark.parametrize(
    ("parts", "headers"),
    [
        ([b"12345", b"678901"], {}),
        ([b"1"], {"content-length": "11"}),
        ([b"12345678901"], {"content-length": "nonsense"}),
        ([b"12345678901"], {"content-length": "9" * 40}),
    ],
)
def test_a_body_beyond_it_is_refused(parts: list[bytes], headers: dict[str, str]):
    with pytest.raises(HTTPException) as no:
        read_through(ServerLimits(body=10), parts, headers)
    assert no.value.status_code == 413


def test_a_body_that_comes_drop_by_drop_is_not_waited_for():
    begun = time.monotonic()
    with pytest.raises(HTTPException) as no:
        read_through(ServerLimits(body_seconds=0.2), [b"1"] * 100, pause=0.05)
    assert no.value.status_code == 408
    assert time.monotonic() - begun < 2


def test_a_body_that_does_not_come_is_not_waited_for():
    with pytest.raises(HTTPException) as no:
        read_through(ServerLimits(body_seconds=0.05), [b"1"], end=False)
    assert no.value.status_code == 408
