"""Chances, intervals, the parquet file, the table of a bidder: each against a slower way to the same."""

import json
import math
import random
import re
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from renege.games import texas42
from renege.games.openings import Counted
from renege.games.texas42.openings import (
    ASKED,
    STEPS,
    WORLDS,
    Surveyed,
    _error,
    _gather,
    _quantiles,
    _weights,
    count_hand,
    fit_table,
    read_surveyed,
    surveyed,
    usual_call,
    write_surveyed,
)
from renege.survey.chances import BIDS, Survey, best_call, made, mean_points, wilson
from renege.survey.charts import cells
from renege.survey.folder import read_folder
from renege.survey.parquet import gather, read_survey
from renege.survey.plan import draw_hands, make_plan
from renege.survey.run import find_solver, solve_hands, survey_of
from support.steering import SOAK

ROOT = Path(__file__).parents[2]
COMMITTED = ROOT / "docs" / "survey" / "survey42.parquet"


def invented(hands: int, seed: int = 1) -> Survey:
    """A survey whose numbers are made up, but no other thing."""
    rng = np.random.default_rng(seed)
    plan = make_plan(texas42.game(), worlds=30, seed=seed)
    counts = rng.multinomial(30, rng.dirichlet(np.ones(43) / 9, (hands, len(plan.declarations))))
    return Survey(plan, np.arange(hands), np.array(draw_hands(seed, 0, hands)), counts)


def fitted(survey: Survey) -> Surveyed:
    plan, usual = survey.plan, survey.by_usual()
    about = {"worlds": plan.worlds, "seed": plan.seed, "rules": plan.rules}
    return fit_table(usual.counted(), usual.counts, about)


# -- chances


def test_a_bid_is_made_by_points_in_marks_by_all_and_in_nello_by_none():
    survey = invented(1)
    for i, call in enumerate(survey.calls):
        counts = survey.counts[0, i]
        worlds = [points for points, times in enumerate(counts.tolist()) for _ in range(times)]
        assert mean_points(counts) == pytest.approx(sum(worlds) / len(worlds))
        if call.name == "nello":
            assert made(counts, 42, call) == worlds.count(0)
        else:
            assert made(counts, 42, call) == worlds.count(42)
        if call.in_marks:
            with pytest.raises(ValueError, match="bid in marks, not for 31"):
                made(counts, 31, call)
        else:
            assert made(counts, 31, call) == sum(points >= 31 for points in worlds)


@pytest.mark.parametrize(("hits", "n"), [(0, 1), (1, 1), (3, 10), (10, 10), (0, 40), (29, 40), (999, 1000)])
def test_the_ends_of_the_interval_are_as_far_from_what_was_seen_as_chance_allows(hits: int, n: int):
    low, high = (float(end) for end in wilson(np.array(hits), n))
    assert 0 <= low <= hits / n <= high <= 1
    for end in (low, high):
        if 1e-9 < end < 1 - 1e-9:
            assert abs(hits / n - end) == pytest.approx(1.959964 * math.sqrt(end * (1 - end) / n), rel=1e-5)


def test_the_best_declaration_makes_thirty_most_often():
    survey = invented(5)
    for row in range(5):
        best = best_call(survey, row)
        assert best is not None
        often = [int(made(survey.counts[row, i], 30)) for i, call in enumerate(survey.calls) if not call.in_marks]
        assert made(survey.counts[row, best], 30) == max(often)


def test_the_usual_declaration_is_found_among_those_that_were_solved():
    survey = invented(40)
    names = [call.name for call in survey.calls]
    assert [names[i] for i in survey.usual] == [usual_call(hand) for hand in survey.hands.tolist()]
    few = make_plan(texas42.game(), worlds=2, seed=1, declarations=["follow-me doubles low", "nello"])
    with pytest.raises(ValueError, match="no hand was solved under the declaration"):
        survey_of(few, draw_hands(1, 0, 2), find_solver("cpu")).by_usual()


# -- parquet


def test_the_parquet_file_says_what_the_folder_says(solved: Callable[[int], Path]):
    folder = solved(9)
    path, hands = gather(folder)
    assert (path, hands) == (folder / "survey.parquet", 9)
    one, other = read_folder(folder), read_survey(path)
    assert one.plan == other.plan
    for name in ("numbers", "hands", "counts"):
        assert (getattr(one, name) == getattr(other, name)).all()
    before = path.read_bytes()
    gather(folder)
    assert path.read_bytes() == before


