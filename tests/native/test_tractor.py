"""Does the kernel's Tractor say what the Python engine says, and is nonsense refused?"""

import doctest
import random
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from functools import cache
from itertools import product
from typing import Any

import numpy as np
import pytest

from renege.core.cards import Cards, kinds_in
from renege.core.game import Turn
from renege.core.order import Order
from renege.core.trick import Play, Trick
from renege.games.tractor import follow, rules, units
from renege.games.tractor.order import DECK, PRINTED, RANKS, TRUMP
from renege.games.tractor.order import order as order_of
from renege.games.tractor.rules import FollowDuty, LevelGap, NoTrump, Rules, ShorterRuns, ThrowComparison
from renege.games.tractor.solve import house as house_of
from renege.native import tractor as native_tractor
from renege.native.tractor import CHOICES, FollowBreach
from support.steering import SOAK

DUTIES = {
    rules.LENGTH: FollowBreach.LENGTH,
    rules.FOLLOW_SUIT: FollowBreach.SUIT,
    rules.FOLLOW_PAIR: FollowBreach.PAIR,
    rules.FOLLOW_RUN: FollowBreach.RUN,
    rules.FOLLOW_LONGER_RUN: FollowBreach.LONGER_RUN,
}
SETTINGS = [
    (f"{suit}{level}", gap, no_trump)
    for suit, level, gap, no_trump in product((*PRINTED, "NT"), RANKS, LevelGap, NoTrump)
    if suit == "NT" or no_trump is NoTrump.LEVEL_CARDS
]
CASES = 5000 * SOAK
S2 = order_of("S2")
KERNEL_S2 = native_tractor.order(S2)


def words(*piles: Cards) -> np.ndarray:
    return np.array([[pile.at_least(1), pile.at_least(2)] for pile in piles], np.uint64)


def cards(text: str) -> Cards:
    return DECK.cards(DECK.spellings[name] for name in text.split())


# --- what Python says ---------------------------------------------------------------------------------------


def turn(order: Order, lead: Cards, hand: Cards, here: Rules | None = None) -> Turn:
    trick = Trick((0, 1, 2, 3), (Play(lead),))
    return Turn(here or Rules(), None, order, 1, hand, trick, 0, None, (), DECK.none)


def broken_duty(here: Turn, play: Cards) -> FollowBreach:
    objections = (check(here, Play(play)) for check in follow.FOLLOW)
    return next((DUTIES[objection.rule] for objection in objections if objection), FollowBreach.NONE)


def winner(order: Order, plays: Sequence[Cards], rules: Rules | None = None) -> int:
    here, best = turn(order, plays[0], DECK.none, rules), 0
    for i, play in enumerate(plays[1:], start=1):
        if follow.beats(here, Play(plays[best]), Play(play)):
            best = i
    return best


# --- random cases -------------------------------------------------------------------------------------------


class Table:
    """Random piles without a third copy, biased to pairs, to neighbours and to the step that several cards share."""

    def __init__(self, rng: random.Random, order: Order):
        self.rng, self.order, self.left = rng, order, DECK.all
        self.crowd = sum(step for step in order.steps[TRUMP] if step.bit_count() > 1)
        self.fondness = rng.choice((0.1, 0.5, 0.8, 0.95))  # of pairs
        self.near = rng.random() < 0.5  # only a stretch of the suit is in play

    def pile(self, suit: int, size: int) -> Cards:
        """At most so many cards of a suit."""
        steps = self.order.steps[suit]
        first = self.rng.randrange(len(steps)) if self.near and len(steps) > 8 else 0
        kinds = [card for step in steps[max(0, first - 5) : first + 8 if first else None] for card in kinds_in(step)]
        return self.take(kinds, size, self.left)

    def take(self, kinds: list[int], size: int, source: Cards) -> Cards:
        taken: list[int] = []
        kinds = [card for card in kinds if card in source]
        self.rng.shuffle(kinds)
        kinds.sort(key=lambda card: -(self.crowd >> card & 1) if self.rng.random() < 0.3 else 0)
        for fond in (self.fondness, 0.0, 1.0):
            for card in kinds:
                have = source.count(card) - taken.count(card)
                copies = 2 if have == 2 and self.rng.random() < fond else 1 if have and fond in (0.0, 1.0) else 0
                if copies and len(taken) + copies <= size:
                    taken += [card] * copies
        pile = DECK.cards(taken)
        if source is self.left:
            self.left = self.left - pile
        return pile

    def around_the_crowd(self) -> Cards:
        """Pairs on the step that several cards share and on its neighbours to both sides, as far as there are any."""
        steps = self.order.steps[TRUMP]
        at = next((i for i, step in enumerate(steps) if step & self.crowd), None)
        if at is None:
            return DECK.none
        shared = list(kinds_in(steps[at]))
        kinds = self.rng.sample(shared, self.rng.randint(2, len(shared)))
        for step in steps[max(0, at - self.rng.randint(1, 4)) : at] + steps[at + 1 : at + 1 + self.rng.randint(1, 3)]:
            kinds += kinds_in(step)
        pile = DECK.cards([*kinds, *kinds])
        self.left = self.left - pile
        return pile

    def anything(self, size: int) -> Cards:
        return self.take(list(range(54)), size, self.left)


