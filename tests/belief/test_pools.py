"""Are many hidden hands counted, weighed and dealt exactly, though hands of which nothing is known are one pile?"""

import random
from collections import Counter
from dataclasses import replace
from fractions import Fraction
from itertools import accumulate, pairwise
from math import comb, factorial, prod

import numpy as np
import pytest

from reference import deals as literal
from reference.deals import AtLeast, AtMost, Deal
from renege.belief import Back, Group, Pick, Problem, Run, TooManyStates, Worlds, count_watch, pair_watch, run_watch
from renege.belief.checks import AnyCheck, watched
from renege.belief.pools import APART, CLOSED, FUTURE, HOPELESS, known_at, plan_of
from renege.belief.problem import any_watch
from renege.belief.worlds import Table
from renege.native.arrays import U64
from support.random_problems import (
    SOAK,
    Small,
    crowded_problems,
    deals_in,
    plain,
    random_problems,
    random_weights,
    voids,
    with_caps,
)
from support.scripts import bench

CROWDED = bench("crowded")


def pooled(problem: Problem) -> Worlds:
    return Worlds(problem, table=Table.POOLS)


# --- against trying everything ------------------------------------------------------------------------------


def test_small_problems_equal_trying_everything():
    """Counts, lists, odds with and without weights, and the legality of what is drawn."""
    rng, possible, most_hands = random.Random(1), 0, 0
    for small in crowded_problems(120 * SOAK, seed=2):
        deals, worlds = small.deals(), pooled(small.problem)
        assert (worlds.count(), worlds.distinct()) == (deals.total(), len(deals)), small
        assert deals_in(small.problem, worlds.listed()) == Counter(dict.fromkeys(deals, 1)), small
        if not deals:
            with pytest.raises(ValueError, match="there is no deal"):
                worlds.draw(1, seed=1)
            with pytest.raises(ValueError, match="there is no deal"):
                worlds.odds()
            continue
        possible, most_hands = possible + 1, max(most_hands, len(small.problem.sizes))
        same_odds(worlds, {deal: n / deals.total() for deal, n in deals.items()})
        assert set(deals_in(small.problem, worlds.draw(50, seed=2))) <= set(deals), small
        weights = random_weights(rng, small.problem)
        weighted = literal.weighted(deals, weights)
        numbers = np.array(weights, float).reshape(len(weights), -1)
        if not sum(weighted.values()):
            with pytest.raises(ValueError, match="the weights leave no deal"):
                worlds.odds(weights=numbers)
            continue
        same_odds(worlds, {deal: float(chance) for deal, chance in weighted.items()}, numbers)
        likely = {deal for deal, chance in weighted.items() if chance}
        assert set(deals_in(small.problem, worlds.draw(50, seed=2, weights=numbers))) <= likely
    assert possible > 50 * SOAK and most_hands == 8


def same_odds(worlds: Worlds, chances: dict[Deal, float], weights: np.ndarray | None = None) -> None:
    want = np.zeros_like(odds := worlds.odds(weights=weights))
    for deal, chance in chances.items():
        for place, row in enumerate(deal):
            for hand, copies in enumerate(row):
                want[place, hand, copies] += chance
    assert np.abs(odds - want).max(initial=0) < 1e-12, worlds.problem
    assert ((odds == 0) == (want == 0)).all(), worlds.problem  # "must" and "cannot" are read off these


def test_the_table_of_pools_equals_the_graph():
    rng = random.Random(3)
    for small in random_problems(300 * SOAK, seed=4):
        graph, pools = Worlds(small.problem, table=Table.GRAPH), pooled(small.problem)
        assert (graph.table, pools.table) == (Table.GRAPH, Table.POOLS)
        assert (graph.count(), graph.distinct()) == (pools.count(), pools.distinct()), small
        if not graph.count():
            continue
        assert np.abs(graph.odds() - pools.odds()).max(initial=0) < 1e-12, small
        weights = np.array(random_weights(rng, small.problem), float).reshape(len(small.problem.kinds), -1)
        weights += 0.1
        assert np.abs(graph.odds(weights=weights) - pools.odds(weights=weights)).max(initial=0) < 1e-12, small


