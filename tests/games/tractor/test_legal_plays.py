"""The legal plays as a whole: counted without listing, listed once each, drawn evenly."""

import random
from collections import Counter
from itertools import product
from math import comb

import pytest

from reference import tractor as reference
from renege.core.notation import NotationError
from renege.core.trick import Play
from renege.games import tractor
from renege.games.tractor.legal import TractorPlays
from renege.games.tractor.rules import FollowDuty
from support.steering import SOAK
from support.tractor_turns import Setting, cards, cases, pile, random_hand, random_lead, turn, with_rules


def plays_of(at: Setting, hand: str | reference.Pile, lead: str | reference.Pile | None) -> TractorPlays:
    led = [] if lead is None else [Play(cards(lead))]
    return TractorPlays(tractor.game(at.rules), turn(at, hand, led))


# Sub-decks around the level step, as the brute force counts them: hands that are long enough, legal plays in all.
LITTLE_DECKS = [
    ("S2", "S3 S3 S4 S4", "SK SA H2 D2 S2 LJ", 651, 1290),
    ("S2", "S3 S3 S4 S4 S5 S5", "SK SA H2 D2 S2 LJ", 435, 751),
    ("S2", "S3 S3 S4 S4 S6 S6 S7 S7", "SA H2 C2 D2 S2 LJ", 168, 241),
    ("NT2", "S2 S2 LJ LJ", "S2 H2 C2 D2 LJ BJ", 651, 1485),
    ("S7", "H3 H3 H4 H4 H9", "H5 H6 H8 HT HJ HQ", 561, 1900),
]


def hands_over(kinds: str) -> list[reference.Pile]:
    """Every hand of some kinds, up to two copies of each."""
    names = kinds.split()
    return [
        reference.pile(name for name, copies in zip(names, count, strict=True) for _ in range(copies))
        for count in product(range(3), repeat=len(names))
    ]


@pytest.mark.parametrize(("declaration", "lead", "kinds", "hands", "follows"), LITTLE_DECKS)
def test_every_hand_of_a_little_deck_has_the_legal_plays_of_the_brute_force(
    declaration: str, lead: str, kinds: str, hands: int, follows: int
):
    at, counted = Setting(declaration), 0
    long_enough = [hand for hand in hands_over(kinds) if len(hand) >= len(lead.split())]
    for hand in long_enough:
        told = reference.legal_follows(reference.parse(lead), hand, declaration)
        plays = plays_of(at, hand, lead)
        assert {pile(play.cards) for play in plays} == told, hand
        assert plays.count() == len(told)
        counted += plays.count()
    assert (len(long_enough), counted) == (hands, follows)


@pytest.mark.parametrize(("declaration", "lead", "kinds", "hands", "follows"), LITTLE_DECKS)
def test_every_play_from_a_little_deck_breaks_the_duty_that_the_brute_force_names(
    declaration: str, lead: str, kinds: str, hands: int, follows: int
):
    at, led = Setting(declaration), reference.parse(lead)
    game, shape = tractor.game(at.rules), reference.shape(led, declaration)
    legal = 0
    for hand in hands_over(kinds):
        now = turn(at, hand, [Play(cards(lead))])
        for play in subsets_of_size(hand, len(led)):
            duty = reference.follow_duty(reference.led_suit(led, declaration), shape, hand, play, declaration)
            objection = game.objection(now, Play(cards(play)))
            assert (None if objection is None else objection.rule.id.split(".")[1]) == duty, (hand, play)
            legal += duty is None
    assert legal == follows


def test_a_hand_that_cannot_answer_the_lead_has_no_plays_and_is_no_position():
    at = Setting("S4")
    assert not plays_of(at, "HK", "H9 H9")
    assert plays_of(at, "HK HQ", "H9 H9")
    for line in ("trump S4 | led H9 H9 | hand HK", "trump S4 | led H9 H9 | 1: HK | 2: HQ | 3: HJ"):
        with pytest.raises(NotationError, match="a hand that had 1 before this trick cannot answer 2 cards: 'trump S4"):
            tractor.position(line)


def test_a_play_is_legal_if_and_only_if_it_is_listed():
    for rng, at in cases("listed", 300):
        lead = random_lead(rng, at, 6)
        hand = random_hand(rng, at, lead, 9)
        plays = plays_of(at, hand, lead)
        listed = {pile(play.cards) for play in plays}
        for _ in range(20):
            play = reference.pile(rng.sample(hand, len(lead)))
            assert (cards(play) in plays) == (play in listed), (at, lead, hand, play)


def test_where_only_the_suit_is_owed_any_cards_of_it_will_do():
    for rng, at in cases("suit only", 500):
        lead = random_lead(rng, at, 6)
        hand = random_hand(rng, at, lead, 9)
        rules = with_rules(at, follow_duty=FollowDuty.SUIT_ONLY)
        plays = TractorPlays(tractor.game(rules), turn(at, hand, [Play(cards(lead))], rules=rules))
        found = [pile(play.cards) for play in plays]
        # single cards led in the same suit ask for nothing but the suit
        singles = reference.Shape((), 0, len(lead))
        led = reference.led_suit(lead, at.declaration)
        told = {
            play
            for play in subsets_of_size(hand, len(lead))
            if reference.follow_duty(led, singles, hand, play, at.declaration) is None
        }
        assert set(found) == told
        assert len(found) == plays.count() == len(told)


