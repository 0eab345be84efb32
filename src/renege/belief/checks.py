"""Rejection checks: conditions on drawn deals, many at once, that the table of a problem cannot hold."""

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import lru_cache

import numpy as np

from renege.belief.problem import DEAD, Watch
from renege.core.cards import Card, Cards
from renege.core.facts import Fact
from renege.native.arrays import F64, U64, Bools
from renege.native.cards import mixed

MASK, STEP = (1 << 64) - 1, 0x9E3779B97F4A7C15


@dataclass(frozen=True, eq=False)
class Check:
    """A condition on deals `uint64[n, hand, layer]`, and the facts that it stands for.

    This one keeps all deals, equally likely as they lie: it is for facts that say only how often a deal counts, where
    the table has no room for that.
    """

    facts: tuple[Fact, ...]

    def keeps(self, rows: U64, chance: F64) -> Bools:
        """Which of the deals meet it; `chance` is a number from 0 to 1 drawn for each."""
        return np.ones(len(rows), np.bool_)


def chances(seed: int, first_lane: int, n: int) -> F64:
    """A number from 0 to 1 for each deal that is drawn, the same whichever others are drawn with it."""
    lanes = np.arange(first_lane, first_lane + n, dtype=np.uint64) + np.uint64(seed * STEP & MASK)
    return (mixed(lanes) >> np.uint64(11)).astype(np.float64) * 2.0**-53


@dataclass(frozen=True, eq=False)
class WatchCheck(Check):
    """A watch, reading all deals side by side."""

    watch: Watch
    kinds: tuple[Card, ...]
    copies: tuple[int, ...]

    def keeps(self, rows: U64, chance: F64) -> Bools:
        return watched(self.watch, self.kinds, self.copies, rows)


def watched(watch: Watch, kinds: tuple[Card, ...], copies: tuple[int, ...], rows: U64) -> Bools:
    """Which deals a watch accepts."""
    state = np.zeros(len(rows), np.intp)
    dead = np.zeros(len(rows), np.bool_)
    for place, moves in enumerate(watch.moves, watch.first):
        read = np.zeros(len(rows), np.intp)
        for hand in watch.hands:
            given = ((rows[:, hand] >> np.uint64(kinds[place])) & np.uint64(1)).sum(axis=1).astype(np.intp)
            read = read * (copies[place] + 1) + given
        state = np.array(moves, np.intp)[state, read]
        dead |= state == DEAD
        state[dead] = 0
    return np.array(watch.accepts)[state] & ~dead


@dataclass(frozen=True, eq=False)
class AnyCheck(Check):
    """At least one of some watches."""

    watches: tuple[Watch, ...]
    kinds: tuple[Card, ...]
    copies: tuple[int, ...]

    def keeps(self, rows: U64, chance: F64) -> Bools:
        return any_watched(self.watches, self.kinds, self.copies, rows)


def any_watched(
    watches: tuple[Watch | bool, ...], kinds: tuple[Card, ...], copies: tuple[int, ...], rows: U64
) -> Bools:
    """Which deals one of these accepts at least."""
    found = np.zeros(len(rows), np.bool_)
    for watch in watches:
        found |= watch if isinstance(watch, bool) else watched(watch, kinds, copies, rows)
    return found


@dataclass(frozen=True, eq=False)
class StopCheck(Check):
    """The first hand in turn that beats any unit of a throw beats the one that was stopped, and none that is smaller.

    For each of them there is what would beat the led unit, a smaller one, a larger one: watches of its hand, or True
    and False where it is known.
    """

    asked: tuple[tuple[tuple[Watch | bool, ...], tuple[Watch | bool, ...], tuple[Watch | bool, ...]], ...]
    kinds: tuple[Card, ...]
    copies: tuple[int, ...]

    def keeps(self, rows: U64, chance: F64) -> Bools:
        kept, still = np.zeros(len(rows), np.bool_), np.ones(len(rows), np.bool_)
        for led, smaller, larger in self.asked:
            asked = (any_watched(watches, self.kinds, self.copies, rows) for watches in (led, smaller, larger))
            beaten, below, above = asked
            kept |= still & beaten & ~below
            still &= ~(beaten | below | above)
        return kept


