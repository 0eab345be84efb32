"""Cards and plays as text: what is written reads back, and what is no play says so and quotes the text."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from renege import texas42
from renege.core.cards import Cards, Deck
from renege.core.notation import NotationError, format_play, parse_card, parse_cards, parse_play
from renege.core.trick import Play

TWO = Deck("two packs", tuple(suit + rank for suit in "SH" for rank in "789TJQKA"), copies=2)
SUITS = ("S", "H", "called")


@st.composite
def piles(draw: st.DrawFn, least: int = 0) -> Cards:
    kinds = draw(st.lists(st.integers(0, 31), min_size=least, max_size=8, unique=True))
    return TWO.cards(kind // 2 for kind in kinds)


@st.composite
def plays(draw: st.DrawFn) -> Play:
    cards = draw(piles(least=1))
    tried = draw(st.sampled_from([None, cards, TWO.all]))
    held = list(tried or cards)  # what the leader showed, and may have grouped
    units: tuple[Cards, ...] = ()
    if len(held) > 1 and draw(st.booleans()):
        cut = draw(st.integers(1, len(held) - 1))
        units = TWO.cards(held[:cut]), TWO.cards(held[cut:])
    return Play(
        cards,
        tried=tried,
        units=units,
        suit=draw(st.none() | st.integers(0, len(SUITS) - 1)),
    )


@given(piles())
def test_a_pile_reads_back_from_its_text(pile: Cards):
    assert parse_cards(TWO, str(pile)) == pile


@given(plays())
def test_a_play_reads_back_from_its_text_with_all_its_leader_said(play: Play):
    assert parse_play(TWO, SUITS, format_play(play, SUITS)) == play


@given(st.permutations(range(28)), st.integers(0, 7))
def test_either_end_of_a_tile_may_stand_first_and_order_does_not_matter(tiles: list[int], count: int):
    ends = [texas42.pips(tile) for tile in tiles[:count]]
    turned = ", ".join(f"{low}-{high}" for high, low in ends)
    assert parse_cards(texas42.DECK, turned) == texas42.DECK.cards(tiles[:count])


@pytest.mark.parametrize("text", ["ht", "HT", " Ht ", "hT"])
def test_case_and_spaces_around_a_card_do_not_matter(text: str):
    assert TWO.names[parse_card(TWO, text)] == "HT"


@pytest.mark.parametrize("text", ["", "  ", " , "])
def test_an_empty_text_is_an_empty_pile(text: str):
    assert parse_cards(TWO, text) == TWO.none


@pytest.mark.parametrize("text", ["7-7", "6-", "-6", "6-4-2", "64", "6_4", "10", "?", "6-4.", "double six", "6--4"])
def test_what_is_no_tile_is_quoted(text: str):
    with pytest.raises(NotationError) as raised:
        parse_card(texas42.DECK, text)
    assert repr(text) in str(raised.value)
    assert "tile of double-six" in str(raised.value)


@pytest.mark.parametrize("text", ["6-4 6-4", "6-4 4-6", "6-6, 5-5, 6-6"])
def test_a_tile_that_comes_twice_is_refused_and_quoted(text: str):
    with pytest.raises(NotationError) as raised:
        parse_cards(texas42.DECK, text)
    assert repr(text) in str(raised.value)


def test_a_third_copy_is_refused_where_there_are_two():
    parse_cards(TWO, "HK HK")
    with pytest.raises(NotationError, match="HK comes 3 times"):
        parse_cards(TWO, "HK HK HK")


@pytest.mark.parametrize("text", ["SA as X", "SA as ", "SA as", "SA as S S", "SA as s"])
def test_a_suit_that_is_none_is_refused(text: str):
    with pytest.raises(NotationError):
        parse_play(TWO, SUITS, text)


@pytest.mark.parametrize("text", ["SA +", "+ SA", "SA + + SK", "+"])
def test_a_unit_without_cards_is_refused(text: str):
    with pytest.raises(NotationError):
        parse_play(TWO, SUITS, text)


@pytest.mark.parametrize("text", ["SK of ", "SK of", " of SK", "SK + SA of SK SA", "SK of SA + + SK"])
def test_a_stopped_throw_names_what_was_led_and_what_was_tried(text: str):
    with pytest.raises(NotationError):
        parse_play(TWO, SUITS, text)


def test_what_was_led_of_a_stopped_throw_was_in_the_throw():
    assert parse_play(TWO, SUITS, "SK of SA SA SK").tried == parse_cards(TWO, "SA SA SK")
    with pytest.raises(NotationError):
        parse_play(TWO, SUITS, "SK of SA SA")
