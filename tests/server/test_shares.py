"""Is the work shared by those who ask, however much one of them asks for?"""

import asyncio
import threading
import time
from collections.abc import Awaitable, Callable

import pytest

from renege.server.workers import pool
from renege.server.workers.pool import Busy, Workers
from renege.server.workers.shares import Asker, FairQueue


def taken(queue: FairQueue[str]) -> list[str]:
    return [item for _ in range(len(queue)) if (item := queue.take()) is not None]


def test_networks_take_turns_and_so_do_their_guests() -> None:
    queue: FairQueue[str] = FairQueue(100)
    for i in range(4):
        for guest in "xy":
            queue.put(f"a{guest}{i}", Asker("a", guest))
    for i in range(3):
        queue.put(f"b{i}", Asker("b", "z"))
    assert taken(queue) == ["ax0", "b0", "ay0", "b1", "ax1", "b2", "ay1", "ax2", "ay2", "ax3", "ay3"]


def test_a_full_queue_gives_up_what_the_greediest_asked_for_last() -> None:
    queue: FairQueue[str] = FairQueue(4)
    assert [queue.put(f"a{i}", Asker("a", "x")) for i in range(5)] == [None] * 4 + ["a4"]
    assert queue.put("b0", Asker("b", "z")) == "a3"
    assert queue.put("ay", Asker("a", "y")) == "a2"
    assert queue.put("b1", Asker("b", "z")) == "a1"  # ties with nobody: network a had three
    assert queue.put("b2", Asker("b", "z")) == "b2"
    assert taken(queue) == ["a0", "b0", "ay", "b1"]


def test_what_nobody_waits_for_makes_room() -> None:
    queue: FairQueue[str] = FairQueue(2)
    queue.put("one", Asker("a"))
    queue.put("two", Asker("a"))
    queue.remove("one", Asker("a"))
    queue.remove("none", Asker("b"))
    assert queue.put("three", Asker("a")) is None
    assert taken(queue) == ["two", "three"]


def test_a_closed_queue_is_emptied_and_lets_all_go() -> None:
    queue: FairQueue[str] = FairQueue(2)
    found: list[str | None] = []
    threads = [threading.Thread(target=lambda: found.append(queue.take())) for _ in range(3)]
    for thread in threads:
        thread.start()
    queue.put("one", Asker())
    queue.close()
    for thread in threads:
        thread.join(10)
    assert sorted(map(str, found)) == ["None", "None", "one"]


def with_one_worker(use: Callable[[Workers], Awaitable[None]]) -> None:
    async def run() -> None:
        workers = Workers(1)
        try:
            await workers.run_in("search", abs, 1)
            await asyncio.wait_for(use(workers), 60)
        finally:
            await workers.close()

    asyncio.run(run())


def test_a_lane_that_is_full_says_so_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    async def use(workers: Workers) -> None:
        assert workers.is_free("search")
        flood = [
            asyncio.ensure_future(workers.run_for(Asker("flood", str(i)), "search", time.sleep, 0.3)) for i in range(40)
        ]
        await asyncio.sleep(0.1)
        room = pool.ROOM["search"]
        assert sum(job.done() for job in flood) in (39 - room, 40 - room)
        assert all(isinstance(job.exception(), Busy) for job in flood if job.done())
        assert not workers.is_free("search")
        begun = time.perf_counter()
        assert await workers.run_for(Asker("other", "g"), "search", abs, -1) == 1
        assert time.perf_counter() - begun < 1.0  # after the one that is being worked out
        done = await asyncio.gather(*flood, return_exceptions=True)
        assert sum(not isinstance(one, Busy) for one in done) >= 2

    with_one_worker(use)


def test_nothing_waits_for_longer_than_is_of_use(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(pool.WAITING, "search", 0.2)

    async def use(workers: Workers) -> None:
        long = asyncio.ensure_future(workers.run_in("search", time.sleep, 1.5))
        await asyncio.sleep(0.1)
        begun = time.perf_counter()
        with pytest.raises(Busy):
            await workers.run_for(Asker("other"), "search", abs, -1)
        assert time.perf_counter() - begun < 1.0
        await long

    with_one_worker(use)
