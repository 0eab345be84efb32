"""Open hands on a device: the CPU's bounds bit for bit, by as many nodes, for every declaration."""

from random import Random
from typing import Any

import numpy as np
import pytest

from renege.games.schafkopf.packed import tables as schafkopf_tables
from renege.games.schafkopf.rules import PackSize
from renege.native import cards as native
from renege.native import schafkopf as native_schafkopf
from renege.native import solve as native_solve
from renege.native.arrays import U8, U32
from renege.native.gpu import solve
from renege.native.solve import SolveQuery
from support.random_tables import ORDERS, SCHAFKOPF, dealt_42, stages
from support.steering import SOAK

SLOTS = 1 << 10


def later(tables: native.Tables, states: U32, tricks: int) -> U32:
    """The tables after some whole tricks and up to a trick more, for the CPU is not to be kept waiting."""
    rng = np.random.default_rng(len(states))
    for _ in range(4 * tricks):
        masks = native.legal_masks(tables, states)
        done = np.ascontiguousarray(states[:, 7]).view(np.uint8).reshape(-1, 4).sum(axis=1)
        going = (masks != 0) & (done < tricks)
        cards = [rng.choice([card for card in range(32) if mask >> card & 1]) for mask in masks[going].tolist()]
        states[going] = native.step(tables, states[going], np.array(cards, np.uint8))
    states = stages(tables, states, 5)
    return states[native.legal_masks(tables, states) != 0]


def tables_42(name: str, n: int) -> tuple[native.Tables, U32]:
    tables = native.tables(ORDERS[name])
    states = [later(tables, dealt_42(name, n), tricks) for tricks in (2, 3, 5)]
    return tables, np.concatenate([*states, stages(tables, dealt_42(name, 3), 9)])


def tables_schafkopf(name: str, pack: PackSize, n: int) -> tuple[native.Tables, U32]:
    tables = schafkopf_tables(name, pack)
    each = tables.cards // 4

    def dealt(n: int) -> U32:
        hands = native.deals((1 << tables.cards) - 1, [each] * 4, n, 9)
        return native_schafkopf.states(tables, hands, (np.arange(n) % 4).astype(np.uint8))

    parts = [later(tables, dealt(n), tricks) for tricks in (each - 4, each - 3, each - 2)]
    return tables, np.concatenate([*parts, later(tables, dealt(2), each - 5)])


def sides(states: U32, seed: int) -> tuple[U8, U8]:
    """Any seats may be the takers; in a third of the rows others than they want them to take."""
    rng = np.random.default_rng(seed)
    takers = rng.integers(1, 15, len(states)).astype(np.uint8)
    others = rng.integers(1, 15, len(states)).astype(np.uint8)
    return takers, np.where(rng.random(len(states)) < 0.3, others, takers).astype(np.uint8)


def check(gpu: Any, tables: native.Tables, states: U32) -> None:
    takers, maximisers = sides(states, 1)
    asked = tables, states, takers, maximisers
    query = SolveQuery(*asked)
    expected = native_solve.solve(query, slots=SLOTS)
    found = solve.solve(gpu, query, slots=SLOTS)
    assert (found.lower == expected.lower).all() and (found.upper == expected.upper).all()
    assert (found.nodes == expected.nodes).all()
    assert (solve.solve(gpu, query, slots=0, merge=False).lower[:4] == expected.lower[:4]).all()
    each, expected_each = solve.solve_plays(gpu, query, slots=SLOTS), native_solve.solve_plays(query)
    assert (each.lower == expected_each.lower).all() and (each.upper == expected_each.upper).all()
    targets = np.clip(expected.lower + np.arange(len(states)) % 3 - 1, 1, 200).astype(np.uint8)
    changes: list[dict[str, Any]] = [
        {"targets": targets},
        {"most_nodes": 30},
        {"targets": targets, "most_nodes": 50},
    ]
    for change in changes:
        query, merge = SolveQuery(*asked, **change), len(change) == 1
        found = solve.solve(gpu, query, slots=SLOTS, merge=merge)
        expected = native_solve.solve(query, slots=SLOTS, merge=merge)
        assert (found.lower == expected.lower).all() and (found.upper == expected.upper).all()
        assert (found.nodes == expected.nodes).all()
    reached, all_of_them = solve.solve_plays(gpu, SolveQuery(*asked, targets=targets), slots=SLOTS), expected_each.lower
    may, needed = all_of_them >= 0, targets[:, None]
    assert ((reached.lower >= needed)[may] == (all_of_them >= needed)[may]).all()
    assert ((reached.upper < needed)[may] == (all_of_them < needed)[may]).all()
    assert (reached.lower[~may] == -1).all() and (reached.upper[~may] == -1).all()


