"""States of 42 between tricks as keys of a deal, and back; what a table of all states says of a key."""

import numpy as np

from renege import _kernel
from renege.native.cards import U8, U32, checked_array
from renege.native.state_tables import StateTable


def boundary_keys(states: U32) -> U32:
    """`states [B, 8]` of 42, between tricks -> `uint32[B]`: mask of the 28 tiles still held | leader << 28.

    Within one deal the key says all that matters for the play to come. Points and tricks taken are not in it.
    """
    states = checked_array("states", states, np.uint32, (None, 8))
    out = np.empty(len(states), np.uint32)
    _kernel.boundary_keys(states, out)
    return out


def from_boundary_keys(keys: U32, start: U32) -> U32:
    """`keys uint32[B]`, `start uint32[8]` or `[B, 8]` -> `states [B, 8]`: the positions the keys name.

    `start` is a state of the same deal, before the first trick or at any time earlier than the key. Words 6 and
    7 (points and tricks taken) come back as 0.
    """
    keys = checked_array("keys", keys, np.uint32, (None,))
    starts = np.atleast_2d(np.asarray(start))
    starts = checked_array("start", starts, np.uint32, (1 if len(starts) == 1 else len(keys), 8))
    out = np.empty((len(keys), 8), np.uint32)
    _kernel.from_boundary_keys(keys, starts, out)
    return out


def value_of(table: StateTable, keys: U32) -> U8:
    """`keys uint32[B]` -> `uint8[B]`; a state that the deal cannot come to is refused."""
    keys = checked_array("keys", keys, np.uint32, (None,))
    at = np.minimum(np.searchsorted(table.keys, keys), len(table.keys) - 1)
    strange = table.keys[at] != keys
    if strange.any():
        row = int(strange.argmax())
        raise ValueError(f"keys row {row}: the deal cannot come to {int(keys[row]):#x}")
    return table.values[at]
