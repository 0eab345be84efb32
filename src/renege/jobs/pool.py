"""Pieces done by processes of this machine, each on a line of its own, so that one that is killed takes nothing along.

A process has one piece at a time, so that there are never more results on their way than processes. Whoever gathers
them may stop at any time, or be killed: a process whose line is closed ends.
"""

import signal
import warnings
from contextlib import suppress
from multiprocessing import get_context
from multiprocessing.connection import Connection, wait
from typing import Any

from renege.jobs.outcome import Queue, Told, Trouble, Work, attempt
from renege.native.gpu import NoGpuWarning

PATIENCE = 5.0  # seconds that a process has to end by itself


class _Member:
    """A process, the line to it, and the piece that it is at."""

    def __init__(self, work: Work[Any]) -> None:
        context = get_context("spawn")
        self.line, theirs = context.Pipe()
        self.process = context.Process(target=_serve, args=(theirs, work), daemon=True)
        self.process.start()
        theirs.close()  # so that the line ends with the process
        self.piece: int | None = None

    def begin(self, piece: int) -> None:
        self.piece = piece
        with suppress(OSError):  # it has ended: that is seen when its answer is read
            self.line.send(piece)

    def dismiss(self) -> None:
        """End it: at once if it is at a piece, else it hears that the line is closed."""
        self.line.close()
        if self.piece is not None:
            self.process.terminate()
        self.process.join(PATIENCE)
        if self.process.is_alive():
            self.process.kill()
            self.process.join()
        self.process.close()


def _serve(line: Connection, work: Work[Any]) -> None:
    """What a process does: pieces, until nobody asks for any."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C goes to all; the first process then ends the others
    warnings.simplefilter("ignore", NoGpuWarning)  # the first process has said it
    with suppress(EOFError, OSError):
        while True:
            found = attempt(work, line.recv())
            try:
                line.send(found)
            except OSError:
                raise
            except Exception as wrong:  # it cannot be put into bytes
                line.send(Trouble.of(wrong))


def on_processes(work: Work[Any], queue: Queue, workers: int) -> Told[Any]:
    """Do the pieces on so many processes, and tell each as it comes."""
    crew: list[_Member] = []
    try:
        while True:
            while len(crew) < workers and (piece := queue.take()) is not None:
                crew.append(_Member(work))
                crew[-1].begin(piece)
            for member in crew:
                if member.piece is None and (piece := queue.take()) is not None:
                    member.begin(piece)
            busy: dict[Any, _Member] = {member.line: member for member in crew if member.piece is not None}
            if not busy:
                return
            for line in wait(list(busy)):
                member = busy[line]
                assert member.piece is not None
                try:
                    found = member.line.recv()
                except (EOFError, OSError):
                    crew.remove(member)
                    member.process.join(PATIENCE)
                    why = f"its process ended ({_told(member.process.exitcode)})"
                    piece, member.piece = member.piece, None
                    member.dismiss()
                    queue.give_back(piece, why)
                    continue
                piece, member.piece = member.piece, None
                yield queue.result(piece, found)
    finally:
        for member in crew:
            member.dismiss()


def _told(code: int | None) -> str:
    if code is None:
        return "its line is cut"
    if code >= 0:
        return f"status {code}"
    try:
        return signal.Signals(-code).name
    except ValueError:
        return f"signal {-code}"
