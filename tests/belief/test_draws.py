"""Are deals drawn uniformly, or by their weights, and is a draw the same in any batch and on any thread?"""

import random
from collections import Counter
from collections.abc import Sequence

import numpy as np
import pytest

from reference import deals as literal
from reference.deals import AtMost, Deal
from reference.kernel import Stream
from renege.belief import (
    Problem,
    Worlds,
)
from support.random_problems import (
    SOAK,
    WORLD,
    Small,
    deal_in,
    deals_in,
    plain,
    random_problems,
    random_weights,
    voids,
    with_caps,
)

# --- is the draw uniform? -----------------------------------------------------------------------------------

# Sizes, hands that lack some kinds; as the measurements of seed 002 have them, and with two copies.
DRAWN: list[Small] = [
    Small(problem, [AtMost(p, h, m) for p, row in enumerate(problem.most) for h, m in enumerate(row)])
    for problem in (
        plain([1] * 6, [2, 2, 2]),
        voids(plain([1] * 3, [1, 1, 1]), {2: [0]}),
        voids(plain([1] * 6, [2, 2, 2]), {2: [0, 1, 2]}),
        voids(plain([1] * 8, [3, 3, 2]), {0: [0, 1], 1: [2, 3], 2: [4, 5]}),
        voids(plain([1] * 6, [2, 1, 1, 2]), {1: [0], 3: [2, 3]}),
        voids(plain([2, 2, 1, 1], [2, 2, 2]), {2: [1]}),
        with_caps(plain([2, 2, 1], [2, 1, 2]), [AtMost(0, 0, 1), AtMost(1, 2, 1)]),
        plain([2, 1, 1, 1], [1, 1, 1, 1, 1]),
    )
]


def chi_square(drawn: Counter[Deal], chances: dict[Deal, float]) -> float:
    """How many standard deviations the statistic lies above what it should be."""
    n = drawn.total()
    assert set(drawn) <= {deal for deal, chance in chances.items() if chance}
    statistic = sum((drawn[deal] - n * p) ** 2 / (n * p) for deal, p in chances.items() if p)
    freedom = sum(1 for p in chances.values() if p) - 1
    return (statistic - freedom) / (2 * freedom) ** 0.5 if freedom else 0


def labelled_chances(deals: Counter[Deal]) -> dict[Deal, float]:
    return {deal: n / deals.total() for deal, n in deals.items()}


@pytest.mark.parametrize("small", DRAWN, ids=range(len(DRAWN)))
def test_draws_are_uniform(small: Small):
    n = 20_000 * SOAK
    drawn = deals_in(small.problem, Worlds(small.problem).draw(n, seed=7))
    assert abs(chi_square(drawn, labelled_chances(small.deals()))) < 5


def test_draws_under_watches_are_uniform():
    tested = 0
    for number, small in enumerate(random_problems(400, seed=8)):
        deals = small.deals()
        if not small.problem.watches or not 5 <= len(deals) <= 200:
            continue
        tested += 1
        n = 50 * len(deals) * SOAK
        drawn = deals_in(small.problem, Worlds(small.problem).draw(n, seed=number))
        assert abs(chi_square(drawn, labelled_chances(deals))) < 6, small
        if tested == 15:
            break
    assert tested == 15


@pytest.mark.parametrize("small", DRAWN, ids=range(len(DRAWN)))
def test_weighted_draws_follow_their_weights(small: Small):
    weights = random_weights(random.Random(9), small.problem)
    exact = literal.weighted(small.deals(), weights)
    numbers = np.array(weights, float)
    worlds = Worlds(small.problem)
    drawn = deals_in(small.problem, worlds.draw(20_000 * SOAK, seed=10, weights=numbers))
    assert abs(chi_square(drawn, {deal: float(chance) for deal, chance in exact.items()})) < 5


