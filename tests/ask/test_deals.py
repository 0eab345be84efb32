"""`renege ask` deals: answers worked out by hand, and small questions against dealing in every way."""

import json
import random
from collections import Counter
from itertools import permutations
from math import comb, factorial
from typing import Any

import pytest

from renege.ask.serve import reply
from renege.games import tractor

S2 = {"game": "tractor", "declaration": "S2"}


def ask(**question: Any) -> dict[str, Any]:
    answer, _ = reply(json.dumps({"ask": "deals", **question}).encode())
    return json.loads(answer)


def test_cards_of_any_name_are_counted():
    free = ask(cards="a b c d", hands=[{"size": 2}, {"size": 2}])
    assert (free["deals"], free["distinct"]) == ("6", "6")
    barred = ask(cards="a b c", hands=[{"size": 1}, {"size": 1}, {"size": 1, "not": "c"}])
    assert barred["deals"] == "4"
    alone = ask(cards="x y", hands=[{"size": 2}], want=["odds", "sample"])
    assert alone["odds"] == {"x": [1.0], "y": [1.0]}
    assert alone["samples"] == [["y x"]] or alone["samples"] == [["x y"]]
    nothing = ask(cards="", hands=[{"size": 0}, {"size": 0}])
    assert nothing["deals"] == "1"


def test_eight_hands():
    small = ask(cards="a a b c d e f g", hands=[{"size": 1}] * 8, want=["odds"])
    assert (small["deals"], small["distinct"], small["odds"]["a"]) == ("40320", "20160", [0.25] * 8)
    names = " ".join(f"k{i} k{i} k{i}" for i in range(40))
    large = ask(cards=names, hands=[{"size": 15, "not": "k1"}, *[{"size": 15}] * 7], want=["sample"])
    assert int(large["deals"]) == comb(117, 15) * factorial(105) // factorial(15) ** 7
    assert "distinct" not in large
    (deal,) = large["samples"]
    assert [len(hand.split()) for hand in deal] == [15] * 8 and "k1" not in deal[0].split()


def test_two_copies_are_two_cards_to_the_shuffler():
    # a a b b to hands of two: aa/bb, bb/aa, and ab/ab in four ways
    answer = ask(cards="a a b b", hands=[{"size": 2}, {"size": 2}], want=["odds"])
    assert (answer["deals"], answer["distinct"]) == ("6", "3")
    assert answer["odds"] == {"a": [1.0, 1.0], "b": [1.0, 1.0]}
    none = ask(cards="HA HA HK HK", **S2, hands=[{"size": 2, "no_pair": ["H"]}, {"size": 2}])
    assert (none["deals"], none["distinct"]) == ("4", "1")
    one = ask(
        cards="HA HA HK HK HQ HQ", **S2,
        hands=[{"size": 4, "at_most_pairs": {"H": 1}}, {"size": 2}],
    )  # fmt: skip
    # four of six, at most one pair: a pair and one of each other: 3 x 2 x 2
    assert (one["deals"], one["distinct"]) == ("12", "3")


def test_suits_are_the_effective_ones():
    hands = [{"size": 1, "void": ["called"]}, {"size": 1}, {"size": 1, "void": ["called"]}]
    answer = ask(game="texas42", declaration="5", cards="6-4 5-5 3-1", hands=hands, want=["odds"])
    assert answer["deals"] == "2"
    assert answer["odds"]["5-5"] == [0.0, 1.0, 0.0]
    answer = ask(
        game="schafkopf", declaration="wenz", cards="EO EU GK", hands=[{"size": 2, "void": ["T"]}, {"size": 1}]
    )
    assert answer["deals"] == "1"  # in a Wenz the Unter is the one trump
    level = ask(game="tractor", declaration="S2", cards="H2 H3", hands=[{"size": 1, "void": ["H"]}, {"size": 1}])
    assert level["deals"] == "1"  # the level card of hearts is no heart


def test_what_cannot_be_is_told_with_the_hands_and_cards_it_fails_on():
    answer = ask(cards="a b c", hands=[{"size": 2, "may": "a"}, {"size": 1}])
    assert answer["deals"] == "0"
    assert {key: answer["conflict"][key] for key in ("hands", "cards", "need", "have")} == {
        "hands": [0], "cards": "a", "need": 2, "have": 1,
    }  # fmt: skip
    twice = ask(cards="a b", hands=[{"size": 1, "has": "a"}, {"size": 1, "has": "a"}])
    assert (twice["conflict"]["hands"], twice["conflict"]["cards"]) == ([0, 1], "a a")
    pairs = ask(
        cards="HA HA HK HK", game="tractor", declaration="S2",
        hands=[{"size": 3, "no_pair": ["H"]}, {"size": 1}],
    )  # fmt: skip
    assert pairs["deals"] == "0"
    assert (pairs["conflict"]["hands"], pairs["conflict"]["need"], pairs["conflict"]["have"]) == ([0], 3, 2)


