"""Do legal cards, winners, steps and keys read the tables as they should, and is nonsense refused?"""

import doctest
import os
from contextlib import suppress
from dataclasses import replace
from itertools import islice, permutations
from random import Random
from typing import Any

import numpy as np
import pytest

from reference import kernel as twin
from reference import orders
from reference.orders import mask, tile
from renege.native import cards as native
from support.boundary_keys import boundary_keys, from_boundary_keys

SOAK = int(os.environ.get("RENEGE_SOAK", "1"))
FIVES = native.tables(orders.trump(5))
DEAL = [mask(*range(seat * 7, seat * 7 + 7)) for seat in range(4)]


def a_state(**change: object) -> np.ndarray:
    parts = {"hands": DEAL, "leader": 0} | change
    return native.state(**parts)[None]  # pyright: ignore[reportArgumentType]


def a_raw_state(word: int, value: int, of: np.ndarray | None = None) -> np.ndarray:
    state = a_state() if of is None else of.copy()
    state[0, word] = value
    return state


def test_examples_hold():
    assert doctest.testmod(native) == (0, 2)


def test_features_name_the_path_taken(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.delenv("RENEGE_PORTABLE", raising=False)
    features = native.features()
    assert features.path == ("bmi2" if features.bmi2 else "portable")
    assert features.compiler
    monkeypatch.setenv("RENEGE_PORTABLE", "1")
    assert native.features().path == "portable"


def test_a_trump_does_not_follow_its_other_end():
    """The sixes are led: 6-5 is a trump, 6-6 must come."""
    hand = mask(tile(6, 6), tile(6, 5), tile(3, 1))
    others = [mask(tile(1, 0), tile(0, 0), tile(1, 1)), mask(tile(4, 4), tile(3, 3), tile(4, 0))]
    state = a_state(hands=[mask(tile(2, 0), tile(2, 1)), hand, *others], table=[tile(6, 4)])
    assert native.legal_masks(FIVES, state).tolist() == [mask(tile(6, 6))]


def test_sevens_must_come_nearest_first_on_the_lead_too():
    hand = mask(tile(6, 1), tile(4, 3), tile(6, 6))
    state = a_state(hands=[hand, mask(0, 1, 2), mask(3, 4, 5), mask(6, 7, 8)], duty=native.Duty.STRONGEST)
    sevens = native.tables(orders.sevens())
    assert native.legal_masks(sevens, state).tolist() == [mask(tile(6, 1), tile(4, 3))]
    # Of two tiles with seven pips the earlier wins.
    plays = [[tile(6, 1), tile(4, 3), tile(5, 2), 0], [0, tile(6, 5), tile(5, 2), tile(4, 3)]]
    assert native.winners(sevens, np.array(plays, np.uint8)).tolist() == [0, 2]


@pytest.mark.parametrize("order", [orders.trump(5), orders.trump(None), orders.nello(), orders.sevens(), orders.solo()])
@pytest.mark.parametrize("count", [3, 4])
def test_winners_equal_the_twin(order: orders.HandMade, count: int):
    random = Random(count)
    cards = range(len(order.points))
    plays = [random.sample(cards, count) for _ in range(2000 * SOAK)]
    won = native.winners(native.tables(order), np.array(plays, np.uint8))
    assert won.tolist() == [twin.winner(order, trick) for trick in plays]


def test_three_seats_pass_over_the_one_that_sits_out():
    tables = native.tables(orders.nello())
    state = a_state(leader=1, seats=0b1011)
    for seat in (1, 3, 0):
        hand = state[0, seat]
        legal = int(native.legal_masks(tables, state)[0])
        assert legal
        assert legal & ~int(hand) == 0
        state = native.step(tables, state, np.array([legal.bit_length() - 1], np.uint8))
    assert [int(word).bit_count() for word in state[0, :4]] == [6, 6, 7, 6]
    assert state[0, 4] == 0xFFFFFFFF
    assert state[0, 7].tobytes().count(1) == 1


def test_states_are_not_changed_in_place():
    state = a_state()
    before = state.copy()
    native.step(FIVES, state, np.array([3], np.uint8))
    native.playouts(FIVES, state, seed=1)
    assert np.array_equal(state, before)


def test_odd_but_sound_arrays_are_taken():
    rows = np.repeat(a_state(), 6, axis=0)
    expected = native.legal_masks(FIVES, rows).tolist()
    assert native.legal_masks(FIVES, rows[::2]).tolist() == expected[::2]
    assert native.legal_masks(FIVES, np.asfortranarray(rows)).tolist() == expected
    unaligned = np.frombuffer(b"x" + rows.tobytes(), np.uint8)[1:].view(np.uint32).reshape(6, 8)
    assert native.legal_masks(FIVES, unaligned).tolist() == expected
    assert native.legal_masks(FIVES, rows[:0]).shape == (0,)
    assert native.playouts(FIVES, rows[:0], seed=1, threads=4, plays=True).points.shape == (0, 4)


@pytest.mark.parametrize(
    ("states", "says"),
    [
        (a_state(hands=[DEAL[0] | 1 << 7, *DEAL[1:]]), "two hands"),
        (a_state(hands=[DEAL[0] ^ 1 ^ 1 << 28, *DEAL[1:]]), "card that the deck does not have"),
        (a_state(hands=[DEAL[0] ^ 1 ^ 1 << 31, *DEAL[1:]]), "card that the deck does not have"),
        (a_state(hands=[DEAL[0] ^ 1, *DEAL[1:]]), "hand sizes are impossible"),
        (a_state(hands=[0, *DEAL[1:]]), "hand sizes are impossible"),
        (a_state(table=[0]), "in a hand and on the table"),
        (a_state(hands=[DEAL[0] ^ 1, *DEAL[1:]], table=[28]), "not in the deck"),
        (a_state(hands=[DEAL[0] ^ 1, *DEAL[1:]], table=[254]), "not in the deck"),
        (a_state(hands=[DEAL[0] ^ 1, DEAL[1] ^ 128, *DEAL[2:]], table=[0, 0]), "two hands"),
        (a_raw_state(4, 0xFFFF07FF), "where no card lies"),
        (a_state(seats=0b0011), "3 or 4 seats"),
        (a_state(seats=0), "3 or 4 seats"),
        (a_state(seats=0b1110), "sits out"),
        (a_state(seats=0b1011, table=[0, 1, 2]), "than a trick begun can have"),
        (a_state(duty=2), "no such duty"),
        (a_state(duty=15), "no such duty"),
        (a_state(points=[200, 0, 20, 0]), "over 255"),
        (a_state(tricks=[0, 249, 0, 0]), "over 255"),
    ],
)
def test_impossible_states_are_refused_by_row(states: np.ndarray, says: str):
    rows = np.concatenate([a_state(), a_state(), states, a_state(), states])
    cards = np.zeros(len(rows), np.uint8)
    for call in (
        lambda: native.legal_masks(FIVES, rows),
        lambda: native.step(FIVES, rows, cards),
        lambda: native.playouts(FIVES, rows, seed=1),
        lambda: native.playouts(FIVES, rows, seed=1, threads=3, plays=True),
    ):
        with pytest.raises(ValueError, match=f"states row 2: .*{says}"):
            call()


def test_random_words_are_refused_or_played():
    """No 8 words, however wild, may do more harm than an error."""
    rng = np.random.default_rng(3)
    tables = [native.tables(order) for order in (orders.trump(5), orders.sevens(), orders.solo())]
    for _ in range(3000 * SOAK):
        state = a_raw_state(int(rng.integers(8)), int(rng.integers(1 << 32)))
        if rng.random() < 0.3:
            state = rng.integers(1 << 32, size=(1, 8), dtype=np.uint32)
        for order in tables:
            with suppress(ValueError):
                native.playouts(order, state, seed=1, plays=True)
                native.step(order, state, np.array([rng.integers(256)], np.uint8))
                boundary_keys(state)


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"leader": 4}, "leader is 4; it must be 0..3"),
        ({"leader": -1}, "leader"),
        ({"seats": 16}, "seats"),
        ({"duty": 16}, "duty"),
        ({"declaration": 256}, "declaration"),
        ({"bid": 16}, "bid"),
        ({"hands": DEAL[:3]}, "4 hands"),
        ({"hands": [-1, 0, 0, 0]}, "hands"),
        ({"hands": [1 << 32, 0, 0, 0]}, "hands"),
        ({"table": [1, 2, 3, 4]}, "3 cards on the table"),
        ({"table": [256]}, "card on the table"),
        ({"points": [256, 0, 0, 0]}, "points"),
    ],
)
def test_states_that_do_not_fit_their_words_are_refused(change: dict[str, object], says: str):
    with pytest.raises(ValueError, match=says):
        a_state(**change)


