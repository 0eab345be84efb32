"""Are the random numbers SplitMix64's, the same in C++ and Python, and are draws exactly uniform?"""

import os
from collections import Counter
from itertools import product

import numpy as np
import pytest

from reference import kernel as twin
from renege import _kernel

SOAK = int(os.environ.get("RENEGE_SOAK", "1"))


def words(seed: int, purpose: int, lane: int, count: int) -> list[int]:
    out = np.zeros(count, np.uint64)
    _kernel.words(seed, purpose, lane, out)
    return [int(word) for word in out]


@pytest.mark.parametrize(
    ("start", "known"),
    [  # the generator as published (Vigna's splitmix64.c), started at these states
        (0, [0xE220A8397B1DCDAF, 0x6E789E6AA1B965F4, 0x06C45D188009454F, 0xF88BB8A8724C81EC]),
        (1234567, [6457827717110365317, 3203168211198807973, 9817491932198370423, 4593380528125082431]),
    ],
)
def test_mixing_gives_the_published_splitmix64_numbers(start: int, known: list[int]):
    states = [(start + twin.GOLDEN * (i + 1)) & twin.WORD for i in range(len(known))]
    assert [_kernel.mix64(state) for state in states] == known
    assert [twin.mix64(state) for state in states] == known


@pytest.mark.parametrize("seed", [0, 1, 2**63, 2**64 - 1])
@pytest.mark.parametrize("lane", [0, 1, 2**40])
def test_streams_equal_the_twin(seed: int, lane: int):
    for purpose in (twin.DEAL, twin.PLAYOUT):
        stream = twin.Stream(seed, purpose, lane)
        assert words(seed, purpose, lane, 20) == [stream.next() for _ in range(20)]


def test_streams_of_lanes_and_purposes_differ():
    seen = {word for lane in range(100) for purpose in (0, 1) for word in words(5, purpose, lane, 5)}
    assert len(seen) == 1000


@pytest.mark.parametrize("bounds", [(5,), (3, 4, 5), (7, 7, 7), (1, 6, 1), (2, 2, 2, 2), (28, 27)])
def test_chained_draws_are_exactly_uniform(bounds: tuple[int, ...]):
    """All fractions of a small word, counted: each outcome comes equally often, and few are thrown away."""
    outcomes = Counter(tuple(drawn) for f in range(1 << 12) if (drawn := twin.draws(f, bounds, bits=12)) is not None)
    assert set(outcomes) == set(product(*map(range, bounds)))
    assert set(outcomes.values()) == {(1 << 12) // len(outcomes)}
