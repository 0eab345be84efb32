"""The drill: back up a server in the middle of play, lose it, restore elsewhere, and play on in the same seats."""

import asyncio
import contextlib
import json
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import httpx
import pytest

from e2e.clients import PATIENCE, Person, Server, make_table
from support.postgres import installed, running_cluster

TABLES = 6


@pytest.fixture(params=["sqlite", "postgresql"])
def databases(request: pytest.FixtureRequest) -> Iterator[tuple[str | None, str | None]]:
    """That of the server, and that to which it is restored."""
    if request.param == "sqlite":
        yield None, None
        return
    if not installed():
        pytest.skip("PostgreSQL is not installed")
    with running_cluster() as cluster:
        yield cluster.new_database(), cluster.new_database()


def renege(*words: str | Path) -> str:
    command = [sys.executable, "-m", "renege", "table", *map(str, words)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=6 * PATIENCE)
    assert done.returncode == 0, done.stderr
    return done.stdout


def where(server: Server) -> list[str]:
    return ["--data", str(server.data), *([] if server.database is None else ["--database", server.database])]


def test_the_drill(tmp_path: Path, databases: tuple[str | None, str | None]) -> None:
    file = tmp_path / "backup.gz"
    with Server(tmp_path / "first", databases[0]) as server:
        people = [Person(make_table(server.address, "texas42"), seed) for seed in range(TABLES)]
        before, after = asyncio.run(backed_up(server, people, file))
    second = Server(tmp_path / "second", databases[1])
    assert renege("restore", file, *where(second)).startswith(f"restored {TABLES} tables")
    with second:
        for person in people:
            chair = person.chair = replace(person.chair, address=second.address)
            state = httpx.get(chair.url("/state?seat=0"), headers=chair.headers, timeout=PATIENCE).json()
            # all that was acknowledged before the backup began, and nothing that came after it was done
            assert before[chair.table] <= state["number"] <= after[chair.table]
            asyncio.run(plays_on(person, state["number"]))
        assert "Traceback" not in second.log


async def backed_up(server: Server, people: list[Person], file: Path) -> tuple[dict[str, int], dict[str, int]]:
    """Back up while all play; the last events that each had heard of before and after."""
    playing = [asyncio.create_task(person.play(400)) for person in people]
    while any(len(person.done) < 5 for person in people):
        await asyncio.sleep(0.05)
    before = {person.chair.table: person.number for person in people}
    await asyncio.to_thread(renege, "backup", file, *where(server))
    assert not any(task.done() for task in playing), "nobody played during the backup"
    for task in playing:
        task.cancel()
    with contextlib.suppress(asyncio.CancelledError):
        await asyncio.gather(*playing)
    async with httpx.AsyncClient() as web:
        numbers = [(await web.get(person.chair.url("/state"))).json()["number"] for person in people]
    return before, {person.chair.table: number for person, number in zip(people, numbers, strict=True)}


async def plays_on(person: Person, number: int) -> None:
    """What the person knows of the old server is told again by the new one, word by word, and the game goes on."""
    heard = {event: what for event, what in person.done.items() if event <= number}
    again = Person(person.chair, 1)
    async with again.sitting() as line:
        await line.send(json.dumps({"type": "ping"}))
    events = {event: what for event, what in again.done.items() if event in heard}
    assert events.items() <= heard.items() and await again.play(3) == 3
