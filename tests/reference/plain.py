"""The kernel's second open-hand solver, which only tests ask: plain recursion over the rules' own plays."""

import numpy as np

from renege import _kernel_dev
from renege.native import cards as native

Seats = int | np.ndarray  # a mask for all rows, or one for each


def values(
    tables: native.Tables, states: np.ndarray, takers: Seats, maximisers: Seats | None = None, *, prune: bool
) -> np.ndarray:
    """The value of each position. Without `prune` every line is played to its end, boundaries met again excepted."""
    rows = len(states)
    found = np.empty(rows, np.int16)
    took = np.full(rows, takers, np.uint8)
    want = took if maximisers is None else np.full(rows, maximisers, np.uint8)
    _kernel_dev.solve_plainly(tables, states, took, want, found, prune)
    return found
