"""The study's report: its numbers are those measured, its figures are drawn, and what goes wrong is said in a line."""

import os
import re
import subprocess
import sys
import xml.etree.ElementTree as ElementTree
from collections.abc import Sequence
from dataclasses import replace
from math import comb
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pytest

from renege.core.cards import Cards
from renege.games.tractor.order import DECK, TRUMP, order
from renege.games.tractor.spoj import judge
from renege.games.tractor.units import shape_of
from renege.native import tractor as native_tractor
from study import claims, compare, draws, measure, report, timing
from study.paper import ROUND, ZONES, cards_in, distinct_orders, draw_leads, get_structure, same_structure
from study.pictures import W7_LEAD, W7_RUFF, search_paths
from study.run import STEPS, Plan, Study
from study.summary import claim_rows, percent, percents, seconds

ROOT = Path(__file__).parents[2]
FIGURES = [
    *("fig1-degradation", "fig2-pipeline", "fig3-search-tree", "fig4-matching", "fig5-blocks", "fig6-tractors"),
    *("fig8-runs", "orders", "latency", "growth", "real-hands", "errors"),
]


class Written(NamedTuple):
    folder: Path
    study: Study
    page: str
    steps: list[str]


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> Written:
    folder = tmp_path_factory.mktemp("study") / "new" / "folder"
    steps: list[str] = []
    study = report.write_report(folder, Plan(quick=True), steps.append)
    return Written(folder, study, (folder / "README.md").read_text("utf-8"), steps)


def cells(page: str, first: str) -> list[str]:
    """The cells of the first table row that begins so, without that one."""
    row = next(line for line in page.splitlines() if line.startswith(f"| {first} |"))
    return [cell.strip() for cell in row.strip("|").split("|")][1:]


def numbers(cells: Sequence[str]) -> list[float]:
    return [float(re.sub(r"[ %,]", "", cell)) for cell in cells]


# --- the page -----------------------------------------------------------------------------------------------


def test_the_percentages_are_the_papers_within_sampling_error(written: Written):
    for share in written.study.experiment.shares:
        # two samples of 20,000 differ by the square root of two times the error of one
        assert abs(share.drawn - share.printed) < 3 * 2**0.5 * share.error
        assert abs(share.z) < 3 and abs(share.printed_z) < 3
    assert written.study.experiment.drawn.most_blocks == claims.MOST_BLOCKS


def test_the_page_has_the_numbers_that_were_measured(written: Written):
    page, study = written.page, written.study
    for name, share in zip(claims.ZONE_NAMES, study.experiment.zones, strict=True):
        row = numbers(cells(page, f"{name} zone"))
        assert row == pytest.approx(
            [100 * share.printed, 100 * share.drawn, 100 * share.exact, share.printed_z, share.z], abs=0.0051
        )
    for name, found in (
        ("by Algorithm 2 as printed", study.experiment.by_printed),
        ("by the program", study.experiment.by_program),
    ):
        assert numbers(cells(page, name)) == pytest.approx([100 * zone for zone in found.zones], abs=0.0051)
    visited = [study.matching.in_zone(zone, study.matching.visited, study.matching.cut) for zone in range(3)]
    assert numbers(cells(page, "most orders tried")) == [orders.max() for orders in visited]
    assert cells(page, "worst")[:2] == [seconds(study.matches.published.max()), seconds(study.matches.ours.max())]
    for found in study.errors:
        assert cells(page, found.name)[3] == percent(found.up_to(12))
    assert cells(page, "judging alone")[1] == seconds(study.runs.alone)
    holdings = study.real.plain_all
    assert cells(page, "every holding of a plain suit, once")[-1] == percent(holdings.wrong_program)


