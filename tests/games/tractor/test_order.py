"""Suits and steps under every declaration, against the brute force; and the published rank map."""

from itertools import pairwise, product

import pytest

from reference import tractor as reference
from reference import tractor_round
from renege.core.notation import NotationError
from renege.games.tractor.order import DECK, RANKS, SUITS, order, parse_declaration, phi
from support.cases import each
from support.tractor_turns import DECLARATIONS, Setting, lowest_step

SETTINGS = [Setting(declaration, gap) for declaration, gap in product(DECLARATIONS, ("closes", "breaks"))]


@each(SETTINGS, lambda at: f"{at.declaration}-{at.gap}")
def test_every_card_has_the_suit_and_the_step_of_the_brute_force(at: Setting):
    for card, name in enumerate(DECK.names):
        assert SUITS[at.order.led_suit[card]] == reference.suit(name, at.declaration)
    for suit, name in enumerate(SUITS):
        told = at.steps(name)
        assert at.order.follow[suit] == sum(1 << DECK.names.index(card) for step in told for card in step)
        if told:
            masks = [sum(1 << DECK.names.index(card) for card in step) for step in told[lowest_step(at, name) :]]
            assert list(at.order.steps[suit]) == masks


@each(DECLARATIONS)
def test_one_card_beats_another_where_the_brute_force_says_so(declaration: str):
    at = Setting(declaration)
    for led, name in enumerate(SUITS):
        strength = at.order.strength[led]
        for early, late in product(range(len(DECK.names)), repeat=2):
            if strength[early]:  # a play ahead is of the led suit or a trump
                told = reference.beats_card(DECK.names[late], DECK.names[early], name, declaration)
                assert (strength[late] > strength[early]) == told, (declaration, name, early, late)


def test_points_are_those_of_the_brute_force():
    for card, name in enumerate(DECK.names):
        assert order("S2").points[card] == tractor_round.points([name])
    assert order("S2").worth(DECK.all) == 200


@pytest.mark.parametrize(
    ("text", "suit", "level"),
    [
        ("S2", "S", "2"), ("trump H10", "H", "T"), ("nt7", None, "7"), ("DA", "D", "A"), (" NT10 ", None, "T"),
        ("NT", None, ""),
    ],
)  # fmt: skip
def test_a_declaration_is_read(text: str, suit: str | None, level: str):
    assert parse_declaration(text) == (suit, level)


@pytest.mark.parametrize("text", ["", "S", "S1", "X2", "2S", "N", "S22", "NT-", "LJ"])
def test_what_is_no_declaration_is_refused(text: str):
    with pytest.raises(NotationError):
        parse_declaration(text)


# --- the published rank map -------------------------------------------------------------------------

WORKED = {
    "S2": {"H3": 1, "HK": 11, "HA": 12, "S3": 13, "SA": 24, "H2": 25, "C2": 25, "D2": 25, "S2": 26, "LJ": 27, "BJ": 28},
    "S7": {"H2": 1, "H6": 5, "H8": 6, "HA": 12, "S2": 13, "S6": 17, "S8": 18, "SA": 24, "D7": 25, "S7": 26, "BJ": 28},
    "HA": {"S2": 1, "SK": 12, "H2": 13, "HK": 24, "SA": 25, "CA": 25, "HA": 26, "LJ": 27, "BJ": 28},
    "DT": {"C9": 8, "CJ": 9, "CA": 12, "D9": 20, "DJ": 21, "DA": 24, "ST": 25, "DT": 26, "LJ": 27},
    "NT2": {"H3": 1, "SA": 12, "S2": 14, "H2": 14, "C2": 14, "D2": 14, "LJ": 15, "BJ": 16},
    "NT7": {"C2": 1, "C6": 5, "C8": 6, "CA": 12, "D7": 14, "LJ": 15, "BJ": 16},
}


@pytest.mark.parametrize("declaration", WORKED)
def test_the_rank_map_has_the_numbers_worked_by_hand(declaration: str):
    for name, number in WORKED[declaration].items():
        assert phi(DECK.names.index(name), declaration) == number, name


@each(reference.DECLARATIONS)
def test_the_rank_map_rises_by_one_a_step_and_trumps_stand_above_all(declaration: str):
    numbers = {name: phi(card, declaration) for card, name in enumerate(DECK.names)}
    at = Setting(declaration)
    for suit in at.suits():
        rows = [{numbers[card] for card in step} for step in at.steps(suit)]
        assert all(len(row) == 1 for row in rows)
        row = [number for (number,) in rows]
        assert all(high == low + 1 for low, high in pairwise(row))
        plain, trump = 1, 14 if declaration.startswith("NT") else 13
        assert row[0] == (trump if suit == "T" else plain)
    assert max(numbers.values()) == numbers["BJ"] == (16 if declaration.startswith("NT") else 28)
    assert {name[-1] for name in reference.DECLARATIONS} == set(RANKS)
