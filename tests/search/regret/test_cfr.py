"""Regret minimisation against what is known: Kuhn poker, matrix games, and the same algorithms read literally."""

import random
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from reference import cfr as reference
from renege.agents import Regret, parse_agent
from renege.arena.match import play_deal
from renege.core.position import View
from renege.core.record import new_record
from renege.core.verdict import IllegalPlay
from renege.games import schafkopf, texas42
from renege.games.small import CardExpansion
from renege.search.regret.cfr import (
    BATCH,
    Tables,
    TreeEngine,
    averaged,
    best_response,
    exploitability,
    greedy,
    next_look,
    open_handed,
    solve,
    uniform,
)
from renege.search.regret.strategy import NoFit, StrategySource, TrainedStrategy
from renege.search.regret.trees import Tree, build_tree, tree_of
from support import toys
from support.expansions import expansion_of
from support.steering import SOAK

KUHN = -1 / 18
SMALLEST = schafkopf.small(schafkopf.Small(suits="EG", ranks="UOZA", called="EG", solos="E"))  # 2,520 deals


def grown(toy: toys.Toy) -> tuple[Tree, list[Any]]:
    """A toy's tree, and the key of each of its information sets."""
    tree = build_tree(toys.ToyExpansion(toy))
    found: dict[int, Any] = {}
    pairs = [(root, i) for i, root in enumerate(toy.roots())]
    for node, at in pairs:
        if toy.turn(node) is None:
            continue
        if tree.sets[at] >= 0:
            found[int(tree.sets[at])] = toy.key(node)
        pairs += [(toy.then(node, act), int(tree.children[at]) + i) for i, act in enumerate(toy.options(node))]
    return tree, [found[i] for i in range(len(tree.info))]


def as_strategy(toy: toys.Toy, tree: Tree, keys: list[Any], table: np.ndarray) -> reference.Strategy:
    """A table of slots as the reference has strategies; where there is no choice, the one act."""
    found: reference.Strategy = {key: [1.0] for key, count in reference.keys(toy).items() if count == 1}
    for i, key in enumerate(keys):
        found[key] = table[tree.info.first_slots[i] : tree.info.first_slots[i + 1]].tolist()
    return found


def some_strategy(tree: Tree, seed: int) -> np.ndarray:
    numbers = np.random.default_rng(seed).random(tree.info.slots) ** 3
    return averaged(tree.info, Tables(numbers * 0, numbers))


# -- against what is known


def test_kuhn_poker_is_worth_what_it_is_worth():
    tree = build_tree(toys.ToyExpansion(toys.kuhn()))
    cpu, tables = TreeEngine(tree), Tables.blank(tree)
    cpu.plus(tables, 4000)
    found = exploitability(cpu, averaged(tree.info, tables))
    assert found.values[0] == pytest.approx(KUHN, abs=1e-6)
    assert 0 <= found.largest < 2e-4
    assert found.values[0] == pytest.approx(-found.values[1]) and found.gains[2:] == (0, 0)


def test_sampling_solves_kuhn_poker_too():
    tree = build_tree(toys.ToyExpansion(toys.kuhn()))
    cpu, tables = TreeEngine(tree), Tables.blank(tree)
    cpu.sample(tables, 1000, 100, 9)
    found = exploitability(cpu, averaged(tree.info, tables))
    assert found.values[0] == pytest.approx(KUHN, abs=4e-3)
    assert found.largest < 1e-2


def test_a_matrix_game_is_played_as_its_equations_say():
    """Rock, paper, scissors where paper wins twice: (1, 2, 1) / 4 ... solved by hand, with value 0."""
    worth = [[0, -2, 1], [2, 0, -1], [-1, 1, 0]]
    tree = build_tree(toys.ToyExpansion(toys.matrix(worth)))
    cpu, tables = TreeEngine(tree), Tables.blank(tree)
    cpu.plus(tables, 3000)
    strategy = averaged(tree.info, tables)
    assert strategy[:3] == pytest.approx([1 / 4, 1 / 4, 1 / 2], abs=2e-3)  # every answer to it is worth 0
    assert exploitability(cpu, strategy).largest < 1e-3


