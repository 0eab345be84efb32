"""Does a training learn, go on after a kill as if nothing had been, and write a network that plays as it does?"""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

torch = pytest.importorskip("torch")

from typer.testing import CliRunner  # noqa: E402  # what follows needs PyTorch

from renege.cli.main import app  # noqa: E402
from renege.core.registry import find_game  # noqa: E402
from renege.envs import Env  # noqa: E402
from renege.games.encoding import encoding_of  # noqa: E402
from renege.games.rows import Rows  # noqa: E402
from renege.games.training import House, training_of  # noqa: E402
from renege.nets import read_net  # noqa: E402
from renege.nets.file import pack_net  # noqa: E402
from renege.train.export import export  # noqa: E402
from renege.train.folder import STATE, find_plan, load, read_curve, write_plan  # noqa: E402
from renege.train.lessons import load_lessons, play_lessons, save_lessons  # noqa: E402
from renege.train.network import Fast, Size, make_critic, make_policy, masked  # noqa: E402
from renege.train.plan import TrainPlan, make_plan, read_plan  # noqa: E402
from renege.train.rollout import STEP, Memory, advantages, by_mover, by_table, drawn, in_steps  # noqa: E402
from renege.train.run import Training  # noqa: E402

CPU = torch.device("cpu")
torch.set_num_threads(1)  # networks as small as these gain nothing by more
GAMES = ("texas42", "schafkopf", "tractor")


def small(game: str = "texas42", **more: Any) -> TrainPlan:
    return make_plan(
        game, lanes=64, steps=24, batch=512, updates=3, rounds=6, size=Size(32, 1), critic=Size(48, 1), seed=3, **more
    )


def trained(folder: Path, rounds: int, game: str = "texas42", **more: object) -> Training:
    plan = find_plan(folder)
    if plan is None:
        plan = small(game, **more)
        write_plan(folder, plan)
    training = Training(plan, folder, CPU)
    list(training.run(rounds, None, lambda progress: None))
    return training


def tensors(folder: Path) -> dict[str, Any]:
    kept = load(folder, CPU)
    assert kept is not None
    return kept.tensors


# -- the same network every time


@pytest.mark.parametrize("game", GAMES)
def test_killed_and_resumed_it_comes_to_the_same_network(game: str, tmp_path: Path):
    whole, pieces = tmp_path / "whole", tmp_path / "pieces"
    trained(whole, 4, game)
    for rounds in (1, 2, 4):
        trained(pieces, rounds, game)
    assert (whole / f"{game}.net").read_bytes() == (pieces / f"{game}.net").read_bytes()
    one, other = tensors(whole), tensors(pieces)
    assert one.keys() == other.keys()
    assert all(torch.equal(one[name], other[name]) for name in one)
    assert [line["round"] for line in read_curve(pieces)] == [1, 2, 3, 4]


def test_a_kill_in_the_middle_of_a_round_costs_that_round_alone(tmp_path: Path):
    whole, killed = tmp_path / "whole", tmp_path / "killed"
    trained(whole, 3)
    training = trained(killed, 1)

    def kill(progress: object) -> None:
        if getattr(progress, "update", 0) == 1:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        list(training.run(2, None, kill))
    trained(killed, 3)
    assert (whole / "texas42.net").read_bytes() == (killed / "texas42.net").read_bytes()


def test_another_seed_makes_another_network(tmp_path: Path):
    trained(tmp_path / "a", 1)
    plan = small()
    write_plan(tmp_path / "b", TrainPlan(**{**plan.as_json(), "seed": 4, "houses": plan.houses, "size": plan.size}))
    trained(tmp_path / "b", 1)
    assert (tmp_path / "a" / "texas42.net").read_bytes() != (tmp_path / "b" / "texas42.net").read_bytes()


def test_a_part_that_is_damaged_is_named(tmp_path: Path):
    trained(tmp_path, 1)
    (part,) = [tmp_path / each["name"] for each in json.loads((tmp_path / STATE).read_text())["parts"]]
    assert part.stat().st_size < 16_000_000
    part.write_bytes(part.read_bytes()[:-1])
    with pytest.raises(ValueError, match="missing or damaged"):
        load(tmp_path, CPU)


def test_a_plan_is_read_as_it_was_written():
    for game in GAMES:
        plan = small(game)
        assert read_plan(json.loads(json.dumps(plan.as_json()))) == plan


# -- what is exported plays as what was trained


