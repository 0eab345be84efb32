# PyTorch is an extra, and where it is not installed none of its types are known.
# pyright: basic, reportMissingImports=false
"""A network learns Finding Friends with six seats and three packs, and plays it: a plan for one size of table."""

import random
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from typer.testing import CliRunner

from renege.agents import Net, parse_agent
from renege.cli.main import app
from renege.core.arbiter import Arbiter
from renege.core.house_rules import write_rules
from renege.core.registry import find_game
from renege.core.view import view_of
from renege.envs import Env
from renege.games import tractor
from renege.games.training import House
from renege.nets import Likes, read_net
from renege.train.folder import find_plan, write_plan
from renege.train.lessons import load_lessons, play_lessons, save_lessons
from renege.train.network import Size
from renege.train.plan import TrainPlan, make_exploiter_plan, make_plan
from renege.train.rollout import advantages, by_mover, by_table
from renege.train.run import Training

CPU = torch.device("cpu")
torch.set_num_threads(1)  # networks as small as these gain nothing by more
SIX = tractor.game("friends-six")
RULES = write_rules(SIX.rules)


def small_plan(**asked: Any) -> TrainPlan:
    small = {"lanes": 8, "steps": 12, "batch": 48, "updates": 2, "rounds": 3, "seed": 3, "groups": 2}
    small |= {"size": Size(32, 1), "critic": Size(32, 1), "deal_length": 40, "pool": 0.5}
    return make_plan("tractor", RULES, **{**small, **asked})


@pytest.fixture(scope="module")
def trained(tmp_path_factory: pytest.TempPathFactory) -> Training:
    """Two rounds of a training."""
    training = Training(small_plan(), tmp_path_factory.mktemp("six"), CPU)
    assert list(training.run(2, None, lambda progress: None)) == [1, 2]
    return training


def test_the_networks_are_as_wide_as_the_table(trained: Training):
    encoding = trained.tables.encoding
    assert encoding.game == SIX
    assert trained.memory.rows.shape[-1] == encoding.width
    assert trained.memory.hidden.shape[-1] == encoding.hidden_width == 6 * 54  # five hands and the kitty
    assert trained.critic.body.last.out_features == trained.memory.reward.shape[-1] == 6
    assert trained.policy.body.last.out_features == len(encoding.actions)
    assert set(trained.memory.mover.flatten().tolist()) == set(range(6))
    aside = trained.memory.mover[:-1, trained.player.aside]
    older = (aside & 1) == trained.player.sides
    assert older.any() and not trained.memory.learns[:-1, trained.player.aside][older].any()


def test_it_goes_on_where_it_was_left_bit_by_bit(trained: Training, tmp_path: Path):
    plan = trained.plan
    for _ in range(2):  # stopped after each round
        once = Training(plan, tmp_path, CPU)
        list(once.run(once.kept.rounds + 1, None, lambda progress: None))
    again = Training(plan, tmp_path, CPU)
    assert again.kept.rounds == 2
    for name, tensor in trained.kept.tensors.items():
        assert torch.equal(tensor, again.kept.tensors[name]), name
    assert again.net_path.read_bytes() == trained.net_path.read_bytes()


def test_seats_turn_at_a_table_of_six():
    mover = torch.arange(6, dtype=torch.uint8)
    mine = torch.arange(6.0).repeat(6, 1)
    table = by_table(mine, mover)
    assert table[2].tolist() == [4, 5, 0, 1, 2, 3]
    assert torch.equal(by_mover(table, mover), mine)


def test_advantages_are_of_each_seat(trained: Training):
    """What a deal pays goes to the seats that it pays: teams are those of the deal, not every other seat."""
    memory = trained.memory
    memory.done.zero_()
    memory.reward.zero_()
    memory.done[-2], memory.decides[:-1] = 1, True
    memory.reward[-2] = torch.tensor([1.2, 1.2, -1.2, -1.2, 1.2, -1.2])
    better, _ = advantages(memory, torch.zeros((*memory.mover.shape, 6)), 1.0)
    assert torch.allclose(better[0, 0], memory.reward[-2, 0])


def test_the_file_plays_there_as_an_agent(trained: Training):
    net = read_net(trained.net_path.read_bytes())
    agent = parse_agent(f"net:{trained.net_path}")
    assert isinstance(agent, Net)
    assert net.card["shape"]["width"] == trained.tables.encoding.width
    assert net.card["critic"]["actions"] == 6
    assert net.unit(SIX) == 2.0
    table, rng, named = Arbiter(SIX, 5), random.Random(1), 0
    while (seat := table.position.turn) is not None:
        view = view_of(table.record, seat)
        what = agent.choose(view, rng).what
        if table.position.talking and str(what).startswith("friends"):
            named += 1
            likes = Likes(net, view)
            assert likes.best == what
            calls = list(table.position.legal_calls)
            shares = [likes.of(call) for call in calls]
            assert all(share is not None and 0 < share < 1 for share in shares)
            assert sum(share or 0.0 for share in shares) < 1
        assert table.act(seat, what)
    assert named == 1
    assert table.position.result is not None


