"""Does the kernel answer as the published method does in Python, errors and all, and is nonsense refused?"""

import doctest
import random
from collections.abc import Callable, Iterator
from functools import cache
from itertools import product
from typing import Any

import numpy as np
import pytest

from renege.games.tractor.order import NAMES
from study import compiled, paper
from study.paper import JOKERS, MOST_CARDS, RANKS, SUITS, Setting, Source, cards_in, is_trump, phi
from support.steering import SOAK

SETTINGS = [Setting(level, main) for level, main in product(RANKS, [*SUITS, None])]
SPADES_2 = Setting("2", "S")
CASES = 2000 * SOAK
Play = tuple[str, ...]


# --- random cases -------------------------------------------------------------------------------------------


class Table:
    """Random plays, biased to pairs, to neighbours and to the level cards that share a number.

    They are sometimes typed in turns, sometimes pair by pair: what the method answers depends on it.
    """

    def __init__(self, rng: random.Random, setting: Setting, source: Source):
        self.rng, self.setting = rng, setting
        forgotten = JOKERS if source is Source.PRINTED and setting.main is None else ()
        self.left = {card: 2 for card in NAMES if card not in forgotten}
        self.fondness = rng.choice((0.3, 0.8, 0.95, 1.0))  # of pairs
        self.trumps = [card for card in self.left if is_trump(card, setting)]
        self.plain = {suit: [card for card in NAMES if card[0] == suit and card not in self.trumps] for suit in SUITS}

    def kinds(self, suit: str | None) -> list[str]:
        """The cards of a suit; None is trump. Often only a stretch of it, or its level cards first."""
        own = self.plain[suit] if suit else []
        kinds = sorted(own or self.trumps, key=lambda card: phi(card, self.setting))
        if self.rng.random() < 0.5:
            first = self.rng.randrange(len(kinds))
            kinds = kinds[first : first + self.rng.randint(2, 8)]
        self.rng.shuffle(kinds)
        if self.rng.random() < 0.4:
            kinds.sort(key=lambda card: card[1] != self.setting.level)
        return kinds

    def play(self, size: int, *suits: str | None) -> Play:
        """So many cards of these suits, and of anything where they run out."""
        kinds = [card for suit in suits for card in self.kinds(suit)] + self.rng.sample(list(self.left), len(self.left))
        taken: list[str] = []
        for fond in (self.fondness, 0.0):
            for card in kinds:
                copies = 2 if self.left[card] == 2 and self.rng.random() < fond else 1
                copies = min(copies, self.left[card], size - len(taken))
                taken += [card] * copies
                self.left[card] -= copies
        return self.typed(taken)

    def typed(self, cards: list[str]) -> Play:
        match self.rng.randrange(4):
            case 0:
                self.rng.shuffle(cards)
            case 1:  # level cards in turns hide each other's pairs
                cards = cards[::2] + cards[1::2]
            case 2:
                cards.sort()
            case _:
                pass
        return tuple(cards)