def test_arrays_of_another_shape_or_type_are_refused():
    state: Any = a_state()  # Any, since the type checker would refuse most of these too
    card: Any = np.zeros(1, np.uint8)
    plays: Any = np.zeros((1, 4), np.uint8)
    for call, says in (
        (lambda: native.legal_masks(FIVES, state[0]), r"states must be uint32\[B, 8\], not uint32\[8\]"),
        (lambda: native.legal_masks(FIVES, state[:, :7]), r"not uint32\[1, 7\]"),
        (lambda: native.legal_masks(FIVES, state.astype(np.int64)), "not int64"),
        (lambda: native.playouts(FIVES, state.astype(np.float32), 1), "not float32"),
        (lambda: native.step(FIVES, state, card[:0]), r"cards must be uint8\[1\]"),
        (lambda: native.step(FIVES, state, card.astype(np.uint32)), "not uint32"),
        (lambda: native.winners(FIVES, plays[:, :2]), "3 or 4 cards"),
        (lambda: native.winners(FIVES, plays[0]), r"not uint8\[4\]"),
        (lambda: native.winners(FIVES, plays), "plays row 0: a card is played twice"),
        (lambda: native.winners(FIVES, plays + np.arange(25, 29, dtype=np.uint8)), "not in the deck"),
        (lambda: boundary_keys(state[0]), r"uint32\[B, 8\]"),
        (lambda: from_boundary_keys(state, state), r"keys must be uint32\[B\]"),
        (lambda: native.random_deals(FIVES, 1, 1, duty=2), "no such duty"),
        (lambda: native.random_deals(FIVES, -1, 1), "lanes"),
        (lambda: native.playouts(FIVES, state, 1, threads=0), "threads"),
        (lambda: native.playouts(FIVES, state, -1), "seed"),
    ):
        with pytest.raises(ValueError, match=says):
            call()


