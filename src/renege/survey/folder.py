"""The folder of a survey: its plan, and a file for each piece that was solved.

    survey.json         the plan
    piece-000000.npz    hands 0 to 63, and how many worlds came to how many points; numpy reads it
    survey.parquet      all pieces as one table, once they have been gathered

A file is there whole or not at all: it is written beside its place and then moved. So whatever stops a survey, what was
solved before stays, and a piece is never solved twice.
"""

import re
import zipfile
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from renege.core.atomic_file import written
from renege.native.arrays import I64
from renege.survey.chances import POINTS, Survey
from renege.survey.plan import Plan, check_same, read_plan

PLAN, PARQUET = "survey.json", "survey.parquet"
_PIECE = re.compile(r"piece-(\d{6,})\.npz")


@dataclass(frozen=True, slots=True)
class Piece:
    """Solved hands that lie together: `hands [n]` from hand `first` on, `counts [n, declarations, 43]`."""

    first: int
    hands: I64
    counts: I64

    def __add__(self, more: "Piece") -> "Piece":
        assert more.first == self.first + len(self.hands)
        return Piece(self.first, np.append(self.hands, more.hands), np.concatenate([self.counts, more.counts]))


def open_folder(folder: Path, plan: Plan) -> None:
    """Make the folder of a survey, or check that it is that of the same one."""
    folder.mkdir(parents=True, exist_ok=True)
    try:
        if not (folder / PLAN).exists():
            if any(folder.iterdir()):
                raise ValueError("it is not empty, and no survey")
            with written(folder / PLAN) as file:
                file.write(plan.write().encode())
        check_same(plan_of(folder), plan)
    except ValueError as wrong:
        raise ValueError(f"{folder} is left as it is: {wrong}. Name another folder with --out") from None


def plan_of(folder: Path) -> Plan:
    return read_plan((folder / PLAN).read_text("utf-8", errors="replace"))


def piece_path(folder: Path, number: int) -> Path:
    return folder / f"piece-{number:06}.npz"


def write_piece(folder: Path, plan: Plan, piece: Piece) -> None:
    with written(piece_path(folder, piece.first // plan.piece)) as file:
        np.savez_compressed(
            file,
            plan=np.array(plan.digest),
            first=np.array(piece.first, np.int64),
            hands=piece.hands.astype(np.uint32),
            counts=piece.counts.astype(np.uint32),
        )


def read_piece(path: Path, plan: Plan) -> Piece:
    """A piece of this survey; what cannot be read, or is another's, is told with what to do about it."""
    try:
        with open(path, "rb") as file, np.load(file, allow_pickle=False) as found:
            digest, first = str(found["plan"]), int(found["first"])
            hands, counts = _numbers(found["hands"]), _numbers(found["counts"])
    except (ValueError, KeyError, EOFError, OSError, zipfile.BadZipFile, zlib.error) as wrong:
        if isinstance(wrong, OSError) and wrong.errno is not None:
            raise
        raise ValueError(f"{path} cannot be read ({wrong}); {_REMOVE}") from None
    if digest != plan.digest:
        raise ValueError(f"{path} is of another survey; {_REMOVE}")
    shape = (len(hands), len(plan.declarations), POINTS)
    place = int(path.stem.removeprefix("piece-")) * plan.piece
    if counts.shape != shape or first != place or (counts.sum(axis=2) != plan.worlds).any():
        raise ValueError(f"{path} is damaged; {_REMOVE}")
    return Piece(first, hands, counts)


_REMOVE = "remove it, and the same command solves these hands again"


def _numbers(array: Any) -> I64:
    return np.asarray(array).astype(np.int64)


def pieces(folder: Path) -> Iterator[Piece]:
    """All pieces of a folder in the order of their hands."""
    plan = plan_of(folder)
    numbers = sorted(int(found[1]) for path in folder.iterdir() if (found := _PIECE.fullmatch(path.name)))
    yield from (read_piece(piece_path(folder, number), plan) for number in numbers)


def read_folder(folder: Path) -> Survey:
    """What has been solved so far."""
    if not (folder / PLAN).exists():
        raise ValueError(f"{folder} is no survey: there is no {PLAN} in it")
    try:
        plan = plan_of(folder)
    except ValueError as wrong:
        raise ValueError(f"{folder}: {wrong}") from None
    return join(plan, list(pieces(folder)), str(folder))


def join(plan: Plan, found: list[Piece], where: str) -> Survey:
    if not found:
        raise ValueError(f"{where}: no hand has been solved yet")
    numbers = np.concatenate([np.arange(piece.first, piece.first + len(piece.hands)) for piece in found])
    hands, counts = (np.concatenate(parts) for parts in zip(*((p.hands, p.counts) for p in found), strict=True))
    return Survey(plan, numbers, hands, counts)
