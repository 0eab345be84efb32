"""Every legal play of Tractor: counted without listing, listed without a repeat, drawn at random, picked card by card.

Duties speak of pairs alone, so the plays fall into classes by which pairs they hold whole: a class is legal or not as
one, and has as many plays as there are ways to choose its other cards from kinds of which no second copy comes along.

`picks` says which cards may be picked next so that the pick can still become a legal play. Any cards of one suit are a
lead, unless the table restricts throws: then what is picked must lie in one unit, or in a throw that is proved safe. A
follow has the length of the lead. Where the hand has more of the suit than that, a few of its pairs are owed; the
cheapest set of pairs that keeps to the duties says how many cards are spoken for, and only when all that are left are
spoken for is anything closed.
"""

import random
from collections.abc import Callable, Iterator
from functools import cached_property, lru_cache
from itertools import combinations
from math import comb

from renege.core.cards import Card, Cards, kinds_in
from renege.core.game import Game, LegalPlays, Turn
from renege.core.trick import Play
from renege.games.tractor.follow import match, owed
from renege.games.tractor.order import TRUMP
from renege.games.tractor.rules import StoppedThrow, ThrowTest, TrumpThrows
from renege.games.tractor.throws import LEAD, beater, may_beat, others
from renege.games.tractor.units import Counts, Runs, cut, led_shape, shape_of, stretches

Class = tuple[int, list[Card], int]  # mask of the whole pairs, kinds for the other cards, how many of those


