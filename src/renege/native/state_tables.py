"""Whole tables of Texas 42, typed: every state between two tricks that a deal can come to, and what each is worth.

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
from renege._kernel import Tables
from renege.native.cards import U8, U32, Duty, check_threads, checked_array
from renege.native.solve import I16, U64, by_row

LEVELS = 8  # 0 to 7 tiles left in a hand

__all__ = ["Levels", "Shape", "WholeTable", "WholeTables", "by_shape", "levels", "rounds", "solve"]


@dataclass(frozen=True, slots=True)
class WholeTable:
    """All states of one deal: `keys uint32[N]`, sorted, as `native.boundary_keys` has them, and `values uint8[N]`."""

    keys: U32
    values: U8

    def value_of(self, keys: U32) -> U8:
        """`keys uint32[B]` -> `uint8[B]`; a state that the deal cannot come to is refused."""
        keys = checked_array("keys", keys, np.uint32, (None,))
        at = np.minimum(np.searchsorted(self.keys, keys), len(self.keys) - 1)
        strange = self.keys[at] != keys
        if strange.any():
            row = int(strange.argmax())
            raise ValueError(f"keys row {row}: the deal cannot come to {int(keys[row]):#x}")
        return self.values[at]


@dataclass(frozen=True, slots=True)
class WholeTables:
    """`values int16[B]`: what each position is worth.

    `states`, `transitions`, `uint64[B, 8]`: by the tiles left in a hand, how many states the deal can come to, and how
    many ways there are to play a trick from one of them. `tables` has a table for each row, if they were asked for.
    """

    values: I16
    states: U64
    transitions: U64
    tables: Sequence[WholeTable] | None


def solve(
    tables: Tables,
    states: U32,
    takers: int | U8,
    maximisers: int | U8 | None = None,
    threads: int = 1,
    *,
    keep: bool = False,
) -> WholeTables:
    """`states [B, 8]`, masks of seats (one, or `uint8[B]`) -> the value of each position, from its whole table.

    A thread has 15 MB for the deal that it works on. `keep` brings the tables too, 5 bytes a state.
    """
    states = checked_array("states", states, np.uint32, (None, 8))
    check_threads(threads)
    took, want = sides(len(states), takers, maximisers)
    values = np.empty(len(states), np.int16)
    counts = np.zeros((2, len(states), LEVELS), np.uint64)
    kept = _kernel.solve_whole(tables, states, took, want, values, counts[0], counts[1], keep, threads)
    found = None if kept is None else [table_of(np.frombuffer(words, np.uint64)) for words in kept]
    return WholeTables(values, counts[0], counts[1], found)


def sides(rows: int, takers: int | U8, maximisers: int | U8 | None) -> tuple[U8, U8]:
    """Both masks of each row; where the maximisers are left out they are the takers."""
    wanting = takers if maximisers is None else maximisers
    return by_row("takers", takers, rows, 15), by_row("maximisers", wanting, rows, 15)


def table_of(words: U64) -> WholeTable:
    """A table from its sorted words: the value in the lowest byte, the key above it."""
    return WholeTable((words >> 8).astype(np.uint32), words.astype(np.uint8))


# What a device needs to make them.


class Shape(NamedTuple):
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


def levels(shape: Shape) -> Levels:
    """The numbers of a shape."""
    ranks, all_levels, words, values, of_leader = _kernel.whole_levels(shape.tiles, shape.players)
    return Levels(np.frombuffer(ranks, np.uint8), np.frombuffer(all_levels, np.uint8), words, values, of_leader)


def by_shape(tables: Tables, states: U32, *, in_trick: bool = False) -> dict[Shape, NDArray[np.intp]]:
    """`states [B, 8]` -> the rows of each shape; a position that has no whole table is refused.

    With `in_trick` a trick may be under way, and the shape is that of the hands before it.
    """
    tiles = np.empty(len(states), np.uint8)
    _kernel.whole_tiles(tables, states, tiles, in_trick)
    players = np.bitwise_count(states[:, 5] >> 4 & 15)
    sevens = (states[:, 5] >> 8 & 15) == Duty.STRONGEST
    found: dict[Shape, list[int]] = {}
    for row, shape in enumerate(zip(tiles.tolist(), players.tolist(), sevens.tolist(), strict=True)):
        found.setdefault(Shape(*shape), []).append(row)
    return {shape: np.array(rows) for shape, rows in found.items()}


def rounds(tables: Tables, states: U32, takers: U8, maximisers: U8, shape: Shape) -> U8:
    """Positions of one shape as each of their leaders sees them: `uint8[B, bytes]`."""
    found = np.frombuffer(_kernel.whole_rounds(tables, states, takers, maximisers, shape.players), np.uint8)
    return found.reshape(len(states), -1)
