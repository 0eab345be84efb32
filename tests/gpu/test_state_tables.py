"""Whole tables: does a device come to what the CPU comes to, state by state?"""

import numpy as np
import pytest

from renege.native import cards as native
from renege.native import solve as native_solve
from renege.native import state_tables as native_whole
from renege.native.gpu import state_tables as whole
from renege.native.solve import SolveQuery
from support.boundary_keys import from_boundary_keys, value_of
from support.texas42_deals import ORDERS, Deals, deals_of


def same(found: native_whole.StateTables, expected: native_whole.StateTables) -> None:
    assert found.values.tolist() == expected.values.tolist()
    assert (found.states == expected.states).all()
    assert (found.transitions == expected.transitions).all()
    assert (found.tables is None) == (expected.tables is None)
    for ours, theirs in zip(found.tables or [], expected.tables or [], strict=True):
        assert (ours.keys == theirs.keys).all()
        assert (ours.values == theirs.values).all()


def both(gpu, deals: Deals, *, batch: int = whole.BATCH, keep: bool = True) -> native_whole.StateTables:
    """The device's answer, held against the CPU's."""
    given = (deals.tables, deals.states, deals.takers, deals.maximisers)
    found = whole.solve(gpu, SolveQuery(*given), batch=batch, keep=keep)
    same(found, native_whole.solve(SolveQuery(*given), keep=keep))
    return found


@pytest.mark.parametrize("name", ORDERS)
def test_tables_are_the_cpus(gpu, many: int, name: str):
    """Small hands on the emulated device, whole deals on a real one."""
    sizes = {1: 5, 2: 5, 3: 3, 4: 1} if many == 1 else {1: 200, 4: 100, 5: 20, 6: 5, 7: 3}
    for tiles, n in sizes.items():
        both(gpu, deals_of(name, tiles, n, 50 + tiles))


@pytest.mark.parametrize("name", ORDERS)
def test_values_are_the_solvers(gpu, many: int, name: str):
    tiles, n, sampled = (4, 1, 30) if many == 1 else (7, 4, 500)
    deals = deals_of(name, tiles, n, 70)
    found = whole.solve(gpu, SolveQuery(deals.tables, deals.states, deals.takers, deals.maximisers), keep=True)
    assert found.tables is not None
    rng = np.random.default_rng(3)
    for row, table in enumerate(found.tables):
        keys = rng.choice(table.keys, sampled)
        states = from_boundary_keys(keys, deals.states[row])
        sides = (int(deals.takers[row]), int(deals.maximisers[row]))
        expected = native_solve.solve(SolveQuery(deals.tables, states, *sides))
        assert value_of(table, keys).tolist() == expected.lower.tolist()


@pytest.mark.parametrize("name", ["5", "follow-me", "nello"])
def test_values_of_many_deals_are_the_solvers(gpu, many: int, name: str):
    """More than a batch, and the last not full."""
    tiles, n, batch = (3, 7, 3) if many == 1 else (7, 200, 64)
    deals = deals_of(name, tiles, n, 11)
    found = whole.solve(gpu, SolveQuery(deals.tables, deals.states, deals.takers, deals.maximisers), batch=batch)
    assert found.tables is None
    expected = native_solve.solve(SolveQuery(deals.tables, deals.states, deals.takers, deals.maximisers))
    assert found.values.tolist() == expected.lower.tolist()


def in_tricks(deals: Deals, seed: int) -> Deals:
    """Every row with some tiles of its next trick on the table, none to all but one."""
    rng, states = np.random.default_rng(seed), deals.states.copy()
    players = np.bitwise_count(states[:, 5] >> 4 & 15)
    plays = rng.integers(0, players)
    for turn in range(3):
        rows = np.flatnonzero(plays > turn)
        masks = native.legal_masks(deals.tables, states[rows]).tolist()
        cards = [rng.choice([card for card in range(28) if mask >> card & 1]) for mask in masks]
        states[rows] = native.step(deals.tables, states[rows], np.array(cards, np.uint8))
    return Deals(deals.tables, states, deals.takers, deals.maximisers)


@pytest.mark.parametrize("name", ORDERS)
def test_every_play_is_the_solvers(gpu, many: int, name: str):
    """Wherever in the trick."""
    sizes = {1: 6, 2: 8, 3: 8, 4: 1} if many == 1 else {1: 200, 3: 200, 5: 100, 6: 20, 7: 12}
    for tiles, n in sizes.items():
        deals = in_tricks(deals_of(name, tiles, n, 90 + tiles), tiles)
        given = (deals.tables, deals.states, deals.takers, deals.maximisers)
        found, expected = whole.solve_plays(gpu, SolveQuery(*given)), native_solve.solve_plays(SolveQuery(*given))
        assert (found.lower == expected.lower).all()
        assert (found.upper == expected.upper).all()
        assert (found.nodes > 0).all()


