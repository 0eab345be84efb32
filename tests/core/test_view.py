"""What a seat sees: its own hand, the size of the others, every play; and nothing of what is hidden from it."""

import random
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from renege import WrongPhase, texas42
from renege.core.cards import Cards, Hidden
from renege.core.deal_state import Act
from renege.core.house_rules import read_rules
from renege.core.position import Position
from renege.core.record import Record
from renege.core.trick import Play
from renege.core.view import seen_by_all, view_of
from renege.games import tractor
from renege.games.texas42.rules import Rules
from support.steering import CONTRACTS, SOAK, deals_for, play_out, steer

SWAP = read_rules(Rules(), {"nello_exchange": "one-tile"})


def cut(record: Record, length: int) -> Record:
    return replace(record, acts=record.acts[:length])


def played_by(record: Record, seat: int) -> Cards:
    pile = texas42.DECK.none
    for act in record.acts:
        if act.seat == seat and isinstance(act.what, Play):
            pile = pile + act.what.cards
    return pile


def reshuffled(record: Record, seat: int, rng: random.Random) -> Record:
    """Another deal with the same acts: the tiles that the others have not played are dealt among them anew."""
    kept = [played_by(record, other) for other in range(4)]
    unseen = texas42.DECK.all - record.start.hands[seat]  # type: ignore[operator]
    for other in range(4):
        if other != seat:
            unseen = unseen - kept[other]
    pack = list(unseen)
    rng.shuffle(pack)
    hands = []
    for other, hand in enumerate(record.start.hands):
        if other == seat:
            hands.append(hand)
        else:
            fresh, pack = pack[: 7 - len(kept[other])], pack[7 - len(kept[other]) :]
            hands.append(kept[other] + texas42.DECK.cards(fresh))
    return replace(record, start=replace(record.start, hands=tuple(hands)))


@settings(max_examples=40 * SOAK)
@given(st.integers(0, 10**6), st.sampled_from(CONTRACTS), st.integers(0, 3), st.data())
def test_deals_that_differ_only_in_unseen_tiles_look_the_same(seed, contract, seat, data):
    record = play_out(texas42.game(), next(deals_for(contract[0], first=seed)), steer(*contract))
    record = cut(record, data.draw(st.integers(0, len(record.acts))))
    other = reshuffled(record, seat, random.Random(seed))
    one, same = record.view(seat), other.view(seat)
    assert one == same
    assert str(one) == str(same)
    assert one.position == same.position
    assert str(one.position) == str(same.position)
    assert repr(one) == repr(same)


@settings(max_examples=15 * SOAK)
@given(st.integers(0, 10**6), st.sampled_from(CONTRACTS), st.integers(0, 3))
def test_a_view_shows_the_own_hand_the_public_state_and_no_other_hand(seed, contract, seat):
    record = play_out(texas42.game(), next(deals_for(contract[0], first=seed)), steer(*contract))
    for length, true in enumerate(record.positions()):
        view = cut(record, length).view(seat)
        seen = view.position
        assert view.hand == true.hands[seat]
        for other in range(4):
            assert len(seen.hands[other]) == len(true.hands[other])
            assert other == seat or isinstance(seen.hands[other], Hidden) or not seen.hands[other]
        assert (seen.turn, seen.trick, seen.points, seen.tricks) == (true.turn, true.trick, true.points, true.tricks)
        assert (seen.contract, seen.standing, seen.over) == (true.contract, true.standing, true.over)
        if seen.over:
            assert seen.result == true.result


def test_a_seat_may_ask_what_is_open_to_it_only_in_its_turn():
    record = play_out(texas42.game(), 5, steer("30", "trump 5"))
    for length, true in enumerate(record.positions()):
        for seat in range(4):
            view = cut(record, length).view(seat)
            assert view.my_turn == (true.turn == seat)
            if not view.my_turn:
                with pytest.raises(WrongPhase):
                    _ = view.legal_calls if true.talking else view.legal_plays
            elif true.talking:
                assert view.legal_calls == true.legal_calls
            else:
                assert list(view.legal_plays) == list(true.legal_plays)


def test_nobody_ever_sees_the_hand_of_the_partner_in_nello():
    rules = read_rules(Rules(), {"early_end": "play-on"})
    record = play_out(texas42.game(rules), 8, steer("1 mark", "nello"))
    contract = record.position.contract
    assert contract is not None and contract.declarer is not None
    partner = (contract.declarer + 2) % 4
    assert all(act.seat != partner for act in record.acts if isinstance(act.what, Play))
    hidden = record.start.hands[partner]
    assert isinstance(hidden, Cards)
    assert record.position.hands[partner] == hidden
    for seat in range(4):
        if seat != partner:
            view = record.view(seat)
            assert view.position.hands[partner] == Hidden(7)
            assert not any(texas42.DECK.names[tile] in str(view) for tile in hidden)