def suit_to_lead(rng: random.Random, order: Order) -> int:
    suits = [suit for suit, steps in enumerate(order.steps) if steps]
    return TRUMP if rng.random() < 0.5 else rng.choice(suits)


def a_follow(rng: random.Random, order: Order) -> tuple[Cards, Cards, Cards]:
    """A lead, a hand, and a play from it that is often nearly legal."""
    table = Table(rng, order)
    core = table.around_the_crowd() if rng.random() < 0.4 else DECK.none
    suit = TRUMP if core else suit_to_lead(rng, order)
    lead = table.pile(suit, rng.choice((1, 2, 3, 4, 4, 5, 6, 6, 7, 8, 8, 10, 12, 16, 25))) or table.anything(1)
    suit = order.led_suit[next(iter(lead))]
    more = rng.randint(0, 25) if rng.random() < 0.3 else len(lead) - len(core) + rng.randint(1, 6)
    in_suit = order.in_suit(core, suit) + table.pile(suit, max(0, min(25 - len(core), more)))
    least = max(0, min(25, len(lead)) - len(in_suit))
    hand = in_suit + table.anything(min(25 - len(in_suit), max(least, rng.randint(0, 6))))
    size = min(len(hand), len(lead) + rng.choice((0,) * 20 + (1, -1)))
    table.fondness = rng.choice((0.5, 0.9, 1.0))
    play = table.take(list(kinds_in(in_suit.kinds)), size, in_suit)
    if rng.random() < 0.1:
        play = table.take(list(kinds_in(hand.kinds)), size, hand)
    elif len(play) < size:
        play = play + table.take(list(kinds_in((hand - in_suit).kinds)), size - len(play), hand - in_suit)
    return lead, hand, play


def a_trick(rng: random.Random, order: Order) -> list[Cards]:
    table = Table(rng, order)
    core = table.around_the_crowd() if rng.random() < 0.5 else DECK.none
    suit = suit_to_lead(rng, order)
    size = len(core) or rng.choice((1, 2, 2, 4, 4, 6, 7, 8, 10))
    lead = table.pile(suit, size) or table.anything(1)
    follows = [core] if core else []
    while len(follows) < 3:
        table.near = rng.random() < 0.5
        anything = rng.random() < 0.1
        follows.append(table.anything(size) if anything else table.pile(rng.choice((suit, TRUMP)), size))
    rng.shuffle(follows)
    return [lead, *follows]