@pytest.mark.parametrize("card", [7, 27, 28, 31, 32, 255])
def test_an_illegal_step_names_its_row(card: int):
    states = np.concatenate([a_state(), a_state()])
    with pytest.raises(ValueError, match=f"states row 1: card {card} is not a legal play"):
        native.step(FIVES, states, np.array([0, card], np.uint8))


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"led_suit": (8,) + (0,) * 27}, "leads suit 8"),
        ({"led_suit": (1, *orders.trump(5).led_suit[1:])}, "does not follow it"),
        ({"led_suit": (0,) * 33}, "33 cards"),
        ({"follow": (0,) * 9}, "9 suits"),
        ({"follow": (*orders.trump(5).follow[:7], 1 << 28 | orders.trump(5).follow[7])}, "follow"),
        ({"strength": ((0,) * 28,) * 7}, "8 suits of 28"),
        ({"strength": ((256,) + (0,) * 27,) * 8}, "strength"),
        ({"points": (0,) * 27}, "27 cards"),
        ({"points": (10,) * 28}, "255"),
        ({"points": (-1,) + (0,) * 27}, "0 or more"),
        ({"trick_points": 8}, "255"),
    ],
)
def test_tables_that_make_no_order_are_refused(change: dict[str, object], says: str):
    with pytest.raises(ValueError, match=says):
        native.tables(replace(orders.trump(5), **change))  # pyright: ignore[reportArgumentType]


def test_equal_orders_are_equal_bytes():
    assert bytes(native.tables(orders.trump(3))) == bytes(native.tables(orders.trump(3)))
    assert bytes(native.tables(orders.trump(3))) != bytes(native.tables(orders.trump(4)))


def test_boundary_keys_go_both_ways():
    start = a_state(leader=2, declarer=2, declaration=5, contract=1, bid=2)
    states = start
    seen: set[int] = set()
    for trick in range(8):
        keys = boundary_keys(states)
        key = int(keys[0])
        assert key == sum(int(hand) for hand in states[0, :4]) | int(states[0, 5] & 3) << 28
        assert key not in seen
        seen.add(key)
        back = from_boundary_keys(keys, start[0])
        assert back[0, :6].tolist() == states[0, :6].tolist()
        assert back[0, 6:].tolist() == [0, 0]
        assert from_boundary_keys(keys, start).tolist() == back.tolist()
        for _ in range(4 if trick < 7 else 0):
            legal = int(native.legal_masks(FIVES, states)[0])
            states = native.step(FIVES, states, np.array([legal.bit_length() - 1], np.uint8))
    assert states[0, 7].tobytes() != b"\0\0\0\0"


def test_keys_that_name_no_position_are_refused():
    start = a_state()
    half = mask(*range(0, 28, 7))
    smaller = from_boundary_keys(np.array([half], np.uint32), start)
    for key, of, says in (
        (1 << 30, start, "30 bits"),
        (1, start, "hand sizes"),
        ((1 << 28) - 1, smaller, "a tile that the deal does not"),
        (half | 1 << 28, a_state(seats=0b1101), "sits out"),
    ):
        with pytest.raises(ValueError, match=f"keys row 0: .*{says}"):
            from_boundary_keys(np.array([key], np.uint32), of)
    begun = native.step(FIVES, start, np.array([0], np.uint8))
    with pytest.raises(ValueError, match="a trick is under way"):
        boundary_keys(begun)


def test_every_order_of_four_plays_of_one_trick():
    """All 24 seatings of four tiles: the winner is the same tile whenever the led suit is."""
    order = orders.trump(5)
    tiles = [tile(6, 4), tile(6, 6), tile(5, 0), tile(3, 2)]
    plays = np.array(list(islice(permutations(tiles), 24)), np.uint8)
    won = native.winners(FIVES, plays)
    assert {int(trick[i]) for trick, i in zip(plays, won, strict=True)} == {tile(5, 0)}
    assert [twin.winner(order, trick) for trick in plays.tolist()] == won.tolist()