@pytest.mark.parametrize("seed", range(5 * SOAK))
def test_a_two_by_two_game_has_its_closed_value(seed: int):
    """Without a saddle point the value is (ad - bc) / (a + d - b - c)."""
    rng = random.Random(seed)
    while True:
        a, b, c, d = (rng.randint(-9, 9) for _ in range(4))
        if min(a, d) > max(b, c):
            break
    tree = build_tree(toys.ToyExpansion(toys.matrix([[a, b], [c, d]])))
    cpu, tables = TreeEngine(tree), Tables.blank(tree)
    cpu.plus(tables, 2000)
    found = exploitability(cpu, averaged(tree.info, tables))
    assert found.values[0] == pytest.approx((a * d - b * c) / (a + d - b - c), abs=1e-2)


def test_openspiel_finds_the_same_exploitability():
    pyspiel = pytest.importorskip("pyspiel", reason="OpenSpiel is not installed")
    from open_spiel.python import policy
    from open_spiel.python.algorithms import exploitability as theirs

    game = pyspiel.load_game("kuhn_poker")
    toy = toys.kuhn()
    tree, keys = grown(toy)
    cpu = TreeEngine(tree)
    for seed in range(5):
        table = some_strategy(tree, seed)
        ours = as_strategy(toy, tree, keys, table)
        played = policy.TabularPolicy(game)
        for key, chances in ours.items():
            _, card, heard = key
            state = f"{card}{''.join(act[0] for act in heard)}"
            played.action_probability_array[played.state_lookup[state]] = chances
        found = exploitability(cpu, table)
        assert sum(found.gains) == pytest.approx(theirs.nash_conv(game, played), abs=1e-9)


# -- against the same, read literally


@pytest.mark.parametrize("seed", range(6 * SOAK))
def test_values_and_best_responses_are_those_of_every_pure_strategy(seed: int):
    toy = toys.anything(seed, deals=4, depth=4)
    tree, keys = grown(toy)
    cpu, table = TreeEngine(tree), some_strategy(tree, seed)
    strategy = as_strategy(toy, tree, keys, table)
    found = exploitability(cpu, table)
    assert found.values == pytest.approx(reference.values(toy, strategy))
    for seat in range(4):
        if len([key for key in keys if key[0] == seat]) > 7:
            continue  # too many pure strategies to try
        assert found.best[seat] == pytest.approx(reference.best_response(toy, strategy, seat))


@pytest.mark.parametrize("seed", range(6 * SOAK))
def test_cfr_plus_is_the_reference_number_for_number(seed: int):
    toy = toys.anything(seed + 100) if seed else toys.kuhn()
    tree, keys = grown(toy)
    cpu, tables = TreeEngine(tree), Tables.blank(tree)
    cpu.plus(tables, 2)
    cpu.plus(tables, 3)  # in two parts, as one takes it up again
    regrets, sums = reference.cfr_plus(toy, 5)
    for i, key in enumerate(keys):
        slots = slice(tree.info.first_slots[i], tree.info.first_slots[i + 1])
        assert tables.regrets[slots] == pytest.approx(regrets[key])
        assert tables.average[slots] == pytest.approx(sums[key])


@pytest.mark.parametrize("seed", range(6 * SOAK))
def test_open_hands_are_the_references(seed: int):
    toy = toys.anything(seed + 200)
    tree, keys = grown(toy)
    cpu, gains = TreeEngine(tree), reference.open_hands(toy)
    found, chosen = cpu.open_hands(), open_handed(cpu)
    for i, key in enumerate(keys):
        slots = slice(tree.info.first_slots[i], tree.info.first_slots[i + 1])
        assert found[slots] == pytest.approx(gains[key])
        assert chosen[slots].tolist() == [float(act == int(np.argmax(gains[key]))) for act in range(len(gains[key]))]


@pytest.mark.parametrize("seed", range(3 * SOAK))
def test_a_traversal_regrets_on_average_what_a_sweep_does(seed: int):
    """The expectation of a sampled regret is the counterfactual one, that of a walk the seat's own reach."""
    toy = toys.anything(seed + 300, deals=3, depth=4)
    tree, _ = grown(toy)
    cpu, tables, lanes = TreeEngine(tree), Tables.blank(tree), 60_000
    strategy = uniform(tree.info)
    for seat in range(4):
        cpu.kernel.sample(seat, strategy, 1.0, tables.regrets, tables.average, seed, seat * lanes, lanes)
        gains, _ = cpu.sweep(seat, strategy)
        mean = np.add.reduceat(gains * strategy, tree.info.first_slots[:-1])[tree.info.slot_sets]
        mine = (tree.info.seats == seat)[tree.info.slot_sets]
        error = 5 * tree.payoff_range / lanes**0.5
        np.testing.assert_allclose(tables.regrets[mine] / lanes, (gains - mean)[mine], atol=error)
    shares = tables.average / np.maximum(
        np.add.reduceat(tables.average, tree.info.first_slots[:-1])[tree.info.slot_sets], 1
    )
    reached = tables.average > 0
    assert shares[reached] == pytest.approx(strategy[reached])


