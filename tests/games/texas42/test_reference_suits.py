"""Suits, legal plays and the count against the reference, tile by tile and hand by hand."""

import random

import pytest

from reference import texas42 as reference
from renege import texas42
from renege.core.cards import Cards
from renege.games.texas42.order import COUNT, DECK, order, pips, tile
from renege.games.texas42.rules import Doubles, DoublesTrump

# Every declaration with everything that can be said about doubles.
VARIANTS = [
    *((declaration, None) for declaration in reference.DECLARATIONS),
    *(("follow-me", doubles) for doubles in ("low", "own")),
    *(("nello", doubles) for doubles in ("high", "low", "own-inverted")),
]
each_variant = pytest.mark.parametrize(("declaration", "doubles"), VARIANTS)


def order_of(declaration: str, doubles: str | None):
    return order(declaration, Doubles(doubles) if doubles else None)


def pile(tiles: list[reference.Tile]) -> Cards:
    return DECK.cards(tile(*ends) for ends in tiles)


def test_the_reference_names_tiles_as_the_deck_does():
    assert [reference.parse_tile(name) for name in DECK.names] == reference.TILES
    assert reference.parse_tile("4-6") == (6, 4)


def test_the_count_is_35_and_with_seven_tricks_42():
    assert [reference.count(pips(t)) for t in range(28)] == list(COUNT)
    assert sum(COUNT) == 35
    assert sum(reference.trick_points(reference.TILES[i : i + 4]) for i in range(0, 28, 4)) == 42


@each_variant
def test_every_tile_leads_and_follows_the_suits_the_rules_give_it(declaration: str, doubles: str | None):
    table = order_of(declaration, doubles)
    assert list(table.suits) == reference.SUITS
    for t in range(28):
        assert table.suits[table.led_suit[t]] == reference.led_suit(pips(t), declaration, doubles)
        for suit, name in enumerate(table.suits):
            assert bool(table.follow[suit] >> t & 1) == reference.can_follow(pips(t), name, declaration, doubles)


@pytest.mark.parametrize("doubles", [None, "own-inverted"])
def test_doubles_as_trumps_rank_either_way_round(doubles: str | None):
    inverted = DoublesTrump.INVERTED if doubles else DoublesTrump.SIX_HIGH
    table = order("doubles", doubles_trump=inverted)
    for led in range(8):
        for late in range(28):
            for early in range(28):
                if late != early:
                    higher = table.strength[led][late] > table.strength[led][early]
                    assert higher == reference.beats(pips(late), pips(early), table.suits[led], "doubles", doubles)


@each_variant
def test_a_hand_may_answer_a_lead_with_what_the_rules_allow(declaration: str, doubles: str | None):
    rng = random.Random(f"{declaration} {doubles}")
    said = f"{declaration} doubles {doubles}" if doubles else declaration
    for _ in range(60):
        size = rng.randint(1, 7)
        lead, *hand = rng.sample(reference.TILES, size + 1)
        position = texas42.position(f"{said} | led {DECK.names[tile(*lead)]} | hand {pile(hand)}")
        allowed = {str(play) for play in position.legal_plays}
        assert allowed == set(str(pile(reference.legal_plays(hand, lead, declaration, doubles))).split())


@each_variant
def test_a_hand_may_lead_what_the_rules_allow(declaration: str, doubles: str | None):
    rng = random.Random(f"{declaration} {doubles}")
    said = f"{declaration} doubles {doubles}" if doubles else declaration
    for _ in range(30):
        hand = rng.sample(reference.TILES, rng.randint(1, 7))
        position = texas42.position(f"{said} | hand {pile(hand)}")
        allowed = {str(play) for play in position.legal_plays}
        assert allowed == set(str(pile(reference.legal_plays(hand, None, declaration, doubles))).split())