def test_the_page_says_what_its_shares_of_tractors_mean(written: Written):
    exact, drawn = written.study.experiment.exact, written.study.experiment.drawn
    ranges = ((1, 16), *ZONES, (10, 16))
    published = (ROOT / "docs" / "study" / "README.md").read_text("utf-8")
    for page in (written.page, published):
        for how, leads in (("drawn", drawn), ("exact", exact)):
            for name, share in (
                ("mean of the leads' shares", leads.tractor_share),
                ("share of all blocks", leads.pooled_tractor_share),
            ):
                row = numbers(cells(page, f"{name}, {how}"))
                assert row == pytest.approx([100 * share(*each) for each in ranges], abs=0.0051)
        assert "Of all blocks pooled they are 8.085 and 9.045 %" in page
        assert numbers(cells(page, "tractors of all blocks, exact")) == [6.33, 10.36, 6.04]


def test_tractor_shares_rise_only_if_the_numbers_do(written: Written, monkeypatch: pytest.MonkeyPatch):
    """By the paper's own way to count, and a share that stays the same does not rise."""

    def answer() -> tuple[str, str, str]:
        return next(row for row in claim_rows(written.study) if row[0].startswith("tractor shares rise"))

    exact = written.study.experiment.exact
    assert [round(100 * exact.tractor_share(*zone), 2) for zone in ZONES] == [4.57, 10.42, 6.13]
    assert answer()[1] == "**no**" and "exact 4.57, 10.42 and 6.13 %" in answer()[2]
    upper = (
        f"the printed 9.31 % is that of both upper zones together, exactly {percent(exact.tractor_share(10, 16), 3)}"
    )
    assert upper in answer()[2]
    assert upper in (ROOT / "docs" / "study" / "README.md").read_text("utf-8")
    rises, flat = dict(zip(ZONES, (0.04, 0.08, 0.09), strict=True)), dict.fromkeys(ZONES, 0.05)
    for means, pooled, holds in ((rises, flat, "yes"), (flat, rises, "**no**"), (flat, flat, "**no**")):
        monkeypatch.setattr(type(exact), "tractor_share", lambda self, *zone, of=means: of[zone])
        monkeypatch.setattr(type(exact), "pooled_tractor_share", lambda self, *zone, of=pooled: of.get(zone, 0.08))
        assert answer()[1] == holds


@pytest.mark.parametrize(("slow", "holds"), [(1e-6, "yes"), (2e-3, "not all")])
def test_the_slowest_verdict_is_the_worst_that_was_timed_anywhere(written: Written, slow: float, holds: str):
    few = np.array([1e-6])
    timed = timing.Latency(np.array([5]), few, few)
    worst = replace(written.study.worst, published=slow)
    study = replace(written.study, matches=timed, tricks=timed, worst=worst)
    row = next(row for row in claim_rows(study) if "millisecond" in row[0])
    assert row[1] == holds
    assert f"the worst lead that was found takes {seconds(slow)}" in row[2]


def test_every_claim_has_an_answer(written: Written):
    rows = [line for line in written.page.split("\n## ")[0].splitlines() if line.startswith("| ")][2:]
    answers = [row.split("|")[2].strip() for row in rows]
    assert len(rows) >= 15
    assert answers[:2] == ["yes", "yes"]
    assert answers.count("**no**") >= 8
    assert "program yes, printed **no**" in answers


def test_the_page_says_how_it_was_made_and_not_where(written: Written):
    assert "    python research/paper.py --leads 20000 --seed 2026 --quick\n" in written.page
    for place in (str(written.folder), str(ROOT), str(Path.home()), sys.executable):
        assert place not in written.page or len(place) < 3
    text = [line for line in written.page.splitlines() if not line.startswith(("|", "!"))]
    assert max(map(len, text)) <= 120
    assert "nan" not in written.page.lower().split() and "inf" not in written.page.split()


def test_the_steps_are_told(written: Written):
    assert len(written.steps) == STEPS + 1  # and the figures
    assert written.steps[-1] == "figures"