def test_a_batch_does_not_depend_on_how_it_is_cut():
    tree = build_tree(toys.ToyExpansion(toys.anything(8)))
    cpu, whole, parts = TreeEngine(tree), Tables.blank(tree), Tables.blank(tree)
    cpu.sample(whole, 6, 50, 2)
    for _ in range(3):
        cpu.sample(parts, 2, 50, 2)
    assert (whole.regrets == parts.regrets).all() and (whole.average == parts.average).all()
    other = Tables.blank(tree)
    cpu.sample(other, 6, 50, 3)
    assert (whole.regrets != other.regrets).any()
    assert BATCH > 0


def test_threads_change_the_last_digits_at_most():
    tree = tree_of(SMALLEST)
    strategy = some_strategy(tree, 1)
    for seat in range(4):
        one, value = TreeEngine(tree).sweep(seat, strategy)
        three, worth = TreeEngine(tree, threads=3).sweep(seat, strategy)
        np.testing.assert_allclose(three, one, rtol=0, atol=1e-12 * tree.payoff_range)
        assert worth == pytest.approx(value)


# -- on a shrunk game


@pytest.fixture(scope="module")
def learnt() -> tuple[Tree, TrainedStrategy]:
    tree = tree_of(SMALLEST)
    cpu = TreeEngine(tree)
    found = TrainedStrategy.blank(StrategySource.of(SMALLEST, "cfr+"), tree, {"uniform": 1.5})
    solve(cpu, found.tables, found.curve, 60, lambda more: cpu.plus(found.tables, more), lambda: 0.0)
    return tree, found


def test_exploitability_falls_on_a_shrunk_game(learnt: tuple[Tree, TrainedStrategy]):
    tree, found = learnt
    curve = found.curve.points
    assert [point.iterations for point in curve] == [1, 2, 5, 10, 20, 50, 60]
    assert curve[-1].largest < curve[0].largest / 20
    assert curve[-1].largest < 0.01 * tree.payoff_range
    assert all(min(point.gains) > -1e-9 for point in curve)  # a best answer is no worse than what was played
    assert [sum(point.values) for point in curve] == pytest.approx([0.0] * len(curve), abs=1e-9)


def test_a_best_response_is_a_strategy_and_gains_what_it_says(learnt: tuple[Tree, TrainedStrategy]):
    tree, _ = learnt
    cpu = TreeEngine(tree)
    for seat in range(4):
        answer, value = best_response(cpu, uniform(tree.info), seat)
        assert cpu.sweep(seat, answer)[1] == value > cpu.sweep(seat, uniform(tree.info))[1]
        assert set(answer[(tree.info.seats == seat)[tree.info.slot_sets]]) <= {0.0, 1.0}


def test_what_was_saved_is_what_is_read(learnt: tuple[Tree, TrainedStrategy], tmp_path: Path):
    tree, found = learnt
    file = tmp_path / "strategy.npz"
    found.save(file)
    again = TrainedStrategy.load(file)
    assert again.made == found.made and again.curve == found.curve and again.tables.iterations == 60
    assert again.beside == {"uniform": 1.5} and again.nodes == tree.nodes and again.payoff_range == tree.payoff_range
    assert (again.strategy == found.strategy).all() and (again.tables.regrets == found.tables.regrets).all()
    again.goes_on(found.made, tree)
    with pytest.raises(NoFit, match=r"by cfr\+; asked for was .* by mccfr, batches of 5, seed 1"):
        again.goes_on(StrategySource.of(SMALLEST, "mccfr", 5, 1), tree)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["strategy.npz"]


def test_the_agent_plays_its_strategy(learnt: tuple[Tree, TrainedStrategy], tmp_path: Path):
    _, found = learnt
    file = tmp_path / "strategy.npz"
    found.save(file)
    agent = parse_agent(f"regret:{file}")
    assert isinstance(agent, Regret) and agent.name == f"regret:{file}"
    for seed in range(20 * SOAK):
        streams = [random.Random(f"{seed} {seat}") for seat in range(4)]
        standing = SMALLEST.opening if seed % 2 else type(SMALLEST.opening)(seed % 4, SMALLEST.opening.score)
        played = play_deal(SMALLEST, [agent] * 4, seed, streams, standing)
        assert played.record.position.over