@pytest.mark.parametrize(
    ("question", "says"),
    [
        ({"cards": "a b", "hands": [{"size": 1}]}, "the hands get 1 cards, and 2 are hidden"),
        ({"cards": "a b", "hands": []}, "1 to 10 hands"),
        ({"cards": "a", "hands": [{"size": 1, "void": ["T"]}]}, "needs a 'game' and a 'declaration'"),
        ({"cards": "HA HA HA", "game": "tractor", "hands": [{"size": 3}]}, "HA comes 3 times"),
        ({"cards": "ZZ", "game": "tractor", "hands": [{"size": 1}]}, "'ZZ' is no card"),
        ({"cards": "HA", **S2, "hands": [{"size": 1, "void": ["X"]}]}, "'X' is no suit"),
        ({"cards": "HA", "game": "whist", "hands": [{"size": 1}]}, "'game' is one of"),
        ({"cards": "a", "declaration": "S2", "hands": [{"size": 1}]}, "those of a 'game'"),
        ({"cards": "a", "hands": [{"size": 1, "has": "b"}]}, "'b' is no card"),
        ({"cards": "", "hands": [{"size": 0, "may": "x"}]}, "'x' is no card"),
        ({"cards": "a", "hands": [{"size": 1, "colour": "b"}]}, "colour"),
        ({"cards": "a", "hands": [{"size": -1}]}, "-1"),
        ({"cards": "a", "hands": [{"size": 1}], "want": ["luck"]}, "luck"),
        ({"cards": "a", "hands": [{"size": 1}], "samples": 100_000}, "100000"),
    ],
)  # fmt: skip
def test_a_bad_question_is_refused(question: dict[str, Any], says: str):
    assert says in ask(**question)["error"]


def dealt(cards: list[str], hands: list[dict[str, Any]], hearts: set[str]) -> Counter[tuple[tuple[str, ...], ...]]:
    """Every labelled deal that the words allow, by what can be told apart."""
    found: Counter[tuple[tuple[str, ...], ...]] = Counter()
    seen: set[tuple[frozenset[int], ...]] = set()
    for order in permutations(range(len(cards))):
        piles, start = list[frozenset[int]](), 0
        for hand in hands:
            piles.append(frozenset(order[start : start + hand["size"]]))
            start += hand["size"]
        if tuple(piles) in seen:
            continue
        seen.add(tuple(piles))
        held = [sorted(cards[i] for i in pile) for pile in piles]
        if all(allowed(pile, hand, hearts) for pile, hand in zip(held, hands, strict=True)):
            found[tuple(map(tuple, held))] += 1
    return found


def allowed(pile: list[str], hand: dict[str, Any], hearts: set[str]) -> bool:
    count = Counter(pile)
    pairs = sum(copies == 2 for card, copies in count.items() if card in hearts)
    return (
        ("may" not in hand or all(card in hand["may"].split() for card in pile))
        and not any(card in hand.get("not", "").split() for card in pile)
        and not Counter(hand.get("has", "").split()) - count
        and ("void" not in hand or not any(card in hearts for card in pile))
        and ("no_pair" not in hand or pairs == 0)
        and pairs <= hand.get("at_most_pairs", {}).get("H", 9)
    )


def test_small_questions_are_answered_as_by_dealing_in_every_way():
    empty = 0
    for seed in range(60):
        rng = random.Random(f"deals {seed}")
        kinds = rng.sample(["HA", "HK", "HQ", "HJ", "CA", "CK", "S3", "LJ"], rng.randint(2, 4))
        cards = [kind for kind in kinds for _ in range(rng.choice([1, 2]))][:7]
        cuts = sorted(rng.randint(0, len(cards)) for _ in range(rng.randint(1, 2)))
        sizes = [high - low for low, high in zip([0, *cuts], [*cuts, len(cards)], strict=True)]
        hands: list[dict[str, Any]] = [{"size": size} for size in sizes]
        for hand in hands:
            fact = rng.choice(["none", "may", "not", "has", "void", "no_pair", "at_most_pairs"])
            some = " ".join(rng.sample(kinds, rng.randint(1, len(kinds))))
            if fact in ("may", "not"):
                hand[fact] = some
            elif fact == "has":
                hand[fact] = rng.choice(cards)
            elif fact in ("void", "no_pair"):
                hand[fact] = ["H"]
            elif fact == "at_most_pairs":
                hand[fact] = {"H": rng.randint(0, 2)}
        hearts = {kind for kind in kinds if kind.startswith("H")}
        told = dealt(cards, hands, hearts)
        answer = ask(
            game="tractor", declaration="S2", cards=" ".join(cards), hands=hands,
            want=["count", "odds", "sample"], samples=5, seed=seed,
        )  # fmt: skip
        assert answer["deals"] == str(sum(told.values())), (cards, hands)
        assert answer["distinct"] == str(len(told))
        if not told:
            empty += 1
            assert answer["conflict"]["need"] > answer["conflict"]["have"]
            continue
        for card, odds in answer["odds"].items():
            for place, expected in enumerate(odds):
                mean = sum(deal[place].count(card) * ways for deal, ways in told.items()) / sum(told.values())
                assert expected == pytest.approx(mean, abs=1e-12)
        for sample in answer["samples"]:
            assert tuple(tuple(sorted(hand.split())) for hand in sample) in told
    assert 5 < empty < 55


def test_a_whole_hand_of_tractor_is_counted_exactly():
    from math import factorial

    hand = tractor.DECK.deal([25], 1)[0]
    hidden = tractor.DECK.all - hand
    answer = ask(game="tractor", cards=str(hidden), hands=[{"size": 25}] * 3 + [{"size": 8}])
    assert int(answer["deals"]) == factorial(83) // (factorial(25) ** 3 * factorial(8))
