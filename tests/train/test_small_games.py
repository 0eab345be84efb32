"""The learner on a small game: its curve falls, goes on from its folder, and stands beside CFR+'s."""

from pathlib import Path

import pytest

torch = pytest.importorskip("torch")

from renege.core.registry import find_game  # noqa: E402  # what follows needs PyTorch
from renege.search.regret.cfr import exploitability, uniform  # noqa: E402
from renege.train.exact import SmallGame  # noqa: E402
from support.scripts import bench  # noqa: E402

torch.set_num_threads(1)
small_games = bench("small_games")
RULES = {"suits": "EG", "ranks": "UOZA", "called": "EG", "solos": "E"}


def test_the_learner_becomes_harder_to_exploit_and_goes_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(small_games, "FAST", {"lanes": 256, "steps": 16, "updates": 12, "batch": 1024})
    laid = SmallGame.of(find_game("schafkopf-small", RULES))
    chance = exploitability(laid.engine, uniform(laid.tree.info)).largest
    first = list(small_games.learner(laid, tmp_path, 2, 1))
    assert [line["rounds"] for line in first] == [1, 2]
    again = list(small_games.learner(laid, tmp_path, 5, 1))
    assert [line["rounds"] for line in again] == [2, 5]
    assert again[0] == first[1]
    assert 0 < again[-1]["exploitability"] < 0.7 * chance
    assert again[-1]["decisions"] == 5 * 256 * 16 * 12
    curve = small_games.cfr(laid, tmp_path / "cfr.json", 20)
    assert [line["iterations"] for line in curve] == [1, 2, 5, 10, 20]
    assert curve[-1]["exploitability"] < again[-1]["exploitability"]
    assert small_games.cfr(laid, tmp_path / "cfr.json", 20) == curve
    text = list(small_games.rows(laid, again, curve))
    assert any(line.startswith(f"| every act alike |  | 0.0 | {chance:.6f}") for line in text)
    small_games.draw(tmp_path / "curve.svg", laid.game.name, again, curve)
    assert "the learner" in (tmp_path / "curve.svg").read_text()
