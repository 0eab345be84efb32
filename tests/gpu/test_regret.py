"""Regret minimisation: does a device come to what the CPU comes to, but for the order in which sums are made?"""

import numpy as np
import pytest

from renege.games import texas42
from renege.search.regret.cfr import Tables, TreeEngine, averaged, exploitability
from renege.search.regret.gpu import OnGpu
from renege.search.regret.trees import Tree, build_tree
from support import toys
from support.expansions import expansion_of

SUMS = 1e-12  # how far two orders of adding may be apart, of the largest payoff
LATER = 1e-9  # and after some iterations, which build on each other


def tree_of_42(deals: int) -> Tree:
    game = texas42.small()
    expansion = expansion_of(game)
    return build_tree(expansion, np.random.default_rng(4).choice(113_400, deals, replace=False))


TREES = {
    "kuhn": lambda many: build_tree(toys.ToyExpansion(toys.kuhn())),
    "anything": lambda many: build_tree(toys.ToyExpansion(toys.anything(3))),
    "42": lambda many: tree_of_42(30 * many),
}


@pytest.fixture(params=TREES)
def tree(request: pytest.FixtureRequest, many: int) -> Tree:
    return TREES[request.param](many)


def test_a_sweep_is_the_cpus(gpu, tree: Tree):
    rng, cpu, there = np.random.default_rng(1), TreeEngine(tree), OnGpu(gpu, tree)
    strategy = averaged(tree.info, Tables(np.zeros(tree.info.slots), rng.random(tree.info.slots)))
    for seat in range(4):
        gains, value = cpu.sweep(seat, strategy)
        found, worth = there.sweep(seat, strategy)
        np.testing.assert_allclose(found, gains, rtol=0, atol=SUMS * tree.payoff_range)
        assert worth == pytest.approx(value, abs=SUMS * tree.payoff_range)


def test_cfr_plus_is_the_cpus(gpu, tree: Tree):
    """Regrets, averages and exploitability, also when it is taken up again."""
    cpu, there = TreeEngine(tree), OnGpu(gpu, tree)
    ours, theirs = Tables.blank(tree), Tables.blank(tree)
    for iterations in (3, 4):
        cpu.plus(ours, iterations)
        there.plus(theirs, iterations)
        assert ours.iterations == theirs.iterations
        np.testing.assert_allclose(theirs.regrets, ours.regrets, rtol=0, atol=LATER * tree.payoff_range)
        np.testing.assert_allclose(theirs.average, ours.average, rtol=LATER, atol=LATER)
    found = exploitability(there, averaged(tree.info, theirs))
    expected = exploitability(cpu, averaged(tree.info, ours))
    assert found.largest == pytest.approx(expected.largest, abs=LATER * tree.payoff_range)


def test_sampled_traversals_are_the_cpus(gpu, tree: Tree, many: int):
    """The lanes of a batch see one strategy, so a batch is the CPU's whatever the order of its threads."""
    cpu, there = TreeEngine(tree), OnGpu(gpu, tree)
    ours, theirs = Tables.blank(tree), Tables.blank(tree)
    for iterations in (1, 2):
        cpu.sample(ours, iterations, 40 * many, 5)
        there.sample(theirs, iterations, 40 * many, 5)
        np.testing.assert_allclose(theirs.regrets, ours.regrets, rtol=0, atol=1e-9 * 40 * many * tree.payoff_range)
        np.testing.assert_allclose(theirs.average, ours.average, rtol=1e-9, atol=1e-9)
    assert ours.average.sum() > 0


def test_a_tree_that_does_not_hang_together_never_gets_there(gpu):
    tree = build_tree(toys.ToyExpansion(toys.kuhn()))
    tree.children[0] += 1
    with pytest.raises(ValueError, match="children row 0"):
        OnGpu(gpu, tree)