def lowest_hand_first(deals: Sequence[Deal], places: Sequence[int], rng: random.Random) -> Deal:
    """Not uniform: cards in random order, each to the first hand for which any deal is left."""
    order = list(places)
    rng.shuffle(order)
    for place in order:
        hand = min(h for deal in deals for h, n in enumerate(deal[place]) if n)
        deals = [deal for deal in deals if deal[place][hand]]
    (deal,) = deals
    return deal


@pytest.mark.parametrize("number", [1, 2, 3])
def test_a_biased_sampler_is_caught(number: int):
    small = DRAWN[number]
    deals, rng = small.deals(), random.Random(11)
    places = range(len(small.problem.kinds))
    drawn = Counter(lowest_hand_first(list(deals), places, rng) for _ in range(5_000))
    assert set(drawn) <= set(deals)
    assert chi_square(drawn, labelled_chances(deals)) > 20


def test_distinct_deals_would_not_be_uniform():
    """Two copies of a card are together too often if all that can be told apart is equally likely."""
    small = DRAWN[5]
    deals = small.deals()
    rows = Worlds(small.problem).listed()
    drawn = Counter(deal_in(small.problem, row) for row in rows for _ in range(20_000 // len(rows)))
    assert chi_square(drawn, labelled_chances(deals)) > 20


# --- what a draw is -----------------------------------------------------------------------------------------


def rank_drawn(seed: int, lane: int, count: int) -> int:
    """The rank of a deal: one word by multiplication, more by throwing away."""
    stream = Stream(seed, WORLD, lane)
    limbs = (count.bit_length() + 64) // 64  # a bit to spare
    while True:
        if limbs == 1:
            product = stream.next() * count
            if product % (1 << 64) >= (1 << 64) % count:
                return product >> 64
        else:
            rank = sum(stream.next() << 64 * i for i in range(limbs)) % (1 << max(count.bit_length(), 64 * (limbs - 1)))
            if rank < count:
                return rank


@pytest.mark.parametrize(
    "problem",
    [
        voids(plain([1] * 12, [4, 4, 4], range(30, 42)), {0: [0, 1, 2], 2: [3, 7]}),
        plain([1] * 24, [8, 8, 8]),
        plain([1] * 12, [3, 3, 2, 2, 2]),  # too many hands for the quick walk
        plain([1] * 60, [15, 15, 15, 15]),  # two limbs
        plain([1] * 64, [13, 13, 13, 13, 12]),  # three
    ],
    ids=["42", "schafkopf", "five hands", "2^113", "2^139"],
)
def test_a_draw_is_the_deal_of_a_uniform_rank(problem: Problem):
    worlds = Worlds(problem)
    for lane, row in enumerate(worlds.draw(40, seed=12)):
        assert np.array_equal(worlds.listed(rank_drawn(12, lane, worlds.count()), 1)[0], row)


@pytest.mark.parametrize("small", DRAWN[2:6], ids=range(4))
@pytest.mark.parametrize("weighted", [False, True])
def test_neither_threads_nor_batch_change_a_draw(small: Small, weighted: bool):
    worlds = Worlds(small.problem)
    weights = np.random.default_rng(13).random((len(small.problem.kinds), len(small.problem.sizes)))
    chosen = weights if weighted else None
    whole = worlds.draw(101, seed=14, weights=chosen)
    for threads in (2, 3, 7, 200):
        assert np.array_equal(worlds.draw(101, seed=14, weights=chosen, threads=threads), whole)
    assert np.array_equal(worlds.draw(31, seed=14, weights=chosen, first_lane=70), whole[70:])
    assert not np.array_equal(worlds.draw(101, seed=15, weights=chosen), whole)


def test_lists_can_be_read_in_parts():
    worlds = Worlds(DRAWN[3].problem)
    whole = worlds.listed()
    assert len(whole) == worlds.distinct()
    assert np.array_equal(np.concatenate([worlds.listed(0, 10), worlds.listed(10)]), whole)
    assert len(worlds.listed(len(whole) - 3, 10)) == 3
    assert len(worlds.listed(len(whole) + 3, 10)) == 0
    assert len(worlds.listed(0, 0)) == 0
