"""`renege regret42 train`: does it write a strategy that plays, and go on where it stopped?"""

from pathlib import Path

from typer.testing import CliRunner

from renege.cli.main import app
from renege.games import texas42
from renege.search.regret.abstract_strategy import load_strategy
from renege.search.regret.train import load_training


def train(*arguments: str | int | Path) -> tuple[int, str]:
    done = CliRunner().invoke(app, ["regret42", "train", *map(str, arguments)])
    return done.exit_code, done.output


def test_it_trains_and_goes_on(tmp_path: Path):
    out, whole = tmp_path / "mine.npz", tmp_path / "whole.npz"
    status, told = train("--out", out, "--iterations", 300, "--batch", 100)
    assert status == 0 and "keys of" in told, told
    assert load_training(texas42.game(), tmp_path / "mine.npz.training").iterations == 300
    assert len((tmp_path / "mine.npz.jsonl").read_text().splitlines()) == 3
    assert train("--out", out, "--iterations", 400, "--batch", 100)[0] == 0
    assert train("--out", whole, "--iterations", 400, "--batch", 100, "--threads", 2)[0] == 0
    one, other = load_strategy(out), load_strategy(whole)
    assert len(one) > 50 and (one.keys == other.keys).all() and (one.shares == other.shares).all()


def test_what_it_cannot_do_it_says(tmp_path: Path):
    out = tmp_path / "mine.npz"
    assert train("--out", out, "--iterations", 50, "--batch", 50)[0] == 0
    for arguments, why in (
        (("--out", tmp_path / "mine.txt"), "a strategy is a .npz file"),
        (("--out", out, "--seed", 2, "--batch", 50), "was begun with --seed 1 --batch 50"),
    ):
        status, told = train(*arguments)
        assert status == 2 and why in told
