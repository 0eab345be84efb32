"""Tractor with two decks as its rules are told at the table: every way is tried, nothing is looked up.

A card is its text, `"SA"`, `"HT"`, `"LJ"`, `"BJ"`; a pile is a tuple of cards, sorted as text, copies side by side.
A declaration is `"S2"` to `"DA"`, or `"NT2"` to `"NTA"` without a trump suit, or `"NT-"` where only the jokers are
trumps, whatever the level; house rules are keywords with the words of the wire protocol. A unit is a tuple of cards
from its lowest step up: a single, two identical cards (a pair), or pairs on consecutive steps, one a step (a tractor).
A cutting of a pile is a tuple of units that together are the pile.

Written from the words of the rules and slow on purpose; nothing is imported from what this is compared with.
"""

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from functools import cache, lru_cache
from itertools import combinations, zip_longest
from typing import NamedTuple

Pile = tuple[str, ...]
Unit = tuple[str, ...]
Cutting = tuple[Unit, ...]

RANKS = "23456789TJQKA"
SUITS = "CDHS"
JOKERS = ["LJ", "BJ"]
CARDS = [*(suit + rank for suit in SUITS for rank in RANKS), *JOKERS]  # the card order, for what nothing else decides
DECLARATIONS = [trump + level for trump in (*SUITS, "NT") for level in RANKS]
EFFECTIVE_SUITS = ["T", "S", "H", "C", "D"]
KITTY = 8


def parse(text: str) -> Pile:
    """A pile from its text, "SA SA HT"."""
    return pile(text.split())


def pile(cards: Iterable[str]) -> Pile:
    cards = tuple(sorted(cards))
    for card in cards:
        if card not in CARDS:
            raise ValueError(f"{card!r} is no card")
        if cards.count(card) > 2:
            raise ValueError(f"{card} is there {cards.count(card)} times")
    return cards


def without(cards: Sequence[str], gone: Sequence[str]) -> Pile:
    """What is left of a pile when some of it is taken away."""
    left = Counter(cards)
    left.subtract(gone)
    if any(copies < 0 for copies in left.values()):
        raise ValueError(f"{gone} is not in {cards}")
    return tuple(sorted(left.elements()))


# --- suits and steps ------------------------------------------------------------------------------


def level(declaration: str) -> str:
    return declaration[-1]


def trump_suit(declaration: str) -> str | None:
    return None if declaration.startswith("NT") else declaration[0]


@cache
def suit(card: str, declaration: str) -> str:
    """The suit a card follows: jokers, level cards and the trump suit are trumps."""
    if card in JOKERS or card[1] == level(declaration) or card[0] == trump_suit(declaration):
        return "T"
    return card[0]


@cache
def step(card: str, declaration: str, gap: str = "closes") -> int:
    """Where a card stands in its suit, from 0 up; the off-suit level cards all stand on one step.

    Where the gap breaks, the rank over the missing level is one place further up, so that it is no longer next to
    the rank below it. Where the level is the lowest or the highest rank there is no such gap.
    """
    ranks = [rank for rank in RANKS if rank != level(declaration)]
    place = {rank: index for index, rank in enumerate(ranks)}
    if gap == "breaks" and level(declaration) in RANKS[1:]:
        place = {rank: index + (RANKS.index(rank) > RANKS.index(level(declaration))) for rank, index in place.items()}
    trumps = trump_suit(declaration)
    above_the_suit = 0 if trumps is None else max(place.values()) + 1
    if card in JOKERS:
        level_steps = 1 if trumps is None else 2
        return above_the_suit + level_steps + JOKERS.index(card)
    if card[1] == level(declaration):
        return above_the_suit + (card[0] == trumps)
    return place[card[1]]


def beats_card(late: str, early: str, led: str, declaration: str) -> bool:
    """One card against one played before it, once a suit is led: does the later take the trick from it?"""
    if suit(late, declaration) not in ("T", led):
        return False
    if suit(late, declaration) == suit(early, declaration):
        return step(late, declaration) > step(early, declaration)
    return suit(late, declaration) == "T" or suit(early, declaration) not in ("T", led)


