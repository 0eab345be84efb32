"""State tables of Texas 42 (retrograde analysis), typed: the value of every state between two tricks of a deal.

Where `renege.native.solve` searches for the value of one position, this works back from the last trick through all of
them: about a million states and thirty million tricks for a deal of seven tiles a hand. A value is the same as there:
the points that the seats in the mask `takers` still win, the points for tricks included, when the seats in the mask
`maximisers` want it large and all others small. Positions are states of `renege.native.cards` with no trick under way
and 1 to 7 tiles in each hand; every declaration will do, nello with its three seats and sevens too.

`renege.native.gpu.state_tables` does the same on a device, with the same answers.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from renege import _kernel
from renege.native.arrays import I16, U8, U32, U64
from renege.native.cards import Duty, check_threads
from renege.native.solve import SolveQuery

LEVELS = 8  # 0 to 7 tiles left in a hand


@dataclass(frozen=True, slots=True)
class StateTable:
    """All states of one deal: `keys uint32[N]`, sorted, and `values uint8[N]`.

    A key is a mask of the 28 tiles still held, with the leader << 28.
    """

    keys: U32
    values: U8


@dataclass(frozen=True, slots=True)
class StateTables:
    """`values int16[B]`: what each position is worth.

    `states`, `transitions`, `uint64[B, 8]`: by the tiles left in a hand, how many states the deal can reach, and how
    many ways there are to play a trick from one of them. `tables` has a table for each row, if they were asked for.
    """

    values: I16
    states: U64
    transitions: U64
    tables: Sequence[StateTable] | None


def solve(query: SolveQuery, threads: int = 1, *, keep: bool = False) -> StateTables:
    """Solve each position by its state table; targets and limits are ignored.

    A thread has 15 MB for the deal that it works on. `keep` brings the tables too, 5 bytes a state.
    """
    check_threads(threads)
    rows = len(query.states)
    values, counts = np.empty(rows, np.int16), np.zeros((2, rows, LEVELS), np.uint64)
    asked = query.tables, query.states, query.by_row[0], query.by_row[1]
    kept = _kernel.solve_state_tables(*asked, values, counts[0], counts[1], keep, threads)
    found = None if kept is None else [table_of(np.frombuffer(words, np.uint64)) for words in kept]
    return StateTables(values, counts[0], counts[1], found)


def table_of(words: U64) -> StateTable:
    """A table from its sorted words: the value in the lowest byte, the key above it."""
    return StateTable((words >> 8).astype(np.uint32), words.astype(np.uint8))


# What a device needs to make them.


class TableShape(NamedTuple):
    """What the deals of one launch have in common."""

    tiles: int
    players: int
    sevens: bool


class Levels(NamedTuple):
    """How the states of a shape are numbered: two structs of the kernel's `texas42/state_tables.hpp` as bytes, how many
    words of bits and how many values a deal has, and the words of one leader by the tiles left in a hand."""

    ranks: U8
    levels: U8
    words: int
    values: int
    words_of_leader: list[int]


def levels(shape: TableShape) -> Levels:
    """The numbers of a shape."""
    ranks, all_levels, words, values, of_leader = _kernel.state_table_levels(shape.tiles, shape.players)
    return Levels(np.frombuffer(ranks, np.uint8), np.frombuffer(all_levels, np.uint8), words, values, of_leader)


def by_shape(query: SolveQuery, *, in_trick: bool = False) -> dict[TableShape, NDArray[np.intp]]:
    """The rows of each shape; a position without a state table is refused.

    With `in_trick` a trick may be under way, and the shape is that of the hands before it.
    """
    states = query.states
    tiles = np.empty(len(states), np.uint8)
    _kernel.state_table_tiles(query.tables, states, tiles, in_trick)
    players = np.bitwise_count(states[:, 5] >> 4 & 15)
    sevens = (states[:, 5] >> 8 & 15) == Duty.STRONGEST
    found: dict[TableShape, list[int]] = {}
    for row, shape in enumerate(zip(tiles.tolist(), players.tolist(), sevens.tolist(), strict=True)):
        found.setdefault(TableShape(*shape), []).append(row)
    return {shape: np.array(rows) for shape, rows in found.items()}


def rounds(query: SolveQuery, shape: TableShape) -> U8:
    """Positions of one shape as each of their leaders sees them: `uint8[B, bytes]`."""
    takers, maximisers, _ = query.by_row
    found = np.frombuffer(
        _kernel.state_table_rounds(query.tables, query.states, takers, maximisers, shape.players), np.uint8
    )
    return found.reshape(len(query.states), -1)
