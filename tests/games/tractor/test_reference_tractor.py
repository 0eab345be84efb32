"""The brute force itself: hand-worked examples, the published programs' errors, and counts known from elsewhere.

`data/tractor/examples.jsonl` holds a question a line, in the fields of the wire protocol, with what is `expect`ed.
There a broken `duty` is a rule's name without its game; `excluded` is why a play cannot win, in the words of the
reference; `safe` and `beaters` follow the units of a throw, longest first and then highest first; `cuttings` is in
how many ways a play can be cut into the led shape, `degraded` which of its units came from longer ones.
"""

import json
import random
from collections import Counter
from collections.abc import Iterable
from functools import cache
from itertools import combinations, pairwise, permutations, product
from pathlib import Path
from typing import Any, TypeGuard, cast

import pytest

from reference import tractor
from reference.tractor import Shape, parse

EXAMPLES = [
    json.loads(line)
    for line in (Path(__file__).parents[2] / "data" / "tractor" / "examples.jsonl").read_text().splitlines()
]
KEYWORDS = {"throw_comparison": "comparison", "level_gap": "gap"}  # others have the same name here


# --- the examples ---------------------------------------------------------------------------------


def piles(texts: list[str] | None) -> list[tractor.Pile] | None:
    return None if texts is None else [parse(text) for text in texts]


def text(cards: tuple[str, ...]) -> str:
    return " ".join(cards)


def answer(example: dict[str, Any]) -> dict[str, Any]:
    """What the reference says to an example, under the names that examples expect."""
    declaration, grouping = example["declaration"], piles(example.get("grouping"))
    rules: dict[str, str] = example.get("rules", {})
    chosen: dict[str, Any] = {KEYWORDS.get(name, name): choice for name, choice in rules.items()}
    others = piles(example.get("others"))
    if example["kind"] == "legal":
        play = parse(example["play"])
        if example["lead"]:
            lead, hand = parse(example["lead"]), parse(example["hand"])
            legal, duty = tractor.legal_follow(lead, hand, play, declaration, grouping=grouping, **chosen)
        else:
            legal, duty = tractor.legal_lead(play, declaration, others, grouping, **chosen)
        return {"legal": legal, "duty": duty}
    if example["kind"] == "winner":
        plays = [parse(play) for play in example["plays"]]
        best, excluded = tractor.winner(plays, declaration, grouping=grouping, **chosen)
        return {"winner": best, "points": sum(map(tractor.points, plays)), "excluded": excluded}
    if example["kind"] == "shape":
        cards = parse(example["cards"])
        shape = tractor.shape(cards, declaration, **chosen)
        suit = tractor.led_suit(cards, declaration)
        return {"suit": suit, "runs": list(shape.runs), "pairs": shape.pairs, "singles": shape.singles}
    if example["kind"] == "match":
        led = tractor.shape(parse(example["lead"]), declaration, **chosen)
        play = parse(example["play"])
        ways = sorted(tractor.cuttings_into(led, play, declaration, **chosen))
        assert bool(ways) == tractor.conforms(led, play, declaration, **chosen)
        found: dict[str, Any] = {"conforms": bool(ways), "cuttings": len(ways)}
        if ways:
            found["units"] = [text(unit) for unit in ways[0]]
            found["degraded"] = [text(unit) for unit in tractor.degraded(ways[0], declaration, **chosen)]
        return found
    assert example["kind"] == "throw"
    cards = parse(example["cards"])
    if others is not None:
        thrown = tractor.throw(cards, others, declaration, grouping, **chosen)
    else:
        hand, seen = parse(example["hand"]), parse(example["seen"])
        kitty = parse(example["kitty"]) if "kitty" in example else None
        thrown = tractor.throw_public(cards, hand, seen, example["voids"], kitty, declaration, grouping, **chosen)
    return {
        "stands": thrown.stands,
        "led": None if thrown.led is None else text(thrown.led),
        "stopped_by": thrown.stopped_by,
        "safe": [unit.safe for unit in thrown.units],
        "beaters": [[text(unit) for unit in unit.beaters] for unit in thrown.units],
    }


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda example: example["name"])
def test_the_reference_agrees_with_the_example(example: dict[str, Any]):
    found = answer(example)
    assert {name: found[name] for name in example["expect"]} == example["expect"], example["note"]


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda example: example["name"])
def test_an_example_is_possible_with_two_decks(example: dict[str, Any]):
    hands = [example.get("hand", example.get("cards", "")), *example.get("others", [])]
    if example["kind"] == "throw" and "seen" in example:
        hands += [example["seen"], example.get("kitty", "")]
    if example["kind"] == "legal":
        hands.append(example["lead"])
    if example["kind"] == "match":
        hands += [example["lead"], example["play"]]
    if example["kind"] == "throw" and "others" in example:
        hands[0] = example["cards"]
    hands += example.get("plays", [])
    assert max(Counter(" ".join(hands).split()).values()) <= 2
    assert example["note"] and example["source"]