def in_suit(cards: Sequence[str], led: str, declaration: str) -> Pile:
    return tuple(sorted(card for card in cards if suit(card, declaration) == led))


def pair_kinds(cards: Sequence[str]) -> list[str]:
    """The kinds a pile holds two of."""
    return sorted(card for card, copies in Counter(cards).items() if copies == 2)


# --- units ----------------------------------------------------------------------------------------


def pairs_in(unit: Unit) -> int:
    """The number of pairs of one unit: none in a single."""
    return len(unit) // 2


def top(unit: Unit, declaration: str, gap: str = "closes") -> int:
    return max(step(card, declaration, gap) for card in unit)


def runs_from(kind: str, kinds: Collection[str], declaration: str, gap: str = "closes") -> Iterator[tuple[str, ...]]:
    """Every way to go up from one kind, a step at a time, over kinds held twice; at first it stays alone."""
    yield (kind,)
    for after in kinds:
        same_suit = suit(after, declaration) == suit(kind, declaration)
        if same_suit and step(after, declaration, gap) == step(kind, declaration, gap) + 1:
            for run in runs_from(after, kinds, declaration, gap):
                yield (kind, *run)


def units_in(cards: Sequence[str], declaration: str, gap: str = "closes") -> set[Unit]:
    """Every unit that could be made from a pile."""
    kinds = pair_kinds(cards)
    units: set[Unit] = {(card,) for card in cards}
    for kind in kinds:
        for run in runs_from(kind, kinds, declaration, gap):
            units.add(tuple(card for card in run for _ in range(2)))
    return units


class Shape(NamedTuple):
    """Compared as the rule compares: the longest runs first, then pairs, then singles."""

    runs: tuple[int, ...]  # lengths in pairs, two or more, longest first
    pairs: int  # outside runs
    singles: int

    @property
    def cards(self) -> int:
        return 2 * self.pairs_in_all + self.singles

    @property
    def pairs_in_all(self) -> int:
        return sum(self.runs) + self.pairs

    @property
    def units(self) -> int:
        return len(self.runs) + self.pairs + self.singles

    @property
    def longest(self) -> int:
        """The cards of its longest unit."""
        return 2 * self.runs[0] if self.runs else 2 if self.pairs else 1


def shape_of(cutting: Cutting) -> Shape:
    lengths = sorted((pairs_in(unit) for unit in cutting), reverse=True)
    return Shape(tuple(n for n in lengths if n >= 2), lengths.count(1), lengths.count(0))


def order_units(units: Iterable[Unit], declaration: str, gap: str = "closes") -> Cutting:
    """Longest unit first, then the higher, then by card order."""
    return tuple(sorted(units, key=lambda u: (-len(u), -top(u, declaration, gap), [CARDS.index(c) for c in u])))


def cut(
    cards: Sequence[str], declaration: str, gap: str = "closes", wanted: Counter[int] | None = None
) -> Iterator[Cutting]:
    """The cuttings one by one; only with so many units of each size, if that is wanted."""
    if not cards:
        yield ()
        return
    lowest = min(cards, key=lambda card: (step(card, declaration, gap), CARDS.index(card)))
    for unit in units_in(cards, declaration, gap):
        if unit[0] != lowest or (wanted is not None and not wanted[len(unit)]):
            continue  # the lowest card is in some unit, and is the lowest there
        rest = without(cards, unit)
        fewer = None if wanted is None else wanted - Counter([len(unit)])
        for others in cut(rest, declaration, gap, fewer):
            yield (unit, *others)


def cuttings(cards: Sequence[str], declaration: str, gap: str = "closes") -> set[Cutting]:
    """All ways to cut a pile of one suit into units."""
    return {order_units(cutting, declaration, gap) for cutting in cut(cards, declaration, gap)}


