"""A pool of worker processes for bots and reviews, so that the event loop never computes.

There is a lane for each kind of question: simple bots, who answer in a millisecond; those that search; what a seat is
taught at once; hints, which search; pasted texts, in which anything may stand; and looking back, as a replay or a
review. None keeps another waiting. A worker is a process of `renege.jobs.process`; it starts when it is first needed
and ends with the server. This pool, unlike that of a job, answers to an event loop, and to deadlines. A thread waits
for each worker; a pool of the standard library costs the loop several times as much for each question.
"""

import asyncio
import threading
from collections.abc import Callable
from contextlib import suppress
from queue import SimpleQueue
from typing import Any, Literal, ParamSpec, TypeAlias, TypeVar

from renege.jobs.process import Worker
from renege.server.workers.packing import pack
from renege.server.workers.thinking import think

P = ParamSpec("P")
Answer = TypeVar("Answer")
Lane: TypeAlias = Literal["simple", "search", "lesson", "hint", "paste", "long"]
NICE: dict[Lane, int] = {"simple": 0, "search": 5, "lesson": 2, "hint": 5, "paste": 15, "long": 10}
PATIENCE: dict[Lane, float] = {  # seconds for the whole of it; then a worker is stuck, and ended
    "simple": 20.0, "search": 10.0, "lesson": 20.0, "hint": 30.0, "paste": 30.0, "long": 120.0,
}  # fmt: skip


class WorkerLost(RuntimeError):
    """Nobody is there to answer: a worker ended in the middle of the question, twice, or all have gone."""


class Workers:
    """So many processes in each lane."""

    def __init__(self, count: int) -> None:
        self._lanes = {lane: _Queue(count, NICE[lane]) for lane in NICE}
        self.count = count
        self._closed = False

    async def run_in(self, lane: Lane, function: Callable[P, Answer], *args: P.args, **kwargs: P.kwargs) -> Answer:
        """Let a worker of a lane do something; if it is killed from outside, another is asked once more."""
        if self._closed:
            raise WorkerLost("all workers have gone home")
        job = _Job(pack((function, args, kwargs)), PATIENCE[lane])
        self._lanes[lane].put(job)
        return await job.answer

    async def warm(self) -> None:
        """Let those for simple bots come in before they are needed."""
        await asyncio.gather(*(self.run_in("simple", think, [], None, "simple") for _ in range(self.count)))

    async def close(self) -> None:
        """Send all workers home. What they are at is not waited for."""
        self._closed = True
        await asyncio.gather(*(asyncio.to_thread(queue.close) for queue in self._lanes.values()))


class _Job:
    """A question, pickled, and who waits for the answer: so long, whether or not somebody still does."""

    def __init__(self, question: bytes, patience: float) -> None:
        self.question = question
        self.loop = asyncio.get_running_loop()
        self.answer: asyncio.Future[Any] = self.loop.create_future()
        self.worker: Worker | None = None  # who is at it
        self._patience = self.loop.call_later(patience, self._give_up)

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
        if self.answer.done():
            return
        if wrong is None:
            self.answer.set_result(found)
        else:
            self.answer.set_exception(wrong)


class _Queue:
    """The questions of a lane, and the threads that carry them to the workers."""

    def __init__(self, most: int, nice: int) -> None:
        self._most = most
        self._nice = nice
        self._jobs: SimpleQueue[_Job | None] = SimpleQueue()
        self._threads: list[threading.Thread] = []
        self._workers: set[Worker] = set()
        self._open = 0  # questions that are not answered yet
        self._closing = False

    def put(self, job: _Job) -> None:
        self._open += 1
        job.answer.add_done_callback(self._closed)
        if self._open > len(self._threads) < self._most:
            thread = threading.Thread(target=self._carry, name="renege-worker", daemon=True)
            self._threads.append(thread)
            thread.start()
        self._jobs.put(job)

    def _closed(self, _: "asyncio.Future[Any]") -> None:
        self._open -= 1

    def close(self) -> None:
        self._closing = True
        for _ in self._threads:
            self._jobs.put(None)
        for worker in tuple(self._workers):
            worker.end()
        for thread in self._threads:
            thread.join()

    def _carry(self) -> None:
        worker: Worker | None = None
        while (job := self._jobs.get()) is not None:
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
