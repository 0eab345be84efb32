"""Deals, legal cards, winners and playouts: does a device come to what the CPU comes to, bit for bit?"""

from dataclasses import replace

import numpy as np
import pytest

from renege.games.schafkopf.packed import tables as schafkopf_tables
from renege.games.schafkopf.rules import PackSize
from renege.native import cards as native
from renege.native import schafkopf as native_schafkopf
from renege.native.cards import Duty
from renege.native.gpu import playouts
from support.random_tables import ORDERS, SCHAFKOPF, dealt_42, stages


@pytest.mark.parametrize("name", ORDERS)
def test_random_deals_are_the_cpus(gpu, many: int, name: str):
    tables = native.tables(ORDERS[name])
    duty = Duty.STRONGEST if name == "sevens" else Duty.FOLLOW_SUIT
    for n, lane in ((1, 0), (33, 5), (301 * many, 2**40)):
        found = playouts.random_deals(gpu, tables, n, 20 + n, lane, duty=duty)
        assert found == native.random_deals(tables, n, 20 + n, lane, duty=duty)


def test_a_deal_that_is_drawn_again_is_the_cpus(gpu):
    """One deal in 250 is: a draw fell into the part that does not divide evenly."""
    tables = native.tables(ORDERS["5"])
    n = 3000
    assert playouts.random_deals(gpu, tables, n, 1) == native.random_deals(tables, n, 1)


@pytest.mark.parametrize("name", ORDERS)
def test_legal_cards_and_playouts_are_the_cpus(gpu, many: int, name: str):
    tables = native.tables(ORDERS[name])
    states = stages(tables, dealt_42(name, 60 if many == 1 else 3000), 7)
    assert (playouts.legal_masks(gpu, tables, states) == native.legal_masks(tables, states)).all()
    found = playouts.playouts(gpu, tables, states, 11, 2**33, plays=True)
    expected = native.playouts(tables, states, 11, 2**33, plays=True)
    assert (found.states == expected.states).all()
    assert found.plays is not None and expected.plays is not None and (found.plays == expected.plays).all()


@pytest.mark.parametrize("cards", [3, 4])
@pytest.mark.parametrize("name", ORDERS)
def test_winners_are_the_cpus(gpu, many: int, name: str, cards: int):
    rng = np.random.default_rng(5)
    tables = native.tables(ORDERS[name])
    tricks = np.stack([rng.permutation(28)[:cards] for _ in range(100 * many)]).astype(np.uint8)
    assert (playouts.winners(gpu, tables, tricks) == native.winners(tables, tricks)).all()


@pytest.mark.parametrize("sizes", [[7, 7, 7, 7], [8, 8, 8, 8], [1], [5, 0, 9], [3] * 10])
def test_deals_are_the_cpus(gpu, many: int, sizes: list[int]):
    cards = (1 << 32) - 1 if sum(sizes) > 28 else 0b1011_0111_1111_1101_1111_1110_1111_1101 | 1
    if sum(sizes) > cards.bit_count():
        cards = (1 << 32) - 1
    n = 300 * many
    assert (playouts.deals(gpu, cards, sizes, n, 8, 99) == native.deals(cards, sizes, n, 8, 99)).all()


@pytest.mark.parametrize("pack", PackSize)
@pytest.mark.parametrize("name", SCHAFKOPF)
def test_schafkopf_is_the_cpus(gpu, many: int, name: str, pack: PackSize):
    order = schafkopf_tables(name, pack)
    n = 150 * many
    assert playouts.random_deals(gpu, order, n, 4) == native.random_deals(order, n, 4)
    hands = native.deals((1 << order.cards) - 1, [order.cards // 4] * 4, min(n, 3000), 9)
    leaders = (np.arange(len(hands)) % 4).astype(np.uint8)
    states = stages(order, native_schafkopf.states(order, hands, leaders), 2)
    assert (playouts.legal_masks(gpu, order, states) == native.legal_masks(order, states)).all()
    found, expected = playouts.playouts(gpu, order, states, 6), native.playouts(order, states, 6)
    assert (found.states == expected.states).all()


def test_what_the_cpu_refuses_is_refused_in_its_words(gpu):
    tables = native.tables(ORDERS["5"])
    states = dealt_42("5", 10)
    states[7, 0] = states[7, 1]
    with pytest.raises(ValueError, match="row 7"):
        playouts.playouts(gpu, tables, states, 1)
    with pytest.raises(ValueError, match="row 7"):
        playouts.legal_masks(gpu, tables, states)
    with pytest.raises(ValueError, match="row 0"):
        playouts.winners(gpu, tables, np.array([[1, 1, 2, 3]], np.uint8))
    with pytest.raises(ValueError, match="impossible"):
        playouts.deals(gpu, 0b111, [2, 2], 5, 1)


def test_an_order_is_not_taken_from_the_launch_before(gpu):
    """Two orders in turn: what lies in shared memory is the launch's own."""
    one, other = native.tables(ORDERS["5"]), native.tables(replace(ORDERS["0"], trick_points=2))
    for tables in (one, other, one):
        assert playouts.random_deals(gpu, tables, 64, 3) == native.random_deals(tables, 64, 3)
