"""Cutting pairs into runs: the two forms, and what can be packed into them, against every way to lay cards down."""

import random
from functools import cache
from itertools import combinations, product

import pytest

from reference import tractor as reference
from renege.games.tractor.units import Counts, Runs, best_match, can_cut, counts, forms, fullest_match, packs
from support.steering import SOAK
from support.tractor_turns import Setting, cards, suit_id

Layout = tuple[int, ...]  # pairs on each step, lowest first


def partitions(total: int, most: int) -> list[Runs]:
    if total == 0:
        return [()]
    return [(first, *rest) for first in range(min(total, most), 0, -1) for rest in partitions(total - first, first)]


def longest_first(lengths: tuple[int, ...] | list[int]) -> Runs:
    return tuple(sorted(lengths, reverse=True))


@cache
def run_multisets(pairs: Layout) -> frozenset[Runs]:
    """All ways to cut pairs on steps into runs, a run of one included: from the lowest pair up, as far as one likes."""
    lowest = next((step for step, count in enumerate(pairs) if count), None)
    if lowest is None:
        return frozenset([()])
    found: set[Runs] = set()
    left = list(pairs)
    for step in range(lowest, len(pairs)):
        if not left[step]:
            break
        left[step] -= 1
        found |= {longest_first((step - lowest + 1, *rest)) for rest in run_multisets(tuple(left))}
    return frozenset(found)


def givable(pairs: Layout) -> frozenset[Runs]:
    """Every multiset of units that some cutting of the pairs contains, found by laying all cuttings out."""
    found: set[Runs] = set()
    for way in run_multisets(pairs):
        for size in range(len(way) + 1):
            found |= set(combinations(way, size))
    return frozenset(found)


def check(pairs: Layout) -> None:
    """What the engine says can be cut out of pairs is what can be."""
    possible = givable(pairs)
    for total in range(sum(pairs) + 2):
        for units in partitions(total, total):
            assert can_cut(pairs, units) == (units in possible), (pairs, units)
    assert max(forms(pairs)) == max(run_multisets(pairs))
    assert set(forms(pairs)) <= run_multisets(pairs)


@cache
def packs_slowly(runs: Runs, units: Runs) -> bool:
    """Packing by trying every run for every unit."""
    if not units:
        return True
    return any(
        packs_slowly(longest_first([*runs[:i], *runs[i + 1 :], run - units[0]]), units[1:])
        for i, run in enumerate(runs)
        if run >= units[0]
    )


def plain_layouts() -> dict[Runs, Layout]:
    """One layout of each run structure of a plain suit."""
    found: dict[Runs, Layout] = {}
    for pairs in product((0, 1), repeat=12):
        (form,) = forms(pairs)
        found.setdefault(form, pairs)
    return found


@cache
def trump_layouts() -> list[Layout]:
    """One layout of each trump structure in a hand of 25: other runs, the arms beside the level step, pairs on it."""
    found: dict[object, Layout] = {}
    for low in product((0, 1), repeat=12):
        for shared, high in product(range(4), product((0, 1), repeat=3)):
            if sum(low) + shared + sum(high) <= 12:
                found.setdefault(_kind(low, shared, high), (*low, shared, *high))
    return list(found.values())


def _kind(low: Layout, shared: int, high: Layout) -> object:
    below = next((n for n in range(12) if not low[11 - n]), 12)
    above = next((n for n in range(3) if not high[n]), 3)
    if shared < 2 or not (below and above):
        steps = [*low, 1 if shared else 0, *high]
        lengths = [len(run) for run in "".join(map(str, steps)).split("0") if run]
        return longest_first([*lengths, *[1] * (shared - 1)])
    rest = "".join(map(str, [*low[: 12 - below], 0, *high[above:]]))
    return longest_first([len(run) for run in rest.split("0") if run]), min(below, above), max(below, above), shared


def test_a_plain_suit_has_101_structures_and_the_engine_cuts_each_as_brute_force_does():
    layouts = plain_layouts()
    assert len(layouts) == 101
    for form, pairs in layouts.items():
        assert run_multisets(pairs) and max(run_multisets(pairs)) == form
        check(pairs)


def test_trumps_have_721_structures_and_the_engine_cuts_each_as_brute_force_does():
    layouts = trump_layouts()
    assert len(layouts) == 721
    for pairs in layouts:
        check(pairs)


def test_trumps_without_a_suit_are_cut_as_brute_force_does():
    for pairs in product(range(5), range(2), range(2)):
        check(pairs)