class TractorPlays(LegalPlays):
    """The plays open to a seat; a play is its cards, however its leader would group them."""

    def __init__(self, game: Game, turn: Turn) -> None:
        super().__init__(game, turn)
        self._held = turn.hand.deck.none if turn.led is None else turn.order.in_suit(turn.hand, turn.led)
        # where the led suit runs out: the cards that must go, and how many of which others fill up
        self._fills: tuple[Cards, Cards, int] | None = None
        lead, held = turn.trick.lead, self._held
        if lead is not None and (turn.led is None or len(held) <= len(lead.cards)):
            self._fills = held, turn.hand - held, len(lead.cards) - len(held)

    def __iter__(self) -> Iterator[Play]:
        return map(Play, self._piles())

    def __len__(self) -> int:
        return self.count()

    def count(self) -> int:
        if self._fills is not None:
            _, rest, size = self._fills
            return _ways(rest, size)
        return sum(comb(len(kinds), size) for _, kinds, size in self._classes)

    def choose(self, rng: random.Random) -> Play:
        if self._fills is not None:
            must, rest, size = self._fills
            return Play(must + _draw(rest, size, rng))
        weights = [comb(len(kinds), size) for _, kinds, size in self._classes]
        pairs, kinds, size = rng.choices(self._classes, weights)[0]
        return Play(self._pile(pairs, rng.sample(kinds, size)))

    def _piles(self) -> Iterator[Cards]:
        if self._fills is not None:
            must, rest, size = self._fills
            for chosen in choices(rest, size):
                yield must + chosen
            return
        for pairs, kinds, size in self._find_classes():  # as far as one asks
            for chosen in combinations(kinds, size):
                yield self._pile(pairs, chosen)

    def _pile(self, pairs: int, singles: tuple[Card, ...] | list[Card]) -> Cards:
        once = pairs
        for card in singles:  # kinds that are in no pair
            once |= 1 << card
        return Cards(self.turn.hand.deck, (once, pairs) if pairs else (once,))

    def kinds(self) -> int:
        if self._fills is not None:
            must, rest, size = self._fills
            return must.kinds | (rest.kinds if size else 0)
        found = 0
        for whole, single, size in self._find_classes():
            if size <= len(single):
                found |= whole
                found |= sum(1 << card for card in single) if size else 0
            if found == self._held.kinds:
                break
        return found

    # -- following

    @cached_property
    def _classes(self) -> list[Class]:
        return list(self._find_classes())

    def _find_classes(self) -> Iterator[Class]:
        return self._leads() if self.turn.trick.lead is None else self._follows()

    def _follows(self) -> Iterator[Class]:
        turn, lead = self.turn, self.turn.trick.lead
        assert lead is not None and turn.led is not None
        held, shape = self._held, led_shape(turn.order, lead)
        pairs, runs = owed(turn.rules, turn.order, turn.led, held, shape)
        for whole in _subsets(held.at_least(2), pairs, shape.cards // 2):
            size = shape.cards - 2 * whole.bit_count()
            if any(runs):
                given: Counts = tuple([(whole & step).bit_count() for step in turn.order.steps[turn.led]])
                if match(turn.rules, given, shape.runs) != runs:
                    continue
            yield whole, list(kinds_in(held.kinds & ~whole)), size

    # -- leading

    def _leads(self) -> Iterator[Class]:
        turn = self.turn
        refused = turn.rules.stopped_throw is StoppedThrow.REFUSED or turn.rules.throw_test is ThrowTest.PUBLIC_INFO
        for suit in range(len(turn.order.suits)):
            held = turn.order.in_suit(turn.hand, suit)
            forbidden = suit == TRUMP and turn.rules.trump_throws is TrumpThrows.FORBIDDEN
            safe = held.kinds
            if refused:
                safe = sum(1 << card for card in kinds_in(safe) if not self._beatable(suit, held.deck.of(1 << card)))
            for whole in _subsets(held.at_least(2), 0, len(held)):
                yield from self._leads_with(suit, held, whole, safe, forbidden=forbidden, refused=refused)

    def _leads_with(
        self, suit: int, held: Cards, whole: int, safe: int, *, forbidden: bool, refused: bool
    ) -> Iterator[Class]:
        """The leads that hold just these pairs whole: alone, and with each number of singles."""
        pile = Cards(held.deck, (whole, whole) if whole else ())
        others_kinds = held.kinds & ~whole
        alone = bool(whole) and not shape_of(self.turn.order, suit, pile).is_throw
        if alone:
            yield whole, [], 0
        if not whole:
            yield 0, list(kinds_in(others_kinds)), 1
        if forbidden:
            return
        if refused and whole and any(self._beatable(suit, unit) for unit in cut(self.turn.order, suit, pile)):
            return
        kinds = list(kinds_in(others_kinds & safe))
        first = (1 if alone else 0) if whole else 2
        for size in range(first, len(kinds) + 1):
            yield whole, kinds, size

    def _beatable(self, suit: int, unit: Cards) -> bool:
        turn = self.turn
        if turn.rules.throw_test is ThrowTest.PUBLIC_INFO:
            return bool(may_beat(turn, suit, unit))
        return any(beater(turn.order, suit, unit, hand) is not None for _, hand in others(turn))


def _subsets(mask: int, least: int, most: int) -> Iterator[int]:
    """Every subset of a mask with so many kinds, the greatest first."""
    if not mask:
        yield from () if least else (0,)
        return
    bits = [1 << card for card in kinds_in(mask)]
    for size in range(min(most, len(bits)), least - 1, -1):
        yield from map(sum, combinations(bits, size))


def _ways(pile: Cards, size: int) -> int:
    """How many piles of this size can be taken out of a pile, copies being alike."""
    ways = [1] + [0] * size
    for card in kinds_in(pile.kinds):
        copies = pile.count(card)
        ways = [sum(ways[total - taken] for taken in range(min(copies, total) + 1)) for total in range(size + 1)]
    return ways[size]


def choices(pile: Cards, size: int) -> Iterator[Cards]:
    """Every pile of this size that can be taken out of a pile, once each."""
    kinds = list(kinds_in(pile.kinds))

    def take(i: int, left: int, taken: list[Card]) -> Iterator[Cards]:
        if not left:
            yield pile.deck.cards(taken)
        elif i < len(kinds):
            for copies in range(min(pile.count(kinds[i]), left), -1, -1):
                yield from take(i + 1, left - copies, taken + [kinds[i]] * copies)

    return take(0, size, [])


def _draw(pile: Cards, size: int, rng: random.Random) -> Cards:
    """One of those piles, each as likely."""
    taken: list[Card] = []
    rest = pile
    for card in kinds_in(pile.kinds):
        rest = rest.only(~(1 << card))
        most = min(pile.count(card), size - len(taken))
        weights = [_ways(rest, size - len(taken) - copies) for copies in range(most + 1)]
        taken += [card] * rng.choices(range(most + 1), weights)[0]
    return pile.deck.cards(taken)


Weights = tuple[int, ...]  # the pairs on a step by the copies that are still to be picked, fewest first
Cost = tuple[int, int]  # pairs of which one copy is picked, pairs of which none is


Picks = Callable[[Turn, Cards], int]  # the kinds that may be picked next, as a mask


def picks(turn: Turn, chosen: Cards) -> tuple[int, bool]:
    """The kinds that may be picked next, as a mask, and whether what is chosen may be led as it is."""
    return picks_by(turn, chosen, _lead_picks, _follow_picks)


def picks_by(turn: Turn, chosen: Cards, leads: Picks, follows: Picks) -> tuple[int, bool]:
    """The same, by what goes on to a lead and to a follow."""
    if turn.trick.lead is not None:
        return follows(turn, chosen), False
    whole = bool(chosen) and all(check(turn, Play(chosen)) is None for check in LEAD)
    return leads(turn, chosen), whole


# -- leading


def _lead_picks(turn: Turn, chosen: Cards) -> int:
    rest, suit = (turn.hand - chosen).kinds, turn.order.suit_of(chosen)
    if suit is None:
        return rest  # any card may be led by itself
    rest &= turn.order.leads[suit]
    may_throw = suit != TRUMP or turn.rules.trump_throws is TrumpThrows.ALLOWED
    if may_throw and turn.rules.throw_test is not ThrowTest.PUBLIC_INFO:
        return rest  # any may be tried: whether they stand is seen afterwards
    picked = {card: chosen + turn.hand.deck.of(1 << card) for card in kinds_in(rest)}
    return sum(
        1 << card
        for card, pile in picked.items()
        if _in_unit(turn, suit, pile) or (may_throw and _in_safe_throw(turn, suit, pile))
    )


def _in_unit(turn: Turn, suit: int, chosen: Cards) -> bool:
    """Does the hand have a single, a pair or a tractor with these cards in it?"""
    kinds, pairs = chosen.kinds, turn.hand.at_least(2)
    if kinds & (kinds - 1) == 0:
        return True
    if kinds & ~pairs:
        return False
    steps = turn.order.steps[suit]
    on = [i for i, step in enumerate(steps) if kinds & step]
    return len(on) == kinds.bit_count() and all(pairs & step for step in steps[on[0] : on[-1] + 1])


def _in_safe_throw(turn: Turn, suit: int, chosen: Cards) -> bool:
    """Does the hand have a throw with these cards in it that is proved safe?

    A longer run and a higher one is safer, so pairs that are needed go with all the pairs beside them. Of pairs on one
    step but one goes with the run, and each other stands alone.
    """
    pairs = turn.order.in_suit(turn.hand, suit).at_least(2)
    lone = chosen.kinds & ~chosen.at_least(2)
    needed = chosen.at_least(2) | sum(1 << card for card in kinds_in(lone) if not _safe(turn, suit, 1 << card, 1))
    if needed & ~pairs:
        return False
    steps = turn.order.steps[suit]
    for start, end in stretches(tuple(pairs & step for step in steps)):
        stretch = steps[start:end]
        if not any(needed & step for step in stretch):
            continue
        if not _safe(turn, suit, sum(_first(pairs & step) for step in stretch), 2):
            return False
        crowd = next((step for step in stretch if (needed & step).bit_count() > 1), 0)
        if crowd and not _safe(turn, suit, _first(pairs & crowd), 2):
            return False
    return True


def _first(kinds: int) -> int:
    return 1 << kinds.bit_length() - 1


def _safe(turn: Turn, suit: int, kinds: int, copies: int) -> bool:
    return not may_beat(turn, suit, Cards(turn.hand.deck, (kinds,) * copies))


# -- following


def _follow_picks(turn: Turn, chosen: Cards) -> int:
    assert turn.trick.lead is not None
    led = len(turn.trick.lead.cards)
    if len(chosen) == led:
        return 0
    own = 0 if turn.led is None else turn.order.follow[turn.led]
    held, rest = turn.hand.only(own), turn.hand - chosen
    if len(held) <= led:  # all of it goes, and anything else with it
        others = len(chosen.only(~own))
        return rest.kinds if others < led - len(held) else rest.kinds & own
    if least(turn, held, chosen) < led:
        return rest.kinds & own
    deck = turn.hand.deck
    pairs = kinds_in(held.at_least(2) & rest.kinds)
    return sum(1 << card for card in pairs if least(turn, held, chosen + deck.of(1 << card)) <= led)


def least(turn: Turn, held: Cards, chosen: Cards) -> int:
    """The fewest cards of the led suit that hold what is chosen and all that is owed.

    Whatever fills them up to the length of the lead makes a legal follow.
    """
    assert turn.led is not None and turn.trick.lead is not None
    due, runs = owed(turn.rules, turn.order, turn.led, held, led_shape(turn.order, turn.trick.lead))
    if not due:
        return len(chosen)
    pairs = held.at_least(2)
    whole, once = chosen.at_least(2), chosen.kinds & ~chosen.at_least(2) & pairs
    weights = tuple(
        tuple(sorted(2 - chosen.count(card) for card in kinds_in(pairs & step))) for step in turn.order.steps[turn.led]
    )
    costs = cheapest_cuts(weights, tuple(filter(None, runs)))
    return len(chosen) + min(_still_to_pick(cost, due - whole.bit_count(), once.bit_count()) for cost in costs)


def _still_to_pick(cost: Cost, owed: int, once: int) -> int:
    """The cards that complete the pairs of some runs, and as many pairs besides as are owed: those begun come first."""
    begun, fresh = cost
    pairs = max(owed, begun + fresh)
    begun = min(once, pairs - fresh)
    return begun + 2 * (pairs - begun)


@lru_cache(maxsize=1 << 14)
def cheapest_cuts(steps: tuple[Weights, ...], units: Runs) -> frozenset[Cost]:
    """What it costs to cut these runs out of the pairs on some steps; of all ways those that no other undercuts."""
    if not units:
        return frozenset([(0, 0)])
    if not steps:
        return frozenset()
    found = set(cheapest_cuts(steps[1:], units))  # none begins on the lowest step
    for length in set(units):
        window = steps[:length]
        if len(window) < length or not all(window):
            continue
        i = units.index(length)
        taken = [step[0] for step in window]
        after = (window[-1][1:], *steps[length:])  # another run may begin where this one ends, if pairs lie there
        for begun, fresh in cheapest_cuts(after, units[:i] + units[i + 1 :]):
            found.add((begun + taken.count(1), fresh + taken.count(2)))
    return frozenset(
        cost for cost in found if not any(a <= cost[0] and b <= cost[1] for a, b in found if (a, b) != cost)
    )
