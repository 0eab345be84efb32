"""The folder of a data set: its plan, and a parquet file for each piece that was played.

    selfplay.json               the plan
    data/deals-000000.parquet   deals 0 to 63, a row for each decision

A file is written beside `data` and then moved into it, so that `data` can be read at any time.
"""

from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

from renege.jobs.folder import Folder
from renege.selfplay.plan import SelfplayPlan
from renege.selfplay.table import appended, read_piece


@dataclass(frozen=True, slots=True)
class SelfplayPiece:
    """So many deals from the first on, and their decisions; as a parquet file, where they have just been played."""

    first: int
    deals: int
    decisions: int
    file: bytes = b""

    def __len__(self) -> int:
        return self.deals


class SelfplayFolder(Folder[SelfplayPlan, SelfplayPiece]):
    """The folder of a data set."""

    PLAN, FILE, AGAIN = "selfplay.json", "data/deals-{:06}.parquet", "plays these deals again"

    @property
    def size(self) -> int:
        return self.plan.piece

    def read(self, path: Path) -> SelfplayPiece:
        try:
            piece = SelfplayPiece(*read_piece(self.plan, path))
            if self.piece_path(piece.first // self.size) != path or not 0 < len(piece) <= self.size:
                raise ValueError("it is of other self-play")
        except ValueError as wrong:
            raise ValueError(f"{path}: {wrong}") from None
        return piece

    def write(self, file: BinaryIO, piece: SelfplayPiece, before: tuple[Path, SelfplayPiece] | None) -> None:
        file.write(piece.file if before is None else appended(self.plan, before[0].read_bytes(), piece.file))
