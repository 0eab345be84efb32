"""How long does a table take to be found again after a restart, and how much memory does it need?

Tables of each game are played at random until their logs are long. Then they are read back from a database as after a
restart: the milliseconds of this process until a table is built, until its first state is shown, and until all that
has happened is told again to a seat. Processor time, so that what else the machine does matters little.

    python bench/resume.py [events] [tables]
"""

import asyncio
import gc
import random
import sys
import tempfile
import time
import tracemalloc
from collections.abc import Callable
from pathlib import Path

from renege.server.store.store import Store
from renege.server.tables.bots import first_legal
from renege.server.tables.chance import Source
from renege.server.tables.events import Event, Made, Sat, write_event
from renege.server.tables.registry import TableRegistry
from renege.server.tables.state import TableState
from renege.server.workers.pool import Workers

GAMES = ("texas42", "tractor", "schafkopf")


def log_of(game: str, events: int) -> list[Event]:
    """The log of a table where so much has happened; it stops in the middle of a deal."""
    made = Made(game, 1, {}, ("open", "simple", "simple", "simple"), 0, "g")
    story, rng = TableState(made), random.Random(game)
    log: list[Event] = [made]

    def happen(*happened: Event) -> None:
        for event in happened:
            log.append(event)
            story.go_on(event)

    happen(*story.and_deal(Sat(0, "g", "Zoë"), Source(1)))
    while len(log) < events or (story.deal is not None and story.deal.position.talking):
        assert story.deal is not None
        position, turn = story.deal.position, story.deal.position.turn
        if turn is None:
            happen(story.next_deal(Source(rng.getrandbits(60))))
            continue
        what = rng.choice(position.legal_calls) if position.talking else first_legal(position)
        happen(*story.deal.attempt(turn, what))
    return log


def milliseconds(begun: float) -> float:
    return (time.process_time() - begun) * 1e3


async def measure(hall: TableRegistry, tables: list[str]) -> tuple[list[float], list[float], list[float], int]:
    """The milliseconds of each table to build, show and tell it, and the bytes that a table built needs."""
    built: list[float] = []
    shown: list[float] = []
    told: list[float] = []
    for table_id in tables:
        begun = time.process_time()
        table = await hall.find(table_id)
        built.append(milliseconds(begun))
        shown.append(timed(lambda table=table: table.state(0, "en")))
        told.append(timed(lambda table=table: table.events(0, 0, "en")))
        del table
    hall.forget(0)
    gc.collect()
    tracemalloc.start()
    kept = [await hall.find(table_id) for table_id in tables]
    gc.collect()
    size = tracemalloc.get_traced_memory()[0]
    tracemalloc.stop()
    hall.forget(0)
    return built, shown, told, size // len(kept)


def timed(asked: Callable[[], object]) -> float:
    begun = time.process_time()
    asked()
    return milliseconds(begun)


async def main(events: int, tables: int) -> None:
    with tempfile.TemporaryDirectory() as folder:
        store, workers = Store(f"sqlite:///{Path(folder) / 'tables.sqlite'}"), Workers(1)
        hall = TableRegistry(store, workers)
        for game in GAMES:
            log = log_of(game, events)
            ids = [f"{game}{i}" for i in range(tables)]
            for table_id in ids:
                await store.append(table_id, 1, [write_event(event) for event in log])
            deals = sum(type(event).__name__ == "Dealt" for event in log)
            built, shown, told, size = await measure(hall, ids)
            medians = [sorted(times)[len(times) // 2] for times in (built, shown, told)]
            print(
                f"{game}: {len(log)} events, {deals} deals: built in {medians[0]:.1f} ms, first shown in "
                f"{medians[1]:.1f} ms, all told in {medians[2]:.1f} ms; {size / 1024:.0f} kB a table"
            )
        await hall.close()
        await workers.close()
        await store.close()


if __name__ == "__main__":
    counts = [int(argument) for argument in sys.argv[1:]]
    asyncio.run(main(counts[0] if counts else 4000, counts[1] if len(counts) > 1 else 5))
