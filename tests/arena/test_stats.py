"""Means and intervals, against numbers worked out by hand and against simulated matches."""

import math
import random

import pytest

from renege.arena.stats import Running, estimate, estimates, percentile, without_luck
from renege.search.intervals import t_quantile


def column(luck: list[float]) -> list[tuple[float]]:
    """One control variate."""
    return [(one,) for one in luck]


def test_an_estimate_worked_out_by_hand():
    # 1, 2, 3, 6: mean 3, squares 4 + 1 + 0 + 9 = 14, variance 14/3, error sqrt(14/12); t with 3 degrees is 3.18245
    found = estimate([1, 2, 3, 6])
    assert (found.pairs, found.mean) == (4, 3)
    assert found.error == pytest.approx(1.0801234)
    assert (found.low, found.high) == (pytest.approx(-0.437438, abs=1e-5), pytest.approx(6.437438, abs=1e-5))
    assert found.covers_zero
    assert not estimate([3, 4, 3, 4]).covers_zero
    assert str(found) == "+3.000, 95 % interval -0.437 to +6.437"


def test_one_pair_has_no_interval_and_none_has_no_mean():
    assert math.isinf(estimate([2]).margin)
    assert estimate([2]).covers_zero
    assert str(estimate([2])) == "+2.000, no interval yet"
    with pytest.raises(ValueError, match="no pair"):
        estimate([])


@pytest.mark.parametrize(
    ("freedom", "value"),  # from printed tables of Student's t, 97.5 %
    [(1, 12.7062), (2, 4.30265), (3, 3.18245), (4, 2.77645), (5, 2.57058), (9, 2.26216), (10, 2.22814), (29, 2.04523),
     (30, 2.04227), (60, 2.00030), (99, 1.98422), (100, 1.98397), (120, 1.97993), (1000, 1.96234)],
)  # fmt: skip
def test_quantiles_of_t(freedom: int, value: float):
    assert t_quantile(freedom) == pytest.approx(value, rel=2e-6)


def test_quantiles_meet_where_the_formula_changes():
    steps = [t_quantile(freedom) - t_quantile(freedom + 1) for freedom in range(95, 105)]
    assert steps == sorted(steps, reverse=True)


def test_the_order_of_the_pairs_changes_nothing_but_rounding():
    rng = random.Random(1)
    scores = [rng.gauss(0.3, 2) for _ in range(200)]
    shuffled = rng.sample(scores, len(scores))
    one, other = estimate(scores), estimate(shuffled)
    assert (one.mean, one.margin) == (pytest.approx(other.mean), pytest.approx(other.margin))
    assert [found.pairs for found in estimates(scores)] == list(range(1, 201))


def coverage(pairs: int, matches: int, luck: float = 0.0, *, control: bool = False) -> float:
    """The share of null matches whose interval covers zero: pair scores like those of 42, in half marks."""
    rng, covered = random.Random(pairs), 0
    for _ in range(matches):
        x = [rng.gauss(0, 1) for _ in range(pairs)]
        y = [rng.choice((-1, -0.5, 0, 0, 0.5, 1)) + luck * lucky for lucky in x]
        covered += estimate(without_luck(y, column(x)) if control else y).covers_zero
    return covered / matches


@pytest.mark.parametrize("pairs", [20, 120])
def test_intervals_of_null_matches_cover_zero_nineteen_times_in_twenty(pairs: int):
    assert 0.93 < coverage(pairs, 1_500) < 0.97  # 0.95 with a standard error of 0.0056


def test_they_do_with_luck_taken_off_too():
    assert 0.92 < coverage(60, 800, 1.0, control=True) < 0.975


def test_luck_that_explains_a_lot_narrows_the_interval_and_shifts_nothing():
    rng = random.Random(3)
    x = [rng.gauss(0, 1) for _ in range(400)]
    y = [0.5 + 2 * lucky + rng.gauss(0, 0.5) for lucky in x]
    plain, adjusted = estimate(y), estimate(without_luck(y, column(x)))
    assert adjusted.error < plain.error / 3
    assert adjusted.low < 0.5 < adjusted.high


def test_several_control_variates_are_fitted_together():
    """Two that go together: by themselves each would take off what belongs to the other."""
    rng = random.Random(4)
    both = [(one, one + rng.gauss(0, 0.5)) for one in (rng.gauss(0, 1) for _ in range(600))]
    y = [0.3 + 2 * one - other + rng.gauss(0, 0.2) for one, other in both]
    plain, adjusted = estimate(y), estimate(without_luck(y, both))
    assert (adjusted.error / plain.error) ** 2 < 0.06
    assert adjusted.low < 0.3 < adjusted.high
    assert without_luck(y, [()] * len(y)) == y  # and none takes nothing off


def test_the_coefficient_of_a_pair_is_not_fitted_on_itself():
    # one wild pair: fitted on all, it would bend its own coefficient; the others have no slope at all
    x, y = [1.0, -1.0] * 10, [0.0] * 20
    x[0], y[0] = 100.0, 50.0
    assert without_luck(y, column(x), folds=20)[0] == 50.0
    assert without_luck(y, column(x), folds=20)[1] != 0.0


def test_no_luck_at_all_takes_nothing_off():
    assert without_luck([1.0, 2.0, 3.0], column([0.0, 0.0, 0.0])) == [1.0, 2.0, 3.0]
    assert without_luck([1.0], column([2.0])) == [1.0]


def test_percentiles_are_values_that_came_up():
    values = [float(i) for i in range(1, 101)]
    assert percentile(values, 0.99) == 99
    assert percentile(values, 0.5) == 50
    assert percentile([7.0], 0.99) == 7
    assert percentile(values[:10], 0.99) == 10


def test_a_running_estimate_begins_empty():
    assert math.isinf(Running().estimate.margin)