@pytest.mark.parametrize("name", ORDERS)
def test_42_is_solved_as_on_the_cpu(gpu, many: int, name: str):
    check(gpu, *tables_42(name, (6 if many == 1 else 300) * SOAK))


@pytest.mark.parametrize("pack", PackSize)
@pytest.mark.parametrize("name", [*SCHAFKOPF, "solo G", "rufspiel G"])
def test_schafkopf_is_solved_as_on_the_cpu(gpu, many: int, name: str, pack: PackSize):
    check(gpu, *tables_schafkopf(name, pack, (5 if many == 1 else 300) * SOAK))


@pytest.mark.parametrize("name", ["5", "nello"])
def test_whole_deals_are_solved_as_on_the_cpu(gpu, many: int, name: str):
    tables, states = native.tables(ORDERS[name]), dealt_42(name, 4 if many == 1 else 2000)
    for targets in (None, 30 if name == "5" else 1):
        expected = native_solve.solve(
            SolveQuery(tables, states, 0b0101, targets=targets), slots=solve.SLOTS, threads=16
        )
        found = solve.solve(gpu, SolveQuery(tables, states, 0b0101, targets=targets))
        assert (found.lower == expected.lower).all() and (found.upper == expected.upper).all()
        assert (found.nodes == expected.nodes).all()


def test_rows_of_several_kinds_are_solved_together(gpu):
    tables = native.tables(ORDERS["sevens"])
    states = np.concatenate([later(tables, dealt_42(name, 5), 4) for name in ("sevens", "5", "nello")])
    states = states[Random(3).sample(range(len(states)), len(states))]
    query = SolveQuery(tables, states, 5)
    expected, found = native_solve.solve_plays(query), solve.solve_plays(gpu, query)
    assert (found.lower == expected.lower).all()
    assert (solve.solve(gpu, query).lower == native_solve.solve(query).lower).all()


def test_what_a_thread_remembers_is_of_its_own_search(gpu, many: int):
    """A thread marks its slots for 127 searches, then it must clear them; the next call goes on with its marks."""
    tables = native.tables(ORDERS["3"])
    states = later(tables, dealt_42("3", 400 * many), 3)
    for takers in (0b0101, 0b0011, 0b0101):
        expected = native_solve.solve(SolveQuery(tables, states, takers), slots=64)
        found = solve.solve(gpu, SolveQuery(tables, states, takers), slots=64)
        assert (found.lower == expected.lower).all() and (found.nodes == expected.nodes).all()


def test_bounds_hold_where_the_time_is_over(gpu):
    tables, states = tables_42("4", 10)
    value = native_solve.solve(SolveQuery(tables, states, 5)).lower
    at_once = solve.solve(gpu, SolveQuery(tables, states, 5, most_seconds=0.0))
    expected = native_solve.solve(SolveQuery(tables, states, 5, most_seconds=0.0))
    assert (at_once.lower == expected.lower).all() and (at_once.upper == expected.upper).all()
    assert not at_once.nodes.any()
    for most in (1e-6, 1e-4):
        cut = solve.solve(gpu, SolveQuery(tables, states, 5, most_seconds=most))
        assert (cut.lower <= value).all() and (value <= cut.upper).all()
    assert (solve.solve(gpu, SolveQuery(tables, states, 5, most_seconds=100.0)).lower == value).all()


def test_what_the_cpu_refuses_is_refused_in_its_words(gpu):
    tables, states = native.tables(ORDERS["5"]), dealt_42("5", 10)
    assert len(solve.solve(gpu, SolveQuery(tables, states[:0], 5)).lower) == 0
    assert solve.solve_plays(gpu, SolveQuery(tables, states[:0], 5)).lower.shape == (0, 32)
    with pytest.raises(ValueError, match="slots is 3"):
        solve.solve(gpu, SolveQuery(tables, states, 5), slots=3)
    with pytest.raises(ValueError, match="takers is 16"):
        solve.solve(gpu, SolveQuery(tables, states, 16))
    states[7, 0] = states[7, 1]
    with pytest.raises(ValueError, match="states row 7: a card is in two hands"):
        solve.solve(gpu, SolveQuery(tables, states, 5))
    states[2, 5] |= 3 << 8
    with pytest.raises(ValueError, match="states row 2: no such duty"):
        solve.solve_plays(gpu, SolveQuery(tables, states, 5))