@dataclass(frozen=True, eq=False)
class KindsCheck(Check):
    """Something that only depends on the kinds of which a hand had so many copies: asked once for each set of them."""

    hands: tuple[int, ...]
    known: Cards  # what the hand has shown besides
    kinds: int
    copies: int
    allowed: Callable[[int], bool]
    _seen: dict[int, bool] = field(default_factory=dict[int, bool])

    def keeps(self, rows: U64, chance: F64) -> Bools:
        everything = np.full(len(rows), MASK, np.uint64)
        held = [everything, *(np.full(len(rows), self.known.at_least(n + 1), np.uint64) for n in range(self.copies))]
        for hand in self.hands:  # so many copies here, and the others there
            more = [everything, *(rows[:, hand, n] for n in range(min(self.copies, rows.shape[2])))]
            for n in range(self.copies, 0, -1):
                for own in range(1, min(n, len(more) - 1) + 1):
                    held[n] |= held[n - own] & more[own]
        asked = held[self.copies] & np.uint64(self.kinds)
        different, place = np.unique(asked, return_inverse=True)
        for one in map(int, different):
            if one not in self._seen:
                self._seen[one] = self.allowed(one)
        return np.array([self._seen[int(one)] for one in different], np.bool_)[place]


@dataclass(frozen=True, eq=False)
class CardsCheck(Check):
    """Something that depends on the cards of some kinds in hands: asked once for each way to hold them."""

    hands: tuple[int, ...]
    known: Cards  # what the hand has shown besides
    kinds: int
    permitted: Callable[[Cards], bool]
    _seen: dict[bytes, bool] = field(default_factory=dict[bytes, bool])

    def keeps(self, rows: U64, chance: F64) -> Bools:
        held = np.ascontiguousarray(rows[:, self.hands] & np.uint64(self.kinds))
        keys = [row.tobytes() for row in held]
        for key, row in zip(keys, held, strict=True):
            if key not in self._seen:
                pile = self.known
                for layers in row.tolist():
                    pile = pile + Cards(pile.deck, tuple(mask for mask in layers if mask))
                self._seen[key] = self.permitted(pile)
        return np.array([self._seen[key] for key in keys], np.bool_)


@dataclass(frozen=True, eq=False)
class SwapCheck(Check):
    """Two hands have swapped a card face down, and what they were dealt must have had enough of some kinds: a deal is
    kept as often as there are cards that it can have been. `ways[a][b]` is the share of them where the one hand has a
    and the other b of those kinds.
    """

    hands: tuple[int, int]
    known: tuple[int, int]  # of those kinds, what each has shown
    kinds: int
    ways: tuple[tuple[float, ...], ...]

    def keeps(self, rows: U64, chance: F64) -> Bools:
        mask = np.uint64(self.kinds)
        one, other = (
            known if hand < 0 else np.bitwise_count(rows[:, hand, 0] & mask).astype(np.intp) + known
            for hand, known in zip(self.hands, self.known, strict=True)
        )
        return np.asarray(chance < np.array(self.ways)[one, other])


@lru_cache
def swap_ways(sizes: tuple[int, int], least: tuple[int, int], *, back: bool) -> tuple[tuple[float, ...], ...]:
    """Of all cards that a giver and a taker can have swapped, `[a][b]` the share by which both were dealt enough of
    some kinds, if they have a and b of them now. Where one came `back` it may be the one that went over.
    """

    def share(a: int, b: int) -> float:
        ways = total = 0
        theirs = ((1, b), (0, sizes[1] - b))
        for came, many in ((1, a), (0, sizes[0] - a)) if back else ((0, 1),):
            for went, more in (*theirs, (came, 1)) if back else theirs:
                total += many * more
                enough = a - came + went >= least[0] and b - went + came >= least[1]
                ways += many * more * enough
        return ways / total

    return tuple(
        tuple(share(a, b) if a <= sizes[0] and b <= sizes[1] else 0.0 for b in range(sizes[1] + 1))
        for a in range(sizes[0] + 1)
    )
