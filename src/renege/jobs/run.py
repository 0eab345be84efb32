"""Run the pieces of a job on workers, processes or a cluster, and measure the pace.

Arena, survey and self-play all cut their work into pieces whose results follow from a plan and a number. So it does not
matter who does a piece, in which order, or whether it was begun before by somebody who was killed: `run_pieces` gives
the same results for any number of workers, and each piece once.
"""

import math
import os
import pickle
import signal
import warnings
from collections import defaultdict
from collections.abc import Iterable, Sized
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from multiprocessing.spawn import get_preparation_data, prepare
from time import monotonic
from typing import Any, Self

from renege.jobs.outcome import Queue, Result, Told, Trouble, Work, attempt
from renege.jobs.process import Worker
from renege.jobs.ray import on_cluster
from renege.native.gpu import NoGpuWarning

_work: Work[Any]  # in a worker: what it does


def cores() -> int:
    """The cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def run_pieces(
    work: Work[Result],
    pieces: Iterable[int],
    *,
    workers: int | None = None,
    cluster: str | None = None,
    noun: str = "piece",
    gpus: float = 0.0,
) -> Told[Result]:
    """Do these pieces and tell each, with its number, when it is done: in order by one worker, in any order by more.

    Without a `cluster` so many processes of this machine do them, or this process if one is enough. `auto` joins the
    Ray cluster of this machine, or starts one for the time; anything else is the address of one. There `workers` is the
    most at once (default: all its cores), and each takes a core, and `gpus` of its GPUs.

    A worker that dies is replaced, and its piece done again; nothing else is. An error in a piece ends the work with
    `PieceFailed`, which names the piece (`noun`). `work` must be something that can be pickled, unless one process is
    enough. Close what this returns, and all that it started ends.
    """
    if workers is not None and workers < 1:
        raise ValueError(f"{workers} workers do nothing; it must be 1 or more")
    queue, few = Queue(pieces, noun), len(pieces) if isinstance(pieces, Sized) else math.inf
    if not few:
        return
    if cluster is not None:
        yield from on_cluster(work, queue, workers, cluster, gpus)
    elif min(workers or cores(), few) > 1:
        yield from _on_processes(work, queue, workers or cores())
    else:
        while (piece := queue.take()) is not None:
            yield queue.result(piece, attempt(work, piece))


def _on_processes(work: Work[Any], queue: Queue, workers: int) -> Told[Any]:
    """Do the pieces on worker processes, and yield each result as it comes.

    A process has one piece at a time, so that there are never more results on their way than processes. A thread waits
    for each. Whoever gathers the results may stop at any time, or be killed: then the processes end.
    """
    about: dict[str, Any] = get_preparation_data("worker")
    about["authkey"] = bytes(about["authkey"])
    # the work may be a function of the program that was started, which a worker then imports
    ready = [pickle.dumps((prepare, (about,), {})), pickle.dumps((_begin, (pickle.dumps(work),), {}))]
    crew: set[Worker] = set()
    free: list[Worker] = []
    at: dict[Future[Any], tuple[Worker, int]] = {}
    with ThreadPoolExecutor(workers) as threads:
        try:
            while True:
                while len(at) < workers and (piece := queue.take()) is not None:
                    worker = free.pop() if free else Worker()
                    questions = [] if worker in crew else ready
                    crew.add(worker)
                    at[threads.submit(_ask, worker, [*questions, pickle.dumps((_do, (piece,), {}))])] = worker, piece
                if not at:
                    return
                for done in wait(at, return_when=FIRST_COMPLETED).done:
                    worker, piece = at.pop(done)
                    try:
                        found = done.result()
                    except (EOFError, OSError):
                        crew.remove(worker)
                        queue.give_back(piece, f"its process ended ({_told(worker.bury())})")
                        continue
                    free.append(worker)
                    yield queue.result(piece, found)
        finally:
            for worker, _ in at.values():
                worker.end()
            for worker in crew:
                worker.bury()


def _ask(worker: Worker, questions: list[bytes]) -> Any:
    """The answer to the last of some questions, or what went wrong with one."""
    found = None
    for question in questions:
        found, wrong = worker.ask(question)
        if isinstance(wrong, Exception):
            return Trouble.of(wrong)
    return found


def _begin(work: bytes) -> None:
    global _work
    warnings.simplefilter("ignore", NoGpuWarning)  # the first process has said it
    _work = pickle.loads(work)


def _do(piece: int) -> Any:
    return attempt(_work, piece)


def _told(code: int | None) -> str:
    if code is None:
        return "its line is cut"
    if code >= 0:
        return f"status {code}"
    try:
        return signal.Signals(-code).name
    except ValueError:
        return f"signal {-code}"


class Pace:
    """Progress of a job: items done since it began, and items per second."""

    def __init__(self) -> None:
        self.began, self.done = monotonic(), defaultdict[str, float](float)
        self.before: float | None = None

    def add(self, **counts: int) -> None:
        for name, count in counts.items():
            self.done[name] += count

    def reach(self, name: str, done: float) -> Self:
        """So much is done in all; what was there at the first call took no time."""
        if self.before is None:
            self.before, self.began = done, monotonic()
        self.done[name] = done - self.before
        return self

    def __str__(self) -> str:
        spent = max(monotonic() - self.began, 1e-9)
        return ", ".join(f"{_rate(count / spent)} {name}/s" for name, count in self.done.items() if count)


def _rate(number: float) -> str:
    return f"{number:,.0f}" if number >= 100 else f"{number:.3g}"
