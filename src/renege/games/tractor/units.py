"""Units: how a pile of one suit is cut into singles, pairs and tractors, and whether it can answer another.

Only pairs have structure. A pile's pairs lie on the steps of their suit; consecutive steps make runs. Where several
pairs share a step (the level cards of the other suits), runs may pass through it side by side, so that a pile is not
one list of runs but the better of two: one run straight through, or one that ends on the step and one that starts
there. Cutting led units out of runs is packing, small enough to be looked up. All this is so with two packs; where
units may be wider, `tuples` knows them, and the last functions here ask whichever it is.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

from renege.core.cards import Cards
from renege.core.order import Order
from renege.core.trick import Play
from renege.games.tractor import tuples
from renege.games.tractor.order import WideOrder
from renege.games.tractor.tuples import WideShape

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

Runs = tuple[int, ...]  # lengths in pairs, longest first; a run of 1 is a pair
Counts = tuple[int, ...]  # pairs on each step of a suit, lowest first


@dataclass(frozen=True, slots=True)
class Shape:
    """What a lead is made of: run lengths of two pairs and more, longest first, then pairs, then singles."""

    runs: Runs
    pairs: int
    singles: int

    @property
    def cards(self) -> int:
        return 2 * self.led_pairs + self.singles

    @property
    def led_pairs(self) -> int:
        """All pairs, those inside runs included."""
        return sum(self.runs) + self.pairs

    @property
    def units(self) -> Runs:
        """Every unit of pairs by its length; a pair is 1."""
        return self.runs + (1,) * self.pairs

    @property
    def is_throw(self) -> bool:
        return len(self.runs) + self.pairs + self.singles > 1

    @property
    def longest(self) -> int:
        """The pairs of the longest unit; 0 for a single."""
        return self.units[0] if self.units else 0

    @property
    def longest_cards(self) -> int:
        """The cards of the longest unit."""
        return 2 * self.longest or 1


def counts(order: Order, suit: int, pile: Cards) -> Counts:
    """How many pairs a pile has on each step of a suit."""
    pairs = pile.at_least(2)
    return tuple([(pairs & step).bit_count() for step in order.steps[suit]])


@lru_cache(maxsize=1 << 16)
def forms(pairs: Counts) -> tuple[Runs, ...]:
    """The one or two lists of runs that a pile's pairs amount to; every other cutting is contained in one of them."""
    runs: list[int] = []
    shared: tuple[int, int, int] | None = None  # run below a crowded step, run above it, pairs on it
    for start, end in stretches(pairs):
        crowded = next((i for i in range(start, end) if pairs[i] > 1), None)
        if crowded is None:
            runs.append(end - start)
            continue
        below, above, on_it = crowded - start, end - crowded - 1, pairs[crowded]
        if below and above:
            shared = below, above, on_it
        else:
            runs += [end - start, *[1] * (on_it - 1)]
    if shared is None:
        return (_sorted(runs),)
    below, above, on_it = shared
    through = [below + 1 + above, *[1] * (on_it - 1)]
    apart = [below + 1, above + 1, *[1] * (on_it - 2)]
    return _sorted(runs + through), _sorted(runs + apart)


def stretches(pairs: Counts) -> Iterator[tuple[int, int]]:
    """The stretches of consecutive steps with a pair on each, by their first step and the one after their last."""
    start = None
    for i, count in enumerate((*pairs, 0)):
        if count and start is None:
            start = i
        elif not count and start is not None:
            yield start, i
            start = None


def _sorted(runs: Iterable[int]) -> Runs:
    return tuple(sorted(runs, reverse=True))


@lru_cache(maxsize=1 << 18)
def packs(runs: Runs, units: Runs) -> bool:
    """Can these units be cut out of these runs? Both longest first."""
    if not units:
        return True
    if sum(units) > sum(runs):
        return False
    if units[0] == 1:
        return True  # pairs fit wherever there are enough
    first, rest = units[0], units[1:]
    for i, run in enumerate(runs):
        if run < first:
            return False
        if i and run == runs[i - 1]:
            continue  # the same as the one before
        left = _sorted([*runs[:i], *runs[i + 1 :], *([run - first] if run > first else [])])
        if packs(left, rest):
            return True
    return False


def can_cut(pairs: Counts, units: Runs) -> bool:
    """Can these units be cut out of a pile with these pairs?"""
    return any(packs(form, units) for form in forms(pairs))


