"""What only tests and the paper's study call; wheels do not have it."""

import numpy as np
from numpy.typing import NDArray

from renege._kernel import Tables

def solve_plainly(
    tables: Tables,
    states: NDArray[np.uint32],
    takers: NDArray[np.uint8],
    maximisers: NDArray[np.uint8],
    values: NDArray[np.int16],
    prune: bool,
) -> None: ...

class PublishedOrder:
    """One setting of the published method; `bytes(order)` is the C++ struct `renege::published::Order`."""

    def __init__(self, number: NDArray[np.uint8], trump: NDArray[np.uint8], suit: NDArray[np.uint8]) -> None: ...
    def __bytes__(self) -> bytes: ...

def published_structures(
    order: PublishedOrder,
    plays: NDArray[np.uint8],
    sizes: NDArray[np.uint8],
    tractors: NDArray[np.uint8],
    rest: NDArray[np.uint8],
    code: bool,
    threads: int,
) -> None: ...
def published_matches(
    order: PublishedOrder,
    leads: NDArray[np.uint8],
    follows: NDArray[np.uint8],
    lead_sizes: NDArray[np.uint8],
    follow_sizes: NDArray[np.uint8],
    conforms: NDArray[np.bool_],
    permutations: NDArray[np.uint64],
    placements: NDArray[np.uint64],
    code: bool,
    threads: int,
) -> None: ...
def published_settle(
    order: PublishedOrder,
    plays: NDArray[np.uint8],
    sizes: NDArray[np.uint8],
    winners: NDArray[np.uint8],
    permutations: NDArray[np.uint64],
    threads: int,
) -> None: ...
