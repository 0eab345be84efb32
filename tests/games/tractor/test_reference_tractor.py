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
from itertools import combinations, pairwise, product
from pathlib import Path
from typing import Any, TypeGuard, cast

import pytest

from reference import tractor, tractor_round
from reference.tractor import Shape, parse
from support.cases import each
from support.tractor_piles import plain_suit, random_pile

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
            legal, duty = tractor_round.legal_lead(play, declaration, others, grouping, **chosen)
        return {"legal": legal, "duty": duty}
    if example["kind"] == "winner":
        plays = [parse(play) for play in example["plays"]]
        best, excluded = tractor.winner(plays, declaration, grouping=grouping, **chosen)
        return {"winner": best, "points": sum(map(tractor_round.points, plays)), "excluded": excluded}
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
        thrown = tractor_round.throw(cards, others, declaration, grouping, **chosen)
    else:
        hand, seen = parse(example["hand"]), parse(example["seen"])
        kitty = parse(example["kitty"]) if "kitty" in example else None
        thrown = tractor_round.throw_public(cards, hand, seen, example["voids"], kitty, declaration, grouping, **chosen)
    return {
        "stands": thrown.stands,
        "led": None if thrown.led is None else text(thrown.led),
        "stopped_by": thrown.stopped_by,
        "safe": [unit.safe for unit in thrown.units],
        "beaters": [[text(unit) for unit in unit.beaters] for unit in thrown.units],
    }


@each(EXAMPLES, lambda example: example["name"])
def test_the_reference_agrees_with_the_example(example: dict[str, Any]):
    found = answer(example)
    assert {name: found[name] for name in example["expect"]} == example["expect"], example["note"]


@each(EXAMPLES, lambda example: example["name"])
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


@each(tractor.DECLARATIONS)
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
