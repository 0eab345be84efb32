"""Fits the small table that a bidder looks a hand up in (`renege.games.texas42.surveyed`) to a survey.

A kind of hand is what a player counts under the rulebook's declaration. Few hands are of one kind, so that those of
kinds nearby speak too, the less the farther they are; how much less is chosen so that each hand is foretold best by all
the others.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from renege.games.openings import Counted
from renege.games.texas42.surveyed import STEPS, WORLDS, Kind, Surveyed, kind_of, write_surveyed
from renege.native.arrays import F64, I64

WIDTHS = (0.2, 0.25, 0.3, 0.4, 0.5, 0.6, 0.8, 1.0, 1.3)  # in steps, of the bell by which hands nearby are weighed
ASKED = (30, 36, 42)  # bids whose chances are to be foretold


@dataclass(frozen=True, slots=True)
class _Cells:
    """Kinds of hands `[C, 5]`, their worlds `[C, 43]`, and the kind of each hand."""

    kinds: I64
    counts: I64
    of_hand: I64


def fit(counted: Sequence[Counted], counts: I64, about: Mapping[str, Any]) -> str:
    """The table as text: from hands under their usual declarations, and their worlds by points, `counts [H, 43]`."""
    return write_surveyed(fit_table(counted, counts, about))


def fit_table(counted: Sequence[Counted], counts: I64, about: Mapping[str, Any]) -> Surveyed:
    cells = _gather(np.array([kind_of(one) for one in counted], np.int64), counts)
    errors = [_error(cells, counts, width) for width in WIDTHS]
    width = WIDTHS[int(np.argmin(errors))]
    points = _quantiles(_weights(cells, width) @ cells.counts)
    about = {"hands": len(counted), **about, "width": width, "worth": round(_worth(counts, min(errors)), 1)}
    found: list[Kind] = list(map(tuple, cells.kinds.tolist()))
    return Surveyed({kind: row.astype(np.int16) for kind, row in zip(found, points, strict=True)}, about)


def _gather(kinds: I64, counts: I64) -> _Cells:
    found, of_hand = np.unique(kinds, axis=0, return_inverse=True)
    of_hand = of_hand.ravel()
    summed = np.zeros((len(found), counts.shape[1]), np.int64)
    np.add.at(summed, of_hand, counts)
    return _Cells(found, summed, of_hand)


def _weights(cells: _Cells, width: float) -> F64:
    """`[C, C]`: how much the hands of one kind say about another."""
    places = cells.kinds / np.array(STEPS)
    apart = ((places[:, None] - places[None]) ** 2).sum(axis=2)
    return np.exp(-apart / (2 * width**2))


def _error(cells: _Cells, counts: I64, width: float) -> float:
    """The mean squared error of a hand's chances as all other hands foretell them, the noise of its own included."""
    weights = _weights(cells, width)
    worlds = counts.sum(axis=1)
    found = 0.0
    others = (weights @ cells.counts.sum(axis=1))[cells.of_hand] - worlds
    for bid in ASKED:
        own = counts[:, bid:].sum(axis=1)
        hits = (weights @ cells.counts[:, bid:].sum(axis=1))[cells.of_hand] - own
        overall = own.sum() / worlds.sum()
        foretold = (hits + overall) / (others + 1)  # a single world of all hands, for kinds that have no neighbour
        found += float(((own / worlds - foretold) ** 2).mean()) / len(ASKED)
    return found


def _worth(counts: I64, error: float) -> float:
    """How many worlds of a hand foretell its chances as well as the table does."""
    worlds = counts.sum(axis=1)
    shares = np.stack([counts[:, bid:].sum(axis=1) / worlds for bid in ASKED])
    spread = float((shares * (1 - shares)).mean() * worlds.mean() / max(1.0, worlds.mean() - 1))  # of one world
    return spread / max(error - spread / float(worlds.mean()), spread / 1e4)


def _quantiles(counts: F64) -> I64:
    """`[C, 43]` -> `[C, WORLDS]`: points in the middle of each of so many equal shares."""
    shares = np.cumsum(counts, axis=1) / counts.sum(axis=1, keepdims=True)
    asked = (np.arange(WORLDS) + 0.5) / WORLDS
    return (shares[:, None, :] < asked[None, :, None]).sum(axis=2)
