"""The audit of samplers: are its p-values those of the tables, and would it notice a sampler that is wrong?"""

import random
from collections.abc import Callable, Hashable, Iterator, Sequence
from importlib import import_module
from itertools import permutations
from math import comb
from pathlib import Path
from typing import Any

import pytest

BENCH = Path(__file__).parents[2] / "bench"
Deal = tuple[int, ...]
DEALS = list(permutations(range(4)))  # one card for each of four seats; seat 0 never has card 0


@pytest.fixture
def audit(monkeypatch: pytest.MonkeyPatch) -> Any:
    monkeypatch.syspath_prepend(BENCH)
    return import_module("audit")


class Toy:
    """Four cards dealt one each, by a sampler of our choice."""

    def __init__(self, sampler: Callable[[random.Random], Deal]) -> None:
        self.sampler = sampler
        self.rejects = False

    def draw(self, n: int, seed: int) -> list[Deal]:
        rng = random.Random(seed)
        return [self.sampler(rng) for _ in range(n)]

    def is_legal(self, world: Deal) -> bool:
        return world[0] != 0

    def looks_same(self, world: Deal) -> bool:
        return True

    def key(self, world: Deal) -> Hashable:
        return world

    def listed(self) -> dict[Hashable, int]:
        return {deal: 1 for deal in DEALS if self.is_legal(deal)}

    def arrays(self, n: int, seed: int) -> bool:
        return False

    def tell(self, world: Deal) -> str:
        return str(world)


def fair(rng: random.Random) -> Deal:
    return rng.choice([deal for deal in DEALS if deal[0] != 0])


def careless(rng: random.Random) -> Deal:
    return rng.choice(DEALS)


def greedy(rng: random.Random) -> Deal:
    """Card 0 goes to any other seat, and the next seat always gets the lowest card that is left."""
    seat = rng.randrange(1, 4)
    rest = [1, 2, 3]
    deal = [0] * 4
    for other in sorted({0, 1, 2, 3} - {seat}, key=lambda other: (other - seat) % 4):
        deal[other] = rest.pop(0 if rng.random() < 0.6 else -1)
    return tuple(deal)


def peeking(rng: random.Random) -> Deal:
    """It knows that seat 1 has card 0."""
    return rng.choice([deal for deal in DEALS if deal[1] == 0])


@pytest.mark.parametrize(
    ("statistic", "freedom", "p"),
    [
        (3.841459, 1, 0.05),
        (6.634897, 1, 0.01),
        (5.991465, 2, 0.05),
        (11.07050, 5, 0.05),
        (18.30704, 10, 0.05),
        (29.58830, 10, 0.001),
        (37.65248, 25, 0.05),
        (124.3421, 100, 0.05),
        (149.4493, 100, 0.001),
        (0.0, 7, 1.0),
    ],
)
def test_p_values_are_those_of_the_printed_tables(audit: Any, statistic: float, freedom: int, p: float):
    assert audit.chi_square_p(statistic, freedom) == pytest.approx(p, rel=1e-5)


def test_p_values_stay_in_range_far_out(audit: Any):
    assert audit.chi_square_p(1e6, 23) == 0.0
    assert audit.chi_square_p(2000.0, 2000) == pytest.approx(0.4958, abs=1e-3)


def test_worlds_that_two_copies_make_more_likely_should_come_more_often(audit: Any):
    weights = {"together": 1, "apart": 2}
    assert audit.fit({"together": 1000, "apart": 2000}, weights) == 1.0
    assert audit.fit({"together": 1500, "apart": 1500}, weights) < 1e-9
    assert audit.fit({"apart": 300}, weights) < 1e-9


def found(audit: Any, sampler: Callable[[random.Random], Deal]) -> Any:
    def deals(seed: int) -> Iterator[Sequence[Callable[[], Toy]]]:
        while True:
            yield [lambda: Toy(sampler)] * 4

    return audit.audit(audit.Sampler("toy", sampler.__name__, deals, deals), points=40, sets=6, seed=1)


def test_a_fair_sampler_passes(audit: Any):
    finding = found(audit, fair)
    assert (finding.worlds, finding.illegal, finding.missed, finding.unfair) == (400, 0, 0, 0)
    assert min(finding.p_values) > 1e-4


def test_a_sampler_that_deals_what_cannot_be_is_caught(audit: Any):
    finding = found(audit, careless)
    assert 60 < finding.illegal < 140  # a quarter
    assert finding.example
    # what it deals rightly it deals equally often
    assert finding.unfair == 0


def test_a_biased_sampler_is_caught(audit: Any):
    finding = found(audit, greedy)
    assert finding.illegal == 0
    assert finding.unfair == len(finding.p_values) == 6


def test_a_sampler_that_knows_hidden_cards_is_caught(audit: Any):
    """Every world it deals is legal; those that it never deals give it away."""
    finding = found(audit, peeking)
    assert finding.illegal == 0
    assert finding.unfair == 6
    assert finding.missed == 6 * 12 and finding.listed == 6 * 18


def test_every_way_to_deal_is_tried_once(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.syspath_prepend(BENCH)
    resample = import_module("resample")
    ways = [tuple(map(frozenset, hands)) for hands in resample.ways_to_deal(range(7), [2, 0, 3])]
    assert len(ways) == len(set(ways)) == comb(7, 2) * comb(5, 3) == resample.arrangements([2, 0, 3, 2])
