"""Tractor with any number of packs as its rules are told at the table: every way is tried, nothing is looked up.

A card is its text, `"SA"`, `"HT"`, `"LJ"`, `"BJ"`; a pile is a tuple of cards, sorted as text, copies side by side. A
declaration is `"S2"`, `"NT2"`, or `"NT-"` where only the jokers are trumps. A tuple is two or more equal cards, its
width is how many; a tractor is tuples of one width on consecutive steps, one kind a step. A unit is a single, a tuple
or a tractor, its cards from the lowest step up; its form is its width and the number of its steps. How narrow and how
short a tractor may be is `least`, a width and a length.

Written from the words of the rules and slow on purpose; nothing is imported from what this is compared with.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from functools import cache, lru_cache
from itertools import combinations
from typing import NamedTuple

Pile = tuple[str, ...]
Unit = tuple[str, ...]
Form = tuple[int, int]  # width, steps
Cutting = tuple[Unit, ...]
Vector = tuple[tuple[tuple[int, int], ...], tuple[int, ...]]  # to the led tractors, and to the led tuples

RANKS = "23456789TJQKA"
SUITS = "CDHS"
JOKERS = ["LJ", "BJ"]
CARDS = [*(suit + rank for suit in SUITS for rank in RANKS), *JOKERS]  # the card order, for what nothing else decides


def pile(cards: Iterable[str]) -> Pile:
    return tuple(sorted(cards))


def parse(text: str) -> Pile:
    return pile(text.split())


def without(cards: Sequence[str], gone: Sequence[str]) -> Pile:
    left = Counter(cards)
    left.subtract(gone)
    if any(copies < 0 for copies in left.values()):
        raise ValueError(f"{gone} is not in {cards}")
    return tuple(sorted(left.elements()))


# --- suits and steps ------------------------------------------------------------------------------


class Table(NamedTuple):
    """A declaration and the house rules on which units depend."""

    declaration: str
    gap: str = "closes"
    least: Form = (2, 2)

    @property
    def level(self) -> str:
        return self.declaration[-1]

    @property
    def trumps(self) -> str | None:
        return None if self.declaration.startswith("NT") else self.declaration[0]


@cache
def suit(card: str, table: Table) -> str:
    """The suit a card follows: jokers, level cards and the trump suit are trumps."""
    if card in JOKERS or card[1] == table.level or card[0] == table.trumps:
        return "T"
    return card[0]


@cache
def step(card: str, table: Table) -> int:
    """Where a card stands in its suit; the off-suit level cards all stand on one step.

    Where the gap breaks, the ranks over the missing level are one place further up than where it closes.
    """
    ranks = [rank for rank in RANKS if rank != table.level]
    place = {rank: index for index, rank in enumerate(ranks)}
    if table.gap == "breaks" and table.level in RANKS[1:]:
        place = {rank: index + (RANKS.index(rank) > RANKS.index(table.level)) for rank, index in place.items()}
    above_the_suit = 0 if table.trumps is None else max(place.values()) + 1
    if card in JOKERS:
        return above_the_suit + (1 if table.trumps is None else 2) + JOKERS.index(card)
    if card[1] == table.level:
        return above_the_suit + (card[0] == table.trumps)
    return place[card[1]]


def in_suit(cards: Sequence[str], led: str, table: Table) -> Pile:
    return tuple(sorted(card for card in cards if suit(card, table) == led))


def led_suit(cards: Sequence[str], table: Table) -> str:
    suits = {suit(card, table) for card in cards}
    if len(suits) != 1:
        raise ValueError(f"a lead is of one suit: {cards}")
    return suits.pop()


# --- units ----------------------------------------------------------------------------------------


def form(unit: Unit) -> Form:
    """The width and the steps of a unit."""
    return unit.count(unit[0]), len(set(unit))


def rank(form: Form) -> tuple[int, int]:
    """By which units are compared: most cards, then the widest."""
    width, length = form
    return width * length, width


def top(unit: Unit, table: Table) -> int:
    return max(step(card, table) for card in unit)


def climbs(kind: str, kinds: Sequence[str], table: Table) -> Iterator[tuple[str, ...]]:
    """Every way to go up from one kind, a step at a time; at first it stays alone."""
    yield (kind,)
    for after in kinds:
        if suit(after, table) == suit(kind, table) and step(after, table) == step(kind, table) + 1:
            for climb in climbs(after, kinds, table):
                yield (kind, *climb)


@lru_cache(maxsize=100_000)
def units_in(cards: Pile, table: Table) -> frozenset[Unit]:
    """Every unit that could be made from a pile."""
    units: set[Unit] = set()
    for width in range(1, max(Counter(cards).values(), default=0) + 1):
        kinds = sorted(card for card, copies in Counter(cards).items() if copies >= width)
        for kind in kinds:
            units.add((kind,) * width)
            for climb in climbs(kind, kinds, table):
                if width >= max(2, table.least[0]) and len(climb) >= max(2, table.least[1]):
                    units.add(tuple(card for card in climb for _ in range(width)))
    return frozenset(units)


def tractors_in(cards: Pile, table: Table) -> list[Unit]:
    return [unit for unit in units_in(cards, table) if len(set(unit)) > 1]


def forms_of(units: Iterable[Unit]) -> tuple[Form, ...]:
    """The forms of some units, the greatest first."""
    return tuple(sorted(map(form, units), key=rank, reverse=True))


@lru_cache(maxsize=100_000)
def shapes(cards: Pile, table: Table) -> frozenset[tuple[Form, ...]]:
    """The forms of every cutting of a pile."""
    if not cards:
        return frozenset([()])
    lowest = min(cards, key=lambda card: (step(card, table), CARDS.index(card)))
    found: set[tuple[Form, ...]] = set()
    for unit in units_in(cards, table):
        if unit[0] == lowest:  # the lowest card is in some unit, and is the lowest there
            for others in shapes(without(cards, unit), table):
                found.add(tuple(sorted((form(unit), *others), key=rank, reverse=True)))
    return frozenset(found)


def shape(cards: Sequence[str], table: Table) -> tuple[Form, ...]:
    """The shape of a lead: of all cuttings the greatest, compared unit by unit."""
    return max(shapes(tuple(sorted(cards)), table), key=lambda forms: [rank(form) for form in forms])


def order_units(units: Iterable[Unit], table: Table) -> Cutting:
    """The greatest unit first, then the higher, then by card order."""

    def key(unit: Unit) -> tuple[object, ...]:
        cards, width = rank(form(unit))
        return -cards, -width, -top(unit, table), [CARDS.index(card) for card in unit]

    return tuple(sorted(units, key=key))


def cut(cards: Pile, table: Table, wanted: Counter[Form] | None = None) -> Iterator[Cutting]:
    """The cuttings one by one; only with so many units of each form, if that is wanted."""
    if not cards:
        yield ()
        return
    lowest = min(cards, key=lambda card: (step(card, table), CARDS.index(card)))
    for unit in units_in(cards, table):
        if unit[0] == lowest and (wanted is None or wanted[form(unit)]):
            fewer = None if wanted is None else wanted - Counter([form(unit)])
            for others in cut(without(cards, unit), table, fewer):
                yield (unit, *others)


def cuttings_into(led: Sequence[Form], cards: Sequence[str], table: Table) -> set[Cutting]:
    """All ways to cut a pile into the led shape: a greater unit may be cut, a tuple may serve as singles."""
    if len(cards) != sum(width * length for width, length in led):
        return set()
    return {order_units(cutting, table) for cutting in cut(tuple(sorted(cards)), table, Counter(led))}


def natural_cutting(cards: Sequence[str], table: Table) -> Cutting:
    """The cutting of greatest shape; of several the first by card order."""
    best = cuttings_into(shape(cards, table), cards, table)
    return min(best, key=lambda cutting: [CARDS.index(card) for unit in cutting for card in unit])


def led_units(cards: Sequence[str], grouping: Sequence[Sequence[str]] | None, table: Table) -> Cutting:
    """The units of a lead: as its leader groups it or, nothing said, as the rule does."""
    if grouping is None:
        return natural_cutting(cards, table)
    return tuple(tuple(sorted(unit, key=lambda card: (step(card, table), card))) for unit in grouping)


def led_forms(cards: Sequence[str], grouping: Sequence[Sequence[str]] | None, table: Table) -> tuple[Form, ...]:
    """The forms of a lead: as its leader groups it or, nothing said, the greatest."""
    return shape(cards, table) if grouping is None else forms_of(led_units(cards, grouping, table))


# --- following: the graded duty -------------------------------------------------------------------


class Duty(NamedTuple):
    """What a follower owes: the family, the protections, and whether shorter runs are owed."""

    family: str = "graded"
    follow: str = "shape"
    shorter_runs: str = "owed"

    @property
    def tuples_protected(self) -> bool:
        return self.follow in ("tuples-protected", "both-protected")

    @property
    def tractors_protected(self) -> bool:
        return self.follow in ("tractors-protected", "both-protected")


FREE = Duty()  # nothing is protected: so what a play gives is measured


def owes(card: str, width: int, hand: Pile, duty: Duty) -> bool:
    """Does a kind owe anything to a demand of this width? A wider tuple of the hand may be protected."""
    return not (duty.tuples_protected and hand.count(card) > width)


def may_answer(given: Form, asked: Form, shorter_runs: str) -> bool:
    """Is a tractor an answer to a led one: no wider and no longer, or just as wide and long where no less counts?"""
    if shorter_runs == "not-owed":
        return given == asked
    return given[0] <= asked[0] and given[1] <= asked[1]


@lru_cache(maxsize=200_000)
def tuple_answer(cards: Pile, widths: tuple[int, ...], hand: Pile, table: Table, duty: Duty) -> tuple[int, ...]:
    """To tuples of these widths, widest first: for each the width of one that is no wider, or 0. The greatest."""
    if not widths:
        return ()
    in_tractors = {card for tractor in tractors_in(hand, table) for card in tractor} if duty.tractors_protected else ()
    best = (0, *tuple_answer(cards, widths[1:], hand, table, duty))
    for card, copies in Counter(cards).items():
        if owes(card, widths[0], hand, duty) and card not in in_tractors:
            for width in range(2, min(copies, widths[0]) + 1):
                rest = tuple_answer(without(cards, (card,) * width), widths[1:], hand, table, duty)
                best = max(best, (width, *rest))
    return best


@lru_cache(maxsize=200_000)
def answer(
    cards: Pile, stretches: tuple[Form, ...], parts: tuple[int, ...], hand: Pile, table: Table, duty: Duty
) -> Vector:
    """The best that a pile can give to led tractors and then to their parts and the led tuples.

    The greatest stretch of led tuples is asked first. Where every further run is owed, what is left of a stretch that
    got a shorter run is asked again; else it goes to the parts, as does a stretch that got nothing.
    """
    least_width, least_length = table.least
    asked = [stretch for stretch in stretches if stretch[0] >= least_width and stretch[1] >= least_length]
    if not asked:
        widths = [*parts, *(width for width, length in stretches for _ in range(length))]
        return (), tuple_answer(cards, tuple(sorted(widths, reverse=True)), hand, table, duty)
    first = max(asked, key=rank)
    others = list(stretches)
    others.remove(first)
    width, length = first
    runs, tuples = answer(cards, tuple(others), (*parts, *[width] * length), hand, table, duty)
    best: Vector = ((0, 0), *runs), tuples
    for tractor in tractors_in(cards, table):
        given = form(tractor)
        if may_answer(given, first, duty.shorter_runs) and all(owes(card, width, hand, duty) for card in tractor):
            left, more = length - given[1], (*parts,)
            stays = [*others, *([(width, left)] if left and duty.shorter_runs == "all-owed" else [])]
            if duty.shorter_runs != "all-owed":
                more = (*parts, *[width] * left)
            runs, tuples = answer(without(cards, tractor), tuple(stays), more, hand, table, duty)
            best = max(best, ((rank(given), *runs), tuples))
    return best


def best_answer(led: Sequence[Form], cards: Pile, hand: Pile, table: Table, duty: Duty) -> Vector:
    stretches = tuple(form for form in led if form[1] > 1)
    return answer(cards, stretches, tuple(form[0] for form in led if form[1] == 1 < form[0]), hand, table, duty)


def graded(led: Sequence[Form], held: Pile, played: Pile, table: Table, duty: Duty) -> str | None:
    """The first duty broken by a play of the led suit from more cards of it than were led."""
    owed = best_answer(led, held, held, table, duty)
    given = best_answer(led, played, played, table, FREE._replace(shorter_runs=duty.shorter_runs))
    if given >= owed:
        return None
    for ours, theirs in zip(given[0], owed[0], strict=False):
        if ours != theirs:
            return "follow-longer-run" if ours[0] else "follow-run"
    return "follow-tuple"


# --- following: the first format that fits --------------------------------------------------------

Format = tuple[
    tuple[int, ...], ...
]  # groups of tuples on consecutive steps, each by its widths from the lowest step up


def sums(number: int) -> list[tuple[int, ...]]:
    """Every way to write a number as a sum, its greatest parts first and the ways with the greatest parts first."""
    if number == 0:
        return [()]
    return [
        (first, *rest)
        for first in range(number, 0, -1)
        for rest in sums(number - first)
        if not rest or rest[0] <= first
    ]


@cache
def divisions(count: int) -> tuple[tuple[tuple[int, ...], ...], ...]:
    """Every way to divide so many things into groups: one with a longer longest group first, then one with fewer.

    Of those that are equal by this it is first whose last thing joined an earlier group, or which was first without it.
    """
    if count == 1:
        return (((0,),),)
    last, found = count - 1, list[tuple[tuple[int, ...], ...]]()
    for groups in divisions(count - 1):
        for i in range(len(groups)):
            found.append((*groups[:i], (*groups[i], last), *groups[i + 1 :]))
        found.append((*groups, (last,)))
    return tuple(sorted(found, key=lambda groups: (-max(map(len, groups)), len(groups))))


@cache
def formats(cards: int) -> tuple[Format, ...]:
    """All formats of so many cards, from the strongest to single cards; one that follows itself is named once."""
    found: list[Format] = []
    for widths in sums(cards):
        tuples, singles = [width for width in widths if width > 1], [width for width in widths if width == 1]
        for groups in divisions(len(tuples)) if tuples else ((),):
            groups = [tuple(tuples[i] for i in group) for group in groups]
            one = tuple(sorted([*groups, *((width,) for width in singles)], reverse=True))
            if not found or found[-1] != one:
                found.append(one)
    return tuple(found)


@cache
def chain(led: tuple[Form, ...], new_tractors: bool) -> tuple[Format, ...]:
    """The led format and then weaker ones: the unit that has most formats left is weakened, by one format each time.

    Where no new tractors are asked for, a format is passed over in which a led tuple has become groups of several.
    """
    units = [(width,) * length for width, length in sorted(led, key=lambda form: form[0] * form[1])]
    now: list[Format] = [(unit,) for unit in units]
    left = [list(formats(sum(unit)))[formats(sum(unit)).index((unit,)) + 1 :] for unit in units]
    found: list[Format] = [tuple(units)]
    turns = list(range(len(units)))
    while any(left):
        turns.sort(key=lambda i: -len(left[i]))
        now[turns[0]] = left[turns[0]].pop(0)
        fresh = any(len(group) > 1 for i, unit in enumerate(units) if len(unit) == 1 for group in now[i])
        if new_tractors or not fresh:
            found.append(tuple(sorted((group for format in now for group in format), reverse=True)))
    return tuple(found)


@lru_cache(maxsize=200_000)
def fits(cards: Pile, wanted: Format, table: Table, exact_in: Pile | None = None) -> bool:
    """Can these groups be taken out of a pile? Where a hand is named, only of kinds of which it has just so many."""
    if not wanted:
        return True
    first, rest = wanted[0], wanted[1:]
    kinds = sorted(set(cards))
    for kind in kinds:
        for climb in climbs(kind, kinds, table):
            if len(climb) != len(first):
                continue
            enough = all(cards.count(card) >= width for card, width in zip(climb, first, strict=True))
            exact = exact_in is None or all(
                exact_in.count(card) <= width for card, width in zip(climb, first, strict=True)
            )
            if enough and exact:
                taken = [card for card, width in zip(climb, first, strict=True) for _ in range(width)]
                if fits(without(cards, taken), rest, table, exact_in):
                    return True
    return False


def first_format(led: Sequence[Form], held: Pile, played: Pile, table: Table, duty: Duty) -> str | None:
    """The formats of the chain one by one: the play matches it, or the hand could have, or the next is asked."""
    protected = held if duty.tuples_protected else None
    for wanted in chain(tuple(led), not duty.tractors_protected):
        if fits(played, wanted, table):
            return "follow-format" if duty.tuples_protected and dodges(wanted, held, played) else None
        if fits(held, wanted, table, protected):
            return "follow-format"
    return None


def dodges(wanted: Format, held: Pile, played: Pile) -> bool:
    """Is a wider tuple torn for one that is asked for, while just such a tuple stays in the hand?"""
    stays, given = Counter(without(held, played)), Counter(played)
    for width in {group[0] for group in wanted if len(group) == 1 and group[0] > 1}:
        still = wanted.count((width,)) - list(given.values()).count(width)
        if 0 < still <= list(stays.values()).count(width):
            return True
    return False


# --- following: any duty --------------------------------------------------------------------------


def follow_duty(
    led: str, forms: Sequence[Form], hand: Sequence[str], play: Sequence[str], table: Table, duty: Duty
) -> str | None:
    """The first duty that a play from a hand breaks; None if it keeps them all."""
    without(hand, play)
    n = sum(width * length for width, length in forms)
    if len(play) != n:
        return "length"
    held, played = in_suit(hand, led, table), in_suit(play, led, table)
    if len(held) <= n:
        return None if played == held else "follow-suit"
    if len(played) < n:
        return "follow-suit"
    if duty.follow == "suit-only":
        return None
    return (graded if duty.family == "graded" else first_format)(forms, held, played, table, duty)


def legal_follows(
    lead: Sequence[str],
    hand: Sequence[str],
    table: Table,
    duty: Duty = FREE,
    grouping: Sequence[Sequence[str]] | None = None,
) -> set[Pile]:
    """Of all subsets of a hand as large as the lead, those that may be played."""
    led, forms = led_suit(lead, table), led_forms(lead, grouping, table)
    subsets = set(combinations(sorted(hand), len(lead)))
    return {play for play in subsets if follow_duty(led, forms, hand, play, table, duty) is None}


# --- who wins -------------------------------------------------------------------------------------


def tops(cutting: Cutting, table: Table) -> list[tuple[tuple[int, int], int]]:
    """The ranks and top steps of its units, the greatest first, then the highest."""
    return sorted(((rank(form(unit)), top(unit, table)) for unit in cutting), reverse=True)


def is_higher(new: Cutting, old: Cutting, comparison: str, table: Table) -> bool:
    """Two plays of one suit cut into the same shape: does the new one go over the old?"""
    new_tops, old_tops = tops(new, table), tops(old, table)
    if comparison == "longest-unit":
        return new_tops[0] > old_tops[0]
    if comparison == "highest-card":
        return max(height for _, height in new_tops) > max(height for _, height in old_tops)
    assert comparison == "all-units"
    return all(height > below for (_, height), (_, below) in zip(new_tops, old_tops, strict=True))


def winner(
    plays: Sequence[Sequence[str]],
    table: Table,
    comparison: str = "longest-unit",
    grouping: Sequence[Sequence[str]] | None = None,
) -> tuple[int, list[bool]]:
    """Which play takes the trick, and which could not win whatever they met."""
    lead, forms = plays[0], led_forms(plays[0], grouping, table)
    led = led_suit(lead, table)
    best, standing, out = 0, {order_units(led_units(lead, grouping, table), table)}, [False]
    for place, play in enumerate(plays[1:], start=1):
        suits = {suit(card, table) for card in play}
        ways = cuttings_into(forms, play, table) if len(suits) == 1 and suits <= {led, "T"} else set()
        out.append(not ways or (len(forms) > 1 and suits == {led}))  # a standing throw is beaten only by a ruff
        if out[place]:
            continue
        if suit(play[0], table) != suit(plays[best][0], table):
            if suit(play[0], table) != "T":
                continue
        elif not all(any(is_higher(way, ahead, comparison, table) for way in ways) for ahead in standing):
            continue
        best, standing = place, ways
    return best, out


# --- throws ---------------------------------------------------------------------------------------


def beaters(unit: Unit, hand: Sequence[str], table: Table) -> set[Unit]:
    """The units of a hand that beat this one: of the same form and suit, with a higher top."""
    own = in_suit(hand, suit(unit[0], table), table)
    return {one for one in units_in(own, table) if form(one) == form(unit) and top(one, table) > top(unit, table)}


def thrown(
    lead: Sequence[str],
    others: Sequence[Sequence[str]],
    table: Table,
    grouping: Sequence[Sequence[str]] | None = None,
    stopped: str = "lead-smallest",
) -> tuple[Pile | None, int | None]:
    """The unit that is led in place of a throw and the first of the others that beats it; nothing if it stands."""
    units = led_units(lead, grouping, table)
    if len(units) == 1:
        return None, None
    beaten = [(unit, seat) for seat, hand in enumerate(others, start=1) for unit in units if beaters(unit, hand, table)]
    if stopped == "first-found":
        beaten = [(unit, seat) for unit, seat in beaten if seat == beaten[0][1]]
    if not beaten:
        return None, None

    def size(found: tuple[Unit, int]) -> tuple[object, ...]:
        unit, seat = found
        return len(unit), top(unit, table), [CARDS.index(card) for card in unit], seat

    unit, seat = min(beaten, key=size)  # fewest cards, then lowest top step, then card order
    return tuple(sorted(unit)), seat
