"""Opening hands of Texas 42: what a player counts in one, what hands like it have made, and how a survey is fitted.

The table (`surveyed.json`, made by `renege survey 42 table`) has for each kind of hand the points that its side made in
`WORLDS` worlds, sorted: the quantiles of all worlds of hands of that kind, and of hands nearly of it. The declaration
is the rulebook's, and all hands lay open. A kind of hand is what a player counts under that declaration. Few hands are
of one kind, so that those of kinds nearby speak too, the less the farther they are; how much less is chosen so that
each hand is foretold best by all the others.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache, partial
from importlib.resources import files
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from renege.core.cards import kinds_in
from renege.core.notation import NotationError
from renege.games.openings import Call, Counted, Openings
from renege.games.texas42.contract import declared_at, format_declaration
from renege.games.texas42.order import ALL_DOUBLES, CALLED, DECK, DECLARATIONS, TRUMPS, order
from renege.games.texas42.packed import tables
from renege.games.texas42.rulebook import USUAL, higher, losers
from renege.games.texas42.rules import Doubles, DoublesTrump, OpeningLead, Rules, SevensTie
from renege.native.arrays import F64, I64
from renege.native.cards import FOUR_SEATS, Duty


def count_hand(
    hand: int, declaration: str, doubles: Doubles | None = None, ranked: DoublesTrump = DoublesTrump.SIX_HIGH
) -> Counted:
    """What a hand of tiles, as a mask, has under a declaration; `ranked` says which double is the highest trump."""
    if declaration not in USUAL:
        raise ValueError(f"nothing is counted under {declaration!r}: {' '.join(USUAL)}")
    table = order(declaration, doubles, ranked)
    trumps = table.follow[CALLED] if declaration in TRUMPS else 0
    falling = sorted(kinds_in(trumps), key=lambda card: -table.strength[CALLED][card])
    return Counted(
        (hand & trumps).bit_count(),
        next((place for place, card in enumerate(falling) if not hand >> card & 1), len(falling)),
        (hand & ~trumps & ALL_DOUBLES).bit_count(),
        sum(bool(higher(table, card, table.follow[table.led_suit[card]] & ~hand)) for card in kinds_in(hand & ~trumps)),
        sum(table.points[card] for card in kinds_in(hand)),
        losers(table, hand, DECK.kinds & ~hand, trumps=declaration in TRUMPS),
    )


def usual_call(hand: int, ranked: DoublesTrump = DoublesTrump.SIX_HIGH) -> str:
    """The declaration that the rulebook has in mind when it bids on this hand: the one with the fewest losers."""
    return min(USUAL, key=lambda call: count_hand(hand, call, None, ranked).losers)


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
            kind = min(self.cells, key=lambda other: (_apart(kind, other), other))
        return self.cells[kind]


def kind_of(counted: Counted) -> Kind:
    return counted.trumps, counted.tops, counted.doubles, counted.offs, counted.count


def _apart(one: Kind, other: Kind) -> float:
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


SIDE, OTHERS = 0b0101, 0b1010  # the declarer is seat 0 and leads


def make_call(rules: Rules, text: str) -> Call:
    """A declaration at a table: `5`, `trump 5`, `doubles`, `follow-me doubles low`, `nello`, `sevens`."""
    if rules.opening_lead is not OpeningLead.ANY:
        raise NotationError(f"opening_lead={rules.opening_lead.value} cannot be solved: here the first lead is free")
    name, doubles = declared_at(rules, text)
    if name == "sevens" and rules.sevens_tie is SevensTie.DECLARERS:
        raise NotationError("sevens with ties to the declarers cannot be solved; name other declarations")
    policy, nello = doubles if name in ("nello", "follow-me") else None, name == "nello"
    called, ranked = format_declaration(name, doubles), rules.doubles_trump
    return Call(
        called,
        name,
        tables(order(name, policy, ranked)),
        seats=0b1011 if nello else FOUR_SEATS,  # the partner lays the hand face down
        takers=0b0001 if nello else SIDE,
        maximisers=OTHERS if nello else SIDE,
        duty=Duty.STRONGEST if name == "sevens" else Duty.FOLLOW_SUIT,
        count=partial(count_hand, declaration=name, doubles=policy, ranked=ranked) if name in USUAL else None,
        usual=name in USUAL and " doubles " not in called,
        has_trumps=name in TRUMPS,
        in_marks=name in ("nello", "sevens"),
        made=0 if nello else 42,
    )


OPENINGS = Openings(DECLARATIONS, make_call, lambda rules, hand: usual_call(hand, rules.doubles_trump), fit)