@lru_cache(maxsize=1 << 16)
def best_match(pairs: Counts, led: Runs, *, shorter: bool = True) -> Runs:
    """The most that a pile can give to led runs, longest first: for each the length of a run no longer than it, or 0.

    Runs of one pair count as none. Without `shorter` only a run of the full length counts.
    """
    return max(_match(form, led, shorter) for form in forms(pairs))


@lru_cache(maxsize=1 << 16)
def fullest_match(pairs: Counts, led: Runs) -> Runs:
    """The most that a pile can give to led runs where every further run is owed: run by run, none shorter than two.

    The longest stretch of led pairs that is unanswered gets a run no longer than it, and what is left of the stretch
    stays unanswered, until no run fits any more.
    """
    return max(_fullest(form, led) for form in forms(pairs))


def _fullest(form: Runs, led: Runs) -> Runs:
    given: Runs = ()
    while run := next((run for run in range(unanswered(led, given), 1, -1) if packs(form, (*given, run))), 0):
        given = (*given, run)  # none is longer than the one before it
    return given


def unanswered(led: Runs, given: Runs) -> int:
    """The longest stretch of led pairs that is left when each of these runs has gone to the longest one."""
    left = [*led, 0]
    for run in given:
        longest = max(left)
        left.remove(longest)
        left.append(longest - run)
    return max(left)


def _match(form: Runs, led: Runs, shorter: bool) -> Runs:
    given: list[int] = []
    for length in led:
        offers = (*range(length, 1, -1), 0) if shorter else (length, 0)
        given.append(next(offer for offer in offers if packs(form, _sorted(filter(None, [*given, offer])))))
    return tuple(given)


def shape_of(order: Order, suit: int, pile: Cards) -> Shape:
    """The shape of a lead whose leader names no other: longest runs first, then pairs, then singles."""
    whole = pile.at_least(2)
    if whole & (whole - 1) == 0:  # one pair or none: no run
        return Shape((), whole.bit_count(), len(pile) - 2 * whole.bit_count())
    pairs = counts(order, suit, pile)
    runs = max(forms(pairs))
    long = tuple(run for run in runs if run > 1)
    return Shape(long, sum(pairs) - sum(long), len(pile) - 2 * sum(pairs))


def cut(order: Order, suit: int, pile: Cards) -> tuple[Cards, ...]:
    """The units of a lead by its shape, longest first."""
    shape = shape_of(order, suit, pile)
    found = serve(order, suit, pile, shape)
    assert found is not None
    return found


def serve(order: Order, suit: int, pile: Cards, led: Shape) -> tuple[Cards, ...] | None:
    """Cards of a pile for each unit of a led shape (runs, pairs, singles; the highest first), or None if it cannot."""
    steps = order.steps[suit]
    left = pile
    units: list[Cards] = []
    for i, length in enumerate(led.units):
        rest = led.units[i + 1 :]
        window = _highest_window(counts(order, suit, left), length, rest)
        if window is None:
            return None
        taken = _pairs_on(left, steps, window, length)
        units.append(taken)
        left = left - taken
    if len(left) < led.singles:
        return None
    singles = sorted(left, key=lambda card: order.strength[suit][card], reverse=True)
    return (*units, *(pile.deck.of(1 << card) for card in singles[: led.singles]))


def _highest_window(pairs: Counts, length: int, rest: Runs) -> int | None:
    """The top step of the highest run of this length whose removal leaves room for the rest."""
    for top in range(len(pairs) - 1, length - 2, -1):
        window = range(top - length + 1, top + 1)
        if all(pairs[step] for step in window):
            left = tuple(count - 1 if step in window else count for step, count in enumerate(pairs))
            if can_cut(left, rest):
                return top
    return None


def _pairs_on(pile: Cards, steps: tuple[int, ...], top: int, length: int) -> Cards:
    mask = 0
    for step in range(top - length + 1, top + 1):
        kinds = pile.at_least(2) & steps[step]
        mask |= kinds & -kinds  # of level pairs side by side the first in card order
    return Cards(pile.deck, (mask, mask))


def top_step(order: Order, suit: int, pile: Cards, led: Shape) -> int | None:
    """The highest step that one of the longest led units can have in a pile that is cut into the led shape."""
    if len(pile) != led.cards:
        return None
    pairs = counts(order, suit, pile)
    if not can_cut(pairs, led.units):
        return None
    if not led.units:
        return max(i for i, step in enumerate(order.steps[suit]) if pile.kinds & step)
    return _highest_window(pairs, led.units[0], led.units[1:])