def test_picks_and_weighted_groups_equal_the_graph():
    rng, picked = random.Random(5), 0
    for small in random_problems(150 * SOAK, seed=6):
        problem = small.problem
        ones = [place for place, n in enumerate(problem.copies) if n == 1]
        if len(problem.sizes) > 4 or not ones:
            continue
        hand = rng.randrange(len(problem.sizes))
        other = (hand + 1) % len(problem.sizes)
        back = rng.choice([None, Back(other, rng.randint(1, 4))])
        if not problem.sizes[hand] and back is None:
            continue
        groups = tuple(
            replace(group, weights=tuple(rng.randint(0, 5) for _ in range(problem.copies[group.place] + 1)))
            for group in problem.groups
        )
        problem = replace(problem, picks=(Pick(hand, tuple(ones), (), back),), groups=groups)
        graph, pools = Worlds(problem, table=Table.GRAPH), pooled(problem)
        assert graph.count() == pools.count()
        if graph.count():
            picked += 1
            assert np.abs(graph.odds() - pools.odds()).max() < 1e-12
            assert set(deals_in(problem, pools.draw(20, seed=1))) <= set(deals_in(problem, graph.listed()))
    assert picked > 20 * SOAK


def test_tractor_as_the_graph_has_it():
    """83 hidden cards of two packs: no pairs, a void, no tractors, at most two pairs, a card that is known."""
    copies = [2, 2, 1, 2, 1, 2, 2, 1, 2, 2, 1, 1, 2, 2, 1, 2, 2, 1, 2, 2, 1, 2, 2, 1, 1]
    copies += [2, 2, 1, 2, 2, 1, 2, 2, 2, 1, 2, 2, 1, 2, 2, 1, 2, 2, 1, 2, 2, 1, 2, 2, 2]
    caps: list[AtMost | AtLeast] = [AtMost(place, 1, min(1, copies[place])) for place in range(11, 22)]
    caps += [AtMost(place, 0, 0) for place in range(11)] + [AtLeast(40, 2, 1)]
    runs = [run_watch(hand, 32, [0] * 18, range(18), copies[32:], Run(2, -1, forbidden=True)) for hand in (0, 1)]
    pairs = pair_watch(2, 11, [0] * 11, [True] * 11, copies[11:22], 2)
    problem = replace(with_caps(plain(copies, [25, 25, 25, 8]), caps), watches=(*runs, pairs))
    graph, pools = Worlds(problem, table=Table.GRAPH), pooled(problem)
    assert graph.count() == pools.count()
    assert np.abs(graph.odds() - pools.odds()).max() < 1e-12
    weights = np.ones((50, 4))
    weights[:20, 1] = 3
    assert np.abs(graph.odds(weights=weights) - pools.odds(weights=weights)).max() < 1e-12


# --- by formula ---------------------------------------------------------------------------------------------


def multinomial(sizes: list[int]) -> int:
    return factorial(sum(sizes)) // prod(map(factorial, sizes))


def test_eight_seats_of_whom_nothing_is_known():
    """Four packs: seven hands of 26, a kitty of 8. Copies of a kind are hypergeometric."""
    sizes = [26] * 7 + [8]
    worlds = Worlds(plain([4] * 44 + [3] * 4 + [1] * 2, sizes))
    assert worlds.table is Table.POOLS
    assert worlds.count() == multinomial(sizes)
    odds = worlds.odds()
    for hand, size in ((0, 26), (7, 8)):
        for copies in range(5):
            want = comb(4, copies) * comb(186, size - copies) / comb(190, size)
            assert odds[0, hand, copies] == pytest.approx(want, abs=1e-13)


def test_voids_of_six_seats():
    """Three packs: each of three hands lacks a suit of its own, so that it is dealt from the other cards."""
    sizes = [26, 26, 26, 26, 26, 6]
    one = Worlds(voids(plain([3] * 44 + [2] * 2, sizes), {0: range(12)}))
    assert one.count() == comb(136 - 36, 26) * multinomial(sizes[1:])
    odds = one.odds()
    assert odds[20, 0] @ range(4) == pytest.approx(3 * 26 / 100, abs=1e-12)
    assert odds[0, 3] @ range(4) == pytest.approx(3 * 26 / 110, abs=1e-12)
    assert odds[0, 0].tolist() == [1, 0, 0, 0]


