"""The server is killed at random moments while people play: nothing that was acknowledged is lost, nothing is doubled.

A kill is `kill -9`: no handler runs, nothing is flushed. After each one the database is read as it lies there and held
against what the people were told, and then the server is started again and every table must play on.
"""

import asyncio
import contextlib
import json
import random
from pathlib import Path

import pytest
import sqlalchemy
import websockets

from e2e.clients import GAMES, Person, Server, make_table
from support.postgres import installed, running_cluster
from support.steering import SOAK

KILLS = 12  # `make soak` has 200
TABLES_OF_A_GAME = 4  # six times as many tables as cores, so that acts share commits


@pytest.fixture(params=["sqlite", "postgresql"])
def server(request: pytest.FixtureRequest, tmp_path: Path):
    with contextlib.ExitStack() as stack:
        url = None
        if request.param == "postgresql":
            if not installed():
                pytest.skip("PostgreSQL is not installed")
            url = stack.enter_context(running_cluster()).new_database()
        server = Server(tmp_path / "data", database=url)
        stack.callback(server.stop)
        yield server


def events_of(server: Server, table: str) -> list[dict]:
    """The events of a table as they lie in the database."""
    url = server.database or f"sqlite:///{server.data / 'tables.sqlite'}"
    engine = sqlalchemy.create_engine(url.replace("postgresql://", "postgresql+psycopg://", 1))
    asked = sqlalchemy.text("select number, body from events where table_id = :table order by number")
    with engine.connect() as line:
        found = [(number, json.loads(body)) for number, body in line.execute(asked, {"table": table})]
    engine.dispose()
    assert [number for number, _ in found] == list(range(1, len(found) + 1)), "a number is missing or doubled"
    return [body for _, body in found]


async def under_load(people: list[Person], server: Server, seconds: float) -> None:
    """Everybody plays as fast as they can until the server is no more."""

    async def play(person: Person) -> None:
        with contextlib.suppress(OSError, websockets.WebSocketException):
            await person.play(10_000)

    playing = [asyncio.create_task(play(person)) for person in people]
    await asyncio.sleep(seconds)
    server.kill()
    await asyncio.gather(*playing)


async def go_on(people: list[Person]) -> None:
    """Everybody sits down again, goes on from what they last heard, and gets something done."""
    await asyncio.gather(*(person.play(1) for person in people))


def check_log(person: Person, events: list[dict]) -> int:
    """What the person was told is there under its number; of its acts at most the last is one it did not hear of."""
    mine = {
        number: event["what"]
        for number, event in enumerate(events, start=1)
        if event["kind"] == "act" and event["seat"] == person.chair.seat
    }
    for number, what in person.done.items():
        assert mine.get(number) == what, f"event {number} of {person.chair.table}: {what} was lost"
    unheard = sorted(set(mine) - set(person.done))
    assert len(unheard) <= 1 and all(number > max(person.done, default=0) for number in unheard)
    return len(mine)


def test_what_was_acknowledged_survives_a_kill(server: Server) -> None:
    rng = random.Random(20261115)
    server.start()
    people = [
        Person(make_table(server.address, game), seed=rng.randrange(2**32))
        for game in GAMES
        for _ in range(TABLES_OF_A_GAME)
    ]
    kills = min(200, KILLS * SOAK)
    before = {person.chair.table: 0 for person in people}
    for kill in range(kills):
        asyncio.run(under_load(people, server, rng.uniform(0.05, 1.5)))
        acts = {person.chair.table: check_log(person, events_of(server, person.chair.table)) for person in people}
        assert sum(acts.values()) >= sum(before.values()), "acts were lost"
        before = acts
        server.start()
        asyncio.run(go_on(people))
        print(f"kill {kill + 1} of {kills}: {sum(acts.values())} acts", flush=True)
    assert sum(before.values()) > 10 * kills, "that was no load"
