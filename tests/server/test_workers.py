"""Do workers answer, whatever becomes of them, and do they end with the server?"""

import asyncio
import os
import pickle
import random
import signal
import subprocess
import sys
import time
from collections.abc import Awaitable, Callable
from dataclasses import replace
from pathlib import Path

import pytest

from renege.agents import Random
from renege.core.arbiter import Arbiter
from renege.core.cards import Deck
from renege.core.game import SEATS
from renege.core.notation import NotationError, parse_card
from renege.core.registry import find_game
from renege.core.view import Onlooker
from renege.server.workers.packing import pack
from renege.server.workers.pool import Lane, WorkerLost, Workers

posix = pytest.mark.skipif(os.name != "posix", reason="kills processes")


def with_workers(count: int, use: Callable[[Workers], Awaitable[None]]) -> None:
    async def run() -> None:
        workers = Workers(count)
        try:
            await asyncio.wait_for(use(workers), 60)
        finally:
            await workers.close()

    asyncio.run(run())


def is_running(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    return True


def test_a_worker_answers_from_another_process() -> None:
    async def use(workers: Workers) -> None:
        assert await workers.run_in("long", divmod, 17, 5) == (3, 2)
        assert await workers.run_in("long", int, "ff", base=16) == 255
        assert await workers.run_in("long", os.getpid) != os.getpid()

    with_workers(1, use)


def test_no_more_workers_than_there_should_be() -> None:
    async def use(workers: Workers) -> None:
        await workers.warm()
        first = {await workers.run_in("simple", os.getpid) for _ in range(10)}
        assert len(first) <= 2
        many = set(await asyncio.gather(*(workers.run_in("simple", os.getpid) for _ in range(40))))
        assert len(first | many) <= 2

    with_workers(2, use)


def test_an_error_comes_back_as_it_is() -> None:
    async def use(workers: Workers) -> None:
        deck = find_game("tractor").deck
        with pytest.raises(NotationError, match="'XX' is no card") as wrong:
            await workers.run_in("long", parse_card, deck, "XX")
        assert "notation.py" in wrong.value.__notes__[0]
        with pytest.raises(SystemError, match="gone"):
            await workers.run_in("long", exec, "raise SystemError('gone')")
        with pytest.raises(RuntimeError, match="Stubborn"):
            await workers.run_in("long", eval, "(_ for _ in ()).throw(type('Stubborn', (Exception,), {})())")
        assert await workers.run_in("long", abs, -1) == 1

    with_workers(1, use)


def test_lanes_do_not_wait_for_each_other() -> None:
    async def use(workers: Workers) -> None:
        await asyncio.gather(workers.run_in("long", abs, 1), workers.run_in("simple", abs, 1))
        long = asyncio.ensure_future(workers.run_in("long", time.sleep, 1.5))
        begun = time.perf_counter()
        for _ in range(20):
            await workers.run_in("simple", abs, 1)
        assert time.perf_counter() - begun < 1 and not long.done()
        await long

    with_workers(1, use)


def test_what_a_seat_is_taught_waits_for_no_paste_and_no_replay() -> None:
    async def use(workers: Workers) -> None:
        lanes: tuple[Lane, ...] = ("lesson", "hint", "simple", "search")
        await asyncio.gather(*(workers.run_in(lane, abs, 1) for lane in lanes))
        slow = [asyncio.ensure_future(workers.run_in(lane, time.sleep, 1.5)) for lane in ("paste", "long", "hint")]
        begun = time.perf_counter()
        assert [await workers.run_in(lane, abs, -1) for lane in ("lesson", "simple", "search")] == [1, 1, 1]
        assert time.perf_counter() - begun < 1 and not any(job.done() for job in slow)
        await asyncio.gather(*slow)

    with_workers(1, use)


def test_a_file_where_the_server_was_started_is_no_module(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "pickle.py").write_text("raise SystemExit('not me')\n", "utf-8")
    monkeypatch.chdir(tmp_path)

    async def use(workers: Workers) -> None:
        assert await workers.run_in("long", abs, -1) == 1

    with_workers(1, use)


@posix
def test_a_worker_that_is_killed_is_replaced() -> None:
    async def use(workers: Workers) -> None:
        process = await workers.run_in("long", os.getpid)
        sleeping = asyncio.ensure_future(workers.run_in("long", time.sleep, 1.0))
        waiting = asyncio.ensure_future(workers.run_in("long", abs, -3))
        await asyncio.sleep(0.3)
        os.kill(process, signal.SIGKILL)
        await sleeping  # asked once more
        assert await waiting == 3
        assert await workers.run_in("long", os.getpid) != process

    with_workers(1, use)


@posix
def test_a_question_that_kills_workers_is_given_up() -> None:
    async def use(workers: Workers) -> None:
        with pytest.raises(WorkerLost):
            await workers.run_in("long", os._exit, 1)
        assert await workers.run_in("long", abs, -1) == 1

    with_workers(1, use)


def test_a_worker_that_is_stuck_is_let_go(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("renege.server.workers.pool.PATIENCE", {"long": 1.0})

    async def use(workers: Workers) -> None:
        with pytest.raises(TimeoutError):
            await workers.run_in("long", time.sleep, 600)
        monkeypatch.undo()
        assert await workers.run_in("long", abs, -1) == 1

    with_workers(1, use)


def test_work_ends_in_time_although_nobody_waits_for_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("renege.server.workers.pool.PATIENCE", {"paste": 1.0, "long": 30.0})

    async def use(workers: Workers) -> None:
        left = asyncio.ensure_future(workers.run_in("paste", time.sleep, 600))
        await asyncio.sleep(0.5)
        left.cancel()
        monkeypatch.undo()
        assert await workers.run_in("paste", abs, -1) == 1

    with_workers(1, use)


def test_what_nobody_waits_for_is_not_asked() -> None:
    async def use(workers: Workers) -> None:
        await workers.run_in("long", abs, 1)
        first = asyncio.ensure_future(workers.run_in("long", time.sleep, 0.5))
        second = asyncio.ensure_future(workers.run_in("long", time.sleep, 30))
        await asyncio.sleep(0.1)
        second.cancel()
        await first
        begun = time.perf_counter()
        assert await workers.run_in("long", abs, -1) == 1
        assert time.perf_counter() - begun < 5

    with_workers(1, use)


def test_closing_does_not_wait_for_long_questions() -> None:
    async def use(workers: Workers) -> None:
        process = await workers.run_in("long", os.getpid)
        long = asyncio.ensure_future(workers.run_in("long", time.sleep, 60))
        await asyncio.sleep(0.1)
        begun = time.perf_counter()
        await workers.close()
        assert time.perf_counter() - begun < 10
        with pytest.raises(WorkerLost):
            await long
        with pytest.raises(WorkerLost):
            await workers.run_in("long", abs, 1)
        assert os.name != "posix" or not is_running(process)

    with_workers(1, use)


@posix
@pytest.mark.parametrize("busy", [True, False])
def test_workers_end_with_a_server_that_is_killed(busy: bool) -> None:
    program = (
        "import asyncio, os, time\n"
        "from renege.server.workers.pool import Workers\n"
        "async def main():\n"
        "    workers = Workers(1)\n"
        "    print(await workers.run_in('long', os.getpid), flush=True)\n"
        f"    await workers.run_in('long', time.sleep, {600 if busy else 0})\n"
        "    await asyncio.sleep(600)\n"
        "asyncio.run(main())"
    )
    server = subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE)
    assert server.stdout is not None
    worker = int(server.stdout.readline())
    time.sleep(0.5)
    server.kill()
    server.communicate()
    for _ in range(100):
        if not is_running(worker):
            return
        time.sleep(0.1)
    pytest.fail("the worker goes on without its server")


@pytest.mark.parametrize("name", ["texas42", "tractor", "schafkopf"])
def test_views_are_the_same_after_the_journey(name: str) -> None:
    for seed in range(3):
        table, rng = Arbiter(find_game(name), seed), random.Random(seed)
        eyes = [Onlooker(table.record, seat) for seat in SEATS]
        while (turn := table.position.turn) is not None:
            before = table.position
            table.act(turn, Random().choose(eyes[turn].view, rng).what)
            for eye in eyes:
                eye.follow(before, table.record)
            for view in (eyes[0].view, eyes[turn].view):
                back = pickle.loads(pack(view))
                assert back == view and back.position == view.position
                assert back.game is view.game and back.position.order is view.position.order


def test_house_rules_travel() -> None:
    game = find_game("schafkopf", {"deck": "short", "base": "20"})
    assert pickle.loads(pack(game)) is game
    deck = replace(game.deck, name="of nobody's game")
    back = pickle.loads(pack(deck.all))
    assert isinstance(back.deck, Deck) and back == deck.all
