"""Survey results by hand features: what hands like this one have made.

The table (`surveyed.json`, made by `renege survey 42 table`) has for each kind of hand the points that its side made in
`WORLDS` worlds, sorted: the quantiles of all worlds of hands of that kind, and of hands nearly of it. The declaration
is the rulebook's, and all hands lay open.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from renege.games.openings import Counted

FORMAT = "renege surveyed 42 1"
WORLDS = 24
STEPS = (1, 1, 1, 1, 10)  # what differs by so much is one step away: trumps, tops, doubles, offs, points

Kind: TypeAlias = tuple[int, int, int, int, int]


@dataclass(frozen=True, slots=True)
class Surveyed:
    """Points by the kind of hand, and where they are from."""

    cells: Mapping[Kind, NDArray[np.int16]]
    survey: Mapping[str, Any]

    def points(self, counted: Counted) -> NDArray[np.int16]:
        """`int16[WORLDS]`, sorted: what a hand of this kind makes; of the nearest kind where there is none."""
        kind = kind_of(counted)
        if kind not in self.cells:
            kind = min(self.cells, key=lambda other: (steps_between(kind, other), other))
        return self.cells[kind]


def kind_of(counted: Counted) -> Kind:
    return counted.trumps, counted.tops, counted.doubles, counted.offs, counted.count


def steps_between(one: Kind, other: Kind) -> float:
    """How far two kinds of hands are apart, squared."""
    return sum(((a - b) / step) ** 2 for a, b, step in zip(one, other, STEPS, strict=True))


def write_surveyed(table: Surveyed) -> str:
    """The table as text, a line for each kind of hand."""
    lines = [
        f'  "{" ".join(map(str, kind))}": {json.dumps(table.cells[kind].tolist())}' for kind in sorted(table.cells)
    ]
    head = json.dumps({"format": FORMAT, "survey": dict(table.survey)}, indent=1).removesuffix("\n}")
    return head + ',\n "cells": {\n' + ",\n".join(lines) + "\n }\n}\n"


def read_surveyed(text: str) -> Surveyed:
    """A table as `write_surveyed` writes it; `ValueError` if it is something else."""
    try:
        found: Any = json.loads(text)
        if found["format"] != FORMAT:
            raise ValueError(f"it says {found['format']!r}")
        cells = {_kind(kind): np.array(points, np.int16) for kind, points in found["cells"].items()}
        if not cells or any(points.shape != (WORLDS,) for points in cells.values()):
            raise ValueError(f"every kind of hand has {WORLDS} numbers")
        return Surveyed(cells, found["survey"])
    except (KeyError, TypeError, ValueError) as wrong:
        raise ValueError(f"it is no table of a survey: {wrong}") from None


def _kind(text: str) -> Kind:
    trumps, tops, doubles, offs, count = map(int, text.split())
    return trumps, tops, doubles, offs, count


@cache
def surveyed() -> Surveyed:
    """The table that comes with renege."""
    return read_surveyed((files("renege.games.texas42") / "surveyed.json").read_text("utf-8"))
