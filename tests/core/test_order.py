"""An order answers from its tables: a toy of two suits and a trump, and the tiles of 42."""

from dataclasses import replace

import pytest

from reference import texas42 as reference
from renege import texas42
from renege.core.cards import Deck, kinds_in
from renege.core.notation import parse_cards
from renege.core.order import Order
from renege.games.texas42.rules import Doubles, DoublesTrump

TOY = Deck("toy", ("a1", "a2", "a3", "b1", "b2", "b3", "t1", "t2"), copies=2)
A, B, T, NOBODY = range(4)
# two trumps of one strength, and a suit in which a2 and a3 share a step
ORDER = Order(
    deck=TOY,
    suits=("a", "b", "t", "nobody"),
    nouns=("as", "bs", "trumps", "ghosts"),
    led_suit=(A, A, A, B, B, B, T, T),
    follow=(0b111, 0b111000, 0b11000000, 0),
    strength=((1, 2, 2, 0, 0, 0, 9, 9), (0, 0, 0, 1, 2, 3, 9, 9), (0, 0, 0, 0, 0, 0, 9, 9), (0,) * 8),
    points=(0, 0, 5, 0, 0, 10, 0, 1),
    trick_points=1,
)


def test_cards_of_one_suit_lead_it_and_cards_of_several_lead_none():
    assert ORDER.suit_of(parse_cards(TOY, "a1 a3 a3")) == A
    assert ORDER.suit_of(parse_cards(TOY, "a1 b1")) is None
    assert ORDER.suit_of(TOY.none) is None


def test_a_suit_is_found_by_its_name_if_it_has_cards():
    assert ORDER.suit_named("t") == T
    with pytest.raises(ValueError, match="'x' is no suit here: a b t nobody"):
        ORDER.suit_named("x")
    with pytest.raises(ValueError, match="no card follows 'nobody'"):
        ORDER.suit_named("nobody")


def test_the_part_of_a_hand_that_follows_keeps_both_copies():
    assert str(ORDER.in_suit(parse_cards(TOY, "a1 a2 a2 b3 t1"), A)) == "a2 a2 a1"
    assert not ORDER.in_suit(parse_cards(TOY, "a1 a2"), B)


def test_every_copy_counts_its_points():
    assert ORDER.worth(parse_cards(TOY, "b3 b3 a3 t2 a1")) == 26
    assert ORDER.worth(TOY.none) == 0


def test_a_step_may_be_shared():
    steps = [[{TOY.names[card] for card in kinds_in(step)} for step in suit] for suit in ORDER.steps]
    assert steps == [[{"a1"}, {"a2", "a3"}], [{"b1"}, {"b2"}, {"b3"}], [{"t1", "t2"}], []]


def test_a_step_that_no_card_stands_on_keeps_its_neighbours_apart():
    gap = replace(ORDER, strength=(ORDER.strength[A], (0, 0, 0, 1, 3, 4, 9, 9), *ORDER.strength[2:]))
    assert [step.bit_count() for step in gap.steps[B]] == [1, 0, 1, 1]


@pytest.mark.parametrize(
    ("declared", "doubles", "suit", "steps"),
    [
        ("5", None, "called", "5-0 5-1 5-2 5-3 5-4 6-5 5-5"),
        ("5", None, "6", "6-0 6-1 6-2 6-3 6-4 6-6"),  # 6-5 is a trump and no six
        ("5", None, "4", "4-0 4-1 4-2 4-3 4-4"),  # 6-4 follows fours but leads sixes
        ("doubles", None, "called", "0-0 1-1 2-2 3-3 4-4 5-5 6-6"),
        ("nello", Doubles.OWN_INVERTED, "called", "6-6 5-5 4-4 3-3 2-2 1-1 0-0"),
        ("nello", Doubles.LOW, "6", "6-6 6-0 6-1 6-2 6-3 6-4 6-5"),
        ("follow-me", None, "1", "1-0 1-1"),
    ],
)
def test_the_tiles_that_lead_a_suit_from_the_weakest_up(declared, doubles, suit, steps):
    order = texas42.order(declared, doubles)
    found = [texas42.DECK.names[tile] for step in order.steps[order.suits.index(suit)] for tile in kinds_in(step)]
    assert found == steps.split()


@pytest.mark.parametrize("declared", texas42.DECLARATIONS)
def test_a_tile_follows_the_suit_it_leads_and_can_win_there(declared: str):
    order = texas42.order(declared)
    for tile in range(28):
        suit = order.led_suit[tile]
        assert order.follow[suit] >> tile & 1
        assert order.strength[suit][tile] > 0


@pytest.mark.parametrize("led", reference.SUITS)
def test_doubles_as_trumps_may_stand_the_other_way_round(led: str):
    order = texas42.order("doubles", None, DoublesTrump.INVERTED)
    suit = order.suit_named(led)
    for one in reference.TILES:
        for other in reference.TILES:
            if one == other:
                continue
            stronger = order.strength[suit][texas42.tile(*one)] > order.strength[suit][texas42.tile(*other)]
            beaten = reference.beats(one, other, led, "doubles", "own-inverted")
            back = reference.beats(other, one, led, "doubles", "own-inverted")
            if beaten != back:  # else neither is of the led suit, and which is ahead does not matter
                assert stronger == beaten, (one, other)


def test_how_doubles_stand_is_a_choice_only_without_trumps():
    for declared in [*map(str, range(7)), "doubles", "sevens"]:
        with pytest.raises(ValueError, match="no choice"):
            texas42.order(declared, Doubles.HIGH)
    with pytest.raises(ValueError, match="own-inverted"):
        texas42.order("follow-me", Doubles.OWN_INVERTED)
    with pytest.raises(ValueError, match="'7' is no declaration"):
        texas42.order("7")
