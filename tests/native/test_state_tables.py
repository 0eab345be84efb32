"""Does a whole table have every state that the deal can come to, and no other, each with the solver's value?"""

import os
from collections import Counter

import numpy as np
import pytest

from reference.state_tables import Deal, State, key
from renege.games import schafkopf
from renege.native import cards as native
from renege.native import schafkopf as native_schafkopf
from renege.native import solve as native_solve
from renege.native import state_tables as native_whole
from renege.native.solve import SolveQuery
from support.boundary_keys import boundary_keys, from_boundary_keys, value_of
from support.texas42_deals import DECK, ORDERS, Deals, deals_of

SOAK = int(os.environ.get("RENEGE_SOAK", "1"))


def held(mask: int) -> frozenset[int]:
    return frozenset(tile for tile in range(28) if mask >> tile & 1)


def literal(name: str, deals: Deals, row: int) -> tuple[Deal, State]:
    """A row as the reference has it."""
    *hands, _, terms, _, _ = deals.states[row].tolist()
    seats = [seat for seat in range(4) if terms >> 4 + seat & 1]
    deal = Deal(ORDERS[name], seats, int(deals.takers[row]), int(deals.maximisers[row]), name == "sevens")
    return deal, (tuple(map(held, hands)), terms & 3)


def walk(tables: native.Tables, start: np.ndarray) -> tuple[set[int], Counter[int], Counter[int]]:
    """All keys that plays lead to, trick after trick; states and tricks by the tiles left."""
    keys: set[int] = set()
    states: Counter[int] = Counter()
    tricks: Counter[int] = Counter()
    level = start[None].copy()
    for left in range(int(start[start[5] & 3]).bit_count(), 0, -1):
        keys |= set(boundary_keys(level).tolist())
        states[left] = len(level)
        for _ in range((int(start[5]) >> 4 & 15).bit_count()):
            masks = native.legal_masks(tables, level)
            moves = [(row, card) for row, mask in enumerate(masks.tolist()) for card in held(mask)]
            rows, cards = np.array(moves).T
            level = native.step(tables, level[rows], cards.astype(np.uint8))
        tricks[left] = len(level)
        level[:, 6:] = 0
        level = np.unique(level, axis=0)
    return keys, states, tricks


@pytest.mark.parametrize("name", ORDERS)
def test_small_hands_are_as_the_rules_say(name: str):
    for tiles in (1, 2, 3):
        deals = deals_of(name, tiles, 8 * SOAK, 10 + tiles)
        found = native_whole.solve(SolveQuery(deals.tables, deals.states, deals.takers, deals.maximisers), keep=True)
        assert found.tables is not None
        for row, table in enumerate(found.tables):
            deal, start = literal(name, deals, row)
            assert deal.value(start) == found.values[row]
            expected = {key(state): value for state, value in deal.values.items()}
            assert dict(zip(table.keys.tolist(), table.values.tolist(), strict=True)) == expected
            assert found.states[row].sum() == len(expected)
            assert found.transitions[row].sum() == deal.transitions


@pytest.mark.parametrize("name", ORDERS)
def test_the_states_are_those_that_plays_lead_to(name: str):
    deals = deals_of(name, 4, SOAK, 4)
    found = native_whole.solve(SolveQuery(deals.tables, deals.states, deals.takers, deals.maximisers), keep=True)
    assert found.tables is not None
    for row, table in enumerate(found.tables):
        keys, states, tricks = walk(deals.tables, deals.states[row])
        assert table.keys.tolist() == sorted(keys)
        assert found.states[row].tolist() == [states[left] for left in range(8)]
        assert found.transitions[row].tolist() == [tricks[left] for left in range(8)]


@pytest.mark.parametrize("name", ORDERS)
@pytest.mark.parametrize("tiles", [5, 6])
def test_values_are_the_solvers(name: str, tiles: int):
    check_against_solver(deals_of(name, tiles, 2 * SOAK, 30 + tiles), 100)


@pytest.mark.parametrize("name", ["2", "5", "doubles", "follow-me", "follow-me low", "nello", "nello high", "sevens"])
def test_values_of_whole_deals_are_the_solvers(name: str):
    check_against_solver(deals_of(name, 7, SOAK, 7), 100)


def check_against_solver(deals: Deals, sampled: int) -> None:
    """The value of the deal, and of states all over its table."""
    found = native_whole.solve(SolveQuery(deals.tables, deals.states, deals.takers, deals.maximisers), keep=True)
    roots = native_solve.solve(SolveQuery(deals.tables, deals.states, deals.takers, deals.maximisers))
    assert found.values.tolist() == roots.lower.tolist() == roots.upper.tolist()
    assert found.tables is not None
    rng = np.random.default_rng(9)
    for row, table in enumerate(found.tables):
        keys = rng.choice(table.keys, sampled)
        states = from_boundary_keys(keys, deals.states[row])
        sides = (int(deals.takers[row]), int(deals.maximisers[row]))
        expected = native_solve.solve(SolveQuery(deals.tables, states, *sides))
        assert value_of(table, keys).tolist() == expected.lower.tolist()
        assert (np.diff(table.keys.astype(np.int64)) > 0).all()