def tops(order: Order, suit: int, pile: Cards, led: Shape) -> "NDArray[np.int8]":
    """`int8[ways, units]`: for each way to cut a pile into the led shape the top steps of its units, longest first and
    equal ones from the highest down."""
    cards = [sum((layer & step).bit_count() for layer in pile.layers) for step in order.steps[suit]]
    return _all_tops(counts(order, suit, pile), tuple(cards), led.units)


@lru_cache(maxsize=1 << 10)
def _all_tops(pairs: Counts, cards: Counts, units: Runs) -> "NDArray[np.int8]":
    import numpy as np  # here: rules alone do without it

    return np.array(list(_tops(pairs, cards, units, len(pairs) - 1)), np.int8)


def _tops(pairs: Counts, cards: Counts, units: Runs, highest: int) -> Iterator[tuple[int, ...]]:
    """Every way to cut units out of pairs, the first of them not above a step; what is left are singles."""
    if not units:
        yield tuple(step for step in range(len(cards) - 1, -1, -1) for _ in range(cards[step]))
        return
    length, rest = units[0], units[1:]
    for top in range(highest, length - 2, -1):
        window = range(top - length + 1, top + 1)
        if all(pairs[step] for step in window):
            fewer = tuple(count - (step in window) for step, count in enumerate(pairs))
            if can_cut(fewer, rest):
                left = tuple(count - 2 * (step in window) for step, count in enumerate(cards))
                next_highest = top if rest and rest[0] == length else len(pairs) - 1
                for tops in _tops(fewer, left, rest, next_highest):
                    yield top, *tops


def only_suit(order: Order, pile: Cards) -> int:
    """The suit of a pile that is of one."""
    suit = order.suit_of(pile)
    assert suit is not None
    return suit


def units_of(order: Order, suit: int, pile: Cards) -> tuple[Cards, ...]:
    """The units of a lead by its shape, the greatest first, whatever their width may be."""
    return tuples.cut(order, suit, pile) if isinstance(order, WideOrder) else cut(order, suit, pile)


def is_unit(order: Order, suit: int, pile: Cards) -> bool:
    """Is a pile of a suit one unit?"""
    if isinstance(order, WideOrder):
        return tuples.form_of(order, suit, pile) is not None
    return bool(pile) and not shape_of(order, suit, pile).is_throw


def served_by(order: Order, suit: int, pile: Cards, led: Shape | WideShape) -> tuple[Cards, ...] | None:
    """Cards of a pile for each unit of a led shape, or None if it cannot be cut so."""
    if isinstance(led, WideShape):
        return tuples.serve(order, suit, pile, led.units, led.singles)
    return serve(order, suit, pile, led)


def led_units(order: Order, lead: Play) -> tuple[Cards, ...]:
    """The units of a lead: as its leader named them, else by its shape."""
    suit = only_suit(order, lead.cards)
    if lead.tried is not None:
        return (lead.cards,)  # one of those that were tried
    return lead.units or units_of(order, suit, lead.cards)


def led_form(order: Order, lead: Play) -> Shape | WideShape:
    """The shape that a lead asks for, whatever the width of its units may be."""
    if not isinstance(order, WideOrder):
        return led_shape(order, lead)
    suit = only_suit(order, lead.cards)
    if not lead.units or lead.tried is not None:
        return tuples.shape_of(order, suit, lead.cards)
    forms = [form for unit in lead.units for form in tuples.shape_of(order, suit, unit).forms]
    return WideShape(tuple(sorted(forms, key=tuples.rank, reverse=True)))


def led_shape(order: Order, lead: Play) -> Shape:
    """The shape that a lead asks for with two packs: as its leader grouped it, else the greatest."""
    suit = only_suit(order, lead.cards)
    if not lead.units or lead.tried is not None:
        return shape_of(order, suit, lead.cards)
    shapes = [shape_of(order, suit, unit) for unit in lead.units]
    return Shape(
        _sorted(run for shape in shapes for run in shape.runs),
        sum(shape.pairs for shape in shapes),
        sum(shape.singles for shape in shapes),
    )


def named_units(order: Order, play: Play) -> tuple[Cards, ...] | None:
    """The units that a leader named, if each is one and together they are the play; None if they are not."""
    suit = order.suit_of(play.cards)
    if suit is None or not all(unit and is_unit(order, suit, unit) for unit in play.units):
        return None
    pile = play.cards.deck.none
    for unit in play.units:
        pile = pile + unit
    return play.units if pile == (play.tried or play.cards) else None
