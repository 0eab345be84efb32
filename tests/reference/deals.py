"""Deals of hidden cards by trying everything: every copy into every hand, and what the conditions say, read literally.

A deal is kept as [place][hand] copies. Slow, so for a handful of cards.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Protocol

Deal = tuple[tuple[int, ...], ...]


class Condition(Protocol):
    def holds(self, deal: Deal) -> bool: ...


@dataclass(frozen=True)
class AtMost:
    place: int
    hand: int
    most: int

    def holds(self, deal: Deal) -> bool:
        return deal[self.place][self.hand] <= self.most


@dataclass(frozen=True)
class AtLeast:
    place: int
    hand: int
    least: int

    def holds(self, deal: Deal) -> bool:
        return deal[self.place][self.hand] >= self.least


@dataclass(frozen=True)
class Together:
    """Some hands together get so many copies of a kind."""

    place: int
    hands: frozenset[int]
    least: int
    most: int

    def holds(self, deal: Deal) -> bool:
        return self.least <= sum(deal[self.place][hand] for hand in self.hands) <= self.most


@dataclass(frozen=True)
class Cards:
    """So many cards of some kinds in a hand."""

    hand: int
    places: frozenset[int]
    least: int
    most: int | None

    def holds(self, deal: Deal) -> bool:
        held = sum(deal[place][self.hand] for place in self.places)
        return held >= self.least and (self.most is None or held <= self.most)


@dataclass(frozen=True)
class Pairs:
    """At most so many kinds of which a hand has two, or `width`, `known` copies included."""

    hand: int
    known: dict[int, int]
    most: int
    width: int = 2

    def holds(self, deal: Deal) -> bool:
        pairs = [place for place, known in self.known.items() if known + deal[place][self.hand] >= self.width]
        return len(pairs) <= self.most


@dataclass(frozen=True)
class Run:
    """`each` copies of a kind on each of `length` consecutive steps, the highest of them above `above`."""

    hand: int
    known: dict[int, int]
    step_of: dict[int, int]
    length: int
    above: int
    forbidden: bool
    each: int

    def holds(self, deal: Deal) -> bool:
        steps = {self.step_of[place] for place, known in self.known.items() if self.enough(place, known, deal)}
        tops = [top for top in steps if top > self.above]
        runs = [top for top in tops if all(top - down in steps for down in range(self.length))]
        return not runs if self.forbidden else bool(runs)

    def enough(self, place: int, known: int, deal: Deal) -> bool:
        return known + deal[place][self.hand] >= self.each


@dataclass(frozen=True)
class Some:
    """At least one of these holds."""

    conditions: tuple[Condition, ...]

    def holds(self, deal: Deal) -> bool:
        return any(condition.holds(deal) for condition in self.conditions)


def labelled_deals(copies: Sequence[int], sizes: Sequence[int], conditions: Sequence[Condition]) -> Counter[Deal]:
    """The deals that meet all conditions, each with the number of labelled deals that look like it."""
    places = [place for place, n in enumerate(copies) for _ in range(n)]
    found: Counter[Deal] = Counter()
    for receivers in _receivers(len(places), list(sizes)):
        deal = [[0] * len(sizes) for _ in copies]
        for place, hand in zip(places, receivers, strict=True):
            deal[place][hand] += 1
        found[tuple(map(tuple, deal))] += 1
    return Counter({deal: n for deal, n in found.items() if all(condition.holds(deal) for condition in conditions)})


def _receivers(cards: int, room: list[int]) -> Iterator[tuple[int, ...]]:
    """Every way to give each card to a hand, until all hands are full."""
    if not cards:
        if not any(room):
            yield ()
        return
    for hand in range(len(room)):
        if room[hand]:
            room[hand] -= 1
            yield from ((hand, *others) for others in _receivers(cards - 1, room))
            room[hand] += 1


def odds(deals: Counter[Deal], place: int, hand: int, copies: int) -> Fraction:
    """How likely a hand gets so many copies."""
    return Fraction(sum(n for deal, n in deals.items() if deal[place][hand] == copies), deals.total())


def weighted(deals: Counter[Deal], weights: Sequence[Sequence[Fraction]]) -> dict[Deal, Fraction]:
    """How likely each deal is if every copy multiplies by the weight of its kind and hand."""
    worth: dict[Deal, Fraction] = {}
    for deal, n in deals.items():
        worth[deal] = Fraction(n)
        for row, own in zip(deal, weights, strict=True):
            for given, weight in zip(row, own, strict=True):
                worth[deal] *= weight**given
    total = sum(worth.values())
    return {deal: value / total for deal, value in worth.items()} if total else {}
