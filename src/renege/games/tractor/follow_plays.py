"""The follows that give what is owed where units are of any width: counted without listing, drawn and listed.

A follow gives one of a few lists of units (`duties`). The hand is swept from its lowest step up; at each step it is
chosen how many cards of each kind go, and what is kept in mind is which lists can still be given, and how. Choices that
leave the same to be done are counted together, for all numbers of cards at once, so that there are at most as many
things to count as steps, times the sets of what may be left to do, which are few; not as many as there are plays. What
the rest of the hand cannot do is forgotten, and so is what asks for more than something else that is left.

For 39 trumps of three packs in one hand, 15 of them led, that is 10 ms. Where the first format that fits is owed and
tuples protected, every format of the chain is kept in mind, and how often kinds come and stay: then it is 0.1 s for
such a hand, and 0.5 s for the worst of some hundred leads of tractors of triples.
"""

import random
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import product
from math import prod
from typing import Generic, NamedTuple, TypeVar

from renege.core.cards import Card, Cards, kinds_in
from renege.core.order import Order
from renege.games.tractor.duties import Owed, dodges
from renege.games.tractor.tuples import DONE, Column, State, Unit, step_on, sweep

Taken = tuple[int, ...]  # how many cards of each kind of a step go


class Mind(NamedTuple):
    """What is kept in mind: by a number what is left to do of the lists of units; where tuples are protected, how often
    kinds came and stay that do so twice or more."""

    lists: int
    came: Column = ()
    stay: Column = ()


NEVER, ALL = 0, 1  # of one list: it cannot be given any more, and it is given
Asked = tuple[tuple[int, int], ...]  # widths, and how many tuples of each


@dataclass(frozen=True, slots=True)
class Move:
    """Ways to take cards of a step that are alike: how many, how often kinds come and stay, and each of the ways."""

    cards: int
    column: Column
    stay: Column
    ways: tuple[Taken, ...]


Thing = TypeVar("Thing")


class Numbers(Generic[Thing]):
    """Things by number, each once, in the order in which they came."""

    def __init__(self) -> None:
        self._things: list[Thing] = []
        self._numbers: dict[Thing, int] = {}

    def __getitem__(self, number: int) -> Thing:
        return self._things[number]

    def of(self, thing: Thing) -> int:
        number = self._numbers.setdefault(thing, len(self._things))
        if number == len(self._things):
            self._things.append(thing)
        return number