def subsets_of_size(hand: reference.Pile, size: int) -> set[reference.Pile]:
    found: set[reference.Pile] = {()}
    for card in hand:
        found |= {(*less, card) for less in found if len(less) < size}
    return {play for play in found if len(play) == size}


# --- large hands: known by arithmetic, out of reach of a list ---------------------------------------

LONG = "H3 H3 H4 H4 H5 H5 H6 H6 H7 H7 H8 H8 H9 H9 HT HT HJ HJ HQ HQ HK HK HA HA"  # all hearts at level 2


def test_a_void_hand_of_25_may_play_any_of_millions():
    # 13 kinds twice less one card: twelve pairs and a single, any 12 of 25. Choose j pairs, the rest from other kinds.
    hand = [f"C{rank}" for rank in "3456789TJQKA" for _ in range(2)] + ["D3"]
    plays = plays_of(Setting("S2"), reference.pile(hand), LONG.replace("H3 H3 ", "").replace("HA HA", ""))
    twelve_kinds = {n: sum(comb(12, j) * comb(12 - j, n - 2 * j) for j in range(n // 2 + 1)) for n in (19, 20)}
    assert plays.count() == twelve_kinds[19] + twelve_kinds[20]
    plays = plays_of(Setting("S2"), reference.pile(hand), LONG.replace("H3 H3 H4 H4 H5 H5 H6 H6 H7 H7 H8 H8 ", ""))
    assert plays.count() == sum(comb(12, j) * comb(12 - j, n - 2 * j) for n in (11, 12) for j in range(n // 2 + 1))


def test_singles_of_many_suits_are_counted_by_the_million():
    # 25 different cards, none of the led suit: 25 over 12.
    hand = [f"C{rank}" for rank in "3456789TJQKA"] + [f"D{rank}" for rank in "3456789TJQKA"] + ["LJ"]
    lead = "H3 H3 H4 H4 H5 H5 H6 H6 H7 H7 H8 H8"
    plays = plays_of(Setting("S2"), reference.pile(hand), lead)
    assert plays.count() == comb(25, 12) == 5_200_300
    assert len(plays.choose(random.Random(1)).cards) == 12
    assert next(iter(plays)).cards <= cards(reference.pile(hand))


def test_a_hand_of_one_suit_leads_millions_of_throws():
    # Twelve kinds twice, of one suit: each may be led not at all, once or twice; and a trump by itself.
    plays = plays_of(Setting("S2"), reference.pile([*LONG.split(), "S3"]), None)
    assert plays.count() == 3**12 - 1 + 1
    assert len(plays.choose(random.Random(2)).cards) >= 1


def test_a_hand_of_25_trumps_answers_a_long_throw():
    # Ten singles led, 25 trumps held: any ten, no pair is owed.
    trumps = [f"S{rank}" for rank in "3456789TJQKA"] * 2 + ["S2"]
    at = Setting("S2")
    lead = Play(cards("S3 S4 S5 S6 S7 S8 S9 ST SJ SQ"))
    plays = TractorPlays(tractor.game(at.rules), turn(at, reference.pile(trumps), [lead]))
    ways = {n: sum(comb(12, j) * comb(12 - j, n - 2 * j) for j in range(n // 2 + 1)) for n in (9, 10)}
    assert plays.count() == ways[9] + ways[10]


# --- drawing ----------------------------------------------------------------------------------------

DRAWN = [
    ("S2", "H3 H3 H4 H4 H5 H5 H7 H7 H9 HT HJ", "H8 H8 HQ"),  # a pair is owed, of four; and a third card
    ("S2", "H3 C3 C3 C4 C4 D5 D5 D6 D7", "HA HK HQ"),  # the heart goes, two others with it, copies alike
    ("S2", "S3 S3 S4 S4 H2 H2 D2 D2 S2 S2 LJ", "S8 S8 S9 S9"),  # a tractor is owed, of several around the level
    ("S2", "H3 H3 C3 S3", None),  # leads
]


@pytest.mark.parametrize(("declaration", "hand", "lead"), DRAWN)
def test_every_legal_play_is_drawn_as_often(declaration: str, hand: str, lead: str | None):
    plays = plays_of(Setting(declaration), hand, lead)
    total, rng = plays.count(), random.Random(42)
    draws = 400 * total * min(SOAK, 10)
    drawn = Counter(pile(plays.choose(rng).cards) for _ in range(draws))
    assert set(drawn) == {pile(play.cards) for play in plays}
    even = draws / total
    chi_square = sum((count - even) ** 2 / even for count in drawn.values())
    # mean n, variance 2n: six deviations are out of reach of chance
    assert chi_square < (total - 1) + 6 * (2 * (total - 1)) ** 0.5, (chi_square, total)
