"""Is every deal equally likely, the same as the twin's, and the same on every path?"""

import os
from collections import Counter
from itertools import combinations

import numpy as np
import pytest

from reference import kernel as twin
from reference.orders import mask
from renege.native import cards as native

SOAK = int(os.environ.get("RENEGE_SOAK", "1"))
FULL_42 = (1 << 28) - 1
DECKS = [
    (FULL_42, [7, 7, 7, 7]),
    (0xFFFFFFFF, [8, 8, 8, 8]),
    ((1 << 24) - 1, [6, 6, 6, 6]),
    (0x0A5F0F31, [3, 0, 5, 2]),  # cards left over, one hand empty
    (0x80000001, [1, 1]),
    (0b1011, [3]),
    (0, [0, 0]),
]


def chi_square(counts: Counter[object], outcomes: int, draws: int) -> float:
    expected = draws / outcomes
    missing = (outcomes - len(counts)) * expected
    return missing + sum((seen - expected) ** 2 / expected for seen in counts.values())


@pytest.mark.parametrize(("cards", "sizes"), DECKS)
def test_deals_equal_the_twin(cards: int, sizes: list[int]):
    deck = [card for card in range(32) if cards >> card & 1]
    rows = native.deals(cards, sizes, 200 * SOAK, seed=3, first_lane=1000)
    for lane, row in enumerate(rows.tolist(), start=1000):
        assert row == [mask(*hand) for hand in twin.deal(deck, sizes, 3, lane)]


def test_thrown_away_draws_are_among_those_compared(monkeypatch: pytest.MonkeyPatch):
    """About 1 group of draws in 400 is made again; the comparison with the twin must have met some."""
    thrown = 0
    draws = twin.draws

    def counting(fraction: int, bounds: list[int]) -> list[int] | None:
        nonlocal thrown
        drawn = draws(fraction, bounds)
        thrown += drawn is None
        return drawn

    monkeypatch.setattr(twin, "draws", counting)
    rows = native.deals(FULL_42, [7] * 4, 1000 * SOAK, seed=9)
    for lane, row in enumerate(rows.tolist()):
        assert row == [mask(*hand) for hand in twin.deal(range(28), [7] * 4, 9, lane)]
    assert thrown > 0


@pytest.mark.parametrize(("cards", "sizes"), DECKS)
def test_hands_are_disjoint_and_of_their_sizes(cards: int, sizes: list[int]):
    rows = native.deals(cards, sizes, 500, seed=11)
    assert rows.shape == (500, len(sizes))
    for row in rows.tolist():
        assert [hand.bit_count() for hand in row] == sizes
        assert sum(row) & ~cards == 0
        assert sum(row).bit_count() == sum(sizes)


def test_small_deals_are_uniform():
    """Seven cards to hands of 2 and 3, two left: 21 * 10 deals, none favoured."""
    n = 42_000 * SOAK
    cards = mask(0, 3, 9, 10, 20, 30, 31)
    seen: Counter[object] = Counter(map(tuple, native.deals(cards, [2, 3], n, seed=2).tolist()))
    statistic = chi_square(seen, 210, n)
    assert 209 - 6 * (2 * 209) ** 0.5 < statistic < 209 + 6 * (2 * 209) ** 0.5


def test_each_pair_of_tiles_meets_in_a_hand_equally_often():
    n = 20_000 * SOAK
    hands = native.deals(FULL_42, [7] * 4, n, seed=4)
    held = (hands[:, :, None] >> np.arange(28, dtype=np.uint32) & 1).reshape(-1, 28).astype(np.float64)
    together = held.T @ held
    chance = 6 / 27
    spread = (n * chance * (1 - chance)) ** 0.5
    assert max(abs(together[a, b] - n * chance) for a, b in combinations(range(28), 2)) < 6 * spread


@pytest.mark.parametrize(("cards", "sizes"), DECKS)
def test_neither_threads_nor_path_nor_batch_change_a_deal(cards: int, sizes: list[int]):
    whole = native.deals(cards, sizes, 101, seed=6)
    for threads in (2, 3, 7, 200):
        assert np.array_equal(native.deals(cards, sizes, 101, seed=6, threads=threads), whole)
    assert np.array_equal(native.deals(cards, sizes, 101, seed=6, portable=True), whole)
    assert np.array_equal(native.deals(cards, sizes, 31, seed=6, first_lane=70), whole[70:])


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"cards": 28}, "28 cards wanted, the mask 0x1c has 3"),
        ({"cards": 1 << 32}, "at most 32 cards"),
        ({"cards": -1}, "at most 32 cards"),
        ({"sizes": [7, 7, 7, 8]}, "hand sizes impossible"),
        ({"sizes": []}, "1 to 32 hands"),
        ({"sizes": [-1, 8]}, "0 or more"),
        ({"sizes": [300]}, "hand sizes impossible"),
        ({"n": -1}, "lanes"),
        ({"seed": -1}, "seed"),
        ({"seed": 1 << 64}, "seed"),
        ({"first_lane": -1}, "lanes"),
        ({"threads": 0}, "threads"),
        ({"threads": 10**9}, "threads"),
    ],
)
def test_impossible_deals_are_refused(change: dict[str, object], says: str):
    asked = {"cards": FULL_42, "sizes": [7, 7, 7, 7], "n": 1, "seed": 0} | change
    with pytest.raises(ValueError, match=says):
        native.deals(**asked)  # pyright: ignore[reportArgumentType]
