"""Units of any width: tuples of equal cards, and tractors of them, where there are more packs than two.

Only kinds of which a pile has two or more have structure. A pile is its columns: for every step of a suit, how many
cards of each kind lie there, where that is two or more. A unit is its widths from the lowest step up, `(3,)` for three
equal cards and `(2, 2)` for a tractor of two pairs; formats that are no tractors (`(3, 2)`) are asked for too. Whether
some units can be taken out of a pile is found by a sweep from the lowest step to the highest. What it keeps in mind are
the units that have not begun and what is still to come of those that have: a few at a time, since the units on a step
need two cards of a kind each. So with D copies, k kinds on the fullest step and u units of v different widths it
has at most (1 + u/v)^v times (u + 1)^(kD/2) things in mind at any step, in practice a handful.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import product

from renege.core.cards import Card, Cards, kinds_in
from renege.core.order import Order
from renege.games.tractor.order import WideOrder

Form = tuple[int, int]  # the width of a unit, and how many steps it has
Need = tuple[int, int]  # a width, and of how many copies a kind may be that serves it
Unit = tuple[Need, ...]  # needs from the lowest step up
Column = tuple[int, ...]  # copies of the kinds on a step that come twice or more, most first
Columns = tuple[Column, ...]  # of every step, lowest first
State = tuple[tuple[Unit, ...], tuple[Unit, ...]]  # units that have not begun, and what is to come of those that have

ANY = 99  # a kind of any number of copies may serve
DONE: State = (), ()


def rank(form: Form) -> tuple[int, int]:
    """By which units are compared: most cards, then the widest."""
    return form[0] * form[1], form[0]


def unit_of(form: Form, most: int = ANY) -> Unit:
    """A tuple or a tractor as it is asked for; of kinds with at most so many copies."""
    return ((form[0], most),) * form[1]


def columns(order: Order, suit: int, pile: Cards) -> Columns:
    """A pile of a suit by its steps."""
    pairs, layers = pile.at_least(2), pile.layers
    return tuple([_column(pairs & step, layers) if pairs & step else () for step in order.steps[suit]])


def _column(kinds: int, layers: tuple[int, ...]) -> Column:
    if kinds & (kinds - 1) == 0:
        return (sum([1 for layer in layers if layer & kinds]),)
    return tuple(sorted([sum([1 for layer in layers if layer >> card & 1]) for card in kinds_in(kinds)], reverse=True))


# -- the sweep


@lru_cache(maxsize=1 << 16)
def places(column: Column, needs: tuple[Need, ...]) -> bool:
    """Can these widths be taken from the kinds on a step, each from one kind?"""
    if not needs:
        return True
    width, most = needs[0]
    for i, copies in enumerate(column):
        enough = copies & 0xFF >= width and copies >> 8 <= most and (not i or column[i - 1] != copies)
        if enough and places((*column[:i], copies - width, *column[i + 1 :]), needs[1:]):
            return True
    return False


@lru_cache(maxsize=1 << 17)
def step_on(state: State, column: Column) -> frozenset[State]:
    """All that may be left to do after a step."""
    waiting, begun = state
    marked = tuple(copies | copies << 8 for copies in column)  # what is there, beside what is left of it
    needs = tuple(unit[0] for unit in begun)
    if needs and not places(marked, needs):
        return frozenset()
    found: set[State] = set()
    after = [unit[1:] for unit in begun if len(unit) > 1]

    def begin(i: int, left: tuple[Unit, ...], needs: tuple[Need, ...], after: list[Unit]) -> None:
        found.add((left, tuple(sorted(after))))
        for j in range(i, len(left)):
            unit = left[j]
            if j > i and left[j - 1] == unit:
                continue
            more = (*needs, unit[0])
            if places(marked, more):
                begin(j, (*left[:j], *left[j + 1 :]), more, [*after, unit[1:]] if len(unit) > 1 else after)

    begin(0, waiting, needs, after)
    return frozenset(found)


def sweep(states: frozenset[State], column: Column) -> frozenset[State]:
    """All that may be left to do after a step, whatever was before; nothing more than `DONE` once all can be done."""
    if DONE in states:
        return _DONE
    found = frozenset[State]().union(*[step_on(state, column) for state in states])
    return _DONE if DONE in found else found


_DONE = frozenset([DONE])


@lru_cache(maxsize=1 << 17)
def fits(pile: Columns, units: tuple[Unit, ...]) -> bool:
    """Can these units be taken out of a pile? They are sorted."""
    if sum(map(sum, pile)) < sum(need[0] for unit in units for need in unit):
        return False
    states = frozenset([(units, ())])
    for column in pile:
        if DONE in states:
            return True
        states = sweep(states, column)
    return DONE in states


def can_cut(pile: Columns, units: Iterable[Unit]) -> bool:
    """Can these units be taken out of a pile? Single cards are not asked for here."""
    return fits(pile, tuple(sorted(units)))


# -- shapes


def widest(pile: Columns) -> int:
    return max((column[0] for column in pile if column), default=1)


def greatest_forms(pile: Columns, least: Form) -> Iterator[Form]:
    """Every form that a unit of two cards or more could have in a pile, the greatest first."""
    most, steps = widest(pile), len(pile)
    found = [(width, 1) for width in range(2, most + 1)]
    found += product(range(max(2, least[0]), most + 1), range(max(2, least[1]), steps + 1))
    yield from sorted(found, key=rank, reverse=True)


@lru_cache(maxsize=1 << 14)
def shape_forms(pile: Columns, least: Form) -> tuple[Form, ...]:
    """The shape of a pile but for its single cards: the greatest units that it can be cut into, unit by unit."""
    found: list[Form] = []
    for form in greatest_forms(pile, least):
        while can_cut(pile, [*map(unit_of, found), unit_of(form)]):
            found.append(form)
    return tuple(found)


@dataclass(frozen=True, slots=True)
class WideShape:
    """What a lead is made of: the forms of its units, the greatest first, single cards included."""

    forms: tuple[Form, ...]

    @property
    def cards(self) -> int:
        return sum(width * length for width, length in self.forms)

    @property
    def is_throw(self) -> bool:
        return len(self.forms) > 1

    @property
    def longest_cards(self) -> int:
        """The cards of the greatest unit."""
        return self.forms[0][0] * self.forms[0][1]

    @property
    def led_pairs(self) -> int:
        """All tuples, those inside tractors included."""
        return sum(length for width, length in self.forms if width > 1)

    @property
    def units(self) -> tuple[Unit, ...]:
        """Its units of two cards and more, as they are asked for."""
        return tuple(unit_of(form) for form in self.forms if form[0] > 1)

    @property
    def singles(self) -> int:
        return self.forms.count((1, 1))


def shape_of(order: WideOrder, suit: int, pile: Cards) -> WideShape:
    """The shape of a lead whose leader names no other."""
    if pile.kinds.bit_count() == 1:
        return WideShape(((len(pile), 1),))
    if not pile.at_least(2):
        return WideShape(((1, 1),) * len(pile))
    forms = shape_forms(columns(order, suit, pile), order.least)
    singles = len(pile) - sum(width * length for width, length in forms)
    return WideShape((*forms, *[(1, 1)] * singles))


def form_of(order: WideOrder, suit: int, unit: Cards) -> Form | None:
    """The form of cards that are one unit; None if they are not."""
    forms = shape_of(order, suit, unit).forms
    return forms[0] if len(forms) == 1 else None


def tuples_of(forms: Iterable[Form]) -> list[tuple[int, int, int]]:
    """How many units there are of each width and length, the greatest first."""
    counted: dict[Form, int] = {}
    for form in sorted(forms, key=rank, reverse=True):
        counted[form] = counted.get(form, 0) + 1
    return [(width, length, count) for (width, length), count in counted.items()]


# -- which cards serve


def cut(order: WideOrder, suit: int, pile: Cards) -> tuple[Cards, ...]:
    """The units of a lead by its shape, the greatest first."""
    shape = shape_of(order, suit, pile)
    found = serve(order, suit, pile, shape.units, shape.singles)
    assert found is not None
    return found


def serve(order: Order, suit: int, pile: Cards, units: tuple[Unit, ...], singles: int = 0) -> tuple[Cards, ...] | None:
    """Cards of a pile for each unit and for so many single cards, the highest first; None if it cannot."""
    found: list[Cards] = []
    left = pile
    for i, unit in enumerate(units):
        rest = units[i + 1 :]
        taken = next((c for c in windows(order, suit, left, unit, pile) if _leaves(order, suit, left - c, rest)), None)
        if taken is None:
            return None
        found.append(taken)
        left = left - taken
    if len(left) < singles:
        return None
    high = sorted(left, key=lambda card: order.strength[suit][card], reverse=True)
    return (*found, *(pile.deck.of(1 << card) for card in high[:singles]))


def _leaves(order: Order, suit: int, left: Cards, rest: tuple[Unit, ...]) -> bool:
    return not rest or can_cut(columns(order, suit, left), rest)


def windows(order: Order, suit: int, pile: Cards, unit: Unit, hand: Cards | None = None) -> Iterator[Cards]:
    """The cards of every such unit in a pile, the highest first; how many copies a kind has is asked of the hand."""
    steps, hand, deck = order.steps[suit], hand or pile, pile.deck
    for low in range(len(steps) - len(unit), -1, -1):
        kinds: list[list[Card]] = []
        for step, (width, most) in zip(steps[low:], unit, strict=False):
            there = sorted(kinds_in(pile.at_least(width) & step))
            kinds.append([card for card in there if hand.count(card) <= most])
        for chosen in product(*kinds):
            yield deck.cards([card for card, (width, _) in zip(chosen, unit, strict=True) for _ in range(width)])


# -- heights


def top_step(order: Order, suit: int, pile: Cards, led: WideShape) -> int | None:
    """The highest step that one of the greatest led units can have in a pile that is cut into the led shape."""
    if len(pile) != led.cards:
        return None
    if not led.units:
        return max(i for i, step in enumerate(order.steps[suit]) if pile.kinds & step)
    there = columns(order, suit, pile)
    return next(
        (low + led.forms[0][1] - 1 for low, rest in _taken(there, led.forms[0]) if can_cut(rest, led.units[1:])), None
    )


def _taken(pile: Columns, form: Form, highest: int = ANY) -> Iterator[tuple[int, Columns]]:
    """What a tuple or tractor leaves of a pile, by its lowest step, the highest first; not above a step."""
    width, length = form
    for low in range(min(len(pile) - length, highest), -1, -1):
        ways = [_less(column, width) for column in pile[low : low + length]]
        for window in product(*ways):
            yield low, (*pile[:low], *window, *pile[low + length :])


@lru_cache(maxsize=1 << 12)
def _less(column: Column, width: int) -> tuple[Column, ...]:
    """What is left on a step where so many cards of one kind are taken, for each kind that has them."""
    found: dict[Column, None] = {}
    for i, copies in enumerate(column):
        if copies >= width:
            rest = [*column[:i], copies - width, *column[i + 1 :]]
            found[tuple(sorted((left for left in rest if left > 1), reverse=True))] = None
    return tuple(found)


def all_tops(order: Order, suit: int, pile: Cards, led: WideShape) -> frozenset[tuple[int, ...]]:
    """For each way to cut a pile into the led shape the top steps of its units, the greatest unit first and equal
    ones from the highest down."""
    cards = tuple(sum((layer & step).bit_count() for layer in pile.layers) for step in order.steps[suit])
    forms = tuple(form for form in led.forms if form[0] > 1)
    return _tops(columns(order, suit, pile), cards, forms, ANY)


@lru_cache(maxsize=1 << 14)
def _tops(pile: Columns, cards: tuple[int, ...], forms: tuple[Form, ...], highest: int) -> frozenset[tuple[int, ...]]:
    if not forms:
        return frozenset([tuple(step for step in range(len(cards) - 1, -1, -1) for _ in range(cards[step]))])
    (width, length), rest = forms[0], forms[1:]
    found: set[tuple[int, ...]] = set()
    for low, left in dict.fromkeys(_taken(pile, forms[0], highest)):
        if can_cut(left, map(unit_of, rest)):
            there = tuple(count - width * (low <= step < low + length) for step, count in enumerate(cards))
            same = low if rest and rest[0] == forms[0] else ANY
            found |= {(low + length - 1, *tops) for tops in _tops(left, there, rest, same)}
    return frozenset(found)