def cuttings_into(led: Shape, cards: Sequence[str], declaration: str, gap: str = "closes") -> set[Cutting]:
    """All ways to cut a pile into the led shape: a longer unit may be cut, a pair may serve as two singles."""
    wanted = Counter({1: led.singles, 2: led.pairs}) + Counter(2 * run for run in led.runs)
    if len(cards) != led.cards:
        return set()
    return {order_units(cutting, declaration, gap) for cutting in cut(cards, declaration, gap, wanted)}


@lru_cache(maxsize=200_000)
def shapes(cards: Pile, declaration: str, gap: str = "closes") -> frozenset[Shape]:
    """The shapes of all cuttings, without listing the cuttings: the same walk, remembered."""
    if not cards:
        return frozenset([Shape((), 0, 0)])
    lowest = min(cards, key=lambda card: (step(card, declaration, gap), CARDS.index(card)))
    found: set[Shape] = set()
    for unit in units_in(cards, declaration, gap):
        if unit[0] == lowest:
            for rest in shapes(without(cards, unit), declaration, gap):
                n = pairs_in(unit)
                runs = tuple(sorted((*rest.runs, n), reverse=True)) if n >= 2 else rest.runs
                found.add(Shape(runs, rest.pairs + (n == 1), rest.singles + (n == 0)))
    return frozenset(found)


def shape(cards: Sequence[str], declaration: str, gap: str = "closes") -> Shape:
    """The shape of a lead: the greatest of all cuttings."""
    return max(shapes(tuple(sorted(cards)), declaration, gap))


def natural_cutting(cards: Sequence[str], declaration: str, gap: str = "closes") -> Cutting:
    """The cutting of greatest shape. Those that remain differ in which off-suit level pair the run takes: by card
    order the first."""
    best = cuttings_into(shape(cards, declaration, gap), cards, declaration, gap)
    return min(best, key=lambda cutting: [CARDS.index(card) for unit in cutting for card in unit])


def named_cutting(
    cards: Sequence[str], grouping: Sequence[Sequence[str]] | None, declaration: str, gap: str = "closes"
) -> Cutting:
    """The units of a lead: as its leader groups them or, nothing said, as the rule does."""
    if grouping is None:
        return natural_cutting(cards, declaration, gap)
    units = [tuple(sorted(unit, key=lambda c: (step(c, declaration, gap), c))) for unit in grouping]
    named = order_units(units, declaration, gap)
    if named not in cuttings(cards, declaration, gap):
        raise ValueError(f"{grouping} is no cutting of {cards}")
    return named


def conforms(led: Shape, cards: Sequence[str], declaration: str, gap: str = "closes") -> bool:
    return led in shapes(tuple(sorted(cards)), declaration, gap)


def degraded(cutting: Cutting, declaration: str, gap: str = "closes") -> list[Unit]:
    """The units of a cutting that lie inside a longer unit of the pile's own cutting."""
    own = natural_cutting(tuple(card for unit in cutting for card in unit), declaration, gap)
    return [unit for unit in cutting if any(len(unit) < len(whole) and set(unit) <= set(whole) for whole in own)]


# --- following ------------------------------------------------------------------------------------


@lru_cache(maxsize=200_000)
def best_match_of_kinds(
    kinds: frozenset[str], led_runs: tuple[int, ...], declaration: str, shorter_runs: str, gap: str
) -> tuple[int, ...]:
    if not led_runs:
        return ()
    longest, *others = led_runs
    best = (0, *best_match_of_kinds(kinds, tuple(others), declaration, shorter_runs, gap))
    for kind in kinds:
        for run in runs_from(kind, kinds, declaration, gap):
            counts = len(run) == longest if shorter_runs == "not-owed" else 2 <= len(run) <= longest
            if counts:
                rest = best_match_of_kinds(kinds - set(run), tuple(others), declaration, shorter_runs, gap)
                best = max(best, (len(run), *rest))
    return best