def test_every_published_counterexample_has_its_lines():
    names = " ".join(example["name"] for example in EXAMPLES)
    for tag in (*(f"W{n}" for n in range(1, 8)), *(f"4.{n}" for n in range(1, 6)), "(a)", "(b)", "(c)"):
        assert tag in names
    for n in range(1, 5):
        assert any(example["source"] == f"solvers-ai section 4, counterexample {n}" for example in EXAMPLES)
    assert sum("seed 003" in example["source"] for example in EXAMPLES) >= 20


# --- suits and steps ------------------------------------------------------------------------------


@pytest.mark.parametrize("declaration", tractor.DECLARATIONS)
def test_every_suit_has_its_steps(declaration: str):
    kinds: dict[str, Counter[int]] = {}
    for card in tractor.CARDS:
        kinds.setdefault(tractor.suit(card, declaration), Counter())[tractor.step(card, declaration)] += 1
    plain = dict.fromkeys(range(12), 1)
    if declaration.startswith("NT"):
        assert kinds == {"T": {0: 4, 1: 1, 2: 1}, "S": plain, "H": plain, "C": plain, "D": plain}
    else:
        trumps = {**dict.fromkeys(range(16), 1), 12: 3}
        assert kinds == {"T": trumps, **{suit: plain for suit in "SHCD" if suit != declaration[0]}}


def test_the_trumps_of_spades_at_level_7_stand_in_this_order():
    order = ["S" + rank for rank in "2345689TJQKA"] + ["H7", "S7", "LJ", "BJ"]
    assert [tractor.step(card, "S7") for card in order] == list(range(16))
    assert tractor.step("H7", "S7") == tractor.step("C7", "S7") == tractor.step("D7", "S7") == 12


def test_where_only_jokers_are_trumps_every_suit_is_whole():
    for suit in "SHCD":
        assert [tractor.step(suit + rank, "NT-", gap) for rank in tractor.RANKS for gap in ("closes", "breaks")] == [
            place for place in range(13) for _ in range(2)
        ]
        assert {tractor.suit(suit + rank, "NT-") for rank in tractor.RANKS} == {suit}
    assert tractor.shape(parse("LJ LJ BJ BJ"), "NT-") == Shape((2,), 0, 0)


def test_where_the_gap_breaks_the_ranks_around_the_level_are_not_neighbours():
    for declaration in tractor.DECLARATIONS:
        level = declaration[-1]
        for suit in "SHCD":
            ranks = [rank for rank in tractor.RANKS if rank != level]
            for low, high in pairwise(ranks):
                around = tractor.RANKS.index(low) < tractor.RANKS.index(level) < tractor.RANKS.index(high)
                steps = [tractor.step(suit + rank, declaration, "breaks") for rank in (low, high)]
                assert (steps[1] - steps[0] == 1) == (not around)
        # Nothing else moves apart: the highest trump of the suit is next to the level cards, even king and ace.
        if not declaration.startswith("NT"):
            highest = declaration[0] + ("K" if level == "A" else "A")
            off_suit = next(suit for suit in "SHCD" if suit != declaration[0]) + level
            chain = [highest, off_suit, declaration, "LJ", "BJ"]
            steps = [tractor.step(card, declaration, "breaks") for card in chain]
            assert steps == list(range(steps[0], steps[0] + 5))


def test_one_card_beats_another():
    # Spades trump, level 2, hearts led.
    assert tractor.beats_card("HA", "HK", "H", "S2")
    assert not tractor.beats_card("HK", "HK", "H", "S2")
    assert tractor.beats_card("S3", "HA", "H", "S2")
    assert tractor.beats_card("H2", "SA", "H", "S2")
    assert not tractor.beats_card("C2", "H2", "H", "S2")  # off-suit level cards are equal
    assert tractor.beats_card("S2", "C2", "H", "S2")
    assert not tractor.beats_card("CA", "H3", "H", "S2")  # neither hearts nor trumps
    assert not tractor.beats_card("CA", "C3", "H", "S2")


# --- cutting --------------------------------------------------------------------------------------


def test_two_neighbouring_pairs_can_be_cut_in_five_ways():
    # 33 44: the tractor; 33+44; 33+4+4; 3+3+44; 3+3+4+4.
    found = tractor.cuttings(parse("H3 H3 H4 H4"), "S2")
    three, four = ("H3", "H3"), ("H4", "H4")
    assert found == {
        ((*three, *four),),
        (four, three),
        (three, ("H4",), ("H4",)),
        (four, ("H3",), ("H3",)),
        (("H4",), ("H4",), ("H3",), ("H3",)),
    }


def test_the_eight_cards_of_the_level_step_have_these_run_forms():
    # DA, two off-suit level pairs, D2: {3, pair}, {2, 2}, {2, pair, pair}, four pairs; and less with pairs cut up.
    whole = {shape for shape in tractor.shapes(parse("DA DA S2 S2 H2 H2 D2 D2"), "D2") if not shape.singles}
    assert whole == {Shape((3,), 1, 0), Shape((2, 2), 0, 0), Shape((2,), 2, 0), Shape((), 4, 0)}
    assert tractor.shape(parse("DA DA S2 S2 H2 H2 D2 D2"), "D2") == Shape((3,), 1, 0)