@pytest.mark.parametrize("declaration", ["S2", "H7", "CT", "DA", "NT5"])
def test_pairs_are_counted_on_the_steps_where_the_cards_stand(declaration: str):
    # On actual cards: the shapes of all cuttings, card by card, are the multisets that the engine can cut.
    at, rng = Setting(declaration), random.Random(declaration)
    for _ in range(40):
        steps = at.steps("T")
        kinds = rng.sample([card for step in steps for card in step], rng.randint(1, min(5, sum(map(len, steps)))))
        if rng.random() < 0.7:
            kinds = [card for step in steps[-5:] for card in step]
            kinds = rng.sample(kinds, rng.randint(2, 5))
        pile = reference.pile(kinds * 2)
        pairs = counts(at.order, suit_id("T"), cards(pile))
        whole = [told for told in reference.shapes(pile, declaration) if not told.singles]
        told = {(*shape.runs, *[1] * shape.pairs) for shape in whole}
        every = {units for units in partitions(len(kinds), len(kinds)) if can_cut(pairs, units)}
        assert every == told, (declaration, kinds)


def test_packing_is_packing():
    lists = [runs for total in range(11) for runs in partitions(total, total)]
    rng = random.Random(4)
    for _ in range(4000 * min(SOAK, 20)):
        runs, units = rng.choice(lists), rng.choice(lists)
        assert packs(runs, units) == packs_slowly(runs, units), (runs, units)


def test_longest_first_is_no_way_to_pack():
    # The published trap: three into the four leaves no room for two and two.
    assert packs((4, 3), (3, 2, 2))
    assert not packs((4, 3), (4, 2, 2))
    assert packs((5, 4), (3, 2, 2, 2))
    assert not packs((5, 4), (3, 3, 3))


@pytest.mark.parametrize(
    ("pairs", "expected"),
    [
        ((1, 1, 0, 1), {(2, 1)}),
        ((1, 2, 1), {(3, 1), (2, 2)}),
        ((1, 3, 1), {(3, 1, 1), (2, 2, 1)}),
        ((1, 2), {(2, 1)}),
        ((2, 1), {(2, 1)}),
        ((0, 3, 0), {(1, 1, 1)}),
        ((1, 1, 2, 1, 1, 0, 1), {(5, 1, 1), (3, 3, 1)}),
        ((4, 1, 1), {(3, 1, 1, 1)}),
        ((0, 0), {()}),
    ],
)
def test_pairs_that_share_a_step_have_two_forms(pairs: Counts, expected: set[Runs]):
    assert set(forms(pairs)) == expected


@pytest.mark.parametrize(
    ("pairs", "led", "owed", "not_owed"),
    [
        ((1, 1, 1, 0, 1, 1), (4,), (3,), (0,)),
        ((1, 1, 1, 0, 1, 1), (2, 2, 2), (2, 2, 0), (2, 2, 0)),
        ((1, 1, 1, 0, 1, 1), (3, 3), (3, 2), (3, 0)),
        ((1, 1, 1, 0, 1, 1), (4, 2), (3, 2), (0, 2)),
        ((1, 1, 1, 1), (3, 2), (3, 0), (3, 0)),
        ((1, 2, 1), (2, 2), (2, 2), (2, 2)),
        ((1, 2, 1), (3, 2), (3, 0), (3, 0)),
        ((1, 2, 1), (4, 2), (3, 0), (0, 2)),
        ((1, 2, 1), (), (), ()),
    ],
)
def test_a_match_gives_the_longest_led_run_first(pairs: Counts, led: Runs, owed: Runs, not_owed: Runs):
    assert best_match(pairs, led) == owed
    assert best_match(pairs, led, shorter=False) == not_owed


@pytest.mark.parametrize(
    ("runs", "led", "given"),
    [
        ((2, 2), (4,), (2, 2)),
        ((3, 2), (4,), (3,)),  # one pair is left of the four
        ((3, 2), (5,), (3, 2)),
        ((3, 3), (5, 3), (3, 3)),  # the second answers the led run of three, not what is left of the five
        ((3, 3), (6, 2), (3, 3)),  # and here what is left of the six
        ((2, 2, 2), (6,), (2, 2, 2)),
        ((4,), (2, 2), (2, 2)),
        ((1, 1, 1), (3,), ()),
    ],
)
def test_every_further_run_goes_to_the_longest_stretch_that_is_unanswered(runs: Runs, led: Runs, given: Runs):
    pairs: Counts = ()
    for run in runs:
        pairs = (*pairs, *(1,) * run, 0)
    assert fullest_match(pairs, led) == given
