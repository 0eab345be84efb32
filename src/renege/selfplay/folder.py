"""The folder of a data set: its plan, and a parquet file for each piece that was played, with a row for each decision.

    selfplay.json               the plan
    data/deals-000000.parquet   deals 0 to 63

A file is written beside `data` and then moved into it, so that `data` can be read at any time. `docs/selfplay.md` says
what each column is; a test holds it to this.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from io import BytesIO
from pathlib import Path
from typing import Any, BinaryIO

import msgspec
import numpy as np

from renege.games.encoding import encoding_of
from renege.jobs.folder import Folder, find_arrow
from renege.selfplay.plan import SelfplayPlan, deal_seed
from renege.selfplay.play import Decision

KEY, DEALS, ROWS = b"renege selfplay", b"renege deals", b"renege rows"

arrow = partial(find_arrow, "self-play is written as parquet, which needs pyarrow: pip install 'renege[selfplay]'")


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
            piece = read_piece(self.plan, path)
            if self.piece_path(piece.first // self.size) != path or not 0 < len(piece) <= self.size:
                raise ValueError("it is of other self-play")
        except ValueError as wrong:
            raise ValueError(f"{path}: {wrong}") from None
        return piece

    def write(self, file: BinaryIO, piece: SelfplayPiece, before: tuple[Path, SelfplayPiece] | None) -> None:
        if before is None:
            file.write(piece.file)
            return
        path, one = before
        pa, parquet = arrow()
        files = BytesIO(path.read_bytes()), BytesIO(piece.file)
        joined = pa.concat_tables([parquet.read_table(part).replace_schema_metadata() for part in files])
        schema = schema_of(self.plan, one.first, len(one) + len(piece), joined.num_rows)
        file.write(to_bytes(joined.cast(schema).combine_chunks()))


def schema_of(plan: SelfplayPlan, first: int = 0, deals: int = 0, rows: int = 0) -> Any:
    """The columns of a data set; the plan, which deals these are, and how many rows, travel in the metadata."""
    pa, _ = arrow()
    game = plan.table()
    actions = pa.list_(pa.uint16())
    columns = [("game", pa.string()), ("rules", pa.string()), ("deal", pa.int64()), ("seed", pa.int64())]
    columns += [("decision", pa.int16()), ("seat", pa.int8()), ("phase", pa.string())]
    columns += [("observation", pa.list_(pa.uint8(), encoding_of(game).width))]
    columns += [("legal", actions), ("legal_texts", pa.list_(pa.string()))]
    columns += [("choice", actions), ("choice_text", pa.string())]
    if plan.odds:
        odds = pa.list_(pa.float32(), (game.players + 1) * len(game.deck.names))
        columns += [("odds", odds), ("odds_exact", pa.bool_())]
    if plan.values is not None:
        columns += [("option_actions", pa.list_(actions)), ("option_texts", pa.list_(pa.string()))]
        columns += [("option_means", pa.list_(pa.float32())), ("option_worlds", pa.list_(pa.int32()))]
    columns += [("result", pa.int64())]
    about = {KEY: plan.write(), DEALS: f"{first} {deals}".encode(), ROWS: str(rows).encode()}
    return pa.schema(columns, metadata=about)


def table_of(plan: SelfplayPlan, first: int, deals: Sequence[Sequence[Decision]]) -> Any:
    """The rows of deals that lie together, from deal `first` on."""
    pa, _ = arrow()
    schema = schema_of(plan, first, len(deals), sum(map(len, deals)))
    columns = dict(_columns(plan, first, deals))
    return pa.table({name: _array(pa, columns[name], schema.field(name).type) for name in schema.names}, schema)


def _array(pa: Any, values: Any, kind: Any) -> Any:
    if not pa.types.is_fixed_size_list(kind):
        return pa.array(values, type=kind)
    flat = pa.array(np.concatenate([np.ravel(row) for row in values]), type=kind.value_type)
    return pa.FixedSizeListArray.from_arrays(flat, type=kind)


def _columns(
    plan: SelfplayPlan, first: int, deals: Sequence[Sequence[Decision]]
) -> Iterator[tuple[str, Iterable[Any]]]:
    rows = [(first + place, one) for place, deal in enumerate(deals) for one in deal]
    yield "game", [plan.game] * len(rows)
    yield "rules", [msgspec.json.encode(plan.rules).decode()] * len(rows)
    yield "deal", [deal for deal, _ in rows]
    seeds = [deal_seed(plan, first + place) for place in range(len(deals))]
    yield "seed", [seeds[deal - first] for deal, _ in rows]
    names = ("decision", "seat", "phase", "observation", "legal", "legal_texts", "choice", "choice_text", "result")
    for name in (*names, *("odds", "odds_exact") * plan.odds):
        yield name, [getattr(one, name) for _, one in rows]
    for name, field in (("actions", "actions"), ("texts", "text"), ("means", "mean"), ("worlds", "worlds")):
        yield (
            f"option_{name}",
            [None if one.options is None else [getattr(option, field) for option in one.options] for _, one in rows],
        )


def to_bytes(table: Any) -> bytes:
    """A whole parquet file; the same table gives the same bytes, and its pages have checksums."""
    _, parquet = arrow()
    file = BytesIO()
    rows = max(1, table.num_rows)
    parquet.write_table(table, file, compression="zstd", row_group_size=rows, write_page_checksum=True)
    return file.getvalue()


def read_piece(plan: SelfplayPlan, path: Path) -> SelfplayPiece:
    """A piece from its file, every page and every row of it looked at; `ValueError` says what is wrong with it."""
    pa, parquet = arrow()
    try:
        with parquet.ParquetFile(path, page_checksum_verification=True) as file:
            table = file.read()
        table.validate(full=True)
        about: dict[bytes, bytes] = table.schema.metadata or {}
        first, deals = map(int, about.get(DEALS, b"").split())
        rows = int(about.get(ROWS, b""))
    except (pa.ArrowException, OSError, ValueError) as wrong:
        said = " ".join(str(wrong).split()) or type(wrong).__name__
        raise ValueError(f"it cannot be read ({said})") from None
    if about.get(KEY) != plan.write() or not table.schema.equals(schema_of(plan, first, deals)):
        raise ValueError("it is of other self-play")
    if table.num_rows != rows:  # those at its end leave no gap
        raise ValueError(f"it should have {rows} rows, and has {table.num_rows}")
    if _numbered(table) != [(deal, deal_seed(plan, deal)) for deal in range(first, first + deals)]:
        raise ValueError("it cannot be read (its deals and decisions are not those that it should have)")
    return SelfplayPiece(first, deals, table.num_rows)


def _numbered(table: Any) -> list[tuple[int, int]]:
    """Each deal of a table with its seed, in order; a decision that is missing or misplaced spoils its deal."""
    found: list[tuple[int, int]] = []
    after = -1
    for deal, seed, decision in zip(*(table[name].to_pylist() for name in ("deal", "seed", "decision")), strict=True):
        if decision == 0:
            found.append((deal, seed))
        elif not found or found[-1] != (deal, seed) or decision != after + 1:
            return []
        after = decision
    return found