def plain_suit(declaration: str) -> str:
    return next(suit for suit in "DCHS" if suit != declaration[0])


def random_pile(rng: random.Random, declaration: str, suit: str, most: int, taken: tractor.Pile = ()) -> tractor.Pile:
    """Cards of one suit, near each other and with many pairs, of kinds not taken."""
    kinds = sorted(
        (card for card in tractor.CARDS if tractor.suit(card, declaration) == suit and card not in taken),
        key=lambda card: tractor.step(card, declaration),
    )
    if not kinds:
        return ()
    start = rng.randrange(len(kinds))
    near = kinds[start : start + rng.randint(2, 7)] if rng.random() < 0.6 else kinds[-7:]
    cards = [card for card in near for _ in range(rng.choice([0, 1, 2, 2]))]
    rng.shuffle(cards)
    return tractor.pile(cards[:most])


def test_the_remembered_shapes_are_those_of_all_cuttings():
    rng = random.Random(42)
    for _ in range(200):
        declaration = rng.choice(tractor.DECLARATIONS)
        cards = random_pile(rng, declaration, rng.choice(["T", "T", plain_suit(declaration)]), 10)
        for gap in ("closes", "breaks"):
            found = tractor.cuttings(cards, declaration, gap)
            assert {tractor.shape_of(cutting) for cutting in found} == tractor.shapes(cards, declaration, gap)
            for cutting in found:
                assert tractor.pile(card for unit in cutting for card in unit) == cards
                assert cutting in tractor.cuttings_into(tractor.shape_of(cutting), cards, declaration, gap)


def test_a_run_takes_the_first_level_pair_by_card_order():
    cutting = tractor.natural_cutting(parse("DA DA S2 S2 H2 H2 C2 C2 D2 D2"), "D2")
    run = ("DA", "DA", "C2", "C2", "D2", "D2")
    assert cutting == (run, ("H2", "H2"), ("S2", "S2"))


def test_a_grouping_that_is_no_cutting_is_refused():
    lead = parse("DA DA S2 S2 H2 H2 D2 D2")
    with pytest.raises(ValueError, match="no cutting"):
        tractor.led_shape_of(lead, [parse("DA DA S2 S2 D2 D2"), parse("H2"), parse("C2")], "D2")
    with pytest.raises(ValueError, match="no cutting"):
        tractor.led_shape_of(lead, [parse("DA DA D2 D2"), parse("S2 S2"), parse("H2 H2")], "D2")
    assert tractor.led_shape_of(lead, [parse("DA DA H2 H2"), parse("S2 S2 D2 D2")], "D2") == Shape((2, 2), 0, 0)


# --- run structures -------------------------------------------------------------------------------


def partitions(total: int, most: int) -> list[tuple[int, ...]]:
    if total == 0:
        return [()]
    return [(first, *rest) for first in range(min(total, most), 0, -1) for rest in partitions(total - first, first)]


def runs_of(steps: list[int]) -> list[int]:
    """The maximal runs in a set of steps, as lengths."""
    lengths: list[int] = []
    for place, at in enumerate(steps):
        if place and steps[place - 1] == at - 1:
            lengths[-1] += 1
        else:
            lengths.append(1)
    return sorted(lengths, reverse=True)


Form = tuple[int, ...]  # run lengths, longest first, a run of one included
Layout = tuple[tuple[int, ...], int, tuple[int, ...]]  # steps 0..11 with a pair, pairs on step 12, steps 13..15
Special = tuple[Form, tuple[int, int], int]  # other runs, the arms below and above step 12, the pairs on it


def longest_first(lengths: Iterable[int]) -> Form:
    return tuple(sorted(lengths, reverse=True))


def structure(layout: Layout) -> Form | Special:
    """A plain structure is one multiset of runs.

    Special is one with two or three pairs on step 12 and pairs on both sides: a run goes through one of them, or
    one run ends on it from below and another begins on it.
    """
    low, shared, high = layout
    if shared < 2 or 11 not in low or 13 not in high:
        return longest_first(runs_of([*low, *[12] * bool(shared), *high]) + [1] * (max(shared, 1) - 1))
    below = next(n for n in range(13) if 11 - n not in low)
    above = next(n for n in range(13) if 13 + n not in high)
    others = runs_of([at for at in low if at < 12 - below]) + runs_of([at for at in high if at > 12 + above])
    return longest_first(others), (min(below, above), max(below, above)), shared


def forms(kind: Form | Special) -> frozenset[Form]:
    """The run multisets that no other comes before: one, or the spanning and the split form."""
    if not is_special(kind):
        return frozenset([cast(Form, kind)])
    others, (below, above), shared = kind
    spanning = longest_first([*others, below + above + 1, *[1] * (shared - 1)])
    split = longest_first([*others, below + 1, above + 1, *[1] * (shared - 2)])
    return frozenset([spanning, split])