def spread(seed: int, source: Source = Source.CODE) -> Iterator[tuple[Setting, Callable[[], Table], list[int]]]:
    """Every setting in turn, its tables, and the sizes of the plays to make: all of them, again and again."""
    each = -(-CASES // len(SETTINGS))
    for i, setting in enumerate(SETTINGS):
        rng = random.Random(1000 * seed + i)
        sizes = [(i * each + k) % MOST_CARDS + 1 for k in range(each)]
        yield setting, lambda rng=rng, setting=setting: Table(rng, setting, source), sizes


def a_match(table: Table, size: int) -> tuple[Play, Play]:
    """A lead and a follow; half of them trumps, for those have the structure, and now and then of another length."""
    suit = None if table.rng.random() < 0.5 else table.rng.choice(SUITS)
    lead = table.play(size, suit)
    other = size if table.rng.random() < 0.8 else table.rng.randint(0, MOST_CARDS)
    table.fondness = table.rng.choice((table.fondness, 0.1, 1.0))
    return lead, table.play(other, table.rng.choice((suit, None)))


def a_trick(table: Table, size: int) -> tuple[Play, ...]:
    suit = None if table.rng.random() < 0.2 else table.rng.choice(SUITS)
    lead = table.play(min(size, 13), suit)
    follows = [table.play(len(lead), table.rng.choice((suit, None, None))) for _ in range(3)]
    if table.rng.random() < 0.1:  # a card too many goes unseen if it is a joker: suits are compared without them
        follows[0] = table.rng.choice((("LJ", *follows[0]), (*follows[0], "LJ")))
    return lead, *follows


# --- the same as Python -------------------------------------------------------------------------------------


def test_examples_hold():
    assert doctest.testmod(compiled) == (0, 2)


@pytest.mark.parametrize("source", list(Source))
def test_structures_are_those_of_python(source: Source):
    tractors = 0
    for setting, table, sizes in spread(1, source):
        plays = [a_match(table(), size)[0] for size in sizes]
        found = compiled.structures(setting, *compiled.typed(plays), source)
        for row, play in enumerate(plays):
            expected = paper.get_structure(play, setting, source)
            assert found[row] == expected, (setting, " ".join(play))
            tractors += len(expected.tractors) > 1
    assert tractors > CASES / 50


@pytest.mark.parametrize("source", list(Source))
def test_matches_are_those_of_python(source: Source):
    conform, several = 0, 0
    for setting, table, sizes in spread(2, source):
        cases = [a_match(table(), size) for size in sizes]
        cases = [case for case in cases if orders(case[0], setting, source) < 3000]  # more is slow in Python
        (leads, lead_sizes), (follows, follow_sizes) = map(compiled.typed, zip(*cases, strict=True))
        found = compiled.matches(setting, leads, follows, lead_sizes, follow_sizes, source)
        for row, (lead, follow) in enumerate(cases):
            led, given = (paper.get_structure(play, setting, source) for play in (lead, follow))
            expected = paper.same_structure(led, given, source)
            assert answer(found, row) == expected, (setting, " ".join(lead), " ".join(follow))
            conform += expected.conforms
            several += expected.conforms and expected.permutations > 1
    assert CASES / 10 < conform < 0.9 * CASES
    assert (several > 0) == (source is Source.CODE)  # the printed form never tries a second order


def answer(found: compiled.Matches, row: int) -> paper.Match:
    return paper.Match(bool(found.conforms[row]), int(found.permutations[row]), int(found.placements[row]))


def orders(lead: Play, setting: Setting, source: Source) -> int:
    if source is Source.PRINTED:
        return 1
    return paper.distinct_orders(paper.get_structure(lead, setting).needs)


def test_tricks_are_settled_as_in_python():
    won = [0] * 4
    for setting, table, sizes in spread(3):
        tricks = [a_trick(table(), size) for size in sizes]
        plays, sizes_of = compiled.typed([play for trick in tricks for play in trick])
        found = compiled.settle(setting, plays.reshape(-1, 4, MOST_CARDS), sizes_of.reshape(-1, 4))
        for row, trick in enumerate(tricks):
            expected = paper.settle(trick, setting)
            ours = found.winners[row], found.permutations[row]
            assert ours == (expected.winner, expected.permutations), (setting, *map(" ".join, trick))
            won[expected.winner] += 1
    assert min(won) > CASES / 50


# --- known answers ------------------------------------------------------------------------------------------


def match(lead: str, follow: str, source: Source = Source.CODE) -> paper.Match:
    (leads, lead_sizes), (follows, follow_sizes) = (compiled.typed([cards_in(blob)]) for blob in (lead, follow))
    return answer(compiled.matches(SPADES_2, leads, follows, lead_sizes, follow_sizes, source), 0)


def test_the_printed_form_refuses_what_fits():
    """Runs of 2, 2 and 3 pairs come out of runs of 4 and 3: the program sees it, the pseudo-code does not."""
    lead = "H3H3H4H4H6H6H7H7H9H9HTHTHJHJ"
    follow = "S3S3S4S4S5S5S7S7S8S8S9S9STST"
    assert match(lead, follow).conforms
    assert match(lead, follow, Source.PRINTED) == paper.Match(False, 1, 3)


def test_a_lead_of_many_orders_costs_them_all():
    """12 singles and 4 pairs, spread so that nothing chains: 1,820 orders, each tried in vain against singles."""
    lead = "S3S3S5S5S7S7S9S9" + "S4S6S8STSJSQSKSAH2S2LJBJ"
    follow = "".join(f"{suit}{rank}" for suit in "CD" for rank in "3456789TJQ")
    orders = paper.distinct_orders((2,) * 4 + (1,) * 12)
    assert orders == 1820
    led, given = (paper.get_structure(cards_in(blob), SPADES_2) for blob in (lead, follow))
    expected = paper.same_structure(led, given)
    assert match(lead, follow) == expected
    assert expected.permutations == orders


# --- threads, bad input -------------------------------------------------------------------------------------


@cache
def a_batch() -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """Leads, follows and their sizes."""
    cases = [a_match(Table(random.Random(seed), SPADES_2, Source.CODE), seed % 12 + 1) for seed in range(200)]
    (leads, lead_sizes), (follows, follow_sizes) = map(compiled.typed, zip(*cases, strict=True))
    return leads, follows, lead_sizes, follow_sizes


def test_threads_do_not_matter():
    leads, follows, lead_sizes, follow_sizes = a_batch()
    tricks = np.stack([leads, follows, follows, leads], axis=1)
    sizes = np.stack([lead_sizes, follow_sizes, follow_sizes, lead_sizes], axis=1)
    calls: list[Callable[[int], Any]] = [
        lambda threads: compiled.structures(SPADES_2, leads, lead_sizes, threads=threads),
        lambda threads: compiled.matches(SPADES_2, *a_batch(), threads=threads),
        lambda threads: compiled.settle(SPADES_2, tricks, sizes, threads=threads),
    ]
    for call in calls:
        first = call(1)
        for threads in (2, 3, 7, 600):
            again = call(threads)
            for name in first.__slots__:
                assert np.array_equal(getattr(again, name), getattr(first, name))


def test_no_rows_are_no_trouble():
    cards, sizes = compiled.typed([])
    assert compiled.structures(SPADES_2, cards, sizes).pairs.shape == (0,)
    assert compiled.matches(SPADES_2, cards, cards, sizes, sizes, threads=4).conforms.shape == (0,)
    assert compiled.settle(SPADES_2, cards.reshape(0, 4, 25), sizes.reshape(0, 4)).winners.shape == (0,)


def test_what_stands_beyond_the_end_is_not_looked_at():
    leads, follows, lead_sizes, follow_sizes = a_batch()
    filled = np.where(leads == compiled.BEYOND, leads[:, :1], leads)  # as if the first card were there again
    assert (filled != leads).any()
    ours = compiled.matches(SPADES_2, leads, follows, lead_sizes, follow_sizes)
    again = compiled.matches(SPADES_2, filled, follows, lead_sizes, follow_sizes)
    assert np.array_equal(ours.placements, again.placements)


def test_nonsense_is_refused_by_row():
    leads, follows, lead_sizes, follow_sizes = a_batch()
    strange, long = leads.copy(), lead_sizes.copy()
    strange[3, 0], long[3] = 54, 26
    no_main = Setting("2", None)
    plain = np.tile(compiled.typed([["H3"]])[0], (5, 1))
    plain[3, 0] = NAMES.index("BJ")
    ones = np.ones(5, np.uint8)
    tricks, sizes = plain[:, None].repeat(4, axis=1), np.ones((5, 4), np.uint8)
    sizes[3, 0] = 0
    wide: Any = leads.astype(np.int64)
    calls: list[tuple[Callable[[], object], str]] = [
        (lambda: compiled.structures(SPADES_2, strange, lead_sizes), "plays row 3: a card that the deck does not"),
        (lambda: compiled.structures(SPADES_2, leads, long), "plays row 3: more than 25 cards"),
        (lambda: compiled.structures(no_main, plain, ones, Source.PRINTED), "plays row 3: .* gives no number"),
        (lambda: compiled.matches(SPADES_2, strange, follows, lead_sizes, follow_sizes), "row 3: a card that"),
        (lambda: compiled.matches(SPADES_2, follows, strange, follow_sizes, lead_sizes), "row 3: a card that"),
        (lambda: compiled.matches(SPADES_2, leads, follows, long, follow_sizes, threads=4), "row 3: more than 25"),
        (lambda: compiled.settle(SPADES_2, tricks, sizes), "plays row 3: no card was led"),
        (lambda: compiled.settle(SPADES_2, tricks[:, :3], sizes), r"plays must be uint8\[B, 4, 25\]"),
        (lambda: compiled.structures(SPADES_2, wide, lead_sizes), "not int64"),
        (lambda: compiled.structures(SPADES_2, leads, lead_sizes[1:]), r"sizes must be uint8\[200\]"),
        (lambda: compiled.structures(SPADES_2, leads, lead_sizes, threads=0), "threads"),
        (lambda: compiled.typed([["H3"], ["H3", "X9"]]), "row 1: 'X9' is no card"),
        (lambda: compiled.typed([["H3"] * 26]), "row 0: more than 25 cards"),
    ]
    for call, says in calls:
        with pytest.raises(ValueError, match=says):
            call()
    assert compiled.structures(no_main, plain, ones)[3] == paper.Structure((), 0, 1)  # the program has a number


@pytest.mark.parametrize("source", list(Source))
def test_third_copies_are_answered_as_in_python(source: Source):
    """No deck has them, but then windows of pairs overlap, and what counts as used shows."""
    rng, setting = random.Random(4), Setting("2", "C")
    for _ in range(200 * SOAK):
        kinds = NAMES[1 : rng.randint(3, 8)]
        suit, size = rng.choice("CD"), rng.randint(4, 16)
        tricks = [[rng.choices(kinds, k=size) for _ in range(4)] for _ in range(10)]
        for trick in tricks:
            trick[0] = [card.replace("C", suit) for card in trick[0]]
        cards, sizes = compiled.typed([play for trick in tricks for play in trick])
        cards, sizes = cards.reshape(-1, 4, MOST_CARDS), sizes.reshape(-1, 4)
        found = compiled.structures(setting, cards[:, 0], sizes[:, 0], source)
        matches = compiled.matches(setting, cards[:, 0], cards[:, 1], sizes[:, 0], sizes[:, 1], source)
        won = compiled.settle(setting, cards, sizes)
        for row, trick in enumerate(tricks):
            lead, follow = (paper.get_structure(play, setting, source) for play in trick[:2])
            assert found[row] == lead, trick
            assert matches.placements[row] == paper.same_structure(lead, follow, source).placements, trick
            assert won.winners[row] == paper.settle(trick, setting).winner, trick