class Follows:
    """The follows of so many cards of a suit, at least some cards among them, that give what is owed."""

    def __init__(self, order: Order, suit: int, held: Cards, size: int, owed: Owed, least: Cards | None = None) -> None:
        self.held, self.size, self.owed = held, size, owed
        self.least = held.deck.none if least is None else least
        self.kinds = [sorted(kinds_in(held.kinds & step)) for step in order.steps[suit]]
        self.moves = [self._moves(kinds) for kinds in self.kinds]
        self.slot = prod(held.count(card) + 1 for card in kinds_in(held.kinds)).bit_length()  # no count needs more bits
        self.limit = (1 << self.slot * (size + 1)) - 1
        self.spreads = [self._spread(moves) for moves in self.moves]
        self.columns = [_several([held.count(card) for card in kinds]) for kinds in self.kinds]
        self.widths = [_widths(units) if owed.strict else () for units in owed.ways]
        self._left = Numbers[frozenset[State]]()  # what may be left to do of one list
        assert (self._left.of(frozenset()), self._left.of(frozenset([DONE]))) == (NEVER, ALL)
        self._lists = Numbers[tuple[int, ...]]()  # and of all of them
        self._hopes: dict[tuple[int, State], bool] = {}
        self._swept: dict[tuple[int, int, Column], int] = {}
        self._then: dict[tuple[int, int, Column], tuple[int, Asked]] = {}
        self._counts: dict[tuple[int, Mind], int] = {}

    def _moves(self, kinds: list[Card]) -> list[Move]:
        alike: dict[tuple[int, Column, Column], list[Taken]] = {}
        copies = [self.held.count(card) for card in kinds]
        least = [self.least.count(card) for card in kinds]
        ranges = [range(most, few - 1, -1) for most, few in zip(copies, least, strict=True)]
        for taken in product(*ranges):
            left = [have - took for have, took in zip(copies, taken, strict=True)] if self.owed.strict else []
            alike.setdefault((sum(taken), _several(taken), _several(left)), []).append(taken)
        return [Move(*key, tuple(ways)) for key, ways in alike.items()]

    def _spread(self, moves: list[Move]) -> dict[tuple[Column, Column], int]:
        """How many ways there are to take each number of cards from a step, a slot each, by what comes of it."""
        found: dict[tuple[Column, Column], int] = {}
        for move in moves:
            key = move.column, move.stay
            found[key] = found.get(key, 0) + (len(move.ways) << move.cards * self.slot)
        return found

    @property
    def start(self) -> Mind:
        lists = [frozenset([(units, ())]) for units in self.owed.ways]
        lists = lists if self.owed.strict else [frozenset[State]().union(*lists)]
        return Mind(self._lists.of(tuple(map(self._left.of, lists))))

    def _sweep(self, step: int, number: int, column: Column) -> int:
        """What may be left to do of a list after a step: what the rest of the hand can do, and no more than must be."""
        key = step, number, column
        if key not in self._swept:
            left = sweep(self._left[number], column)
            self._swept[key] = self._left.of(_least([state for state in left if self._hope(step + 1, state)]))
        return self._swept[key]

    def _hope(self, step: int, state: State) -> bool:
        """Can this be done with all cards from a step on?"""
        if state == DONE or step == len(self.columns):
            return state == DONE
        key = step, state
        if key not in self._hopes:
            self._hopes[key] = any(self._hope(step + 1, then) for then in step_on(state, self.columns[step]))
        return self._hopes[key]

    def _after(self, step: int, number: int, column: Column) -> tuple[int, Asked]:
        """What may be left to do of the lists after a step, and of each width the most tuples that one of them asks for
        which may still be given."""
        key = step, number, column
        if key not in self._then:
            lists: list[int] = []
            asked: dict[int, int] = {}
            for left, widths in zip(self._lists[number], self.widths, strict=False):
                then = left and self._sweep(step, left, column)
                lists.append(then)
                for width, most in widths if then else ():
                    if most > asked.get(width, 0):
                        asked[width] = most
                if then == ALL:
                    break  # what comes after a list that can be given is never asked
            self._then[key] = self._lists.of(tuple(lists)), tuple(sorted(asked.items()))
        return self._then[key]

    def after(self, step: int, mind: Mind, column: Column, stay: Column) -> Mind:
        """What is kept in mind after a step."""
        lists, asked = self._after(step, mind.lists, column)
        return Mind(lists, *_tally(mind.came + column, mind.stay + stay, asked)) if asked else Mind(lists)

    def allowed(self, mind: Mind) -> bool:
        lists = self._lists[mind.lists]
        if ALL not in lists:
            return False
        given = self.owed.ways[lists.index(ALL)]
        return not self.owed.strict or not dodges(given, Counter(mind.came), Counter(mind.stay))

    def count(self, step: int = 0, left: int | None = None, mind: Mind | None = None) -> int:
        """How many ways there are to go on from a step with so many cards still to go."""
        left, mind = self.size if left is None else left, self.start if mind is None else mind
        return 0 if left < 0 else self._count(step, mind) >> left * self.slot & (1 << self.slot) - 1

    def _count(self, step: int, mind: Mind) -> int:
        """The same for every number of cards still to go, a slot each."""
        if step == len(self.moves):
            return int(self.allowed(mind))
        key = step, mind
        if key not in self._counts:
            found = 0
            if not any(self._lists[mind.lists]):
                return 0
            for (column, stay), ways in self.spreads[step].items():
                found += ways * self._count(step + 1, self.after(step, mind, column, stay))
            self._counts[key] = found & self.limit
        return self._counts[key]

    def choose(self, rng: random.Random) -> Cards:
        """One of them, each as likely."""
        left, mind, taken = self.size, self.start, list[Card]()
        for step, moves in enumerate(self.moves):
            after = [self.after(step, mind, move.column, move.stay) for move in moves]
            weights = [
                len(move.ways) * self.count(step + 1, left - move.cards, then)
                for move, then in zip(moves, after, strict=True)
            ]
            at = rng.choices(range(len(moves)), weights)[0]
            taken += cards_of(self.kinds[step], rng.choice(moves[at].ways))
            left, mind = left - moves[at].cards, after[at]
        return self.held.deck.cards(taken)

    def __iter__(self) -> Iterator[Cards]:
        return self._from(0, self.size, self.start, [])

    def _from(self, step: int, left: int, mind: Mind, taken: list[Card]) -> Iterator[Cards]:
        if not self.count(step, left, mind):
            return
        if step == len(self.moves):
            yield self.held.deck.cards(taken)
            return
        for move in self.moves[step]:
            after = self.after(step, mind, move.column, move.stay)
            for way in move.ways:
                yield from self._from(step + 1, left - move.cards, after, taken + cards_of(self.kinds[step], way))


def _least(states: list[State]) -> frozenset[State]:
    """Of what may be left to do that which asks for nothing more than another."""
    if len(states) < 2:
        return frozenset(states)
    found: list[State] = []
    for state in sorted(states, key=_units):
        if not any(_within(less[0], state[0]) and _within(less[1], state[1]) for less in found):
            found.append(state)
    return frozenset(found)


def _units(state: State) -> int:
    return len(state[0]) + len(state[1])


def _within(some: tuple[Unit, ...], units: tuple[Unit, ...]) -> bool:
    """Are some units among others? Both are sorted."""
    rest = iter(units)
    return len(some) <= len(units) and all(unit in rest for unit in some)


def _widths(units: tuple[Unit, ...]) -> Asked:
    """How many tuples of each width a list of units asks for."""
    return tuple(Counter(unit[0][0] for unit in units if len(unit) == 1).items())


@lru_cache(maxsize=1 << 16)
def _tally(came: Column, stay: Column, asked: Asked) -> tuple[Column, Column]:
    """How often kinds come and stay, as far as it matters: no more than are asked for and, once as many came as are,
    not how many stay."""
    kept: tuple[list[int], list[int]] = [], []
    for width, most in asked:
        there = min(came.count(width), most)
        kept[0].extend([width] * there)
        kept[1].extend([width] * (min(stay.count(width), most) if there < most else 0))
    return tuple(kept[0]), tuple(kept[1])


def _several(counts: tuple[int, ...] | list[int]) -> Column:
    return tuple(sorted((count for count in counts if count > 1), reverse=True))


def cards_of(kinds: list[Card], taken: Taken) -> list[Card]:
    """The cards that are taken of some kinds."""
    return [card for card, count in zip(kinds, taken, strict=True) for _ in range(count)]
