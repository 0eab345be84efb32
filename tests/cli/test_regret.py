"""`renege regret`, on a game of eight cards."""

import json
from pathlib import Path

import numpy as np
import pytest

from renege.search.regret.strategy import TrainedStrategy
from support.command import renege

TINY = ["schafkopf", *(part for rule in ("suits=EG", "ranks=UOZA", "called=EG") for part in ("--rules", rule))]


def test_a_strategy_is_learnt_carried_on_drawn_and_played(tmp_path: Path):
    done = renege("regret", *TINY, "--iterations", 10, "--out", "tiny.npz", "--plot", "tiny.svg", where=tmp_path)
    assert done.returncode == 0, done.stderr
    assert "schafkopf-small version 1, rules suits=EG ranks=UOZA called=EG, by cfr+" in done.stdout
    assert "open hands:" in done.stdout and "uniform:" in done.stdout
    assert (tmp_path / "tiny.svg").read_text("utf-8").startswith("<?xml")
    again = renege("regret", *TINY, "--iterations", 30, "--out", "tiny.npz", "--json", where=tmp_path)
    assert again.returncode == 0, again.stderr
    found = json.loads(again.stdout)
    assert [point["iterations"] for point in found["curve"]] == [1, 2, 5, 10, 20, 30]
    assert found["deals"] == 2520 and found["made"]["method"] == "cfr+"
    fresh = renege("regret", *TINY, "--iterations", 30, "--out", "whole.npz", where=tmp_path)
    assert fresh.returncode == 0, fresh.stderr
    one, other = TrainedStrategy.load(tmp_path / "tiny.npz"), TrainedStrategy.load(tmp_path / "whole.npz")
    assert (one.tables.regrets == other.tables.regrets).all() and (one.tables.average == other.tables.average).all()
    rules = [part for part in TINY if part != "schafkopf"]
    match = ["arena", "schafkopf-small", "regret:tiny.npz", "random", "--pairs", "8", "--workers", "1", *rules]
    played = renege(*match, where=tmp_path)
    assert played.returncode == 0, played.stderr
    assert "regret:tiny.npz over random" in played.stdout


def test_sampling_goes_on_from_its_batches(tmp_path: Path):
    sampled = [*TINY, "--method", "mccfr", "--batch", "20"]
    for iterations, file in ((4, "a.npz"), (9, "a.npz"), (9, "b.npz")):
        done = renege("regret", *sampled, "--iterations", iterations, "--out", file, where=tmp_path)
        assert done.returncode == 0, done.stderr
    one, other = TrainedStrategy.load(tmp_path / "a.npz"), TrainedStrategy.load(tmp_path / "b.npz")
    assert np.array_equal(one.tables.regrets, other.tables.regrets)


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["whist"], "unknown game 'whist-small'"),
        (["schafkopf", "--rules", "suits=XY"], "suits is 'XY'"),
        (["42", "--rules", "colour=red"], "'colour' is no house rule here"),
        ([*TINY, "--method", "magic"], "'magic' is no method: cfr+ mccfr"),
        ([*TINY, "--device", "abacus"], "'abacus' is no device: cpu or gpu"),
        ([*TINY, "--method", "mccfr"], "the strategy is of schafkopf-small"),
        (["schafkopf", "--rules", "suits=EG", "--rules", "ranks=UOZA", "--rules", "called=E"], "asked for was"),
    ],
)
def test_what_cannot_be_is_refused_in_a_line(arguments: list[str], says: str, tmp_path: Path):
    if "asked" in says or "strategy" in says:
        assert renege("regret", *TINY, "--iterations", 1, "--out", "x.npz", where=tmp_path).returncode == 0
    done = renege("regret", *arguments, "--iterations", 2, "--out", "x.npz", where=tmp_path)
    assert done.returncode == 2
    assert "Traceback" not in done.stderr
    assert says in done.stderr


def test_the_rules_of_a_shrunk_game_are_listed(tmp_path: Path):
    done = renege("rules", "tractor-small", where=tmp_path)
    assert done.returncode == 0, done.stderr
    assert "The ranks of the spades in the pack." in done.stdout
