"""A pool of worker processes on this machine; the piece of a killed worker is done again.

A process has one piece at a time, so that there are never more results on their way than processes. A thread waits for
each. Whoever gathers the results may stop at any time, or be killed: then the processes end.
"""

import pickle
import signal
import warnings
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from multiprocessing.spawn import get_preparation_data, prepare
from typing import Any

from renege.jobs.outcome import Queue, Told, Trouble, Work, attempt
from renege.jobs.process import Worker
from renege.native.gpu import NoGpuWarning

_work: Work[Any]  # in a worker: what it does


def on_processes(work: Work[Any], queue: Queue, workers: int) -> Told[Any]:
    """Do the pieces on worker processes, and yield each result as it comes."""
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