def is_special(kind: Form | Special) -> TypeGuard[Special]:
    return bool(kind) and isinstance(kind[0], tuple)


@cache
def trump_structures() -> dict[Form | Special, Layout]:
    """Every trump structure with one layout that has it."""
    lows = [low for n in range(13) for low in combinations(range(12), n)]
    highs = [high for n in range(4) for high in combinations(range(13, 16), n)]
    found: dict[Form | Special, Layout] = {}
    for layout in product(lows, range(4), highs):
        found.setdefault(structure(layout), layout)
    return found


def pairs_in(layout: Layout) -> int:
    return len(layout[0]) + layout[1] + len(layout[2])


TRUMPS = ["S" + rank for rank in "3456789TJQKA"] + ["H2", "S2", "LJ", "BJ"]  # by step at S2, one of the level kinds


def pairs_of(layout: Layout) -> tractor.Pile:
    low, shared, high = layout
    kinds = [TRUMPS[at] for at in (*low, *high)] + ["H2", "C2", "D2"][:shared]
    return tractor.pile(kinds * 2)


@cache
def run_multisets(cards: tractor.Pile, declaration: str) -> frozenset[Form]:
    """All ways to cut pairs into runs, a run of one included, found card by card."""
    if not cards:
        return frozenset([()])
    lowest = min(cards, key=lambda card: (tractor.step(card, declaration), card))
    found: set[Form] = set()
    for run in tractor.runs_from(lowest, tractor.pair_kinds(cards), declaration):
        rest = tractor.without(cards, run * 2)
        found |= {longest_first((len(run), *more)) for more in run_multisets(rest, declaration)}
    return frozenset(found)


@cache
def finer(form: Form) -> frozenset[Form]:
    """All multisets that come from cutting runs of one into shorter ones."""
    found: set[Form] = {()}
    for run in form:
        found = {longest_first((*more, *parts)) for more in found for parts in partitions(run, run)}
    return frozenset(found)


@cache
def packs(lead: Form, runs: Form) -> bool:
    """Can runs be cut so that every run of the lead is there? What is over does not matter."""
    if not lead:
        return True
    for place, run in enumerate(runs):
        if run >= lead[0] and run not in runs[:place]:
            left = [length for length in (*runs[:place], *runs[place + 1 :], run - lead[0]) if length]
            if packs(lead[1:], longest_first(left)):
                return True
    return False


def plain_suit_structures() -> set[Form]:
    return {tuple(runs_of(list(steps))) for n in range(13) for steps in combinations(range(12), n)}


def test_a_plain_suit_has_101_run_structures():
    structures = plain_suit_structures()
    assert len(structures) == 101
    # The closed condition: n pairs in k runs fit into 12 steps if n + k - 1 <= 12.
    assert structures == {p for n in range(13) for p in partitions(n, n) if n + len(p) - 1 <= 12}
    assert sum(1 for n in range(13) for _ in partitions(n, n)) == 272


@pytest.mark.parametrize(("most", "plain", "special"), [(12, 266, 455), (16, 500, 1101), (18, 502, 1116)])
def test_trumps_have_721_run_structures_in_a_hand_of_25(most: int, plain: int, special: int):
    held = [kind for kind, layout in trump_structures().items() if pairs_in(layout) <= most]
    assert (sum(not is_special(kind) for kind in held), sum(map(is_special, held))) == (plain, special)
    assert plain + special == {12: 721, 16: 1601, 18: 1618}[most]


def test_only_552_of_the_721_trump_structures_differ_in_what_they_can_give():
    # A third pair on the level step does no more than a lone pair elsewhere.
    held = [kind for kind, layout in trump_structures().items() if pairs_in(layout) <= 12]
    assert Counter(len(pair) for pair in {forms(kind) for kind in held}) == {1: 266, 2: 286}


def test_trumps_without_a_suit_have_14_run_structures():
    structures: set[Form] = set()
    for shared in range(5):
        for jokers in ([], ["LJ"], ["BJ"], ["LJ", "BJ"]):
            kinds = ["S2", "H2", "C2", "D2"][:shared] + jokers
            ways = run_multisets(tractor.pile(kinds * 2), "NT2")
            assert ways == finer(max(ways))  # nothing lies below the level step, so one form always does
            structures.add(max(ways))
    assert len(structures) == 14


def test_a_run_structure_is_all_that_can_be_made_of_its_pairs():
    # Card by card, on actual levels, the ways to cut a layout into runs are those of its one or two forms.
    rng = random.Random(7)
    small = [item for item in trump_structures().items() if pairs_in(item[1]) <= 8]
    large = [item for item in trump_structures().items() if 8 < pairs_in(item[1]) <= 12]
    for kind, layout in [*small, *rng.sample(large, 60)]:
        ways = run_multisets(pairs_of(layout), "S2")
        assert ways == frozenset().union(*(finer(form) for form in forms(kind))), layout
        if pairs_in(layout) <= 6:
            best = tractor.shape(pairs_of(layout), "S2")
            assert (*best.runs, *[1] * best.pairs) == max(forms(kind))


