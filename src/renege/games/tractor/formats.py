"""The chain of weaker formats that a lead comes down to, where the first format that a hand can give is owed.

A format is groups of tuples on consecutive steps, each by its widths from the lowest step up. The formats of n cards
come by their widths, the greatest first: n equal cards, n - 1 and one, n - 2 and two, and so on down to single cards.
Of formats with the same widths one with a longer longest group comes first, then one with fewer groups; of those that
are equal by this the one whose narrowest tuple joined the earlier group. A lead of one unit goes down the formats of
so many cards from its own on. Of several units, the one that has most formats left goes down by one each time.

The order is that of the server rbtying/shengji; a format that comes again later in a list is counted there once more,
which decides in throws which unit is weakened next. So it is here up to `COUNTED` cards in a unit; a longer unit has
each format once, as the lists grow beyond all use (20 cards have 130,000 entries).
"""

from collections.abc import Iterator
from functools import cache

from renege.games.tractor.tuples import Form

Widths = tuple[int, ...]
Format = tuple[Widths, ...]

COUNTED = 18  # cards of the longest unit of which formats are counted as often as they come


def _sums(number: int, most: int) -> Iterator[Widths]:
    """A number as a sum of parts that are no greater than this, the greatest parts first."""
    if not number:
        yield ()
    for first in range(min(number, most), 0, -1):
        for rest in _sums(number - first, first):
            yield first, *rest


def _grouped(widths: Widths, *, once: bool) -> list[Format]:
    """Every way to put tuples into groups, in the order of the chain; `once` leaves out those that come again."""
    ways: list[tuple[Widths, ...]] = [(widths[:1],)]
    for width in widths[1:]:
        more: list[tuple[Widths, ...]] = []
        for groups in ways:
            more += [(*groups[:i], (*group, width), *groups[i + 1 :]) for i, group in enumerate(groups)]
            more.append((*groups, (width,)))
        more.sort(key=lambda groups: (-max(map(len, groups)), len(groups)))
        if once:  # what comes of one that comes again has come of the first of them
            firsts: dict[tuple[Widths, ...], tuple[Widths, ...]] = {}
            for groups in more:
                firsts.setdefault(tuple(sorted(groups)), groups)
            more = list(firsts.values())
        ways = more
    return [tuple(sorted(groups, reverse=True)) for groups in ways]


@cache
def formats(cards: int) -> tuple[Format, ...]:
    """All formats of so many cards, from the strongest to single cards."""
    found: list[Format] = []
    seen: set[Format] = set()
    once = cards > COUNTED
    for widths in _sums(cards, cards):
        wide = tuple(width for width in widths if width > 1)
        singles = ((1,),) * (len(widths) - len(wide))
        for groups in _grouped(wide, once=once) if wide else [()]:
            one = (*groups, *singles)
            if one not in seen if once else found[-1:] != [one]:
                found.append(one)
                seen.add(one)
    return tuple(found)


@cache
def _below(form: Form) -> tuple[Format, ...]:
    """The formats that a unit goes down, from the first below its own on."""
    known = formats(form[0] * form[1])
    return known[known.index(((form[0],) * form[1],)) + 1 :]


def chain(led: tuple[Form, ...], *, new_tractors: bool) -> Iterator[Format]:
    """The led format and then weaker ones, down to single cards, each without those.

    Without `new_tractors` a format is passed over in which a led tuple has become a group of several.
    """
    units = sorted(led, key=lambda form: form[0] * form[1])
    now: list[Format] = [((width,) * length,) for width, length in units]
    left, at = [_below(form) for form in units], [0] * len(units)
    turns = list(range(len(units)))
    yield _wide(now)
    while True:
        turns.sort(
            key=lambda i: at[i] - len(left[i])
        )  # the one with most left first; sorting keeps the order of equals
        first = turns[0]
        if at[first] == len(left[first]):
            return
        now[first] = left[first][at[first]]
        at[first] += 1
        if new_tractors or not any(
            len(group) > 1 for i, (_, length) in enumerate(units) if length == 1 for group in now[i]
        ):
            yield _wide(now)


def _wide(now: list[Format]) -> Format:
    return tuple(sorted((group for format in now for group in format if group[0] > 1), reverse=True))
