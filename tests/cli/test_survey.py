"""`renege survey 42`, run as a person would run it."""

import json
import os
import resource
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest
from typer.testing import CliRunner, Result

from renege.cli import output
from renege.cli.main import app
from renege.games.texas42.openings import read_surveyed
from renege.survey.folder import pieces, read_folder
from renege.survey.parquet import read_survey

ENTRY = [sys.executable, "-m", "renege", "survey", "42"]
QUICK = ("--worlds", 3, "--piece", 4, "--declarations", "sevens, follow-me", "--threads", 1, "--device", "cpu")
HAND = "6-6 6-5 6-4 6-2 5-5 3-1 2-0"


def survey(*arguments: str | int | Path) -> Result:
    return CliRunner().invoke(app, ["survey", "42", *map(str, arguments)])


def started(*arguments: str | int | Path, where: Path, **other: Any) -> subprocess.Popen[str]:
    command = [*ENTRY, *map(str, arguments)]
    return subprocess.Popen(command, cwd=where, text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE, **other)


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_a_survey_is_solved_carried_on_gathered_drawn_and_made_a_table(here: Path):
    everything = ("--worlds", 2, "--piece", 4, "--threads", 1, "--device", "cpu", "--out", "mine")
    done = survey("--hands", 6, *everything)
    assert done.exit_code == 0, done.stderr
    assert done.stdout == "mine/survey.parquet\n"
    assert sorted(path.name for path in Path("mine").iterdir()) == [
        "piece-000000.npz", "piece-000001.npz", "survey.json", "survey.parquet",
    ]  # fmt: skip
    assert pq.read_table("mine/survey.parquet").num_rows == 6 * 11

    # more hands: the first are those that were there
    before, first = read_folder(Path("mine")), Path("mine/piece-000000.npz").read_bytes()
    assert survey("--hands", 9, *everything).exit_code == 0
    after = read_survey(Path("mine/survey.parquet"))
    assert len(after) == 9 and (after.counts[:6] == before.counts).all()
    assert Path("mine/piece-000000.npz").read_bytes() == first
    refused = survey("--hands", 9, *everything, "--seed", 2)
    assert refused.exit_code == 2
    assert "mine is left as it is: it holds another survey: its seed is 1, and here 2" in refused.stderr

    # from the folder or from the file, it is the same
    for what in ("mine", "mine/survey.parquet"):
        drawn = survey("chart", what, "--out", "chart.svg", "--examples", "hands.svg")
        assert drawn.stdout == "chart.svg\nhands.svg\n", drawn.stderr
        assert survey("table", what, "--out", "table.json").stdout == "table.json\n"
        pictures = [Path(name).read_text() for name in ("chart.svg", "hands.svg", "table.json")]
        assert pictures[0].startswith("<?xml") and pictures[1].startswith("<?xml")
        assert read_surveyed(pictures[2]).survey["hands"] == 9
        if what == "mine":
            first_time = pictures
        else:
            assert pictures == first_time

    Path("mine/survey.parquet").unlink()
    assert survey("gather", "mine", "--out", "all.parquet").stdout == "all.parquet: 9 hands\n"
    assert (read_survey(Path("all.parquet")).counts == after.counts).all()


def test_a_hand_is_shown_with_its_chances_and_bars(here: Path):
    done = survey("--hand", HAND, "--worlds", 4, "--threads", 1, "--device", "cpu", "--declarations", "6, nello")
    assert done.exit_code == 0, done.stderr
    title, columns, first, second, best, *bars = done.stdout.splitlines()
    assert title == f"{HAND}: chance in % to make a bid, 4 worlds, seed 1, open hands"
    assert columns.split() == ["declaration", *map(str, range(30, 43)), "mean"]
    assert first.startswith("trump 6") and second.startswith("nello") and best == "trump 6"
    assert [int(bar.split()[0]) for bar in bars if bar] == list(range(30, 43))
    assert list(here.iterdir()) == []

    told = survey(
        "--hand", HAND, "--worlds", 4, "--threads", 1, "--device", "cpu", "--declarations", "6, nello", "--json",
        "--plot", "hand.svg",
    )  # fmt: skip
    answer = json.loads(told.stdout)
    chances = answer["hands"][0]["declarations"]
    assert list(chances["nello"]["makes"]) == ["42"]
    percent = [100 * chances["trump 6"]["makes"][str(bid)] / 4 for bid in range(30, 43)]
    assert [f"{share:.0f}" for share in percent] == first.split()[2:-1]
    assert Path("hand.svg").read_text().startswith("<?xml")


def test_hands_of_a_file_are_surveyed(here: Path):
    Path("hands.txt").write_text(f"# strong\n{HAND}\n\n0-0 1-1 2-2 3-3 4-4 5-5 6-6  # all doubles\n")
    done = survey("--from", "hands.txt", *QUICK, "--out", "mine")
    assert done.exit_code == 0, done.stderr
    found = [row["hand"] for row in pq.read_table("mine/survey.parquet").to_pylist()[::2]]
    assert found == [HAND, "6-6 5-5 4-4 3-3 2-2 1-1 0-0"]
    Path("hands.txt").write_text(f"{HAND}\n6-6\n")
    refused = survey("--from", "hands.txt", *QUICK, "--out", "mine")
    assert refused.stderr == "renege: hands.txt, line 2: an opening hand has 7 tiles, and '6-6' has 1\n"


