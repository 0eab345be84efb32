"""The folder of a data set: its plan, and a parquet file for each piece that was played.

    selfplay.json               the plan
    data/deals-000000.parquet   deals 0 to 63, a row for each decision

A file is there whole or not at all: it is written beside `data` and then moved into it. So whatever stops self-play,
what was played before stays, nothing is played twice, and `data` can be read at any time.
"""

from dataclasses import dataclass
from pathlib import Path

from renege.core.atomic_file import written
from renege.selfplay.plan import Plan, check_same, read_plan
from renege.selfplay.table import appended, read_piece

PLAN, DATA = "selfplay.json", "data"
_REMOVE = "remove it, and the same command plays these deals again"


@dataclass(frozen=True, slots=True)
class Kept:
    """What a file holds: so many deals from the first on, and their decisions."""

    first: int
    deals: int
    decisions: int


def open_folder(folder: Path, plan: Plan) -> None:
    """Make the folder of a data set, or check that it is that of the same one."""
    folder.mkdir(parents=True, exist_ok=True)
    try:
        if not (folder / PLAN).exists():
            if any(folder.iterdir()):
                raise ValueError("it is not empty, and no self-play")
            with written(folder / PLAN) as file:
                file.write(plan.write())
        check_same(read_plan((folder / PLAN).read_bytes()), plan)
    except ValueError as wrong:
        raise ValueError(f"{folder} is left as it is: {wrong}. Name another folder with --out") from None
    (folder / DATA).mkdir(exist_ok=True)


def piece_path(folder: Path, number: int) -> Path:
    return folder / DATA / f"deals-{number:06}.parquet"


def kept(folder: Path, plan: Plan, number: int) -> Kept | None:
    """What is there of a piece. All of its file is read: one that is damaged must not count as played."""
    path = piece_path(folder, number)
    if not path.exists():
        return None
    try:
        first, deals, rows = read_piece(plan, path)
        if first != number * plan.piece or not 0 < deals <= plan.piece:
            raise ValueError("it is of other self-play")
    except ValueError as wrong:
        raise ValueError(f"{path}: {wrong}; {_REMOVE}") from None
    return Kept(first, deals, rows)


def keep(folder: Path, plan: Plan, number: int, fresh: bytes, before: Kept | None) -> None:
    """Write a piece, after what was there of it."""
    path = piece_path(folder, number)
    whole = fresh if before is None else appended(plan, path.read_bytes(), fresh)
    with written(path, beside=folder) as file:
        file.write(whole)
