"""The folder of a survey: its plan, and a file for each piece that was solved.

survey.json         the plan
piece-000000.npz    hands 0 to 63, and the number of worlds by points; numpy reads it
survey.parquet      all pieces as one table, once they have been gathered
"""

import re
import zipfile
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

import numpy as np

from renege.jobs.folder import Folder
from renege.native.arrays import I64
from renege.survey.chances import POINTS, Survey
from renege.survey.plan import SurveyPlan

PLAN, PARQUET = "survey.json", "survey.parquet"
_PIECE = re.compile(r"piece-(\d{6,})\.npz")


@dataclass(frozen=True, slots=True)
class SurveyPiece:
    """Solved hands that lie together: `hands [n]` from hand `first` on, `counts [n, declarations, 43]`."""

    first: int
    hands: I64
    counts: I64

    def __len__(self) -> int:
        return len(self.hands)

    def __add__(self, more: "SurveyPiece") -> "SurveyPiece":
        assert more.first == self.first + len(self.hands)
        return SurveyPiece(self.first, np.append(self.hands, more.hands), np.concatenate([self.counts, more.counts]))


class SurveyFolder(Folder[SurveyPlan, SurveyPiece]):
    """The folder of a survey."""

    PLAN, FILE, AGAIN = PLAN, "piece-{:06}.npz", "solves these hands again"

    @property
    def size(self) -> int:
        return self.plan.piece

    def write(self, file: BinaryIO, piece: SurveyPiece, before: tuple[Path, SurveyPiece] | None) -> None:
        piece = piece if before is None else before[1] + piece
        np.savez_compressed(
            file,
            plan=np.array(self.plan.digest),
            first=np.array(piece.first, np.int64),
            hands=piece.hands.astype(np.uint32),
            counts=piece.counts.astype(np.uint32),
        )

    def read(self, path: Path) -> SurveyPiece:
        plan = self.plan
        try:
            with open(path, "rb") as file, np.load(file, allow_pickle=False) as found:
                digest, first = str(found["plan"]), int(found["first"])
                hands, counts = (np.asarray(found[name]).astype(np.int64) for name in ("hands", "counts"))
        except (ValueError, KeyError, EOFError, OSError, zipfile.BadZipFile, zlib.error) as wrong:
            if isinstance(wrong, OSError) and wrong.errno is not None:
                raise
            raise ValueError(f"{path} cannot be read ({wrong})") from None
        if digest != plan.digest:
            raise ValueError(f"{path} is of another survey")
        shape = (len(hands), len(plan.declarations), POINTS)
        place = int(path.stem.removeprefix("piece-")) * plan.piece
        if counts.shape != shape or first != place or (counts.sum(axis=2) != plan.worlds).any():
            raise ValueError(f"{path} is damaged")
        return SurveyPiece(first, hands, counts)


def plan_of(folder: Path) -> SurveyPlan:
    return SurveyPlan.read((folder / PLAN).read_bytes())


def pieces(folder: Path) -> Iterator[SurveyPiece]:
    """All pieces of a folder in the order of their hands."""
    kept = SurveyFolder(folder, plan_of(folder))
    for number in sorted(int(found[1]) for path in folder.iterdir() if (found := _PIECE.fullmatch(path.name))):
        piece = kept.find(number)
        if piece is not None:
            yield piece


def read_folder(folder: Path) -> Survey:
    """What has been solved so far."""
    if not (folder / PLAN).exists():
        raise ValueError(f"{folder} is no survey: there is no {PLAN} in it")
    try:
        plan = plan_of(folder)
    except ValueError as wrong:
        raise ValueError(f"{folder}: {wrong}") from None
    return join(plan, list(pieces(folder)), str(folder))


def join(plan: SurveyPlan, found: list[SurveyPiece], where: str) -> Survey:
    if not found:
        raise ValueError(f"{where}: no hand has been solved yet")
    numbers = np.concatenate([np.arange(piece.first, piece.first + len(piece.hands)) for piece in found])
    hands, counts = (np.concatenate(parts) for parts in zip(*((p.hands, p.counts) for p in found), strict=True))
    return Survey(plan, numbers, hands, counts)
