"""Run the pieces of a job on workers, and measure the pace.

Arena, survey and self-play all cut their work into pieces whose results follow from a plan and a number. So it does not
matter who does a piece, in which order, or whether it was begun before by somebody who was killed: `run_pieces` gives
the same results for any number of workers, and each piece once.
"""

import math
import os
from collections import defaultdict
from collections.abc import Iterable, Sized
from time import monotonic
from typing import Self

from renege.jobs.outcome import Queue, Result, Told, Work, attempt
from renege.jobs.pool import on_processes
from renege.jobs.ray import on_cluster


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
        yield from on_processes(work, queue, workers or cores())
    else:
        while (piece := queue.take()) is not None:
            yield queue.result(piece, attempt(work, piece))


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
