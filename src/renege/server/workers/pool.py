"""A pool of worker processes for bots and reviews, so that the event loop never computes.

There is a lane for each kind of question: simple bots, who answer in a millisecond; those that search; what a seat is
taught at once; hints, which search; pasted texts, in which anything may stand; and looking back, as a replay or a
review. None keeps another waiting. A worker is a process of `renege.jobs.process`; it starts when it is first needed
and ends with the server. This pool, unlike that of a job, answers to an event loop, and to deadlines. A thread waits
for each worker; a pool of the standard library costs the loop several times as much for each question.

A lane is shared by those who ask, as `shares` says. It holds so many questions and lets none wait for long: what finds
no room, or no worker in time, is told so at once (`Busy`), for a late answer is worth less than a plain one now.
"""

import asyncio
import threading
from collections.abc import Callable
from contextlib import suppress
from typing import Any, Literal, ParamSpec, TypeAlias, TypeVar

from renege.jobs.process import Worker
from renege.server.workers.packing import pack
from renege.server.workers.shares import Asker, FairQueue
from renege.server.workers.thinking import think

P = ParamSpec("P")
Answer = TypeVar("Answer")
Lane: TypeAlias = Literal["simple", "search", "lesson", "hint", "paste", "long"]
NICE: dict[Lane, int] = {"simple": 0, "search": 5, "lesson": 2, "hint": 5, "paste": 15, "long": 10}
PATIENCE: dict[Lane, float] = {  # seconds for the whole of it; then a worker is stuck, and ended
    "simple": 20.0, "search": 10.0, "lesson": 20.0, "hint": 30.0, "paste": 30.0, "long": 120.0,
}  # fmt: skip
WAITING: dict[Lane, float] = {  # seconds until a worker begins with it; then nobody wants to know any more
    "simple": 5.0, "search": 1.2, "lesson": 10.0, "hint": 8.0, "paste": 30.0, "long": 60.0,
}  # fmt: skip
ROOM: dict[Lane, int] = {"simple": 400, "search": 5, "lesson": 50, "hint": 6, "paste": 8, "long": 20}  # for each worker
NOBODY = Asker()


class WorkerLost(RuntimeError):
    """Nobody is there to answer: a worker ended in the middle of the question, twice, or all have gone."""


class Busy(WorkerLost):
    """Too much is asked for: there is no room to wait, or no worker had time."""


class Workers:
    """So many processes in each lane."""

    def __init__(self, count: int) -> None:
        self._lanes = {lane: _Queue(count, NICE[lane], count * ROOM[lane]) for lane in NICE}
        self.count = count
        self._closed = False

    async def run_in(self, lane: Lane, function: Callable[P, Answer], *args: P.args, **kwargs: P.kwargs) -> Answer:
        """Let a worker of a lane do something; if it is killed from outside, another is asked once more."""
        return await self.run_for(NOBODY, lane, function, *args, **kwargs)

    async def run_for(
        self, asker: Asker, lane: Lane, function: Callable[P, Answer], *args: P.args, **kwargs: P.kwargs
    ) -> Answer:
        """The same on the share of somebody; `Busy` where the lane has no room for more of it, or no time."""
        if self._closed:
            raise WorkerLost("all workers have gone home")
        job = _Job(pack((function, args, kwargs)), asker, PATIENCE[lane], WAITING[lane])
        self._lanes[lane].put(job)
        return await job.answer

    def is_free(self, lane: Lane) -> bool:
        """Would a question be begun at once?"""
        return self._lanes[lane].open < self.count

    async def warm(self) -> None:
        """Let those for simple bots come in before they are needed."""
        await asyncio.gather(*(self.run_in("simple", think, [], None, "simple") for _ in range(self.count)))

    async def close(self) -> None:
        """Send all workers home. What they are at is not waited for."""
        self._closed = True
        await asyncio.gather(*(asyncio.to_thread(queue.close) for queue in self._lanes.values()))