def test_some_leads_need_the_spanning_and_some_the_split_form():
    held = {kind for kind, layout in trump_structures().items() if pairs_in(layout) <= 12}
    special = (
        [max(forms(kind)) for kind in held if is_special(kind)],
        [min(forms(kind)) for kind in held if is_special(kind)],
    )
    trump_leads = {kind for kind in held if not is_special(kind)}
    for leads, need_spanning, need_split in ((trump_leads, 7695, 3415), (plain_suit_structures(), 4213, 1178)):
        can = [
            (packs(lead, spanning), packs(lead, split))
            for lead in leads
            for spanning, split in zip(*special, strict=True)
        ]
        assert (can.count((True, False)), can.count((False, True))) == (need_spanning, need_split)


# --- following ------------------------------------------------------------------------------------


def test_a_match_gives_the_longest_led_run_first():
    hand = parse("H3 H3 H4 H4 H5 H5 H7 H7 H8 H8")  # a run of three and a run of two
    assert tractor.best_match([4], hand, "S2") == (3,)
    assert tractor.best_match([2], hand, "S2") == (2,)
    assert tractor.best_match([2, 2], hand, "S2") == (2, 2)
    assert tractor.best_match([2, 2, 2], hand, "S2") == (2, 2, 0)  # the pair left of the three is no run
    assert tractor.best_match([3, 3], hand, "S2") == (3, 2)
    assert tractor.best_match([4, 2], hand, "S2", shorter_runs="not-owed") == (0, 2)
    assert tractor.best_match([3, 2], hand, "S2", shorter_runs="not-owed") == (3, 2)
    assert tractor.best_match([], hand, "S2") == ()


def test_the_longest_run_goes_first_even_where_it_leaves_nothing_to_the_next():
    # Runs of three and two led, a single run of four held: three and nothing comes before two and two.
    assert tractor.best_match([3, 2], parse("H3 H3 H4 H4 H5 H5 H6 H6"), "S2") == (3, 0)
    # Such a hand, eleven cards for ten: all five pairs must go, and with them the three.
    hand = parse("H3 H3 H4 H4 H5 H5 H6 H6 H8 H8 HT")
    lead = parse("H9 H9 HJ HJ HQ HQ HK HK HA HA")
    five = parse("H3 H3 H4 H4 H5 H5 H6 H6 H8 H8")
    grouping = [parse("HQ HQ HK HK HA HA"), parse("H9 H9"), parse("HJ HJ")]
    assert tractor.legal_follows(lead, hand, "S2", grouping=grouping) == {five}


def test_every_further_run_is_owed_to_what_is_left_of_the_longest_led_run():
    def all_owed(led: list[int], *runs: int) -> tuple[int, ...]:
        kinds = iter("23456789TJQKA")
        hand = [f"H{kind}" for run in runs for kind in (*(next(kinds) for _ in range(run)), next(kinds))[:run]]
        return tractor.best_match(led, parse(" ".join([*hand, *hand])), "SA", shorter_runs="all-owed")

    assert all_owed([4], 2, 2) == (2, 2)
    assert all_owed([4], 3, 2) == (3,)  # one pair is left of the four, and no run is so short
    assert all_owed([5], 2, 3) == (3, 2)
    assert all_owed([5, 3], 3, 3) == (3, 3)  # the second goes to the led run of three: that is longer than what is left
    assert all_owed([6, 2], 3, 3) == (3, 3)  # and here to what is left of the six
    assert all_owed([6], 2, 2, 2) == (2, 2, 2)
    assert all_owed([2, 2], 4) == (2, 2)
    assert all_owed([3], 1, 1, 1) == ()


def test_a_pair_inside_a_tractor_is_owed_to_tractors_alone():
    def legal(lead: str, hand: str, play: str) -> bool:
        return tractor.legal_follow(parse(lead), parse(hand), parse(play), "S2", follow="tractors-protected")[0]

    assert legal("H5 H5", "HQ HQ HK HK H3 H4", "H3 H4")
    assert legal("H5 H5", "HQ HQ HK HK H3 H4", "HQ HQ")
    assert not legal("H5 H5", "HQ HQ HK HK H7 H7 H3 H4", "H3 H4")  # the sevens are in no tractor
    assert legal("H5 H5", "HQ HQ HK HK H7 H7 H3 H4", "HK HK")
    assert not legal("H5 H5 H6 H6", "HQ HQ HK HK H3 H4", "HQ HQ H3 H4")  # tractors draw tractors
    assert legal("H5 H5 H6 H6 H7 H7", "HQ HQ HK HK H9 H9 HT HT H3 H4", "HQ HQ HK HK H3 H4")
    assert legal("S5 S5", "SA SA H2 H2 D2 D2 S3 S4", "S3 S4")  # ace and either level pair make a tractor