def test_the_agent_draws_by_the_chances_of_its_set(learnt: tuple[Tree, TrainedStrategy], tmp_path: Path):
    """Every information set is found again from a view, with the chances that the table has."""
    tree, found = learnt
    file = tmp_path / "strategy.npz"
    found.save(file)
    agent, whole = Regret(str(file)), expansion_of(SMALLEST)
    assert isinstance(whole, CardExpansion)
    rng = random.Random(5)
    for deal in rng.sample(range(len(whole.dealt)), 60):
        record, node = new_record(SMALLEST, 1), deal
        record = type(record)(whole.start(deal))
        while tree.sets[node] != -1:
            position = record.position
            options = position.legal_calls if position.talking else tuple(position.legal_plays)
            chosen, at = int(tree.sets[node]), 0
            if chosen >= 0:
                assert position.turn is not None
                view: View = record.view(position.turn)
                slots = slice(tree.info.first_slots[chosen], tree.info.first_slots[chosen + 1])
                chances = found.chances(view)
                assert list(chances.values()) == found.strategy[slots].tolist()
                assert agent.choose(view, random.Random(1)).what in options
                at = rng.randrange(len(options))
                act = position.read(list(chances)[at])
            else:
                act = position.read(options[0])
            record, node = record.with_act(act), int(tree.children[node]) + at


def test_a_strategy_that_does_not_fit_says_so(learnt: tuple[Tree, TrainedStrategy], tmp_path: Path):
    _, found = learnt
    file = tmp_path / "strategy.npz"
    found.save(file)
    other = schafkopf.small()
    record = new_record(other, 3)
    assert record.position.turn is not None
    with pytest.raises(NoFit, match=r"the strategy is of schafkopf-small .*; the table plays schafkopf-small"):
        Regret(str(file)).choose(record.view(record.position.turn), random.Random(1))
    (tmp_path / "none.npz").write_bytes(b"a strategy")
    with pytest.raises(NoFit, match="is no strategy"):
        Regret(str(tmp_path / "none.npz"))
    np.savez(tmp_path / "other.npz", header=np.frombuffer(b'{"format": "renege strategy 0"}', np.uint8))
    with pytest.raises(NoFit, match="'renege strategy 0', not a 'renege shrunk strategy 1'"):
        TrainedStrategy.load(tmp_path / "other.npz")
    with pytest.raises(ValueError, match="names no strategy"):
        Regret(str(tmp_path / "missing.npz"))


def test_greedy_takes_the_first_of_equals():
    tree = build_tree(toys.ToyExpansion(toys.kuhn()))
    assert greedy(tree.info, np.zeros(tree.info.slots)).tolist() == [1.0, 0.0] * 12
    assert [next_look(i) for i in (0, 1, 2, 5, 19, 99, 100)] == [1, 2, 5, 10, 20, 100, 200]


@pytest.mark.parametrize(
    ("spoil", "why"),
    [
        (lambda tree: tree.children.__setitem__(0, 7), "children row 0: children stand one after the other"),
        (lambda tree: tree.sets.__setitem__(3, 99), "sets row 3: there is no such information set"),
        (lambda tree: tree.weights.__setitem__(0, -1.0), "weights row 0: a chance is not negative"),
        (lambda tree: tree.weights.__setitem__(0, 0.5), "the deals' chances must come to 1"),
        (lambda tree: tree.levels.__setitem__(1, 5), "every deal, and nothing else"),
        (lambda tree: tree.info.seats.__setitem__(2, 4), "seats row 2: a seat is 0..3"),
        (lambda tree: tree.info.parents.__setitem__(2, 9), "parents row 2: the choice before must stand before"),
        (lambda tree: tree.info.first_slots.__setitem__(2, 3), "first_slots row 1: a set has two slots at least"),
    ],
)
def test_a_tree_that_does_not_hang_together_is_refused(spoil, why: str):
    tree = build_tree(toys.ToyExpansion(toys.kuhn()))
    TreeEngine(tree)
    spoil(tree)
    with pytest.raises(ValueError, match=why):
        TreeEngine(tree)


def test_tables_of_another_length_are_refused():
    tree = build_tree(toys.ToyExpansion(toys.kuhn()))
    with pytest.raises(ValueError, match=r"strategy must be float64\[24\]"):
        TreeEngine(tree).sweep(0, np.zeros(3))


def test_a_texas_strategy_is_not_for_the_whole_game():
    with pytest.raises(IllegalPlay, match="no tile of this set has a 5"):
        new_record(texas42.small(), 1).position.call("trump 5")