def spread(seed: int, count: int) -> Iterator[tuple[random.Random, Order, int]]:
    """Every setting in turn: a generator, the order, and how many cases to make of it."""
    each = -(-count // len(SETTINGS))
    for i, setting in enumerate(SETTINGS):
        yield random.Random(seed * 1000 + i), order_of(*setting), each


# --- the same as Python -------------------------------------------------------------------------------------


def test_examples_hold():
    assert doctest.testmod(native_tractor) == (0, 1)


@pytest.mark.parametrize("duty", list(FollowDuty))
@pytest.mark.parametrize("shorter", list(ShorterRuns))
def test_follows_are_judged_as_python_does(shorter: ShorterRuns, duty: FollowDuty):
    seen: set[FollowBreach] = set()
    here = Rules(shorter_runs=shorter, follow_duty=duty)
    for rng, order, each in spread(1, CASES if here == Rules() else CASES // 8):
        cases = [a_follow(rng, order) for _ in range(each)]
        expected = [broken_duty(turn(order, lead, hand, here), play) for lead, hand, play in cases]
        leads, hands, plays = (words(*column) for column in zip(*cases, strict=True))
        found = native_tractor.judge_follows(native_tractor.order(order), leads, hands, plays, house=house_of(here))
        wrong = [(case, FollowBreach(a), b) for case, a, b in zip(cases, found, expected, strict=True) if a != b]
        assert not wrong, (order.steps, *map(str, wrong[0][0]), *wrong[0][1:])
        seen |= set(expected)
    unmet = set[FollowBreach]() if shorter is not ShorterRuns.NOT_OWED else {FollowBreach.LONGER_RUN}
    if duty is FollowDuty.SUIT_ONLY:
        unmet = {FollowBreach.PAIR, FollowBreach.RUN, FollowBreach.LONGER_RUN}
    assert seen == set(FollowBreach) - unmet


def test_shapes_are_those_of_python():
    two_forms = 0
    for rng, order, each in spread(2, CASES):
        leads = [a_follow(rng, order)[0] for _ in range(each)]
        found = native_tractor.shapes(native_tractor.order(order), words(*leads))
        for row, lead in enumerate(leads):
            suit = order.suit_of(lead)
            assert suit is not None
            shape = units.shape_of(order, suit, lead)
            ours = found.suits[row], found.runs(row), found.pairs[row], found.singles[row]
            assert ours == (suit, shape.runs, shape.pairs, shape.singles), str(lead)
            two_forms += len(units.forms(units.counts(order, suit, lead))) == 2
    assert two_forms


def test_winners_are_those_of_python():
    won = [0] * 4
    for rng, order, each in spread(3, CASES):
        tricks = [a_trick(rng, order) for _ in range(each)]
        found = native_tractor.winners(native_tractor.order(order), np.stack([words(*plays) for plays in tricks]))
        for plays, ours in zip(tricks, found, strict=True):
            theirs = winner(order, plays)
            assert ours == theirs, (order.steps, *map(str, plays))
            won[theirs] += 1
    assert min(won) > CASES / 50


SHAPES = [
    (1, 1),
    (1, 0),
    (1, 0, 0),
    (1, 1, 0),
    (1, 1, 1),
    (2, 1),
    (2, 0),
    (2, 1, 0),
    (2, 2),
    (2, 1, 1, 0),
    (3, 1),
    (0, 0),
]


def cards_for(rng: random.Random, order: Order, suit: int, units: tuple[int, ...], left: Cards) -> Cards | None:
    """Such units, pairs by their number and 0 for a single, laid out in a suit."""
    steps, found = order.steps[suit], DECK.none
    for length in units:
        copies, size = (2, length) if length else (1, 1)
        start = rng.randint(0, max(0, len(steps) - size))
        for step in (*steps[start : start + size], *[0] * (start + size - len(steps))):
            kinds = list(kinds_in(step & (left - found).at_least(copies)))
            if not kinds:
                return None
            found += DECK.cards([rng.choice(kinds)] * copies)
    return found


def a_ruffed_throw(rng: random.Random, order: Order) -> list[Cards] | None:
    """A throw of a plain suit and three ruffs that fit it, which may be cut in many ways."""
    units, suit = rng.choice(SHAPES), rng.choice([suit for suit in range(1, len(order.steps)) if order.steps[suit]])
    plays, left = list[Cards](), DECK.all
    for place in range(4):
        tried = (cards_for(rng, order, TRUMP if place else suit, units, left) for _ in range(20))
        pile = next((pile for pile in tried if pile is not None), None)
        if pile is None:
            return None
        plays.append(pile)
        left -= pile
    return plays


@pytest.mark.parametrize("comparison", list(ThrowComparison))
def test_ruffs_are_compared_as_python_does(comparison: ThrowComparison):
    here, otherwise = Rules(throw_comparison=comparison), 0
    for rng, order, each in spread(5, 1500 * SOAK):
        tricks = [plays for _ in range(each) if (plays := a_ruffed_throw(rng, order)) is not None]
        if not tricks:
            continue
        piles = np.stack([words(*plays) for plays in tricks])
        tables = native_tractor.order(order)
        usual = native_tractor.winners(tables, piles)
        for portable in (False, True):
            found = native_tractor.winners(tables, piles, house=house_of(here), portable=portable)
            for plays, ours in zip(tricks, found, strict=True):
                assert ours == winner(order, plays, here), (order.steps, *map(str, plays))
        otherwise += int((usual != found).sum())
    assert (otherwise > 20) == (comparison is not ThrowComparison.LONGEST_UNIT)


# --- the tables, all of them --------------------------------------------------------------------------------


def test_a_hand_has_77_shapes_and_the_tables_are_small():
    every = {runs for runs in native_tractor.SHAPES if sum(runs) <= 12 and min(runs, default=2) >= 2}
    assert len(every) == len(native_tractor.SHAPES) == 77
    assert list(native_tractor.SHAPES) == sorted(every)
    assert native_tractor.TABLE_BYTES < 20 * 1024


def test_codes_name_shapes():
    weights = native_tractor._weights()
    sums = {sum(weights[run] for run in runs) for runs in native_tractor.SHAPES}
    assert len(sums) == 77
    assert max(sums) < native_tractor.CODES


@pytest.mark.parametrize("shorter", CHOICES["shorter_runs"][1])
def test_every_packing_relation(shorter: str):
    """All 77 x 77, with greedy's errors among them: {3,2,2} comes out of {4,3}, {3,2,2,2} out of {5,4}."""
    table = native_tractor._matches(shorter)
    for (i, held), (j, led) in product(enumerate(native_tractor.SHAPES), repeat=2):
        match = native_tractor.SHAPES[table[i, j]]
        if shorter == "all-owed":
            assert match == units._fullest(held, led), (held, led)
            continue
        assert match == tuple(filter(None, units._match(held, led, shorter == "owed"))), (held, led)
        assert (match == led) == units.packs(held, led), (held, led)
    number = native_tractor.SHAPES.index
    assert table[number((4, 3)), number((3, 2, 2))] == number((3, 2, 2))
    assert table[number((5, 4)), number((3, 2, 2, 2))] == number((3, 2, 2, 2))


def test_shape_of_every_mask_of_trump_steps():
    """Every set of at most 12 pairs on the trump suit's steps: 17 where the level leaves a gap."""
    order = order_of("S7", LevelGap.BREAKS)
    steps = order.steps[TRUMP]
    kinds = [next(kinds_in(step)) for step in steps if step]
    masks = np.arange(1, 1 << len(kinds), dtype=np.uint32)
    masks = masks[np.bitwise_count(masks) <= 12]
    if SOAK == 1:
        masks = masks[::7]
    bits = (masks[:, None] >> np.arange(len(kinds), dtype=np.uint32)) & 1
    once = (bits.astype(np.uint64) << np.array(kinds, np.uint64)).sum(axis=1, dtype=np.uint64)
    found = native_tractor.shapes(native_tractor.order(order), np.stack([once, once], axis=1))
    for row, mask in enumerate(once.tolist()):
        runs = units.forms(tuple((mask & step).bit_count() for step in steps))[0]
        assert found.runs(row) == tuple(run for run in runs if run > 1)
        assert found.pairs[row] == runs.count(1)


def test_the_shared_step_in_both_its_forms():
    """Trump diamonds at level 2. The ace and three twos make a run of 3 or two of 2, and answer a lead of either."""
    order = order_of("D2")
    kernel = native_tractor.order(order)
    hand = cards("DA DA S2 S2 H2 H2 D2 D2 DQ DQ DT")
    for lead, play, duty in (
        ("D3 D3 D4 D4 D7 D7 D8 D8", "DA DA S2 S2 H2 H2 D2 D2", FollowBreach.NONE),
        ("D3 D3 D4 D4 D7 D7 D8 D8", "DA DA S2 S2 H2 H2 DQ DQ", FollowBreach.RUN),
        ("D3 D3 D4 D4 D5 D5 D8 D8", "DA DA S2 S2 H2 H2 D2 D2", FollowBreach.NONE),
        ("D3 D3 D4 D4 D5 D5", "DA DA S2 S2 D2 D2", FollowBreach.NONE),
        ("D3 D3 D4 D4 D5 D5", "DA DA S2 S2 H2 H2", FollowBreach.LONGER_RUN),
        ("D3 D3 D4 D4", "S2 S2 H2 H2", FollowBreach.RUN),
        ("D3 D3 D4 D4", "S2 S2 D2 D2", FollowBreach.NONE),
        ("D3 D3", "DA DT", FollowBreach.PAIR),
        ("D3 D3", "DA DA DT", FollowBreach.LENGTH),
    ):
        assert native_tractor.judge_follows(kernel, words(cards(lead)), words(hand), words(cards(play))) == [duty]
        assert broken_duty(turn(order, cards(lead), hand), cards(play)) == duty


def test_a_ruff_may_need_two_runs_side_by_side():
    """A throw of runs of 3, 2 and 2: the ruff has one of 3, and its ace and twos must be two of 2."""
    order = order_of("D2")
    throw = cards("H3 H3 H4 H4 H5 H5 H7 H7 H8 H8 HT HT HJ HJ")
    ruff = cards("D5 D5 D6 D6 D7 D7 DA DA S2 S2 H2 H2 D2 D2")
    trick = [throw, cards("DJ DJ"), ruff, DECK.none]
    assert native_tractor.winners(native_tractor.order(order), words(*trick)[None]) == [winner(order, trick)] == [2]


# --- threads, paths, bad input ------------------------------------------------------------------------------


@cache
def a_batch() -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    rng = random.Random(5)
    leads, hands, plays = zip(*(a_follow(rng, S2) for _ in range(500)), strict=True)
    return words(*leads), words(*hands), words(*plays)


def test_threads_and_paths_do_not_matter():
    rng = random.Random(6)
    tricks = np.stack([words(*a_trick(rng, S2)) for _ in range(300)])
    follows = native_tractor.judge_follows(KERNEL_S2, *a_batch())
    won = native_tractor.winners(KERNEL_S2, tricks)
    for threads, portable in product((1, 2, 3, 7, 600), (False, True)):
        again = native_tractor.judge_follows(KERNEL_S2, *a_batch(), threads, portable=portable)
        assert again.tolist() == follows.tolist()
        assert native_tractor.winners(KERNEL_S2, tricks, threads, portable=portable).tolist() == won.tolist()


def test_no_rows_are_no_trouble():
    none = np.zeros((0, 2), np.uint64)
    assert native_tractor.judge_follows(KERNEL_S2, none, none, none, 4).shape == (0,)
    assert native_tractor.shapes(KERNEL_S2, none).suits.shape == (0,)
    assert native_tractor.winners(KERNEL_S2, none.reshape(0, 4, 2)).shape == (0,)


BEYOND = np.array([1 << 54, 0], np.uint64)
UNEVEN = np.array([1, 3], np.uint64)
MANY = words(DECK.cards(card for card in range(13) for _ in range(2)))[0]


@pytest.mark.parametrize(
    ("lead", "hand", "play", "says"),
    [
        ("", "H4", "H4", "no card was led"),
        ("H3 S5", "H4 H5", "H4 H5", "the lead is of several suits"),
        ("H3 H2", "H4 H5", "H4 H5", "the lead is of several suits"),
        (BEYOND, "H4", "H4", "a card that the deck does not have"),
        ("H3", BEYOND, BEYOND, "a card that the deck does not have"),
        ("H3", "H4", BEYOND, "the play is not in the hand"),
        ("H3", "H4", "H5", "the play is not in the hand"),
        ("H3 H5", "H4", "H4 H4", "the play is not in the hand"),
        (UNEVEN, "H4", "H4", "a card is there twice and not once"),
        ("H3", UNEVEN, "C2", "a card is there twice and not once"),
        ("H3", "H4 H4", np.array([0, cards("H4").kinds], np.uint64), "a card is there twice and not once"),
        ("H3", MANY, "C5", "more than 25 cards"),
        (MANY, "H4", "H4", "more than 25 cards"),
        ("H3", "H3 H3", "H3", "a card is there three times"),
        ("H3 H3", "H3", "H3", "a card is there three times"),
    ],
)
def test_impossible_follows_are_refused_by_row(lead: Any, hand: Any, play: Any, says: str):
    rows = [words(cards(pile))[0] if isinstance(pile, str) else pile for pile in (lead, hand, play)]
    leads, hands, plays = (
        np.concatenate([good[:3], bad[None], good[3:9]]) for good, bad in zip(a_batch(), rows, strict=True)
    )
    for threads in (1, 4):
        with pytest.raises(ValueError, match=f"row 3: {says}"):
            native_tractor.judge_follows(KERNEL_S2, leads, hands, plays, threads)


def test_other_nonsense_is_refused():
    good: Any = words(*[cards("H3")] * 4)
    lead, hand, play = a_batch()
    thrice = np.stack([words(*map(cards, ("H3", "H3 H3", "", "")))])
    bad_steps: Any = type("Bad", (), {"steps": ((3,), (5,))})
    calls: list[tuple[Callable[[], object], str]] = [
        (lambda: native_tractor.shapes(KERNEL_S2, words(cards("H3"), cards("H3 S3"))), "piles row 1: .*several suits"),
        (lambda: native_tractor.shapes(KERNEL_S2, words(DECK.none)), "piles row 0: no card"),
        (lambda: native_tractor.winners(KERNEL_S2, good[None]), "plays row 0: a card is there three times"),
        (lambda: native_tractor.winners(KERNEL_S2, thrice), "plays row 0: a card is there three times"),
        (lambda: native_tractor.winners(KERNEL_S2, np.zeros((1, 4, 2), np.uint64)), "plays row 0: no card"),
        (lambda: native_tractor.winners(KERNEL_S2, good), r"plays must be uint64\[B, 4, 2\]"),
        (lambda: native_tractor.judge_follows(KERNEL_S2, lead, hand[1:], play), r"hands must be uint64\[500, 2\]"),
        (lambda: native_tractor.judge_follows(KERNEL_S2, lead, hand, play, 0), "threads"),
        (lambda: native_tractor.shapes(KERNEL_S2, good.astype(np.int64)), "not int64"),
        (lambda: native_tractor.order(S2, 5), "trump is 5"),
        (lambda: native_tractor.order(bad_steps), "a card stands on two"),
        (lambda: native_tractor.pile([1, 1, 1]), "three times"),
        (lambda: native_tractor.pile([54]), "not in the deck"),
    ]
    for call, says in calls:
        with pytest.raises(ValueError, match=says):
            call()


def test_random_words_are_refused_or_judged():
    rng = np.random.default_rng(4)
    for _ in range(300):
        row = rng.integers(1 << 63, size=(4, 2), dtype=np.uint64) >> rng.integers(5, 60, dtype=np.uint64)
        for call in (
            lambda row=row: native_tractor.shapes(KERNEL_S2, row[:1]),
            lambda row=row: native_tractor.winners(KERNEL_S2, row[None]),
            lambda row=row: native_tractor.judge_follows(KERNEL_S2, row[:1], row[1:2], row[2:3]),
        ):
            with suppress(ValueError):
                call()


def test_equal_orders_are_equal_bytes():
    assert bytes(native_tractor.order(S2)) == bytes(native_tractor.order(order_of("S2")))
    assert bytes(native_tractor.order(S2)) != bytes(native_tractor.order(order_of("S3")))