@lru_cache(maxsize=200_000)
def fullest_match_of_kinds(
    kinds: frozenset[str], unanswered: tuple[int, ...], declaration: str, gap: str
) -> tuple[int, ...]:
    """Where every further run is owed: the longest unanswered stretch of led pairs is given a run no longer than it,
    and what is left of the stretch stays unanswered. Of all ways to go on like this the lexicographically greatest."""
    longest, others = max(unanswered), list(unanswered)
    others.remove(longest)
    best: tuple[int, ...] = ()
    for kind in kinds:
        for run in runs_from(kind, kinds, declaration, gap):
            if 2 <= len(run) <= longest:
                left = tuple(sorted([*others, longest - len(run)]))
                rest = fullest_match_of_kinds(kinds - set(run), left, declaration, gap)
                best = max(best, (len(run), *rest))
    return best


def best_match(
    led_runs: Sequence[int], cards: Sequence[str], declaration: str, shorter_runs: str = "owed", gap: str = "closes"
) -> tuple[int, ...]:
    """What a pile of one suit can give to the led runs, longest first: disjoint runs no longer than they are.

    Of all such gifts the lexicographically greatest; a run of one is none. Where shorter runs are not owed only a
    run of exactly the led length counts. Where all are owed this is the list of all runs given, one after the other.
    """
    assert shorter_runs in ("owed", "not-owed", "all-owed")
    kinds = frozenset(pair_kinds(cards))
    if shorter_runs == "all-owed":
        return fullest_match_of_kinds(kinds, tuple(led_runs), declaration, gap) if led_runs else ()
    return best_match_of_kinds(kinds, tuple(led_runs), declaration, shorter_runs, gap)


def follow_duty(
    led: str,
    led_shape: Shape,
    hand: Sequence[str],
    play: Sequence[str],
    declaration: str,
    shorter_runs: str = "owed",
    gap: str = "closes",
    duty: str = "shape",
) -> str | None:
    """The first duty that a play from a hand breaks; None if it keeps them all."""
    without(hand, play)
    n = led_shape.cards
    if len(play) != n:
        return "length"
    held, played = in_suit(hand, led, declaration), in_suit(play, led, declaration)
    if len(held) <= n:
        return None if played == held else "follow-suit"
    if len(played) < n:
        return "follow-suit"
    if duty == "suit-only":
        return None
    owed = best_match(led_shape.runs, held, declaration, shorter_runs, gap)
    given = best_match(led_shape.runs, played, declaration, shorter_runs, gap)
    drawn = len(pair_kinds(held))
    if duty == "tractors-protected":  # by the led tractors what matches them, and by the rest pairs outside tractors
        drawn = sum(owed) + len(lone_pairs(held, declaration, gap))
    if len(pair_kinds(played)) < min(led_shape.pairs_in_all, drawn):
        return "follow-pair"
    for length_owed, length_given in zip_longest(owed, given, fillvalue=0):
        if length_given < length_owed:
            return "follow-longer-run" if length_given else "follow-run"
        assert length_given == length_owed  # a part of the hand cannot give more than the hand
    return None


def lone_pairs(cards: Sequence[str], declaration: str, gap: str = "closes") -> set[str]:
    """The kinds held twice that are in no tractor that could be made of a pile."""
    tractors = [unit for unit in units_in(cards, declaration, gap) if pairs_in(unit) >= 2]
    return set(pair_kinds(cards)) - {card for tractor in tractors for card in tractor}


def led_suit(lead: Sequence[str], declaration: str) -> str:
    suits = {suit(card, declaration) for card in lead}
    if len(suits) != 1:
        raise ValueError(f"a lead is of one suit: {lead}")
    return suits.pop()


def legal_follow(
    lead: Sequence[str],
    hand: Sequence[str],
    play: Sequence[str],
    declaration: str,
    shorter_runs: str = "owed",
    gap: str = "closes",
    grouping: Sequence[Sequence[str]] | None = None,
    follow: str = "shape",
) -> tuple[bool, str | None]:
    """May a hand answer a lead with these cards? If not, the duty broken."""
    led_shape = led_shape_of(lead, grouping, declaration, gap)
    duty = follow_duty(led_suit(lead, declaration), led_shape, hand, play, declaration, shorter_runs, gap, follow)
    return duty is None, duty