@pytest.mark.parametrize("game", GAMES)
def test_the_file_plays_as_the_network_does(game: str, tmp_path: Path):
    training = trained(tmp_path, 2, game)
    net = read_net((tmp_path / f"{game}.net").read_bytes())
    rows, mask = training.memory.rows[:4].flatten(0, 1), training.memory.mask[:4].flatten(0, 1)
    with torch.no_grad():
        expected = training.policy.look(rows).numpy()
    found = net.logits(rows.numpy())
    assert np.abs(expected - found).max() < 0.01
    best, same = (masked(torch.from_numpy(each), mask).argmax(1) for each in (expected, found))
    assert (best == same).float().mean() > 0.97
    assert net.card["trained"]["rounds"] == 2
    house = find_game(game, dict(training.plan.houses[-1].rules))
    assert net.encoding(house).width == rows.shape[1]
    hidden = training.memory.hidden[:4].flatten(0, 1)
    with torch.no_grad():
        worth = training.critic.look(torch.cat([rows, hidden], 1)).numpy()
    assert np.abs(worth - net.values(rows.numpy(), hidden.numpy())).max() < 0.02
    assert net.unit(house) == training.plan.houses[-1].unit


STRANGE = {"texas42": "sevens_tie=declarers", "schafkopf": "ramsch_losers=two-most", "tractor": "throw_penalty=10"}


@pytest.mark.parametrize("game", GAMES)
def test_a_rule_that_it_never_met_is_refused_by_name(game: str, tmp_path: Path):
    trained(tmp_path, 1, game)
    net = read_net((tmp_path / f"{game}.net").read_bytes())
    rule, _, value = STRANGE[game].partition("=")
    with pytest.raises(ValueError, match=f"was not trained under {STRANGE[game]}"):
        net.encoding(find_game(game, {rule: value}))
    assert net.unit(find_game(game, {rule: value})) is None


# -- the learner's arithmetic


def test_seats_turn_there_and_back():
    mover = torch.tensor([0, 1, 2, 3], dtype=torch.uint8)
    mine = torch.arange(4.0).repeat(4, 1)  # 0 for the mover, 1 for the next
    table = by_table(mine, mover)
    assert table[1].tolist() == [3, 0, 1, 2]
    assert torch.equal(by_mover(table, mover), mine)


def advantages_by_hand(memory: Memory, worth: Any, trace: float, lane: int, seat: int) -> list[float]:
    """GAE over the decisions of one lane: what a deal pays, and what follows, forced moves passed over."""
    steps = len(memory.done) - 1
    found, later, ahead = [0.0] * steps, 0.0, float(worth[steps, lane, seat])
    for step in reversed(range(steps)):
        if memory.done[step, lane]:
            later, ahead = 0.0, 0.0
        ahead += float(memory.reward[step, lane, seat])
        if memory.decides[step, lane]:
            found[step] = later = ahead - float(worth[step, lane, seat]) + trace * later
            ahead = float(worth[step, lane, seat])
    return found


def test_advantages_are_what_they_are_by_hand(tmp_path: Path):
    training = trained(tmp_path, 1)
    memory = training.memory
    worth = torch.randn((*memory.mover.shape, 4), generator=torch.Generator().manual_seed(1))
    better, target = advantages(memory, worth, 0.9)
    for lane in range(8):
        for seat in range(4):
            by_hand = torch.tensor(advantages_by_hand(memory, worth, 0.9, lane, seat))
            torch.testing.assert_close(better[:, lane, seat], by_hand)
    decides = memory.decides[:-1]
    torch.testing.assert_close(target[decides], (better + worth[:-1])[decides])


def test_actions_are_drawn_by_their_likelihood():
    logits = masked(torch.tensor([[0.0, 1.0, 2.0, 50.0]]), torch.tensor([[1, 1, 1, 0]])).repeat(60_000, 1)
    counts = torch.bincount(drawn(logits, torch.Generator().manual_seed(1)), minlength=4)
    expected = torch.softmax(torch.tensor([0.0, 1.0, 2.0]), 0)
    assert counts[3] == 0
    assert ((counts[:3] / 60_000 - expected).abs() < 0.01).all()


def test_older_policies_play_some_seats_and_are_not_learnt_from(tmp_path: Path):
    training = trained(tmp_path, 2)
    memory, lanes = training.memory, training.player.aside
    theirs = (memory.mover[:-1, lanes] & 1) == training.player.sides
    assert theirs.any()
    assert not memory.learns[:-1, lanes][theirs].any()
    assert torch.equal(memory.learns[:-1, lanes][~theirs], memory.decides[:-1, lanes][~theirs])


# -- it learns


