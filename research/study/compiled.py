"""The published method, compiled: what does it answer a million times over, and what does that cost?

This is `study.paper` in the C++ kernel, for the study and for `bench/tractor.py`. **It is the published method,
and both its forms err** (see there); nothing here judges a play. The exact kernel is `renege.native.tractor`.

A play is a row of cards in the order typed, `uint8[25]`, by their numbers in the deck of `renege.games.tractor`, and
its size; what stands beyond the end is not looked at. Bad input raises `ValueError` and names the row.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from renege import _kernel_dev
from renege.games.tractor.order import NAMES
from renege.native.cards import check_threads, checked_array
from study.paper import JOKERS, MOST_CARDS, SUITS, Setting, Source, Structure, is_trump, phi

U8: TypeAlias = NDArray[np.uint8]
U64: TypeAlias = NDArray[np.uint64]

SEATS = 4
MOST_TRACTORS = 12
BEYOND = 255  # stands in a row beyond the end of the play

_NUMBER = {name: number for number, name in enumerate(NAMES)}


@dataclass(frozen=True, slots=True)
class Structures:
    """What plays are made of, a row each; lengths in cards."""

    tractors: U8  # [B, 12] in the order found, 0 after the last
    pairs: U8  # [B]
    singles: U8  # [B]

    def __getitem__(self, row: int) -> Structure:
        tractors = tuple(int(length) for length in self.tractors[row] if length)
        return Structure(tractors, int(self.pairs[row]), int(self.singles[row]))


@dataclass(frozen=True, slots=True)
class Matches:
    """The answers of `paper.same_structure`, and what they cost."""

    conforms: NDArray[np.bool_]  # [B]
    permutations: U64  # [B] orders of the lead's blocks that were tried
    placements: U64  # [B] blocks that were tried, over all orders


@dataclass(frozen=True, slots=True)
class Outcomes:
    """Tricks as the published program settles them."""

    winners: U8  # [B] 0 the leader, then 1 to 3 in the order of play
    permutations: U64  # [B] tried for all followers together


def typed(plays: Sequence[Sequence[str]]) -> tuple[U8, U8]:
    """Plays as typed -> `cards uint8[B, 25]`, 255 beyond the end, and `sizes uint8[B]`.

    >>> cards, sizes = typed([["HK", "HK", "LJ"], ["C2"]])
    >>> cards[:, :4].tolist(), sizes.tolist()
    ([[37, 37, 52, 255], [0, 255, 255, 255]], [3, 1])
    """
    cards = np.full((len(plays), MOST_CARDS), BEYOND, np.uint8)
    sizes = np.zeros(len(plays), np.uint8)
    for row, play in enumerate(plays):
        if len(play) > MOST_CARDS:
            raise ValueError(f"plays row {row}: more than {MOST_CARDS} cards")
        if strange := [card for card in play if card not in _NUMBER]:
            raise ValueError(f"plays row {row}: {strange[0]!r} is no card of this deck")
        cards[row, : len(play)] = [_NUMBER[card] for card in play]
        sizes[row] = len(play)
    return cards, sizes


def structures(setting: Setting, plays: U8, sizes: U8, source: Source = Source.CODE, threads: int = 1) -> Structures:
    """`paper.get_structure`, row by row, of `plays uint8[B, 25]` and their `sizes uint8[B]`."""
    plays = checked_array("plays", plays, np.uint8, (None, MOST_CARDS))
    sizes = checked_array("sizes", sizes, np.uint8, (len(plays),))
    check_threads(threads)
    tractors, rest = np.empty((len(plays), MOST_TRACTORS), np.uint8), np.empty((len(plays), 2), np.uint8)
    _kernel_dev.published_structures(
        _order(setting, source), plays, sizes, tractors, rest, source is Source.CODE, threads
    )
    return Structures(tractors, rest[:, 0], rest[:, 1])


def matches(
    setting: Setting,
    leads: U8,
    follows: U8,
    sizes_of_leads: U8,
    sizes_of_follows: U8,
    source: Source = Source.CODE,
    threads: int = 1,
) -> Matches:
    """`paper.same_structure` of what `paper.get_structure` makes of a lead and a follow, row by row.

    Plays are `uint8[B, 25]`, sizes `uint8[B]`. As long as no order of the lead's blocks fits the next one is tried, to
    the last: there are up to `paper.distinct_orders`.
    """
    leads = checked_array("leads", leads, np.uint8, (None, MOST_CARDS))
    rows = len(leads)
    follows = checked_array("follows", follows, np.uint8, (rows, MOST_CARDS))
    sizes_of_leads = checked_array("sizes_of_leads", sizes_of_leads, np.uint8, (rows,))
    sizes_of_follows = checked_array("sizes_of_follows", sizes_of_follows, np.uint8, (rows,))
    check_threads(threads)
    found = Matches(np.empty(rows, np.bool_), np.empty(rows, np.uint64), np.empty(rows, np.uint64))
    _kernel_dev.published_matches(
        _order(setting, source),
        leads,
        follows,
        sizes_of_leads,
        sizes_of_follows,
        found.conforms,
        found.permutations,
        found.placements,
        source is Source.CODE,
        threads,
    )
    return found


def settle(setting: Setting, plays: U8, sizes: U8, threads: int = 1) -> Outcomes:
    """`paper.settle`, row by row: `plays uint8[B, 4, 25]`, the lead first, and `sizes uint8[B, 4]`."""
    plays = checked_array("plays", plays, np.uint8, (None, SEATS, MOST_CARDS))
    sizes = checked_array("sizes", sizes, np.uint8, (len(plays), SEATS))
    check_threads(threads)
    found = Outcomes(np.empty(len(plays), np.uint8), np.empty(len(plays), np.uint64))
    _kernel_dev.published_settle(_order(setting, Source.CODE), plays, sizes, found.winners, found.permutations, threads)
    return found


@cache
def _order(setting: Setting, source: Source) -> _kernel_dev.PublishedOrder:
    number = [0 if _has_no_number(card, setting, source) else phi(card, setting, source) for card in NAMES]
    trump = [is_trump(card, setting) for card in NAMES]
    suit = [len(SUITS) if card in JOKERS else SUITS.index(card[0]) for card in NAMES]
    return _kernel_dev.PublishedOrder(*(np.array(table, np.uint8) for table in (number, trump, suit)))


def _has_no_number(card: str, setting: Setting, source: Source) -> bool:
    """Algorithm 1 as printed forgets the jokers where there is no main suit."""
    return source is Source.PRINTED and setting.main is None and card in JOKERS
