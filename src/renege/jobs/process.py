"""A worker process and its two pipes: `Worker` on this side, `main` on the other.

A question comes in on standard input, its answer goes out on standard output, each a pickle behind its length. A
question is a function and its arguments. The end of the input is the end of whoever asks, however that came about, and
of this process, whatever it is doing. It imports nothing but what it is asked for: processes of the standard library
import the program that started them first.
"""

import os
import pickle
import signal
import struct
import subprocess
import sys
import threading
import traceback
from collections.abc import Callable
from contextlib import suppress
from queue import SimpleQueue
from typing import IO, Any

PATIENCE = 5.0  # seconds that a process has to end by itself
LENGTH = struct.Struct("<Q")


def send(pipe: IO[bytes], message: bytes) -> None:
    pipe.write(LENGTH.pack(len(message)))
    pipe.write(message)
    pipe.flush()


def receive(pipe: IO[bytes]) -> bytes:
    """The next message; `EOFError` when the other side has gone."""
    head = pipe.read(LENGTH.size)
    if len(head) < LENGTH.size:
        raise EOFError
    (size,) = LENGTH.unpack(head)
    message = pipe.read(size)
    if len(message) < size:
        raise EOFError
    return message


class Worker:
    """A process that answers questions, one at a time; `EOFError` or `OSError` where it has ended."""

    def __init__(self, nice: int = 0) -> None:
        command = [sys.executable, "-P", "-c", "from renege.jobs.process import main; main()", str(nice)]
        # -P: a file in the folder where we were started is no module of ours
        # in a session of its own: Ctrl-C is for us, and then we send our workers home
        self._process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, start_new_session=True)

    def ask(self, question: bytes) -> tuple[Any, BaseException | None]:
        """Call a pickled function in the worker; returns its result or raises its error."""
        assert self._process.stdin is not None and self._process.stdout is not None
        send(self._process.stdin, question)
        return pickle.loads(receive(self._process.stdout))

    def end(self) -> None:
        """It has nothing to put away."""
        self._process.kill()

    def bury(self) -> int | None:
        """Wait for its end, and close what is left of it; its status, or None if it did not end by itself."""
        assert self._process.stdin is not None
        with suppress(OSError):  # what was not sent when it ended
            self._process.stdin.close()
        try:
            return self._process.wait(PATIENCE)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
            return None
        finally:
            assert self._process.stdout is not None
            self._process.stdout.close()


def answer(question: bytes) -> bytes:
    """The result of a function, or the error that it raises and where."""
    try:
        function, args, kwargs = pickle.loads(question)
        return pickle.dumps((function(*args, **kwargs), None), pickle.HIGHEST_PROTOCOL)
    except Exception as wrong:
        frames = traceback.extract_tb(wrong.__traceback__)[1:]
        wrong.add_note("in a worker: " + " < ".join(f"{f.filename}:{f.lineno} {f.name}" for f in reversed(frames)))
        try:
            return pickle.dumps((None, wrong.with_traceback(None)))
        except Exception:  # an error that cannot travel
            return pickle.dumps((None, RuntimeError(type(wrong).__name__)))


def main() -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for whoever asks, who then lets us go
    with suppress(AttributeError, OSError, ValueError):
        os.nice(int(sys.argv[1]))
    questions, answers = os.fdopen(0, "rb"), os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # whatever somebody prints is no answer
    waiting: SimpleQueue[bytes] = SimpleQueue()
    threading.Thread(target=_read, args=(questions, waiting.put), daemon=True).start()
    with suppress(BrokenPipeError):
        while True:
            send(answers, answer(waiting.get()))


def _read(questions: IO[bytes], ask: Callable[[bytes], Any]) -> None:
    with suppress(EOFError, OSError):
        while True:
            ask(receive(questions))
    os._exit(0)