def test_a_match_is_the_best_of_all_cuttings_dealt_to_the_led_runs():
    rng = random.Random(19)
    for _ in range(300):
        declaration = rng.choice(["S2", "S7", "HA", "NT5"])
        cards = random_pile(rng, declaration, rng.choice(["T", "T", "C"]), 12)
        led = longest_first(rng.choices([2, 2, 3, 4], k=rng.randint(1, 3)))
        best = tuple(0 for _ in led)
        for runs in {shape.runs for shape in tractor.shapes(cards, declaration)}:
            for dealt in permutations([*runs, *[0] * len(led)], len(led)):
                if all(given <= length for given, length in zip(dealt, led, strict=True)):
                    best = max(best, dealt)
        assert tractor.best_match(led, cards, declaration) == best


def test_a_hand_of_three_pairs_answers_a_pair_in_three_ways():
    # Five cards in suit for two led: 33, 44 or 77, never a pair broken.
    follows = tractor.legal_follows(parse("HA HA"), parse("H3 H3 H4 H4 H7 H7 C3 C3"), "S2")
    assert follows == {("H3", "H3"), ("H4", "H4"), ("H7", "H7")}


def test_a_hand_short_of_the_suit_fills_with_anything():
    # One heart for two led: it goes, with any of the three other kinds.
    follows = tractor.legal_follows(parse("HA HA"), parse("H3 C3 C3 C4 S3"), "S2")
    assert follows == {("C3", "H3"), ("C4", "H3"), ("H3", "S3")}


def test_every_lead_leaves_something_legal_and_every_refusal_names_its_duty():
    rng = random.Random(3)
    seen: Counter[str | None] = Counter()
    for _ in range(2500):
        declaration = rng.choice(tractor.DECLARATIONS)
        suit = rng.choice(["T", plain_suit(declaration)])
        lead = random_pile(rng, declaration, suit, 8)
        if not lead or (not tractor.shape(lead, declaration).runs and rng.random() < 0.8):
            continue
        hand = random_pile(rng, declaration, suit, 12, taken=lead)
        rest = tractor.without([card for card in tractor.CARDS for _ in range(2)], [*lead, *hand])
        hand = tractor.pile([*hand, *rng.sample(rest, max(1, len(lead) + 1 - len(hand)))])
        follows = tractor.legal_follows(lead, hand, declaration)
        assert follows, (declaration, lead, hand)
        for play in set(combinations(hand, len(lead))):
            legal, duty = tractor.legal_follow(lead, hand, play, declaration)
            assert legal == (play in follows) == (duty is None)
            seen[duty] += 1
        assert tractor.legal_follow(lead, hand, hand, declaration) == (False, "length")
        strict = tractor.legal_follows(lead, hand, declaration, shorter_runs="not-owed")
        assert strict
    assert set(seen) == {None, "follow-suit", "follow-pair", "follow-run", "follow-longer-run"}
    assert min(seen.values()) >= 50, seen


def hands_over(kinds: str) -> list[tractor.Pile]:
    """Every hand of some kinds, up to two copies of each."""
    names = kinds.split()
    counts = product(range(3), repeat=len(names))
    return [tractor.pile(n for n, k in zip(names, count, strict=True) for _ in range(k)) for count in counts]


# Sub-decks around the level step: for each lead and each hand of these cards (a lead may share cards with the hand:
# only shapes meet), the number of hands that are long enough and of legal plays, summed.
LITTLE_DECKS = [
    ("S2", "S3 S3 S4 S4", "SK SA H2 D2 S2 LJ", 651, 1290),
    ("S2", "S3 S3 S4 S4 S5 S5", "SK SA H2 D2 S2 LJ", 435, 751),
    ("S2", "S3 S3 S4 S4 S6 S6 S7 S7", "SA H2 C2 D2 S2 LJ", 168, 241),
    ("NT2", "S2 S2 LJ LJ", "S2 H2 C2 D2 LJ BJ", 651, 1485),
    ("S7", "H3 H3 H4 H4 H9", "H5 H6 H8 HT HJ HQ", 561, 1900),
]


@pytest.mark.parametrize(("declaration", "lead", "kinds", "hands", "follows"), LITTLE_DECKS)
def test_the_little_decks_have_so_many_legal_plays(declaration: str, lead: str, kinds: str, hands: int, follows: int):
    led = parse(lead)
    counts = [len(tractor.legal_follows(led, hand, declaration)) for hand in hands_over(kinds) if len(hand) >= len(led)]
    assert (len(counts), sum(counts)) == (hands, follows)


# --- who wins -------------------------------------------------------------------------------------


def win(plays: str, declaration: str = "S2", comparison: str = "longest-unit") -> int:
    return tractor.winner([parse(play) for play in plays.split("|")], declaration, comparison)[0]