@pytest.mark.parametrize(
    ("rules", "told"),
    [
        ({"packs": "3", "seats": "5", "mode": "friends"}, "seats=5"),
        ({"packs": "2", "seats": "6", "mode": "friends"}, "packs=2"),
        ({"packs": "3", "seats": "6"}, "mode=teams"),
        ({}, "packs=2"),
        ({**RULES, "friends": "1"}, "friends=1"),
    ],
)
def test_it_is_refused_by_name_at_other_tables(trained: Training, rules: dict[str, str], told: str):
    net = read_net(trained.net_path.read_bytes())
    with pytest.raises(ValueError, match=f"was not trained under {told}"):
        net.encoding(find_game("tractor", rules))
    assert net.encoding(SIX).width == net.card["shape"]["width"]


def test_lessons_are_replayed_as_they_were_played(tmp_path: Path):
    plan = small_plan(lesson_passes=3, rate=(5e-3, 1e-3), lanes=2, steps=40)
    lessons = [play_lessons("tractor", plan.houses[0], "rulebook", 2, 1, 1, lambda n: None)]
    save_lessons(tmp_path / "lessons.npz", lessons)
    (again,) = load_lessons(tmp_path / "lessons.npz")
    assert again.standings.shape == (2, 8) and again.paid.shape == (2, 6)
    for lesson in range(2):
        env = Env(SIX, version=1, reward="difference")
        standing = env.encoding.standing_of(again.standings[lesson].tolist())
        env.begin(again.piles[lesson], standing, [action for action in again.actions[lesson].tolist() if action >= 0])
        assert env.over
        np.testing.assert_allclose(env.rewards, again.paid[lesson], rtol=1e-6)
    shares = list(Training(plan, tmp_path, CPU).teach([again]))
    assert len(shares) == 3 and shares[-1] > shares[0]


# -- plans and the command


def test_rules_hold_in_all_houses():
    assert small_plan().houses == (House(tuple(RULES.items()), 1.0, 2.0),)
    own = make_plan("texas42").houses
    assert make_plan("texas42", {}).houses == own
    given = make_plan("texas42", {"nello": "off"}).houses
    assert all(dict(house.rules)["nello"] == "off" for house in given)
    assert sum(house.share for house in given) == pytest.approx(sum(house.share for house in own))
    same = make_plan("texas42", {"all_pass": "force-30"}).houses
    assert len({house.rules for house in same}) == len(same) < len(own)
    assert make_exploiter_plan("tractor", "digest", RULES).houses == small_plan().houses


def test_the_command_trains_under_a_preset(tmp_path: Path):
    out = tmp_path / "six"
    asked = ["train", "tractor", "--out", str(out), "--preset", "friends-five", "--rounds", "1", "--lanes", "16"]
    asked += ["--width", "16", "--blocks", "1", "--lessons", "0", "--match", "0", "--workers", "1"]
    write_plan(out, make_plan("tractor", write_rules(tractor.PRESETS["friends-five"]), **smallest()))
    done = CliRunner().invoke(app, asked)
    assert done.exit_code == 0, done.output
    plan = find_plan(out)
    assert plan is not None and dict(plan.houses[0].rules) == {"seats": "5", "mode": "friends"}
    assert (out / "tractor.net").exists()
    other = CliRunner().invoke(app, ["train", "tractor", "--out", str(out), "--preset", "friends-six"])
    assert other.exit_code == 2 and "holds a training that is not under packs=3" in other.output
    none = CliRunner().invoke(app, ["train", "tractor", "--out", str(out), "--preset", "friends-nine"])
    assert none.exit_code == 2 and "'friends-nine' is no preset of tractor; it has default" in none.output
    resumed = CliRunner().invoke(app, ["train", "tractor", "--out", str(out), "--match", "0"])
    assert resumed.exit_code == 0 and "1 rounds" in resumed.output


def smallest() -> dict[str, Any]:
    small = {"lanes": 4, "steps": 8, "batch": 16, "updates": 1, "rounds": 1, "groups": 1, "deal_length": 1}
    return {**small, "size": Size(16, 1), "critic": Size(16, 1), "lessons": 0}


def test_a_new_training_of_a_larger_table_is_smaller(tmp_path: Path):
    """Python steps it, and so it is learnt on the CPU at few tables, unless more are asked for."""
    asked = ["train", "tractor", "--out", str(tmp_path), "--rules", "seats=5", "--rules", "mode=friends"]
    done = CliRunner().invoke(app, [*asked, "--lanes", "16", "--lessons", "0", "--minutes", "0", "--match", "0"])
    assert done.exit_code == 0, done.output
    assert "training tractor on cpu, 16 tables, from round 0" in done.output
    plan = find_plan(tmp_path)
    assert plan is not None and dict(plan.houses[0].rules) == {"seats": "5", "mode": "friends"}
    assert (plan.lanes, plan.batch, plan.updates) == (16, 512, 8)