def test_without_pyarrow_the_pieces_are_kept_and_how_to_gather_them_is_told(
    here: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr("renege.cli.survey.find_spec", lambda name: None)
    done = survey("--hands", 2, *QUICK, "--out", "mine")
    assert (done.exit_code, done.stdout) == (0, "mine\n")
    assert "renege survey 42 gather mine" in " ".join(done.stderr.split())
    assert not Path("mine/survey.parquet").exists()
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    refused = survey("gather", "mine")
    assert refused.stderr == "renege: parquet needs pyarrow: pip install 'renege[survey]'\n"


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (("--hand", "6-6"), "7 tiles, and '6-6' has 1"),
        (("--hand", "6-6 6-6 6-5 6-4 6-3 6-2 6-1"), "6-6"),
        (("--hand", "6-7 6-6 6-5 6-4 6-3 6-2 6-1"), "'6-7' is no tile"),
        (("--declarations", "5, hearts"), "'hearts' is no declaration"),
        (("--rules", "target"), "'target' is no house rule"),
        (("--rules", "opening_lead=trump"), "opening_lead=trump cannot be solved"),
        (("--rules", "sevens_tie=declarers"), "sevens with ties to the declarers"),
        (("--from", "none.txt"), "none.txt: No such file"),
        (("--json",), "--json and --plot are for hands that are given"),
        (("--hand", HAND, "--plot", "hand.txt"), "should end in .png"),
        (("--seed", str(1 << 64)), "seed is 18446744073709551616"),
        (("chart", "none"), "none"),
        (("chart", ".", "--out", "chart.gif"), "should end in .png"),
        (("table", "."), "no survey.json in it"),
        (("gather", "."), "survey.json"),
    ],
)
def test_what_cannot_be_done_is_refused_in_a_line(arguments: tuple[str, ...], says: str, here: Path):
    done = survey(*arguments)
    assert done.exit_code == 2
    assert done.stderr.count("\n") == 1
    assert done.stderr.startswith("renege: ")
    assert says in done.stderr
    assert list(here.iterdir()) == []


def test_a_chart_without_matplotlib_is_refused(here: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(output, "find_spec", lambda name: None)
    done = survey("chart", "mine")
    assert "a plot needs matplotlib" in done.stderr


def test_ctrl_c_loses_nothing_but_the_piece_under_way(tmp_path: Path):
    arguments = (*QUICK, "--out", "mine")
    with started("--hands", 100_000, *arguments, where=tmp_path) as solving:
        while not (tmp_path / "mine" / "piece-000002.npz").exists():
            assert solving.poll() is None
            time.sleep(0.02)
        os.kill(solving.pid, signal.SIGINT)
        _, errors = solving.communicate(timeout=60)
    assert solving.returncode == 130
    assert "Traceback" not in errors
    kept = sum(len(piece.hands) for piece in pieces(tmp_path / "mine"))
    assert kept >= 12
    assert f"stopped with {kept} of 100000 hands in mine; the same command goes on from there" in errors
    assert not [path for path in (tmp_path / "mine").iterdir() if path.name.startswith(".")]


def test_a_full_disk_is_told_and_the_survey_goes_on_from_there(tmp_path: Path):
    def little_room() -> None:
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (700, 700))

    arguments = ("--hands", 40, *QUICK[:2], "--piece", 30, *QUICK[4:], "--out", "mine")
    with started(*arguments, where=tmp_path, preexec_fn=little_room) as solving:
        _, errors = solving.communicate(timeout=60)
    assert solving.returncode == 2
    assert errors.splitlines()[-1].startswith("renege: mine/piece-000000.npz: File too large")
    assert [path.name for path in (tmp_path / "mine").iterdir()] == ["survey.json"]
    with started(*arguments, where=tmp_path) as solving:
        assert solving.wait(timeout=60) == 0
    assert len(read_folder(tmp_path / "mine")) == 40


def test_it_is_solved_where_nothing_but_numpy_is_installed(tmp_path: Path):
    """As on a machine with a GPU and no package registry: the docs' own lines, without the packages of the commands."""
    script = f"""
import sys
for name in ("msgspec", "typer", "rich", "pyarrow", "matplotlib"):
    sys.modules[name] = None
from pathlib import Path
from renege import texas42
from renege.survey.plan import make_plan
from renege.survey.run import find_solver, run
plan = make_plan(texas42.game(), worlds=3, seed=1, declarations=["sevens"])
run(plan, Path({str(tmp_path / "bare")!r}), 5, find_solver("cpu"), tell=lambda hands: print(hands, "hands"))
"""
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines()[-1] == "5.0 hands"
    assert len(read_folder(tmp_path / "bare")) == 5