def test_every_row_can_be_worked_out_from_its_own_columns(solved: Callable[[int], Path]):
    path, _ = gather(solved(6))
    for row in pq.read_table(path).to_pylist():
        points = [p for p in range(43) for _ in range(row[f"points_{p}"])]
        hand = sum(1 << texas42.DECK.spellings[tile] for tile in row["hand"].split())
        assert len(points) == row["worlds"] == 6 and hand == row["mask"]
        assert row["mean_points"] == pytest.approx(sum(points) / 6)
        marks_only = row["declaration"] in ("sevens", "nello")
        for bid in BIDS:
            wanted = None if marks_only and bid < 42 else sum(p >= bid for p in points)
            assert row[f"makes_{bid}"] == wanted
        assert row["usual"] == (usual_call(hand) == row["declaration"])
        assert row["chance_42"] == pytest.approx(row["makes_42"] / 6)
        assert row["low_42"] <= row["chance_42"] <= row["high_42"]
        if marks_only:
            assert row["trumps"] is None and row["chance_30"] is None
        else:
            counted = count_hand(hand, "follow-me")
            assert (row["trumps"], row["tops"], row["other_doubles"]) == (0, 0, counted.doubles)
            assert (row["offs"], row["count"]) == (counted.offs, counted.count)
            assert row["losers"] == pytest.approx(counted.losers)


def test_the_columns_are_plain_and_those_of_the_docs(solved: Callable[[int], Path]):
    schema = pq.read_schema(gather(solved(1))[0])
    plain = {pa.int64(), pa.int32(), pa.int8(), pa.float32(), pa.bool_(), pa.string()}
    assert {field.type for field in schema} <= plain
    page = (ROOT / "docs" / "survey.md").read_text("utf-8")
    told = re.findall(r"^\| `([^|]+)` \| (\w+) \|", page, re.MULTILINE)
    listed: dict[str, str] = {}
    for names, kind in told:
        for name in names.split("`, `"):
            first, dots, last = name.partition(" .. ")
            stem = first.rstrip("0123456789")
            numbers = range(int(first.removeprefix(stem)), int(last.removeprefix(stem)) + 1) if dots else [None]
            listed |= {name if n is None else f"{stem}{n}": kind for n in numbers}
    assert listed == {field.name: str(field.type) for field in schema}


def test_a_file_that_is_no_survey_is_refused(tmp_path: Path, solved: Callable[[int], Path]):
    (tmp_path / "letter.parquet").write_text("dear")
    with pytest.raises(ValueError, match=r"letter.parquet is no survey"):
        read_survey(tmp_path / "letter.parquet")
    pq.write_table(pa.table({"a": [1]}), tmp_path / "other.parquet")
    with pytest.raises(ValueError, match=r"other.parquet is no survey"):
        read_survey(tmp_path / "other.parquet")
    table = pq.read_table(gather(solved(3))[0])
    pq.write_table(table.slice(1), tmp_path / "part.parquet")
    with pytest.raises(ValueError, match="rows are missing"):
        read_survey(tmp_path / "part.parquet")
    with pytest.raises(ValueError, match=r"no survey: there is no survey.json"):
        read_survey(tmp_path)


# -- the table of a bidder


def test_each_kind_of_hand_is_foretold_by_the_others_as_a_slow_sum_has_it():
    rng = np.random.default_rng(3)
    hands = 40
    kinds = rng.integers(0, 3, (hands, 5)) * np.array(STEPS)
    counts = rng.multinomial(20, np.ones(43) / 43, hands)
    cells, width = _gather(kinds, counts), 0.5

    def weight(one: int, other: int) -> float:
        return math.exp(-sum(((a - b) / s) ** 2 for a, b, s in zip(kinds[one], kinds[other], STEPS, strict=True)) / 0.5)

    wanted = 0.0
    for bid in ASKED:
        overall = counts[:, bid:].sum() / counts.sum()
        for h in range(hands):
            others = [other for other in range(hands) if other != h]
            hits = sum(weight(h, other) * counts[other, bid:].sum() for other in others) + overall
            told = hits / (sum(weight(h, other) * counts[other].sum() for other in others) + 1)
            wanted += (counts[h, bid:].sum() / 20 - told) ** 2 / hands / len(ASKED)
    assert _error(cells, counts, width) == pytest.approx(wanted)
    for cell, kind in enumerate(cells.kinds):
        row = next(h for h in range(hands) if (kinds[h] == kind).all())
        slow = sum(weight(row, other) * counts[other] for other in range(hands))
        assert (_weights(cells, width) @ cells.counts)[cell] == pytest.approx(slow)