def exchange(given_first: str, given_back: str) -> Record:
    """Nello by seat 1 with a swap: seat 1 passes a tile to seat 3, who passes one back."""
    game = texas42.game(SWAP)
    hands = texas42.position(
        "0: 6-0 5-0 4-0 3-0 2-0 1-0 0-0 | 1: 6-6 6-5 5-5 3-1 2-1 1-1 4-1 | "
        "2: 6-1 5-1 5-2 4-2 3-2 2-2 6-2 | 3: 6-3 5-3 4-3 3-3 6-4 5-4 4-4"
    ).hands
    record = Record(replace(texas42.position("dealer 3", SWAP), game=game, hands=hands))
    talk = ((0, "pass"), (1, "1 mark"), (2, "pass"), (3, "pass"), (1, "nello"))
    for seat, call in (*talk, (1, f"give {given_first}"), (3, f"give {given_back}")):
        record = record.with_act(Act(seat, call))
    return record


def test_the_exchange_moves_a_tile_each_way_and_the_declarer_leads():
    record = exchange("6-6", "4-3")
    start, end = record.start, record.position
    tile = lambda text: texas42.DECK.of(1 << texas42.DECK.spellings[text])  # noqa: E731
    assert isinstance(start.hands[1], Cards)
    assert isinstance(start.hands[3], Cards)
    assert end.hands[1] == start.hands[1] - tile("6-6") + tile("4-3")
    assert end.hands[3] == start.hands[3] - tile("4-3") + tile("6-6")
    assert (end.hands[0], end.hands[2]) == (start.hands[0], start.hands[2])
    assert end.turn == 1
    assert end.active == (0, 1, 2)


def test_the_tile_passed_may_come_straight_back():
    assert exchange("6-6", "6-6").position.hands == exchange("6-6", "6-6").start.hands


@pytest.mark.parametrize("seat", [0, 2])
def test_the_other_side_hears_that_a_tile_was_passed_and_not_which(seat: int):
    one, other = exchange("6-6", "4-3"), exchange("6-5", "6-4")
    assert one.view(seat) == other.view(seat)
    assert str(one.view(seat)) == str(other.view(seat))
    assert "1 give a tile | 3 give a tile" in str(one.view(seat))
    assert str(one.view(seat).position) == str(other.view(seat).position)
    halfway, otherwise = cut(one, 6), cut(other, 6)
    assert str(halfway.view(seat).position) == str(otherwise.view(seat).position)
    assert [len(hand) for hand in halfway.view(seat).position.hands] == [7, 6, 7, 8]


@pytest.mark.parametrize(("seat", "hand"), [(1, "6-5 5-5 4-3 4-1 3-1 2-1 1-1"), (3, "6-6 6-4 6-3 5-4 5-3 4-4 3-3")])
def test_both_partners_know_the_tiles_they_swapped(seat: int, hand: str):
    view = exchange("6-6", "4-3").view(seat)
    assert str(view.hand) == hand
    assert "1 give 6-6 | 3 give 4-3" in str(view)


def test_a_view_of_a_view_by_the_same_seat_is_the_same():
    view = exchange("6-6", "4-3").view(0)
    assert view_of(view, 0) == view


# --- who sits in no seat ---------------------------------------------------------------------------


@settings(max_examples=15 * SOAK)
@given(st.integers(0, 10**6), st.sampled_from(CONTRACTS))
def test_a_spectator_sees_the_public_state_and_no_hand(seed, contract):
    record = play_out(texas42.game(), next(deals_for(contract[0], first=seed)), steer(*contract))
    for length, true in enumerate(record.positions()):
        seen = seen_by_all(cut(record, length)).position
        assert [len(hand) for hand in seen.hands] == [len(hand) for hand in true.hands]
        assert all(isinstance(hand, Hidden) or not hand for hand in seen.hands)
        assert (seen.turn, seen.trick, seen.points, seen.tricks) == (true.turn, true.trick, true.points, true.tricks)
        assert (seen.contract, seen.standing, seen.over) == (true.contract, true.standing, true.over)


def test_a_spectator_hears_what_every_other_seat_could_hear():
    one, other = exchange("6-6", "4-3"), exchange("6-5", "6-4")
    assert seen_by_all(one) == seen_by_all(other)
    assert "1 give a tile | 3 give a tile" in str(seen_by_all(one))
    assert seen_by_all(one).acts[:5] == one.acts[:5]


def test_a_spectator_sees_the_kitty_when_the_deal_is_over():
    record = play_out(tractor.game(), 3, _any)
    buried = next(i for i, act in enumerate(record.acts) if str(act.what).startswith("bury"))
    before, after = seen_by_all(cut(record, len(record.acts) - 1)), seen_by_all(record)
    assert before.acts[buried].what == "bury 8 cards"
    assert before.position.kitty == Hidden(8)
    assert after.acts[buried] == record.acts[buried]
    assert after.position.kitty == record.position.kitty
    assert after.position.result == record.position.result


def _any(position: Position, rng: random.Random) -> str | Play:
    return rng.choice(position.legal_calls) if position.talking else position.legal_plays.choose(rng)
