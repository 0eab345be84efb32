"""The kernel's second open-hand solver, which only tests ask: plain recursion over the rules' own plays."""

import numpy as np

from renege import _kernel, native

Seats = int | np.ndarray  # a mask for all rows, or one for each


def values(
    tables: native.Tables, states: np.ndarray, takers: Seats, maximisers: Seats | None = None, *, prune: bool
) -> np.ndarray:
    """The value of each position. Without `prune` every line is played to its end, boundaries met again excepted."""
    rows = len(states)
    found = np.empty(rows, np.int16)
    sides = [
        np.broadcast_to(np.asarray(mask, np.uint8), rows)
        for mask in (takers, takers if maximisers is None else maximisers)
    ]
    _kernel.solve_plainly(tables, states, *(np.ascontiguousarray(side) for side in sides), found, prune)
    return found