def led_shape_of(
    lead: Sequence[str], grouping: Sequence[Sequence[str]] | None, declaration: str, gap: str = "closes"
) -> Shape:
    if grouping is None:
        return shape(lead, declaration, gap)
    return shape_of(named_cutting(lead, grouping, declaration, gap))


def legal_follows(
    lead: Sequence[str],
    hand: Sequence[str],
    declaration: str,
    shorter_runs: str = "owed",
    gap: str = "closes",
    grouping: Sequence[Sequence[str]] | None = None,
    follow: str = "shape",
) -> set[Pile]:
    """Of all subsets of a hand as large as the lead, those that may be played."""
    led, led_shape = led_suit(lead, declaration), led_shape_of(lead, grouping, declaration, gap)
    subsets = set(combinations(sorted(hand), led_shape.cards))
    return {
        play
        for play in subsets
        if follow_duty(led, led_shape, hand, play, declaration, shorter_runs, gap, follow) is None
    }


# --- who wins -------------------------------------------------------------------------------------


def tops(cutting: Cutting, declaration: str, gap: str = "closes") -> list[tuple[int, int]]:
    """The sizes and top steps of its units, longest first, then highest first."""
    return sorted(((len(unit), top(unit, declaration, gap)) for unit in cutting), reverse=True)


def cannot_win(
    play: Sequence[str], lead: Sequence[str], led_shape: Shape, declaration: str, gap: str = "closes"
) -> str | None:
    """Why a follow cannot win whatever its height; None if it can."""
    if len(play) != len(lead):
        return "length"  # another number of cards
    suits = {suit(card, declaration) for card in play}
    if len(suits) > 1:
        return "mixed"  # cards of several suits
    if not suits <= {led_suit(lead, declaration), "T"}:
        return "suit"  # neither the led suit nor trumps
    if not conforms(led_shape, play, declaration, gap):
        return "shape"  # cannot be cut into the led shape
    if led_shape.units > 1 and suits == {led_suit(lead, declaration)}:
        return "throw"  # a standing throw is beaten only by a ruff
    return None


def winner(
    plays: Sequence[Sequence[str]],
    declaration: str,
    comparison: str = "longest-unit",
    grouping: Sequence[Sequence[str]] | None = None,
    gap: str = "closes",
) -> tuple[int, list[str | None]]:
    """Which play takes the trick, and for each why it cannot win at all (None: it could, and may have lost)."""
    lead = plays[0]
    own = named_cutting(lead, grouping, declaration, gap)
    led_shape = shape_of(own)
    excluded: list[str | None] = [None]
    best, standing = 0, {own}  # the play ahead, and the ways to cut it
    for place, play in enumerate(plays[1:], start=1):
        excluded.append(cannot_win(play, lead, led_shape, declaration, gap))
        if excluded[place] is not None:
            continue
        ways = cuttings_into(led_shape, play, declaration, gap)
        if suit(play[0], declaration) != suit(plays[best][0], declaration):
            if suit(play[0], declaration) != "T":
                continue  # a plain card after a ruff
        elif not goes_over(ways, standing, comparison, declaration, gap):
            continue
        best, standing = place, ways
    return best, excluded


def goes_over(
    ways: set[Cutting], standing: set[Cutting], comparison: str, declaration: str, gap: str = "closes"
) -> bool:
    """Each of two plays of one suit is cut as its owner wishes: however the one ahead is cut, the other can be cut so
    that it is higher."""
    return all(any(is_higher(way, ahead, comparison, declaration, gap) for way in ways) for ahead in standing)


def is_higher(new: Cutting, old: Cutting, comparison: str, declaration: str, gap: str = "closes") -> bool:
    """Two plays of one suit cut into the same shape: does the new one go over the old?"""
    new_tops, old_tops = tops(new, declaration, gap), tops(old, declaration, gap)
    if comparison == "longest-unit":
        return new_tops[0] > old_tops[0]
    if comparison == "highest-card":
        return max(height for _, height in new_tops) > max(height for _, height in old_tops)
    assert comparison == "all-units"
    return all(height > below for (_, height), (_, below) in zip(new_tops, old_tops, strict=True))
