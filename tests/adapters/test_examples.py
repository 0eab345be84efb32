"""The examples run, and say what they promise."""

import re
import subprocess
import sys
from pathlib import Path

import pyspiel
import pytest

from renege.adapters.openspiel import unfolded
from renege.envs import find
from renege.search.regret.cfr import TreeEngine, exploitability, uniform
from renege.search.regret.trees import tree_of

EXAMPLES = Path(__file__).parent.parent.parent / "examples"


def said(name: str, *options: str) -> str:
    command = [sys.executable, str(EXAMPLES / f"{name}.py"), *options]
    run = subprocess.run(command, capture_output=True, text=True)
    assert run.returncode == 0, run.stderr
    return run.stdout


@pytest.mark.parametrize("name", ["openspiel_agents", "pettingzoo_agents", "gymnasium_agents"])
def test_agents_play(name: str):
    text = said(name, "--deals", "2", "--search", "searcher:3w")
    assert "2 deals" in text and "searcher:3w" in text and "a deal" in text


def test_a_learner_learns_and_keeps_its_curve(tmp_path: Path):
    """A few seconds of it, where PyTorch is installed."""
    pytest.importorskip("torch")
    few = ["--minutes", "0.05", "--looks", "1", "--pairs", "2", "--lanes", "64", "--width", "32", "--batch", "128"]
    text = said("deep_monte_carlo", *few, "--out", str(tmp_path))
    assert text.count("against the rulebook") == 2
    assert (tmp_path / "network.pt").exists()
    assert len((tmp_path / "curve.csv").read_text("utf-8").splitlines()) == 3


def test_cfr():
    text = said("openspiel_cfr", "--iterations", "20")
    rows = {row[0]: (float(row[1]), float(row[2])) for row in re.findall(r"(even|\d+) +([0-9.]+) +([0-9.]+)\n", text)}
    assert rows["even"][0] == pytest.approx(rows["even"][1], abs=1e-5) and rows["even"][0] > 7
    assert max(rows["20"]) < 0.1


def test_both_say_the_same_of_the_same_strategy():
    """OpenSpiel's best responses and ours, on trees that were made in two ways: each seat and all together."""
    rules = {"pips": "2", "hand": "1", "bid": "1"}
    tree = tree_of(find("texas42-small", rules))
    ours = exploitability(TreeEngine(tree), uniform(tree.info))
    game = unfolded(pyspiel.load_game("renege_texas42_small(pips=2,hand=1,bid=1,deal=whole)"))
    policy = pyspiel.UniformRandomPolicy(game)
    assert pyspiel.nash_conv(game, policy, False) == pytest.approx(sum(ours.gains))
    values = pyspiel.expected_returns(game.new_initial_state(), policy, -1, True)
    assert values == pytest.approx(list(ours.values))


def test_a_tree_that_openspiel_holds_is_the_game_in_python():
    """What could be gained against even play, in the game itself and in its unfolded tree."""
    small = pyspiel.load_game("renege_tractor_small(ranks=K,hand=1,deal=whole)")
    held = unfolded(small)
    assert held.num_players() == 4 and held.utility_sum() == 0
    gained = [pyspiel.nash_conv(game, pyspiel.UniformRandomPolicy(game), False) for game in (small, held)]
    assert gained[0] == pytest.approx(gained[1]) and gained[0] > 2
    with pytest.raises(ValueError, match="deal=whole"):
        unfolded(pyspiel.load_game("renege_texas42_small(pips=2,hand=1,bid=1)"))