def test_what_there_is_no_time_for_is_left_open(gpu):
    deals = deals_of("4", 3, 40, 5)
    given = (deals.tables, deals.states, deals.takers, deals.maximisers)
    known, at_first = native_solve.solve(SolveQuery(*given)), native_solve.solve(SolveQuery(*given, most_nodes=0))
    found = whole.solve_values(gpu, SolveQuery(*given, most_seconds=0))
    first = whole.FIRST_BATCH
    assert (found.lower[:first] == known.lower[:first]).all() and (found.upper[:first] == known.lower[:first]).all()
    assert (found.lower[first:] == at_first.lower[first:]).all() and (
        found.upper[first:] == at_first.upper[first:]
    ).all()
    assert (whole.solve_values(gpu, SolveQuery(*given)).lower == known.lower).all()
    plays = whole.solve_plays(gpu, SolveQuery(*given, most_seconds=0))
    assert (plays.lower[:first] == native_solve.solve_plays(SolveQuery(*given)).lower[:first]).all()
    assert (plays.upper[first:] == native_solve.solve_plays(SolveQuery(*given, most_nodes=0)).upper[first:]).all()


def test_rows_of_all_shapes_at_once(gpu):
    """Hands of several sizes, three seats and four, sevens among them."""
    order = native.tables(ORDERS["nello"])
    parts = [deals_of(name, tiles, 2, tiles) for tiles in (2, 1, 3) for name in ("nello", "0", "sevens")]
    mixed = np.random.default_rng(2).permutation(sum(len(part.states) for part in parts))
    words = ("states", "takers", "maximisers")
    both(
        gpu, Deals(order, *(np.concatenate([getattr(part, word) for part in parts])[mixed] for word in words)), batch=2
    )


def test_sevens_of_three_seats(gpu):
    """No contract has them, but the kernel does."""
    sevens = deals_of("sevens", 3, 6, 9)
    states = sevens.states.copy()
    states[:, 5] = states[:, 5] & ~np.uint32(0xF3) | 0xB0  # seat 2 sits out, seat 0 leads
    both(gpu, Deals(sevens.tables, states, sevens.takers, sevens.maximisers))


def test_takers_and_maximisers_may_be_any_seats(gpu):
    deals = deals_of("3", 2, 64, 12)
    masks = np.random.default_rng(1).permutation(256).astype(np.uint8)[:64]
    takers, maximisers = np.divmod(masks, np.uint8(16))
    both(gpu, Deals(deals.tables, deals.states, takers, maximisers))


@pytest.mark.parametrize("block", [32, 96, 256])
def test_a_block_may_have_several_warps(gpu, monkeypatch: pytest.MonkeyPatch, block: int):
    """The widest level of five tiles a hand has 313 words for a leader: parts that are full, and one that is not."""
    monkeypatch.setattr(gpu, "block", block)
    both(gpu, deals_of("follow-me", 5, 1, 21))


def test_one_level_after_the_other(gpu):
    """A batch can be gone through again, as the benchmark does."""
    deals = deals_of("6", 3, 3, 2)
    query = SolveQuery(deals.tables, deals.states, deals.takers)
    expected, (shape,) = native_whole.solve(query), native_whole.by_shape(query)
    batch = whole.DealBatch(gpu, shape, native_whole.rounds(query, shape))
    for _ in range(2):
        batch.begin()
        batch.solve()
        assert batch.roots().tolist() == expected.values.tolist()
        assert (batch.counts()[:, :, 0] == expected.states).all()
        assert (batch.counts()[:, :, 1] == expected.transitions).all()


def test_what_the_cpu_refuses_is_refused_in_its_words(gpu):
    deals = deals_of("5", 2, 3, 8)
    states = deals.states.copy()
    states[1, 0] &= states[1, 0] - 1
    with pytest.raises(ValueError, match="states row 1: the hand sizes are impossible"):
        whole.solve(gpu, SolveQuery(deals.tables, states, 5))
    with pytest.raises(ValueError, match="batch is 0"):
        whole.solve(gpu, SolveQuery(deals.tables, deals.states, 5), batch=0)


def test_no_rows_are_no_answers(gpu):
    found = whole.solve(gpu, SolveQuery(native.tables(ORDERS["5"]), np.empty((0, 8), np.uint32), 5), keep=True)
    assert len(found.values) == 0
    assert found.tables == []