# --- drawing ------------------------------------------------------------------------------------------------


def chi_square(drawn: Counter[Deal], chances: dict[Deal, float]) -> float:
    """How many standard deviations the statistic lies above what it should be."""
    n = drawn.total()
    assert set(drawn) <= {deal for deal, chance in chances.items() if chance}
    statistic = sum((drawn[deal] - n * p) ** 2 / (n * p) for deal, p in chances.items() if p)
    freedom = sum(1 for p in chances.values() if p) - 1
    return (statistic - freedom) / (2 * freedom) ** 0.5 if freedom else 0


def drawable(seed: int, wanted: int) -> list[Small]:
    """Problems with hands that open, close and are told apart, of few deals."""
    found: list[Small] = []
    for small in crowded_problems(2000, seed=seed):
        roles = {role for row in plan_of(small.problem).roles[2:-2] for role in row}
        if roles == {FUTURE, APART, CLOSED} and 20 <= len(small.deals()) <= 400:
            found.append(small)
        if len(found) == wanted:
            return found
    raise AssertionError("too few problems with pools")


def test_draws_are_uniform():
    for number, small in enumerate(drawable(7, 12)):
        deals = small.deals()
        drawn = deals_in(small.problem, pooled(small.problem).draw(40 * len(deals) * SOAK, seed=number))
        assert abs(chi_square(drawn, {deal: n / deals.total() for deal, n in deals.items()})) < 5, small


def test_weighted_draws_follow_their_weights():
    rng = random.Random(8)
    for number, small in enumerate(drawable(9, 8)):
        weights = [[Fraction(rng.choice([1, 1, 1, 2, 3])) for _ in row] for row in small.problem.most]
        exact = literal.weighted(small.deals(), weights)
        worlds = pooled(small.problem)
        drawn = worlds.draw(40 * len(exact) * SOAK, seed=number, weights=np.array(weights, float))
        chances = {deal: float(chance) for deal, chance in exact.items()}
        assert abs(chi_square(deals_in(small.problem, drawn), chances)) < 5, small


@pytest.mark.parametrize("weighted", [False, True])
def test_neither_threads_nor_batch_change_a_draw(weighted: bool):
    problem = drawable(7, 1)[0].problem
    worlds = pooled(problem)
    weights = np.random.default_rng(13).random((len(problem.kinds), len(problem.sizes))) + 0.1 if weighted else None
    whole = worlds.draw(101, seed=14, weights=weights)
    for threads in (2, 7):
        assert np.array_equal(worlds.draw(101, seed=14, weights=weights, threads=threads), whole)
    assert np.array_equal(worlds.draw(31, seed=14, weights=weights, first_lane=70), whole[70:])
    assert not np.array_equal(worlds.draw(101, seed=15, weights=weights), whole)


def lawful(problem: Problem, rows: U64) -> None:
    """Do drawn deals keep to sizes, copies, caps and watches?"""
    counts = (rows[..., None] >> np.array(problem.kinds, np.uint64) & np.uint64(1)).sum(axis=2).astype(int)
    assert (np.bitwise_count(rows).sum(axis=2) == problem.sizes).all()
    assert (counts.sum(axis=1) == problem.copies).all()
    assert (counts <= np.array(problem.most).T).all() and (counts >= np.array(problem.least).T).all()
    for below, above in pairwise(range(rows.shape[2])):
        assert not (rows[:, :, above] & ~rows[:, :, below]).any()
    for watch in problem.watches:
        assert watched(watch, problem.kinds, problem.copies, rows).all()


