"""The auction against the reference: every plain one there is, and those with a plunge or a splash."""

from collections.abc import Iterator

import pytest

from reference import texas42 as reference
from reference.texas42 import Standing
from renege.core.cards import Cards
from renege.core.notation import parse_cards
from renege.games.texas42.declare import Auction
from renege.games.texas42.order import DECK
from renege.games.texas42.rules import Rules

NO_DOUBLES = parse_cards(DECK, "2-1 3-1 4-1 5-1 3-2 4-2 4-3")
THREE_DOUBLES = parse_cards(DECK, "1-1 3-3 5-5 6-0 6-1 6-2 6-3")
FOUR_DOUBLES = parse_cards(DECK, "0-0 2-2 4-4 6-6 5-0 5-1 5-2")


def ends(hand: Cards) -> list[reference.Tile]:
    return [reference.TILES[card] for card in hand]


@pytest.mark.parametrize(
    ("most_marks", "auctions"), [(1, 2380), (2, 3060), (3, 3196), (4, 3213), (5, 3214), (6, 3214), (7, 3214)]
)
def test_there_are_so_many_plain_auctions_up_to_so_many_marks(most_marks: int, auctions: int):
    assert sum(1 for _ in reference.auctions(most_marks)) == auctions


def test_five_marks_are_reached_in_one_way():
    highest = [said for said in reference.auctions(7) if "5 marks" in said]
    assert highest == [("2 marks", "3 marks", "4 marks", "5 marks")]


def talks(talk: Auction, hands: list[Cards], standing: Standing | None = None) -> Iterator[tuple[str, ...]]:
    """Every way the talk goes on; at each turn both sides must allow the same bids and rate them alike."""
    if len(talk.said) == 4:
        yield talk.said
        return
    seat = talk.turn
    assert seat is not None
    calls = list(talk.calls(hands[seat]))
    assert len(set(calls)) == len(calls)
    assert set(calls) == set(reference.legal_bids(standing, ends(hands[seat]))), (talk.said, standing)
    for call in calls:
        after, then = talk.after(call), reference.say(standing, seat, call)
        if then is None:
            assert after.high is None
        else:
            assert after.high is not None
            bid, bidder = after.high
            assert (bidder, bid.marks, str(bid)) == (then.seat, then.marks, then.bid)
        yield from talks(after, hands, then)


@pytest.mark.parametrize("dealer", range(4))
def test_every_plain_auction_is_open_at_our_table_and_no_other(dealer: int):
    ours = set(talks(Auction(Rules(), dealer), [NO_DOUBLES] * 4))
    assert ours == set(reference.auctions(7))
    assert len(ours) == 3_214


@pytest.mark.parametrize("dealer", range(4))
def test_every_auction_in_which_two_hands_can_plunge_or_splash_is_open_too(dealer: int):
    hands = [FOUR_DOUBLES, NO_DOUBLES, THREE_DOUBLES, NO_DOUBLES]
    said = list(talks(Auction(Rules(), dealer), hands))
    assert {bid for four in said for bid in four} >= {"pass", "30", "plunge", "splash", "5 marks"}


def test_a_plunge_is_four_marks_from_anywhere_and_one_more_over_four():
    plunge = reference.say(Standing(0, "31", 0), 1, "plunge")
    assert plunge == Standing(1, "plunge", 4)
    assert reference.say(Standing(0, "4 marks", 4), 1, "plunge") == Standing(1, "plunge", 5)
    assert "5 marks" in reference.legal_bids(plunge)


def test_a_splash_is_two_marks_or_three_over_two_and_none_over_three():
    assert reference.say(None, 0, "splash") == Standing(0, "splash", 2)
    assert reference.say(Standing(0, "2 marks", 2), 1, "splash") == Standing(1, "splash", 3)
    assert "splash" not in reference.legal_bids(Standing(0, "3 marks", 3), ends(THREE_DOUBLES))


def test_a_hand_without_the_doubles_may_not_plunge():
    hands = [ends(hand) for hand in (NO_DOUBLES, THREE_DOUBLES, NO_DOUBLES, NO_DOUBLES)]
    with pytest.raises(ValueError, match="may not bid 'plunge'"):
        reference.auction(hands, 0, ["plunge", "pass", "pass", "pass"])