def test_it_learns_a_small_game(tmp_path: Path):
    """In the shrunk Tractor a few updates are enough to beat what it was at first."""
    plan = make_plan(
        "tractor-small", lanes=512, steps=32, batch=2048, updates=12, rounds=2, seed=1, pool=0.0,
        size=Size(64, 1), critic=Size(64, 1),
    )  # fmt: skip
    training = Training(plan, tmp_path, CPU)
    before = Fast(make_policy(training.tables.encoding, plan.size), CPU)
    before.body.load_state_dict(training.policy.body.state_dict())
    list(training.run(2, None, lambda progress: None))
    tables = training.tables
    tables.deal(99)
    rng, gained = torch.Generator().manual_seed(5), torch.zeros(4)
    for _ in range(200):
        rows, mask, mover = (
            tables.read(name, torch.empty(0, dtype=torch.uint8)) for name in ("observation", "mask", "mover")
        )
        with torch.no_grad():
            new, old = (drawn(masked(fast.look(rows), mask), rng) for fast in (training.policy, before))
        tables.step(torch.where((mover & 1) == 0, new, old).to(torch.int32))
        gained += tables.read("reward", torch.empty(0)).sum(0)
    assert gained[0] > 0


# -- lessons


@pytest.mark.parametrize("game", GAMES)
def test_lessons_are_replayed_as_they_were_played(game: str, tmp_path: Path):
    """The rows that a table shows on the way lead to what the deal paid; and the policy comes to do as the teacher."""
    plan = make_plan(
        game, lanes=48, steps=30, batch=512, rounds=2, seed=3, lesson_passes=6, rate=(3e-3, 1e-3),
        size=Size(32, 1), critic=Size(48, 1),
    )  # fmt: skip
    training = Training(plan, tmp_path, CPU)
    lessons = [play_lessons(game, house, "rulebook", 24, 1, 1, lambda n: None) for house in plan.houses]
    save_lessons(tmp_path / "lessons.npz", lessons)
    again = load_lessons(tmp_path / "lessons.npz")
    for one, other in zip(lessons, again, strict=True):
        for name in ("standings", "piles", "actions", "paid"):
            np.testing.assert_array_equal(getattr(one, name), getattr(other, name))
    for lesson in range(6):
        env = Env(find_game(game, dict(plan.houses[0].rules)), version=1, reward="difference")
        told = env.encoding.standing_of(lessons[0].standings[lesson].tolist())
        env.begin(lessons[0].piles[lesson], told, [a for a in lessons[0].actions[lesson].tolist() if a >= 0])
        assert env.over
        assert env.rewards == tuple(lessons[0].paid[lesson])
    shares = list(training.teach(again))
    assert len(shares) == 6
    assert shares[-1] > shares[0]
    list(training.run(1, None, lambda progress: None))


# -- the command


def test_the_command_trains_and_says_how_it_goes(tmp_path: Path):
    out = tmp_path / "learnt"
    asked = ["train", "42", "--out", str(out), "--rounds", "1", "--lanes", "32", "--width", "16", "--blocks", "1"]
    asked += ["--lessons", "20"]
    done = CliRunner().invoke(app, [*asked, "--match", "3", "--against", "random", "--workers", "1", "--device", "cpu"])
    assert done.exit_code == 0, done.output
    assert "1 rounds" in done.output and "over random" in done.output
    assert {"plan.json", "state.json", "curve.jsonl", "curve.svg", "texas42.net"} <= {
        path.name for path in out.iterdir()
    }
    assert "over random" in (out / "curve.svg").read_text()
    other = CliRunner().invoke(app, ["train", "tractor", "--out", str(out)])
    assert other.exit_code == 2 and "holds a training of texas42" in other.output


def test_every_game_that_is_trained_has_a_house_that_fits():
    for game in GAMES:
        found = training_of(find_game(game))
        assert found.houses[0] == House((), found.houses[0].share, found.houses[0].unit)
        for house in found.houses:
            find_game(game, dict(house.rules))


@pytest.mark.parametrize("name", GAMES)
def test_networks_of_the_usual_sizes_fit_a_file(name: str):
    """Policy and critic of any game, as `renege train` makes them on a GPU, are one file of 3 MB at most."""
    plan, encoding = make_plan(name), encoding_of(find_game(name), Rows(1))
    net = export(make_policy(encoding, plan.size), make_critic(encoding, plan.critic), plan, encoding, {})
    assert net.critic
    assert len(pack_net(net)) <= 3_000_000
    wide = replace(plan, critic=Size(512, 8))
    left_out = export(make_policy(encoding, wide.size), make_critic(encoding, wide.critic), wide, encoding, {})
    assert not left_out.critic
    assert "critic" not in left_out.card


def test_a_critic_looks_at_few_numbers_of_rows():
    """A CPU keeps memory for every number of rows that it has seen."""
    at = torch.arange(100, STEP + 300)
    steps = in_steps(at)
    assert len(steps) == 2 * STEP
    assert torch.equal(steps[: len(at)], at)
    assert (steps[len(at) :] == at[-1]).all()
    assert torch.equal(in_steps(at[:STEP]), at[:STEP])
