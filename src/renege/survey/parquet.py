"""A survey as one parquet file: a row for each hand and declaration, plain columns that any reader takes.

`docs/survey.md` says what each column is. The plan travels in the file's metadata, so that the file is all one needs.
"""

from collections.abc import Iterable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from renege.core.atomic_file import write_atomically
from renege.jobs.folder import find_arrow
from renege.survey.chances import BIDS, POINTS, Survey, made, mean_points, wilson
from renege.survey.folder import PARQUET, SurveyPiece, join, pieces, plan_of, read_folder
from renege.survey.plan import DECK, SurveyPlan

KEY = b"renege survey"
ROWS = 1 << 16  # of a row group
WITH_INTERVAL = (30, 42)  # bids whose chance is written out
arrow = partial(find_arrow, "parquet needs pyarrow: pip install 'renege[survey]'")
COUNTED = ("trumps", "tops", "other_doubles", "offs", "count")


def gather(folder: Path, out: Path | None = None) -> tuple[Path, int]:
    """All pieces of a folder as one parquet file; where it is, and how many hands are in it."""
    _, parquet = arrow()
    path, plan, hands = out or folder / PARQUET, plan_of(folder), 0
    schema = _schema(plan)
    with (
        write_atomically(path) as file,
        parquet.ParquetWriter(file, schema, compression="zstd", use_dictionary=True) as writer,
    ):
        for part in _parts(folder, plan):
            writer.write_table(table_of(part, schema))
            hands += len(part)
        if not hands:
            raise ValueError(f"{folder}: no hand has been solved yet")
    return path, hands


def _parts(folder: Path, plan: SurveyPlan) -> Iterator[Survey]:
    """The pieces, some at a time, so that no survey is too large to be gathered."""
    waiting: list[SurveyPiece] = []
    rows = 0
    for piece in pieces(folder):
        waiting.append(piece)
        rows += len(piece.hands) * len(plan.declarations)
        if rows >= ROWS:
            yield join(plan, waiting, str(folder))
            waiting, rows = [], 0
    if waiting:
        yield join(plan, waiting, str(folder))


def _schema(plan: SurveyPlan) -> Any:
    pa, _ = arrow()
    columns = [("number", pa.int64()), ("hand", pa.string()), ("mask", pa.int32()), ("declaration", pa.string())]
    columns += [("usual", pa.bool_()), ("worlds", pa.int32()), ("mean_points", pa.float32())]
    columns += [(f"makes_{bid}", pa.int32()) for bid in BIDS]
    for bid in WITH_INTERVAL:
        columns += [(f"{what}_{bid}", pa.float32()) for what in ("chance", "low", "high")]
    columns += [(name, pa.int8()) for name in COUNTED] + [("losers", pa.float32())]
    columns += [(f"points_{points}", pa.int32()) for points in range(POINTS)]
    return pa.schema(columns, metadata={KEY: plan.write()})


def table_of(survey: Survey, schema: Any | None = None) -> Any:
    """The rows of a survey: hand by hand, and for each hand every declaration in the order of the plan."""
    pa, _ = arrow()
    wanted: Any = _schema(survey.plan) if schema is None else schema
    columns = dict(_columns(survey))
    return pa.table({name: pa.array(columns[name], type=wanted.field(name).type) for name in wanted.names}, wanted)


def _columns(survey: Survey) -> Iterable[tuple[str, Any]]:
    hands, calls, counts = survey.hands.tolist(), survey.calls, survey.counts
    n = len(calls)
    yield "number", np.repeat(survey.numbers, n)
    yield "hand", [str(DECK.of(hand)) for hand in hands for _ in calls]
    yield "mask", np.repeat(survey.hands, n)
    yield "declaration", [call.text for _ in hands for call in calls]
    yield "usual", (survey.usual[:, None] == np.arange(n)).ravel()
    yield "worlds", counts.sum(axis=2).ravel()
    yield "mean_points", mean_points(counts).ravel()
    for bid in BIDS:
        hits = [
            None if call.in_marks and bid < BIDS[-1] else made(counts[:, i], bid, call) for i, call in enumerate(calls)
        ]
        yield f"makes_{bid}", [None if one is None else int(one[h]) for h in range(len(hands)) for one in hits]
        if bid in WITH_INTERVAL:
            yield from _interval(survey, bid, hits)
    counted = [None if call.count is None else call.count(hand) for hand in hands for call in calls]
    for name, field in zip(COUNTED, ("trumps", "tops", "doubles", "offs", "count"), strict=True):
        yield name, [None if one is None else getattr(one, field) for one in counted]
    yield "losers", [None if one is None else one.losers for one in counted]
    yield from ((f"points_{points}", counts[:, :, points].ravel()) for points in range(POINTS))


def _interval(survey: Survey, bid: int, hits: list[Any]) -> Iterable[tuple[str, Any]]:
    """The chance to make a bid, with its interval; empty where it cannot be bid."""
    n = survey.plan.worlds
    found = [None if one is None else (one / n, *wilson(one, n)) for one in hits]
    for place, what in enumerate(("chance", "low", "high")):
        yield (
            f"{what}_{bid}",
            [None if one is None else float(one[place][h]) for h in range(len(survey)) for one in found],
        )


def read_survey(path: Path) -> Survey:
    """A survey from its folder or from its parquet file."""
    if path.is_dir():
        return read_folder(path)
    pa, parquet = arrow()
    try:
        file = parquet.ParquetFile(path)
        about: dict[bytes, bytes] = file.schema_arrow.metadata or {}
        plan = SurveyPlan.read(about.get(KEY, b""))
        table = file.read(["number", "mask", "declaration", *(f"points_{points}" for points in range(POINTS))])
    except (pa.ArrowException, ValueError) as wrong:
        raise ValueError(f"{path} is no survey: {wrong}") from None
    n = len(plan.declarations)
    if table.num_rows % n or table["declaration"].to_pylist() != list(plan.declarations) * (table.num_rows // n):
        raise ValueError(f"{path} is no whole survey: rows are missing or in another order")
    numbers, hands, *points = (
        np.asarray(table[name].to_numpy(), np.int64)
        for name in ("number", "mask", *(f"points_{points}" for points in range(POINTS)))
    )
    counts = np.stack(points, axis=1).reshape(-1, n, POINTS)
    return Survey(plan, numbers[::n], hands[::n], counts)
