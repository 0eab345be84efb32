"""The folder of a job: its plan, and a file for each piece that is done.

A file is written atomically: beside its place, and then moved. So whatever stops a job, what was done before stays, and
no piece is done twice. A job may be resumed with more items than before: then its last piece is carried on.
"""

import json
from abc import ABC, abstractmethod
from collections.abc import Callable, Generator, Mapping
from contextlib import closing
from dataclasses import asdict, dataclass, field, fields
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import Any, BinaryIO, ClassVar, Generic, Protocol, Self, TypeVar, cast

from renege.core.atomic_file import write_atomically
from renege.core.notation import NotationError
from renege.core.version import version
from renege.jobs.run import run_pieces


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """All that is needed to do any piece of a job again; it is kept with the results, as JSON.

    Everything about a piece follows from the plan and its number, so that pieces may be done in any order, by anybody.
    Here are its format and the version of renege that made it; each kind of job adds what it is of.
    """

    A: ClassVar[str]  # the kind of job with its article: `a survey`
    OTHER: ClassVar[str]
    FREE: ClassVar[tuple[str, ...]] = ()  # fields that may differ when a job is resumed

    format: str
    renege: str = field(default_factory=version)

    def write(self, indent: int | None = 1) -> bytes:
        """As JSON; on one line without an indent."""
        separators = None if indent else (",", ":")
        return (json.dumps(asdict(self), indent=indent, separators=separators, ensure_ascii=False) + "\n").encode()

    @classmethod
    def read(cls, text: bytes) -> Self:
        """A plan as `write` writes it; `ValueError` if it is something else."""
        try:
            found: Any = json.loads(text)
            usual = {field.name: field.default for field in fields(cls)}
            if found["format"] != usual["format"] or set(found) != set(usual):
                raise ValueError
            lists = {name: tuple(cast("list[Any]", value)) for name, value in found.items() if isinstance(value, list)}
            return cls(**found | lists)
        except (ValueError, TypeError, KeyError):
            raise ValueError(f"it holds something else than {cls.A} of this version") from None

    def check_resumes(self, theirs: Self) -> None:
        """Refuse to resume another job."""
        for one in fields(self):
            here, there = getattr(self, one.name), getattr(theirs, one.name)
            if one.name not in self.FREE and here != there:
                raise ValueError(f"it holds {self.OTHER}: {self.difference(one.name, there, here)}")

    def difference(self, name: str, there: Any, here: Any) -> str:
        return f"its {name.replace('_', ' ')} is {_text(there)}, and here {_text(here)}"


class Piece(Protocol):
    """Items that lie together, from number `first` on."""

    @property
    def first(self) -> int: ...
    def __len__(self) -> int: ...


AnyPlan = TypeVar("AnyPlan", bound=Plan)
AnyPiece = TypeVar("AnyPiece", bound=Piece)


@dataclass(frozen=True)
class Folder(ABC, Generic[AnyPlan, AnyPiece]):
    """Where the pieces of a plan lie; each kind of job says how its files are named, read and written."""

    PLAN: ClassVar[str]
    FILE: ClassVar[str]  # the name of a piece's file by its number
    AGAIN: ClassVar[str]  # what the same command does to a piece whose file was removed: `solves these hands again`

    path: Path
    plan: AnyPlan

    @property
    @abstractmethod
    def size(self) -> int:
        """How many items are done, and written, together."""

    @abstractmethod
    def read(self, path: Path) -> AnyPiece:
        """A piece from its file; `ValueError` names a file that is damaged, or of another job."""

    @abstractmethod
    def write(self, file: BinaryIO, piece: AnyPiece, before: tuple[Path, AnyPiece] | None) -> None:
        """Write a piece after what was there of it."""

    def open(self) -> None:
        """Make the folder, or check that it is that of the same job."""
        self.path.mkdir(parents=True, exist_ok=True)
        try:
            if not (self.path / self.PLAN).exists():
                if any(self.path.iterdir()):
                    raise ValueError(f"it is not empty, and no {self.plan.A.removeprefix('a ')}")
                with write_atomically(self.path / self.PLAN) as file:
                    file.write(self.plan.write())
            self.plan.check_resumes(type(self.plan).read((self.path / self.PLAN).read_bytes()))
        except ValueError as wrong:
            raise ValueError(f"{self.path} is left as it is: {wrong}. Name another folder with --out") from None
        self.piece_path(0).parent.mkdir(exist_ok=True)

    def piece_path(self, number: int) -> Path:
        return self.path / self.FILE.format(number)

    def find(self, number: int) -> AnyPiece | None:
        """What is there of a piece; its file is read and checked, since one that is damaged must not count as done."""
        path = self.piece_path(number)
        if not path.exists():
            return None
        try:
            return self.read(path)
        except ValueError as wrong:
            raise ValueError(f"{wrong}; remove it, and the same command {self.AGAIN}") from None

    def pieces(self, items: int) -> dict[int, AnyPiece]:
        """The pieces of the first so many items that are there."""
        found = {number: self.find(number) for number in range(-(-items // self.size))}
        return {number: piece for number, piece in found.items() if piece is not None}

    def fill(
        self, items: int, there: Mapping[int, AnyPiece], work: Callable[[range], AnyPiece], **crew: Any
    ) -> Generator[AnyPiece, None, None]:
        """Do and write what is missing of the first so many items, and yield it; `crew` goes to `run_pieces`."""
        done = {number: len(piece) for number, piece in there.items()}
        starts = enumerate(range(0, items, self.size))
        parts = {i: range(first + done.get(i, 0), min(first + self.size, items)) for i, first in starts}
        todo = {number: part for number, part in parts.items() if part}
        with closing(run_pieces(partial(_do, work, todo), list(todo), **crew)) as found:
            for number, piece in found:
                path = self.piece_path(number)
                with write_atomically(path, beside=self.path) as file:
                    self.write(file, piece, (path, there[number]) if number in there else None)
                yield piece


def find_arrow(needed: str) -> tuple[Any, Any]:
    """pyarrow and its parquet, which are no dependency of renege and have no types to check against."""
    try:
        return import_module("pyarrow"), import_module("pyarrow.parquet")
    except ImportError:
        raise NotationError(needed) from None


def _text(value: Any) -> str:
    return ", ".join(map(str, cast("tuple[Any, ...]", value))) if isinstance(value, tuple) else repr(value)


def _do(work: Callable[[range], AnyPiece], parts: Mapping[int, range], number: int) -> AnyPiece:
    return work(parts[number])
