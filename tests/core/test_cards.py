"""Piles of cards against the plainest model there is: a Counter."""

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from renege.core.cards import Cards, Deck, Hidden, kinds_in

ONE = Deck("one copy", tuple("abcdefgh"))
TWO = Deck("two copies", tuple("abcdefgh"), copies=2)
THREE = Deck("three copies", tuple("abcdefgh"), copies=3)
DECKS = [ONE, TWO, THREE]


@st.composite
def piles(draw: st.DrawFn, count: int = 1) -> list[Cards]:
    deck = draw(st.sampled_from(DECKS))
    counts = st.lists(st.integers(0, deck.copies), min_size=8, max_size=8)
    return [deck.cards(card for card, copies in enumerate(draw(counts)) for _ in range(copies)) for _ in range(count)]


def model(pile: Cards) -> Counter[int]:
    return Counter(list(pile))


@given(piles())
def test_a_pile_counts_its_cards(drawn: list[Cards]):
    (pile,) = drawn
    counted = model(pile)
    assert len(pile) == counted.total()
    assert bool(pile) == bool(counted)
    for card in range(8):
        assert pile.count(card) == counted[card]
        assert (card in pile) == (counted[card] > 0)
    for copies in range(1, 5):
        assert set(kinds_in(pile.at_least(copies))) == {card for card in counted if counted[card] >= copies}
    assert pile.single() == (next(iter(counted)) if counted.total() == 1 else None)


@given(piles(2))
def test_one_pile_lies_in_another_when_every_count_does(drawn: list[Cards]):
    one, other = drawn
    assert (one <= other) == (model(one) <= model(other))


@given(piles(2))
def test_piles_are_put_together_card_by_card_or_refused(drawn: list[Cards]):
    one, other = drawn
    together = model(one) + model(other)
    if any(copies > one.deck.copies for copies in together.values()):
        with pytest.raises(ValueError, match=r"too often: there (is|are) only"):
            _ = one + other
    else:
        assert model(one + other) == together
        assert one + other == other + one
        assert one + other - other == one


@given(piles(2))
def test_a_pile_is_taken_out_of_another_or_refused(drawn: list[Cards]):
    one, other = drawn
    if model(other) <= model(one):
        assert model(one - other) == model(one) - model(other)
    else:
        with pytest.raises(ValueError, match="is not all in"):
            _ = one - other


@given(piles(), st.integers(0, 255))
def test_a_part_of_a_pile_keeps_every_copy(drawn: list[Cards], mask: int):
    (pile,) = drawn
    assert model(pile.only(mask)) == Counter(card for card in pile if mask >> card & 1)


@given(piles(2))
def test_equal_piles_are_those_with_equal_counts(drawn: list[Cards]):
    one, other = drawn
    assert (one == other) == (model(one) == model(other))
    assert one != other or hash(one) == hash(other)


def test_a_pile_is_written_highest_first_and_a_card_twice_that_is_there_twice():
    assert str(TWO.cards([0, 7, 0, 3])) == "h d a a"
    assert repr(TWO.none) == "<Cards none>"
    assert repr(TWO.cards([1])) == "<Cards b>"


def test_the_empty_and_the_whole_deck():
    assert len(THREE) == len(THREE.all) == 24
    assert not THREE.none
    assert THREE.none.kinds == 0
    assert THREE.none <= THREE.none
    assert len(THREE.of(0b101)) == 2
    assert THREE.of(0) == THREE.none


@pytest.mark.parametrize("deck", DECKS, ids=repr)
def test_no_more_copies_than_the_deck_has(deck: Deck):
    deck.cards([5] * deck.copies)
    with pytest.raises(ValueError, match=f"f comes {deck.copies + 1} times"):
        deck.cards([5] * (deck.copies + 1))


@pytest.mark.parametrize("card", [-1, 8, 100])
def test_no_card_that_the_deck_has_not(card: int):
    with pytest.raises(ValueError, match="is no card of one copy"):
        ONE.cards([card])


@given(st.sampled_from(DECKS), st.integers())
def test_a_deal_divides_the_deck_and_comes_again_from_its_seed(deck: Deck, seed: int):
    sizes = [len(deck) // 4] * 4
    dealt = deck.deal(sizes, seed)
    assert [len(pile) for pile in dealt] == sizes
    assert sum((model(pile) for pile in dealt), Counter()) == model(deck.all)
    assert deck.deal(sizes, seed) == dealt


def test_no_deal_of_more_cards_than_there_are():
    with pytest.raises(ValueError, match="too few"):
        ONE.deal([5, 4], seed=0)


def test_every_division_of_a_small_deck_is_about_as_likely():
    deck = Deck("four", tuple("abcd"))
    seen = Counter(str(deck.deal([2, 2], seed)[0]) for seed in range(3000))
    assert len(seen) == 6
    assert all(400 < count < 600 for count in seen.values()), seen  # 500 each; 100 is five deviations


def test_decks_are_equal_when_their_cards_are():
    assert Deck("d", ("a", "b")) == Deck("d", ("a", "b"))
    assert Deck("d", ("a", "b")) != Deck("d", ("b", "a"))
    assert Deck("d", ("a", "b")) != Deck("e", ("a", "b"))


def test_a_deck_of_two_copies_is_not_the_deck_of_one():
    assert Deck("d", ("a", "b")) != Deck("d", ("a", "b"), copies=2)


def test_a_hidden_hand_has_a_size_and_nothing_else():
    assert len(Hidden(5)) == 5
    assert str(Hidden(5)) == "?5"
    assert not Hidden(0)