def test_takers_and_maximisers_may_be_any_seats():
    deals = deals_of("3", 4, 256, 12)
    takers, maximisers = np.divmod(np.arange(256, dtype=np.uint8), np.uint8(16))
    found = native_whole.solve(SolveQuery(deals.tables, deals.states, takers, maximisers))
    expected = native_solve.solve(SolveQuery(deals.tables, deals.states, takers, maximisers))
    assert found.values.tolist() == expected.lower.tolist()


def test_threads_change_nothing():
    deals = deals_of("6", 5, 7, 2)
    one = native_whole.solve(SolveQuery(deals.tables, deals.states, 5), keep=True)
    for threads in (2, 7, 20):
        many = native_whole.solve(SolveQuery(deals.tables, deals.states, 5), threads=threads, keep=True)
        assert (many.values == one.values).all()
        assert (many.states == one.states).all()
        assert (many.transitions == one.transitions).all()
        assert one.tables is not None
        assert many.tables is not None
        for ours, theirs in zip(one.tables, many.tables, strict=True):
            assert (ours.keys == theirs.keys).all()
            assert (ours.values == theirs.values).all()


def test_points_already_taken_do_not_count():
    deals = deals_of("1", 3, 4, 1)
    later = deals.states.copy()
    later[:, 6] = 0x0A050300
    expected = native_whole.solve(SolveQuery(deals.tables, deals.states, 5))
    assert (native_whole.solve(SolveQuery(deals.tables, later, 5)).values == expected.values).all()


def test_no_rows_are_no_answers():
    found = native_whole.solve(SolveQuery(native.tables(ORDERS["5"]), np.empty((0, 8), np.uint32), 5), keep=True)
    assert len(found.values) == 0
    assert found.tables == []


def test_a_state_that_is_not_in_the_table_is_refused():
    deals = deals_of("5", 3, 1, 3)
    found = native_whole.solve(SolveQuery(deals.tables, deals.states, 5), keep=True)
    assert found.tables is not None
    (table,) = found.tables
    strange = np.array([table.keys[0], 1 << 30, 0], np.uint32)
    with pytest.raises(ValueError, match=r"keys row 1: the deal cannot come to 0x40000000"):
        value_of(table, strange)


def bad_rows() -> list[tuple[np.ndarray, str]]:
    hands = native.deals(DECK, [7] * 4, 1, 1)[0].tolist()
    uneven = native.state([hands[0] & (hands[0] - 1), *hands[1:]], 1)
    lead = hands[0] & -hands[0]
    under_way = native.state([hands[0] ^ lead, *hands[1:]], 0, table=[lead.bit_length() - 1])
    eight = native.state([0xFF, 0xFF00, 0xFF0000, 0], 0, seats=0b0111)
    return [
        (uneven, "hand sizes"),
        (under_way, "a trick is under way"),
        (eight, "more than 7 tiles"),
        (native.state([0] * 4, 0), "no tile is left"),
        (native.state(hands, 0, seats=0b0011), "seats mask"),
        (native.state(hands, 0, duty=native.Duty.CALLED_ACE), "no such duty"),
    ]


@pytest.mark.parametrize(("state", "why"), bad_rows())
def test_what_has_no_whole_table_is_refused(state: np.ndarray, why: str):
    deals = deals_of("5", 2, 3, 8)
    states = np.insert(deals.states, 2, state, axis=0)
    with pytest.raises(ValueError, match=f"states row 2: .*{why}"):
        native_whole.solve(SolveQuery(deals.tables, states, 5))


def test_cards_that_are_none_are_refused_before_they_are_counted():
    deals = deals_of("5", 2, 3, 8)
    state = deals.states[0].copy()
    state[4] = 0xFFC8C840  # cards 64, 200 and 200 lie on the table
    state[5] |= 3 << 2
    query = SolveQuery(deals.tables, np.insert(deals.states, 1, state, axis=0), 5)
    for in_trick in (False, True):
        with pytest.raises(ValueError, match=r"states row 1: "):
            native_whole.by_shape(query, in_trick=in_trick)


def test_schafkopf_is_refused():
    called = native_schafkopf.order(schafkopf.order("rufspiel E"), schafkopf.LONG.spellings["EA"])
    hands = native.deals(schafkopf.LONG.kinds, [4] * 4, 1, 3)
    states = native_schafkopf.states(called, hands, np.zeros(1, np.uint8))
    with pytest.raises(ValueError, match="row 0: whole tables are for 42, where no ace is called"):
        native_whole.solve(SolveQuery(called, states, 5))
    solo = native_schafkopf.order(schafkopf.order("solo H"), None)
    with pytest.raises(ValueError, match="row 0: whole tables are for 42, which has 28 tiles"):
        native_whole.solve(SolveQuery(solo, native.state([1 << 31, 1, 2, 4], 0)[None], 5))


def test_masks_that_cannot_be_are_refused():
    deals = deals_of("5", 2, 3, 8)
    with pytest.raises(ValueError, match="takers is 16"):
        native_whole.solve(SolveQuery(deals.tables, deals.states, 16))
    with pytest.raises(ValueError, match="maximisers row 1"):
        native_whole.solve(SolveQuery(deals.tables, deals.states, 5, np.array([1, 77, 2], np.uint8)))
    with pytest.raises(ValueError, match="threads is 0"):
        native_whole.solve(SolveQuery(deals.tables, deals.states, 5), threads=0)