def test_single_cards_win_as_card_beats_card():
    rng = random.Random(11)
    for _ in range(2000):
        declaration = rng.choice(tractor.DECLARATIONS)
        cards = rng.sample(tractor.CARDS * 2, 4)
        led, best = tractor.suit(cards[0], declaration), 0
        for place in (1, 2, 3):
            if tractor.beats_card(cards[place], cards[best], led, declaration):
                best = place
        for comparison in ("longest-unit", "all-units", "highest-card"):
            assert tractor.winner([(card,) for card in cards], declaration, comparison)[0] == best


def test_pairs_and_tractors_of_the_led_suit_compare_by_their_top():
    assert win("H3 H3 | H5 H5 | H4 H4 | HA HK") == 1
    assert win("H3 H3 H4 H4 | H6 H6 H7 H7 | H5 H5 H8 H8 | HA HA HK HK") == 3
    assert win("H3 H3 | H4 H4 | S3 S3 | H2 S2") == 2
    assert win("H3 H3 | C2 C2 | D2 D2 | H2 H2") == 1  # equal pairs: the earlier


def test_a_ruff_of_a_throw_is_ruffed_over():
    # Pair and single thrown. Longest unit: the pair decides. Every unit: pair and single must both go over.
    plays = "HA HA HK | S5 S5 S9 | S6 S6 S7 | S4 S4 SA"
    assert win(plays) == 2
    assert win(plays, comparison="all-units") == 1
    assert win(plays, comparison="highest-card") == 3


def test_where_every_unit_counts_a_ruff_is_cut_anew_each_time_it_is_compared():
    # Pair and two singles thrown, 66 T 5 ruffs. 99 JJ goes over it as pair 99 with two jacks (9 > 6, J > T, J > 5).
    # It stands as pair JJ with two nines as well as so: QQ K T would have to go over both.
    start = "HA HA HK HQ | S6 S6 S5 ST | S9 S9 SJ SJ |"
    assert win(start + "SQ SQ SK ST", comparison="all-units") == 2  # T is not above J
    assert win(start + "SQ SQ S7 S7", comparison="all-units") == 2
    assert win(start + "SQ SQ SK SA", comparison="all-units") == 3
    # TT 55 may be cut in two ways, and QQ 99 goes over each of them, cut the same way.
    assert win("HA HA HK HQ | ST ST S5 S5 | SQ SQ S9 S9 | S3 S3 S4 S4", comparison="all-units") == 2
    # The ten of diamonds is a level card: as a pair of fives with two of them it is over the king of trumps.
    plays = "S3 S6 S6 S5 | DT DT C5 C5 | C8 C8 C9 C9 | BJ BJ CK LJ"
    assert win(plays, "CT", comparison="all-units") == 1


def test_a_throw_of_trumps_is_never_beaten():
    # Even if it should not have stood.
    for comparison in ("longest-unit", "all-units", "highest-card"):
        assert win("S3 S3 S5 | S9 S9 ST | LJ LJ BJ | H2 H2 S2", comparison=comparison) == 0


# --- throws ---------------------------------------------------------------------------------------


def test_of_equal_singles_the_first_by_card_order_is_led():
    thrown = tractor.throw(parse("H2 D2 C2"), [parse("S3"), parse("S2"), parse("LJ")], "S2")
    assert (thrown.stands, thrown.led, thrown.stopped_by) == (False, ("C2",), 2)


def test_what_public_knowledge_proves_holds_in_every_deal():
    # Random small worlds: four hands and a kitty that agree with what the thrower sees.
    rng = random.Random(5)
    verdicts: Counter[bool | None] = Counter()
    for _ in range(400):
        declaration = rng.choice(["S2", "HT", "NT5"])
        suit = rng.choice(["T", "C", "D"])
        cards = [c for c in tractor.CARDS for _ in range(2)]
        mine = [card for card in cards if tractor.suit(card, declaration) == suit]
        rng.shuffle(mine)
        mine.sort(key=lambda card: tractor.step(card, declaration) + rng.random() * 6)
        thrown = tractor.pile(mine[-rng.randint(2, 5) :])
        rest = list(tractor.without(mine, thrown))
        rng.shuffle(rest)
        seen, hidden = rest[: rng.randrange(len(rest) + 1)], []
        hidden = rest[len(seen) :]
        known = rng.random() < 0.5
        kitty = hidden[: rng.randrange(3)]
        others: list[list[str]] = [[], [], []]
        void = rng.choice([[], [], [0], [0, 1], [1, 2]])
        for card in hidden[len(kitty) :]:
            others[rng.choice([seat for seat in range(3) if seat not in void])].append(card)
        voids = [[suit] if not hand else [] for hand in others]
        elsewhere = [card for card in cards if tractor.suit(card, declaration) != suit]
        whole = [*kitty, *elsewhere[: 8 - len(kitty)]] if known else None
        public = tractor.throw_public(thrown, thrown, seen, voids, whole, declaration)
        open_hands = tractor.throw(thrown, others, declaration)
        verdicts[public.stands] += 1
        if public.stands is not None:
            assert public.stands == open_hands.stands
        assert public.led in (None, open_hands.led)
        assert public.stopped_by in (None, open_hands.stopped_by)
        for said, true in zip(public.units, open_hands.units, strict=True):
            assert said.cards == true.cards
            assert set(true.beaters) <= set(said.beaters)
            assert true.safe or not said.safe
    assert min(verdicts[True], verdicts[False], verdicts[None]) >= 10