@pytest.mark.parametrize("seed", range(10 * SOAK))
def test_quantiles_are_the_middles_of_equal_shares(seed: int):
    rng = random.Random(seed)
    points = sorted(rng.choice([rng.randrange(43), 30, 42]) for _ in range(WORLDS * 5))
    counts = np.bincount(points, minlength=43)[None].astype(float)
    assert _quantiles(counts)[0].tolist() == points[2::5]


def test_a_table_is_read_as_it_was_written_and_the_nearest_kind_stands_in():
    table = fitted(invented(60))
    again = read_surveyed(write_surveyed(table))
    assert {k: v.tolist() for k, v in again.cells.items()} == {k: v.tolist() for k, v in table.cells.items()}
    assert again.survey == table.survey and again.survey["hands"] == 60
    cells = {(4, 2, 1, 2, 10): np.full(WORLDS, 35, np.int16), (3, 0, 1, 3, 10): np.full(WORLDS, 20, np.int16)}
    small = Surveyed(cells, {})
    assert small.points(Counted(4, 2, 1, 2, 10, 0.0))[0] == 35
    assert small.points(Counted(4, 1, 1, 2, 20, 0.0))[0] == 35
    assert small.points(Counted(2, 0, 1, 4, 0, 0.0))[0] == 20
    for text in ("", "{}", '{"format": "renege surveyed 42 1", "survey": {}, "cells": {"1 2 3 4 5": [1]}}'):
        with pytest.raises(ValueError, match="no table of a survey"):
            read_surveyed(text)


def test_the_table_that_comes_with_renege_is_that_of_the_committed_survey():
    path = ROOT / "src" / "renege" / "games" / "texas42" / "surveyed.json"
    assert write_surveyed(fitted(read_survey(COMMITTED))) == path.read_text("utf-8")
    assert path.stat().st_size < 100_000
    assert json.loads(path.read_text("utf-8"))["survey"]["worth"] > 10


def test_stronger_hands_make_more_by_the_table():
    table = surveyed()
    weak, strong = Counted(3, 0, 0, 4, 0, 0.0), Counted(5, 3, 1, 1, 10, 0.0)
    assert table.points(weak).mean() + 5 < table.points(strong).mean()
    assert all((points[1:] >= points[:-1]).all() for points in table.cells.values())


def test_a_hand_of_the_committed_survey_comes_out_the_same_today():
    survey = read_survey(COMMITTED)
    number = 3
    plan = make_plan(
        texas42.game(), worlds=survey.plan.worlds, seed=survey.plan.seed, declarations=["sevens", "follow-me"]
    )
    assert draw_hands(plan.seed, number, 1)[0] == survey.hands[number]
    again = solve_hands(plan, draw_hands(plan.seed, number, 1), find_solver("cpu"), number)
    places = [survey.plan.declarations.index(text) for text in plan.declarations]
    assert (again.counts[0] == survey.counts[number, places]).all()


# -- the chart


def test_every_hand_is_in_its_cell_of_the_chart():
    survey = invented(80)
    found = cells(survey)
    by_place: dict[tuple[tuple[int, int], int], list[list[float]]] = {}
    for row, hand in enumerate(survey.hands.tolist()):
        name = usual_call(hand)
        counted = count_hand(hand, name)
        place = ((counted.trumps, int(counted.tops > 0)), min(counted.doubles, 5))
        if name == "follow-me":
            place = ((0, 0), min(counted.doubles, 5))
        elif name == "doubles":
            place = ((-1, 0), min(counted.trumps, 5))
        counts = survey.counts[row, [call.name for call in survey.calls].index(name)]
        by_place.setdefault(place, []).append([counts[bid:].sum() / 30 for bid in BIDS])
    assert {place: cell.hands for place, cell in found.items()} == {place: len(of) for place, of in by_place.items()}
    for place, cell in found.items():
        means = [sum(column) / len(column) for column in zip(*by_place[place], strict=True)]
        assert cell.chances == pytest.approx(means)
        often = [bid for bid, mean in zip(BIDS, means, strict=True) if mean >= 0.75]
        assert cell.bid == (often[-1] if often else 0)