class _Job:
    """A question, pickled, and who waits for the answer: so long, whether or not somebody still does."""

    def __init__(self, question: bytes, asker: Asker, patience: float, waiting: float) -> None:
        self.question = question
        self.asker = asker
        self.loop = asyncio.get_running_loop()
        self.answer: asyncio.Future[Any] = self.loop.create_future()
        self.worker: Worker | None = None  # who is at it
        self.begun = False
        self._patience = self.loop.call_later(patience, self._give_up)
        self._waiting = self.loop.call_later(waiting, self._wait_no_more)

    def refuse(self) -> None:
        """There is no room for it, or no time."""
        self._settle(None, Busy("there is too much to work out just now"))

    def _wait_no_more(self) -> None:
        if not self.begun:
            self.refuse()

    def _give_up(self) -> None:
        if not self.answer.done():
            self.answer.set_exception(TimeoutError())
        if self.worker is not None:
            self.worker.end()

    def deliver(self, found: Any, wrong: BaseException | None) -> None:
        with suppress(RuntimeError):  # the loop has ended
            self.loop.call_soon_threadsafe(self._settle, found, wrong)

    def _settle(self, found: Any, wrong: BaseException | None) -> None:
        self._patience.cancel()
        self._waiting.cancel()
        if self.answer.done():
            return
        if wrong is None:
            self.answer.set_result(found)
        else:
            self.answer.set_exception(wrong)


class _Queue:
    """The questions of a lane, and the threads that carry them to the workers."""

    def __init__(self, most: int, nice: int, room: int) -> None:
        self._most = most
        self._nice = nice
        self._jobs: FairQueue[_Job] = FairQueue(room)
        self._threads: list[threading.Thread] = []
        self._workers: set[Worker] = set()
        self.open = 0  # questions that are not answered yet
        self._closing = False

    def put(self, job: _Job) -> None:
        self.open += 1
        job.answer.add_done_callback(lambda _: self._answered(job))
        if self.open > len(self._threads) < self._most:
            thread = threading.Thread(target=self._carry, name="renege-worker", daemon=True)
            self._threads.append(thread)
            thread.start()
        if (dropped := self._jobs.put(job, job.asker)) is not None:
            dropped.refuse()

    def _answered(self, job: _Job) -> None:
        self.open -= 1
        if not job.begun:  # given up, or by nobody wanted any more
            self._jobs.remove(job, job.asker)

    def close(self) -> None:
        self._closing = True
        self._jobs.close()
        for worker in tuple(self._workers):
            worker.end()
        for thread in self._threads:
            thread.join()

    def _carry(self) -> None:
        worker: Worker | None = None
        while (job := self._jobs.take()) is not None:
            job.begun = True
            worker = self._ask(worker, job)
        self._end(worker)

    def _ask(self, worker: Worker | None, job: _Job) -> Worker | None:
        """Put a question to a worker and, if that one is lost over it, to another; the one who has answered."""
        for _ in range(2):
            if job.answer.done() or self._closing:  # nobody waits any more
                break
            try:
                worker = job.worker = worker or self._start()
                if job.answer.done():  # given up in this moment
                    break
                answer = worker.ask(job.question)
            except (EOFError, OSError):
                self._end(worker)
                worker = job.worker = None
            except Exception as wrong:  # an answer that cannot be read here
                job.deliver(None, wrong)
                return worker
            else:
                job.worker = None
                job.deliver(*answer)
                return worker
        job.worker = None
        job.deliver(None, WorkerLost("no worker has an answer to that"))
        return worker

    def _start(self) -> Worker:
        worker = Worker(self._nice)
        self._workers.add(worker)
        if self._closing:  # it was not there when the others were sent home
            worker.end()
        return worker

    def _end(self, worker: Worker | None) -> None:
        if worker is not None:
            self._workers.discard(worker)
            worker.bury()