@pytest.mark.parametrize("shape", [(3, 6, 6), (4, 8, 8), (2, 5, 8)], ids=str)
def test_middles_of_deals(shape: tuple[int, int, int]):
    """Positions as they come up: drawn deals are lawful, their shares near the odds, and odds sum to the copies."""
    asked = 0
    for seed in range(6 * SOAK):
        make = CROWDED.crowded if seed % 2 else CROWDED.hard
        problem = make(*shape, (20, 13, 8)[seed % 3], seed)
        try:
            worlds = Worlds(problem)
        except TooManyStates:
            continue
        asked += 1
        n = 400
        rows = worlds.draw(n, seed=seed)
        lawful(problem, rows)
        odds = worlds.odds()
        assert np.allclose(odds.sum(axis=2), 1, atol=1e-11)
        assert np.allclose((odds @ np.arange(odds.shape[2])).sum(axis=1), problem.copies, atol=1e-10)
        assert np.allclose((odds @ np.arange(odds.shape[2])).sum(axis=0), problem.sizes, atol=1e-9)
        seen = (rows[:, :, 0, None] >> np.array(problem.kinds, np.uint64) & np.uint64(1)).mean(axis=0).T
        chance = 1 - odds[:, :, 0]
        assert (abs(seen - chance) <= 6 * (chance * (1 - chance) / n) ** 0.5 + 1e-9).all()
    assert asked >= 3


# --- the plan -----------------------------------------------------------------------------------------------


def test_a_hand_stands_apart_from_its_first_fact_to_its_last():
    for small in crowded_problems(100 * SOAK, seed=10):
        problem, plan = small.problem, plan_of(small.problem)
        known, ends = known_at(problem), [0, *accumulate(plan.segments)]
        assert sorted(plan.order) == [p for p, n in enumerate(problem.copies) if n or known[p]]
        for i, members in enumerate(plan.hands):
            column = [row[i] for row in plan.roles]
            assert column == sorted(column)  # future, apart, closed
            for segment, (a, b) in enumerate(pairwise(ends)):
                facts = any(known[place] >> hand & 1 for place in plan.order[a:b] for hand in members)
                assert not facts or column[2 * segment + 1] == APART
        if len(plan.hands) < len(problem.sizes):
            assert len(plan.hands[-1]) > 1


def test_what_pools_do_not_hold_is_refused():
    many = plain([2] * 20, [6, 6, 6, 6, 6, 6, 4])
    with pytest.raises(ValueError, match="drawn from on the CPU only"):
        Worlds(many).parts()
    with pytest.raises(ValueError, match="ask for the labelled count"):
        Worlds(many).distinct()
    with pytest.raises(TooManyStates, match="1,000 bytes"):
        Worlds(voids(many, {0: [1], 1: [2], 2: [3]}), most_bytes=1_000)
    with pytest.raises(ValueError, match="2 to 10 hands"):
        plain([1] * 11, [1] * 11)
    apart = with_caps(
        plain([4] * 50, [25] * 8),
        [AtMost(place, hand, 1 + (place + hand) % 3) for place in range(50) for hand in range(8)],
    )
    assert plan_of(apart).edges > HOPELESS
    with pytest.raises(TooManyStates):
        Worlds(apart)


def test_one_of_many_hands_meets_its_condition():
    """Too many hands with three copies for one watch: drawn deals are asked."""
    rng = random.Random(11)
    problem = plain([3, 3, 2, 1], [2, 2, 2, 1, 2])
    words = [literal.Cards(hand, frozenset({0, 1}), 2, None) for hand in range(5)]
    watches = [count_watch(hand, 0, [True, True], [3, 3], 2) for hand in range(5)]
    assert any_watch(watches, problem.copies) is None
    rows = pooled(problem).listed()
    for own in range(1, 5):
        chosen = sorted(rng.sample(range(5), own))
        check = AnyCheck((), tuple(watches[hand] for hand in chosen), problem.kinds, problem.copies)
        kept = deals_in(problem, rows[check.keeps(rows, np.zeros(len(rows)))])
        asked = literal.Some(tuple(words[hand] for hand in chosen))
        assert set(kept) == {deal for deal in deals_in(problem, rows) if asked.holds(deal)}
        if own < 5 and (joined := any_watch([watches[hand] for hand in chosen], problem.copies)):
            deals = literal.labelled_deals(problem.copies, problem.sizes, [asked])
            assert pooled(replace(problem, watches=(joined,))).count() == deals.total()


def test_a_group_that_says_nothing_keeps_no_hand_apart():
    problem = replace(plain([3, 2, 2], [1, 1, 1, 1, 1, 2]), groups=(Group(0, 0b111111, 0, 3), Group(1, 0b11, 0, 2)))
    assert plan_of(problem).hands == ((0, 1, 2, 3, 4, 5),)
    assert pooled(problem).count() == multinomial([1, 1, 1, 1, 1, 2])