# --- the figures --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", FIGURES)
def test_each_figure_is_a_picture(written: Written, name: str):
    file = written.folder / f"{name}.svg"
    root = ElementTree.fromstring(file.read_text("utf-8"))
    assert root.tag.endswith("svg")
    drawn = [node for node in root.iter() if node.tag.endswith(("path", "use"))]
    assert len(drawn) > 40
    assert 5_000 < file.stat().st_size < 300_000
    assert f"({name}.svg)" in written.page
    assert "dc:date" not in file.read_text("utf-8")


def test_nothing_else_is_written(written: Written):
    names = {file.name for file in written.folder.iterdir()}
    assert names == {"README.md", *(f"{name}.svg" for name in FIGURES)}


def test_the_same_numbers_make_the_same_file(written: Written, tmp_path: Path):
    from renege.figures import style
    from study import plots

    with style.styled():
        style.save(plots.blocks(written.study), tmp_path / "again.svg")
    assert (tmp_path / "again.svg").read_bytes() == (written.folder / "fig5-blocks.svg").read_bytes()


def test_the_published_copy_is_whole():
    folder = ROOT / "docs" / "study"
    page = (folder / "README.md").read_text("utf-8")
    assert "python research/paper.py --leads 20000 --seed 2026\n" in page
    for name in re.findall(r"\((\S+\.svg)\)", page):
        assert (folder / name).stat().st_size > 5_000
    assert "| W9 |" in (ROOT / "docs" / "rules" / "tractor.md").read_text("utf-8")


# --- what is measured ---------------------------------------------------------------------------------------


def test_the_search_of_w7_is_drawn_as_it_is():
    lead, ruff = (get_structure(cards_in(blob), ROUND) for blob in (W7_LEAD, W7_RUFF))
    paths = search_paths(lead.needs, ruff.tractors)
    assert [path[-1].placed for path in paths] == [(4, 4, 6), (4, 6, 4), (6, 4, 4)]
    assert [path[-1].left is not None for path in paths] == [True, True, False]