# --- the score ------------------------------------------------------------------------------------


def test_two_decks_have_200_points():
    assert 2 * tractor.points(tractor.CARDS) == 200


@pytest.mark.parametrize(
    ("lead", "cards", "twice", "pairs"),
    [
        ("HK", 2, 2, 2),
        ("HK HK", 4, 4, 4),
        ("HK HK HQ HQ", 16, 8, 8),
        ("HK HK HQ HQ HJ HJ", 64, 12, 16),
        ("HQ HQ HJ HJ HK", 16, 8, 8),  # W2
        ("HQ HQ HJ HJ HT HT HK", 64, 12, 16),  # W3
        ("HA HA HQ HQ", 4, 4, 8),  # two pairs: the longest unit is one of them, all pairs are two
        ("HA HA HQ", 4, 4, 4),
    ],
)
def test_the_kitty_counts_by_the_last_lead(lead: str, cards: int, twice: int, pairs: int):
    led = tractor.shape(parse(lead), "S2")
    assert tractor.kitty_multiplier(led) == cards
    assert tractor.kitty_multiplier(led, "twice-cards") == twice
    assert tractor.kitty_multiplier(led, "two-to-pairs-plus-1") == pairs


@pytest.mark.parametrize(
    ("attackers", "side", "steps"),
    [
        *[(0, "banker", 3), (5, "banker", 2), (35, "banker", 2), (40, "banker", 1), (75, "banker", 1)],
        *[(80, "attackers", 0), (115, "attackers", 0), (120, "attackers", 1), (155, "attackers", 1)],
        *[(160, "attackers", 2), (200, "attackers", 3), (3050, "attackers", 74)],
    ],
)
def test_the_level_table(attackers: int, side: str, steps: int):
    assert tractor.levels_won(attackers) == (side, steps)
    assert [tractor.next_banker(seat, attackers) for seat in range(4)] == (
        [2, 3, 0, 1] if side == "banker" else [1, 2, 3, 0]
    )


def test_levels_that_must_be_defended_are_not_passed_over():
    assert tractor.climb("2", 3, True) == "5"
    assert tractor.climb("Q", 3, True) is None
    assert tractor.climb("Q", 2, False) == "A"
    assert tractor.climb("A", 1, False) is None
    assert tractor.climb("4", 3, True, ["5", "T", "K", "A"]) == "5"
    assert tractor.climb("5", 2, True, ["5", "T", "K", "A"]) == "7"
    assert tractor.climb("5", 2, False, ["5", "T", "K", "A"]) == "5"
    assert tractor.climb("Q", 3, True, ["A"]) == "A"
    assert tractor.climb("A", 1, False, ["A"]) == "A"
    assert tractor.climb("A", 1, True, ["A"]) is None


def test_a_last_trick_is_settled_as_the_paper_should_have():
    # W2: seat 0 is banker and leads; seat 1, an attacker, ruffs. 10 in the trick; 190 lie unseen: 10 + 190 x 16.
    plays = [parse(play) for play in ("HQ HQ HJ HJ HK", "S3 S3 S4 S4 S6", "C3 C4 C6 C7 D3", "D4 D6 D7 D8 C8")]
    unseen = tractor.without([c for c in tractor.CARDS for _ in range(2)], [c for play in plays for c in play])
    result = tractor.score("S2", 0, ["2", "2"], unseen, 0, [plays])
    assert (result.attackers, result.multiplier, result.winners) == (3050, 16, (1,))
    assert (result.levels, result.banker, result.winner) == (("2", "A"), 1, 1)  # 74 levels are past the ace
    # Were seat 1 banker, the trick and the kitty are of no account: nothing for the attackers, three levels.
    result = tractor.score("S2", 1, ["2", "2"], unseen, 0, [plays])
    assert (result.attackers, result.levels, result.banker, result.winner) == (0, ("2", "5"), 3, None)


def test_a_renege_shows_when_the_kept_cards_come_out():
    # Seat 1 discards on hearts and has one in the next trick.
    first = [parse(card) for card in ("HA", "C3", "H4", "H5")]
    second = [parse(card) for card in ("HK", "H3", "C4", "C5")]
    assert tractor.first_renege("S2", 0, [first, second]) == (0, 1, "follow-suit")
    second[1] = parse("D3")
    assert tractor.first_renege("S2", 0, [first, second]) is None
    # A throw that another hand stops is a wrong lead.
    throw = [parse(cards) for cards in ("HK HQ", "H3 HA", "H4 H5", "C4 C5")]
    assert tractor.first_renege("S2", 0, [throw]) == (0, 0, "throw-stopped")
