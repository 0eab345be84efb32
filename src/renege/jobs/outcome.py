"""The outcome of a piece: a result, or an error as text that can be sent between machines.

An error itself may not survive the way, and its class may be unknown where it arrives; so it is put into words where it
happened, and raised again as `PieceFailed` where the results are gathered.
"""

import traceback
import warnings
from collections import Counter, deque
from collections.abc import Callable, Generator, Iterable, Iterator
from dataclasses import dataclass
from typing import Any, TypeAlias, TypeVar

Result = TypeVar("Result")
Work: TypeAlias = Callable[[int], Result]
"""A piece's number -> what it comes to. It must be the same whoever does it, and whenever."""
Told: TypeAlias = Generator[tuple[int, Result], None, None]  # pieces that are done, each with its number

TRIES = 4  # workers that a piece is given to, one after the other, as long as they end before it is done


class PieceFailed(ValueError):
    """A piece cannot be done: the message says which, and why; `piece` is its number."""

    def __init__(self, message: str, piece: int) -> None:
        super().__init__(message)
        self.piece = piece


class LostWorker(RuntimeWarning):
    """A worker ended before its piece was done; somebody else does it."""


@dataclass(frozen=True, slots=True)
class Trouble:
    """An error as text; `plain` if it is about the request, and not a fault of the program."""

    said: str
    plain: bool
    trace: str

    @classmethod
    def of(cls, wrong: Exception) -> "Trouble":
        plain = isinstance(wrong, ValueError | OSError)
        said = str(wrong) if plain else f"{type(wrong).__name__}: {wrong}"
        return cls(said, plain, "".join(traceback.format_exception(wrong)))

    def failure(self, piece: int, noun: str) -> Exception:
        """The error to raise where results are gathered; a fault of the program comes with where it happened."""
        if self.plain:
            return PieceFailed(f"{noun} {piece}: {self.said}", piece)
        fault = RuntimeError(f"{noun} {piece}: {self.said}")
        fault.add_note(self.trace)
        return fault


def attempt(work: Work[Result], piece: int) -> "Result | Trouble":
    """Do a piece; an error is returned as text."""
    try:
        return work(piece)
    except Exception as wrong:
        return Trouble.of(wrong)


class Queue:
    """The queue of pieces: those of a lost worker come first, and each has a limited number of tries."""

    def __init__(self, pieces: Iterable[int], noun: str) -> None:
        self.fresh: Iterator[int] = iter(pieces)
        self.again: deque[int] = deque()
        self.lost: Counter[int] = Counter()
        self.noun = noun

    def take(self) -> int | None:
        """The next number; None if all are given out."""
        return self.again.popleft() if self.again else next(self.fresh, None)

    def give_back(self, piece: int, why: str) -> None:
        """A worker ended over this piece: it is given out again, unless that has happened too often."""
        self.lost[piece] += 1
        if self.lost[piece] == TRIES:
            raise ChildProcessError(f"{self.noun} {piece}: {TRIES} workers ended over it; of the last: {why}")
        warnings.warn(f"{self.noun} {piece} is given to another: {why}", LostWorker, stacklevel=2)
        self.again.append(piece)

    def result(self, piece: int, found: Any) -> tuple[int, Any]:
        """The result of a finished piece; an error is raised."""
        self.lost.pop(piece, None)
        if isinstance(found, Trouble):
            raise found.failure(piece, self.noun)
        return piece, found