def test_no_blocks_of_18_kinds_have_more_orders_than_the_worst_leads():
    """For the program: even tractors in an even lead, odd ones in an odd lead, whose last pair leaves a single."""
    worst, follow = (get_structure(cards_in(blob), ROUND) for blob in (measure.WORST_24, measure.WORST_FOLLOW))
    assert distinct_orders(worst.needs) == same_structure(worst, follow).permutations == 48_048
    most = 0
    for cards in (24, 25):
        for tractors in _tractors(cards, 4 + cards % 2):
            for pairs in range((cards - sum(tractors)) // 2 + 1):
                singles = cards - sum(tractors) - 2 * pairs
                over = len(tractors) * (cards % 2)  # singles that are the other copy of a tractor's last pair
                kinds = sum((length + 1) // 2 for length in tractors) + pairs + singles - over
                if singles >= over and kinds <= 18:
                    most = max(most, distinct_orders((*tractors, *[2] * pairs, *[1] * singles)))
    assert most == 48_048


def _tractors(cards: int, least: int) -> list[tuple[int, ...]]:
    found: list[tuple[int, ...]] = [()]
    for length in range(least, cards + 1, 2):
        found += [(length, *rest) for rest in _tractors(cards - length, length)]
    return found


def test_typed_plays_and_piles_are_the_same_cards():
    copies = draws.from_suit(TRUMP, 25, 300, seed=3)
    cards, sizes = draws.typed(copies)
    mixed, _ = draws.shuffled((cards, sizes), np.random.default_rng(1))
    for row, pile in enumerate(draws.piles(copies)):
        play = cards[row, : sizes[row]].tolist()
        assert (native_tractor.pile(play) == pile).all()
        assert sorted(mixed[row, : sizes[row]].tolist()) == play
    assert set(sizes.tolist()) == set(range(1, 26))


def test_follows_come_from_hands_that_the_lead_leaves():
    leads = draws.on_trumps(draw_leads(300, seed=4))
    hands, plays = draws.follows(leads, seed=4)
    assert (hands.sum(axis=1) == 25).all()
    assert (leads + hands <= 2).all() and (plays <= hands).all()
    assert (plays.sum(axis=1) == leads.sum(axis=1)).all()
    trumps = draws.OWN[TRUMP]
    assert (hands[:, trumps].sum(axis=1) == np.minimum(25, 36 - leads.sum(axis=1))).all()


def test_dealt_hands_are_of_two_packs():
    hands = draws.hands(50, seed=5).reshape(4, 50, 54)
    assert (hands.sum(axis=2) == 25).all()
    assert hands.sum(axis=0).max() <= 2


def test_every_holding_of_a_suit_comes_once():
    holdings = draws.every(draws.HEARTS)
    assert len(np.unique(draws.piles(holdings), axis=0)) == len(holdings) == 3**12
    assert not holdings[:, ~draws.OWN[draws.HEARTS]].any()


@pytest.mark.parametrize("ruffing", [1, 3])
def test_ruffs_are_tricks_of_two_packs(ruffing: int):
    plays = draws.ruffs(200, 7, 0.5, seed=6, ruffing=ruffing)
    assert (plays.sum(axis=2) == 7).all() and plays.sum(axis=1).max() <= 2
    assert (plays[:, 0][:, draws.OWN[draws.HEARTS]].sum(axis=1) == 7).all()
    for seat in range(1, 4):
        assert (plays[:, seat][:, draws.OWN[TRUMP]].sum(axis=1) == (7 if seat <= ruffing else 0)).all()


@pytest.mark.parametrize("size", [2, 3, 4, 6, 12, 23])
@pytest.mark.parametrize("together", [0.0, 0.5, 0.9])
def test_what_is_ruffed_is_a_throw(size: int, together: float):
    leads = draws.piles(draws.ruffs(300, size, together, seed=size)[:, 0])
    found = [shape_of(draws.ORDER, draws.HEARTS, Cards(DECK, tuple(filter(None, map(int, pile))))) for pile in leads]
    assert all(shape.is_throw for shape in found)
    if size == 4 and together == 0.5:  # every throw of four hearts comes up
        shapes = {(shape.runs, shape.pairs, shape.singles) for shape in found}
        assert shapes == {((), 0, 4), ((), 1, 2), ((), 2, 0)}


def test_all_hearts_are_one_tractor_and_no_throw():
    with pytest.raises(ValueError, match="2 to 23 cards, not 24"):
        draws.ruffs(10, 24, 0.5, seed=1)


def test_the_rounds_are_read_by_the_judge():
    lines = list(draws.rounds(4, seed=7))
    assert len(list(judge(lines))) == 3 * 4
    assert lines == list(draws.rounds(4, seed=7))


def test_wrong_winners_are_sorted_by_kind(written: Written):
    for found in written.study.errors:
        assert found.sizes[0] == 2 and len(found.wrong) == len(found.sizes)
        assert found.wrong[0] == 0  # two singles: nothing to get wrong
        assert found.up_to(2) == 0 <= found.up_to(12) < 0.5
    one = written.study.errors[0]
    assert not any(one.misplaced)  # with one ruff there is no other
    assert not any(wrong for size, wrong in zip(one.sizes, one.let_win, strict=True) if size % 2 == 0)


def test_a_real_trump_suit_has_eighteen_kinds():
    assert draws.OWN[TRUMP].sum() == 18 and len(order("S2").steps[TRUMP]) == 16
    copies = np.zeros((1, 54), np.int8)
    copies[0, draws.OWN[TRUMP]] = 1
    found = compare.holdings(copies)
    assert (found.blocks.most, found.most_orders, found.wrong_program) == (18, 1, 0)


def test_a_known_holding_is_cut_wrongly():
    copies = np.zeros((1, 54), np.int8)
    np.add.at(copies[0], [DECK.names.index(card) for card in cards_in("HQHQHJHJHK")], 1)
    found = compare.holdings(copies)
    assert found.blocks.most == 2 and found.most_orders == 2  # a tractor and a single
    assert found.program_orders == comb(3, 1)  # two pairs and a single
    assert (found.wrong_printed, found.wrong_program) == (1, 1)


def test_memory_of_a_run_is_its_own(written: Written):
    block = bytearray(300_000_000)  # a large parent must not show in what its child is said to take
    run = timing.spoj_runs(1, seed=1, runs=1)
    assert len(block) > 2 * run.judged[0].memory > 20_000_000
    assert run.judged[0].busy > 0 and 0 < run.alone < run.judged[0].seconds
    assert len(written.study.runs.judged) == len(written.study.runs.empty) == 2


def test_growth_is_the_power_of_the_cards():
    sizes = (4, 8, 16, 24)
    squares = tuple(float(size**2) for size in sizes)
    found = timing.Phases(sizes, sizes, squares, squares, squares, squares)
    assert found.exponent(squares) == pytest.approx(2)
    assert found.exponent(found.windows) == pytest.approx(1)


def test_how_numbers_are_written():
    assert percents([0.5267, 0.34665]) == "52.67 and 34.66 %"
    assert (percent(0.1), seconds(1.06e-3), seconds(7.4e-9), seconds(12.0)) == ("10.00 %", "1.06 ms", "7.4 ns", "12 s")


# --- the command --------------------------------------------------------------------------------------------


def renege(*words: object) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, str(ROOT / "research" / "paper.py"), *map(str, words)]
    return subprocess.run(command, capture_output=True, encoding="utf-8", timeout=120, check=False)


def refused(done: subprocess.CompletedProcess[str], why: str) -> None:
    assert (done.returncode, done.stdout) == (2, "")
    assert why in done.stderr


def test_the_command_writes_a_report(tmp_path: Path):
    done = renege("--quick", "--leads", 2000, "--seed", 7, "--out", tmp_path / "out")
    assert done.returncode == 0, done.stderr
    assert done.stdout == f"{tmp_path / 'out' / 'README.md'}\n"
    page = (tmp_path / "out" / "README.md").read_text("utf-8")
    assert "2,000 leads (seed 7)" in page and "A quick run" in page
    assert "    python research/paper.py --leads 2000 --seed 7 --quick\n" in page


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (["--leads", "999"], "999 leads are too few"),
        (["--leads", "1000001"], "too many"),
        (["--leads", "-5"], "-5 leads are too few"),
        (["--leads", "many"], "'--leads'"),
        (["--seed", "-1"], "the seed is -1"),
    ],
)
def test_a_number_that_makes_no_sense_is_refused(tmp_path: Path, words: list[str], why: str):
    refused(renege("--quick", "--out", tmp_path / "out", *words), why)
    assert not (tmp_path / "out").exists()


def test_a_folder_that_cannot_be_written_is_said_before_anything_is_measured(tmp_path: Path):
    (tmp_path / "file").write_text("no folder")
    refused(done := renege("--quick", "--out", tmp_path / "file"), "file: File exists")
    assert done.stderr.count("\n") == 1
    refused(renege("--quick", "--out", tmp_path / "file" / "deeper"), "Not a directory")
    assert (tmp_path / "file").read_text() == "no folder"


def test_without_matplotlib_the_extra_is_named(tmp_path: Path):
    bare = "import runpy, sys; sys.modules['matplotlib'] = None; runpy.run_module('paper', run_name='__main__')"
    command = [sys.executable, "-c", bare, "--out", str(tmp_path / "out")]
    place = {**os.environ, "PYTHONPATH": str(ROOT / "research")}
    done = subprocess.run(command, capture_output=True, encoding="utf-8", timeout=60, check=False, env=place)
    refused(done, "install renege[report]")
    assert not (tmp_path / "out").exists()
