"""A worker: `python -m renege.server.workers.process`, started by `renege.server.workers.pool`.

A question comes in on standard input, its answer goes out on standard output, each a pickle behind its length. The end
of the input is the end of the server, however that came about, and of this process, whatever it is doing.
"""

import os
import pickle
import signal
import struct
import sys
import threading
import traceback
from collections.abc import Callable
from contextlib import suppress
from queue import SimpleQueue
from typing import IO, Any

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


def answer(question: bytes) -> bytes:
    """What a function comes to, or the error that it raises and where."""
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
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the server, which then lets us go
    with suppress(AttributeError, OSError, ValueError):
        os.nice(int(sys.argv[1]))
    questions, answers = sys.stdin.buffer, os.fdopen(os.dup(1), "wb")
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


if __name__ == "__main__":
    main()
